#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command with a terminal of its own and types a line when it is asked for one; prints what
the terminal showed. Ends with the command's status. Usage: typist.py PROMPT LINE COMMAND..."""
import os
import pty
import sys

prompt, line, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
shown, typed = b"", False
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:  # the other side is closed
        break
    if not data:
        break
    shown += data
    if not typed and prompt.encode() in shown:
        os.write(terminal, line.encode() + b"\n")
        typed = True
sys.stdout.write(shown.decode(errors="replace"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
