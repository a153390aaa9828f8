/* SPDX-License-Identifier: MIT */
/*
 * The signer against published vectors: AWS's suite and vectors made with botocore where the
 * shared data are present, one example of the S3 guide and one of botocore always.
 */
#include "pipeline/aws/sign/sigv4.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <yyjson.h>

enum { MAX_HEADERS = 32 };

static const char *shared_dir(void)
{
    const char *dir = getenv("RENORM_SHARED"); /* NOLINT(concurrency-mt-unsafe) */
    return dir ? dir : "../shared";
}

/* The whole file; false when it cannot be opened. */
static bool slurp(const char *path, struct buf *out)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    char chunk[4096];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        buf_add(out, chunk, n);
    (void)fclose(f);
    return true;
}

static struct str member(yyjson_val *o, const char *name)
{
    yyjson_val *v = yyjson_obj_get(o, name);
    return yyjson_is_str(v) ? str_make(yyjson_get_str(v), yyjson_get_len(v)) : STR("");
}

struct plan {
    struct sigv4_request request;
    struct sigv4_header headers[MAX_HEADERS];
    struct sigv4_scope scope;
    struct str key_id, secret;
    char date[TIMEFMT_AMZ_SIZE];
    char hash[SIGV4_HEX_SIZE];
};

static void add_header(struct plan *p, struct str name, struct str value)
{
    assert_true(p->request.n_headers < MAX_HEADERS);
    p->headers[p->request.n_headers++] = (struct sigv4_header){name, value};
}

static void equal_text(const char *name, const char *what, struct str got, struct str want)
{
    if (!str_eq(got, want))
        fail_msg("%s: %s\ngot:\n%.*s\nwant:\n%.*s", name, what, STR_FMT(got), STR_FMT(want));
}

/* Compares all three texts; an expected text that is empty is not compared. */
static void check(const char *name, struct plan *p, struct str canonical, struct str to_sign,
                  struct str signature)
{
    struct err err = {0};
    struct buf creq, sts;
    buf_init(&creq, BUF_NO_LIMIT);
    buf_init(&sts, BUF_NO_LIMIT);
    p->request.headers = p->headers;
    p->request.payload_hash = str_of(p->hash);
    p->scope.amz_date = p->date;
    assert_int_equal(sigv4_canonical(&p->request, &creq, NULL, &err), RC_OK);
    if (canonical.n)
        equal_text(name, "canonical request", buf_view(&creq), canonical);
    sigv4_string_to_sign(&p->scope, buf_view(&creq), &sts);
    if (to_sign.n)
        equal_text(name, "string to sign", buf_view(&sts), to_sign);
    struct sigv4_key key;
    char hex[SIGV4_HEX_SIZE];
    sigv4_derive(p->secret, &p->scope, &key);
    sigv4_signature(&key, buf_view(&sts), hex);
    equal_text(name, "signature", str_of(hex), signature);
    buf_release(&creq);
    buf_release(&sts);
}

static void set_target(struct plan *p, struct str target)
{
    size_t q = str_find(target, STR("?"), 0);
    p->request.path = str_make(target.p, q);
    p->request.query = q < target.n ? str_from(target, q + 1) : STR("");
}

/* request.txt: a request line, headers (folded ones too), a blank line, the body. */
static void read_request(struct plan *p, struct str text)
{
    size_t eol = str_find(text, STR("\n"), 0);
    struct str line = str_make(text.p, eol);
    size_t sp = str_find(line, STR(" "), 0);
    p->request.method = str_make(line.p, sp);
    set_target(p, str_make(line.p + sp + 1, line.n - sp - 1 - strlen(" HTTP/1.1")));
    size_t at = eol + 1;
    while (at < text.n && text.p[at] != '\n') {
        eol = str_find(text, STR("\n"), at);
        line = str_make(text.p + at, eol - at);
        if (line.p[0] == ' ') {
            struct sigv4_header *last = &p->headers[p->request.n_headers - 1];
            last->value.n = (size_t)(line.p + line.n - last->value.p);
        } else {
            size_t colon = str_find(line, STR(":"), 0);
            add_header(p, str_make(line.p, colon), str_from(line, colon + 1));
        }
        at = eol + 1;
    }
    struct str body = at + 1 < text.n ? str_from(text, at + 1) : STR("");
    sigv4_hash(body, p->hash);
}

