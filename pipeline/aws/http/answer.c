/* SPDX-License-Identifier: MIT */
/*
 * Receiving. The checksum covers the bytes as transferred, so libcurl is not told to decode:
 * they are summed while they are hot and inflated at the end. An answer that claims to be
 * gzip but lacks its magic is taken as it is: DynamoDB sends large errors that way.
 */
#include "pipeline/aws/http/http_private.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdio.h>
#include <strings.h>

#include "pipeline/base/vector.h"

enum { INFLATE_STEP = 256 * 1024, MAX_HEAD = 256 * 1024 };

static void touch(struct http_private *own, enum http_phase phase)
{
    own->phase = phase;
    own->touched_us = own->env->mono_us(own->env->ctx);
}

static void reserve(struct http_call *call)
{
    curl_off_t length = -1;
    (void)curl_easy_getinfo(call->own->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (length > 0 && (uint64_t)length <= call->body.max)
        (void)buf_room(&call->body, (size_t)length);
}

static bool is_success(const struct http_call *call)
{
    long status = 0;
    (void)curl_easy_getinfo(call->own->easy, CURLINFO_RESPONSE_CODE, &status);
    return status >= 200 && status < 300;
}

/* A refusal is one for good: a paused transfer is not what the caller wanted. */
static size_t hand_on(struct http_call *call, const char *p, size_t bytes)
{
    call->own->streamed = true;
    bool taken = call->receive(call, p, bytes, call->ctx);
    if (call->own->refused)
        return 0;
    if (!taken)
        touch(call->own, PHASE_PAUSED);
    return taken ? bytes : CURL_WRITEFUNC_PAUSE;
}

size_t http_answer_body(char *p, size_t size, size_t n, void *ctx)
{
    struct http_call *call = ctx;
    size_t bytes = size * n;
    touch(call->own, PHASE_READ);
    if (call->receive && is_success(call))
        return hand_on(call, p, bytes);
    if (call->body.len == 0)
        reserve(call);
    call->own->crc = crc32_gzip_refl(call->own->crc, (unsigned char *)p, bytes);
    vector_done();
    buf_add(&call->body, p, bytes);
    return call->body.rc ? 0 : bytes;
}

size_t http_answer_header(char *p, size_t size, size_t n, void *ctx)
{
    struct http_call *call = ctx;
    size_t bytes = size * n;
    touch(call->own, PHASE_READ);
    if (str_starts(str_make(p, bytes), STR("HTTP/")))
        buf_clear(&call->head); /* what came before was a 100-continue */
    buf_add(&call->head, p, bytes);
    return call->head.rc ? 0 : bytes;
}

size_t http_answer_send(char *p, size_t size, size_t n, void *ctx)
{
    struct http_call *call = ctx;
    size_t left = call->send.n - call->own->sent;
    size_t bytes = size * n < left ? size * n : left;
    if (bytes > 0)
        memcpy(p, call->send.p + call->own->sent, bytes);
    call->own->sent += bytes;
    return bytes;
}

/*
 * A request that may have reached the server is never sent a second time behind the caller's
 * back. Before its first byte there is nothing to go back from: libcurl 8 asks for that when the
 * handle's last call was refused here.
 */
int http_answer_seek(void *ctx, curl_off_t offset, int origin)
{
    const struct http_call *call = ctx;
    bool at_start = offset == 0 && origin == SEEK_SET && call->own->sent == 0;
    return at_start ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

/* libcurl's type has no const. NOLINTNEXTLINE(readability-non-const-parameter) */
int http_answer_connected(void *ctx, char *ip, char *local_ip, int port, int local_port)
{
    (void)ip, (void)local_ip, (void)port, (void)local_port;
    struct http_call *call = ctx;
    touch(call->own, PHASE_WAIT);
    return CURL_PREREQFUNC_OK;
}

void http_answer_clear(struct http_call *call, size_t max_body)
{
    call->body.max = max_body;
    call->head.max = MAX_HEAD;
    call->own->wire.max = max_body;
    buf_clear(&call->body);
    buf_clear(&call->head);
    call->own->sent = 0;
    call->own->crc = 0;
    call->own->error[0] = '\0';
    call->own->streamed = call->own->refused = false;
    call->status = 0;
    call->detail[0] = '\0';
    touch(call->own, PHASE_CONNECT);
}

struct str http_header(const struct http_call *call, const char *name)
{
    struct str head = buf_view(&call->head);
    size_t n = strlen(name);
    for (size_t at = 0; at < head.n;) {
        size_t end = str_find(head, STR("\n"), at);
        struct str line = str_make(head.p + at, end - at);
        at = end + 1;
        if (line.n <= n || line.p[n] != ':' || strncasecmp(line.p, name, n) != 0)
            continue;
        line = str_from(line, n + 1);
        while (line.n > 0 && (line.p[0] == ' ' || line.p[0] == '\t'))
            line = str_from(line, 1);
        while (line.n > 0 && strchr(" \t\r", line.p[line.n - 1]))
            line.n--;
        return line;
    }
    return STR("");
}

static bool inflate_all(struct buf *from, struct buf *to)
{
    struct inflate_state state;
    isal_inflate_init(&state);
    state.crc_flag = ISAL_GZIP;
    state.next_in = (unsigned char *)from->p;
    state.avail_in = (uint32_t)from->len;
    do {
        size_t room = to->max - to->len < INFLATE_STEP ? to->max - to->len : INFLATE_STEP;
        if (room == 0)
            to->rc = RC_NOMEM;
        if (!buf_room(to, room))
            return false;
        state.next_out = (unsigned char *)to->p + to->len;
        state.avail_out = (uint32_t)room;
        int result = isal_inflate(&state);
        vector_done();
        if (result != ISAL_DECOMP_OK)
            return false;
        size_t made = room - state.avail_out;
        to->len += made;
        if (made == 0 && state.avail_in == 0 && state.block_state != ISAL_BLOCK_FINISH)
            return false; /* cut short */
    } while (state.block_state != ISAL_BLOCK_FINISH);
    return true;
}

static bool is_gzip(const struct http_call *call)
{
    struct str coding = http_header(call, "content-encoding");
    return coding.n == 4 && strncasecmp(coding.p, "gzip", 4) == 0 && call->body.len > 2 &&
           memcmp(call->body.p, "\x1f\x8b", 2) == 0;
}

static enum http_result unpack(struct http_call *call)
{
    unsigned long long want = 0;
    struct str crc = http_header(call, "x-amz-crc32");
    if (crc.n && !call->own->streamed && (!str_uint(crc, &want) || want != call->own->crc)) {
        (void)snprintf(call->detail, sizeof call->detail,
                       "x-amz-crc32 is %.*s, the %zu bytes received sum to %u",
                       (int)(crc.n < 20 ? crc.n : 20), crc.p, call->body.len, call->own->crc);
        return HTTP_BAD_CHECKSUM;
    }
    if (!is_gzip(call) || call->receive)
        return HTTP_DONE;
    struct buf swap = call->own->wire;
    call->own->wire = call->body;
    call->body = swap;
    buf_clear(&call->body);
    call->body.max = call->own->wire.max;
    if (inflate_all(&call->own->wire, &call->body))
        return HTTP_DONE;
    bool big = call->body.rc;
    (void)snprintf(call->detail, sizeof call->detail, "%s",
                   big ? "the inflated answer is beyond its limit" : "broken gzip data");
    return big ? HTTP_TOO_BIG : HTTP_BAD_GZIP;
}

/* A handshake can be cut by a restart (it heals) or meet a server that does not speak TLS
 * (it does not); libcurl has one code for both, OpenSSL's words tell them apart. */
static enum http_result handshake(const struct http_call *call)
{
    return strstr(call->detail, "wrong version number") ? HTTP_TLS : HTTP_NOT_SENT;
}

static enum http_result failed(const struct http_call *call, CURLcode code)
{
    if (code == CURLE_WRITE_ERROR && (call->body.rc || call->head.rc))
        return HTTP_TOO_BIG;
    if (code == CURLE_SSL_CONNECT_ERROR)
        return handshake(call);
    static const struct {
        CURLcode code;
        enum http_result result;
    } table[] = {
        {CURLE_URL_MALFORMAT, HTTP_BAD_URL},
        {CURLE_UNSUPPORTED_PROTOCOL, HTTP_BAD_URL},
        {CURLE_COULDNT_RESOLVE_HOST, HTTP_NOT_SENT},
        {CURLE_COULDNT_RESOLVE_PROXY, HTTP_NOT_SENT},
        {CURLE_COULDNT_CONNECT, HTTP_NOT_SENT},
        {CURLE_PROXY, HTTP_NOT_SENT},
        {CURLE_PEER_FAILED_VERIFICATION, HTTP_TLS},
        {CURLE_SSL_CACERT_BADFILE, HTTP_TLS},
        {CURLE_SSL_CERTPROBLEM, HTTP_TLS},
        {CURLE_SSL_ISSUER_ERROR, HTTP_TLS},
        {CURLE_SSL_CIPHER, HTTP_TLS},
        {CURLE_SSL_INVALIDCERTSTATUS, HTTP_TLS},
        {CURLE_OPERATION_TIMEDOUT, HTTP_TIMEOUT},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].code == code)
            return table[i].result;
    }
    return HTTP_BROKEN;
}

void http_answer_finish(struct http_call *call, CURLcode code)
{
    struct http_private *own = call->own;
    call->received_us = own->env->now_us(own->env->ctx);
    if (code != CURLE_OK) {
        const char *text = own->error[0] ? own->error : curl_easy_strerror(code);
        if (!call->detail[0])
            (void)snprintf(call->detail, sizeof call->detail, "%.150s", text);
        call->result = failed(call, code);
        if (call->result == HTTP_TIMEOUT && own->phase == PHASE_CONNECT)
            call->result = HTTP_NOT_SENT;
        return;
    }
    call->result = unpack(call);
    if (call->result == HTTP_DONE)
        (void)curl_easy_getinfo(own->easy, CURLINFO_RESPONSE_CODE, &call->status);
}
