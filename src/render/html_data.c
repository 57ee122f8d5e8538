/* SPDX-License-Identifier: MIT */
/*
 * A page shall open at once and pass as an attachment, so its bytes are shared out: half to all
 * streams alike, half to those that lost most.
 */
#include "render/html_data.h"

#include "render/html_curves.h"
#include "render/html_detail.h"
#include "render/html_streams.h"

/* Graphs of more streams would be too coarse to be worth their bytes. */
#define MAX_DETAILED 300

/* What a stream takes in words beside its graphs, more or less. */
#define WORDS_OF_STREAM 2600

/* The worst takes this part of what is left over, the next the same part of the rest ... */
#define EXTRA_PART 5
/* ... but no stream more than this: a finer graph shows no more. */
#define MAX_OF_STREAM 60000

/* Four characters of base64 hold three bytes. */
#define BASE64(n) ((n) / 4 * 3)

static void causes(struct tw_json *json)
{
    tw_json_array(json, "causes");
    for (unsigned c = 0; c < TCPWHY_N_CAUSES; c++) {
        const struct tcpwhy_cause_info *info = tcpwhy_cause_info((enum tcpwhy_cause)c);

        tw_json_array(json, NULL);
        tw_json_string(json, NULL, info->name);
        tw_json_string(json, NULL, info->title);
        tw_json_end(json);
    }
    tw_json_end(json);
}

static void words(struct tw_json *json)
{
    tw_json_object(json, "words");
    causes(json);
    tw_html_curve_words(json);
    tw_json_array(json, "classes");
    for (unsigned c = 0; c < TCPWHY_N_CLASSES; c++)
        tw_json_string(json, NULL, tcpwhy_class_name((enum tcpwhy_class)c));
    tw_json_end(json);
    tw_json_end(json);
}

/* The stream with its log, or without one where that was not kept. */
static struct tw_flow_source source_of(const struct tcpwhy_stream *stream,
                                       const struct tw_flow_source *kept, uint32_t n)
{
    uint32_t low = 0, high = n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (kept[middle].stream->stream < stream->stream)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && kept[low].stream == stream ? kept[low]
                                                 : (struct tw_flow_source) { stream, NULL };
}

static void details(struct tw_json *json, const tcpwhy_report *report, const GArray *streams,
                    struct tw_notes *notes, size_t max_bytes)
{
    guint n = MIN(streams->len, MAX_DETAILED);
    size_t words = (size_t)n * WORDS_OF_STREAM;
    size_t free_bytes = max_bytes > words ? max_bytes - words : 0;
    size_t each = n > 0 ? free_bytes / 2 / n : 0, extra = free_bytes / 2;
    struct tw_flow_source *kept;
    uint32_t n_kept = tw_flow_sources(report, &kept);

    tw_json_array(json, "streams");
    for (guint i = 0; i < n && !json->out->stopped; i++) {
        const struct tcpwhy_stream *stream = g_array_index(streams, struct tw_ranked, i).stream;
        const struct tw_flow_source source = source_of(stream, kept, n_kept);
        size_t before = json->out->total, most = MIN(each + extra / EXTRA_PART, MAX_OF_STREAM);
        size_t used;

        tw_html_detail(json, report, &source, notes, BASE64(most));
        used = json->out->total - before;
        extra -= MIN(extra, used > each + WORDS_OF_STREAM ? used - each - WORDS_OF_STREAM : 0);
    }
    tw_json_end(json);
    g_free(kept);
}

void tw_html_data(struct tw_out *out, const tcpwhy_report *report, const GArray *streams,
                  size_t max_bytes)
{
    struct tw_notes notes;
    struct tw_json json;

    tw_notes_init(&notes);
    tw_out_text(out, "<script type=\"application/json\">\n");
    tw_json_init(&json, out, 2);
    json.in_html = true;
    tw_json_object(&json, NULL);
    words(&json);
    details(&json, report, streams, &notes, max_bytes);
    tw_notes_json(&json, "notes", &notes);
    tw_json_end(&json);
    tw_out_text(out, "</script>\n");
    tw_notes_clear(&notes);
}
