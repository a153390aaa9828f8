#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A check that cannot fail checks nothing: every check of lint.sh is shown faulty samples, which it
# must name, and good ones, which it must pass in silence. Part of `make lint`.
# shellcheck disable=SC2016,SC2088 # samples are not expanded here
# shellcheck source=lint.sh
. "$(dirname "$0")/lint.sh"
unset SCRATCH
scratch
cp "$ROOT"/{.clang-tidy,.clang-format} "$SCRATCH"
BUILD=$SCRATCH/build
CPPFLAGS=-I$SCRATCH/tree
export BUILD CPPFLAGS FULL='' CI=''
mkdir "$SCRATCH/tree"
cd "$SCRATCH/tree" || exit 1
tracked=()

# sample PATH [LINE...]: a file of the tree that the next check sees.
sample() {
    mkdir -p "$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$1"
    tracked+=("$1")
}

# look CHECK...: its output in SAID, its status in STATUS; the tree is empty afterwards.
look() {
    local t
    files=() product=()
    for t in "${tracked[@]}"; do
        if [[ $t = *.[ch] ]]; then files+=("$t") && product+=("$t"); fi
    done
    STATUS=0
    SAID=$("$@" 2>&1) || STATUS=$?
    rm -rf "$SCRATCH/tree"/*
    tracked=()
}

# finds WHAT WORDS CHECK...: the check must fail and say WORDS.
finds() {
    look "${@:3}"
    if [ "$STATUS" != 0 ] && [[ $SAID = *"$2"* ]]; then
        ok "$1 is found"
    else
        printf '    status %s: %s\n' "$STATUS" "$SAID"
        not_ok "$1 is not found"
    fi
}

# passes WHAT CHECK...: the check must succeed and say nothing.
passes() {
    look "${@:2}"
    if [ "$STATUS" = 0 ] && [ -z "$SAID" ]; then
        ok "$1 passes"
    else
        printf '    status %s: %s\n' "$STATUS" "$SAID"
        not_ok "$1 is taken for a fault"
    fi
}

# ---- names -----------------------------------------------------------------------------------
sample pipeline/a/one.h 'enum one { ONE_A, ONE_B };'
sample pipeline/a/two.h 'enum {' '    TWO_A = 1, /* ONE_B is another */' '    ONE_A,' '};'
finds "an enumerator of two headers" "two.h: enumerator ONE_A" names
for kind in struct union enum; do
    sample pipeline/a/one.h "$kind same {" '    X_'"$kind"',' '};'
    sample pipeline/a/two.h "$kind same {" '    Y_'"$kind"',' '};'
    finds "a tag of two headers ($kind)" "two.h:  $kind same" names
done
sample pipeline/a/one.c
sample sinks/b/one.h
finds "a file name given twice" "another file of this name" names
sample pipeline/item/decode_fast.c 'bool fast_decode(void)' '{'
finds "a name that is not its file's" "fast_decode does not begin" names
sample pipeline/item/decode.c 'struct decoder *decodes(void)' '{'
finds "a name that only begins with its file's letters" "decodes does not begin" names
sample sinks/jsonl/parts.c 'int pg_parts(void)' '{'
finds "PostgreSQL's prefix elsewhere" "pg_parts does not begin" names

sample pipeline/item/decode_fast.h 'struct later;' 'enum decode_kind { DECODE_A, DECODE_B };'
sample pipeline/item/decode_fast.c '#include "x.h"' 'static int helper(int a)' 'bool decode_word(void)' \
    'char *decode_fast_word(int a,' 'int item_word(void)' 'struct later {' 'extern int far(void);'
sample sinks/postgres/load/loader.c 'struct x *pg_loader_new(void)' 'int postgres_load(void)' 'int loader(void)'
sample cmd/main.c 'int main(int argc, char **argv)'
sample cmd/commands.h 'struct later;' 'enum { /* DECODE_A */ CMD_A };'
passes "a tree with good names" names

# ---- include rule ----------------------------------------------------------------------------
while read -r file header; do
    sample "$file" "#include \"$header\""
    finds "$file with $header" "$file must not include $header" includes
