# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# explain says where a text stands for NULL
here=$TESTS/../examples/14_placeholders
head -n 1 "$here/items.jsonl" >item.jsonl
renorm explain "$here/model.json" item.jsonl
