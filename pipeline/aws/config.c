/* SPDX-License-Identifier: MIT */
/*
 * A line parser: sections, `key = value` or `key: value`, comments as whole lines or after a
 * blank, indented lines below `key =` as one level of nesting. Settings are views into the
 * texts; look-ups walk the list, which has a few dozen entries.
 */
#include "pipeline/aws/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "pipeline/base/memory.h"

enum { MAX_FILE = 4 << 20, MAX_PATH = 8192 };

void aws_config_init(struct aws_config *c)
{
    *c = (struct aws_config){0};
    buf_init(&c->config_text, MAX_FILE);
    buf_init(&c->credentials_text, MAX_FILE);
    buf_init(&c->config_path, MAX_PATH);
    buf_init(&c->credentials_path, MAX_PATH);
}

void aws_config_release(struct aws_config *c)
{
    buf_wipe(&c->config_text);
    buf_wipe(&c->credentials_text);
    buf_release(&c->config_path);
    buf_release(&c->credentials_path);
    free(c->settings);
    aws_config_init(c);
}

static struct str trim(struct str s)
{
    while (s.n > 0 && strchr(" \t\r", s.p[0]))
        s = str_from(s, 1);
    while (s.n > 0 && strchr(" \t\r", s.p[s.n - 1]))
        s.n--;
    return s;
}

/* Cuts a comment that follows a blank. */
static struct str cut_comment(struct str s)
{
    for (size_t i = 1; i < s.n; i++) {
        if ((s.p[i] == '#' || s.p[i] == ';') && (s.p[i - 1] == ' ' || s.p[i - 1] == '\t'))
            return str_make(s.p, i);
    }
    return s;
}

/* Where the parser stands. */
struct reader {
    struct aws_config *config;
    bool credentials;
    const char *path;
    int line, section_line;
    enum aws_section kind;
    struct str section;
    struct str parent; /* the key with an empty value just above */
    bool in_section;
};

static enum rc bad_line(const struct reader *r, const char *what, struct err *err)
{
    return err_set(err, RC_USAGE, "\"%s\" line %d: %s", r->path, r->line, what);
}

static struct str unquote(struct str s)
{
    s = trim(s);
    if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0])
        return str_make(s.p + 1, s.n - 2);
    return s;
}

static bool take_word(struct str *s, const char *word)
{
    size_t n = strlen(word);
    if (s->n <= n || memcmp(s->p, word, n) != 0 || !strchr(" \t", s->p[n]))
        return false;
    *s = unquote(str_from(*s, n));
    return true;
}

static enum rc add(struct reader *r, struct str parent, struct str key, struct str value,
                   struct err *err)
{
    struct aws_config *c = r->config;
    struct aws_setting *v = memory_push(c->settings, c->n, &c->cap, 64, sizeof *v);
    if (!v)
        return err_nomem(err);
    c->settings = v;
    c->settings[c->n++] = (struct aws_setting){.kind = r->kind,
                                               .from_credentials = r->credentials,
                                               .section = r->section,
                                               .parent = parent,
                                               .key = key,
                                               .value = value,
                                               .line = r->line,
                                               .section_line = r->section_line};
    return RC_OK;
}

static enum rc read_section(struct reader *r, struct str line, struct err *err)
{
    size_t close = str_find(line, STR("]"), 0);
    if (close == line.n)
        return bad_line(r, "a section without \"]\"", err);
    struct str name = trim(str_make(line.p + 1, close - 1));
    r->in_section = true;
    r->section_line = r->line;
    r->parent = STR("");
    r->kind = AWS_PROFILE;
    if (r->credentials) {
        r->section = unquote(name);
    } else if (take_word(&name, "sso-session")) {
        r->kind = AWS_SSO_SESSION;
    } else if (take_word(&name, "services")) {
        r->kind = AWS_SERVICES;
    } else if (!take_word(&name, "profile") && !str_is(name, "default")) {
        r->kind = AWS_OTHER_SECTION;
    }
    if (!r->credentials)
        r->section = name;
    /* a section without settings exists all the same */
    return add(r, STR(""), STR(""), STR(""), err);
}

static enum rc read_setting(struct reader *r, struct str line, bool indented, struct err *err)
{
    size_t at = 0;
    while (at < line.n && line.p[at] != '=' && line.p[at] != ':')
        at++;
    if (indented && !r->parent.n)
        return RC_OK; /* goes on with the value above: of no use here */
    if (at == line.n || at == 0)
        return bad_line(r, "neither a section nor \"key = value\"", err);
    struct str key = trim(str_make(line.p, at));
    struct str value = trim(cut_comment(str_from(line, at + 1)));
    if (!indented)
        r->parent = value.n ? STR("") : key;
    return add(r, indented ? r->parent : STR(""), key, value, err);
}

