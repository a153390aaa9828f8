# SPDX-License-Identifier: MIT
# Which folder may include which. Input: FILE:#include "FOLDER/NAME.h", one a line. A folder may
# always include itself and its sub-folders; one that is not listed may include nothing else.
# Between sinks only sinks/store is shared.
BEGIN {
    FS = ":"
    may["item"]      = "base"
    may["model"]     = "base item row"
    may["row"]       = "base item"
    may["profile"]   = "base item row"
    may["plan"]      = "base item model row profile"
    may["stage"]     = "base item model row plan transform"
    may["aws"]       = "base"
    may["source"]    = "base item aws"
    may["transform"] = "base item model row profile plan source"
    may["run"]       = "base item model row profile plan source transform"
    may["compare"]   = "base item row plan source run"
    may["infer"]     = "base item model row plan stage source transform run"
    pipeline = "base item model row profile plan stage aws source transform run compare infer"
    may["sinks/store"] = "base item"
    may["sinks"]       = pipeline
    may["cmd"]         = pipeline
}
# A sink is a folder: its name is not needed here.
function allowed(from, to) {
    if (index(" " may[from] " ", " " to " ")) return 1
    if (from == "cmd") return to ~ /^sinks/
    if (from !~ /^sinks\// || from == "sinks/store") return 0
    return to == "sinks/store" || index(" " pipeline " ", " " to " ")
}
# pipeline/item/decoder.h -> item, sinks/postgres/wire/copy.h -> sinks/postgres, sql.inc -> ""
# (made by the build)
function folder(path, part, n) {
    sub(/^pipeline\//, "", path)
    n = split(path, part, "/")
    if (n == 1) return ""
    return part[1] == "sinks" && n > 2 ? part[1] "/" part[2] : part[1]
}
{
    header = $0
    sub(/^[^"]*"/, "", header)
    sub(/".*/, "", header)
    from = folder($1)
    to = folder(header)
    if (to == "" || to == from || allowed(from, to)) next
    print $1 " must not include " header
    bad = 1
}
END { exit bad }
