# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# what is not known gets a suggestion where one comes near, and never a guess where none does
for words in "exprot a b" "chekc" "--verison" "--halp" "lambda" \
    "check --mermiad" "check --mermaid=1" "export --max-reject=3" "explain --workers 2" "check --max-reject 5" \
    "status --rcu 5" "check --zzzz" "export -z" "verify dynamo:x postgres:y -m m.json" "verify s4://x out -m m.json" "export x postgresq://h"; do
    echo "== renorm $words"
    # shellcheck disable=SC2086
    renorm $words 2>&1
    [ "$?" = 2 ] || echo "not refused"
done
renorm nosuch