static bool read_case_file(const char *dir, const char *name, const char *file, struct buf *out)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/data/sigv4-suite/v4/%s/%s", dir, name, file);
    return slurp(path, out);
}

static void run_suite_case(const char *dir, const char *name)
{
    enum { CONTEXT, REQUEST, CREQ, STS, SIGNATURE, FILES };
    static const char *const files[FILES] = {
        "context.json", "request.txt", "header-canonical-request.txt",
        "header-string-to-sign.txt", "header-signature.txt"};
    struct buf text[FILES];
    for (int i = 0; i < FILES; i++) {
        buf_init(&text[i], BUF_NO_LIMIT);
        assert_true(read_case_file(dir, name, files[i], &text[i]));
    }
    yyjson_doc *doc = yyjson_read(text[CONTEXT].p, text[CONTEXT].len, 0);
    assert_non_null(doc);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_val *cred = yyjson_obj_get(root, "credentials");
    struct plan p = {0};
    read_request(&p, buf_view(&text[REQUEST]));
    p.request.path_rule = yyjson_get_bool(yyjson_obj_get(root, "normalize")) ? SIGV4_PATH_NORMAL
                                                                             : SIGV4_PATH_AS_IS;
    p.scope.region = member(root, "region");
    p.scope.service = member(root, "service");
    p.secret = member(cred, "secret_access_key");
    int64_t us;
    assert_true(timefmt_read_iso(member(root, "timestamp"), &us));
    timefmt_amz(us, p.date);
    add_header(&p, STR("X-Amz-Date"), str_of(p.date));
    if (member(cred, "token").n && !yyjson_get_bool(yyjson_obj_get(root, "omit_session_token")))
        add_header(&p, STR("X-Amz-Security-Token"), member(cred, "token"));
    if (yyjson_get_bool(yyjson_obj_get(root, "sign_body")))
        add_header(&p, STR("x-amz-content-sha256"), str_of(p.hash));
    check(name, &p, buf_view(&text[CREQ]), buf_view(&text[STS]), buf_view(&text[SIGNATURE]));
    yyjson_doc_free(doc);
    for (int i = 0; i < FILES; i++)
        buf_release(&text[i]);
}

static void test_suite_when_shared_data_are_present(void **state)
{
    (void)state;
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/data/sigv4-suite/v4", shared_dir());
    DIR *dir = opendir(path);
    if (!dir) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    int cases = 0;
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) { /* NOLINT */
        if (e->d_name[0] == '.')
            continue;
        run_suite_case(shared_dir(), e->d_name);
        cases++;
    }
    (void)closedir(dir);
    assert_int_equal(cases, 38);
}

/* The path as it goes over the wire and the host are part of the URL. */
static void set_url(struct plan *p, struct str url)
{
    size_t start = str_find(url, STR("://"), 0) + 3;
    size_t slash = str_find(url, STR("/"), start);
    add_header(p, STR("Host"), str_make(url.p + start, slash - start));
    set_target(p, str_from(url, slash));
}

static void run_vector(yyjson_val *v)
{
    struct plan p = {0};
    struct str service = member(v, "service");
    p.request.method = member(v, "method");
    p.request.path_rule = str_is(service, "s3") ? SIGV4_PATH_S3 : SIGV4_PATH_NORMAL;
    set_url(&p, member(v, "url"));
    p.scope.region = member(v, "region");
    p.scope.service = service;
    p.secret = member(v, "secret_access_key");
    struct str stamp = member(v, "timestamp");
    assert_int_equal(stamp.n, TIMEFMT_AMZ_SIZE - 1);
    memcpy(p.date, stamp.p, stamp.n);
    sigv4_hash(member(v, "body"), p.hash);
    yyjson_obj_iter it = yyjson_obj_iter_with(yyjson_obj_get(v, "signed_request_headers"));
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it)) {
        yyjson_val *value = yyjson_obj_iter_get_val(k);
        struct str name = str_of(yyjson_get_str(k)), text = str_of(yyjson_get_str(value));
        add_header(&p, name, text);
        if (str_is(name, "X-Amz-Content-SHA256") && str_is(text, "UNSIGNED-PAYLOAD"))
            (void)snprintf(p.hash, sizeof p.hash, "UNSIGNED-PAYLOAD");
    }
    struct str auth = member(v, "authorization");
    size_t at = str_find(auth, STR("Signature="), 0);
    check(member(v, "name").p, &p, member(v, "canonical_request"), member(v, "string_to_sign"),
          str_from(auth, at + strlen("Signature=")));
}

