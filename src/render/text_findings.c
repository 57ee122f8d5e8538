/* SPDX-License-Identifier: MIT */
/*
 * Findings for people: what it cost, whose knob it is, the frames that prove it, what to change.
 */
#include <string.h>

#include "render/number.h"
#include "render/text.h"
#include "render/text_parts.h"
#include "report/report_views.h"

/* So many findings are told in full; the rest, and what cost less than this part of the costliest,
 * gets a line each. */
#define MAX_FULL    3
#define SMALL_PART  3
#define MAX_BRIEF   8
#define MAX_FRAMES  8
#define LABEL_WIDTH 11 /* "3  frames  " */

/* The cause, where there is little room by the name that tables have for it. */
static void what(GString *to, const struct tw_finding_row *f, bool brief)
{
    if (brief)
        g_string_append(to, tcpwhy_cause_info(f->cause)->name);
    else
        tw_text_title(to, f->cause);
}

static void whose(GString *to, const struct tw_finding_row *f, bool brief)
{
    g_string_truncate(to, 0);
    what(to, f, brief);
    if (f->party != TCPWHY_PARTY_NONE)
        g_string_append_printf(to, " (%s)", tcpwhy_party_name(f->party));
}

static void headline(struct tw_layout *page, const struct tw_finding_row *f, size_t number)
{
    GString *title = g_string_new(NULL), *right = g_string_new(NULL), *fitted = g_string_new(NULL);
    char text[TW_NUMBER_TEXT];
    unsigned width;

    g_string_append_printf(right, "%s ms  %s", tw_number_cost(f->cost_ns, text),
                           tcpwhy_confidence_name(f->confidence));
    if (number > 0)
        tw_layout_putf(page, TW_TONE_STRONG, "%-3zu", number);
    width = page->columns - tw_text_width(right->str, page->ascii);
    whose(title, f, false);
    if (tw_text_width(title->str, page->ascii) > width - page->at - 2)
        whose(title, f, true);
    tw_text_fit(fitted, title->str, width - page->at - 2, page->ascii);
    tw_layout_put(page, tw_text_cause_tone(f->cause), fitted->str);
    tw_layout_tab(page, width);
    tw_layout_put(page, TW_TONE_STRONG, right->str);
    tw_layout_end_line(page);
    g_string_free(fitted, TRUE);
    g_string_free(right, TRUE);
    g_string_free(title, TRUE);
}

/* Is there a file to look the stream up in? */
static bool has_file(const tcpwhy_report *report)
{
    const char *file = tw_report_capture(report)->file;

    return file[0] != '\0' && strcmp(file, "-") != 0;
}

static void evidence(struct tw_layout *page, const struct tw_finding_row *f, bool in_file)
{
    GString *text = g_string_new(NULL);

    for (size_t i = 0; i < f->n_frames && i < MAX_FRAMES; i++)
        g_string_append_printf(text, "%s%u", i > 0 ? ", " : "", f->frames[i]);
    if (f->n_frames > MAX_FRAMES)
        g_string_append(text, ", \u2026");
    if (f->n_frames > 0)
        g_string_append(text, " of ");
    g_string_append_printf(text, "stream %u", f->stream);
    if (in_file)
        g_string_append_printf(text, " (tcpwhy flow -s %u)", f->stream);
    tw_text_worst_of(text, f);
    tw_layout_entry(page, LABEL_WIDTH, f->n_frames > 0 ? "   frames" : "   see", TW_TONE_PLAIN,
                    text->str);
    g_string_free(text, TRUE);
}

static void doubt(struct tw_layout *page, const struct tw_finding_row *f)
{
    GString *text;

    if (f->rival == TCPWHY_CAUSE_NONE)
        return;
    text = g_string_new(NULL);
    g_string_append_printf(text, "%s looks the same from here (tcpwhy causes %s)",
                           tcpwhy_cause_info(f->rival)->name, tcpwhy_cause_info(f->rival)->name);
    tw_layout_entry(page, LABEL_WIDTH, "   or", TW_TONE_WARN, text->str);
    g_string_free(text, TRUE);
}

