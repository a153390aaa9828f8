/* SPDX-License-Identifier: MIT */
/*
 * A file says when offsets changed, and its last line what rule holds from then on. Whatever is
 * asked is looked for among the changes within a bit more than a day, as no offset is larger.
 */
#include "pipeline/item/time/time_zone.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/base/buf.h"
#include "pipeline/item/time/posix_rule.h"

enum { TZIF_HEAD = 44, TZIF_MAX = 1 << 20, OFFSET_MAX = 26 * 3600, NAME_BYTES = 100 };

struct time_zone {
    int64_t *at;     /* when the offset changed */
    int32_t *offset; /* to what */
    uint32_t n;
    int32_t first; /* before the first change */
    bool ruled;    /* after the last one the rule holds, else the last offset does */
    struct posix_rule rule;
};

/* ---- the file ---- */
struct tzif {
    struct str s;
    size_t at;
    uint32_t isutcnt, isstdcnt, leapcnt, timecnt, typecnt, charcnt;
    bool wide; /* times have 64 bits */
};

static uint32_t be32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

static size_t body_size(const struct tzif *t)
{
    size_t time = t->wide ? 8 : 4;
    return t->timecnt * (time + 1) + t->typecnt * (size_t)6 + t->charcnt +
           t->leapcnt * (time + 4) + t->isstdcnt + t->isutcnt;
}

/* Reads the header at t->at, and moves behind it; false if the data behind it are cut short. */
static bool read_head(struct tzif *t, bool wide)
{
    if (t->s.n - t->at < TZIF_HEAD || memcmp(t->s.p + t->at, "TZif", 4) != 0)
        return false;
    const char *p = t->s.p + t->at + 20;
    uint32_t *counts[] = {&t->isutcnt, &t->isstdcnt, &t->leapcnt,
                          &t->timecnt, &t->typecnt,  &t->charcnt};
    for (size_t i = 0; i < 6; i++) {
        *counts[i] = be32(p + 4 * i);
        if (*counts[i] > TZIF_MAX)
            return false;
    }
    t->wide = wide;
    t->at += TZIF_HEAD;
    return t->s.n - t->at >= body_size(t);
}

static int64_t time_of(const struct tzif *t, uint32_t i)
{
    if (!t->wide)
        return (int32_t)be32(t->s.p + t->at + 4 * (size_t)i);
    const char *p = t->s.p + t->at + 8 * (size_t)i;
    return (int64_t)((uint64_t)be32(p) << 32 | be32(p + 4));
}

static bool offset_of(const struct tzif *t, const char *types, uint32_t type, int32_t *out)
{
    if (type >= t->typecnt)
        return false;
    *out = (int32_t)be32(types + 6 * (size_t)type);
    return *out >= -OFFSET_MAX && *out <= OFFSET_MAX;
}

static bool read_changes(const struct tzif *t, struct time_zone *z)
{
    const char *indexes = t->s.p + t->at + t->timecnt * (size_t)(t->wide ? 8 : 4);
    const char *types = indexes + t->timecnt;
    if (t->leapcnt || !offset_of(t, types, 0, &z->first))
        return false;
    for (uint32_t i = 0; i < t->timecnt; i++) {
        z->at[i] = time_of(t, i);
        if (!offset_of(t, types, (unsigned char)indexes[i], &z->offset[i]) ||
            (i > 0 && z->at[i] <= z->at[i - 1]))
            return false;
    }
    z->n = t->timecnt;
    return true;
}

/* What stands behind the data of a file that is not of version 1: a rule between two newlines, or
   nothing. */
static bool read_rule(struct str s, struct time_zone *z)
{
    if (s.n < 2 || s.p[0] != '\n')
        return false;
    const char *end = memchr(s.p + 1, '\n', s.n - 1);
    struct str rule = end ? str_make(s.p + 1, (size_t)(end - s.p) - 1) : STR("");
    z->ruled = rule.n > 0;
    return end && (rule.n == 0 || posix_rule_parse(rule, &z->rule));
}

bool time_zone_read(struct arena *a, struct str file, const struct time_zone **out, enum rc *rc)
{
    struct tzif t = {.s = file};
    *rc = RC_OK;
    if (!read_head(&t, false))
        return false;
    bool wide = file.p[4] >= '2';
    if (wide) {
        t.at += body_size(&t);
        if (!read_head(&t, true))
            return false;
    }
    struct time_zone *z = arena_array(a, 1, sizeof *z);
    if (z) {
        z->at = arena_array(a, (size_t)t.timecnt + 1, sizeof *z->at);
        z->offset = arena_array(a, (size_t)t.timecnt + 1, sizeof *z->offset);
    }
    if (!z || !z->at || !z->offset) {
        *rc = RC_NOMEM;
        return false;
    }
    *out = z;
    return read_changes(&t, z) && (!wide || read_rule(str_from(file, t.at + body_size(&t)), z));
}

/* ---- finding it ---- */
static bool two_digits(struct str s, size_t at, int32_t max, int32_t *out)
{
    if (s.n < at + 2 || s.p[at] < '0' || s.p[at] > '9' || s.p[at + 1] < '0' ||
        s.p[at + 1] > '9')
        return false;
    *out = (s.p[at] - '0') * 10 + (s.p[at + 1] - '0');
    return *out <= max;
}

