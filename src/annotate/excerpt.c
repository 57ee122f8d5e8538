/* SPDX-License-Identifier: MIT */
/* Selects frames by number; the last few of each stream are remembered in case a later one needs
 * them. */
#include "annotate/excerpt.h"

#include "base/array.h"
#include "base/hash_table.h"
#include "report/report_rows.h"

#include <glib.h>

/* SYN, SYN/ACK, ACK and the first data frame: they have window scales and roles. */
#define OPENING_FRAMES 4

struct stream {
    uint32_t seen;      /* frames so far */
    uint32_t after;     /* number of next frames to keep */
    tw_array *evidence; /* frame numbers, sorted once reading begins */
    guint next;         /* index of the first one still to come */
    uint32_t *recent;   /* ring of the last frames that were not kept */
    uint32_t n_recent;
};

struct tw_excerpt {
    uint32_t around;
    tw_hash_table *streams; /* by number */
    tw_array *kept;         /* frame numbers */
};

static void free_stream(gpointer data)
{
    struct stream *s = data;

    tw_array_free(s->evidence, TRUE);
    tw_free(s->recent);
    tw_free(s);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static struct stream *stream_of(struct tw_excerpt *e, uint32_t number)
{
    struct stream *s = tw_hash_table_lookup(e->streams, GUINT_TO_POINTER(number));

    if (!s) {
        s = tw_new0(struct stream, 1);
        s->evidence = tw_array_new(FALSE, FALSE, sizeof(uint32_t));
        s->recent = tw_new(uint32_t, e->around + 1);
        tw_hash_table_insert(e->streams, GUINT_TO_POINTER(number), s);
    }
    return s;
}

static void sort_evidence(gpointer key, gpointer value, gpointer user)
{
    struct stream *s = value;

    (void)key;
    (void)user;
    tw_array_sort(s->evidence, by_number);
}

struct tw_excerpt *tw_excerpt_new(const tcpwhy_report *report, size_t most_findings,
                                  uint32_t around)
{
    struct tw_excerpt *e = tw_new(struct tw_excerpt, 1);
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    e->around = around;
    e->streams = tw_hash_table_new_full(NULL, NULL, NULL, free_stream);
    e->kept = tw_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (size_t i = 0; i < MIN(n, most_findings); i++)
        for (size_t k = 0; k < f[i].n_waits; k++)
            tw_array_append_vals(stream_of(e, f[i].waits[k].stream)->evidence, f[i].waits[k].frames,
                                 f[i].waits[k].n_frames);
    tw_hash_table_foreach(e->streams, sort_evidence, NULL);
    return e;
}

void tw_excerpt_free(struct tw_excerpt *e)
{
    if (!e)
        return;
    tw_hash_table_destroy(e->streams);
    tw_array_free(e->kept, TRUE);
    tw_free(e);
}

static bool is_evidence(struct stream *s, uint32_t frame)
{
    bool found = false;

    while (s->next < s->evidence->len && tw_array_index(s->evidence, uint32_t, s->next) <= frame)
        found |= tw_array_index(s->evidence, uint32_t, s->next++) == frame;
    return found;
}

static void remember(struct tw_excerpt *e, struct stream *s, uint32_t frame)
{
    if (e->around > 0)
        s->recent[s->n_recent++ % e->around] = frame;
}

static void keep_recent(struct tw_excerpt *e, struct stream *s)
{
    tw_array_append_vals(e->kept, s->recent, MIN(s->n_recent, e->around));
    s->n_recent = 0;
}

void tw_excerpt_push(struct tw_excerpt *e, uint32_t stream, uint32_t frame)
{
    struct stream *s = tw_hash_table_lookup(e->streams, GUINT_TO_POINTER(stream));
    bool proves;

    if (!s)
        return;
    proves = is_evidence(s, frame);
    if (proves) {
        keep_recent(e, s);
        s->after = e->around;
    }
    if (s->seen++ >= OPENING_FRAMES && !proves && s->after == 0) {
        remember(e, s, frame);
        return;
    }
    tw_array_append_val(e->kept, frame);
    if (!proves && s->after > 0)
        s->after--;
}

void tw_excerpt_close(struct tw_excerpt *e)
{
    tw_array_sort(e->kept, by_number);
}

bool tw_excerpt_has(const struct tw_excerpt *e, uint32_t frame)
{
    return tw_array_binary_search(e->kept, &frame, by_number, NULL);
}

size_t tw_excerpt_n_streams(const struct tw_excerpt *e)
{
    return tw_hash_table_size(e->streams);
}
