/* SPDX-License-Identifier: MIT */
/*
 * The parts of a document, and how they are written: each document is laid out once, as calls of a
 * form, of which there is one for text and one for HTML. The page of HTML is as wide as can be.
 */
#ifndef TW_RENDER_WRITERS_FORM_H
#define TW_RENDER_WRITERS_FORM_H

#include "base/text.h"
#include "render/writers/fields.h"

/* What leads a record that is told line by line, or in one line. */
struct tw_item {
    size_t number;    /* in its list, or 0 */
    const char *mark; /* instead of it; NULL: a record by itself, whose frames nobody can open */
    tw_string *title;
    const char *brief; /* where the title does not fit; NULL: nothing else */
    const char *whose; /* "server"; NULL: nobody's */
    tw_string *place;  /* "10.9.0.2:8080" */
    tw_string *holder; /* "10.9.0.2:8080 (server)" */
    tw_string *cost;
    enum tcpwhy_confidence confidence;
    enum tw_tone tone;
    enum tcpwhy_cause cause; /* whose colour it has */
    enum tcpwhy_cause about; /* told where there is room for it, the first time */
    struct tw_frames frames;
    uint32_t streams; /* so many of them; the frames are of one */
};

struct tw_form {
    size_t max_full, max_brief; /* of a list; then it is left out */
    size_t max_facts;           /* of a capture */
    unsigned small_part;        /* below this part of the largest a record is told in one line */

    void (*sentence)(struct tw_layout *page, enum tw_tone tone, const char *text);
    void (*note)(struct tw_layout *page, enum tw_tone tone, const char *text);
    /* section: the class of one that it begins, which end() ends; NULL: none */
    void (*heading)(struct tw_layout *page, const char *section, const char *text);
    void (*end)(struct tw_layout *page);
    tw_table_fn *table;
    void (*more)(struct tw_layout *page, unsigned indent, size_t n, const char *what);

    void (*list)(struct tw_layout *page, const char *title); /* end() ends it */
    void (*item)(struct tw_layout *page, const struct tw_item *item, const struct tw_field *fields,
                 const void *record);
    void (*briefs)(struct tw_layout *page, const char *title); /* NULL: they end */
    void (*brief)(struct tw_layout *page, const struct tw_item *item);
};

extern const struct tw_form tw_form_text, tw_form_html;

/* A list of records, as many of them as the form has room for. */
struct tw_list {
    const struct tw_form *form;
    struct tw_layout *page;
    const char *title, *small, *more; /* of all, of those in one line, of those left out */
    const struct tw_field *fields;
    /* Fill it in; texts are there, and empty. */
    void (*item)(struct tw_item *item, const void *record);
    size_t n, n_full, n_brief;
};

/* The next of them. */
void tw_list_put(struct tw_list *list, const void *record, bool small);
void tw_list_end(const struct tw_list *list);
/* One alone. */
void tw_list_alone(const struct tw_list *list, const void *record);

/* "36, 38, \u2026 of stream 3", or "stream 3", appended. */
void tw_frames_text(tw_string *to, const struct tw_frames *frames);

#endif
