/* SPDX-License-Identifier: MIT */
/* The ledger as everybody meets it: loads, status, verify and rejects as a source. */
#ifndef SINKS_PG_LEDGER_FIND_H
#define SINKS_PG_LEDGER_FIND_H

#include "sinks/pg_conn.h"

/*
 * Whether the database has a ledger. RC_USAGE for one that is not of this version, a schema of
 * somebody else, and, for those who want to write, a server that cannot be loaded.
 */
enum rc pg_ledger_find(PGconn *pg, bool to_write, bool *there, struct err *err) MUST_CHECK;

#endif
