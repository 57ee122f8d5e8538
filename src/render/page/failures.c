/* SPDX-License-Identifier: MIT */
/*
 * Failures on the page: each sort with its first instance, its clues and the fix.
 */
#include "base/number.h"
#include "render/page/findings.h"
#include "render/view/text_parts.h"
#include "render/writers/html.h"

#define MAX_SORTS 12

static void labelled(struct tw_writer *out, const char *label, const char *text)
{
    tw_writer_printf(out, "<p class=\"change\"><b>%s</b> ", label);
    tw_html_text(out, text);
    tw_writer_text(out, "</p>\n");
}

static void evidence(struct tw_writer *out, const struct tw_failure_row *f)
{
    GString *text = g_string_new(NULL);

    for (size_t i = 0; i < f->n_clues; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? "; " : "", f->clues[i].text);
    if (f->n_clues > 0)
        labelled(out, "Clues", text->str);
    g_string_assign(text, "frames ");
    for (size_t i = 0; i < f->n_frames; i++)
        g_string_append_printf(text, "%s%u", i > 0 ? ", " : "", f->frames[i]);
    if (f->stream != TCPWHY_NO_STREAM)
        g_string_append_printf(text, " of stream %u", f->stream);
    labelled(out, "Evidence", text->str);
    g_string_free(text, TRUE);
}

static void sort(struct tw_writer *out, const struct tw_failure_row *f)
{
    GString *title = g_string_new(NULL);
    char number[TW_NUMBER_TEXT];

    tw_failure_title(title, f);
    if (f->of_sort > 1)
        g_string_append_printf(title, ", %s times", tw_number_count(f->of_sort, number));
    g_string_append_printf(title, ", %s", tcpwhy_confidence_name(f->confidence));
    tw_writer_text(out, "<article class=\"finding\">\n");
    tw_html_element(out, "h3", NULL, title->str);
    tw_html_element(out, "p", NULL, f->summary);
    labelled(out, "Seen as", tw_failure_seen_as(f->seen_as));
    labelled(out, "Fix", f->remedy);
    evidence(out, f);
    tw_writer_text(out, "</article>\n");
    g_string_free(title, TRUE);
}

void tw_html_failures(struct tw_writer *out, const tcpwhy_report *report)
{
    unsigned shown = 0;
    size_t n;
    const struct tw_failure_row *f = tw_report_failures(report, &n);

    if (n == 0)
        return;
    tw_writer_text(out, "<section class=\"findings\">\n<h2>Failures</h2>\n");
    for (size_t i = 0; i < n && shown < MAX_SORTS; i += f[i].of_sort, shown++)
        sort(out, &f[i]);
    tw_writer_text(out, "</section>\n");
}
