/* SPDX-License-Identifier: MIT */
#include "sinks/dynamodb/fill/apply_recipe.h"

#include "pipeline/item/decoder.h"
#include "sinks/dynamodb/writer/update.h"

enum { MAX_TEXT = 64 << 20 };

enum rc apply_recipe_init(struct apply_recipe *j, const struct fill_setup *setup,
                          struct err *err)
{
    j->setup = setup;
    arena_init(&j->scratch, 65536);
    buf_init(&j->text, MAX_TEXT);
    j->decoder = decoder_new();
    return j->decoder ? RC_OK : err_nomem(err);
}

void apply_recipe_release(struct apply_recipe *j)
{
    decoder_free(j->decoder);
    arena_release(&j->scratch);
    buf_release(&j->text);
}

enum rc apply_recipe_again(struct apply_recipe *j, const struct item *item, struct change *out)
{
    arena_clear(&j->scratch);
    return recipe_apply(j->setup->recipe, item, j->setup->now_us, &j->scratch, out);
}

enum rc apply_recipe_item(struct apply_recipe *j, struct recipe_applied *out, struct err *err)
{
    const struct fill_setup *setup = j->setup;
    arena_clear(&j->scratch);
    out->change = (struct change){.fate = FATE_FAILED, .entity = UINT32_MAX};
    out->item = (struct item){0};
    out->key = (struct str){0};
    enum rc rc = item_decode(j->decoder, out->raw, &j->scratch, &out->item, &out->change.why);
    bool decoded = !rc;
    if (decoded)
        rc = recipe_apply(setup->recipe, &out->item, setup->now_us, &j->scratch, &out->change);
    if (rc == RC_NOMEM)
        return err_nomem(err);
    if (!decoded) {
        out->item = (struct item){0};
        return RC_OK;
    }
    buf_clear(&j->text);
    rc = update_key(&j->text, &out->item, &setup->plan->key, err);
    out->key = buf_view(&j->text);
    return rc;
}
