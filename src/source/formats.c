/* SPDX-License-Identifier: MIT */
/* The savefile formats, and which of them a file has. */
#include "source/internal.h"
#include "source/source.h"

#include "source/foreign.h"
#include "source/unpack.h"

/* A format without a signature is told by its first records. */
#define GUESS_BYTES 8192

static const struct tw_format *const formats[] = {
    &tw_format_pcap,    &tw_format_pcapng,   &tw_format_snoop,     &tw_format_netmon,
    &tw_format_sniffer, &tw_format_netxray,  &tw_format_five_view, &tw_format_observer,
    &tw_format_peek,    &tw_format_iptrace,  &tw_format_nettl,     &tw_format_visual,
    &tw_format_erf,     &tw_format_commview, &tw_format_lanalyzer, &tw_format_commview_ncfx,
};

const struct tw_format *tw_format_of(struct tw_window *window)
{
    struct tw_bytes start = tw_window_need(window, TW_FOREIGN_BYTES);

    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (formats[i]->probe && start.len >= 4 && formats[i]->probe(start))
            return formats[i];
    if (tw_foreign_is_known(start))
        return NULL;
    start = tw_window_need(window, GUESS_BYTES);
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (formats[i]->guess && formats[i]->guess(start))
            return formats[i];
    return NULL;
}

bool tw_source_knows(struct tw_bytes start)
{
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (start.len >= 4 && formats[i]->probe && formats[i]->probe(start))
            return true;
    return tw_unpack_codec(start) != NULL;
}