/* +02:00, -0330, +02. */
static bool fixed_offset(struct str s, int32_t *out)
{
    int32_t h = 0, m = 0;
    if (s.n < 3 || (s.p[0] != '+' && s.p[0] != '-') || !two_digits(s, 1, 23, &h))
        return false;
    size_t colon = s.n > 3 && s.p[3] == ':';
    if (s.n > 3 && (s.n != 5 + colon || !two_digits(s, 3 + colon, 59, &m)))
        return false;
    *out = (h * 60 + m) * 60 * (s.p[0] == '-' ? -1 : 1);
    return true;
}

/* Letters, digits and +-_ in parts between slashes: nothing that leads out of the folder. */
static bool good_name(struct str s)
{
    if (s.n == 0 || s.n > NAME_BYTES || s.p[0] == '/')
        return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i], low = (char)(c | 0x20);
        bool word = (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9');
        if (!word && (c == '\0' || !strchr("+-_/", c)))
            return false;
    }
    return true;
}

static enum rc read_file(struct str name, struct buf *out, struct err *err)
{
    const char *folder = getenv("TZDIR"); /* NOLINT(concurrency-mt-unsafe): no threads yet */
    struct buf path;
    char part[4096];
    buf_init(&path, 1 << 16);
    buf_puts(&path, folder && *folder ? folder : "/usr/share/zoneinfo");
    size_t dir = path.len;
    buf_addf(&path, "/%.*s", STR_FMT(name));
    FILE *f = path.rc ? NULL : fopen(buf_cstr(&path), "rbe");
    enum rc rc = path.rc ? err_nomem(err) : RC_OK;
    if (!rc && !f) {
        rc = err_set(err, RC_USAGE, "no time zone is called \"%.*s\" in %.*s", STR_FMT(name),
                     (int)dir, path.p);
    }
    for (size_t n = 1; !rc && n > 0;) {
        n = fread(part, 1, sizeof part, f);
        buf_add(out, part, n);
        if (ferror(f))
            rc = err_errno(err, RC_USAGE, errno, "cannot read %s", buf_cstr(&path));
    }
    if (f)
        (void)fclose(f);
    buf_release(&path);
    return rc ? rc : out->rc == RC_NOMEM ? err_nomem(err) : RC_OK;
}

static enum rc from_database(struct arena *a, struct str name, const struct time_zone **out,
                             struct err *err)
{
    struct buf file;
    if (!good_name(name))
        return err_set(err, RC_USAGE, "\"%.*s\" is no name of a time zone", STR_FMT(name));
    buf_init(&file, TZIF_MAX);
    enum rc rc = read_file(name, &file, err), how = RC_OK;
    if (!rc && (file.rc || !time_zone_read(a, buf_view(&file), out, &how))) {
        rc = how ? err_nomem(err)
                 : err_set(err, RC_USAGE, "the file of \"%.*s\" is no time zone's",
                           STR_FMT(name));
    }
    buf_release(&file);
    return rc;
}

enum rc time_zone_open(struct arena *a, struct str name, const struct time_zone **out,
                       struct err *err)
{
    int32_t offset = 0;
    bool fixed = str_is(name, "UTC") || str_is(name, "Z") || fixed_offset(name, &offset);
    if (!fixed)
        return from_database(a, name, out, err);
    struct time_zone *z = arena_array(a, 1, sizeof *z);
    if (!z)
        return err_nomem(err);
    z->first = offset;
    *out = z;
    return RC_OK;
}

/* ---- asking ---- */
/* How many changes there were up to and at an instant. */
static uint32_t count_changes(const struct time_zone *z, int64_t utc)
{
    uint32_t low = 0, high = z->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (z->at[middle] <= utc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int32_t offset_at(const struct time_zone *z, int64_t utc)
{
    uint32_t n = count_changes(z, utc);
    if (n == z->n && z->ruled)
        return posix_rule_offset(&z->rule, utc);
    return n ? z->offset[n - 1] : z->first;
}

/* The next change behind an instant. */
static bool next_change(const struct time_zone *z, int64_t after, int64_t *out)
{
    uint32_t n = count_changes(z, after);
    if (n < z->n) {
        *out = z->at[n];
        return true;
    }
    return z->ruled && posix_rule_next(&z->rule, after, out);
}

int64_t time_zone_local(const struct time_zone *z, int64_t utc)
{
    return utc + offset_at(z, utc);
}

enum time_zone_fit time_zone_instants(const struct time_zone *z, int64_t local,
                                      int64_t *earlier, int64_t *later)
{
    enum { WINDOW = OFFSET_MAX + 3600 };
    int64_t from = local - WINDOW, to = 0;
    int32_t offset = offset_at(z, from);
    unsigned found = 0;
    bool more = true;
    *earlier = *later = local - offset;
    while (more) {
        more = next_change(z, from, &to) && to <= local + WINDOW;
        int64_t at = local - offset;
        if (at >= from && (!more || at < to)) {
            *earlier = found ? *earlier : at;
            *later = at;
            found++;
        }
        int32_t after = more ? offset_at(z, to) : offset;
        if (!found && to + offset <= local && local < to + after && more) {
            *earlier = local - after; /* clocks skip it, unless it comes again */
            *later = local - offset;
        }
        offset = after;
        from = to;
    }
    return found == 0 ? TIME_ZONE_NEVER : found == 1 ? TIME_ZONE_ONCE : TIME_ZONE_TWICE;
}