static enum rc read_line(struct reader *r, struct str raw, struct err *err)
{
    struct str line = trim(raw);
    if (line.n == 0 || line.p[0] == '#' || line.p[0] == ';')
        return RC_OK;
    bool indented = raw.p[0] == ' ' || raw.p[0] == '\t';
    if (line.p[0] == '[' && !indented)
        return read_section(r, line, err);
    if (!r->in_section)
        return bad_line(r, "a setting before the first section", err);
    return read_setting(r, line, indented, err);
}

enum rc aws_config_parse(struct aws_config *c, struct str text, bool credentials,
                         const char *path, struct err *err)
{
    struct reader r = {.config = c, .credentials = credentials, .path = path};
    enum rc rc = RC_OK;
    for (size_t at = 0; at < text.n && !rc;) {
        size_t end = str_find(text, STR("\n"), at);
        r.line++;
        rc = read_line(&r, str_make(text.p + at, end - at), err);
        at = end + 1;
    }
    return rc;
}

static enum rc read_file(const char *path, struct buf *out, struct err *err)
{
    FILE *f = fopen(path, "rbe");
    if (!f) {
        if (errno == ENOENT || errno == ENOTDIR)
            return RC_OK;
        return err_errno(err, RC_USAGE, errno, "cannot read \"%s\"", path);
    }
    size_t n;
    do {
        if (!buf_room(out, 4096))
            break;
        n = fread(out->p + out->len, 1, 4096, f);
        out->len += n;
    } while (n > 0);
    bool bad = ferror(f) != 0;
    (void)fclose(f);
    if (bad)
        return err_set(err, RC_USAGE, "cannot read \"%s\"", path);
    return buf_check(out, err);
}

/* "~/x" and "$NAME/x". */
static void expand(const struct vars *vars, const char *path, struct buf *out)
{
    const char *home = vars_get(vars, "HOME");
    if (path[0] == '~' && (path[1] == '/' || !path[1]) && home) {
        buf_puts(out, home);
        path++;
    }
    while (*path) {
        size_t n =
            path[0] == '$' ? strspn(path + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") : 0;
        char name[128];
        if (n > 0 && n < sizeof name) {
            memcpy(name, path + 1, n);
            name[n] = '\0';
            const char *value = vars_get(vars, name);
            buf_puts(out, value ? value : "");
            path += n + 1;
        } else {
            buf_putc(out, *path++);
        }
    }
}

static enum rc load_one(struct aws_config *c, const struct vars *vars, bool credentials,
                        struct err *err)
{
    const char *path =
        vars_get(vars, credentials ? "AWS_SHARED_CREDENTIALS_FILE" : "AWS_CONFIG_FILE");
    struct buf *text = credentials ? &c->credentials_text : &c->config_text;
    struct buf *name = credentials ? &c->credentials_path : &c->config_path;
    expand(vars, path ? path : credentials ? "~/.aws/credentials" : "~/.aws/config", name);
    enum rc rc = buf_check(name, err);
    if (!rc && buf_cstr(name)[0] != '~') /* no home: no file */
        rc = read_file(buf_cstr(name), text, err);
    return rc ? rc : aws_config_parse(c, buf_view(text), credentials, buf_cstr(name), err);
}

enum rc aws_config_load(struct aws_config *c, const struct vars *vars, struct err *err)
{
    enum rc rc = load_one(c, vars, false, err);
    return rc ? rc : load_one(c, vars, true, err);
}

bool aws_config_has(const struct aws_config *c, enum aws_section kind, struct str name)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->settings[i].kind == kind && str_eq(c->settings[i].section, name))
            return true;
    }
    return false;
}

static bool same_key(struct str key, const char *want)
{
    return key.n == strlen(want) && strncasecmp(key.p, want, key.n) == 0;
}

struct query {
    enum aws_section kind;
    struct str name;
    const char *parent, *key;
    bool config, credentials; /* where to look */
};

static struct str find(const struct aws_config *c, const struct query *q)
{
    const struct aws_setting *best = NULL;
    for (size_t i = 0; i < c->n; i++) {
        const struct aws_setting *s = &c->settings[i];
        if (s->kind != q->kind || !str_eq(s->section, q->name) || !same_key(s->key, q->key) ||
            !same_key(s->parent, q->parent) ||
            !(s->from_credentials ? q->credentials : q->config))
            continue;
        if (!best || s->from_credentials || !best->from_credentials)
            best = s;
    }
    return best ? best->value : STR("");
}

struct str aws_config_get(const struct aws_config *c, enum aws_section kind, struct str name,
                          const char *key)
{
    return find(c, &(struct query){kind, name, "", key, true, true});
}

struct str aws_config_nested(const struct aws_config *c, enum aws_section kind, struct str name,
                             const char *parent, const char *key)
{
    return find(c, &(struct query){kind, name, parent, key, true, true});
}

struct str aws_config_get_from(const struct aws_config *c, bool credentials, struct str profile,
                               const char *key)
{
    return find(c, &(struct query){AWS_PROFILE, profile, "", key, !credentials, credentials});
}
