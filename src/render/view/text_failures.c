/* SPDX-License-Identifier: MIT */
/*
 * Failures: how many of a sort, the first of them in full, the frames and clues that prove it, the
 * fix.
 */
#include "base/number.h"
#include "render/view/text_parts.h"
#include "render/writers/text.h"

/* So many sorts are shown in full; the others get a line each. */
#define MAX_FULL    3
#define MAX_BRIEF   8
#define LABEL_WIDTH 11 /* "   frames  " */

static const char *who(enum tcpwhy_culprit culprit)
{
    switch (culprit) {
    case TCPWHY_BY_CLIENT:
        return "client";
    case TCPWHY_BY_SERVER:
        return "server";
    case TCPWHY_BY_BOX:
        return "middlebox";
    case TCPWHY_BY_BOX_NEAR_CLIENT:
        return "middlebox near the client";
    case TCPWHY_BY_BOX_NEAR_SERVER:
        return "middlebox near the server";
    case TCPWHY_BY_UNKNOWN:
        break;
    }
    return "origin not known";
}

const char *tw_failure_seen_as(enum tcpwhy_seen_as how)
{
    switch (how) {
    case TCPWHY_SEEN_RESET:
        return "connection reset by peer (ECONNRESET)";
    case TCPWHY_SEEN_TIMEOUT:
        return "timeout";
    case TCPWHY_SEEN_REFUSED:
        return "connection refused (ECONNREFUSED)";
    case TCPWHY_SEEN_UNREACHABLE:
        return "no route to host (EHOSTUNREACH)";
    case TCPWHY_SEEN_END_OF_FILE:
        return "unexpected end of file; behind a proxy 502";
    case TCPWHY_SEEN_SHORT_READ:
        return "short read: fewer bytes than announced";
    case TCPWHY_SEEN_NO_ADDRESS:
        return "cannot assign requested address (EADDRNOTAVAIL); behind a proxy 502";
    case TCPWHY_SEEN_TRY_AGAIN:
        return "temporary failure in name resolution (EAI_AGAIN)";
    case TCPWHY_SEEN_DELAY:
        break;
    }
    return "a delay";
}

void tw_failure_title(GString *to, const struct tw_failure_row *f)
{
    const char *title = tcpwhy_failure_info(f->kind)->title;

    g_string_append_c(to, g_ascii_toupper(title[0]));
    g_string_append(to, title + 1);
    if (f->stream != TCPWHY_NO_STREAM)
        g_string_append_printf(to, " (%s)", who(f->who));
}

static void headline(struct tw_layout *page, const struct tw_failure_row *f)
{
    GString *title = g_string_new(NULL), *right = g_string_new(NULL), *fitted = g_string_new(NULL);
    char text[TW_NUMBER_TEXT];
    unsigned width;

    tw_failure_title(title, f);
    g_string_append_printf(
        right, "%s%s  %s", f->of_sort > 1 ? tw_number_count(f->of_sort, text) : "",
        f->of_sort > 1 ? " times" : "once", tcpwhy_confidence_name(f->confidence));
    tw_layout_putf(page, TW_TONE_STRONG, "%-3s", "!");
    width = page->columns - tw_text_width(right->str, page->ascii);
    tw_text_fit(fitted, title->str, width - page->at - 2, page->ascii);
    tw_layout_put(page, TW_TONE_BAD, fitted->str);
    tw_layout_tab(page, width);
    tw_layout_put(page, TW_TONE_STRONG, right->str);
    tw_layout_end_line(page);
    g_string_free(fitted, TRUE);
    g_string_free(right, TRUE);
    g_string_free(title, TRUE);
}

