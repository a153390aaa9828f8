# SPDX-License-Identifier: MIT
# Turns each sql/NAME.sql into a constant `sql_NAME`. Whoever includes the result uses some of
# them, hence the attribute. Without indents and comments they keep within what C promises for a
# literal (4095 bytes).
FNR == 1 {
    if (open) print "    ;"
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.sql$/, "", name)
    printf "__attribute__((unused)) static const char sql_%s[] =\n", name
    open = 1
}
{
    sub(/^ +/, "")
}
!/^--/ {
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    printf "    \"%s\\n\"\n", $0
}
END { if (open) print "    ;" }
