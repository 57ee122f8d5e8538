/* SPDX-License-Identifier: MIT */
/*
 * Building a report: streams are added in their order, then it is closed.
 */
#ifndef TW_REPORT_BUILD_H
#define TW_REPORT_BUILD_H

#include <tcpwhy/tcpwhy.h>

#include "report/facts/quality.h"
#include "report/report.h"
#include "report/rows/connection_row_make.h"
#include "report/rows/traffic.h"
#include "source/source.h"

struct tw_builder;

/*
 * options (kept) say what to keep of each stream and whom to tell; traffic holds all frames so far,
 * stays the caller's, and is emptied by the finish.
 */
struct tw_builder *tw_builder_new(const struct tcpwhy_options *options, struct tw_traffic *traffic);
struct tw_builder *tw_builder_copy(const struct tw_builder *builder,
                                   const struct tcpwhy_options *options,
                                   struct tw_traffic *traffic);
void tw_builder_free(struct tw_builder *builder);

/* The number by which the builder knows a connection's listener; connections come in the order of
 * their streams. */
guint tw_builder_listener(struct tw_builder *builder, const struct tw_connection *connection);

/*
 * Add a finished connection, in any order of streams, with what its row points to; also its log if
 * spans are kept (told->log is empty then). The first of its connection gets row 0, the next 1, and
 * so on. @return false if a callback asked to stop.
 */
bool tw_builder_tell(struct tw_builder *builder, guint listener, struct tw_connection_row *conn);

/* About what it holds; give way to the memory bound, and say what else did. */
size_t tw_builder_bytes(const struct tw_builder *builder);
void tw_builder_shrink(struct tw_builder *builder);
void tw_builder_note(struct tw_builder *builder, enum tw_bound bound, uint64_t count,
                     uint32_t frame);

/* Close the report and release the builder. source may be NULL. */
tcpwhy_report *tw_builder_finish(struct tw_builder *builder, const char *file,
                                 const struct tw_totals *totals, const struct tw_source *source);

#endif
