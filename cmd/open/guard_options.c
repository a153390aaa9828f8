/* SPDX-License-Identifier: MIT */
/* Words between commas: "empty", "shrink", "shrink:TABLE". */
#include "cmd/open/guard_options.h"

static enum rc parse_shrink(const char *text, struct guards *out, struct err *err)
{
    unsigned long long n = 0;
    struct str s = str_of(text);
    bool percent = str_ends(s, STR("%"));
    s.n -= percent ? 1 : 0;
    if (!percent || !str_uint(s, &n) || n > 100) {
        return err_set(err, RC_USAGE,
                       "--max-shrink takes a percentage such as 50%%, not \"%s\"", text);
    }
    out->max_shrink = (double)n;
    return RC_OK;
}

static enum rc parse_word(struct str word, struct guards *out, struct str *table,
                          struct err *err)
{
    static const struct str of_table = {"shrink:", 7};
    if (str_is(word, "empty")) {
        out->empty = true;
    } else if (str_is(word, "shrink")) {
        out->shrink = true;
    } else if (str_starts(word, of_table) && word.n > of_table.n) {
        *table = str_from(word, of_table.n);
        out->ntables++;
    } else {
        return err_set(err, RC_USAGE,
                       "--allow takes empty, shrink or shrink:TABLE, with commas between, not "
                       "\"%.*s\"",
                       STR_FMT(word));
    }
    return RC_OK;
}

static enum rc parse_allow(struct str list, struct arena *a, struct guards *out,
                           struct err *err)
{
    struct str *tables = arena_array(a, list.n + 1, sizeof *tables);
    enum rc rc = tables ? RC_OK : err_nomem(err);
    out->tables = tables;
    for (size_t at = 0; !rc && list.n && at <= list.n;) {
        size_t end = str_find(list, STR(","), at);
        rc = parse_word(str_make(list.p + at, end - at), out, &tables[out->ntables], err);
        at = end + 1;
    }
    return rc;
}

enum rc guard_options(const struct options *o, struct arena *a, struct guards *out,
                      struct err *err)
{
    *out = (struct guards){0};
    enum rc rc = parse_shrink(o->max_shrink, out, err);
    return rc || !o->allow ? rc : parse_allow(str_of(o->allow), a, out, err);
}
