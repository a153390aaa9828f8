/* SPDX-License-Identifier: MIT */
/*
 * A stage is one step of re-normalization. `plan` runs once and rewrites the names of a scope;
 * a stage that must look at values adds an op. No stage knows another.
 */
#ifndef STAGE_STAGE_H
#define STAGE_STAGE_H

#include "pipeline/stage/scope.h"

struct stage {
    const char *name;
    void (*plan)(struct scope *s, const struct stage_spec *spec);
};

/* By enum stage_kind. */
extern const struct stage stages[STAGE_KINDS];

void stage_keys_plan(struct scope *s, const struct stage_spec *spec);
void stage_strip_plan(struct scope *s, const struct stage_spec *spec);
void stage_pick_plan(struct scope *s, const struct stage_spec *spec);
void stage_drop_plan(struct scope *s, const struct stage_spec *spec);
void stage_rename_plan(struct scope *s, const struct stage_spec *spec);
void stage_default_plan(struct scope *s, const struct stage_spec *spec);
void stage_flatten_plan(struct scope *s, const struct stage_spec *spec);
void stage_explode_plan(struct scope *s, const struct stage_spec *spec);
void stage_extract_plan(struct scope *s, const struct stage_spec *stage);
void stage_link_plan(struct scope *s, const struct stage_spec *spec);
void stage_derive_plan(struct scope *s, const struct stage_spec *spec);
void stage_filter_plan(struct scope *s, const struct stage_spec *spec);
void stage_mask_plan(struct scope *s, const struct stage_spec *spec);
void stage_document_plan(struct scope *s, const struct stage_spec *spec);

/* The entity's own key templates: what the keys stage does, before all others. */
void keys_plan(struct scope *s, const struct keys_spec *keys);

#endif
