/* SPDX-License-Identifier: MIT */
/*
 * Percent-encoding is one to one. Names that grow too long keep their beginning and get "%~"
 * and a hash of the whole: "%~" never comes out of the encoding, so they cannot meet a short
 * name, nor can the empty name, which is "%" alone.
 */
#include "sinks/jsonl/file_name.h"

#include <stdbool.h>
#include <stdio.h>

#include <openssl/evp.h>

enum { KEEP = 128, HASH = 16 };

static bool plain(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.' || c == '-';
}

static bool reserved(struct str s)
{
    static const char *const NAMES[] = {"rejects", "unrouted", "manifest.json",
                                        "manifest.json.new", "lost+found"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (str_is(s, NAMES[i]))
            return true;
    }
    return false;
}

static size_t put_hex(char *out, unsigned char c)
{
    static const char HEX[] = "0123456789ABCDEF";
    out[0] = '%';
    out[1] = HEX[c >> 4];
    out[2] = HEX[c & 15];
    return 3;
}

static void hashed(struct str table, char *out)
{
    unsigned char sum[EVP_MAX_MD_SIZE] = {0};
    (void)EVP_Digest(table.p, table.n, sum, NULL, EVP_sha256(), NULL);
    out[0] = '%';
    out[1] = '~';
    for (size_t i = 0; i < HASH; i++)
        (void)snprintf(out + 2 + 2 * i, 3, "%02x", (unsigned)sum[i]);
}

void jsonl_name(struct str table, char out[JSONL_NAME])
{
    size_t n = 0;
    bool quote_first = reserved(table) || (table.n && table.p[0] == '.');
    if (table.n == 0)
        out[n++] = '%';
    for (size_t i = 0; i < table.n; i++) {
        unsigned char c = (unsigned char)table.p[i];
        if (n + 3 > JSONL_NAME - 8) {
            hashed(table, out + KEEP);
            return;
        }
        if (plain(c) && !(i == 0 && quote_first)) {
            out[n++] = (char)c;
        } else {
            n += put_hex(out + n, c);
        }
    }
    out[n] = '\0';
}
