# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# what is wrong with a command line is said in one sentence, with exit 2, before anything is read
try() {
    echo "\$ renorm $*"
    renorm "$@" 2>&1
    echo "[$?]"
}
cp "$TESTS"/data/small.json .
try check
try explain
try explain model.json
try verify
try verify items.jsonl
try status
try status a b
try export --model
try export a b --workers
try export a b --workers 0
try export a b --workers 257
try export a b --workers=two
try export a b --level 20
try export a b --commit-mb 99999999999999999999
try export a b --quiet=yes
try export a b -x
try export a b -mm
try status out --workers 2
try export a b --pk x
try export a b --log xml -m m
try explain small.json "{}" --now yesterday
try --nosuch
