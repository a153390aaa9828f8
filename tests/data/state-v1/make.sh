#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# How the files of this folder were made, all but model.json and backfill.json: by a renorm whose
# ledger, run.json and state.json are of version 1 (commit a8cd007), which $1 names. They stand for
# what users have on their disks: a later renorm must go on from them, so they are never made again.
. "$(dirname "$0")/../../lib.sh"
. "$TESTS/tools/pg.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"
V1=$1
to=$TESTS/data/state-v1

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

# the source: an export of four files, with an item that no entity takes and one that fits none
source_of() {
    awk -v from="$1" 'BEGIN {
        for (i = from; i < from + 10; i++) {
            c = int(i / 5)
            if (i % 5 == 0)
                printf "{\"Item\":{\"PK\":{\"S\":\"CUSTOMER#%d\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"Customer\"},\"name\":{\"S\":\"name %d\"},\"zip\":{\"S\":\"%d\"},\"city\":{\"S\":\"%s\"}}}\n", c, c, c % 3, c % 4 ? "Here" : "There"
            else
                printf "{\"Item\":{\"PK\":{\"S\":\"CUSTOMER#%d\"},\"SK\":{\"S\":\"#ORDER#%d\"},\"Type\":{\"S\":\"Order\"},\"total\":{\"N\":\"%d.5\"},\"lines\":{\"L\":[{\"M\":{\"sku\":{\"S\":\"s%d\"},\"qty\":{\"N\":\"%d\"}}}]}}}\n", c, i, i, i % 7, i % 9
        }
    }'
}
mkdir -p export/data
for f in 0 1 2 3; do
    { source_of $((f * 10)); if [ $f = 1 ]; then echo '{"Item":{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Nobody"}}}'; fi
    if [ $f = 3 ]; then echo '{"Item":{"PK":{"S":"x"},"SK":{"S":"z"},"Type":{"S":"Order"}}}'; fi; } | gzip -n9 >export/data/$f.json.gz
    jq -nc --arg m "$(openssl md5 -binary export/data/$f.json.gz | base64)" --arg f "data/$f.json.gz" \
        --argjson n "$(zcat export/data/$f.json.gz | wc -l)" \
        '{itemCount: $n, md5Checksum: $m, etag: "x", dataFileS3Key: ("AWSDynamoDB/0-x/" + $f)}'
done >export/manifest-files.json
jq -n '{version: "2020-06-30", exportArn: "arn:x", tableArn: "arn:y", itemCount: 42, outputFormat: "DYNAMODB_JSON"}' >export/manifest-summary.json
cp -r export "$to"
options=(-m "$to/model.json" --max-rejects 1 --max-unrouted 1 --quiet)

# ---- PostgreSQL: the commit of one of two workers waits for a lock until its process is killed -----
pg_start
dump() { # FILE: what names this machine goes
    pg_query "$URL" "update renorm.process set host = 'host', place = 'place', pid = 1, ticks = 1" >/dev/null
    pg_dump --inserts --no-owner -d "$URL" | sed '/^--/d; /^$/d; /^SET /d; /^SELECT pg_catalog.set_config/d; /^.restrict /d; /^.unrestrict /d' >"$1"
}
URL=$(pg_db over)
"$V1" export export "$URL" "${options[@]}" >/dev/null
dump "$to/postgres-done.dump"
some=0
while [ "$some" != 1 ]; do
    URL=$(pg_db half)
    # the ledger is there, and knows of a run
    printf '%s\n' '{"PK":{"S":"CUSTOMER#0"},"SK":{"S":"A"},"Type":{"S":"Customer"}}' | "$V1" export - "$URL" "${options[@]}" --schema other >/dev/null
    pg_query "$URL" "create function public.hold() returns trigger language plpgsql as
            'begin if new.segment = 2 then perform pg_advisory_xact_lock_shared(4242); end if; return new; end';
        create trigger hold before update on renorm.segment for each row when (new.commits > old.commits) execute function public.hold()"
    mkfifo hold.$$ && start holder psql -XqAt -d "$URL" -f hold.$$
    exec 7>hold.$$
    echo "select pg_advisory_lock(4242), 'held';" >&7
    wait_until 'grep -q held holder.log'
    start load "$V1" export export "$URL" "${options[@]}" -w 2
    wait_until '[ "$(pg_query "$URL" "select count(*) from pg_locks where locktype = '"'advisory'"' and objid = 4242 and not granted")" = 1 ]'
    sleep 1
    stop "$STARTED" KILL || true
    pg_query "$URL" "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name ~ 'renorm'" >/dev/null
    exec 7>&-
    rm -f hold.$$
    some=$(pg_query "$URL" "select (count(*) filter (where done) between 1 and 3)::int from renorm.segment where run = 2")
done
pg_query "$URL" "drop trigger hold on renorm.segment; drop function public.hold" >/dev/null
dump "$to/postgres-half.dump"

# ---- a folder: killed while a later commit is on its way to the disk ------------------------------------
"$V1" export export folder-done "${options[@]}" >/dev/null
some=0
for n in {1..60} {1..60} {1..60} {1..60}; do
    rm -rf folder-half
    KILL_AT=$n LD_PRELOAD=./kill.so "$V1" export export folder-half "${options[@]}" -w 4 >/dev/null 2>&1 || true
    some=$("$V1" status folder-half --json 2>/dev/null | jq -r '.runs[0].items.read // 0' || true)
    if [ "${some:-0}" -gt 0 ] && [ "$some" -lt 42 ]; then break; fi
done
echo "folder-half: $some of 42 items"
find folder-half folder-done -name lock -delete
cp -r folder-half folder-done "$to"

# ---- a backfill, likewise -----------------------------------------------------------------------------
live_sim --generate 24 --page-bytes 2000
"$V1" backfill dynamodb:shop -m "$to/backfill.json" --state backfill-done --quiet --rcu 100000 --wcu 100000 --segments 4
sim_control dump >"$to/backfill-done.jsonl"
stop "$SIM_PID" || true
for n in {6..200}; do
    live_sim --generate 24 --page-bytes 2000
    sim_control dump >before
    rm -rf backfill-half
    KILL_AT=$n LD_PRELOAD=./kill.so "$V1" backfill dynamodb:shop -m "$to/backfill.json" --state backfill-half --quiet \
        --rcu 100000 --wcu 100000 --segments 4 --workers 1 --in-flight 2 >/dev/null 2>&1 || true
    sim_control dump >"$to/backfill-half.jsonl"
    some=$(diff before "$to/backfill-half.jsonl" | grep -c '^>' || true)
    marks=$("$V1" status backfill-half 2>/dev/null | grep -c . || true)
    stop "$SIM_PID" || true
    if [ "$some" -ge 10 ]; then break; fi
done
echo "backfill-half: $some of 24 items, status of $marks lines"
rm -f backfill-half/lock backfill-done/lock
cp -r backfill-half backfill-done "$to"
