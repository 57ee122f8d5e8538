/* SPDX-License-Identifier: MIT */
/*
 * A page shall open at once and pass as an attachment, so its bytes are shared out: half to all
 * streams alike, half to those that lost most.
 */
#include "base/array.h"
#include "base/counts.h"
#include "render/page/page.h"
#include "render/writers/deflate_base64.h"

/* About how many characters the texts of a stream take besides its graphs. */
#define WORDS_OF_STREAM 2600

/* Part of the remaining size that the next stream may use. */
#define EXTRA_PART 8

struct data {
    const tcpwhy_report *report;
    struct tw_writer *page;
    size_t page_began; /* bytes in the page before the data */
    struct tw_deflate_base64 *deflate;
    struct tw_json json;
    struct tw_notes notes;
};

static void causes(struct tw_json *json)
{
    tw_json_array(json, "causes");
    for (unsigned c = 0; c < TW_N_CAUSES; c++) {
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
    for (unsigned c = 0; c < TW_N_CLASSES; c++)
        tw_json_string(json, NULL, tcpwhy_class_name((enum tcpwhy_class)c));
    tw_json_end(json);
    tw_json_end(json);
}

/* The stream with its log, or without one where that was not kept. */
static struct tw_flow_source source_of(const struct tw_stream_row *stream,
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

/* Characters a byte of the page, as far as the data was compressed until now. */
static double compression(const struct data *d)
{
    size_t used = tw_writer_total(d->page) - d->page_began;

    return used > 0 ? (double)tw_writer_total(d->json.out) / (double)used : 1;
}

/* How many characters the graphs of the next of n streams may take. */
static size_t allowance(const struct data *d, guint n, size_t max_total)
{
    double left =
        max_total > tw_writer_total(d->page) ? (double)(max_total - tw_writer_total(d->page)) : 0;
    double free = MAX(left * compression(d) - (double)n * WORDS_OF_STREAM, 0);

    return (size_t)(free / 2 / n + free / 2 / EXTRA_PART);
}

static void details(struct data *d, const tw_array *streams, size_t max_total)
{
    guint n = MIN(streams->len, TW_HTML_MAX_DETAILED);
    struct tw_flow_source *kept;
    uint32_t n_kept = tw_flow_sources(d->report, &kept);

    tw_json_array(&d->json, "streams");
    for (guint i = 0; i < n && !d->page->stopped; i++) {
        const struct tw_stream_row *stream = tw_array_index(streams, struct tw_ranked, i).stream;
        const struct tw_flow_source source = source_of(stream, kept, n_kept);

        tw_deflate_base64_flush(d->deflate);
        tw_html_detail(&d->json, d->report, &source, &d->notes, allowance(d, n - i, max_total));
    }
    tw_json_end(&d->json);
    tw_free(kept);
}

void tw_html_data(struct tw_writer *page, const tcpwhy_report *report, const tw_array *streams,
                  size_t max_total)
{
    struct data d = { .report = report, .page = page };

    tw_writer_printf(page, "<script type=\"application/json\" data-packed=\"%s\">",
                     tw_deflate_base64_name);
    d.page_began = tw_writer_total(page);
    d.deflate = tw_deflate_base64_begin(page);
    tw_notes_init(&d.notes);
    tw_json_init(&d.json, tw_deflate_base64_out(d.deflate), 0);
    d.json.embedded = true;
    tw_json_object(&d.json, NULL);
    words(&d.json);
    details(&d, streams, max_total);
    tw_notes_json(&d.json, "notes", &d.notes);
    tw_json_end(&d.json);
    tw_deflate_base64_end(d.deflate);
    tw_writer_text(page, "</script>\n");
    tw_notes_clear(&d.notes);
}
