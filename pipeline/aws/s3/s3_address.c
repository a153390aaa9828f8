/* SPDX-License-Identifier: MIT */
/* https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
#include "pipeline/aws/s3/s3_address.h"

static const struct str SCHEME = {"s3://", 5};
enum { BUCKET_MIN = 3, BUCKET_MAX = 255, KEY_MAX = 1024 };

static int digit_of(char c)
{
    static const char DIGITS[] = "0123456789abcdef";
    const char *at = c ? strchr(DIGITS, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - DIGITS) : -1;
}

/* Undoes %XX: of all characters, or of those alone that have a meaning in an address. */
static struct str unescape(struct arena *a, struct str s, bool all)
{
    char *to = arena_alloc(a, s.n + 1);
    struct str out = {to, 0};
    for (size_t i = 0; to && i < s.n; i++) {
        int high = s.p[i] == '%' && i + 2 < s.n ? digit_of(s.p[i + 1]) : -1;
        int low = high >= 0 ? digit_of(s.p[i + 2]) : -1;
        char c = low >= 0 ? (char)(high * 16 + low) : s.p[i];
        bool undo = low >= 0 && (all || c == '?' || c == '%');
        to[out.n++] = undo ? c : s.p[i];
        i += undo ? 2 : 0;
    }
    if (to)
        to[out.n] = '\0';
    return out;
}

static enum rc set_style(struct s3_address *out, struct str value, struct err *err)
{
    if (!str_is(value, "path") && !str_is(value, "virtual")) {
        return err_set(err, RC_USAGE, "style is path or virtual, not \"%.*s\"", STR_FMT(value));
    }
    out->style = str_is(value, "path") ? S3_STYLE_PATH : S3_STYLE_VIRTUAL;
    return RC_OK;
}

static enum rc set_member(struct s3_address *out, struct str name, struct str value,
                          struct err *err)
{
    if (str_is(name, "region")) {
        out->region = value.p;
    } else if (str_is(name, "endpoint")) {
        out->endpoint = value.p;
    } else if (str_is(name, "profile")) {
        out->profile = value.p;
    } else if (str_is(name, "style")) {
        return set_style(out, value, err);
    } else {
        (void)err_set(err, RC_USAGE, "an address in S3 has no \"%.*s\"", STR_FMT(name));
        return err_hint(err,
                        "s3://BUCKET/KEY?region=NAME&endpoint=URL&profile=NAME&style=path; "
                        "a question mark of the key is written %%3F");
    }
    return RC_OK;
}

static enum rc read_members(struct str rest, struct arena *a, struct s3_address *out,
                            struct err *err)
{
    enum rc rc = RC_OK;
    while (!rc && rest.n) {
        size_t end = str_find(rest, STR("&"), 0);
        struct str one = str_make(rest.p, end);
        size_t equals = str_find(one, STR("="), 0);
        struct str value =
            unescape(a, str_from(one, equals < one.n ? equals + 1 : one.n), true);
        rc = value.p ? set_member(out, str_make(one.p, equals), value, err) : err_nomem(err);
        rest = str_from(rest, end < rest.n ? end + 1 : rest.n);
    }
    return rc;
}

static bool bucket_letters(struct str name)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '.' && c != '-' && c != '_')
            return false;
    }
    return name.n > 0 && name.p[0] != '.' && name.p[0] != '-';
}

enum rc s3_address_bucket(struct str name, struct err *err)
{
    if (str_ends(name, STR("--x-s3"))) {
        (void)err_set(err, RC_USAGE,
                      "\"%.*s\" is a directory bucket, which cannot be read here",
                      STR_FMT(name));
        return err_hint(err, "copy what it holds into a general purpose bucket");
    }
    if (name.n >= BUCKET_MIN && name.n <= BUCKET_MAX && bucket_letters(name))
        return RC_OK;
    (void)err_set(err, RC_USAGE, "\"%.*s\" is no bucket's name",
                  (int)(name.n < BUCKET_MAX ? name.n : BUCKET_MAX), name.n ? name.p : "");
    return err_hint(err, "s3://BUCKET/KEY, with a name of 3 to 63 small letters, digits, dots "
                         "and hyphens");
}

enum rc s3_address_read(const char *word, struct arena *a, struct s3_address *out,
                        struct err *err)
{
    struct str all = str_of(word);
    *out = (struct s3_address){0};
    if (!str_starts(all, SCHEME)) {
        (void)err_set(err, RC_USAGE, "\"%s\" is no address in S3", word);
        return err_hint(err, "s3://BUCKET/KEY");
    }
    all = str_from(all, SCHEME.n);
    size_t mark = str_find(all, STR("?"), 0);
    struct str place = str_make(all.p, mark);
    size_t slash = str_find(place, STR("/"), 0);
    out->bucket = arena_dup(a, str_make(place.p, slash));
    out->key = unescape(a, str_from(place, slash < place.n ? slash + 1 : place.n), false);
    if (!out->bucket.p || !out->key.p)
        return err_nomem(err);
    enum rc rc = s3_address_bucket(out->bucket, err);
    if (!rc && out->key.n > KEY_MAX)
        rc = err_set(err, RC_USAGE, "a key has at most %d bytes, not %zu", KEY_MAX, out->key.n);
    return rc ? rc : read_members(str_from(all, mark < all.n ? mark + 1 : all.n), a, out, err);
}
