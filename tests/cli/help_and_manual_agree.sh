# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# every option of every --help stands in the manual page and the completion, with the same words
# for the same commands, and the other way round
commands=$(renorm --help | sed -n 's/^  renorm \([a-z]*\) .*/\1/p')
for c in $commands; do
    renorm "$c" --help | awk -v c="$c" '
        function flush() { if (name != "") print name "\t" text "\t" c; name = "" }
        /^  (-[a-z], |    )--/ {
            flush()
            name = substr($0, 1, 34)
            text = substr($0, 35)
            if (substr($0, 34, 1) ~ /[^ ]/) { name = $0; text = "" }
            gsub(/^ +| +$/, "", name)
            next
        }
        name != "" && substr($0, 1, 34) ~ /^ +$/ { text = text (text == "" ? "" : " ") substr($0, 35); next }
        { flush() }
        END { flush() }'
done | sort >help.txt
renorm --manual | sed 's/\\f[BIR]//g; s/\\-/-/g; s/\\&//g; s/\\e/\\/g' | awk '
    /^\.SS / { on = 1 }
    /^\.SH / { on = 0 }
    on && $0 == ".TP" { getline name; getline text; getline who
        sub(/\.$/, "", text); gsub(/[(),]/, "", who)
        n = split(who, w, " ")
        for (i = 1; i <= n; i++) print name "\t" text "\t" w[i] }' | sort >manual.txt
diff help.txt manual.txt && [ -s help.txt ] && echo "help and manual agree"
renorm --completion | sed -n 's/^ *\([a-z]*\)) words="\(.*\)" ;;/\1 \2/p' |
    while read -r c words; do for w in $words; do echo "$c $w"; done; done | sort >completion.txt
sed 's/^-., //' help.txt | awk -F '\t' '{ split($1, w, " "); print $3, w[1] }' | sort >names.txt
diff names.txt completion.txt && echo "help and completion agree"
echo "$commands" | tr '\n' ' ' && echo