/* number 0: a finding that stands alone, without a capture to look it up in. */
static void in_full(struct tw_layout *page, const struct tw_finding_row *f, size_t number,
                    bool in_file)
{
    headline(page, f, number);
    if (f->summary && f->summary[0]) {
        tw_layout_tab(page, 3);
        tw_layout_paragraph(page, 3, TW_TONE_PLAIN, f->summary);
    }
    if (number > 0)
        evidence(page, f, in_file);
    doubt(page, f);
    if (f->remedy && f->remedy[0])
        tw_layout_entry(page, LABEL_WIDTH, "   change", TW_TONE_NOTE, f->remedy);
}

/* A listener may stand here once for each of its clients: their streams tell which. */
static void brief_words(GString *to, const struct tw_finding_row *f, size_t number,
                        enum tcpwhy_party party, bool brief)
{
    char text[TW_NUMBER_TEXT];

    g_string_printf(to, "%-3zu", number);
    what(to, f, brief);
    g_string_append(to, ", ");
    tw_text_holder(to, &f->endpoint, party);
    if (f->streams > 1)
        g_string_append_printf(to, ", %s streams", tw_number_count(f->streams, text));
    else
        g_string_append_printf(to, ", stream %u", f->stream);
}

/* The first of them that fits: what a reader misses least is left out first. */
static void fit_words(GString *to, const struct tw_finding_row *f, size_t number,
                      const struct tw_layout *page, unsigned width)
{
    GString *words = g_string_new(NULL);

    brief_words(words, f, number, f->party, false);
    for (unsigned i = 1; i < 4 && tw_text_width(words->str, page->ascii) > width; i++)
        brief_words(words, f, number, i % 2 ? TCPWHY_PARTY_NONE : f->party, i >= 2);
    tw_text_fit(to, words->str, width, page->ascii);
    g_string_free(words, TRUE);
}

static void in_brief(struct tw_layout *page, const struct tw_finding_row *f, size_t number)
{
    GString *words = g_string_new(NULL);
    char text[TW_NUMBER_TEXT];
    unsigned width;

    tw_number_cost(f->cost_ns, text);
    width = page->columns - (unsigned)strlen(text) - 5;
    fit_words(words, f, number, page, width);
    tw_layout_put(page, TW_TONE_PLAIN, words->str);
    tw_layout_tab(page, width + 2);
    tw_layout_putf(page, TW_TONE_PLAIN, "%s ms", text);
    tw_layout_end_line(page);
    g_string_free(words, TRUE);
}

static void left_out(struct tw_layout *page, size_t n)
{
    if (n == 0)
        return;
    tw_layout_putf(page, TW_TONE_QUIET, "and %zu more that cost less", n);
    tw_layout_end_line(page);
}

void tw_text_findings(struct tw_layout *page, const tcpwhy_report *report)
{
    size_t n, brief = 0, i;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    for (i = 0; i < n; i++) {
        if (i < MAX_FULL && f[i].cost_ns >= f[0].cost_ns / SMALL_PART) {
            in_full(page, &f[i], i + 1, has_file(report));
            continue;
        }
        if (brief++ == MAX_BRIEF)
            break;
        in_brief(page, &f[i], i + 1);
    }
    left_out(page, n - i);
}

int tcpwhy_render_finding_text(const struct tcpwhy_finding *finding,
                               const struct tcpwhy_style *style, tcpwhy_write_fn write, void *user)
{
    g_autofree struct tw_finding_row *row = tw_finding_of_view(finding);
    struct tw_layout page;
    struct tw_writer out;

    tw_writer_init(&out, write, user);
    if (!tw_layout_init(&page, &out, style))
        return TCPWHY_ERR_ARGUMENT;
    in_full(&page, row, 0, false);
    return tw_writer_finish(&out);
}
