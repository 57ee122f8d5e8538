/* SPDX-License-Identifier: MIT */
/*
 * The parts of a document as HTML.
 */
#include "base/number.h"
#include "base/text.h"
#include "render/writers/form.h"
#include "render/writers/html.h"

static void sentence(struct tw_layout *page, enum tw_tone tone, const char *text)
{
    tw_html_open(page->out, "section",
                 tone == TW_TONE_BAD    ? "verdict bad"
                 : tone == TW_TONE_WARN ? "verdict warn"
                                        : "verdict good");
    tw_html_element(page->out, "p", "sentence", text);
}

static void note(struct tw_layout *page, enum tw_tone tone, const char *text)
{
    tw_html_element(page->out, "p", tone == TW_TONE_WARN ? "note" : "q", text);
}

static void heading(struct tw_layout *page, const char *section, const char *text)
{
    if (section) {
        tw_html_open(page->out, "section", section);
        tw_writer_text(page->out, "\n");
    }
    tw_html_element(page->out, section ? "h2" : "h3", NULL, text);
    tw_writer_text(page->out, "\n");
}

static void end(struct tw_layout *page)
{
    tw_writer_text(page->out, "</section>\n");
}

static void more(struct tw_layout *page, unsigned indent, size_t n, const char *what)
{
    (void)indent;
    tw_writer_printf(page->out, "<p class=\"q\">and %s %s</p>\n", tw_count(n).text, what);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *class_of(const struct tw_column *column, enum tw_tone tone)
{
    static const char *const classes[TW_N_TONES] = { [TW_TONE_GOOD] = "n good",
                                                     [TW_TONE_BAD] = "n bad",
                                                     [TW_TONE_WARN] = "n warn",
                                                     [TW_TONE_QUIET] = "n q" };
    const char *both = classes[tone] ? classes[tone] : "n";

    return column->right ? both : classes[tone] ? both + 2 : NULL;
}

static void head(struct tw_writer *out, const struct tw_table *table)
{
    tw_writer_text(out, "<div class=\"wide\"><table><thead><tr>");
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].bar)
            continue;
        tw_writer_text(out, table->columns[c].right ? "<th scope=\"col\" class=\"n\">"
                                                    : "<th scope=\"col\">");
        tw_writer_escaped(out, table->columns[c].title);
        tw_writer_text(out, "</th>");
    }
    tw_writer_text(out, "</tr></thead>\n<tbody>\n");
}

/* The first column names the row; a cause shows its colour. */
static void name(struct tw_writer *out, const char *text)
{
    enum tcpwhy_cause cause;

    tw_writer_text(out, "<tr><th scope=\"row\" class=\"name\">");
    if (tcpwhy_cause_by_name(text, &cause)) {
        tw_html_element(out, "i", tw_cause_class("", cause).text, "");
        tw_writer_text(out, "<span title=\"");
        tw_writer_escaped(out, tcpwhy_cause_info(cause)->title);
        tw_writer_text(out, "\">");
        tw_writer_escaped(out, text);
        tw_writer_text(out, "</span>");
    } else {
        tw_writer_escaped(out, text);
    }
    tw_writer_text(out, "</th>");
}

static void table(struct tw_layout *page, const struct tw_table *table)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    head(page->out, table);
    for (size_t r = 0; r < table->n_rows && !page->out->stopped; r++) {
        for (size_t c = 0; c < table->n_columns; c++) {
            enum tw_tone tone = TW_TONE_PLAIN;

            if (table->columns[c].bar)
                continue;
            tw_string_truncate(text, 0);
            table->cell(page, table->data, r, c, text, &tone);
            if (c == 0)
                name(page->out, text->str);
            else
                tw_html_element(page->out, "td", class_of(&table->columns[c], tone), text->str);
        }
        tw_writer_text(page->out, "</tr>\n");
    }
    tw_writer_text(page->out, "</tbody></table></div>\n");
}

/* ---- records --------------------------------------------------------------------------------- */

static void list(struct tw_layout *page, const char *title)
{
    heading(page, "findings", title);
}

/* To the frames, in the graphs of their stream; without the script, to that stream's row. */
static void link_to(struct tw_layout *page, const struct tw_frames *f)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_frames_text(text, f);
    if (f->stream == TCPWHY_NO_STREAM) {
        tw_writer_escaped(page->out, f->n == 1 ? "frame " : "frames ");
        tw_writer_escaped(page->out, text->str);
        return;
    }
    tw_writer_printf(page->out, "<a href=\"#%s-s%u\" data-stream=\"%u\"", page->links, f->stream,
                     f->stream);
    if (f->n > 0)
        tw_writer_printf(page->out, " data-frames=\"%u-%u\"", f->frame[0], f->frame[f->n - 1]);
    tw_writer_text(page->out, f->n == 0 ? ">" : f->n == 1 ? ">frame " : ">frames ");
    tw_writer_escaped(page->out, text->str);
    tw_writer_text(page->out, "</a>");
}

