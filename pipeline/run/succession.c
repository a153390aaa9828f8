/* SPDX-License-Identifier: MIT */
/*
 * Files and exports say how new they are. A live table is as new as the moment: it is scanned anew
 * when the scan that was cut short is too old to go on with, and when a result that is held would
 * be judged by the same options once more.
 */
#include "pipeline/run/succession.h"

static bool older(const struct run_info *info, const struct predecessor *was, int64_t than_us)
{
    return than_us > 0 && info->clock_us - was->began_us > than_us;
}

static bool scan_anew(const struct run_info *info, const struct predecessor *was,
                      const char **why)
{
    if (was->held) {
        *why = "the live table is scanned anew";
        return !was->same || str_eq(was->judged, info->judged) ||
               older(info, was, info->same_us);
    }
    *why = "it is too old to go on with, the live table is scanned anew";
    return older(info, was, info->max_age_us);
}

enum succession succession(const struct run_info *info, const struct predecessor *was,
                           const char **why)
{
    bool live = info->same_us > 0;
    *why = "a pipe cannot be read again";
    if (!info->resumable || (!was->resumable && !was->held))
        return SUCCESSION_ANEW;
    if (live && scan_anew(info, was, why))
        return SUCCESSION_ANEW;
    if (was->same)
        return SUCCESSION_RESUME;
    *why = "the source is newer";
    bool newer = was->source_us && info->source_us > was->source_us;
    return newer && !live ? SUCCESSION_ANEW : SUCCESSION_REFUSE;
}
