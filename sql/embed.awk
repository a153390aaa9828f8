# SPDX-License-Identifier: MIT
# Turns each sql/NAME.sql into a constant `sql_NAME`. Whoever includes the result uses some of
# them, hence the attribute.
FNR == 1 {
    if (open) print "    ;"
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.sql$/, "", name)
    printf "__attribute__((unused)) static const char sql_%s[] =\n", name
    open = 1
}
{
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    printf "    \"%s\\n\"\n", $0
}
END { if (open) print "    ;" }