static void line(void *user, const struct tw_field *field, const struct tw_frames *frames,
                 enum tw_tone tone, const char *text)
{
    struct tw_layout *page = user;

    (void)tone;
    if (!field->label[0]) {
        tw_html_element(page->out, "p", NULL, text);
        return;
    }
    tw_writer_printf(page->out, "<p class=\"%s\"><b>%c%s</b> ", frames ? "frames" : "change",
                     g_ascii_toupper(field->label[0]), field->label + 1);
    if (frames)
        link_to(page, frames);
    tw_writer_escaped(page->out, text);
    tw_writer_text(page->out, "</p>\n");
}

/* Title, cost, owner, confidence. */
static void item_head(struct tw_writer *out, const struct tw_item *item)
{
    tw_writer_text(out, "<header><h3>");
    tw_html_element(out, "span", "rank", item->mark ? item->mark : tw_count(item->number).text);
    tw_writer_escaped(out, item->title->str);
    tw_writer_text(out, "</h3>");
    tw_html_element(out, "strong", "cost", item->cost->str);
    tw_html_element(out, "span", "holder", item->holder->str);
    tw_html_element(out, "span", item->confidence == TCPWHY_CERTAIN ? "sure" : "sure doubt",
                    tcpwhy_confidence_name(item->confidence));
    tw_writer_text(out, "</header>\n");
}

/* Texts of causes hold paragraphs and lines of code. */
static void paragraphs(struct tw_writer *out, const char *text)
{
    g_auto(tw_strv) lines = tw_strsplit(text, "\n");

    for (size_t i = 0; lines[i]; i++) {
        if (g_str_has_prefix(lines[i], "    "))
            tw_html_element(out, "pre", NULL, lines[i] + 4);
        else if (lines[i][0])
            tw_html_element(out, "p", NULL, lines[i]);
    }
}

static void about(struct tw_writer *out, enum tcpwhy_cause cause)
{
    const struct tcpwhy_cause_info *info = tcpwhy_cause_info(cause);

    if (cause == TCPWHY_CAUSE_NONE)
        return;
    tw_writer_text(out, "<details><summary>What this is, and how to confirm it</summary>\n");
    paragraphs(out, info->what);
    tw_writer_text(out, "<h4>How to confirm it</h4>\n");
    paragraphs(out, info->confirm);
    tw_writer_text(out, "</details>\n");
}

/* Its classes; what has no cause has no colour. */
static struct tw_short_text classes_of(const struct tw_item *item, const char *class)
{
    struct tw_short_text own = { "" };

    if (item->cause != TCPWHY_CAUSE_NONE)
        return tw_cause_class(class, item->cause);
    g_strlcpy(own.text, class, sizeof own.text);
    return own;
}

static void item(struct tw_layout *page, const struct tw_item *item, const struct tw_field *fields,
                 const void *record)
{
    tw_html_open(page->out, "article", classes_of(item, "finding").text);
    tw_writer_text(page->out, "\n");
    item_head(page->out, item);
    tw_fields_lines(fields, record, line, page);
    about(page->out, item->about);
    tw_writer_text(page->out, "</article>\n");
}

static void briefs(struct tw_layout *page, const char *title)
{
    if (!title) {
        tw_writer_text(page->out, "</ol>\n");
        return;
    }
    tw_html_element(page->out, "h3", NULL, title);
    tw_writer_text(page->out, "\n<ol class=\"brief\">\n");
}

static void brief(struct tw_layout *page, const struct tw_item *item)
{
    tw_html_open(page->out, "li", classes_of(item, "").text);
    tw_writer_escaped(page->out, item->title->str);
    tw_writer_text(page->out, ", ");
    tw_writer_escaped(page->out, item->holder->str);
    tw_writer_printf(page->out, " <b>%s</b> ", item->cost->str);
    link_to(page, &item->frames);
    tw_writer_text(page->out, "</li>\n");
}

/* A page scrolls: it shows more than a screen. */
const struct tw_form tw_form_html = {
    .max_full = 6,
    .max_brief = 30,
    .max_facts = SIZE_MAX,
    .small_part = 50,
    .sentence = sentence,
    .note = note,
    .heading = heading,
    .end = end,
    .table = table,
    .more = more,
    .list = list,
    .item = item,
    .briefs = briefs,
    .brief = brief,
};
