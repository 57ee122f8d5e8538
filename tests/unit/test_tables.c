/* SPDX-License-Identifier: MIT */
/* The Arrow stream of a table, walked by hand: schema, rows, nulls, batches, and who owns what. */
#include "base/array.h"
#include "base/counts.h"
#include "base/text.h"
#include "tests/unit.h"

#include <string.h>

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "tests/unit/made_report.h"

/* One batch of a table, and its schema. */
struct read {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
};

static struct tcpwhy_table_options at_path(const char *path)
{
    return (struct tcpwhy_table_options) { .struct_size = sizeof(struct tcpwhy_table_options),
                                           .path = path };
}

static void open_table(struct read *read, tcpwhy_report *report, enum tcpwhy_table table,
                       const struct tcpwhy_table_options *options)
{
    assert_int_equal(tcpwhy_table_stream(report, table, options, &read->stream), 0);
    assert_int_equal(read->stream.get_schema(&read->stream, &read->schema), 0);
    assert_int_equal(read->stream.get_next(&read->stream, &read->batch), 0);
}

static void close_table(struct read *read)
{
    if (read->batch.release)
        read->batch.release(&read->batch);
    read->schema.release(&read->schema);
    read->stream.release(&read->stream);
    assert_null(read->stream.release);
}

static int column(const struct read *read, const char *name)
{
    for (int i = 0; i < read->schema.n_children; i++)
        if (strcmp(read->schema.children[i]->name, name) == 0)
            return i;
    fail_msg("no column %s", name);
    return -1;
}

static bool is_null(const struct read *read, const char *name, int64_t row)
{
    const struct ArrowArray *a = read->batch.children[column(read, name)];
    const uint8_t *valid = a->buffers[0];

    return !(valid[row / 8] >> row % 8 & 1);
}

/* Values of a column, whose format is checked first. */
static const void *values(const struct read *read, const char *name, const char *format)
{
    int i = column(read, name);

    assert_string_equal(read->schema.children[i]->format, format);
    return read->batch.children[i]->buffers[format[0] == 'u' ? 2 : 1];
}

static int64_t integer(const struct read *read, const char *name, int64_t row)
{
    assert_false(is_null(read, name, row));
    return ((const int64_t *)values(read, name, "l"))[row];
}

static double real(const struct read *read, const char *name, int64_t row)
{
    assert_false(is_null(read, name, row));
    return ((const double *)values(read, name, "g"))[row];
}

static bool boolean(const struct read *read, const char *name, int64_t row)
{
    assert_false(is_null(read, name, row));
    return ((const uint8_t *)values(read, name, "b"))[row / 8] >> row % 8 & 1;
}

static void assert_text(const struct read *read, const char *name, int64_t row, const char *want)
{
    const char *bytes = values(read, name, "u");
    const int32_t *offsets = read->batch.children[column(read, name)]->buffers[1];
    size_t len = (size_t)(offsets[row + 1] - offsets[row]);

    assert_false(is_null(read, name, row));
    assert_int_equal(len, strlen(want));
    assert_memory_equal(bytes + offsets[row], want, len);
}

#define REPORT_TEST(name, make)                                                                    \
    TEST_FROM(name, tcpwhy_report *, report, make, tcpwhy_report_free(report))

REPORT_TEST(a_capture_is_one_row, made_sick("slow.pcap", "GET /"))
{
    struct tcpwhy_table_options options = at_path("/a/slow.pcap");
    struct read read;

    made_quality(report, "a sentence");
    options.size_bytes = 4711;
    open_table(&read, report, TCPWHY_TABLE_CAPTURES, &options);
    assert_int_equal(read.batch.length, 1);
    assert_text(&read, "path", 0, "/a/slow.pcap");
    assert_text(&read, "capture_id", 0, "9af7b2d01c932888");
    assert_int_equal(integer(&read, "size_bytes", 0), 4711);
    assert_int_equal(integer(&read, "files", 0), 1);
    assert_true(is_null(&read, "error", 0));
    assert_true(is_null(&read, "modified_utc_ns", 0));
    assert_int_equal(integer(&read, "frames", 0), 7129);
    assert_text(&read, "verdict_cause", 0, "nagle_delayed_ack");
    assert_text(&read, "verdict_endpoint", 0, "10.9.0.2:8080");
    assert_text(&read, "quality", 0, "frames_missing=140");
    assert_int_equal(((const int64_t *)values(&read, "first_utc_ns", "tsn:UTC"))[0],
                     INT64_C(1795150776264053503));
    close_table(&read);
}

