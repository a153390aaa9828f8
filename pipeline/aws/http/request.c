/* SPDX-License-Identifier: MIT */
/*
 * A call's request as options of libcurl. Those that need copies and parsing are set once for
 * calls of one kind, the others for each call.
 */
#include "pipeline/aws/http/http_private.h"

#include <strings.h>

enum { RECEIVE_BUFFER = 256 * 1024, MAX_LINE = 64 << 20 };

static bool add_line(struct http_private *own, const char *line)
{
    struct curl_slist *more = curl_slist_append(own->lines, line);
    if (more)
        own->lines = more;
    return more != NULL;
}

static bool set_header_lines(struct http_call *call)
{
    struct http_private *own = call->own;
    struct buf line;
    buf_init(&line, MAX_LINE);
    curl_slist_free_all(own->lines);
    own->lines = NULL;
    bool ok = add_line(own, "Expect:"); /* never ask for a 100-continue */
    if (call->accept_gzip)
        ok = ok && add_line(own, "Accept-Encoding: gzip");
    for (size_t i = 0; i < call->n_headers && ok; i++) {
        buf_clear(&line);
        buf_add_str(&line, call->headers[i].name);
        buf_puts(&line, call->headers[i].value.n ? ": " : ";");
        buf_add_str(&line, call->headers[i].value);
        ok = !line.rc && add_line(own, buf_cstr(&line));
    }
    buf_wipe(&line);
    return ok;
}

static void set_transport(CURL *easy, const struct http_config *c)
{
    (void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    (void)curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    (void)curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)RECEIVE_BUFFER);
    (void)curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)c->connect_ms);
    (void)curl_easy_setopt(easy, CURLOPT_USERAGENT, c->user_agent);
    if (c->ca_bundle && c->ca_bundle[0])
        (void)curl_easy_setopt(easy, CURLOPT_CAINFO, c->ca_bundle);
    if (c->no_proxy)
        (void)curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
}

static bool has_body(const struct http_call *call)
{
    return call->send.n > 0 || strcmp(call->method, "POST") == 0;
}

static void set_transport_once(const struct http_call *call, const struct http_config *c)
{
    struct http_private *own = call->own;
    const struct http_config *old = &own->config;
    if (own->configured && own->with_body == has_body(call) && old->ca_bundle == c->ca_bundle &&
        old->user_agent == c->user_agent && old->connect_ms == c->connect_ms &&
        old->no_proxy == c->no_proxy && old->http_proxy == c->http_proxy)
        return;
    curl_easy_reset(own->easy);
    set_transport(own->easy, c);
    own->config = *c;
    own->with_body = has_body(call);
    own->configured = true;
}

static void set_request(struct http_call *call)
{
    CURL *easy = call->own->easy;
    (void)curl_easy_setopt(easy, CURLOPT_URL, call->url);
    (void)curl_easy_setopt(easy, CURLOPT_NOBODY, strcmp(call->method, "HEAD") == 0 ? 1L : 0L);
    if (call->own->config.http_proxy) {
        bool plain = strncasecmp(call->url, "http:", 5) == 0;
        (void)curl_easy_setopt(easy, CURLOPT_PROXY,
                               plain ? call->own->config.http_proxy : NULL);
    }
    if (has_body(call)) {
        (void)curl_easy_setopt(easy, CURLOPT_POST, 1L);
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->send.n);
        (void)curl_easy_setopt(easy, CURLOPT_READFUNCTION, http_answer_send);
        (void)curl_easy_setopt(easy, CURLOPT_READDATA, call);
        (void)curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, http_answer_seek);
        (void)curl_easy_setopt(easy, CURLOPT_SEEKDATA, call);
    }
    (void)curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, call->method);
    (void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, call->own->lines);
    (void)curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, call->own->error);
    (void)curl_easy_setopt(easy, CURLOPT_PRIVATE, call);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, http_answer_body);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, call);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, http_answer_header);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERDATA, call);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, http_answer_connected);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQDATA, call);
}

bool http_request_set(struct http_call *call, const struct http_config *config)
{
    if (!set_header_lines(call))
        return false;
    set_transport_once(call, config);
    set_request(call);
    return true;
}
