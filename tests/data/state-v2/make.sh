#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How folder-half was made: by a renorm whose run.json is of version 2 (commit 9c6e909), which $1 names,
# from the source and the model of state-v1. It is never made again.
. "$(dirname "$0")/../../lib.sh"
scratch
cd "$SCRATCH" || exit 1
from=$TESTS/data/state-v1

# ends at the Nth time that something is made durable
cat >kill.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
int fdatasync(int fd)
{
    static int left;
    if (!left)
        left = atoi(getenv("KILL_AT"));
    if (__atomic_sub_fetch(&left, 1, __ATOMIC_SEQ_CST) == 0)
        raise(SIGKILL);
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
C
cc -shared -fPIC -o kill.so kill.c
cp -r "$from/export" "$from/model.json" .
for n in {1..60} {1..60} {1..60}; do
    rm -rf folder-half
    KILL_AT=$n LD_PRELOAD=./kill.so "$1" export export folder-half -m model.json --max-rejects 1 --max-unrouted 1 --quiet -w 4 >/dev/null 2>&1 || true
    some=$("$1" status folder-half --json 2>/dev/null | jq -r '.runs[0].items.read // 0' || true)
    if [ "${some:-0}" = 10 ]; then break; fi
done
echo "folder-half: $some of 42 items"
find folder-half -name lock -delete
cp -r folder-half "$TESTS/data/state-v2"
