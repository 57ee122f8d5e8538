/* SPDX-License-Identifier: MIT */
#include "render/view/why.h"

#include <math.h>

#include "base/number.h"
#include "base/text.h"
#include "render/view/names.h"
#include "render/view/text_parts.h"
#include "render/writers/table.h"

/* The column beside a cause begins here. */
#define CAUSE_WIDTH 29

/* Larger odds than that are not told apart: as logarithm to the base of ten. */
#define MOST_ODDS 9

static const struct tcpwhy_hypothesis *next_of(const struct tw_weighing *w, size_t i)
{
    const struct tcpwhy_hypothesis *next = &w->hypothesis[i + 1];

    return i + 1 < w->gap.n_hypotheses && !next->refuted ? next : NULL;
}

static const char *fit_of(const struct tcpwhy_hypothesis *h)
{
    return h->refuted ? "refuted" : h->shown ? "fits" : "possible";
}

/* Since the gap began. */
static tcpwhy_ns since(const struct tw_weighing *w, tcpwhy_ns ns)
{
    return ns == TCPWHY_NS_UNKNOWN ? ns : ns - w->gap.from_ns;
}

/* ---- text ------------------------------------------------------------------------------------ */

enum { COL_CAUSE, COL_FROM, COL_TO, COL_FRAME, COL_AT, COL_FIT, COL_ODDS };

static const struct tw_column columns[] = {
    [COL_CAUSE] = { .title = "cause", .min = 16 },
    [COL_FROM] = { .title = "from ms", .right = true, .leaves = 1 },
    [COL_TO] = { .title = "to ms", .right = true },
    [COL_FRAME] = { .title = "let go by", .right = true },
    [COL_AT] = { .title = "at ms", .right = true, .spare = true, .leaves = 3 },
    [COL_FIT] = { .title = "", .spare = true, .leaves = 2 },
    [COL_ODDS] = { .title = "odds", .right = true },
};

/* Two digits say enough: "1.6 : 1", "1,000 : 1". */
static void append_odds(tw_string *text, double logarithm)
{
    char number[TW_NUMBER_TEXT];
    double odds = pow(10, MIN(logarithm, MOST_ODDS)), unit;

    if (logarithm > MOST_ODDS)
        tw_string_append(text, "> ");
    if (odds < 9.95) {
        tw_string_append(text, tw_number_fixed((int64_t)round(odds * 10), 1, 1, false, number));
    } else {
        unit = pow(10, floor(log10(odds)) - 1);
        tw_string_append(text, tw_number_count((uint64_t)(round(odds / unit) * unit), number));
    }
    tw_string_append(text, " : 1");
}

static void append_ms(tw_string *text, const struct tw_weighing *w, tcpwhy_ns ns)
{
    char number[TW_NUMBER_TEXT];

    tw_string_append(text, tw_number_ms(since(w, ns), 3, number));
}

static void cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                 tw_string *text, enum tw_tone *tone)
{
    const struct tw_weighing *w = data;
    const struct tcpwhy_hypothesis *h = &w->hypothesis[row], *next = next_of(w, row);

    (void)page;
    *tone = h->shown ? TW_TONE_PLAIN : TW_TONE_QUIET;
    switch (column) {
    case COL_CAUSE:
        tw_string_append(text, tw_name_cause(h->cause));
        break;
    case COL_FROM:
        append_ms(text, w, h->from_ns);
        break;
    case COL_TO:
        append_ms(text, w, h->to_ns);
        break;
    case COL_FRAME:
        if (h->frame)
            tw_string_append_printf(text, "frame %u", h->frame);
        else
            tw_string_append(text, "-");
        break;
    case COL_AT:
        append_ms(text, w, h->frame_ns);
        break;
    case COL_FIT:
        tw_string_append(text, fit_of(h));
        break;
    default:
        if (next)
            append_odds(text, h->odds - next->odds);
    }
}

