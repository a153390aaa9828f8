/* SPDX-License-Identifier: MIT */
/* A key is known by the first bytes of the hash it makes of a fixed text. */
#include "cmd/open/row_options.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

static enum rc add_mask_key(struct buf *out, struct str key, struct err *err)
{
    static const unsigned char TEXT[] = "renorm mask key";
    unsigned char mac[EVP_MAX_MD_SIZE];
    unsigned int n = 0;
    if (!HMAC(EVP_sha256(), key.p, (int)key.n, TEXT, sizeof TEXT - 1, mac, &n))
        return err_set(err, RC_NOMEM, "out of memory");
    buf_puts(out, ", mask key ");
    for (unsigned i = 0; i < 4; i++)
        buf_addf(out, "%02x", mac[i]);
    return RC_OK;
}

/* The entities that make rows, in the model's order, where some do not. */
static void add_only(struct buf *out, const struct plan *plan)
{
    const char *before = ", only ";
    const struct schema *s = &plan->schema;
    for (uint32_t i = 0; plan->note_left_out != NOTE_NONE && i < s->nentities; i++) {
        if (schema_left_out(s, i))
            continue;
        buf_puts(out, before);
        buf_add_str(out, s->entities[i]);
        before = ",";
    }
}

enum rc row_options(const struct job *job, struct buf *out, struct err *err)
{
    enum rc rc = RC_OK;
    buf_puts(out, "ttl ");
    buf_add_str(out, job->plan->ttl.n ? job->plan->ttl : STR("off"));
    add_only(out, job->plan);
    if (job->mask_key.len)
        rc = add_mask_key(out, buf_view(&job->mask_key), err);
    return !rc ? buf_check(out, err) : rc;
}

enum rc row_options_same(const struct job *job, struct str made, struct err *err)
{
    struct buf mine;
    buf_init(&mine, 1 << 16);
    enum rc rc = row_options(job, &mine, err);
    size_t n = mine.len;
    /* A sink may have written other options behind these, which change no rows. */
    bool same = made.n == 0 || (made.n >= n && str_eq(str_make(made.p, n), buf_view(&mine)) &&
                                (made.n == n || made.p[n] == ' '));
    if (!rc && !same) {
        (void)err_set(err, RC_USAGE,
                      "the sink was made with other options: \"%.*s\", these are \"%s\"",
                      STR_FMT(made), buf_cstr(&mine));
        rc = err_hint(err, "verify with the options of the export");
    }
    buf_release(&mine);
    return rc;
}