static void evidence(struct tw_layout *page, const struct tw_failure_row *f)
{
    GString *text = g_string_new(NULL);

    for (size_t i = 0; i < f->n_frames; i++)
        g_string_append_printf(text, "%s%u", i > 0 ? ", " : "", f->frames[i]);
    if (f->stream != TCPWHY_NO_STREAM)
        g_string_append_printf(text, " of stream %u", f->stream);
    if (f->n_frames > 0)
        tw_layout_entry(page, LABEL_WIDTH, "   frames", TW_TONE_PLAIN, text->str);
    g_string_truncate(text, 0);
    for (size_t i = 0; i < f->n_clues; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? "; " : "", f->clues[i].text);
    if (f->n_clues > 0)
        tw_layout_entry(page, LABEL_WIDTH, "   clues", TW_TONE_PLAIN, text->str);
    g_string_free(text, TRUE);
}

static void in_full(struct tw_layout *page, const struct tw_failure_row *f)
{
    headline(page, f);
    tw_layout_tab(page, 3);
    tw_layout_paragraph(page, 3, TW_TONE_PLAIN, f->summary);
    tw_layout_entry(page, LABEL_WIDTH, "   seen as", TW_TONE_PLAIN, tw_failure_seen_as(f->seen_as));
    evidence(page, f);
    tw_layout_entry(page, LABEL_WIDTH, "   fix", TW_TONE_NOTE, f->remedy);
}

/* Findings tell of SYNs that were refused or not answered, with their time. */
static bool is_told(const tcpwhy_report *report, const struct tw_failure_row *f)
{
    size_t n;
    const struct tw_finding_row *finding = tw_report_findings(report, &n);
    enum tcpwhy_cause cause = TCPWHY_CONNECT_RETRY;

    if (f->kind == TCPWHY_FAILURE_CONNECT_REFUSED)
        cause = TCPWHY_CONNECT_REFUSED;
    else if (f->kind != TCPWHY_FAILURE_CONNECT_TIMEOUT)
        return false;
    for (size_t i = 0; i < n; i++)
        if (finding[i].cause == cause)
            return true;
    return false;
}

void tw_text_failures(struct tw_layout *page, const tcpwhy_report *report)
{
    unsigned full = 0, brief = 0;
    size_t n;
    const struct tw_failure_row *f = tw_report_failures(report, &n);

    for (size_t i = 0; i < n; i += f[i].of_sort) {
        if (is_told(report, &f[i]))
            continue;
        if (full < MAX_FULL) {
            tw_layout_end_line(page);
            in_full(page, &f[i]);
            full++;
        } else if (brief++ < MAX_BRIEF) {
            headline(page, &f[i]);
        }
    }
}

bool tw_failure_sentence(GString *to, const tcpwhy_report *report)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    size_t n;
    const struct tw_failure_row *f = tw_report_failures(report, &n);
    char server[TCPWHY_ENDPOINT_TEXT], count[TW_NUMBER_TEXT];

    if (n == 0 || is_told(report, f))
        return false;
    tw_failure_title(to, f);
    if (f->kind == TCPWHY_FAILURE_PORTS_USED_UP || f->stream == TCPWHY_NO_STREAM) {
        g_string_append_printf(to, ": %s", f->summary);
        return true;
    }
    g_string_append_printf(to, " %s %s", f->in_all_ns > 0 ? "delayed" : "broke",
                           tw_number_count(f->of_sort, count));
    g_string_append_printf(to, " of %s connection%s to %s",
                           tw_number_count(tw_report_capture(report)->streams, count),
                           tw_report_capture(report)->streams == 1 ? "" : "s",
                           tcpwhy_endpoint_format(&f->server, server));
    if (f->in_all_ns > 0)
        g_string_append_printf(to, " by %s", tw_number_duration(f->in_all_ns, count));
    if (f->in_all_ns > 0 && f->of_sort > 1)
        g_string_append(to, " in all");
    if (v->failures > f->of_sort)
        g_string_append_printf(to, "; %s failed otherwise",
                               tw_number_count(v->failures - f->of_sort, count));
    g_string_append(to, ".");
    return true;
}
