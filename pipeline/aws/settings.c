/* SPDX-License-Identifier: MIT */
/*
 * Precedence in one place: option, variable, profile. The instance metadata is asked for the
 * region only when nothing else names one.
 */
#include "pipeline/aws/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "pipeline/aws/config_warnings.h"
#include "pipeline/aws/creds/imds.h"

static enum rc set_text(char *out, size_t size, struct str s, const char *what, struct err *err)
{
    if (s.n >= size)
        return err_set(err, RC_USAGE, "%s: longer than %zu bytes", what, size - 1);
    (void)snprintf(out, size, "%.*s", STR_FMT(s));
    return RC_OK;
}

static struct str first(const char *a, const char *b, const char *c, struct str d)
{
    const char *text = a ? a : b ? b : c;
    return text ? str_of(text) : d;
}

static enum rc choose_profile(struct aws_settings *s, struct err *err)
{
    const char *named = s->options.profile;
    s->profile_explicit = named != NULL;
    if (!named)
        named = vars_get(s->vars, "AWS_PROFILE");
    if (!named)
        named = vars_get(s->vars, "AWS_DEFAULT_PROFILE");
    enum rc rc = set_text(s->profile, sizeof s->profile, str_of(named ? named : "default"),
                          "the profile's name", err);
    if (!rc && named && strcmp(named, "default") != 0 &&
        !aws_config_has(&s->config, AWS_PROFILE, str_of(named))) {
        (void)err_set(err, RC_USAGE, "there is no profile \"%s\"", named);
        rc = err_hint(err, "profiles stand in ~/.aws/config and ~/.aws/credentials, or in the "
                           "files that AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name");
    }
    return rc;
}

static bool is_true(struct str s)
{
    return s.n == 4 && strncasecmp(s.p, "true", 4) == 0;
}

static bool flag(const struct aws_settings *s, const char *variable, const char *key)
{
    if (vars_get(s->vars, variable))
        return vars_flag(s->vars, variable);
    return is_true(aws_settings_get(s, key));
}

static enum rc choose_region(struct aws_settings *s, struct err *err)
{
    struct str region =
        first(s->options.region, vars_get(s->vars, "AWS_REGION"),
              vars_get(s->vars, "AWS_DEFAULT_REGION"), aws_settings_get(s, "region"));
    struct buf asked;
    buf_init(&asked, sizeof s->region);
    if (!region.n && imds_region(s, &asked))
        region = buf_view(&asked);
    enum rc rc = set_text(s->region, sizeof s->region, region, "the region", err);
    buf_release(&asked);
    return rc ? rc : http_go_on(&s->http, err);
}

/*
 * HTTP_PROXY, which libcurl leaves alone because a web server sets it from a request's header;
 * REQUEST_METHOD shows that one did. The name in small letters, even empty, comes first.
 */
static const char *upper_proxy(const struct vars *vars)
{
    if (vars->get(vars->ctx, "http_proxy") || vars_get(vars, "REQUEST_METHOD"))
        return NULL;
    return vars_get(vars, "HTTP_PROXY");
}

static enum rc choose_rest(struct aws_settings *s, struct err *err)
{
    s->fips = flag(s, "AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint");
    s->dualstack = flag(s, "AWS_USE_DUALSTACK_ENDPOINT", "use_dualstack_endpoint");
    struct str bundle = first(s->options.ca_bundle, vars_get(s->vars, "AWS_CA_BUNDLE"), NULL,
                              aws_settings_get(s, "ca_bundle"));
    if (!bundle.n)
        bundle = str_of(vars_get(s->vars, "REQUESTS_CA_BUNDLE"));
    enum rc rc = set_text(s->ca_bundle, sizeof s->ca_bundle, bundle, "the CA bundle", err);
    s->http = (struct http_config){.env = s->env,
                                   .ca_bundle = s->ca_bundle,
                                   .http_proxy = upper_proxy(s->vars),
                                   .stop = s->options.stop};
    return rc ? rc : choose_region(s, err);
}

enum rc aws_settings_init(struct aws_settings *s, const struct aws_options *options,
                          const struct vars *vars, const struct env *env, struct err *err)
{
    *s = (struct aws_settings){.env = env, .vars = vars, .options = *options};
    aws_config_init(&s->config);
    s->skew = calloc(1, sizeof *s->skew);
    if (!s->skew)
        return err_nomem(err);
    clock_skew_init(s->skew, vars_flag(vars, "AWS_DISABLE_CLOCK_SKEW_CORRECTION"));
    enum rc rc = aws_config_load(&s->config, vars, err);
    if (!rc)
        rc = choose_profile(s, err);
    if (!rc && options->tell)
        rc = config_warnings_tell(s, err);
    if (!rc)
        rc = choose_rest(s, err);
    if (rc)
        aws_settings_release(s);
    return rc;
}

void aws_settings_release(struct aws_settings *s)
{
    if (s->skew)
        clock_skew_release(s->skew);
    free(s->skew);
    s->skew = NULL;
    aws_config_release(&s->config);
}

int64_t aws_settings_now(const struct aws_settings *s)
{
    return s->env->now_us(s->env->ctx) + clock_skew_get(s->skew);
}

struct str aws_settings_get(const struct aws_settings *s, const char *key)
{
    return aws_config_get(&s->config, AWS_PROFILE, str_of(s->profile), key);
}

enum rc aws_settings_need_region(const struct aws_settings *s, struct err *err)
{
    if (s->region[0])
        return RC_OK;
    (void)err_set(err, RC_USAGE, "no region is set");
    return err_hint(err, "set AWS_REGION, or \"region\" in the profile \"%s\"", s->profile);
}
