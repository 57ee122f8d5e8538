/* SPDX-License-Identifier: MIT */
/* tcpwhy_render(): which documents there are in which formats, and what each needs. */
#include "base/text.h"
#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "tests/unit/golden.h"
#include "tests/unit/made_report.h"

#define ALL_JSON (1u << TCPWHY_FORMAT_JSON | 1u << TCPWHY_FORMAT_NDJSON)
#define TEXT     (1u << TCPWHY_FORMAT_TEXT)
#define AS(name) (1u << TCPWHY_FORMAT_##name)

/* The formats of each document, as its header lists them. */
static const unsigned formats[] = {
    [TCPWHY_DOC_DIAGNOSIS] = TEXT | ALL_JSON,
    [TCPWHY_DOC_STREAMS] = TEXT | ALL_JSON | AS(CSV),
    [TCPWHY_DOC_EXPLAIN] = TEXT | ALL_JSON,
    [TCPWHY_DOC_EXCHANGES] = TEXT | ALL_JSON | AS(CSV),
    [TCPWHY_DOC_FLOW] = TEXT | ALL_JSON | AS(SVG),
    [TCPWHY_DOC_TRAFFIC] = TEXT | ALL_JSON | AS(CSV),
    [TCPWHY_DOC_LEDGER] = TEXT | ALL_JSON | AS(FOLDED),
    [TCPWHY_DOC_REPORT] = AS(HTML),
    [TCPWHY_DOC_GRAPH] = AS(SVG) | AS(CSV) | AS(JSON) | AS(XPLOT),
    [TCPWHY_DOC_FINDING] = TEXT | ALL_JSON,
    [TCPWHY_DOC_SEGMENT] = TEXT | ALL_JSON | AS(CSV) | AS(SCRIPT),
    [TCPWHY_DOC_CAUSE] = TEXT | ALL_JSON,
    [TCPWHY_DOC_CAUSES] = TEXT | ALL_JSON,
    [TCPWHY_DOC_COMPARISON] = TEXT | ALL_JSON | AS(HTML),
    [TCPWHY_DOC_LATENCY] = TEXT | ALL_JSON | AS(CSV) | AS(SVG),
    [TCPWHY_DOC_AS] = TEXT | ALL_JSON,
    [TCPWHY_DOC_UDP] = TEXT | ALL_JSON | AS(CSV),
    [TCPWHY_DOC_RATES] = ALL_JSON | AS(CSV) | AS(SVG),
    [TCPWHY_DOC_NAMES] = TEXT | ALL_JSON,
    [TCPWHY_DOC_WATERFALL] = TEXT | ALL_JSON | AS(CSV) | AS(SVG) | AS(HAR),
};

#define N_DOCUMENTS G_N_ELEMENTS(formats)

static int render(const tcpwhy_report *r, size_t document, int format,
                  const struct tcpwhy_render_options *options, tw_string *text)
{
    tw_string_truncate(text, 0);
    return tcpwhy_render(r, (enum tcpwhy_document)document, (enum tcpwhy_format)format, options,
                         append, text);
}

TEST(each_document_has_the_formats_of_its_header_and_no_other)
{
    g_autoptr(tcpwhy_report) r = made_sick("client.pcap", "GET /");
    const struct tcpwhy_graph_options graph = { .struct_size = sizeof(graph), .stream = 3 };
    const struct tcpwhy_segment segment = { .frame = 1 };
    struct tcpwhy_render_options options = { .struct_size = sizeof(options),
                                             .graph_options = &graph,
                                             .finding = tcpwhy_report_finding(r, 0),
                                             .segment = &segment };
    tcpwhy_comparison *comparison;
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tcpwhy_compare(r, r, &comparison);
    options.comparison = comparison;
    for (size_t d = 0; d < N_DOCUMENTS; d++) {
        for (int f = 0; f <= TCPWHY_FORMAT_HAR; f++) {
            bool there = formats[d] & 1u << f;

            assert_int_equal(render(r, d, f, &options, text), there ? 0 : TCPWHY_ERR_ARGUMENT);
            assert_true(text->len == 0 || (there && text->str[text->len - 1] == '\n'));
        }
    }
    tcpwhy_comparison_free(comparison);
}

TEST(numbers_beyond_the_enumerations_are_refused)
{
    g_autoptr(tcpwhy_report) r = made_sick("client.pcap", "GET /");
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_int_equal(render(r, N_DOCUMENTS, TCPWHY_FORMAT_TEXT, NULL, text), TCPWHY_ERR_ARGUMENT);
    assert_int_equal(render(r, TCPWHY_DOC_STREAMS, TCPWHY_FORMAT_HAR + 1, NULL, text),
                     TCPWHY_ERR_ARGUMENT);
    assert_int_equal(render(r, TCPWHY_DOC_STREAMS, -1, NULL, text), TCPWHY_ERR_ARGUMENT);
    assert_int_equal(text->len, 0);
}

TEST(a_document_whose_subject_is_missing_is_refused)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    for (size_t d = 0; d < N_DOCUMENTS; d++) {
        for (int f = 0; f <= TCPWHY_FORMAT_HAR; f++) {
            bool needs_nothing = d == TCPWHY_DOC_CAUSE || d == TCPWHY_DOC_CAUSES ||
                                 (d == TCPWHY_DOC_SEGMENT && f == TCPWHY_FORMAT_CSV);

            if (!needs_nothing)
                assert_int_equal(render(NULL, d, f, NULL, text), TCPWHY_ERR_ARGUMENT);
        }
    }
    assert_int_equal(text->len, 0);
}

TEST(reports_beyond_the_first_are_chapters_of_a_page)
{
    tcpwhy_report *first = made_sick("first.pcap", "GET /"), *second = made_sick("b.pcap", "GET /");
    const tcpwhy_report *more[] = { second };
    struct tcpwhy_render_options options = { .struct_size = sizeof(options), .n_more = 1 };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    assert_int_equal(render(first, TCPWHY_DOC_REPORT, TCPWHY_FORMAT_HTML, &options, text),
                     TCPWHY_ERR_ARGUMENT);
    options.more = more;
    assert_int_equal(render(first, TCPWHY_DOC_REPORT, TCPWHY_FORMAT_HTML, &options, text), 0);
    assert_non_null(strstr(text->str, "<a href=\"#c0\">first.pcap</a>"));
    assert_non_null(strstr(text->str, "<a href=\"#c1\">b.pcap</a>"));
    tcpwhy_report_free(first);
    tcpwhy_report_free(second);
}