static void test_botocore_vectors_when_shared_data_are_present(void **state)
{
    (void)state;
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/data/sigv4-suite/extra/vectors.json", shared_dir());
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    if (!slurp(path, &text)) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    yyjson_doc *doc = yyjson_read(text.p, text.len, 0);
    assert_non_null(doc);
    size_t i, n;
    yyjson_val *v;
    yyjson_arr_foreach(yyjson_doc_get_root(doc), i, n, v) run_vector(v);
    assert_int_equal(i, 11);
    yyjson_doc_free(doc);
    buf_release(&text);
}

/* The S3 guide's example of a GET with a range. */
static void test_s3_guide_example(void **state)
{
    (void)state;
    struct plan p = {
        .request = {.method = STR("GET"), .path = STR("/test.txt"), .path_rule = SIGV4_PATH_S3},
        .scope = {.region = STR("us-east-1"), .service = STR("s3")},
        .secret = STR("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        .date = "20130524T000000Z",
        .hash = SIGV4_EMPTY_HASH};
    add_header(&p, STR("Host"), STR("examplebucket.s3.amazonaws.com"));
    add_header(&p, STR("Range"), STR("bytes=0-9"));
    add_header(&p, STR("x-amz-content-sha256"), STR(SIGV4_EMPTY_HASH));
    add_header(&p, STR("x-amz-date"), str_of(p.date));
    check("s3", &p, STR(""), STR(""),
          STR("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"));
}

static void test_authorization_of_a_scan(void **state)
{
    (void)state;
    struct err err = {0};
    struct sigv4_header headers[] = {
        {STR("X-Amz-Target"), STR("DynamoDB_20120810.Scan")},
        {STR("Host"), STR("dynamodb.us-east-1.amazonaws.com")},
        {STR("User-Agent"), STR("not signed")},
        {STR("Content-Type"), STR("application/x-amz-json-1.0")},
        {STR("X-Amz-Date"), STR("20260102T030405Z")},
    };
    char hash[SIGV4_HEX_SIZE];
    sigv4_hash(STR("{\"TableName\":\"app\",\"Segment\":0,\"TotalSegments\":4}"), hash);
    struct sigv4_request r = {.method = STR("POST"),
                              .path = STR("/"),
                              .headers = headers,
                              .n_headers = 5,
                              .payload_hash = str_of(hash)};
    struct sigv4_scope scope = {"20260102T030405Z", STR("us-east-1"), STR("dynamodb")};
    struct sigv4_key key;
    sigv4_derive(STR("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"), &scope, &key);
    struct buf out;
    buf_init(&out, 4096);
    assert_int_equal(sigv4_authorize(&r, &scope, STR("AKIDEXAMPLE"), &key, &out, &err), RC_OK);
    assert_string_equal(
        buf_cstr(&out),
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260102/us-east-1/dynamodb/aws4_request, "
        "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
        "Signature=88659c78dc925587cc7f7ba1db2996bd8bb86a346e9294ccee41196b2a83fc70");
    buf_release(&out);
}

static void test_query_is_sorted_after_encoding(void **state)
{
    (void)state;
    struct err err = {0};
    struct sigv4_request r = {.method = STR("GET"),
                              .path = STR("/"),
                              .query = STR("b=2&a=%7e&a=x/y&&c&=&b=1+1&d=%zz"),
                              .payload_hash = STR("h")};
    struct buf out;
    buf_init(&out, 4096);
    assert_int_equal(sigv4_canonical(&r, &out, NULL, &err), RC_OK);
    assert_string_equal(buf_cstr(&out), "GET\n/\n=&a=x%2Fy&a=~&b=1%2B1&b=2&c=&d=%25zz\n\n\nh");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suite_when_shared_data_are_present),
        cmocka_unit_test(test_botocore_vectors_when_shared_data_are_present),
        cmocka_unit_test(test_s3_guide_example),
        cmocka_unit_test(test_authorization_of_a_scan),
        cmocka_unit_test(test_query_is_sorted_after_encoding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
