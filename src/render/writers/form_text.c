/* SPDX-License-Identifier: MIT */
/*
 * The parts of a document on a terminal.
 */
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "render/writers/form.h"
#include "render/writers/text.h"

#define INDENT      3  /* of what stands below the head of an item */
#define LABEL_WIDTH 11 /* "   frames  " */

static void sentence(struct tw_layout *page, enum tw_tone tone, const char *text)
{
    tw_layout_end_line(page);
    tw_layout_paragraph(page, 0, tone, text);
}

static void note(struct tw_layout *page, enum tw_tone tone, const char *text)
{
    tw_layout_entry(page, 2, tone == TW_TONE_WARN ? "!" : "-", tone, text);
}

static void heading(struct tw_layout *page, const char *section, const char *text)
{
    (void)section;
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, text);
}

static void more(struct tw_layout *page, unsigned indent, size_t n, const char *what)
{
    tw_layout_tab(page, indent);
    tw_layout_putf(page, TW_TONE_QUIET, "and %zu %s", n, what);
    tw_layout_end_line(page);
}

/* Nothing is said where a list begins or ends: its records say what they are. */
static void say_nothing(struct tw_layout *page, const char *title)
{
    (void)page;
    (void)title;
}

static void end(struct tw_layout *page)
{
    (void)page;
}

/* ---- a record -------------------------------------------------------------------------------- */

static void mark(struct tw_layout *page, const struct tw_item *item)
{
    if (item->number > 0 && !item->mark)
        tw_layout_putf(page, TW_TONE_STRONG, "%-3zu", item->number);
    else if (item->mark)
        tw_layout_putf(page, TW_TONE_STRONG, "%-3s", item->mark);
}

static void title_of(tw_string *to, const struct tw_item *item, const char *title)
{
    tw_string_assign(to, title);
    if (item->whose)
        tw_string_append_printf(to, " (%s)", item->whose);
}

static void head(struct tw_layout *page, const struct tw_item *item)
{
    g_autoptr(tw_string) title = tw_string_new(NULL), right = tw_string_new(NULL),
                         fitted = tw_string_new(NULL);
    unsigned width;

    tw_string_append_printf(right, "%s  %s", item->cost->str,
                            tcpwhy_confidence_name(item->confidence));
    mark(page, item);
    width = tw_layout_text_columns(page) - tw_text_width(right->str, page->ascii);
    title_of(title, item, item->title->str);
    if (item->brief && tw_text_width(title->str, page->ascii) > width - page->at - 2)
        title_of(title, item, item->brief);
    tw_text_fit(fitted, title->str, width - page->at - 2, page->ascii);
    tw_layout_put(page, item->tone, fitted->str);
    tw_layout_tab(page, width);
    tw_layout_put(page, TW_TONE_STRONG, right->str);
    tw_layout_end_line(page);
}

struct lines {
    struct tw_layout *page;
    const struct tw_item *item;
};

static void put_frames(struct tw_layout *page, const struct tw_frames *frames, enum tw_tone tone,
                       const char *behind)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_frames_text(text, frames);
    if (page->links && frames->stream != TCPWHY_NO_STREAM)
        tw_string_append_printf(text, " (tcpwhy flow -s %u)", frames->stream);
    tw_string_append(text, behind);
    tw_layout_entry(page, LABEL_WIDTH, frames->n > 0 ? "   frames" : "   see", tone, text->str);
}

static void line(void *user, const struct tw_field *field, const struct tw_frames *frames,
                 enum tw_tone tone, const char *text)
{
    const struct lines *lines = user;
    struct tw_layout *page = lines->page;
    tw_autofree char *label = tw_strdup_printf("   %s", field->label);

    if (frames) {
        if (lines->item->number > 0)
            put_frames(page, frames, tone, text);
    } else if (!field->label[0]) {
        tw_layout_tab(page, INDENT);
        tw_layout_paragraph(page, INDENT, tone, text);
    } else if (strlen(label) < LABEL_WIDTH) {
        tw_layout_entry(page, LABEL_WIDTH, label, tone, text);
    } else {
        tw_layout_tab(page, INDENT);
        tw_layout_putf(page, tone, "%s: %s", field->label, text);
        tw_layout_end_line(page);
    }
}

static void item(struct tw_layout *page, const struct tw_item *item, const struct tw_field *fields,
                 const void *record)
{
    struct lines lines = { page, item };

    if (item->mark)
        tw_layout_end_line(page);
    head(page, item);
    tw_fields_lines(fields, record, line, &lines);
}

/* ---- a record in one line -------------------------------------------------------------------- */

/* One listener can have a finding per client: the streams tell them apart. */
static void words(tw_string *to, const struct tw_item *item, bool title, bool holder)
{
    tw_string_printf(to, "%-3zu%s, %s, ", item->number, title ? item->title->str : item->brief,
                     holder ? item->holder->str : item->place->str);
    if (item->streams > 1) {
        tw_string_append_printf(to, "%s streams", tw_count(item->streams).text);
    } else if (item->frames.stream != TCPWHY_NO_STREAM) {
        tw_string_append_printf(to, "stream %u", item->frames.stream);
    }
}

/* The longest wording that fits. */
static void brief(struct tw_layout *page, const struct tw_item *item)
{
    g_autoptr(tw_string) text = tw_string_new(NULL), fitted = tw_string_new(NULL);
    unsigned width = tw_layout_text_columns(page) - tw_text_width(item->cost->str, page->ascii) - 2;

    if (!item->brief) {
        head(page, item);
        return;
    }
    words(text, item, true, true);
    for (unsigned i = 1; i < 4 && tw_text_width(text->str, page->ascii) > width; i++)
        words(text, item, i < 2, i % 2 == 0);
    tw_text_fit(fitted, text->str, width, page->ascii);
    tw_layout_put(page, TW_TONE_PLAIN, fitted->str);
    tw_layout_tab(page, width + 2);
    tw_layout_put(page, TW_TONE_PLAIN, item->cost->str);
    tw_layout_end_line(page);
}

/* A screen shows the first few. */
const struct tw_form tw_form_text = {
    .max_full = 3,
    .max_brief = 8,
    .max_facts = 4,
    .small_part = 3,
    .sentence = sentence,
    .note = note,
    .heading = heading,
    .end = end,
    .table = tw_table_draw,
    .more = more,
    .list = say_nothing,
    .item = item,
    .briefs = say_nothing,
    .brief = brief,
};
