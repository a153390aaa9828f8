#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A folder that somebody else prepared: links and strange files in it are refused, and what they
# lead to stays as it was.
. "$(dirname "$0")/lib.sh"
scenario
"$GEN" 50 >items.jsonl
mkdir home
echo "mine" >home/diary
mkdir home/run-1 home/new
echo "mine" >home/run-1/diary
find home -type f -exec md5sum {} + | sort >before

# refused OUT WORD...: exit 2, says that OUT/WORD is not renorm's, and touches nothing
refused() {
    local out=$1
    expect_exit 2 "$BIN" export items.jsonl "$out" -m "$SHOP" --quiet --restart 2>err
    grep -qF "\"$out/$2\" was not written by renorm" err || fail "$out: $(cat err)"
    find home -type f -exec md5sum {} + | sort | diff before - || fail "$out: touched what it led to"
}

mkdir -p a b/.renorm c/.renorm d/.renorm e/.renorm f/.renorm/run-1 g/.renorm/run-1/new h/.renorm i/.renorm/run-1
ln -s ../home a/.renorm
refused a .renorm
ln -s ../../home/diary b/.renorm/lock
refused b .renorm/lock
ln home/diary c/.renorm/lock # a hard link
refused c .renorm/lock
rm c/.renorm/lock
ln -s ../../home d/.renorm/run-1
refused d .renorm/run-1
ln -s ../../home e/.renorm/gone
refused e .renorm/gone
ln -s ../../../home f/.renorm/run-1/new
refused f .renorm/run-1/new
ln -s ../../../../home g/.renorm/run-1/new/orders
refused g .renorm/run-1/new/orders
echo "mine" >h/.renorm/diary
refused h .renorm/diary
echo "mine" >i/.renorm/run-1/diary
refused i .renorm/run-1/diary
mkdir -p l/.renorm/run-1
touch l/.renorm/run-1/tmp-0123abcd # a temporary file's name
echo "mine" >l/.renorm/run-1/tmp-diary
refused l .renorm/run-1/tmp-diary
equal "strange files" "$(cat {h/.renorm,i/.renorm/run-1,l/.renorm/run-1}/*diary)" $'mine\nmine\nmine'
for out in b h i; do equal "nothing new in $out" "$(find $out -newer before -name 'run.json' | wc -l)" 0; done

# a lock that is no lock of ours: a file of somebody else, and a pipe, for which nobody waits
mkdir -p j/.renorm k/.renorm
echo "mine" >j/.renorm/lock
refused j .renorm/lock
mkfifo k/.renorm/lock
refused k .renorm/lock

# a table's folder that is a link
"$BIN" export items.jsonl out -m "$SHOP" --quiet
mv out/orders elsewhere
ln -s ../elsewhere out/orders
refused out orders
[ -n "$(ls elsewhere)" ] || fail "the linked table was emptied"
rm out/orders && mv elsewhere out/orders

# a part that is a link: said before anything is shown
ln -s ../../home/diary out/orders/part-000099.jsonl.zst
cp out/manifest.json manifest.before
"$GEN" 60 >more.jsonl
expect_exit 2 "$BIN" export more.jsonl out -m "$SHOP" --quiet 2>err
grep -qF '"out/orders/part-000099.jsonl.zst" was not written by renorm' err || fail "a linked part: $(cat err)"
cmp manifest.before out/manifest.json || fail "another result was shown"
rm out/orders/part-000099.jsonl.zst

# the folder itself may be reached by a link: that is what the user named
ln -s out link
"$BIN" export items.jsonl link -m "$SHOP" --quiet
[ -L link ] || fail "the link to the folder is gone"
"$BIN" verify items.jsonl link -m "$SHOP" --quiet

# a summary is written beside its name, over nothing and through nothing
ln -s home/diary s.json
# shellcheck disable=SC2016 # the shell that becomes renorm has its number
bash -c 'for n in "" .0 .1; do ln -s home/diary "s.json.$$$n.new"; done; exec "$@"' - \
    "$BIN" export items.jsonl again -m "$SHOP" --quiet --summary s.json
equal "a summary" "$(summary s.json .ok)" true
equal "links beside it" "$(find . -maxdepth 1 -name 's.json.*' -type l | wc -l)" 3
find home -type f -exec md5sum {} + | sort | diff before - || fail "a summary went through a link"

# kernels before 5.6, and containers that refuse the call that looks at a whole path at once
if strace -qq -e trace=none true 2>err; then
    cp -a g old
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    export ASAN_OPTIONS
    old=(strace -f -qq -o /dev/null -e trace=openat2 -e inject=openat2:error=ENOSYS)
    expect_exit 2 "${old[@]}" "$BIN" export items.jsonl old -m "$SHOP" --quiet --restart 2>err
    grep -qF '"old/.renorm/run-1/new/orders" was not written by renorm' err || fail "without openat2: $(cat err)"
    "${old[@]}" "$BIN" export items.jsonl slow -m "$SHOP" --quiet
    "$BIN" verify items.jsonl slow -m "$SHOP" --quiet
fi
find home -type f -exec md5sum {} + | sort | diff before - || fail "what a link leads to was touched"
