/* SPDX-License-Identifier: MIT */
/* The operations of the service, each a function from a parsed request to a reply. */
#ifndef SIM_OP_H
#define SIM_OP_H

#include <yyjson.h>

#include "tests/sim/http.h"
#include "tests/sim/lex.h"
#include "tests/sim/reply.h"

struct sim;

struct op_call {
    const struct http_request *req;
    struct str operation; /* after the dot of X-Amz-Target; may be empty */
    yyjson_doc *doc;      /* NULL if the body is not JSON */
    yyjson_val *root;
    int64_t segment; /* of a Scan, else -1 */
    struct str pk;   /* text of the partition key of a request for one item; else empty */
};

void op_call_init(struct op_call *c, const struct http_request *req);
void op_call_release(struct op_call *c);

void op_run(struct sim *s, const struct op_call *c, struct reply *r);

/* op_table.c */
void op_describe_table(struct sim *s, const struct op_call *c, struct reply *r);
void op_describe_ttl(struct sim *s, const struct op_call *c, struct reply *r);
void op_describe_backups(struct sim *s, const struct op_call *c, struct reply *r);
void op_describe_limits(struct sim *s, const struct op_call *c, struct reply *r);
void op_list_tables(struct sim *s, const struct op_call *c, struct reply *r);

/* op_scan.c */
void op_scan(struct sim *s, const struct op_call *c, struct reply *r);

/* op_write.c */
void op_get_item(struct sim *s, const struct op_call *c, struct reply *r);
void op_put_item(struct sim *s, const struct op_call *c, struct reply *r);
void op_delete_item(struct sim *s, const struct op_call *c, struct reply *r);
void op_update_item(struct sim *s, const struct op_call *c, struct reply *r);

/* Shared by them: a member as text, the scope of its expressions, and the capacity member. */
struct str op_text(const struct op_call *c, const char *member);
struct lex_scope op_scope(const struct op_call *c);

/* The text of the key attribute `pk` in Key or Item, whatever its type; empty if there is none. */
struct str op_key_text(const struct op_call *c, const char *pk);

void op_add_capacity(const struct op_call *c, double units, const char *comma, struct buf *out);

/* The same for a write: `more` units went to the indexes described by `indexes` (JSON members). */
void op_add_write_capacity(const struct op_call *c, double units, double more,
                           struct str indexes, const char *comma, struct buf *out);

/* ceil(bytes / 4 KB) halves or wholes, at least one. */
double op_read_units(const struct op_call *c, uint64_t bytes);

#endif
