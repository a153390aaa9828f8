/* SPDX-License-Identifier: MIT */
/*
 * Times: bytes as a compiled zone, which must give instants that show the local time asked for; a
 * first line as a pattern and the rest as a text, which must be a time that there is.
 */
#include <stdlib.h>

#include "pipeline/item/time/time_format.h"
#include "pipeline/item/time/time_zone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void ask(const struct time_zone *z, int64_t local)
{
    int64_t earlier = 0, later = 0;
    enum time_zone_fit fit = time_zone_instants(z, local, &earlier, &later);
    must(earlier <= later && (fit != TIME_ZONE_ONCE || earlier == later));
    if (fit != TIME_ZONE_NEVER) {
        must(time_zone_local(z, earlier) == local);
        must(time_zone_local(z, later) == local);
    }
}

static void zone(struct str file)
{
    struct arena a;
    const struct time_zone *z = NULL;
    enum rc rc = RC_OK;
    arena_init(&a, 4096);
    bool read = time_zone_read(&a, file, &z, &rc);
    must(!rc);
    for (int64_t t = INT64_C(-62135596800); read && t < INT64_C(253402300800);
         t += INT64_C(3000000017))
        ask(z, t);
    for (int64_t t = 1711800000; read && t < 1711900000; t += 1801)
        ask(z, t);
    arena_release(&a);
}

static void format(struct str all)
{
    size_t cut = str_find(all, STR("\n"), 0);
    struct str pattern = str_make(all.p, cut);
    struct str text = cut < all.n ? str_from(all, cut + 1) : STR("");
    struct timestamp_text t;
    unsigned what = 0;
    bool good = !time_format_check(pattern, &what);
    if (!time_format_read(pattern, text, &t) || !good)
        return;
    must(timestamp_in_range(timestamp_text_us(&t)));
    must(t.has_clock == ((what & TIME_FORMAT_CLOCK) != 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str all = {(const char *)data, size};
    struct timestamp_text t;
    if (timestamp_parse_text(all, &t))
        must(timestamp_in_range(timestamp_text_us(&t)));
    if (str_starts(all, STR("TZif"))) {
        zone(all);
    } else {
        format(all);
    }
    return 0;
}
