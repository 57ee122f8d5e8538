/* SPDX-License-Identifier: MIT */
#include "engine/selection.h"

#include <ctype.h>
#include <stddef.h>

/* A decimal stream number; advances *text. */
static bool parse_number(const char **text, int64_t *number)
{
    const char *p = *text;

    *number = 0;
    if (!isdigit((unsigned char)*p))
        return false;
    for (; isdigit((unsigned char)*p); p++) {
        *number = *number * 10 + (*p - '0');
        if (*number > UINT32_MAX)
            return false;
    }
    *text = p;
    return true;
}

static bool parse_item(struct tw_selection *selection, const char **text)
{
    int64_t from, to;

    if (!parse_number(text, &from))
        return false;
    to = from;
    if (**text == '-') {
        (*text)++;
        if (!parse_number(text, &to) || to < from)
            return false;
    }
    return tw_ranges_add(&selection->streams, from, to + 1);
}

bool tw_selection_parse(struct tw_selection *selection, const char *text)
{
    *selection = (struct tw_selection) { .all = text == NULL };
    if (!text)
        return true;
    while (parse_item(selection, &text)) {
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            break;
    }
    tw_selection_clear(selection);
    return false;
}

bool tw_selection_has(const struct tw_selection *selection, uint32_t stream)
{
    return selection->all ||
           tw_ranges_overlap(&selection->streams, stream, (int64_t)stream + 1) > 0;
}

void tw_selection_clear(struct tw_selection *selection)
{
    tw_ranges_clear(&selection->streams);
}
