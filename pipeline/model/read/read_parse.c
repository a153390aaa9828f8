/* SPDX-License-Identifier: MIT */
/* What a text holds, and what becomes of one that does not hold it. */
#include "pipeline/model/read/reader.h"

void read_parse(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice FORMS[] = {{"json", DECODER_PLAIN}, {"dynamodb", DECODER_TYPED}};
    int v = 0;
    if (read_choice(r, n, FORMS, NRULES(FORMS), &v))
        *(enum decoder_parse *)target = (enum decoder_parse)v;
}

void read_parse_lossy(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice RULES[] = {{"parse", LOSSY_PARSE}};
    int v = 0;
    if (read_choice(r, n, RULES, NRULES(RULES), &v))
        *(unsigned *)target = (unsigned)v;
}
