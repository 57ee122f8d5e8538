/* SPDX-License-Identifier: MIT */
/*
 * A row is, after its kind and 4 times its sender, differences to the row before, times in
 * microseconds since the beginning of the stream:
 *
 *     frame  frame, time, class, note, flags, seq, ack, len, window and 1 (0: not known)
 *     run    frame, time, class, note, last frame, last time, frames, bytes, ACKs, duplicate ones
 *     gap    time, length, cause, note
 *     cut    frame, time, last frame, last time, frames
 */
#include "base/array.h"
#include "base/hash_table.h"
#include "base/text.h"
#include "render/page/page.h"
#include "render/view/flow_words.h"

struct telling {
    const struct tw_flow_source *source;
    struct tw_notes *notes;
    struct tw_json *json;
    int64_t frame, at;      /* of the row before */
    int64_t seq[2], ack[2]; /* of the side's row before */
};

void tw_notes_init(struct tw_notes *notes)
{
    notes->index = tw_hash_table_new(tw_hash_text, g_str_equal);
    notes->list = tw_ptr_array_new_with_free_func(tw_free);
}

void tw_notes_clear(struct tw_notes *notes)
{
    tw_hash_table_destroy(notes->index);
    tw_ptr_array_free(notes->list, TRUE);
}

guint tw_notes_place(struct tw_notes *notes, const char *text)
{
    guint place = GPOINTER_TO_UINT(tw_hash_table_lookup(notes->index, text));

    if (place == 0) {
        tw_ptr_array_add(notes->list, tw_strdup(text));
        place = notes->list->len;
        tw_hash_table_insert(notes->index, tw_ptr_array_index(notes->list, place - 1),
                             GUINT_TO_POINTER(place));
    }
    return place - 1;
}

void tw_notes_json(struct tw_json *json, const char *key, const struct tw_notes *notes)
{
    tw_json_array(json, key);
    for (guint i = 0; i < notes->list->len; i++)
        tw_json_string(json, NULL, tw_ptr_array_index(notes->list, i));
    tw_json_end(json);
}

static void tell(struct telling *p, int64_t value)
{
    tw_json_int(p->json, NULL, value);
}

static void note(struct telling *p, const struct tw_flow_row *row)
{
    const struct tw_flow_columns columns = { .together = false };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    if (row->kind == TW_FLOW_GAP)
        tw_flow_gap(text, p->source, row, &columns);
    else
        tw_flow_note(text, p->source, row, &columns);
    tell(p, tw_notes_place(p->notes, text->str));
}

static int64_t since_start(const struct telling *p, const struct tw_record *r)
{
    return (r->time_ns - p->source->stream->start_ns) / TCPWHY_US(1);
}

static void frame_and_time(struct telling *p, const struct tw_record *r)
{
    tell(p, (int64_t)r->frame - p->frame);
    tell(p, since_start(p, r) - p->at);
    p->frame = r->frame;
    p->at = since_start(p, r);
}

static void frame(struct telling *p, const struct tw_flow_row *row)
{
    const struct tw_record *r = row->first;
    bool known = tw_record_knows_window(r);

    frame_and_time(p, r);
    tell(p, r->frame_class);
    note(p, row);
    tell(p, r->flags);
    tell(p, r->seq - p->seq[r->from]);
    tell(p, r->ack - p->ack[r->from]);
    tell(p, r->len);
    tell(p, known ? (int64_t)r->window_bytes + 1 : 0);
    p->seq[r->from] = r->seq;
    p->ack[r->from] = r->ack;
}

static void run(struct telling *p, const struct tw_flow_row *row)
{
    frame_and_time(p, row->first);
    tell(p, row->first->frame_class);
    note(p, row);
    frame_and_time(p, row->last);
    tell(p, row->n);
    tell(p, (int64_t)row->bytes);
    tell(p, row->n_acks);
    tell(p, row->n_duplicates);
}

static void gap(struct telling *p, const struct tw_flow_row *row)
{
    int64_t from = since_start(p, row->first), to = since_start(p, row->last);

    tell(p, from - p->at);
    tell(p, to - from);
    tell(p, row->span ? (int64_t)row->span->cause : TCPWHY_CAUSE_NONE);
    note(p, row);
    p->at = to;
}

static void cut(struct telling *p, const struct tw_flow_row *row)
{
    frame_and_time(p, row->first);
    frame_and_time(p, row->last);
    tell(p, row->n);
}

void tw_html_rows(struct tw_json *json, const struct tw_flow_source *source, uint32_t max_rows,
                  struct tw_notes *notes)
{
    static void (*const kinds[])(struct telling *, const struct tw_flow_row *) = {
        [TW_FLOW_FRAME] = frame, [TW_FLOW_RUN] = run, [TW_FLOW_GAP] = gap, [TW_FLOW_CUT] = cut
    };
    struct telling p = { .source = source, .notes = notes, .json = json };
    struct tw_flow flow;

    tw_flow_build_digest(source->stream, source->log, max_rows, &flow);
    tw_json_array(json, "rows");
    for (guint i = 0; i < flow.rows->len; i++) {
        const struct tw_flow_row *row = &tw_array_index(flow.rows, struct tw_flow_row, i);

        tell(&p, (int64_t)row->kind | (int64_t)row->first->from << 2);
        kinds[row->kind](&p, row);
    }
    tw_json_end(json);
    tw_flow_clear(&flow);
}
