# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# a bad night never replaces a good one: above the allowance and after a guard the result is held
cp "$TESTS/data/small.json" .
customers() { seq "$1" | sed 's/.*/{"PK":{"S":"CUSTOMER#&"},"SK":{"S":"A"},"Type":{"S":"Customer"}}/'; }
go() { renorm export "$@" -m small.json --quiet --workers 1 --now 2026-01-31T12:00:00Z; }
shown() { echo "[$?] $(find out/customer -name '*.zst' -exec zstd -dcq {} + | wc -l) customers shown: $(basename -a out/* | paste -sd ' ')"; }
try() {
    echo "-- $1"
    shift
    go "$@" 2>&1
    shown
}
customers 200 >good.jsonl
{ customers 150 && echo '{"PK":{"S":"x"},"SK":{"S":"A"},"Type":{"S":"Alien"}}'; } >unrouted.jsonl
customers 99 >few.jsonl
customers 100 >half.jsonl
: >empty.jsonl
try 'a good night' good.jsonl out
try 'above the allowance' unrouted.jsonl out
try 'again' unrouted.jsonl out
renorm status out | sed -n '/^held/,/held:/p; /^finished/p'
renorm status out --json | jq -c '.runs[] | [.state, .why]'
try 'a higher allowance shows it at once' unrouted.jsonl out --max-unrouted 1
try 'as good as before' good.jsonl out
try 'half of it' half.jsonl out
go good.jsonl out
try 'less than half of it' few.jsonl out
try 'still less than half of it, and it is not the table meant' few.jsonl out --allow shrink:orders,empty
try 'meant' few.jsonl out --allow empty,shrink:customer
try 'below 100 rows tables come and go' <(customers 3) out
go good.jsonl out
try 'none' empty.jsonl out
try 'none, and tables may shrink' empty.jsonl out --allow shrink
try 'none is meant' empty.jsonl out --allow empty
rm -r out
try 'an empty source where nothing is replaced' empty.jsonl out 2>/dev/null
try 'rows where there were none' good.jsonl out
try 'another share' half.jsonl out --max-shrink 49%
try 'all may go' --restart few.jsonl out --max-shrink 100%
echo '-- options'
for o in '--max-shrink 50' '--max-shrink 101%' '--allow all' '--allow shrink:' '--allow empty,' '--allow ,'; do
    # shellcheck disable=SC2086
    go good.jsonl out $o 2>&1
    echo "[$?]"
done
# a table of the last result that this model does not have
sed 's/"customer"/"people"/' small.json >people.json
go good.jsonl out
echo '-- another model'
renorm export good.jsonl out -m people.json --quiet --workers 1
echo "[$?] $(basename -a out/* | paste -sd ' ')"
renorm export good.jsonl out -m people.json --workers 1 --allow shrink:customer >sheet
echo "[$?] $(basename -a out/* | paste -sd ' ')"
grep customer sheet
echo '-- a small table of another model is told'
renorm export half.jsonl out -m people.json --quiet --workers 1
sed 's/"customer_tag"/"tag"/' people.json >tags.json
renorm export half.jsonl out -m tags.json --workers 1 | grep customer_tag
