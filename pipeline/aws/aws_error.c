/* SPDX-License-Identifier: MIT */
/*
 * The name decides before the status: DynamoDB has answered 400 where the newer reference
 * prints 403, and a proxy's 503 carries no name at all. Names are compared as a whole, in
 * the form after the last '#'.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
#include "pipeline/aws/aws_error.h"

#include <stdio.h>
#include <strings.h>
#include <yyjson.h>

#include "pipeline/aws/xml.h"
#include "pipeline/base/timefmt.h"

enum { MAX_TEXT = 65536, HOUR_MS = 3600000 };

struct row {
    const char *name;
    enum aws_class class;
    const char *hint;
};

static const char HINT_NAME[] = "check the name, the region and the account";
static const char HINT_KEYS[] = "the access key is unknown to this partition or deactivated: "
                                "check the profile and the region";
static const char HINT_POLICY[] = "the message names the action and the resource that the "
                                  "identity's policy must allow";
static const char HINT_EXPIRED[] = "renew the credentials and run again: the run goes on "
                                   "where it stopped";
static const char HINT_SIGNATURE[] = "check the secret access key, the clock of this host, and "
                                     "that no proxy changes the request";

static const char HINT_BUCKET[] = "check the bucket's name and the endpoint";
static const char HINT_ARCHIVE[] =
    "restore the object from its archive, or copy it, and run again";
static const char HINT_KMS[] = "the identity must be allowed kms:Decrypt with the key that the "
                               "object was encrypted with";

static const struct row rows[] = {
    {"AccessDenied", AWS_AUTH, HINT_POLICY},
    {"AccessDeniedException", AWS_AUTH, HINT_POLICY},
    {"AccountProblem", AWS_AUTH, NULL},
    {"AllAccessDisabled", AWS_AUTH, NULL},
    {"AuthFailure", AWS_SKEW, HINT_SIGNATURE},
    {"BadDigest", AWS_TRANSIENT, NULL},
    {"BandwidthLimitExceeded", AWS_THROTTLE, NULL},
    {"ConditionalCheckFailedException", AWS_CONDITION, NULL},
    {"EC2ThrottledException", AWS_THROTTLE, NULL},
    {"ExpiredToken", AWS_EXPIRED, HINT_EXPIRED},
    {"ExpiredTokenException", AWS_EXPIRED, HINT_EXPIRED},
    {"IDPCommunicationError", AWS_TRANSIENT, NULL},
    {"IncompleteSignature", AWS_SKEW, HINT_SIGNATURE},
    {"IncompleteSignatureException", AWS_SKEW, HINT_SIGNATURE},
    {"IndexNotFoundException", AWS_FATAL, HINT_NAME},
    {"InternalError", AWS_TRANSIENT, NULL},
    {"InternalFailure", AWS_TRANSIENT, NULL},
    {"InternalServerError", AWS_TRANSIENT, NULL},
    {"InvalidAccessKeyId", AWS_EXPIRED, HINT_KEYS},
    {"InvalidClientTokenId", AWS_EXPIRED, HINT_KEYS},
    {"InvalidIdentityToken", AWS_AUTH, NULL},
    {"InvalidObjectState", AWS_FATAL, HINT_ARCHIVE},
    {"InvalidSignatureException", AWS_SKEW, HINT_SIGNATURE},
    {"InvalidToken", AWS_EXPIRED, HINT_EXPIRED},
    {"KMS.ThrottlingException", AWS_THROTTLE, NULL},
    {"LimitExceededException", AWS_THROTTLE, NULL},
    {"MissingAuthenticationToken", AWS_SKEW, HINT_SIGNATURE},
    {"MissingAuthenticationTokenException", AWS_SKEW, HINT_SIGNATURE},
    {"NoSuchBucket", AWS_FATAL, HINT_BUCKET},
    {"NotAuthorized", AWS_AUTH, HINT_POLICY},
    {"OperationAborted", AWS_TRANSIENT, NULL},
    {"OptInRequired", AWS_AUTH, "the account has not enabled this region or service"},
    {"PriorRequestNotComplete", AWS_THROTTLE, NULL},
    {"ProvisionedThroughputExceeded", AWS_THROTTLE, NULL},
    {"ProvisionedThroughputExceededException", AWS_THROTTLE, NULL},
    {"ReplicatedWriteConflictException", AWS_TRANSIENT, NULL},
    {"RequestLimitExceeded", AWS_THROTTLE, NULL},
    {"RequestThrottled", AWS_THROTTLE, NULL},
    {"RequestThrottledException", AWS_THROTTLE, NULL},
    {"RequestTimeTooSkewed", AWS_SKEW, "set the clock of this host"},
    {"RequestTimeout", AWS_TRANSIENT, NULL},
    {"RequestTimeoutException", AWS_TRANSIENT, NULL},
    {"ResourceNotFoundException", AWS_FATAL, HINT_NAME},
    {"ServiceUnavailable", AWS_TRANSIENT, NULL},
    {"ServiceUnavailableException", AWS_TRANSIENT, NULL},
    {"SignatureDoesNotMatch", AWS_SKEW, HINT_SIGNATURE},
    {"SlowDown", AWS_THROTTLE, NULL},
    {"TableNotFoundException", AWS_FATAL, HINT_NAME},
    {"Throttling", AWS_THROTTLE, NULL},
    {"ThrottledException", AWS_THROTTLE, NULL},
    {"ThrottlingException", AWS_THROTTLE, NULL},
    {"TooManyRequestsException", AWS_THROTTLE, NULL},
    {"TransactionConflictException", AWS_TRANSIENT, NULL},
    {"TransactionInProgressException", AWS_THROTTLE, NULL},
    {"UnknownOperationException", AWS_FATAL, "this server does not know the operation"},
    {"UnrecognizedClientException", AWS_EXPIRED, HINT_KEYS},
};

static const struct row *find_row(struct str name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (str_is(name, rows[i].name))
            return &rows[i];
    }
    return NULL;
}

static enum aws_class class_of_status(long status)
{
    if (status >= 200 && status < 300)
        return AWS_OK;
    if (status == 429)
        return AWS_THROTTLE;
    if (status == 401 || status == 403)
        return AWS_AUTH;
    return status >= 500 || status == 408 ? AWS_TRANSIENT : AWS_FATAL;
}

enum aws_class aws_error_class(struct str name, long status, enum http_result result)
{
    switch (result) {
    case HTTP_DONE:
        break;
    case HTTP_NOT_SENT:
    case HTTP_TIMEOUT:
    case HTTP_BROKEN:
    case HTTP_BAD_CHECKSUM:
    case HTTP_BAD_GZIP:
    case HTTP_CANCELED:
        return AWS_TRANSIENT;
    case HTTP_TOO_BIG:
    case HTTP_TLS:
    case HTTP_BAD_URL:
        return AWS_FATAL;
    }
    const struct row *row = name.n ? find_row(name) : NULL;
    if (row)
        return row->class;
    /* an unknown name below 500 is the fault of the client */
    return class_of_status(status);
}

