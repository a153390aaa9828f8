#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep over the system calls of an export: each fails once (EIO, ENOSPC, EINTR), or the process is
killed as it makes it. Whatever happens, the run ends with success or says why it does not; what it showed
is one whole run, by the manifest; and the same command, undisturbed, ends with exactly the right result.

Usage: faults.py BIN ITEMS_BEFORE ITEMS MODEL [--sample N] [--seed N] [--only CALL,...] [--what ERROR,...,KILL]
in a folder of its own.

The export replaces an earlier one, so that every table is exchanged. strace counts the calls of each
thread by itself: with "the 3rd write fails" every thread's third one does. With --sample so many of all
faults are tried, spread over all calls. Exit status 77: strace may not trace here.
"""
import argparse
import collections
import random
import re
import shutil
import subprocess
import sys

from folder_reader import read_by_manifest, rows_of

# calls that cannot fail, do not return, or wait for others: an error there is no fault of the machine's
LEFT_OUT = {"execve", "exit", "exit_group", "rt_sigreturn", "arch_prctl", "set_tid_address", "brk", "munmap",
            "set_robust_list", "rseq", "futex", "restart_syscall", "getpid", "gettid", "rt_sigprocmask"}
LIMIT = 120


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("bin")
    p.add_argument("before")
    p.add_argument("items")
    p.add_argument("model")
    p.add_argument("--sample", type=int, default=0)
    p.add_argument("--only", default="", help="system calls, with commas between them")
    p.add_argument("--what", default="EIO,ENOSPC,EINTR,KILL")
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


class Sweep:
    def __init__(self, args):
        self.args = args
        self.failures = []
        self.ran = collections.Counter()

    def command(self, items, out):
        return [self.args.bin, "export", items, out, "-m", self.args.model, "--quiet", "--workers", "1",
                "--commit-mb", "1", "--part-mb", "1"]

    def run(self, words):
        try:
            p = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return None, "it hangs"
        return p.returncode, p.stderr.decode(errors="replace")

    def prepare(self):
        for items, out in ((self.args.before, "template"), (self.args.items, "right")):
            status, told = self.run(self.command(items, out))
            if status:
                sys.exit("the export itself fails: " + told)
        self.old = read_by_manifest("template")
        self.right = read_by_manifest("right")

    def calls(self):
        """How often each call is made, by the thread that makes it most often."""
        self.fresh_out()
        status, told = self.run(["strace", "-f", "-qq", "-o", "trace", *self.command(self.args.items, "out")])
        if status:
            print("strace may not trace here: " + told.strip().splitlines()[-1] if told.strip() else "?")
            sys.exit(77)
        counts = collections.Counter()
        with open("trace", errors="replace") as trace:
            for line in trace:
                m = re.match(r"(\d+) +([a-z0-9_]+)\(", line)
                if m and m[2] not in LEFT_OUT:
                    counts[m[1], m[2]] += 1
        most = collections.Counter()
        for (_, name), n in counts.items():
            most[name] = max(most[name], n)
        return most

    def fresh_out(self):
        shutil.rmtree("out", ignore_errors=True)
        shutil.copytree("template", "out")

    def bad(self, fault, what):
        self.failures.append(f"{fault}: {what}")
        print(f"FAILED {fault}: {what}", flush=True)

    def look(self, fault):
        """What readers see of the folder as the fault left it."""
        try:
            if read_by_manifest("out") not in (self.old, self.right):
                self.bad(fault, "the manifest leads to rows that are of neither run")
        except (FileNotFoundError, ValueError) as e:
            self.bad(fault, f"the manifest does not lead to its rows: {e}")

    def one(self, name, when, what):
        fault = f"{name} {when} {what}"
        inject = f"{name}:signal=KILL:when={when}" if what == "KILL" else f"{name}:error={what}:when={when}"
        self.fresh_out()
        status, told = self.run(["strace", "-f", "-qq", "-o", "/dev/null", "--seccomp-bpf", "-e", f"trace={name}",
                                 "-e", f"inject={inject}", *self.command(self.args.items, "out")])
        self.ran[what] += 1
        if status is None or (status < 0 or status > 128) and not (what == "KILL" and status in (-9, 137)):
            return self.bad(fault, f"it ended with {status}: {told}")
        # the write that fails may be the one that would tell
        if status and what != "KILL" and name != "write" and not told.strip():
            return self.bad(fault, f"exit status {status} without a word")
        self.look(fault)
        if status == 0 and rows_of("out") != self.right:
            return self.bad(fault, "exit status 0 and wrong rows")
        again, why = self.run(self.command(self.args.items, "out"))
        if again != 0:
            return self.bad(fault, f"after \"{told.strip()}\" it cannot go on: {again}: {why}")
        if rows_of("out") != self.right or read_by_manifest("out") != self.right:
            self.bad(fault, "the run after it ends with wrong rows")
        return None

    def faults(self):
        only = self.args.only.split(",") if self.args.only else None
        every = [(name, when, what) for name, n in sorted(self.calls().items()) if not only or name in only
                 for when in range(1, n + 1) for what in self.args.what.split(",")]
        if not self.args.sample or self.args.sample >= len(every):
            return every, len(every)
        # calls that are made rarely are as likely as those that are made often
        chance = random.Random(self.args.seed)
        names = sorted({f[0] for f in every})
        chosen = set()
        while len(chosen) < self.args.sample:
            name = names[len(chosen) % len(names)]
            chosen.add(chance.choice([f for f in every if f[0] == name]))
            if len(chosen) % len(names) == 0 or chance.random() < 0.1:
                chance.shuffle(names)
        return sorted(chosen), len(every)


def main():
    sweep = Sweep(arguments())
    sweep.prepare()
    faults, of = sweep.faults()
    for fault in faults:
        sweep.one(*fault)
    told = ", ".join(f"{n} {what}" for what, n in sorted(sweep.ran.items()))
    print(f"{len(faults)} of {of} faults ({told}), {len(sweep.failures)} failed")
    sys.exit(1 if sweep.failures else 0)


if __name__ == "__main__":
    main()
