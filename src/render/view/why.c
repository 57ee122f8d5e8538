/* SPDX-License-Identifier: MIT */
/*
 * The weighing of a connection's gaps: as text, as JSON, and in parts for a page.
 */
#include <math.h>

#include "render/view/view.h"

/* The column beside a cause begins here. */
#define CAUSE_WIDTH 29

/* Larger odds are shown as "> " this: as logarithm to the base of ten. */
#define MOST_ODDS 9

/* A hypothesis of a gap, as it is told: times count from the gap's begin. */
struct weighed {
    struct tcpwhy_hypothesis h;
    const char *fit;
    double lead;    /* over the next one that is not refuted, as h.odds; NAN: there is none */
    double against; /* the same as odds */
};

/* @return how many there are; those that are not refuted stand first. */
static size_t list(const struct tw_weighing *w, struct weighed rows[TW_N_CAUSES])
{
    const size_t n = w->gap.n_hypotheses;

    for (size_t i = 0; i < n; i++) {
        const struct tcpwhy_hypothesis *h = &w->hypothesis[i];
        double lead = i + 1 < n && !h[1].refuted ? h->odds - h[1].odds : NAN;

        rows[i] = (struct weighed) {
            .h = *h,
            .fit = h->refuted ? "refuted"
                   : h->shown ? "fits"
                              : "possible",
            .lead = lead,
            .against = pow(10, lead),
        };
        rows[i].h.from_ns -= w->gap.from_ns;
        rows[i].h.to_ns -= w->gap.from_ns;
        if (h->frame_ns != TCPWHY_NS_UNKNOWN)
            rows[i].h.frame_ns -= w->gap.from_ns;
    }
    return n;
}

/* Two digits say enough: "1.6 : 1", "1,000 : 1". */
static void append_odds(tw_string *text, double logarithm)
{
    double odds = pow(10, MIN(logarithm, MOST_ODDS)), unit;

    if (logarithm > MOST_ODDS)
        tw_string_append(text, "> ");
    if (odds < 9.95) {
        tw_string_append(text, tw_fixed((int64_t)round(odds * 10), 1, 1, false).text);
    } else {
        unit = pow(10, floor(log10(odds)) - 1);
        tw_string_append(text, tw_count((uint64_t)(round(odds / unit) * unit)).text);
    }
    tw_string_append(text, " : 1");
}

static void frame_cell(const void *record, tw_string *text, enum tw_tone *tone)
{
    const struct weighed *row = record;

    *tone = row->h.shown ? TW_TONE_PLAIN : TW_TONE_QUIET;
    if (row->h.frame)
        tw_string_append_printf(text, "frame %u", row->h.frame);
    else
        tw_string_append(text, "-");
}

static void odds_cell(const void *record, tw_string *text, enum tw_tone *tone)
{
    const struct weighed *row = record;

    *tone = row->h.shown ? TW_TONE_PLAIN : TW_TONE_QUIET;
    if (!isnan(row->lead))
        append_odds(text, row->lead);
}

static bool is_refuted(const void *record)
{
    return ((const struct weighed *)record)->h.refuted;
}

static bool stands(const void *record)
{
    return !is_refuted(record);
}

static bool is_unlike(const void *record)
{
    return !((const struct weighed *)record)->h.shown;
}

#define OF(member) TW_AT(struct weighed, member)
static const struct tw_field fields[] = {
    { "cause", TW_NAME, OF(h.cause), .name = tw_name_cause, .title = "cause", .min = 16,
      .quiet = is_unlike },
    { "fit", TW_TEXT, OF(fit), .title = "", .column = 1, .spare = true, .leaves = 2,
      .quiet = is_unlike },
    { "reason", TW_TEXT, OF(h.refuted), .shown = is_refuted },
    { "party", TW_NAME, OF(h.party), .shown = stands, .name = tw_name_party },
    { "direction", TW_NAME, OF(h.from), .shown = stands, .name = tw_name_side },
    { "from_ms", TW_MS, OF(h.from_ns), .shown = stands, .title = "from ms", .leaves = 1,
      .format = TW_FORMAT_MS, .quiet = is_unlike },
    { "to_ms", TW_MS, OF(h.to_ns), .shown = stands, .title = "to ms", .format = TW_FORMAT_MS,
      .quiet = is_unlike },
    { "frame", TW_UINT, OF(h.frame), .zero_is_none = true, .shown = stands, .title = "let go by",
      .cell = frame_cell },
    { "frame_ms", TW_MS, OF(h.frame_ns), .shown = stands, .title = "at ms", .spare = true,
      .leaves = 3, .format = TW_FORMAT_MS, .quiet = is_unlike },
    { "log10_odds", TW_REAL, OF(h.odds), .shown = stands },
    { "odds_against_next", TW_REAL, OF(against), .shown = stands, .title = "odds", .column = 2,
      .cell = odds_cell },
    TW_FIELDS_END,
};
#undef OF

/* ---- text ------------------------------------------------------------------------------------ */

void tw_why_heading(tw_string *text, const struct tw_weighing *w)
{
    const struct tcpwhy_weighing *gap = &w->gap;

    tw_string_append_printf(text, "Gap of %s between frames %u and %u, at %s s, waiting for the %s",
                            tw_duration(gap->to_ns - gap->from_ns).text, gap->first_frame,
                            gap->last_frame, tw_seconds(gap->from_ns, 6).text,
                            tw_name_side(gap->sender));
    if (gap->sent_ns != TCPWHY_NS_UNKNOWN) {
        tw_string_append_printf(text, ". The segment left at %s s",
                                tw_seconds(gap->sent_ns, 6).text);
        if (gap->ack_frame) {
            tw_string_append_printf(text, ", %s after the ACK of frame %u",
                                    tw_duration(gap->since_ack_ns).text, gap->ack_frame);
        }
    }
    tw_string_append_c(text, '.');
}

