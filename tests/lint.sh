#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make lint` runs over the C files given: each check is one case. CPPFLAGS are the build's.
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1
# tidy: clang-tidy on one file, unless that file, its headers and the rules passed before.
# shellcheck disable=SC2086
if [ "${1:-}" = --tidy ]; then
    key=$({ cc -MM $CPPFLAGS "$2" | tr -d '\134' | tr -s ' \n' '\n' | tail -n +2 | xargs cat .clang-tidy; } | sha256sum)
    stamp=$BUILD/tidy/${key%% *}
    [ -f "$stamp" ] && exit 0
    # the closing count of hidden warnings is no finding
    clang-tidy --quiet "$2" -- $CPPFLAGS -std=c11 2> >(grep -v 'warnings\? generated' >&2) || exit 1
    mkdir -p "$BUILD/tidy" && : >"$stamp"
    exit 0
fi

files=("$@") sources=() product=()
for f in "${files[@]}"; do
    if [[ $f = *.c ]]; then sources+=("$f"); fi
    if [[ $f != tests/* ]]; then product+=("$f"); fi
done
mkdir -p "$LOGS/lint"
mapfile -t tracked < <(git ls-files)
if [ "${#tracked[@]}" = 0 ]; then not_ok "git lists no files here"; fi

# check NAME COMMAND...: a command that prints nothing and succeeds is a pass.
check() {
    local name=$1 log=$LOGS/lint/${1// /-}.log
    shift
    if "$@" >"$log" 2>&1; then
        ok "$name"
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

tidy() { printf '%s\0' "${sources[@]}" | xargs -0 -P "${JOBS:-2}" -n 1 "$TESTS/lint.sh" --tidy; }

includes() { grep -HE '^#include "' "${product[@]}" /dev/null | awk -f tests/deps.awk; }

lengths() { awk 'FNR > 400 { print FILENAME ": more than 400 lines"; bad = 1; nextfile } END { exit bad }' "${files[@]}"; }

licences() {
    local bad
    bad=$(for f in "${files[@]}"; do head -n 1 "$f" | grep -q 'SPDX-License-Identifier: MIT' || echo "$f: no licence line"; done)
    echo "$bad"
    [ -z "$bad" ]
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

shells() { git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck; }

check "formatting" clang-format --dry-run --Werror "${files[@]}"
check "include rule" includes
check "file length" lengths
check "banned functions" none '\<(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets)[[:space:]]*\(' "${files[@]}"
check "unfinished work" none 'TODO|FIXME|(^|[^X])XXX([^X]|$)|[Nn]ot implemented|\<stub' "${product[@]}"
check "licence lines" licences
check "shell scripts" shells
check "no machine or mirror named" strangers
check "top level" layout
check "clang-tidy" tidy
closing
