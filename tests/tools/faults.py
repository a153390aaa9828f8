#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep over the system calls of an export: each fails once (EIO, ENOSPC, EINTR), or the process is
killed as it makes it. Whatever happens, the run ends with success or says why it does not; what it showed
is one whole run, by the manifest; and the same command, undisturbed, ends with exactly the right result.

Usage: faults.py BIN ITEMS_BEFORE ITEMS MODEL [--sample N] [--seed N] [--only CALL,...] [--what ERROR,...,KILL]
    [--cut CALL,N] [--option=OPTION]... [--url URL]
in a folder of its own. --url URL: the export is one to PostgreSQL, into databases of that server. --cut CALL,N: the export that meets the faults goes on with one that was killed at its
Nth such call.

The export replaces an earlier one, so that every table is exchanged. strace counts the calls of each
thread by itself: with "the 3rd write fails" every thread's third one does. With --sample so many of all
faults are tried, spread over all calls. Exit status 77: strace may not trace here.
"""
import argparse
import collections
import json
import random
import re
import shutil
import subprocess
import sys
from urllib.parse import urlsplit, urlunsplit

from folder_reader import read_by_manifest, rows_of

# calls that cannot fail, do not return, or wait for others: an error there is no fault of the machine's
LEFT_OUT = {"execve", "exit", "exit_group", "rt_sigreturn", "arch_prctl", "set_tid_address", "brk", "munmap",
            "set_robust_list", "rseq", "futex", "restart_syscall", "getpid", "gettid", "rt_sigprocmask"}
# libpq hides a send that failed and waits for the answer to it: right where the connection is gone, as it is then,
# but here it stands, and the server waits, too
HIDDEN = {"sendto"}
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
    p.add_argument("--cut", default="", help="CALL,N")
    p.add_argument("--url", default="", help="of a database that others are made beside")
    p.add_argument("--option", action="append", default=[], help="one more of the export")
    return p.parse_args()


class Folder:
    """Where an export goes, by three names: `template` is what each starts from, `out` its own, `right` the result."""

    def target(self, name):
        return name

    def fresh(self):
        shutil.rmtree("out", ignore_errors=True)
        shutil.copytree("template", "out")

    def keep(self):
        shutil.rmtree("template")
        shutil.move("out", "template")

    def rows(self, name):
        return rows_of(name)

    def shown(self, name):
        return read_by_manifest(name)


class Database:
    def __init__(self, url, schema):
        self.url, self.schema = url, schema
        for name in ("template", "out", "right"):
            self.sql(url, f"drop database if exists faults_{name} with (force)")
        for name in ("template", "right"):
            self.sql(url, f"create database faults_{name}")

    def target(self, name):
        return urlunsplit(urlsplit(self.url)._replace(path=f"/faults_{name}"))

    def sql(self, url, text):
        p = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", "set client_min_messages = error",
                            "-c", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
        if p.returncode:
            raise RuntimeError(text + ": " + p.stdout)
        return p.stdout.splitlines()

    def copy(self, name, of):
        self.sql(self.url, f"drop database if exists faults_{name} with (force)")
        self.sql(self.url, f"create database faults_{name} template faults_{of}")

    def fresh(self):
        self.copy("out", "template")

    def keep(self):
        self.copy("template", "out")

    def rows(self, name):
        url = self.target(name)
        tables = self.sql(url, f"select tablename from pg_tables where schemaname = '{self.schema}' order by 1")
        return {t: collections.Counter(self.sql(url, f'select row_to_json(t) from "{self.schema}"."{t}" as t')) for t in tables}

    def shown(self, name):
        return self.rows(name)


class Sweep:
    def __init__(self, args):
        self.args = args
        self.failures = []
        self.ran = collections.Counter()
        self.missed = 0  # no thread came to that call this time
        with open(args.model, encoding="utf-8") as model:
            self.place = Database(args.url, json.load(model)["name"]) if args.url else Folder()

    def command(self, items, name):
        return [self.args.bin, "export", items, self.place.target(name), "-m", self.args.model, "--quiet", "--workers", "1",
                "--commit-mb", "1", "--part-mb", "1", *self.args.option]

    def run(self, words):
        try:
            p = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return None, "it hangs"
        return p.returncode, p.stderr.decode(errors="replace")

    def prepare(self):
        for items, out in ((self.args.before, "template"), (self.args.items, "right")):
            if out == "right" and "--mode=append" in self.args.option:
                self.place.copy(out, "template")
            status, told = self.run(self.command(items, out))
            if status:
                sys.exit("the export itself fails: " + told)
        self.old = self.place.shown("template")
        self.right = self.place.shown("right")
        if self.args.cut:
            self.cut(*self.args.cut.split(","))

    def cut(self, name, when):
        """Makes the template one that a killed export has left."""
        self.place.fresh()
        status, told, _ = self.strike(name, when, "KILL")
        if status not in (-9, 137):
            sys.exit(f"it was not killed at {name} {when}: {status}: {told}")
        self.place.keep()

    def calls(self):
        """How often each call is made, by the thread that makes it most often."""
        self.place.fresh()
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

    def bad(self, fault, what):
        self.failures.append(f"{fault}: {what}")
        print(f"FAILED {fault}: {what}", flush=True)

    def look(self, fault):
        """What readers see of the folder as the fault left it."""
        try:
            if self.place.shown("out") not in (self.old, self.right):
                self.bad(fault, "the manifest leads to rows that are of neither run")
        except (FileNotFoundError, ValueError) as e:
            self.bad(fault, f"the manifest does not lead to its rows: {e}")

    def of_the_loader(self, name, when, what):
        """The program that loads programs ends so before ours begins."""
        status, _ = self.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={name}",
                              "-e", f"inject={name}:error={what}:when={when}", "true"])
        return status is not None and (status < 0 or status > 128)

    def strike(self, name, when, what):
        """strace 6.1 with --seccomp-bpf forgets signals behind the first call: it is for errors alone."""
        how = ["-e", f"inject={name}:signal=KILL:when={when}"] if what == "KILL" else [
            "--seccomp-bpf", "-e", f"inject={name}:error={what}:when={when}"]
        status, told = self.run(["strace", "-f", "-qq", "-o", "trace", "-e", f"trace={name}", *how,
                                 *self.command(self.args.items, "out")])
        with open("trace", errors="replace") as trace:
            struck = any("(INJECTED)" in line or "killed by SIGKILL" in line for line in trace)
        return status, told, struck

    def one(self, name, when, what):
        fault = f"{name} {when} {what}"
        self.place.fresh()
        status, told, struck = self.strike(name, when, what)
        self.ran[what] += 1
        self.missed += not struck
        if status is None or (status < 0 or status > 128) and not (what == "KILL" and status in (-9, 137)):
            if status is not None and what != "KILL" and self.of_the_loader(name, when, what):
                return None
            return self.bad(fault, f"it ended with {status}: {told}")
        # the write that fails may be the one that would tell
        if status and what != "KILL" and name != "write" and not told.strip():
            return self.bad(fault, f"exit status {status} without a word")
        self.look(fault)
        if status == 0 and self.place.rows("out") != self.right:
            return self.bad(fault, "exit status 0 and wrong rows")
        again, why = self.run(self.command(self.args.items, "out"))
        if again != 0:
            return self.bad(fault, f"after \"{told.strip()}\" it cannot go on: {again}: {why}")
        if self.place.rows("out") != self.right or self.place.shown("out") != self.right:
            self.bad(fault, "the run after it ends with wrong rows")
        return None

    def faults(self):
        only = self.args.only.split(",") if self.args.only else None
        every = [(name, when, what) for name, n in sorted(self.calls().items()) if not only or name in only
                 for when in range(1, n + 1) for what in self.args.what.split(",")
                 if not (self.args.url and name in HIDDEN and what not in ("KILL", "EINTR"))]
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
    print(f"{len(faults)} of {of} faults ({told}), {sweep.missed} not met, {len(sweep.failures)} failed")
    sys.exit(1 if sweep.failures or sweep.missed > len(faults) / 4 else 0)


if __name__ == "__main__":
    main()
