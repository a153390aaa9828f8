/* SPDX-License-Identifier: MIT */
/*
 * Memory and parallel workers of the sessions that build keys and indexes. All lanes together take
 * a gigabyte at most, and no more parallel workers than the server has; what its administrator set
 * higher stays, and parallel workers are never more than he set.
 */
#include <stdlib.h>

#include "sinks/postgres/finish/lanes.h"

enum { ALL_MB = 1024, LANE_MB = 256 };

enum rc pg_lane_settings(struct pg_run *r, uint32_t n, struct pg_lane_settings *out,
                         struct err *err)
{
    static const char sql[] =
        "SELECT pg_size_bytes(current_setting('maintenance_work_mem')) / 1048576, "
        "current_setting('max_parallel_maintenance_workers')::int, "
        "current_setting('max_parallel_workers')::int";
    const uint32_t share = ALL_MB / n < LANE_MB ? ALL_MB / n : LANE_MB;
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql, NULL, 0, &res, err);
    if (rc)
        return rc;
    long long mb = pg_number(res, 0, 0), most = pg_number(res, 0, 2) / n;
    long long parallel = pg_number(res, 0, 1);
    PQclear(res);
    out->memory_mb = (uint32_t)(mb > share ? mb : share);
    out->parallel = (uint32_t)(parallel < most ? parallel : most);
    (void)snprintf(
        out->sql, sizeof out->sql,
        "SET maintenance_work_mem = '%uMB'; SET max_parallel_maintenance_workers = %u",
        out->memory_mb, out->parallel);
    return RC_OK;
}

/* The table is read, what was read is sorted, the tree is written: about as long each. */
double pg_lane_share(struct pg_run *r, int pid)
{
    static const char sql[] = "SELECT CASE WHEN phase LIKE '%loading%' "
                              "THEN 0.6 + 0.4 * tuples_done / greatest(tuples_total, 1) "
                              "WHEN phase LIKE '%sorting%' THEN 0.5 "
                              "ELSE 0.4 * blocks_done / greatest(blocks_total, 1) END "
                              "FROM pg_catalog.pg_stat_progress_create_index WHERE pid = $1";
    char number[24];
    const char *params[] = {number};
    struct err ignored;
    PGresult *res = NULL;
    (void)snprintf(number, sizeof number, "%d", pid);
    if (pg_query(r->pg, sql, params, 1, &res, &ignored))
        return -1;
    double share = PQntuples(res) == 1 ? strtod(PQgetvalue(res, 0, 0), NULL) : -1;
    PQclear(res);
    return share;
}
