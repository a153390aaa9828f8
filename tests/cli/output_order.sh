# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# what is printed and what is told come in the order in which they happened, also where both go to one file
cp "$TESTS/data/small.json" .
echo '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"n"}}' >items.jsonl
{ cat items.jsonl && echo '{"PK":{"S":"x"},"SK":{"S":"A"},"Type":{"S":"Alien"}}'; } >more.jsonl
echo '{"PK":"CUSTOMER#1","SK":"A","Type":"Customer","Name":"n"}' >plain.jsonl
# how the lines begin that tell what happened when
order() {
    echo "\$ renorm $*"
    renorm "$@" >both 2>&1
    echo "[$?]"
    grep -oE '^(items read|held|renorm: [a-z0-9]+ [a-z]+ [a-z]+|unrouted items: the|.*"event":"(start|end)")' both |
        sed 's/^{.*"event"/event/' | uniq
}
order export items.jsonl out -m small.json
order export plain.jsonl out1 -m small.json
order export more.jsonl out -m small.json
order export more.jsonl out2 -m small.json --log json
order verify more.jsonl out -m small.json