void tw_why_heading(tw_string *text, const struct tw_weighing *w)
{
    const struct tcpwhy_weighing *gap = &w->gap;
    char number[TW_NUMBER_TEXT];

    tw_string_append(text, "Gap of ");
    tw_string_append(text, tw_number_duration(gap->to_ns - gap->from_ns, number));
    tw_string_append_printf(text, " between frames %u and %u, at ", gap->first_frame,
                            gap->last_frame);
    tw_string_append(text, tw_number_seconds(gap->from_ns, 6, number));
    tw_string_append_printf(text, " s, waiting for the %s", tw_name_side(gap->sender));
    if (gap->sent_ns != TCPWHY_NS_UNKNOWN) {
        tw_string_append(text, ". The segment left at ");
        tw_string_append(text, tw_number_seconds(gap->sent_ns, 6, number));
        tw_string_append(text, " s");
        if (gap->ack_frame) {
            tw_string_append(text, ", ");
            tw_string_append(text, tw_number_duration(gap->since_ack_ns, number));
            tw_string_append_printf(text, " after the ACK of frame %u", gap->ack_frame);
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

struct tw_table tw_why_table(const struct tw_weighing *w)
{
    struct tw_table table = {
        .columns = columns, .n_columns = G_N_ELEMENTS(columns), .indent = 2, .data = w, .cell = cell
    };

    while (table.n_rows < w->gap.n_hypotheses && !w->hypothesis[table.n_rows].refuted)
        table.n_rows++;
    return table;
}

static void weighing(struct tw_layout *page, const struct tw_weighing *w)
{
    const struct tw_table table = tw_why_table(w);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_layout_end_line(page);
    tw_why_heading(text, w);
    tw_layout_paragraph(page, 0, TW_TONE_STRONG, text->str);
    if (table.n_rows > 0)
        tw_table_draw(page, &table);
    for (size_t i = table.n_rows; i < w->gap.n_hypotheses; i++)
        refuted(page, &w->hypothesis[i]);
    tw_string_truncate(text, 0);
    tw_why_verdict(text, &w->gap);
    tw_layout_paragraph(page, 0, tw_text_cause_tone(w->gap.cause), text->str);
}

/* Of a frame that ends no gap: which gap is shown instead. */
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

static void json_hypothesis(struct tw_json *json, const struct tw_weighing *w, size_t i)
{
    const struct tcpwhy_hypothesis *h = &w->hypothesis[i], *next = next_of(w, i);

    tw_json_object(json, NULL);
    tw_json_string(json, "cause", tw_name_cause(h->cause));
    tw_json_string(json, "fit", fit_of(h));
    if (h->refuted) {
        tw_json_string(json, "reason", h->refuted);
        tw_json_end(json);
        return;
    }
    tw_json_string(json, "party", tw_name_party(h->party));
    tw_json_string(json, "direction", tw_name_side(h->from));
    tw_json_ms(json, "from_ms", h->from_ns - w->gap.from_ns);
    tw_json_ms(json, "to_ms", h->to_ns - w->gap.from_ns);
    tw_json_frame(json, "frame", h->frame);
    tw_json_ms(json, "frame_ms", since(w, h->frame_ns));
    tw_json_real(json, "log10_odds", h->odds);
    if (next)
        tw_json_real(json, "odds_against_next", pow(10, h->odds - next->odds));
    else
        tw_json_null(json, "odds_against_next");
    tw_json_end(json);
}

static void json_weighing(struct tw_json *json, const struct tw_weighing *w)
{
    const struct tcpwhy_weighing *gap = &w->gap;

    tw_json_object(json, NULL);
    tw_json_ms(json, "from_ms", gap->from_ns);
    tw_json_ms(json, "to_ms", gap->to_ns);
    tw_json_ms(json, "sent_ms", gap->sent_ns);
    tw_json_frame(json, "first_frame", gap->first_frame);
    tw_json_frame(json, "last_frame", gap->last_frame);
    tw_json_frame(json, "burst_frame", gap->burst_frame);
    tw_json_frame(json, "ack_frame", gap->ack_frame);
    tw_json_ms(json, "since_ack_ms", gap->since_ack_ns);
    tw_json_string(json, "sender", tw_name_side(gap->sender));
    tw_json_string(json, "cause", tw_name_cause(gap->cause));
    tw_json_string(json, "party", tw_name_party(gap->party));
    tw_json_string(json, "confidence", tw_name_confidence(gap->confidence));
    tw_json_string(json, "rival", tw_name_rival(gap->rival));
    tw_json_array(json, "hypotheses");
    for (size_t i = 0; i < gap->n_hypotheses; i++)
        json_hypothesis(json, w, i);
    tw_json_end(json);
    tw_json_end(json);
}

void tw_json_why(struct tw_json *json, const struct tw_stream_row *s)
{
    tw_json_array(json, "why");
    for (uint32_t i = 0; i < s->weighings->n; i++)
        json_weighing(json, &s->weighings->weighing[i]);
    tw_json_end(json);
}
