# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the help of everything; the folder stays as empty as it was
renorm --help
for command in export check explain verify status; do
    echo "== $command"
    renorm "$command" --help || exit
    renorm "$command" -h | cmp - <(renorm "$command" --help) || exit
done
ls
