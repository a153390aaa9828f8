#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `make install`: the program, its manual page and its completion, where packagers expect them.
# Nothing is built again: other scenarios are running what was built.
. "$(dirname "$0")/lib.sh"
scenario
[ "$MODE" = release ] || skip_scenario "only the release build is installed"
[[ $BIN = /* ]] || BIN=$ROOT/$BIN
make -C "$ROOT" -o all --no-print-directory DEPS=no BUILD="$BUILD" PREFIX=/opt/renorm DESTDIR="$SCRATCH/root" install >install.log
equal "files" "$(cd root && find . -type f -printf '%m %P\n' | sort)" "644 opt/renorm/share/bash-completion/completions/renorm
644 opt/renorm/share/man/man1/renorm.1
755 opt/renorm/bin/renorm"
at=root/opt/renorm
"$at/bin/renorm" --manual | cmp - "$at/share/man/man1/renorm.1"
"$at/bin/renorm" --completion | cmp - "$at/share/bash-completion/completions/renorm"
"$at/bin/renorm" --help | cmp - <("$BIN" --help)
grep -q '^\.TH RENORM 1' "$at/share/man/man1/renorm.1"
if command -v groff >/dev/null; then
    groff -man -Tascii -ww "$at/share/man/man1/renorm.1" >page.txt 2>warnings.txt
    equal "warnings of groff" "$(cat warnings.txt)" ""
    [ -s page.txt ]
fi
