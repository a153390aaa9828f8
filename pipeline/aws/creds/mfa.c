/* SPDX-License-Identifier: MIT */
/*
 * A role that asks for the code of a device. Each code is good for one session: it is asked for
 * again when the role's credentials run out (duration_seconds).
 */
#include <stdio.h>

#include "pipeline/aws/creds/creds.h"

static bool is_code(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    }
    return s.n == 6;
}

static enum rc nobody(struct str profile, struct err *err)
{
    (void)err_set(err, RC_AUTH,
                  "profile \"%.*s\": the role asks for a code (mfa_serial), "
                  "which an unattended run cannot give",
                  STR_FMT(profile));
    return err_hint(err,
                    "run: eval \"$(aws configure export-credentials --profile %.*s --format "
                    "env)\", then again without the profile",
                    STR_FMT(profile));
}

enum rc creds_mfa_ask(const struct aws_settings *s, struct str profile, struct str serial,
                      struct buf *code, struct err *err)
{
    char prompt[512];
    (void)snprintf(prompt, sizeof prompt,
                   "MFA code of %.*s: ", (int)(serial.n < 400 ? serial.n : 400), serial.p);
    enum rc rc = s->options.ask ? s->options.ask(prompt, code, err) : RC_NONE;
    if (rc == RC_NONE)
        return nobody(profile, err);
    if (!rc && !is_code(buf_view(code))) {
        rc = err_set(err, RC_AUTH, "profile \"%.*s\": a code has six digits", STR_FMT(profile));
    }
    return rc;
}
