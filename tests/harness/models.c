/* SPDX-License-Identifier: MIT */
#include "tests/harness/models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/stage/stage.h"

void models_make(struct models *m, struct str text)
{
    struct err err = {0};
    struct buf wrong;
    *m = (struct models){0};
    problems_init(&m->problems);
    enum rc rc = model_read(text, stage_table, &m->model, &m->problems, &err);
    if (!rc)
        rc = plan_new(m->model, &(struct plan_options){0}, &m->plan, &m->problems, &err);
    if (rc) {
        buf_init(&wrong, 65536);
        problems_print(&m->problems, "model", &wrong);
        fail_msg("%s\n%s", err.msg, buf_cstr(&wrong));
    }
}

void models_release(struct models *m)
{
    plan_free(m->plan);
    model_free(m->model);
    problems_release(&m->problems);
}