static void refuted(struct tw_layout *page, const struct tcpwhy_hypothesis *h)
{
    tw_autofree char *label = tw_strdup_printf("  %s", tw_name_cause(h->cause));
    tw_autofree char *text = tw_strdup_printf("refuted: %s", h->refuted);

    tw_layout_entry(page, CAUSE_WIDTH, label, TW_TONE_QUIET, text);
}

void tw_why_verdict(tw_string *text, const struct tcpwhy_weighing *gap)
{
    tw_string_append_printf(text, "Verdict: %s", tw_name_cause(gap->cause));
    if (gap->party != TCPWHY_PARTY_NONE)
        tw_string_append_printf(text, " (%s)", tw_name_party(gap->party));
    tw_string_append_printf(text, ", %s", tw_name_confidence(gap->confidence));
    if (gap->rival != TCPWHY_CAUSE_NONE)
        tw_string_append_printf(text, "; could also be %s", tw_name_cause(gap->rival));
}

/* @return how many are not refuted: the first ones. */
static size_t standing(const struct weighed *rows, size_t n)
{
    size_t i = 0;

    while (i < n && !rows[i].h.refuted)
        i++;
    return i;
}

void tw_json_why_rows(struct tw_json *json, const struct tw_weighing *w)
{
    struct weighed rows[TW_N_CAUSES];

    tw_json_titles(json, "heads", fields);
    tw_json_cells(json, "rows", fields, rows, standing(rows, list(w, rows)), sizeof *rows);
}

static void weighing(struct tw_layout *page, const struct tw_weighing *w)
{
    struct weighed rows[TW_N_CAUSES];
    size_t n = list(w, rows), n_standing = standing(rows, n);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_layout_end_line(page);
    tw_why_heading(text, w);
    tw_layout_paragraph(page, 0, TW_TONE_STRONG, text->str);
    if (n_standing > 0)
        tw_fields_table(page, fields, rows, n_standing, sizeof *rows, 2);
    for (size_t i = n_standing; i < n; i++)
        refuted(page, &rows[i].h);
    tw_string_truncate(text, 0);
    tw_why_verdict(text, &w->gap);
    tw_layout_paragraph(page, 0, tw_text_cause_tone(w->gap.cause), text->str);
}

/* The frame asked for ends no gap: say which gap is shown instead. */
static void other_gap(struct tw_layout *page, const struct tw_stream_row *s)
{
    uint32_t frame = s->weighings->frame;
    const struct tcpwhy_weighing *gap = &s->weighings->weighing[0].gap;
    tw_string *text = tw_string_new(NULL);

    if (frame < s->first_frame || frame > s->last_frame)
        tw_string_append_printf(text, "Frame %u is not in stream %u (frames %u to %u)", frame,
                                s->stream, s->first_frame, s->last_frame);
    else
        tw_string_append_printf(text, "No gap ends at frame %u", frame);
    if (frame > gap->last_frame && frame <= gap->burst_frame)
        tw_string_append(text, ", which belongs to the burst behind this gap:");
    else if (frame > gap->first_frame && frame < gap->last_frame)
        tw_string_append(text, ", which lies within this gap:");
    else
        tw_string_append(text, "; this is the nearest one:");
    tw_layout_end_line(page);
    tw_layout_paragraph(page, 0, TW_TONE_WARN, text->str);
    tw_string_free(text, TRUE);
}

void tw_text_why(struct tw_layout *page, const struct tw_stream_row *s)
{
    const struct tw_weighings *all = s->weighings;

    if (!all)
        return;
    if (all->n == 0) {
        tw_layout_end_line(page);
        tw_layout_paragraph(page, 0, TW_TONE_WARN,
                            "No gap between the handshake and the end of this stream.");
    } else if (all->frame && all->frame != all->weighing[0].gap.last_frame) {
        other_gap(page, s);
    }
    for (uint32_t i = 0; i < all->n; i++)
        weighing(page, &all->weighing[i]);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void hypotheses(struct tw_json *json, const void *record)
{
    struct weighed rows[TW_N_CAUSES];
    size_t n = list(record, rows);

    tw_json_records(json, "hypotheses", fields, rows, n, sizeof *rows);
}

#define OF(member) TW_AT(struct tw_weighing, gap.member)
static const struct tw_field gap_fields[] = {
    { "from_ms", TW_MS, OF(from_ns) },
    { "to_ms", TW_MS, OF(to_ns) },
    { "sent_ms", TW_MS, OF(sent_ns) },
    { "first_frame", TW_FRAME, OF(first_frame) },
    { "last_frame", TW_FRAME, OF(last_frame) },
    { "burst_frame", TW_FRAME, OF(burst_frame) },
    { "ack_frame", TW_FRAME, OF(ack_frame) },
    { "since_ack_ms", TW_MS, OF(since_ack_ns) },
    { "sender", TW_NAME, OF(sender), .name = tw_name_side },
    { "cause", TW_NAME, OF(cause), .name = tw_name_cause },
    { "party", TW_NAME, OF(party), .name = tw_name_party },
    { "confidence", TW_NAME, OF(confidence), .name = tw_name_confidence },
    { "rival", TW_NAME, OF(rival), .name = tw_name_rival },
    { .kind = TW_CALL, .json = hypotheses },
    TW_FIELDS_END,
};
#undef OF

void tw_json_why(struct tw_json *json, const struct tw_stream_row *s)
{
    tw_json_records(json, "why", gap_fields, s->weighings->weighing, s->weighings->n,
                    sizeof *s->weighings->weighing);
}
