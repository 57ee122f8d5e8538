/* SPDX-License-Identifier: MIT */
/*
 * The first few findings in full, with what the cause is; the others a line each.
 */
#include "render/page/findings.h"

#include "render/writers/html.h"
#include "base/number.h"
#include "render/view/text_parts.h"

/* Findings that cost less than this part of the first are shown in brief. */
#define SMALL_PART 50
#define MAX_BRIEF  30

static void title_of(GString *to, const struct tw_finding_row *f)
{
    g_string_truncate(to, 0);
    tw_text_title(to, f->cause);
}

/* Title, owner, cost, confidence. */
static void head(struct tw_writer *out, const struct tw_finding_row *f, size_t number)
{
    g_autoptr(GString) text = g_string_new(NULL);
    char digits[TW_NUMBER_TEXT];

    title_of(text, f);
    tw_writer_text(out, "<header><h3>");
    tw_html_element(out, "span", "rank", tw_number_count(number, digits));
    tw_html_text(out, text->str);
    tw_writer_text(out, "</h3>");
    tw_html_element(out, "strong", "cost", tw_number_duration(f->cost_ns, digits));
    g_string_truncate(text, 0);
    tw_text_holder(text, &f->endpoint, f->party);
    tw_html_element(out, "span", "holder", text->str);
    tw_html_element(out, "span", f->confidence == TCPWHY_CERTAIN ? "sure" : "sure doubt",
                    tcpwhy_confidence_name(f->confidence));
    tw_writer_text(out, "</header>\n");
}

/* To the frames that prove it, in the graphs of the stream that it cost most; without the script,
 * to that stream's row. */
static void link_to_frames(struct tw_writer *out, const struct tw_finding_row *f,
                           const char *prefix)
{
    g_autoptr(GString) text = g_string_new(NULL);

    tw_writer_printf(out, "<a href=\"#%s-s%u\" data-stream=\"%u\"", prefix, f->stream, f->stream);
    if (f->n_frames > 0)
        tw_writer_printf(out, " data-frames=\"%u-%u\"", f->frames[0], f->frames[f->n_frames - 1]);
    tw_writer_text(out, f->n_frames == 0 ? ">" : f->n_frames == 1 ? ">frame " : ">frames ");
    tw_text_evidence(text, f);
    tw_html_text(out, text->str);
    tw_writer_text(out, "</a>");
}

static void evidence(struct tw_writer *out, const struct tw_finding_row *f, const char *prefix)
{
    g_autoptr(GString) others = g_string_new(NULL);

    tw_text_worst_of(others, f);
    tw_writer_text(out, "<p class=\"frames\"><b>Evidence</b> ");
    link_to_frames(out, f, prefix);
    tw_html_text(out, others->str);
    tw_writer_text(out, "</p>\n");
}

static void labelled(struct tw_writer *out, const char *label, const char *text)
{
    if (!text || !text[0])
        return;
    tw_writer_printf(out, "<p class=\"change\"><b>%s</b> ", label);
    tw_html_text(out, text);
    tw_writer_text(out, "</p>\n");
}

static void rival(struct tw_writer *out, const struct tw_finding_row *f)
{
    GString *text;

    if (f->rival == TCPWHY_CAUSE_NONE)
        return;
    text = g_string_new(tcpwhy_cause_info(f->rival)->title);
    g_string_append(text, ", which looks the same in this capture.");
    labelled(out, "Could also be", text->str);
    g_string_free(text, TRUE);
}

/* Texts of causes hold paragraphs and lines of code. */
static void paragraphs(struct tw_writer *out, const char *text)
{
    char **line = g_strsplit(text, "\n", -1);

    for (size_t i = 0; line[i]; i++) {
        if (g_str_has_prefix(line[i], "    "))
            tw_html_element(out, "pre", NULL, line[i] + 4);
        else if (line[i][0])
            tw_html_element(out, "p", NULL, line[i]);
    }
    g_strfreev(line);
}

static void about(struct tw_writer *out, enum tcpwhy_cause cause)
{
    const struct tcpwhy_cause_info *info = tcpwhy_cause_info(cause);

    tw_writer_text(out, "<details><summary>What this is, and how to confirm it</summary>\n");
    paragraphs(out, info->what);
    tw_writer_text(out, "<h4>How to confirm it</h4>\n");
    paragraphs(out, info->confirm);
    tw_writer_text(out, "</details>\n");
}

/* The first finding of a cause explains it. */
static bool is_first_of_cause(const struct tw_finding_row *f, size_t number)
{
    for (size_t i = 1; i < number; i++)
        if (f[-(ptrdiff_t)i].cause == f->cause)
            return false;
    return true;
}

static void in_full(struct tw_writer *out, const struct tw_finding_row *f, size_t number,
                    const char *prefix)
{
    char classes[TW_HTML_CLASS];

    tw_writer_printf(out, "<article class=\"finding %s\">\n",
                     tw_html_cause_class(f->cause, classes));
    head(out, f, number);
    if (f->summary && f->summary[0])
        tw_html_element(out, "p", NULL, f->summary);
    labelled(out, "Fix", f->remedy);
    rival(out, f);
    evidence(out, f, prefix);
    if (is_first_of_cause(f, number))
        about(out, f->cause);
    tw_writer_text(out, "</article>\n");
}

static void in_brief(struct tw_writer *out, const struct tw_finding_row *f, const char *prefix)
{
    g_autoptr(GString) text = g_string_new(NULL);
    char classes[TW_HTML_CLASS], number[TW_NUMBER_TEXT];

    title_of(text, f);
    g_string_append(text, ", ");
    tw_text_holder(text, &f->endpoint, f->party);
    tw_writer_printf(out, "<li class=\"%s\">", tw_html_cause_class(f->cause, classes));
    tw_html_text(out, text->str);
    tw_writer_printf(out, " <b>%s</b> ", tw_number_duration(f->cost_ns, number));
    link_to_frames(out, f, prefix);
    tw_writer_text(out, "</li>\n");
}

void tw_html_findings(struct tw_writer *out, const tcpwhy_report *report, const char *prefix)
{
    size_t n, full = 0, brief;
    const struct tw_finding_row *f = tw_report_findings(report, &n);
    char number[TW_NUMBER_TEXT];

    if (n == 0)
        return;
    tw_writer_text(out, "<section class=\"findings\">\n<h2>Findings</h2>\n");
    for (; full < n && full < TW_HTML_MAX_FINDINGS && f[full].cost_ns >= f[0].cost_ns / SMALL_PART;
         full++)
        in_full(out, &f[full], full + 1, prefix);
    if (full < n)
        tw_writer_text(out, "<h3>Smaller findings</h3>\n<ol class=\"brief\">\n");
    for (brief = full; brief < n && brief - full < MAX_BRIEF; brief++)
        in_brief(out, &f[brief], prefix);
    if (brief < n)
        tw_writer_printf(out, "<li class=\"q\">and %s more</li>\n",
                         tw_number_count(n - brief, number));
    tw_writer_text(out, full < n ? "</ol>\n</section>\n" : "</section>\n");
}
