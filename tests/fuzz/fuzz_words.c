/* SPDX-License-Identifier: MIT */
/*
 * Names and numbers that a caller looks up, as bindings pass them on: the first byte is a number,
 * the rest a name. A name that is found is the name of what was found.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <tcpwhy/layout.h>
#include <tcpwhy/tables.h>
#include <tcpwhy/tcpwhy.h>

#include "tests/fuzz/input.h"

static void look_up(const char *name)
{
    enum tcpwhy_cause cause;
    enum tcpwhy_failure_kind failure;
    enum tcpwhy_graph graph;
    enum tcpwhy_tool tool;
    enum tcpwhy_table table;

    if (tcpwhy_cause_by_name(name, &cause))
        assert(strcmp(tcpwhy_cause_info(cause)->name, name) == 0 && tcpwhy_cause_color(cause, 1));
    if (tcpwhy_failure_by_name(name, &failure))
        assert(strcmp(tcpwhy_failure_info(failure)->name, name) == 0);
    if (tcpwhy_graph_by_name(name, &graph))
        assert(strcmp(tcpwhy_graph_name(graph), name) == 0);
    if (tcpwhy_tool_by_name(name, &tool))
        assert(strcmp(tcpwhy_tool_name(tool), name) == 0);
    if (tcpwhy_table_by_name(name, &table))
        assert(strcmp(tcpwhy_table_name(table), name) == 0);
}

/* A name is given for any number. */
static void name(uint8_t n)
{
    assert(tcpwhy_graph_name((enum tcpwhy_graph)n) && tcpwhy_tool_name((enum tcpwhy_tool)n));
    assert(tcpwhy_table_name((enum tcpwhy_table)n) && tcpwhy_class_name((enum tcpwhy_class)n));
    assert(tcpwhy_party_name((enum tcpwhy_party)n) && tcpwhy_strerror(-(int)n));
    assert(tcpwhy_confidence_name((enum tcpwhy_confidence)n));
    assert(tcpwhy_vantage_name((enum tcpwhy_vantage)n) && tcpwhy_version());
    assert(tcpwhy_change_name((enum tcpwhy_change)n) && tcpwhy_per_name((enum tcpwhy_per)n));
    assert(tcpwhy_measure_name((enum tcpwhy_measure)n));
    assert(tcpwhy_silence_name((enum tcpwhy_silence)n));
    assert(tcpwhy_failed_name((enum tcpwhy_failed)n));
    assert(tcpwhy_seen_as_name((enum tcpwhy_seen_as)n));
    assert(tcpwhy_culprit_name((enum tcpwhy_culprit)n));
    assert((n < tcpwhy_cause_count()) == (tcpwhy_cause_info((enum tcpwhy_cause)n) != NULL));
    assert(n < tcpwhy_cause_count() || !tcpwhy_cause_makes_findings((enum tcpwhy_cause)n));
    assert(n >= tcpwhy_class_count() || *tcpwhy_class_name((enum tcpwhy_class)n));
    tcpwhy_failure_info((enum tcpwhy_failure_kind)n);
    assert((tcpwhy_layout(n) != NULL) == (n < tcpwhy_layout_count()));
}

/* A struct of any size is refused, or begins with its size. */
static void init(size_t size)
{
    union {
        size_t size;
        uint8_t bytes[UINT8_MAX];
    } room;
    void *at = &room;
    const int done[] = {
        tcpwhy_annotate_init(at, size),    tcpwhy_annotated_init(at, size),
        tcpwhy_callbacks_init(at, size),   tcpwhy_file_init(at, size),
        tcpwhy_flow_init(at, size),        tcpwhy_follow_init(at, size),
        tcpwhy_graph_init(at, size),       tcpwhy_live_init(at, size),
        tcpwhy_live_counts_init(at, size), tcpwhy_options_init(at, size),
        tcpwhy_packet_init(at, size),      tcpwhy_parsed_init(at, size),
        tcpwhy_render_init(at, size),      tcpwhy_table_init(at, size),
    };

    for (size_t i = 0; i < sizeof done / sizeof done[0]; i++)
        assert(done[i] == done[0]);
    assert(done[0] == 0 ? room.size == size : done[0] == TCPWHY_ERR_USAGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    uint8_t n = input_u8(&in);
    char *text = calloc(1, in.rest.len + 1);

    if (!text)
        abort();
    if (in.rest.len > 0)
        memcpy(text, in.rest.data, in.rest.len);
    look_up(text);
    name(n);
    init(n);
    free(text);
    return 0;
}