TEST(a_capture_that_failed_is_a_row_with_its_error)
{
    struct tcpwhy_table_options options = at_path("broken.pcap");
    struct read read;

    options.error = "not a capture";
    open_table(&read, NULL, TCPWHY_TABLE_CAPTURES, &options);
    assert_int_equal(read.batch.length, 1);
    assert_text(&read, "error", 0, "not a capture");
    assert_true(is_null(&read, "frames", 0));
    assert_true(is_null(&read, "verdict_cause", 0));
    assert_int_equal(read.batch.children[column(&read, "frames")]->null_count, 1);
    close_table(&read);
    for (int t = TCPWHY_TABLE_CONNECTIONS; t < TW_N_TABLES; t++) {
        open_table(&read, NULL, (enum tcpwhy_table)t, &options);
        assert_null(read.batch.release);
        close_table(&read);
    }
}

REPORT_TEST(a_connection_has_its_ends_its_times_and_its_verdict, made_sick("slow.pcap", "GET /"))
{
    struct read read;

    open_table(&read, report, TCPWHY_TABLE_CONNECTIONS, NULL);
    assert_int_equal(read.batch.length, 1);
    assert_int_equal(integer(&read, "stream", 0), 3);
    assert_text(&read, "client", 0, "10.9.0.1:60436");
    assert_text(&read, "server_address", 0, "10.9.0.2");
    assert_int_equal(integer(&read, "server_port", 0), 8080);
    assert_true(boolean(&read, "complete_start", 0));
    assert_false(boolean(&read, "roles_inferred", 0));
    assert_true(real(&read, "duration_ms", 0) == 3005);
    assert_true(real(&read, "rtt_min_us", 0) == 350.123);
    assert_text(&read, "verdict_rival", 0, "server_think");
    assert_int_equal(((const int64_t *)values(&read, "start_utc_ns", "tsn:UTC"))[0],
                     INT64_C(1795150776264053503) + 535678000);
    close_table(&read);
}

REPORT_TEST(a_finding_has_frames_and_details_as_json, made_sick("slow.pcap", "GET /"))
{
    struct read read;

    open_table(&read, report, TCPWHY_TABLE_FINDINGS, NULL);
    assert_text(&read, "cause", 0, "nagle_delayed_ack");
    assert_text(&read, "frames", 0, "[391, 411, 446, 483]");
    assert_text(&read, "detail", 0, "{\"delayed_ack_us\": 40000, \"stack\": \"Linux\"}");
    close_table(&read);
}

REPORT_TEST(an_exchange_without_a_status_has_none, made_sick("slow.pcap", ""))
{
    struct tw_stream_row *s = &tw_array_index(report->streams, struct tw_stream_row, 0);
    struct tcpwhy_exchange e = s->exchanges[0];
    struct read read;

    e.status = 0;
    e.total_ns = TCPWHY_NS_UNKNOWN;
    s->exchanges = &e;
    open_table(&read, report, TCPWHY_TABLE_EXCHANGES, NULL);
    assert_true(is_null(&read, "status", 0));
    assert_true(is_null(&read, "request", 0));
    assert_true(is_null(&read, "total_ms", 0));
    assert_true(real(&read, "first_byte_ms", 0) == 0.485925);
    close_table(&read);
}

REPORT_TEST(the_ledger_adds_up_over_batches_of_one_row, made_sick("slow.pcap", "GET /"))
{
    struct tcpwhy_table_options options = at_path(NULL);
    struct read read;
    double sum_ms = 0;
    int batches = 0;

    options.batch_rows = 1;
    open_table(&read, report, TCPWHY_TABLE_LEDGER, &options);
    while (read.batch.release) {
        assert_int_equal(read.batch.length, 1);
        sum_ms += real(&read, "cost_ms", 0);
        batches++;
        read.batch.release(&read.batch);
        assert_int_equal(read.stream.get_next(&read.stream, &read.batch), 0);
    }
    assert_int_equal(batches, 3);
    assert_true(sum_ms > 3004.999 && sum_ms < 3005.001);
    close_table(&read);
}

TEST(a_stream_and_a_batch_live_on_without_the_report)
{
    tcpwhy_report *report = made_sick("slow.pcap", "GET /");
    struct ArrowArray batch;
    struct read read;

    assert_int_equal(tcpwhy_table_stream(report, TCPWHY_TABLE_LEDGER, NULL, &read.stream), 0);
    tcpwhy_report_free(report);
    assert_int_equal(read.stream.get_schema(&read.stream, &read.schema), 0);
    assert_int_equal(read.stream.get_next(&read.stream, &batch), 0);
    read.stream.release(&read.stream);
    read.batch = batch;
    assert_text(&read, "cause", 2, "handshake");
    read.batch.release(&read.batch);
    read.schema.release(&read.schema);
}

