#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What clang-tidy says of C files. Usage: tidy.sh [checks|analyzer] FILE...; CPPFLAGS are the
# build's. Nothing is asked twice: what passed leaves a stamp below BUILD/tidy.
#
# checks are all rules of .clang-tidy but clang's static analyzer: quick, a few files a process.
# Their stamp is named by the text of a file and of every header it includes.
#
# The analyzer takes nineteen twentieths of all the time. A text that passed before is not
# looked at again when only comments or the order of lines in a header changed: there is a second
# stamp for the preprocessed text. Where a header changed for real but the file itself is as it
# was when it passed, a smaller budget of paths (LIGHT) shows what the header broke; such a file
# passes with a lesser stamp, and FULL=1 (CI=true says so, too) looks at it again in full depth.
# A small budget can also see what is not there: what it finds counts if the full depth finds it.
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1
stamps=$BUILD/tidy
# clang's own budget is 225000 nodes of paths a function
LIGHT=(-Xclang -analyzer-config -Xclang max-nodes=20000)
FULL=${FULL:-$([ "${CI:-}" = true ] && echo 1)}

# tidy CHECKS FILE... -- FLAGS...: the rules of .clang-tidy less CHECKS. The count of warnings in
# others' headers that closes its output is no finding.
tidy() {
    local checks=$1
    shift
    clang-tidy --quiet --checks="$checks" "$@" 2> >(grep -vE 'warnings?( and [0-9]+ errors?)? generated|^Suppressed|^Use -' >&2)
}

sum() { sha256sum | cut -d ' ' -f 1; }

# What all stamps hang on besides the files. NOLINT lines of headers count for every file.
rules() {
    clang-tidy --version
    echo "$CPPFLAGS"
    cat .clang-tidy
    find cmd pipeline sinks tests -name '*.h' -print0 | sort -z | xargs -0 grep -h NOLINT
}

# keys FILE...: prints for each "KEY FILE", KEY being named by its text and that of its headers.
keys() {
    scratch
    local lists=$SCRATCH/lists
    rm -rf "$lists" && mkdir "$lists"
    printf '%s\n' "$@" |
        awk -v dirs="$(tr ' ' '\n' <<<"$CPPFLAGS" | sed -n 's/^-I//p' | tr '\n' ' ')" -f tests/includes.awk >"$SCRATCH/includes"
    tr ' ' '\n' <"$SCRATCH/includes" | sort -u | xargs sha256sum >"$SCRATCH/sums"
    awk -v lists="$lists" -v rules="$RULES" 'NR == FNR { sum[$2] = $1; next } {
        list = lists "/" FNR
        print rules, $1 >list
        for (i = 1; i <= NF; i++) print sum[$i], $i >list
        close(list)
    }' "$SCRATCH/sums" "$SCRATCH/includes"
    # both lists are in the order of the lines
    (cd "$lists" && find . -type f | sort -t/ -k2n | xargs sha256sum | cut -d ' ' -f 1) |
        paste -d ' ' - <(cut -d ' ' -f 1 "$SCRATCH/includes")
}

# run_checks KEY FILE KEY FILE...
# shellcheck disable=SC2086
run_checks() {
    local keys=() files=()
    while [ $# -gt 0 ]; do
        keys+=("$stamps/checks/$1") files+=("$2")
        shift 2
    done
    tidy '-clang-analyzer-*' "${files[@]}" -- $CPPFLAGS -std=c11 && touch "${keys[@]}"
}

# run_analyzer KEY FILE
# shellcheck disable=SC2086
run_analyzer() {
    local text own depth=full
    text=$({ echo "$RULES $2" && cc -E -P $CPPFLAGS -std=c11 "$2" && grep NOLINT "$2"; } | sum)
    own=$({ echo "$RULES own $2" && cat "$2"; } | sum)
    if [ ! -f "$stamps/full/$text" ]; then
        if [ -z "$FULL" ] && [ -f "$stamps/full/$own" ]; then
            if [ -f "$stamps/light/$text" ] ||
                tidy "$others" "$2" -- $CPPFLAGS -std=c11 "${LIGHT[@]}" >/dev/null 2>&1; then depth=light; fi
        fi
        if [ "$depth" = full ]; then tidy "$others" "$2" -- $CPPFLAGS -std=c11 || return 1; fi
        touch "$stamps/$depth/$text"
    fi
    touch "$stamps/$depth/$1"
    if [ "$depth" = full ]; then touch "$stamps/full/$own"; fi
}

# what the analyzer's own run leaves out of .clang-tidy
others='-bugprone-*,-misc-*,-readability-*,-concurrency-*'

# todo STAMP-FOLDERS FILE...: prints "KEY FILE" where no folder holds KEY, large files first.
todo() {
    local folders=$1 key f d
    shift
    mapfile -t files < <(ls -S -- "$@")
    keys "${files[@]}" | while read -r key f; do
        for d in $folders; do
            if [ -f "$stamps/$d/$key" ]; then continue 2; fi
        done
        echo "$key $f"
    done
}

case ${1:-} in
--checks)
    run_checks "${@:2}"
    exit
    ;;
--analyzer)
    run_analyzer "${@:2}"
    exit
    ;;
checks | analyzer)
    jobs=$1
    shift
    ;;
*) jobs="checks analyzer" ;;
esac
mkdir -p "$stamps"/{checks,full,light}
RULES=$(rules | sum)
export RULES FULL
status=0
if [[ $jobs = *checks* ]]; then
    todo checks "$@" | xargs -r -P "$(nproc)" -n 16 "$TESTS/tidy.sh" --checks || status=1
fi
if [[ $jobs = *analyzer* ]]; then
    enough="full light"
    if [ -n "$FULL" ]; then enough=full; fi
    todo "$enough" "$@" | xargs -r -P "$(nproc)" -n 2 "$TESTS/tidy.sh" --analyzer || status=1
    if [ -z "$FULL" ]; then
        lightly=$(todo full "$@" | wc -l)
        if [ "$lightly" -gt 0 ] && [ "$status" = 0 ]; then
            echo "note: $lightly files as before but for their headers had a shorter look; FULL=1 and CI take the long one"
        fi
    fi
fi
exit $status
