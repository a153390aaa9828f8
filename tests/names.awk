# SPDX-License-Identifier: MIT
# Names a stranger can follow. Input: the product's C files and headers, as arguments. Checks that
# no two headers define the same enumerator or the same struct, union or enum tag, that no two
# files have the same name (a .c and its .h are one), and that what a header declares, or a .c file
# defines for others, begins with the name of a file or folder it stands in: decode_fast.c may
# define decode_ and decode_fast_, as may anything below a folder decode/. sinks/postgres is
# allowed the prefix that PostgreSQL's own tools have, pg_.
function clash(what, name) {
    if ((what, name) in seen && seen[what, name] != FILENAME) {
        print FILENAME ": " what " " name " is also in " seen[what, name]
        bad = 1
    }
    seen[what, name] = FILENAME
}
function begins(name, prefix) { return name == prefix || index(name, prefix "_") == 1 }
function prefixed(name, n, i, part, word, words, so_far) {
    n = split(FILENAME, part, "/")
    for (i = 1; i < n; i++) {
        if (begins(name, part[i]) || (part[i] == "postgres" && begins(name, "pg"))) return 1
    }
    sub(/\.[ch]$/, "", part[n])
    words = split(part[n], word, "_")
    so_far = word[1]
    for (i = 1; i <= words; i++) {
        if (begins(name, so_far)) return 1
        so_far = so_far "_" word[i + 1]
    }
    return 0
}
FNR == 1 {
    stem = FILENAME
    sub(/\.[ch]$/, "", stem)
    base = stem
    sub(/.*\//, "", base)
    if (base in place && place[base] != stem) {
        print FILENAME ": another file of this name is " place[base]
        bad = 1
    }
    place[base] = stem
    in_enum = 0
}
# a function that is defined for others: its name begins the line's parameter list
FILENAME ~ /\.c$/ && /^[a-z].*\(/ && !/^(static|typedef|extern|struct [a-z_0-9]+ \{)/ && !/;$/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    if (name != "main" && !prefixed(name)) {
        print FILENAME ": " name " does not begin with the name of its file or folder"
        bad = 1
    }
}
FILENAME !~ /\.h$/ { next }
match($0, /^(struct|union|enum) [a-z_0-9]+ \{/) {
    tag = substr($0, RSTART, RLENGTH - 2)
    clash("", tag)
}
/^enum( [a-z_0-9]+)? \{/ { in_enum = 1 }
in_enum {
    line = $0
    gsub(/\/\*[^*]*\*\//, "", line)
    sub(/^enum( [a-z_0-9]+)? \{/, "", line)
    ends = index(line, "}")
    if (ends) line = substr(line, 1, ends - 1)
    n = split(line, names, ",")
    for (i = 1; i <= n; i++) {
        name = names[i]
        sub(/^[ \t]+/, "", name)
        if (match(name, /^[A-Z][A-Z0-9_]+/)) clash("enumerator", substr(name, RSTART, RLENGTH))
    }
    if (ends) in_enum = 0
}
END { exit bad }
