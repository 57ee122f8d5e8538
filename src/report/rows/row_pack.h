/* SPDX-License-Identifier: MIT */
/*
 * A stream's row in as few bytes as its numbers need, a third of what the struct takes: most rows
 * of many are looked at once or never.
 */
#ifndef TW_REPORT_ROWS_ROW_PACK_H
#define TW_REPORT_ROWS_ROW_PACK_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "report/report_rows.h"

struct tw_packed;

/* The ledger is packed too; exchanges, spans and weighings stay where they are and hang on the
 * packed row, which does not own them. room is for use in between. */
struct tw_packed *tw_row_pack(const struct tw_stream_row *row, tw_byte_array *room);

/* Parts that are not packed stay where they are. */
struct tw_packed *tw_packed_copy(const struct tw_packed *packed);

/* row->ledger is what ledger (struct tcpwhy_ledger_entry) then holds; NULL: without its ledger. */
void tw_row_unpack(const struct tw_packed *packed, struct tw_stream_row *row, tw_array *ledger);

#endif
