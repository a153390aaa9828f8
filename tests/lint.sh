#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make lint` runs over the C files given: each check is one case. CPPFLAGS are the build's.
# tests/lint_selftest.sh reads this file for its functions: they look at the arrays files (C files
# and headers), product (those that are not tests) and tracked (all that git knows or
# would), seen from the current folder, print what is wrong, and fail if anything is.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# check NAME COMMAND...: a command that prints nothing and succeeds is a pass.
check() {
    local name=$1 log=$LOGS/lint/${1// /-}.log
    shift
    if "$@" >"$log" 2>&1; then
        ok "$name"
        grep '^note: ' "$log"
    else
        sed 's/^/    /' "$log"
        not_ok "$name" "$log"
    fi
}

# none PATTERN FILE...: fails, showing where, if a line matches.
none() {
    local pattern=$1
    shift
    ! grep -nHE "$pattern" "$@" /dev/null
}

formatting() { printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 50 clang-format --dry-run --Werror; }

includes() { grep -HE '^#include "' "${product[@]}" /dev/null | awk -f "$TESTS/deps.awk"; }

names() { awk -f "$TESTS/names.awk" "${product[@]}"; }

results() { none '[!=]= RC_OK' "${product[@]}"; }

banned() { none '\<(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets)[[:space:]]*\(' "${files[@]}"; }

unfinished() { none 'TODO|FIXME|(^|[^X])XXX([^X]|$)|[Nn]ot implemented|\<stub' "${product[@]}"; }

lengths() { awk 'FNR > 400 { print FILENAME ": more than 400 lines"; bad = 1; nextfile } END { exit bad }' "${files[@]}"; }

licences() {
    local bad
    bad=$(for f in "${files[@]}"; do head -n 1 "$f" | grep -q 'SPDX-License-Identifier: MIT' || echo "$f: no licence line"; done)
    if [ -n "$bad" ]; then
        echo "$bad"
        return 1
    fi
}

# Folders of somebody's machine and hosts that packages come from: both belong to configuration.
strangers() {
    local pattern='(^|[^A-Za-z0-9_.~$}])/(wor[k]|roo[t]|hom[e])/|registry[.]npmjs|(deb|security|ftp)[.]debian'
    pattern+='|pypi[.]org|pythonhoste[d]|maven[.]org|crates[.]io'
    none "$pattern" -I "${tracked[@]}"
}

layout() {
    local entry bad=0
    for entry in $(printf '%s\n' "${tracked[@]}" | cut -d/ -f1 | sort -u); do
        case $entry in
        cmd | pipeline | sinks | sql | tests | docs | examples) ;;
        Makefile | README.md | LICENSE | CHANGELOG.md | CONTRIBUTING.md | .*) ;;
        *) echo "$entry does not belong at the top" && bad=1 ;;
        esac
    done
    return $bad
}

# A script that passed is not looked at again until it changes, or one of those that are sourced:
# these have no #! line.
shells() {
    local scripts=() sourced=() todo=() f key sum stamp
    mapfile -t scripts < <(printf '%s\n' "${tracked[@]}" | grep -E '\.sh$|^\.ci/run$')
    for f in "${scripts[@]}"; do [ "$(head -c 2 "$f")" = '#!' ] || sourced+=("$f"); done
    key=$(cat "$ROOT/.shellcheckrc" "${sourced[@]}" /dev/null | sha256sum | cut -c 1-16)
    mkdir -p "$BUILD/tidy/shells"
    while read -r sum f; do
        stamp=$BUILD/tidy/shells/$key-$sum-${f//\//-}
        if [ ! -f "$stamp" ]; then todo+=("$stamp" "$f"); fi
    done < <(sha256sum "${scripts[@]}")
    # shellcheck disable=SC2016
    if [ "${#todo[@]}" -gt 0 ]; then
        printf '%s\0' "${todo[@]}" | xargs -0 -P "$(nproc)" -n 2 sh -c 'shellcheck "$1" && : >"$0"'
    fi
}

# What people call is what make help lists.
help() {
    diff <(sed -nE 's/^(GOALS :=|[.]PHONY: [$][(]GOALS[)])//p' Makefile | tr -s ' ' '\n' | grep . | sort) \
        <(env -u MAKEFLAGS -u MFLAGS make -s help | sed -nE 's/^make ([a-z-]+) .*/\1/p' | sort)
}

# sort_files FILE...: sets files, sources, product and tracked.
sort_files() {
    local f
    files=("$@") sources=() product=()
    for f in "${files[@]}"; do
        if [[ $f = *.c ]]; then sources+=("$f"); fi
        if [[ $f != tests/* ]]; then product+=("$f"); fi
    done
    # with what is new, without what is gone
    mapfile -t tracked < <(git ls-files -co --exclude-standard | while read -r f; do [ ! -f "$f" ] || echo "$f"; done)
}

# a script that sources this one wants the functions alone
if [ "${BASH_SOURCE[0]}" != "$0" ]; then return 0; fi
if [ "${1:-}" = --tidy ]; then exec "$TESTS/tidy.sh" "${@:2}"; fi
cd "$ROOT" || exit 1
sort_files "$@"
mkdir -p "$LOGS/lint"
if [ "${#tracked[@]}" = 0 ]; then not_ok "git lists no files here"; fi
check "what the checks find" "$TESTS/lint_selftest.sh"
check "formatting" formatting
check "include rule" includes
check "names" names
check "file length" lengths
check "one way to test a result" results
check "banned functions" banned
check "unfinished work" unfinished
check "licence lines" licences
check "shell scripts" shells
check "no machine or mirror named" strangers
check "top level" layout
check "make help" help
check "clang-tidy" "$TESTS/tidy.sh" checks "${sources[@]}"
check "clang's analyzer" "$TESTS/tidy.sh" analyzer "${sources[@]}"
closing
