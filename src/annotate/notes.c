/* SPDX-License-Identifier: MIT */
/* Knows what is said of a frame; how it gets into a file is known by others. */
#include "annotate/notes.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "render/writers/text.h"
#include "report/report_rows.h"

/* An option's value ends at 65535 bytes; longer texts are cut at the end of a line or a character
 * well before. */
#define SUMMARY_BYTES 32768
#define NOTE_BYTES    4096

#define SUMMARY_COLUMNS 80

struct tw_notes {
    tw_array *notes; /* struct tw_note */
    tw_string_chunk *texts;
};

static void append_safe(tw_string *to, const char *text)
{
    char token[TW_TEXT_TOKEN];

    while (text && *text && to->len < NOTE_BYTES) {
        tw_text_next(&text, false, token);
        tw_string_append(to, token);
    }
}

/* "tcpwhy: finding 1, nagle_delayed_ack" */
static tw_string *begin_note(const struct tw_finding_row *f, size_t number)
{
    tw_string *text = tw_string_new(NULL);

    tw_string_append_printf(text, "tcpwhy: finding %zu, %s", number,
                            tcpwhy_cause_info(f->cause)->name);
    return text;
}

static void append_endpoint(tw_string *text, const struct tcpwhy_endpoint *endpoint)
{
    if (endpoint->version != 0)
        tw_string_append_printf(text, ", at %s", tw_endpoint(endpoint).text);
}

static void say_beginning(tw_string *text, const struct tcpwhy_wait *wait)
{
    tw_string_append_printf(text, ": a wait of %s ms begins here and ends with frame %u",
                            tw_cost(wait->ns).text, wait->frames[wait->n_frames - 1]);
}

static void say_middle(tw_string *text, const struct tcpwhy_wait *wait)
{
    tw_string_append_printf(text, ": decides the wait of %s ms from frame %u to frame %u",
                            tw_cost(wait->ns).text, wait->frames[0],
                            wait->frames[wait->n_frames - 1]);
}

/* The end of a wait carries everything: who, how much in all, and what to change. */
static void say_end(tw_string *text, const struct tw_finding_row *f, const struct tcpwhy_wait *wait)
{
    tw_string_append_printf(text, " (%s, %s)", tcpwhy_party_name(f->party),
                            tcpwhy_confidence_name(f->confidence));
    append_endpoint(text, &f->endpoint);
    tw_string_append_printf(text, ": waited %s ms", tw_cost(wait->ns).text);
    if (wait->n_frames > 1)
        tw_string_append_printf(text, " since frame %u", wait->frames[0]);
    tw_string_append_printf(text, ", %s ms in all. ", tw_cost(f->cost_ns).text);
    append_safe(text, f->summary);
    if (f->remedy && *f->remedy) {
        tw_string_append(text, " Change: ");
        append_safe(text, f->remedy);
    }
}

static void add_note(struct tw_notes *notes, uint32_t frame, tw_string *text)
{
    struct tw_note note = { frame, tw_string_chunk_insert_const(notes->texts, text->str) };

    tw_array_append_val(notes->notes, note);
    tw_string_free(text, TRUE);
}

static void add_wait(struct tw_notes *notes, const struct tw_finding_row *f, size_t number,
                     const struct tcpwhy_wait *wait)
{
    for (uint32_t i = 0; i < wait->n_frames; i++) {
        tw_string *text = begin_note(f, number);

        if (i + 1 == wait->n_frames)
            say_end(text, f, wait);
        else if (i == 0)
            say_beginning(text, wait);
        else
            say_middle(text, wait);
        add_note(notes, wait->frames[i], text);
    }
}

/* Texts are kept once each, so that alike ones of one frame stand side by side. */
static int by_frame(const void *a, const void *b)
{
    const struct tw_note *x = a, *y = b;

    if (x->frame != y->frame)
        return x->frame < y->frame ? -1 : 1;
    return strcmp(x->text, y->text);
}

struct tw_notes *tw_notes_new(const tcpwhy_report *report, size_t most_findings)
{
    struct tw_notes *notes = tw_new(struct tw_notes, 1);
    size_t n;
    const struct tw_finding_row *finding = tw_report_findings(report, &n);

    notes->notes = tw_array_new(FALSE, FALSE, sizeof(struct tw_note));
    notes->texts = tw_string_chunk_new(4096);
    for (size_t i = 0; i < MIN(n, most_findings); i++)
        for (size_t k = 0; k < finding[i].n_waits; k++)
            add_wait(notes, &finding[i], i + 1, &finding[i].waits[k]);
    tw_array_sort(notes->notes, by_frame);
    return notes;
}

void tw_notes_free(struct tw_notes *notes)
{
    if (!notes)
        return;
    tw_array_free(notes->notes, TRUE);
    tw_string_chunk_free(notes->texts);
    tw_free(notes);
}

const struct tw_note *tw_notes_on(const struct tw_notes *notes, uint32_t frame, size_t *n)
{
    const struct tw_note *all = (const struct tw_note *)(void *)notes->notes->data;
    size_t n_all = notes->notes->len, from = 0, to = n_all;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (all[middle].frame < frame)
            from = middle + 1;
        else
            to = middle;
    }
    for (to = from; to < n_all && all[to].frame == frame;)
        to++;
    *n = to - from;
    return *n > 0 ? &all[from] : NULL;
}

static bool append_text(void *user, const char *bytes, size_t len)
{
    tw_string_append_len(user, bytes, (gssize)len);
    return true;
}

char *tw_notes_summary(const tcpwhy_report *report, const char *extra)
{
    const struct tcpwhy_render_options options = { .struct_size = sizeof options,
                                                   .columns = SUMMARY_COLUMNS };
    tw_string *text = tw_string_new("tcpwhy " TCPWHY_VERSION "\n");
    char *end;

    if (*extra)
        tw_string_append_printf(text, "%s\n", extra);
    if (tcpwhy_render(report, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_TEXT, &options, append_text,
                      text) == TCPWHY_ERR_MEMORY)
        tw_out_of_memory(0);
    if (text->len > SUMMARY_BYTES) {
        tw_string_truncate(text, SUMMARY_BYTES);
        end = strrchr(text->str, '\n');
        tw_string_truncate(text, end ? (gsize)(end - text->str) : 0);
    }
    return g_strchomp(tw_string_free(text, FALSE));
}
