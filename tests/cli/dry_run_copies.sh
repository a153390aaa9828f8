# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# rows of tables that bring copies together are counted as an export will have them
cp "$TESTS/../examples/10_duplicated_data/"{items.jsonl,model.json} .
sed 's/"orders"/"one_row_for_each_order_of_a_customer_with_a_long_name"/' model.json >long.json
counts() { sed -n '/^table/,/^$/p' | awk 'NF == 3 && $2 ~ /^[0-9]/ && $1 !~ /_conflict$/ { print $1, $2 }'; }
renorm export items.jsonl out -m long.json | counts >exported
renorm export items.jsonl out -m long.json --dry-run | counts >tried
renorm check long.json items.jsonl | counts >checked
diff exported tried && diff exported checked && cat exported
renorm status out | grep -o 'one_row_for[a-z_]*'