done <<'TXT'
pipeline/base/a.h pipeline/item/b.h
pipeline/item/a.c cmd/b.h
pipeline/run/a.c sinks/null.h
pipeline/aws/a.c pipeline/item/b.h
sinks/jsonl/a.c sinks/postgres/b.h
sinks/store/a.c pipeline/run/b.h
sinks/null.c sinks/store/b.h
cmd/a.c tests/harness/b.h
pipeline/unheard/a.c pipeline/base/b.h
TXT
sample pipeline/base/a.c '#include "pipeline/base/b.h"' '#include <stdio.h>' '/* #include "cmd/no.h" */'
sample pipeline/item/cast/a.c '#include "pipeline/item/b.h"' '#include "pipeline/base/b.h"'
sample sinks/postgres/load/a.c '#include "sinks/postgres/wire/b.h"' '#include "sinks/store/b.h"' '#include "sql.inc"'
sample cmd/print/a.c '#include "cmd/b.h"' '#include "sinks/jsonl/b.h"' '#include "pipeline/run/b.h"'
passes "a tree that includes downwards" includes

# ---- lines -----------------------------------------------------------------------------------
mapfile -t many < <(seq 401)
sample cmd/a.c "${many[@]}"
finds "a file of 401 lines" "cmd/a.c: more than 400" lengths
sample cmd/a.c "${many[@]:1}"
passes "a file of 400 lines" lengths

for line in 'if (rc == RC_OK)' 'return rc != RC_OK;'; do
    sample cmd/a.c "$line"
    finds "$line" "cmd/a.c:1:" results
done
sample cmd/a.c 'rc = RC_OK;' 'if (!rc)' 'return RC_OK;'
passes "other uses of RC_OK" results

for f in strcpy strcat sprintf vsprintf strtok atoi atol atof gets; do
    sample cmd/a.c "    $f(a, b);"
    sample cmd/b.h "    x = $f (a);"
    finds "$f" "cmd/b.h:1:" banned
done
sample cmd/a.c 'snprintf(a, 1, "");' 'vsnprintf(a);' 'strtok_r(a);' 'fgets(a);' '/* atoi is bad */'
passes "their good relatives" banned

for line in '/* TODO later */' '// FIXME' '/* XXX */' '"not implemented"' '/* Not implemented */' 'int stub_x;'; do
    sample cmd/a.c "$line"
    finds "$line" "cmd/a.c:1:" unfinished
done
sample cmd/a.c 'mkstemp("/tmp/a.XXXXXX");' '"implemented"'
passes "a template for mkstemp" unfinished

sample cmd/a.c 'int x;' '/* SPDX-License-Identifier: MIT */'
finds "a licence in the second line" "cmd/a.c: no licence" licences
sample cmd/a.c '/* SPDX-License-Identifier: MIT */' 'int x;'
passes "a licence line" licences

# put together here, as this file is looked at, too
for line in "cd /ho""me/me" "x=/wo""rk/x" "https://registry"".npmjs.org" "http://deb"".debian.org" "pypi"".org" \
    "repo1.maven"".org" "crates"".io" "(/ro""ot/.aws)"; do
    sample docs/a.md "$line"
    finds "$line" "docs/a.md:1:" strangers
done
sample docs/a.md '~/.aws/config' "\$HOME/home"'/x' 'node_modules/wo''rk/x' 'npm install'
passes "neutral places" strangers

# ---- the tree --------------------------------------------------------------------------------
sample notes/a.md
finds "a folder that does not belong" "notes does not belong" layout
sample NEWS
finds "a file that does not belong" "NEWS does not belong" layout
sample cmd/a.c
sample README.md
sample .gitignore
passes "a plain tree" layout

make_sample() {
    sample Makefile 'GOALS := all '"$1" '.PHONY: $(GOALS) clean' '## all          builds' '## clean        removes' \
        '## test         tests' 'help:' "	@sed -n 's/^## /make /p' Makefile"
}
make_sample "test other"
finds "a goal that make help hides" "< other" help
make_sample ""
finds "a goal of make help that is none" "> test" help
make_sample test
passes "a whole make help" help

