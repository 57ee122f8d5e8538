/* SPDX-License-Identifier: MIT */
/*
 * Facts across connections for people; nothing where there is nothing to be known.
 */
#include "render/view/text_parts.h"

/* More is in the JSON and in "tcpwhy traffic". */
#define MAX_FACTS 4

bool tw_text_facts(struct tw_layout *page, const tcpwhy_report *report)
{
    size_t n;
    const struct tcpwhy_fact *f = tw_report_facts(report, &n);

    for (size_t i = 0; i < n && i < MAX_FACTS; i++)
        tw_layout_entry(page, 2, "!", TW_TONE_WARN, f[i].text);
    return n > 0;
}
