/* SPDX-License-Identifier: MIT */
/*
 * Table of captures: one row, also for a failed analysis. Only this table has the path; others
 * refer to capture_id.
 */
#include <tcpwhy/version.h>

#include "base/text.h"
#include "render/view/names.h"
#include "tables/json_cell.h"
#include "tables/put.h"

#define FILE_COLUMNS(X)                                                                            \
    X(text, REQUIRED, capture_id, c->id, "first 16 hexadecimal digits of SHA-256 of path")         \
    X(text, REQUIRED, path, c->path, "capture file; of rotated ones, the first")                   \
    X(int, REQUIRED, files, c->files, "rotated files read as this capture")                        \
    X(nonzero, NULLABLE, size_bytes, c->size_bytes, "of all files")                                \
    X(time, NULLABLE, modified_utc_ns, c->modified_ns, "modification time of the last file")       \
    X(text, REQUIRED, tcpwhy_version, TCPWHY_VERSION, "version that analysed it")                  \
    X(text, NULLABLE, error, c->error, "reason for failure; then all later columns are null")

#define REPORT_COLUMNS(X)                                                                          \
    X(text, NULLABLE, comment, r->capture.comment[0] ? r->capture.comment : NULL,                  \
      "section comments of pcapng")                                                                \
    X(int, NULLABLE, frames, (int64_t)r->capture.frames, "all frames read")                        \
    X(int, NULLABLE, tcp_frames, (int64_t)r->capture.tcp_frames, "TCP frames")                     \
    X(int, NULLABLE, wire_bytes, (int64_t)r->capture.bytes, "length of all frames on the wire")    \
    X(time, NULLABLE, first_utc_ns, r->capture.first_ns, "time of the first frame")                \
    X(time, NULLABLE, last_utc_ns, r->capture.last_ns, "time of the last frame")                   \
    X(int, NULLABLE, connections, n_streams(r), "rows in connections")                             \
    X(int, NULLABLE, findings, r->findings->len, "rows in findings")                               \
    X(int, NULLABLE, exchanges, (int64_t)r->latency.count,                                         \
      "completed transactions; exchanges also lists incomplete ones")                              \
    X(cause, NULLABLE, verdict_cause, r->verdict.cause, "costliest cause; none: healthy")          \
    X(party, NULLABLE, verdict_party, r->verdict.party, "client, server, path or none")            \
    X(endpoint, NULLABLE, verdict_endpoint, &r->verdict.endpoint, "side that can fix it")          \
    X(confidence, NULLABLE, verdict_confidence, r->verdict.confidence,                             \
      "certain, likely or ambiguous")                                                              \
    X(rival, NULLABLE, verdict_rival, r->verdict.rival, "alternative cause, unless certain")       \
    X(ms, NULLABLE, verdict_cost_ms, r->verdict.cost_ns, "cost over all connections")              \
    X(real, NULLABLE, verdict_share, r->verdict.share, "share of the waiting time, 0 to 1")        \
    X(int, NULLABLE, verdict_connections, r->verdict.streams, "connections affected")              \
    X(int, NULLABLE, quality_facts, (int64_t)r->capture.n_quality,                                 \
      "number of problems of the capture itself")                                                  \
    X(text, NULLABLE, quality, quality, "each as fact=count")                                      \
    X(text, NULLABLE, parts, parts,                                                                \
      "rotated files: a JSON array of path, first_frame, frames and error")                        \
    X(text, NULLABLE, verdict_failure, tw_name_failure(r->verdict.failure),                        \
      "most frequent failure; it outranks lost time; null: none")                                  \
    X(int, NULLABLE, failures, (int64_t)r->verdict.failures, "connections that failed")

/* "frames_missing=140 cut_short=1"; NULL if there are none */
static int64_t n_streams(const tcpwhy_report *r)
{
    size_t n;

    tw_report_streams(r, &n);
    return (int64_t)n;
}

static char *quality_text(const tcpwhy_report *r)
{
    tw_string *text = tw_string_new(NULL);

    for (size_t i = 0; i < r->capture.n_quality; i++)
        tw_string_append_printf(text, "%s%s=%" G_GUINT64_FORMAT, i ? " " : "",
                                r->capture.quality[i].fact, r->capture.quality[i].count);
    return tw_string_free(text, text->len == 0);
}

static char *parts_json(const tcpwhy_report *r)
{
    struct tw_json_cell cell;

    if (r->capture.n_parts == 0)
        return NULL;
    tw_json_cell_begin(&cell);
    tw_json_array(&cell.json, NULL);
    for (size_t i = 0; i < r->capture.n_parts; i++) {
        const struct tcpwhy_part *part = &r->capture.parts[i];

        tw_json_object(&cell.json, NULL);
        tw_json_string(&cell.json, "path", part->file);
        tw_json_frame(&cell.json, "first_frame", part->first_frame);
        tw_json_uint(&cell.json, "frames", part->frames);
        if (part->error)
            tw_json_string(&cell.json, "error", part->error);
        tw_json_end(&cell.json);
    }
    return tw_json_cell_end(&cell);
}

static void put_row(const struct tw_row *row, struct tw_put *put)
{
    const struct tw_identity *c = row->capture;
    const tcpwhy_report *r = row->report;

    FILE_COLUMNS(TW_PUT)
    if (r) {
        tw_autofree char *quality = quality_text(r), *parts = parts_json(r);

        REPORT_COLUMNS(TW_PUT)
    } else {
        tw_put_nulls(put);
    }
}

static size_t one(const struct tw_row *row)
{
    (void)row;
    return 1;
}

static const struct tw_column columns[] = { FILE_COLUMNS(TW_COLUMN) REPORT_COLUMNS(TW_COLUMN) };

const struct tw_table tw_table_captures = {
    .name = "captures",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .count = one,
    .put = put_row,
};
