/* SPDX-License-Identifier: MIT */
/** @file
 * The _INIT macros as functions, for languages that see functions alone, as Go by cgo and
 * Rust by bindgen.
 *
 *     var options C.struct_tcpwhy_options
 *     C.tcpwhy_options_init(&options, C.sizeof_struct_tcpwhy_options)
 *
 * Each sets a struct to its defaults: 0, but struct_size. size is what sizeof says where the
 * program is built; the library's may be another. They return 0, or TCPWHY_ERR_USAGE when the
 * struct is NULL or size cannot be. Threads: any.
 */
#ifndef TCPWHY_INIT_H
#define TCPWHY_INIT_H

#include <stddef.h>

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tcpwhy_annotate_options;
struct tcpwhy_annotated;
struct tcpwhy_callbacks;
struct tcpwhy_file;
struct tcpwhy_flow_options;
struct tcpwhy_follow_options;
struct tcpwhy_graph_options;
struct tcpwhy_live_counts;
struct tcpwhy_live_options;
struct tcpwhy_options;
struct tcpwhy_packet;
struct tcpwhy_parsed;
struct tcpwhy_render_options;
struct tcpwhy_table_options;

/** As TCPWHY_ANNOTATE_INIT. */
TCPWHY_API int tcpwhy_annotate_init(struct tcpwhy_annotate_options *options, size_t size);
/** As TCPWHY_ANNOTATED_INIT. */
TCPWHY_API int tcpwhy_annotated_init(struct tcpwhy_annotated *annotated, size_t size);
/** As TCPWHY_CALLBACKS_INIT. */
TCPWHY_API int tcpwhy_callbacks_init(struct tcpwhy_callbacks *callbacks, size_t size);
/** As TCPWHY_FILE_INIT. */
TCPWHY_API int tcpwhy_file_init(struct tcpwhy_file *file, size_t size);
/** As TCPWHY_FLOW_INIT. */
TCPWHY_API int tcpwhy_flow_init(struct tcpwhy_flow_options *options, size_t size);
/** As TCPWHY_FOLLOW_INIT. */
TCPWHY_API int tcpwhy_follow_init(struct tcpwhy_follow_options *options, size_t size);
/** As TCPWHY_GRAPH_INIT. */
TCPWHY_API int tcpwhy_graph_init(struct tcpwhy_graph_options *options, size_t size);
/** As TCPWHY_LIVE_INIT. */
TCPWHY_API int tcpwhy_live_init(struct tcpwhy_live_options *options, size_t size);
/** As TCPWHY_LIVE_COUNTS_INIT. */
TCPWHY_API int tcpwhy_live_counts_init(struct tcpwhy_live_counts *counts, size_t size);
/** As TCPWHY_OPTIONS_INIT. */
TCPWHY_API int tcpwhy_options_init(struct tcpwhy_options *options, size_t size);
/** As TCPWHY_PACKET_INIT. */
TCPWHY_API int tcpwhy_packet_init(struct tcpwhy_packet *packet, size_t size);
/** As TCPWHY_PARSED_INIT. */
TCPWHY_API int tcpwhy_parsed_init(struct tcpwhy_parsed *segment, size_t size);
/** As TCPWHY_RENDER_INIT. */
TCPWHY_API int tcpwhy_render_init(struct tcpwhy_render_options *options, size_t size);
/** As TCPWHY_TABLE_INIT. */
TCPWHY_API int tcpwhy_table_init(struct tcpwhy_table_options *options, size_t size);

#ifdef __cplusplus
}
#endif

#endif