# ---- the tools -------------------------------------------------------------------------------
sample tests/a.sh '#!/bin/sh' 'rm $1'
sample tests/b.sh '#!/bin/sh' 'echo "$1"'
finds "a bare variable" "SC2086" shells
for try in "" " once more"; do
    sample tests/a.sh '#!/bin/sh' 'rm "$1"'
    passes "a good script$try" shells
done
sample tests/a.sh '#!/bin/sh' 'rm $1'
finds "a script that was good before" "SC2086" shells

sample cmd/a.c 'int  x ;'
finds "bad layout" "cmd/a.c:1:" formatting
sample cmd/a.c 'int x;'
passes "good layout" formatting

tidy() { "$TESTS/tidy.sh" "$1" "$SCRATCH/tree/cmd/a.c"; }
short='int a_twice(int n, const int *p)' plain='    return p ? n * 2 + *p : 0;'
body=$plain
# a_c LINE...: a.c with these lines in its function
a_c() { sample cmd/a.c '#include "a.h"' "$short" '{' "$@" '}'; }

sample cmd/a.h "$short;"
a_c '    if (n)' '        n =' '            1;' "$body"
finds "a body of two lines without braces" "readability-braces" tidy checks
sample cmd/a.h "$short;"
a_c "$body"
passes "a plain function (checks)" tidy checks
sample cmd/a.h "$short;" 'static inline int one(int n) { if (n) { return 1; } return' ' sizeof(int *) == sizeof(&n) ? n - n : 0; }'
a_c "$body"
finds "a fault in a header" "misc-redundant-expression" tidy checks

sample cmd/a.h "$short;"
a_c '    if (!p)' '        n = *p;' "$body"
finds "a null pointer that is followed" "core.NullDereference" tidy analyzer
good='static inline int one(const int *p) { return p ? *p : 0; }'
other='static inline int one(const int *p) { return p ? *p : 1; }'
broken='static inline int one(const int *p) { if (p) { return 1; } return *p; }'
body='    return one(p) * n;'
sample cmd/a.h "$short;" "$good"
a_c "$body"
passes "a plain function (analyzer)" tidy analyzer
sample cmd/a.h "$short;" "$broken"
a_c "$body"
finds "what a header broke" "core.NullDereference" tidy analyzer
sample cmd/a.h "$short;" "$other"
a_c "$body"
look tidy analyzer
equal "a short look is told" "${SAID%% files*} $STATUS" "note: 1 0"
ok "a file whose header changed has a short look"

# from here on a clang-tidy that finds fault with everything
mkdir "$SCRATCH/bin"
printf '%s\n' '#!/bin/sh' "case \$1 in --version) exec $(command -v clang-tidy) \$1 ;; esac" \
    'case $* in *max-nodes*) ;; *) if [ -n "$BLIND" ]; then exit 0; fi ;; esac' \
    'echo looked "$@"' 'exit 1' >"$SCRATCH/bin/clang-tidy"
chmod +x "$SCRATCH/bin/clang-tidy"
PATH=$SCRATCH/bin:$PATH
sample cmd/a.h "$short;" "$good"
a_c "$body"
passes "what passed before (analyzer)" tidy analyzer
sample cmd/a.h "$short;"
a_c "$plain"
passes "what passed before (checks)" tidy checks
sample cmd/a.h '/* a comment */' '' "$short;" "$good"
a_c "$body"
passes "a header with a comment more (analyzer)" tidy analyzer
sample cmd/a.h "$short;" "$other"
a_c "$body"
finds "a header that changed (checks)" looked tidy checks
sample cmd/a.h "$short;" "$good"
a_c "$body // NOLINT"
finds "a line that is exempt now" looked tidy analyzer
sample cmd/a.h "$short;" "$good" 'extern int another;'
a_c "$body"
BLIND=1 passes "what only a short look finds" tidy analyzer
export FULL=1
sample cmd/a.h "$short;" "$other"
a_c "$body"
finds "a file that had a short look (FULL=1)" looked tidy analyzer
export FULL='' CI=true
sample cmd/a.h "$short;" "$other"
a_c "$body"
finds "a file that had a short look (CI)" looked tidy analyzer
closing