static void copy_text(char *out, size_t size, struct str s)
{
    size_t n = s.n < size - 1 ? s.n : size - 1;
    if (n > 0)
        memcpy(out, s.p, n);
    out[n] = '\0';
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)out[i] < ' ')
            out[i] = ' '; /* an answer must not forge lines of ours */
    }
}

/* "com.amazonaws.dynamodb.v20120810#Name:http://..." is Name. */
static struct str bare_name(struct str s)
{
    s.n = str_find(s, STR(":"), 0);
    for (size_t i = s.n; i > 0; i--) {
        if (s.p[i - 1] == '#')
            return str_from(s, i);
    }
    return s;
}

static struct str json_text(yyjson_val *o, const char *name)
{
    yyjson_val *v = yyjson_obj_get(o, name);
    return yyjson_is_str(v) ? str_make(yyjson_get_str(v), yyjson_get_len(v)) : STR("");
}

static bool has(struct str s, const char *part)
{
    return str_find(s, str_of(part), 0) < s.n;
}

/* arn:...:table/NAME/index/NAME */
static void read_index(struct str resource, struct aws_failure *f)
{
    const struct str mark = STR("/index/");
    size_t at = str_find(resource, mark, 0);
    if (at >= resource.n || f->index_name[0])
        return;
    copy_text(f->index_name, sizeof f->index_name, str_from(resource, at + mark.n));
}

