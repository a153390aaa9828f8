# SPDX-License-Identifier: MIT
# Prints for each C file given, one a line, the file and all of ours that it includes, directly or
# not. Input: names of files, one a line; -v dirs="DIR ..." is where includes are looked for besides
# the includer's own folder. What is found nowhere belongs to the system.
function found(dir, name, line, got) {
    if (!((dir, name) in known)) {
        got = (getline line <(dir name)) >= 0
        close(dir name)
        known[dir, name] = got
    }
    return known[dir, name]
}
function place(from, name, i) {
    sub(/[^\/]*$/, "", from)
    if (found(from, name)) return from name
    for (i = 1; i <= ndirs; i++) {
        if (found(dir[i], name)) return dir[i] name
    }
    return ""
}
# direct[f] is a list of what f includes
function read(f, line, to) {
    direct[f] = ""
    while ((getline line <f) > 0) {
        if (line !~ /^[ \t]*#[ \t]*include[ \t]*"/) continue
        sub(/^[^"]*"/, "", line)
        sub(/".*/, "", line)
        to = place(f, line)
        if (to != "") direct[f] = direct[f] " " to
    }
    close(f)
}
function visit(f, n, i, part) {
    if (f in seen) return
    seen[f] = 1
    all = all " " f
    if (!(f in direct)) read(f)
    n = split(direct[f], part, " ")
    for (i = 1; i <= n; i++) visit(part[i])
}
BEGIN {
    ndirs = split(dirs, dir, " ")
    for (i = 1; i <= ndirs; i++) {
        sub(/\/?$/, "/", dir[i])
        if (dir[i] == "./") dir[i] = ""
    }
}
{
    delete seen
    all = ""
    visit($0)
    print substr(all, 2)
}
