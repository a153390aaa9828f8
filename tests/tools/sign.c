/* SPDX-License-Identifier: MIT */
/*
 * Signs what stands on standard input, for the comparison with another implementation: one
 * JSON object per line (method, url, headers, body, region, service, date, key_id, secret,
 * token) gives one JSON object with the canonical request, the string to sign and the
 * Authorization header.
 */
#include <stdio.h>
#include <stdlib.h>
#include <yyjson.h>

#include "pipeline/aws/http/http.h"
#include "pipeline/aws/sign/sigv4.h"
#include "pipeline/base/json.h"

enum { MAX_HEADERS = 32, MAX_LINE = 1 << 20 };

static struct str member(yyjson_val *o, const char *name)
{
    yyjson_val *v = yyjson_obj_get(o, name);
    return yyjson_is_str(v) ? str_make(yyjson_get_str(v), yyjson_get_len(v)) : STR("");
}

static size_t read_headers(yyjson_val *root, struct sigv4_header *headers)
{
    size_t n = 0, i, count;
    yyjson_val *pair;
    yyjson_arr_foreach(yyjson_obj_get(root, "headers"), i, count, pair)
    {
        yyjson_val *name = yyjson_arr_get(pair, 0), *value = yyjson_arr_get(pair, 1);
        if (n < MAX_HEADERS) {
            headers[n++] =
                (struct sigv4_header){str_make(yyjson_get_str(name), yyjson_get_len(name)),
                                      str_make(yyjson_get_str(value), yyjson_get_len(value))};
        }
    }
    return n;
}

static void print_results(struct buf *canonical, struct buf *to_sign, struct buf *authorization)
{
    struct buf out;
    bool first = true;
    buf_init(&out, BUF_NO_LIMIT);
    buf_putc(&out, '{');
    json_add_name(&out, &first, "canonical");
    json_add_string(&out, buf_view(canonical));
    json_add_name(&out, &first, "to_sign");
    json_add_string(&out, buf_view(to_sign));
    json_add_name(&out, &first, "authorization");
    json_add_string(&out, buf_view(authorization));
    buf_puts(&out, "}");
    (void)puts(buf_cstr(&out));
    buf_release(&out);
}

static enum rc sign(yyjson_val *root, struct err *err)
{
    struct sigv4_header headers[MAX_HEADERS];
    struct http_url url;
    char hash[SIGV4_HEX_SIZE];
    struct str service = member(root, "service");
    if (!http_url_split(member(root, "url"), &url))
        return err_set(err, RC_USAGE, "no URL");
    sigv4_hash(member(root, "body"), hash);
    struct sigv4_request r = {.method = member(root, "method"),
                              .path = url.path,
                              .query = url.query,
                              .headers = headers,
                              .n_headers = read_headers(root, headers),
                              .payload_hash = str_of(hash)};
    r.path_rule = str_is(service, "s3") ? SIGV4_PATH_S3 : SIGV4_PATH_NORMAL;
    struct sigv4_scope scope = {member(root, "date").p, member(root, "region"), service};
    struct sigv4_key key;
    struct buf canonical, to_sign, authorization;
    buf_init(&canonical, BUF_NO_LIMIT);
    buf_init(&to_sign, BUF_NO_LIMIT);
    buf_init(&authorization, BUF_NO_LIMIT);
    sigv4_derive(member(root, "secret"), &scope, &key);
    enum rc rc = sigv4_canonical(&r, &canonical, NULL, err);
    sigv4_string_to_sign(&scope, buf_view(&canonical), &to_sign);
    if (!rc)
        rc = sigv4_authorize(&r, &scope, member(root, "key_id"), &key, &authorization, err);
    if (!rc)
        print_results(&canonical, &to_sign, &authorization);
    buf_release(&canonical);
    buf_release(&to_sign);
    buf_release(&authorization);
    return rc;
}

int main(void)
{
    struct err err = {0};
    char *line = malloc(MAX_LINE);
    while (line && fgets(line, MAX_LINE, stdin)) {
        yyjson_doc *doc = yyjson_read(line, strlen(line), 0);
        enum rc rc = doc ? sign(yyjson_doc_get_root(doc), &err)
                         : err_set(&err, RC_USAGE, "a line that is no JSON");
        yyjson_doc_free(doc);
        if (rc) {
            (void)fprintf(stderr, "sign: %s\n", err.msg);
            free(line);
            return 1;
        }
    }
    free(line);
    return 0;
}