static void read_reasons(yyjson_val *root, struct aws_failure *f)
{
    yyjson_val *list = yyjson_obj_get(root, "ThrottlingReasons");
    if (!list)
        list = yyjson_obj_get(root, "throttlingReasons");
    size_t n = yyjson_arr_size(list);
    size_t key_range = 0, index = 0;
    for (size_t i = 0; i < n; i++) {
        struct str reason = json_text(yyjson_arr_get(list, i), "reason");
        key_range += has(reason, "KeyRange");
        index += str_starts(reason, STR("Index"));
        if (str_starts(reason, STR("Index")))
            read_index(json_text(yyjson_arr_get(list, i), "resource"), f);
    }
    f->key_range = n > 0 && key_range == n;
    f->index = index > 0;
}

static bool read_json(struct str body, struct aws_failure *f)
{
    yyjson_doc *doc = body.n && body.p[0] == '{' ? yyjson_read(body.p, body.n, 0) : NULL;
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct str type = json_text(root, "__type");
    if (!type.n)
        type = json_text(root, "code"); /* metadata services */
    struct str message = json_text(root, "message");
    if (!message.n)
        message = json_text(root, "Message");
    copy_text(f->name, sizeof f->name, bare_name(type));
    copy_text(f->message, sizeof f->message, message);
    read_reasons(root, f);
    yyjson_doc_free(doc);
    return doc != NULL;
}

static void read_xml(struct str body, struct aws_failure *f)
{
    struct buf text;
    buf_init(&text, MAX_TEXT);
    if (xml_text(body, "Code", &text))
        copy_text(f->name, sizeof f->name, buf_view(&text));
    buf_clear(&text);
    if (xml_text(body, "Message", &text))
        copy_text(f->message, sizeof f->message, buf_view(&text));
    buf_clear(&text);
    if (!f->name[0] && xml_text(body, "UnknownOperationException", &text))
        copy_text(f->name, sizeof f->name, STR("UnknownOperationException"));
    if (!f->request_id[0] && xml_text(body, "RequestId", &text))
        copy_text(f->request_id, sizeof f->request_id, buf_view(&text));
    buf_release(&text);
}

/* Not above an hour: nobody will wait that long, but what is said is not ignored. */
static int64_t bounded(unsigned long long ms)
{
    return ms < HOUR_MS ? (int64_t)ms : HOUR_MS;
}

/* Milliseconds, seconds, or a date, which is by the clock of whoever says it. */
static void read_retry_after(const struct http_call *call, struct aws_failure *f)
{
    unsigned long long n = 0;
    int64_t at = 0, now = call->received_us;
    struct str after = http_header(call, "retry-after");
    f->retry_after_ms = -1;
    if (str_uint(http_header(call, "x-amz-retry-after"), &n)) {
        f->retry_after_ms = bounded(n);
        f->retry_after_exact = true;
    } else if (str_uint(after, &n)) {
        f->retry_after_ms = bounded(n < HOUR_MS ? n * 1000 : HOUR_MS);
    } else if (timefmt_read_http(after, &at)) {
        (void)timefmt_read_http(http_header(call, "date"), &now);
        f->retry_after_ms = at > now ? bounded((unsigned long long)(at - now) / 1000) : 0;
    }
}

/* The beginning of a page that is no AWS answer, so that the proxy can be recognised. */
static void quote_page(const struct http_call *call, struct aws_failure *f)
{
    struct str body = buf_view(&call->body);
    struct str type = http_header(call, "content-type");
    (void)snprintf(f->message, sizeof f->message, "an answer that is not of AWS (%.*s): %.*s",
                   (int)(type.n < 60 ? type.n : 60), type.n ? type.p : "",
                   (int)(body.n < 120 ? body.n : 120), body.n ? body.p : "");
    copy_text(f->message, sizeof f->message, str_of(f->message));
}

