# SPDX-License-Identifier: MIT
"""Runs a page: a block with a file's name behind its language is written to that file, the commands
of a console block ("$ ...") are run in the same folder, and must print the lines below them. A line
"..." stands for any lines; times and speeds are not compared. Usage: run_page.py PAGE"""
import difflib
import re
import subprocess
import sys


def blocks(page):
    with open(page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    inside = None
    for number, line in enumerate(lines, 1):
        if inside is None and line.startswith("```"):
            inside = (line[3:].split(), number, [])
        elif inside is not None and line == "```":
            yield inside
            inside = None
        elif inside is not None:
            inside[2].append(line)
    if inside:
        sys.exit(f"{page}:{inside[1]}: the block does not end")


def plain(line):
    return re.sub(r"^[0-9.]+ s, [0-9,]+ items/s$", "TIME", line.rstrip())


def matches(wanted, got):
    """Each run of lines between two "..." must stand in the output, in order."""
    runs = [[]]
    for line in wanted:
        if line == "...":
            runs.append([])
        else:
            runs[-1].append(line)
    if len(runs) == 1:
        return runs[0] == got
    at = 0
    for i, run in enumerate(runs):
        if i == 0:
            found = 0 if got[: len(run)] == run else None
        elif i == len(runs) - 1:
            found = len(got) - len(run) if got[len(got) - len(run) :] == run else None
        else:
            found = next((k for k in range(at, len(got)) if got[k : k + len(run)] == run), None)
        if found is None or found < at:
            return False
        at = found + len(run)
    return True


def run(page, number, command, wanted):
    done = subprocess.run(
        ["bash", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=120,
        check=False,
    )
    got = [plain(line) for line in done.stdout.rstrip("\n").split("\n") if done.stdout]
    wanted = [plain(line) for line in wanted]
    if matches(wanted, got):
        return True
    print(f"{page}:{number}: $ {command}")
    print("\n".join(difflib.unified_diff(wanted, got, "the page", "the command", lineterm="")))
    return False


def commands(number, lines):
    """Yields (line, command, its output) of a console block."""
    one = None
    for at, line in enumerate(lines, number + 1):
        if line.startswith("$ "):
            if one:
                yield one
            one = (at, line[2:], [])
        elif one:
            one[2].append(line)
    if one:
        yield one


def main():
    page = sys.argv[1]
    ran, bad = 0, 0
    for info, number, lines in blocks(page):
        if len(info) == 2:
            with open(info[1], "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        elif info == ["console"]:
            for at, command, wanted in commands(number, lines):
                ran += 1
                bad += not run(page, at, command, wanted)
    print(f"{ran} commands, {bad} of them print something else")
    sys.exit(bad > 0 or ran == 0)


main()
