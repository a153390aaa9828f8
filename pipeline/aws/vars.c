/* SPDX-License-Identifier: MIT */
/*
 * A walk over environ instead of getenv, which is not safe beside a setenv elsewhere; this
 * program never changes its environment, so the list stands still.
 */
#include "pipeline/aws/vars.h"

#include <string.h>
#include <strings.h>

extern char **environ;

static const char *real_get(void *ctx, const char *name)
{
    (void)ctx;
    size_t n = strlen(name);
    for (char **e = environ; e && *e; e++) {
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
            return *e + n + 1;
    }
    return NULL;
}

const struct vars vars_real = {.get = real_get};

const char *vars_get(const struct vars *v, const char *name)
{
    const char *value = v->get(v->ctx, name);
    return value && value[0] ? value : NULL;
}

bool vars_flag(const struct vars *v, const char *name)
{
    const char *value = vars_get(v, name);
    return value && (strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0);
}
