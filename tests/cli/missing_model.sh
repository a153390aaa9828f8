# SPDX-License-Identifier: MIT
# shellcheck shell=bash
echo '{"PK":{"S":"a"}}' >in.jsonl
renorm export in.jsonl out -m nowhere.json
status=$?
ls
exit $status
