/* SPDX-License-Identifier: MIT */
/*
 * Shared by all forms: which records of a list are shown in full, and frames in words.
 */
#include "render/writers/form.h"

#include "base/text.h"

/* Frames that are named. */
#define MAX_FRAMES 8

void tw_frames_text(tw_string *to, const struct tw_frames *f)
{
    for (size_t i = 0; i < f->n && i < MAX_FRAMES; i++)
        tw_string_append_printf(to, "%s%u", i > 0 ? ", " : "", f->frame[i]);
    if (f->n > MAX_FRAMES)
        tw_string_append(to, ", \u2026");
    if (f->stream != TCPWHY_NO_STREAM)
        tw_string_append_printf(to, "%sstream %u", f->n > 0 ? " of " : "", f->stream);
}

static void put(const struct tw_list *list, const void *record, size_t number, bool full)
{
    struct tw_item item = { .number = number,
                            .title = tw_string_new(NULL),
                            .place = tw_string_new(NULL),
                            .holder = tw_string_new(NULL),
                            .cost = tw_string_new(NULL) };

    list->item(&item, record);
    if (full)
        list->form->item(list->page, &item, list->fields, record);
    else
        list->form->brief(list->page, &item);
    tw_string_free(item.title, TRUE);
    tw_string_free(item.place, TRUE);
    tw_string_free(item.holder, TRUE);
    tw_string_free(item.cost, TRUE);
}

void tw_list_put(struct tw_list *list, const void *record, bool small)
{
    const struct tw_form *form = list->form;

    if (list->n++ == 0)
        form->list(list->page, list->title);
    if (!small && list->n_full < form->max_full) {
        list->n_full++;
        put(list, record, list->n, true);
        return;
    }
    if (list->n_brief++ == 0)
        form->briefs(list->page, list->small);
    if (list->n_brief <= form->max_brief)
        put(list, record, list->n, false);
}

void tw_list_end(const struct tw_list *list)
{
    const struct tw_form *form = list->form;

    if (list->n_brief > 0)
        form->briefs(list->page, NULL);
    if (list->n_brief > form->max_brief)
        form->more(list->page, 0, list->n_brief - form->max_brief, list->more);
    if (list->n > 0)
        form->end(list->page);
}

void tw_list_alone(const struct tw_list *list, const void *record)
{
    put(list, record, 0, true);
}
