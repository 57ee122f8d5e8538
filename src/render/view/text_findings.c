/* SPDX-License-Identifier: MIT */
/*
 * Findings: the cause and its owner, its cost, the frames that prove it, the fix.
 */
#include <string.h>

#include "base/number.h"
#include "render/writers/text.h"
#include "render/view/text_parts.h"

/* At most MAX_FULL findings are shown in full; the others, and those that cost less than
 * 1/SMALL_PART of the first, get a line each. */
#define MAX_FULL    3
#define SMALL_PART  3
#define MAX_BRIEF   8
#define LABEL_WIDTH 11 /* "3  frames  " */

/* The title of the cause, or its short name. */
static void cause(GString *to, const struct tw_finding_row *f, bool brief)
{
    if (brief)
        g_string_append(to, tcpwhy_cause_info(f->cause)->name);
    else
        tw_text_title(to, f->cause);
}

static void title_of(GString *to, const struct tw_finding_row *f, bool brief)
{
    g_string_truncate(to, 0);
    cause(to, f, brief);
    if (f->party != TCPWHY_PARTY_NONE)
        g_string_append_printf(to, " (%s)", tcpwhy_party_name(f->party));
}

static void headline(struct tw_layout *page, const struct tw_finding_row *f, size_t number)
{
    g_autoptr(GString) title = g_string_new(NULL), right = g_string_new(NULL),
                       fitted = g_string_new(NULL);
    char text[TW_NUMBER_TEXT];
    unsigned width;

    g_string_append_printf(right, "%s  %s", tw_number_duration(f->cost_ns, text),
                           tcpwhy_confidence_name(f->confidence));
    if (number > 0)
        tw_layout_putf(page, TW_TONE_STRONG, "%-3zu", number);
    width = page->columns - tw_text_width(right->str, page->ascii);
    title_of(title, f, false);
    if (tw_text_width(title->str, page->ascii) > width - page->at - 2)
        title_of(title, f, true);
    tw_text_fit(fitted, title->str, width - page->at - 2, page->ascii);
    tw_layout_put(page, tw_text_cause_tone(f->cause), fitted->str);
    tw_layout_tab(page, width);
    tw_layout_put(page, TW_TONE_STRONG, right->str);
    tw_layout_end_line(page);
}

/* Is there a file to look the stream up in? */
static bool has_file(const tcpwhy_report *report)
{
    const char *file = tw_report_capture(report)->file;

    return file[0] != '\0' && strcmp(file, "-") != 0;
}

static void evidence(struct tw_layout *page, const struct tw_finding_row *f, bool in_file)
{
    g_autoptr(GString) text = g_string_new(NULL);
    bool frames = tw_text_evidence(text, f);

    if (in_file)
        g_string_append_printf(text, " (tcpwhy flow -s %u)", f->stream);
    tw_text_worst_of(text, f);
    tw_layout_entry(page, LABEL_WIDTH, frames ? "   frames" : "   see", TW_TONE_PLAIN, text->str);
}

static void rival(struct tw_layout *page, const struct tw_finding_row *f)
{
    if (f->rival == TCPWHY_CAUSE_NONE)
        return;
    tw_layout_tab(page, 3);
    tw_layout_putf(page, TW_TONE_WARN, "could also be: %s (tcpwhy causes %s)",
                   tcpwhy_cause_info(f->rival)->name, tcpwhy_cause_info(f->rival)->name);
    tw_layout_end_line(page);
}

/* number 0: a single finding without a capture to look it up in. */
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
    rival(page, f);
    if (f->remedy && f->remedy[0])
        tw_layout_entry(page, LABEL_WIDTH, "   fix", TW_TONE_NOTE, f->remedy);
}

/* One listener can have a finding per client: the streams tell them apart. */
static void brief_words(GString *to, const struct tw_finding_row *f, size_t number,
                        enum tcpwhy_party party, bool brief)
{
    char text[TW_NUMBER_TEXT];

    g_string_printf(to, "%-3zu", number);
    cause(to, f, brief);
    g_string_append(to, ", ");
    tw_text_holder(to, &f->endpoint, party);
    if (f->streams > 1)
        g_string_append_printf(to, ", %s streams", tw_number_count(f->streams, text));
    else
        g_string_append_printf(to, ", stream %u", f->stream);
}

/* The longest wording that fits. */
static void fit_words(GString *to, const struct tw_finding_row *f, size_t number,
                      const struct tw_layout *page, unsigned width)
{
    g_autoptr(GString) words = g_string_new(NULL);

    brief_words(words, f, number, f->party, false);
    for (unsigned i = 1; i < 4 && tw_text_width(words->str, page->ascii) > width; i++)
        brief_words(words, f, number, i % 2 ? TCPWHY_PARTY_NONE : f->party, i >= 2);
    tw_text_fit(to, words->str, width, page->ascii);
}

static void in_brief(struct tw_layout *page, const struct tw_finding_row *f, size_t number)
{
    g_autoptr(GString) words = g_string_new(NULL);
    char text[TW_NUMBER_TEXT];
    unsigned width;

    tw_number_duration(f->cost_ns, text);
    width = page->columns - (unsigned)strlen(text) - 2;
    fit_words(words, f, number, page, width);
    tw_layout_put(page, TW_TONE_PLAIN, words->str);
    tw_layout_tab(page, width + 2);
    tw_layout_put(page, TW_TONE_PLAIN, text);
    tw_layout_end_line(page);
}

static void left_out(struct tw_layout *page, size_t n)
{
    if (n == 0)
        return;
    tw_layout_putf(page, TW_TONE_QUIET, "and %zu smaller ones", n);
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

void tw_text_finding(struct tw_layout *page, const struct tw_finding_row *finding)
{
    in_full(page, finding, 0, false);
}
