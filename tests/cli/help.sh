# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the help of everything, its options left to help_and_manual_agree; no line is too long, none
# ends in a blank; the folder stays as empty as it was
renorm --help
for command in export check explain verify status; do
    text=$(renorm "$command" --help) || exit
    [ "$text" = "$(renorm "$command" -h)" ] || exit
    echo "== $command"
    grep -v '^  ' <<<"$text"
    grep -E ' $|.{93}' <<<"$text"
done
ls
