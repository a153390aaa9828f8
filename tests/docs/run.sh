#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pages of docs/ that are run from top to bottom: what they say is what happens. A page that shows a
# wrong output must fail, or the others prove nothing. The drawings beside them are the program's own.
# Usage: run.sh BIN [--update]
. "$(dirname "$0")/../lib.sh"
scratch
bin=$1
[[ $bin = /* ]] || bin=$ROOT/$bin
mkdir -p "$SCRATCH/bin" "$LOGS/docs"
ln -s "$bin" "$SCRATCH/bin/renorm"
export PATH=$SCRATCH/bin:$PATH

# page FILE: runs it in an empty folder.
page() {
    rm -rf "$SCRATCH/work"
    mkdir "$SCRATCH/work"
    (cd "$SCRATCH/work" && python3 "$TESTS/docs/run_page.py" "$1") >"$SCRATCH/log" 2>&1
}

# a page is run if its text says so
mapfile -t pages < <(grep -l '^is run by a test' "$ROOT"/docs/*.md)
for name in "${pages[@]}"; do
    name=$(basename "$name" .md)
    drawing=$ROOT/docs/$name.svg
    if page "$ROOT/docs/$name.md" && "$bin" check "$SCRATCH/work/model.json" --svg >"$SCRATCH/drawing.svg" &&
        { if [ "${2:-}" = --update ]; then cp "$SCRATCH/drawing.svg" "$drawing"; fi; } &&
        cmp "$SCRATCH/drawing.svg" "$drawing" >>"$SCRATCH/log" 2>&1; then
        ok "$name"
    else
        cat "$SCRATCH/log"
        cp "$SCRATCH/log" "$LOGS/docs/$name.log"
        not_ok "$name" "$LOGS/docs/$name.log"
    fi
done
sed 's/^orders  .*/orders                         7 columns, key order_id -> customer/' "$ROOT/docs/first-model.md" >"$SCRATCH/wrong.md"
if page "$SCRATCH/wrong.md" || ! grep -q '1 of them print something else' "$SCRATCH/log"; then
    not_ok "a wrong page fails"
else
    ok "a wrong page fails"
fi
closing
