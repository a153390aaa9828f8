# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034
# What the scenarios of whole exports share.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
BIN=$1
GEN=$OBJDIR/tests/tools/gen
SHOP=$TESTS/data/shop.json

# rows FOLDER: all rows of an export, each behind its table's name, sorted.
rows() {
    local d
    for d in "$1"/*/; do
        d=${d%/}
        case ${d##*/} in rejects | unrouted) continue ;; esac
        if [ -z "$(compgen -G "$d/*.zst")" ]; then continue; fi
        zstdcat -q "$d"/*.zst | sed "s|^|${d##*/} |"
    done | LC_ALL=C sort
}

# summary FILE FILTER: one value of a summary.
summary() { jq -r "$2" "$1"; }

# progress_of FOLDER: items committed so far.
progress_of() { "$BIN" status "$1" --json 2>/dev/null | jq -r '.runs[0].items.read // 0' 2>/dev/null || echo 0; }
