# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the completion is sourced by a shell and offers commands, then a command's options
renorm --completion >completion.bash
# shellcheck disable=SC1091
bash -n completion.bash && . ./completion.bash
COMP_WORDS=(renorm "") COMP_CWORD=1
_renorm && printf '%s\n' "${COMPREPLY[@]}" | grep -v completion.bash
COMP_WORDS=(renorm status --) COMP_CWORD=2
_renorm && printf '%s\n' "${COMPREPLY[@]}"
