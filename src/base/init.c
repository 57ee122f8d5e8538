/* SPDX-License-Identifier: MIT */
/* Defaults of the structs that callers fill. Only the caller knows how large its struct is. */
#include <tcpwhy/init.h>

#include <string.h>

#include "base/options.h"

static int init(void *given, size_t size)
{
    if (!given || !tw_size_is_set(&size))
        return TCPWHY_ERR_USAGE;
    memset(given, 0, size);
    memcpy(given, &size, sizeof size);
    return 0;
}

int tcpwhy_annotate_init(struct tcpwhy_annotate_options *options, size_t size)
{
    return init(options, size);
}

int tcpwhy_annotated_init(struct tcpwhy_annotated *annotated, size_t size)
{
    return init(annotated, size);
}

int tcpwhy_callbacks_init(struct tcpwhy_callbacks *callbacks, size_t size)
{
    return init(callbacks, size);
}

int tcpwhy_file_init(struct tcpwhy_file *file, size_t size)
{
    return init(file, size);
}

int tcpwhy_flow_init(struct tcpwhy_flow_options *options, size_t size)
{
    return init(options, size);
}

int tcpwhy_follow_init(struct tcpwhy_follow_options *options, size_t size)
{
    return init(options, size);
}

int tcpwhy_graph_init(struct tcpwhy_graph_options *options, size_t size)
{
    return init(options, size);
}

int tcpwhy_live_init(struct tcpwhy_live_options *options, size_t size)
{
    return init(options, size);
}

int tcpwhy_live_counts_init(struct tcpwhy_live_counts *counts, size_t size)
{
    return init(counts, size);
}

int tcpwhy_options_init(struct tcpwhy_options *options, size_t size)
{
    return init(options, size);
}

int tcpwhy_packet_init(struct tcpwhy_packet *packet, size_t size)
{
    return init(packet, size);
}

int tcpwhy_parsed_init(struct tcpwhy_parsed *segment, size_t size)
{
    return init(segment, size);
}

int tcpwhy_render_init(struct tcpwhy_render_options *options, size_t size)
{
    return init(options, size);
}

int tcpwhy_table_init(struct tcpwhy_table_options *options, size_t size)
{
    return init(options, size);
}
