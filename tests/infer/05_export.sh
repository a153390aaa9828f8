#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An export without -m infers a model, leaves it in the folder it was called in, and loads; later ones use that model;
# --reinfer makes another; nothing is written over. What is read only once is refused before anything is done.
. "$(dirname "$0")/../lib.sh"
scenario
bin=$1
cp "$ROOT/examples/05_movies/items.jsonl" film.jsonl

"$bin" export film.jsonl out >sheet 2>err
grep -q 'inferred the model ./film.model.json' err
"$bin" check film.model.json --quiet
equal "what is left behind" "$(echo *)" "err film.jsonl film.model.json out sheet"
"$bin" verify film.jsonl out --quiet

# the second night: that model, also where the items would make another one
first=$(sha256sum <film.model.json)
sed '$d' "$ROOT/examples/05_movies/items.jsonl" >film.jsonl
"$bin" export film.jsonl out --quiet --summary sum
equal "the model of the summary" "$(jq -r .model.path sum)" ./film.model.json
equal "the model" "$(sha256sum <film.model.json)" "$first"
"$bin" verify film.jsonl out --quiet

# a new one stands beside it, and is used from then on
"$bin" export film.jsonl out --reinfer --quiet --summary sum
equal "the new model" "$(jq -r .model.path sum)" ./film.model.2.json
equal "the old model" "$(sha256sum <film.model.json)" "$first"
"$bin" export film.jsonl out --quiet --summary sum
equal "the newest model" "$(jq -r .model.path sum)" ./film.model.2.json

# a model that is named is the one that counts
"$bin" export film.jsonl named -m film.model.json --quiet --summary sum
equal "the named model" "$(jq -r .model.path sum)" film.model.json

# refused, and nothing is left behind
mkdir clean
cd clean
expect_exit 2 "$bin" export - out <../film.jsonl 2>../err
grep -q 'is read only once' ../err
expect_exit 2 "$bin" export ../film.jsonl out --dry-run 2>../err
grep -q -- '--dry-run needs a model' ../err
expect_exit 2 "$bin" export ../film.jsonl out --join 2>../err
expect_exit 2 "$bin" verify ../film.jsonl out 2>../err
grep -q 'no model given' ../err
expect_exit 2 "$bin" export /dev/null out 2>../err
expect_exit 2 "$bin" export . ../here 2>../err
grep -q 'the folder that the items are read from' ../err
equal "what is left behind" "$(ls)" ""
