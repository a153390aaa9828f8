/* SPDX-License-Identifier: MIT */
/*
 * Just enough of a URL to sign it: the host as libcurl will send it. Default ports are cut
 * off, since libcurl leaves them out of the Host header.
 */
#include <strings.h>

#include "pipeline/aws/http/http.h"

static struct str cut_default_port(struct str host, const char *port)
{
    struct str tail = str_of(port);
    return str_ends(host, tail) ? str_make(host.p, host.n - tail.n) : host;
}

static size_t find_any(struct str s, size_t from, const char *any)
{
    while (from < s.n && !strchr(any, s.p[from]))
        from++;
    return from;
}

bool http_url_split(struct str url, struct http_url *out)
{
    size_t sep = str_find(url, STR("://"), 0);
    if (sep == url.n)
        return false;
    out->scheme = str_make(url.p, sep);
    bool https = sep == 5 && strncasecmp(url.p, "https", 5) == 0;
    if (!https && !(sep == 4 && strncasecmp(url.p, "http", 4) == 0))
        return false;
    size_t slash = find_any(url, sep + 3, "/?");
    out->host = str_make(url.p + sep + 3, slash - sep - 3);
    out->host = cut_default_port(out->host, https ? ":443" : ":80");
    size_t mark = find_any(url, slash, "?");
    out->path = str_make(url.p + slash, mark - slash);
    out->query = mark < url.n ? str_from(url, mark + 1) : STR("");
    return out->host.n > 0 && str_find(out->host, STR("@"), 0) == out->host.n &&
           str_find(url, STR("#"), 0) == url.n;
}
