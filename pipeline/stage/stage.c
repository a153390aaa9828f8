/* SPDX-License-Identifier: MIT */
/* The table of stages, in the order of enum stage_kind. */
#include "pipeline/stage/stage.h"

const struct stage stages[STAGE_KINDS] = {
    [STAGE_KEYS] = {"keys", stage_keys_plan},
    [STAGE_STRIP] = {"strip", stage_strip_plan},
    [STAGE_PICK] = {"pick", stage_pick_plan},
    [STAGE_DROP] = {"drop", stage_drop_plan},
    [STAGE_RENAME] = {"rename", stage_rename_plan},
    [STAGE_DEFAULT] = {"default", stage_default_plan},
    [STAGE_FLATTEN] = {"flatten", stage_flatten_plan},
    [STAGE_EXPLODE] = {"explode", stage_explode_plan},
    [STAGE_EXTRACT] = {"extract", stage_extract_plan},
    [STAGE_LINK] = {"link", stage_link_plan},
    [STAGE_DERIVE] = {"derive", stage_derive_plan},
    [STAGE_FILTER] = {"filter", stage_filter_plan},
    [STAGE_MASK] = {"mask", stage_mask_plan},
    [STAGE_DOCUMENT] = {"document", stage_document_plan},
};