REPORT_TEST(a_column_that_was_moved_out_lives_on_without_its_batch, made_sick("slow.pcap", "GET /"))
{
    struct read read;

    open_table(&read, report, TCPWHY_TABLE_LEDGER, NULL);
    int i = column(&read, "cost_ms");
    struct ArrowArray moved = *read.batch.children[i];
    read.batch.children[i]->release = NULL;
    struct ArrowSchema moved_schema = *read.schema.children[i];
    read.schema.children[i]->release = NULL;
    close_table(&read);
    assert_true(((const double *)moved.buffers[1])[2] == 1);
    assert_string_equal(moved_schema.name, "cost_ms");
    moved.release(&moved);
    moved_schema.release(&moved_schema);
}

TEST(texts_are_utf8_whatever_the_path_is)
{
    struct tcpwhy_table_options options = at_path("bad\xFFname");
    struct read read;

    open_table(&read, NULL, TCPWHY_TABLE_CAPTURES, &options);
    assert_text(&read, "path", 0, "bad\xEF\xBF\xBDname");
    close_table(&read);
}

REPORT_TEST(times_are_integers_for_those_who_ask, made_sick("slow.pcap", "GET /"))
{
    struct tcpwhy_table_options options = at_path(NULL);
    struct read read;

    options.integer_times = true;
    open_table(&read, report, TCPWHY_TABLE_CAPTURES, &options);
    assert_int_equal(integer(&read, "first_utc_ns", 0), INT64_C(1795150776264053503));
    close_table(&read);
}

REPORT_TEST(impossible_arguments_are_refused, made_sick("slow.pcap", "GET /"))
{
    struct ArrowArrayStream stream;
    enum tcpwhy_table table;

    assert_int_equal(tcpwhy_table_stream(report, TW_N_TABLES, NULL, &stream), TCPWHY_ERR_ARGUMENT);
    assert_int_equal(tcpwhy_table_stream(NULL, TCPWHY_TABLE_CAPTURES, NULL, &stream),
                     TCPWHY_ERR_ARGUMENT);
    assert_true(tcpwhy_table_by_name("ledger", &table));
    assert_int_equal(table, TCPWHY_TABLE_LEDGER);
    assert_false(tcpwhy_table_by_name("packets", &table));
    assert_string_equal(tcpwhy_table_name((enum tcpwhy_table)tcpwhy_table_count()), "");
}

static const char *type_word(const char *format)
{
    switch (format[0]) {
    case 'u':
        return "text";
    case 'g':
        return "real";
    case 'b':
        return "boolean";
    case 't':
        return "time";
    default:
        return "integer";
    }
}

/* The metadata of a field is one pair: its "description". */
static char *description(const struct ArrowSchema *field)
{
    const char *value = field->metadata + 4 + 4 + strlen("description");
    int32_t len;

    memcpy(&len, value, sizeof(len));
    return tw_strndup(value + sizeof(len), (gsize)len);
}

static void add_documented(tw_string *page, enum tcpwhy_table table)
{
    struct tcpwhy_table_options options = at_path("x");
    struct read read;

    open_table(&read, NULL, table, &options);
    tw_string_append_printf(page,
                            "## %s\n\n| column | type | null | description |\n|---|---|---|---|\n",
                            tcpwhy_table_name(table));
    for (int64_t i = 0; i < read.schema.n_children; i++) {
        const struct ArrowSchema *field = read.schema.children[i];
        tw_autofree char *what = description(field);

        tw_string_append_printf(page, "| `%s` | %s | %s | %s |\n", field->name,
                                type_word(field->format),
                                field->flags & ARROW_FLAG_NULLABLE ? "yes" : "", what);
    }
    tw_string_append(page, "\n");
    close_table(&read);
}

/* The page ends with the tables; SCHEMA_MD=FILE writes them there, to be put in its place. */
TEST(the_documentation_lists_the_columns)
{
    g_autofree char *path = g_build_filename(TESTS_FOLDER, "../../docs/schema.md", NULL);
    g_autofree char *page = NULL;
    g_autoptr(tw_string) want = tw_string_new(NULL);

    for (int t = 0; t < TW_N_TABLES; t++)
        add_documented(want, (enum tcpwhy_table)t);
    tw_string_truncate(want, want->len - 1);
    if (g_getenv("SCHEMA_MD"))
        g_file_set_contents(g_getenv("SCHEMA_MD"), want->str, -1, NULL);
    assert_true(g_file_get_contents(path, &page, NULL, NULL));
    assert_non_null(strstr(page, "Version 1"));
    assert_non_null(strstr(page, "## captures\n"));
    assert_string_equal(strstr(page, "## captures\n"), want->str);
    assert_int_equal(TCPWHY_TABLES_VERSION, 1);
}