bool aws_error_none(const struct http_call *call)
{
    return call->result == HTTP_DONE && call->status >= 200 && call->status < 300;
}

static void read_answer(const struct http_call *call, struct aws_failure *f)
{
    struct str body = buf_view(&call->body);
    struct str id = http_header(call, "x-amzn-requestid");
    copy_text(f->request_id, sizeof f->request_id,
              id.n ? id : http_header(call, "x-amz-request-id"));
    if (!read_json(body, f))
        read_xml(body, f);
    struct str type = http_header(call, "x-amzn-errortype");
    if (!f->name[0] && type.n)
        copy_text(f->name, sizeof f->name, bare_name(type));
    if (!f->name[0] && !f->message[0] && body.n > 0)
        quote_page(call, f);
}

void aws_error_read(const struct http_call *call, struct aws_failure *f)
{
    *f = (struct aws_failure){.result = call->result, .retry_after_ms = -1};
    if (aws_error_none(call))
        return;
    if (call->result == HTTP_DONE) {
        f->status = call->status;
        read_retry_after(call, f);
        read_answer(call, f);
    } else {
        copy_text(f->message, sizeof f->message, str_of(call->detail));
    }
    f->class = aws_error_class(str_of(f->name), f->status, call->result);
    f->maybe_done = f->class == AWS_TRANSIENT && call->result != HTTP_NOT_SENT;
}

void aws_error_in_success(const struct http_call *call, struct aws_failure *f)
{
    *f = (struct aws_failure){
        .result = call->result, .status = call->status, .retry_after_ms = -1};
    read_answer(call, f);
    f->class = aws_error_class(str_of(f->name), 500, call->result);
    f->maybe_done = true;
}

static enum rc aws_error_rc(enum aws_class class)
{
    switch (class) {
    case AWS_OK:
        return RC_OK;
    case AWS_FATAL:
        return RC_USAGE;
    case AWS_AUTH:
    case AWS_EXPIRED:
    case AWS_SKEW:
        return RC_AUTH;
    case AWS_THROTTLE:
        return RC_THROTTLE;
    case AWS_TRANSIENT:
        return RC_TRANSIENT;
    case AWS_CONDITION:
        return RC_DATA;
    }
    return RC_USAGE;
}

static const char *hint_of(const struct aws_failure *f)
{
    const struct row *row = find_row(str_of(f->name));
    if (row && row->hint)
        return row->hint;
    if (str_starts(str_of(f->name), STR("KMS.")))
        return HINT_KMS;
    if (f->result == HTTP_TLS) {
        return "AWS_CA_BUNDLE names the certificates to trust; verification cannot be "
               "turned off";
    }
    if (f->result == HTTP_NOT_SENT && strstr(f->message, "resolve host"))
        return "there may be no such region, or no way to a name server";
    if (f->result == HTTP_BAD_URL)
        return "an endpoint looks like http://localhost:8000 or https://host/path";
    return NULL;
}

enum rc aws_error_set(const struct aws_failure *f, const char *what, struct err *err)
{
    char status[16] = "";
    enum rc rc = aws_error_rc(f->class);
    if (f->status)
        (void)snprintf(status, sizeof status, "%ld ", f->status);
    rc = err_set(err, rc, "%s: %s%s%s%s", what, status,
                 f->name[0] || !f->status ? f->name : "no error name", f->name[0] ? ": " : " ",
                 f->message[0] ? f->message : "no message");
    if (!f->name[0] && !f->status)
        rc = err_set(err, rc, "%s: %s", what, f->message[0] ? f->message : "no answer");
    if (f->request_id[0]) {
        size_t n = strlen(err->msg);
        (void)snprintf(err->msg + n, sizeof err->msg - n, " (request %s)", f->request_id);
    }
    const char *hint = hint_of(f);
    return hint ? err_hint(err, "%s", hint) : rc;
}
