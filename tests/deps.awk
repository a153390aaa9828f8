# SPDX-License-Identifier: MIT
# Which folder may include which. Input: FILE:#include "FOLDER/NAME.h", one a line. A folder may
# always include itself and its sub-folders; one that is not listed may include nothing else.
BEGIN {
    FS = ":"
    may["item"]   = "base"
    may["model"]  = "base item"
    may["stage"]  = "base item model"
    may["plan"]   = "base item model stage"
    may["aws"]    = "base"
    may["source"] = "base item aws"
    may["run"]    = "base item model stage plan source aws"
    may["sinks"]  = "base item model stage plan source run aws"
    may["cmd"]    = "base item model stage plan source run aws sinks"
}
# pipeline/item/decode.h -> item, sinks/pg_copy.h -> sinks, sql.inc -> "" (made by the build)
function folder(path) {
    sub(/^pipeline\//, "", path)
    return sub(/\/.*/, "", path) ? path : ""
}
{
    header = $0
    sub(/^[^"]*"/, "", header)
    sub(/".*/, "", header)
    from = folder($1)
    to = folder(header)
    if (to == "" || to == from || index(" " may[from] " ", " " to " ")) next
    print $1 " must not include " header
    bad = 1
}
END { exit bad }
