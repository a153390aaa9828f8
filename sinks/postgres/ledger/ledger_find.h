/* SPDX-License-Identifier: MIT */
/* The ledger as everybody meets it: loads, status, verify and rejects as a source. */
#ifndef SINKS_POSTGRES_LEDGER_LEDGER_FIND_H
#define SINKS_POSTGRES_LEDGER_LEDGER_FIND_H

#include "sinks/postgres/wire/connection.h"

/* The newest ledger that this program knows. ledger_upgrade.c has the steps that lead to it. */
enum { PG_LEDGER_VERSION = 4 };

/*
 * Whether the database has a ledger. RC_USAGE for one of a newer renorm, a schema of somebody
 * else, and, for those who want to write, a server that cannot be loaded. An older ledger is there:
 * who reads takes it as it is, who writes upgrades it first.
 */
enum rc pg_ledger_find(PGconn *pg, bool to_write, bool *there, struct err *err) MUST_CHECK;

/* The version of the ledger, which is there. RC_USAGE for one that a newer renorm made. */
enum rc pg_ledger_version(PGconn *pg, int *version, struct err *err) MUST_CHECK;

#endif
