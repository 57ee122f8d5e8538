/* SPDX-License-Identifier: MIT */
/*
 * A frame as a line of a script, as the unit tests read it (tests/unit/README.md):
 *
 *     20.01ms C > P. 1:101(100) ack 1 win 60000 id 101 ttl 64 <TS val 7 ecr 5>
 */
#include <inttypes.h>

#include "base/number.h"
#include "render/view/segment.h"

#define NS_PER_MS       INT64_C(1000000)
#define DECIMALS_OF_MS  6 /* down to a nanosecond */
#define MAX_SACK_RANGES 4

static void put_time(struct tw_writer *out, tcpwhy_ns ns)
{
    unsigned decimals = 0;

    for (int64_t scale = NS_PER_MS; ns % scale != 0; scale /= 10)
        decimals++;
    tw_writer_text(out, tw_fixed(ns, DECIMALS_OF_MS, decimals, false).text);
    tw_writer_text(out, "ms");
}

/* packetdrill's letters; '.' is ACK. */
static void put_flags(struct tw_writer *out, uint16_t flags)
{
    static const struct {
        uint16_t flag;
        char letter;
    } letters[] = { { 0x002, 'S' }, { 0x001, 'F' }, { 0x004, 'R' }, { 0x008, 'P' }, { 0x010, '.' },
                    { 0x020, 'U' }, { 0x040, 'E' }, { 0x080, 'W' }, { 0x100, 'A' } };

    for (size_t i = 0; i < G_N_ELEMENTS(letters); i++)
        if (flags & letters[i].flag)
            tw_writer_bytes(out, &letters[i].letter, 1);
    if (!flags)
        tw_writer_text(out, "-");
}

static void put_options(struct tw_writer *out, const struct tcpwhy_segment *s)
{
    bool has_sack = s->n_sack > 0;

    tw_writer_text(out, " <");
    if (s->mss)
        tw_writer_printf(out, "mss %u,", s->mss);
    if (s->sack_permitted)
        tw_writer_text(out, "sackOK,");
    if (s->timestamps)
        tw_writer_printf(out, "TS val %" PRIu32 " ecr %" PRIu32 ",", s->tsval, s->tsecr);
    if (s->wscale >= 0)
        tw_writer_printf(out, "wscale %d,", s->wscale);
    if (has_sack)
        tw_writer_text(out, "sack");
    for (uint32_t i = 0; i < MIN(s->n_sack, MAX_SACK_RANGES); i++)
        tw_writer_printf(out, " %" PRId64 ":%" PRId64, s->sack[i][0], s->sack[i][1]);
    tw_writer_text(out, has_sack ? ",eol>" : "eol>");
}

void tw_segment_script(const struct tw_request *request, struct tw_writer *out)
{
    const struct tcpwhy_segment *s = request->options.segment;

    put_time(out, s->relative_ns);
    tw_writer_text(out, s->from == TCPWHY_CLIENT ? " C > " : " S > ");
    put_flags(out, s->flags);
    tw_writer_printf(out, " %" PRId64 ":%" PRId64 "(%" PRIu32 ")", s->seq, s->seq + s->len, s->len);
    if (s->flags & 0x010)
        tw_writer_printf(out, " ack %" PRId64, s->ack);
    tw_writer_printf(out, " win %u id %u ttl %u", s->window_raw, s->ip_id, s->ttl);
    put_options(out, s);
    tw_writer_text(out, "\n");
}
