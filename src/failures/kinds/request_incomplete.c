/* SPDX-License-Identifier: MIT */
/*
 * A request that has begun and whose end never came, as its framing tells: the server waits for it
 * until one side closes.
 */
#include <string.h>

#include <glib.h>

#include "failures/kind.h"

/* "Request Timeout" (RFC 9110, 15.5.9): no answer to a request, but to its absence. */
#define REQUEST_TIMEOUT 408

/* Timeouts of programs are longer, and an upload that goes on has no such pause. */
#define LEAST_WAIT TCPWHY_MS(500)

/* A request of which the beginning arrived, and that was answered by nothing or a 408. */
static const struct tw_exchange *unfinished(const struct tw_cut *cut)
{
    const struct tw_exchange *e = cut->open ? cut->open : cut->last;

    if (!e || !e->request_part || (e->framed && !e->request[0]))
        return NULL;
    return cut->open || e->status == REQUEST_TIMEOUT ? e : NULL;
}

/* Bytes that the asker had sent beyond the request, as a later segment of it tells (SND.NXT, RFC
 * 9293, 3.4); -1: none tells. */
static int64_t sent_beyond(const struct tw_cut *cut, const struct tw_exchange *e)
{
    for (uint32_t i = cut->log->n; i-- > 0 && i > e->request_last;) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from == (uint8_t)e->asker && !(r->flags & TW_RST) &&
            r->frame_class != TCPWHY_CLASS_KEEP_ALIVE)
            return r->seq - e->request_to - (cut->fin[e->asker] < i);
    }
    return -1;
}

/* The capture lacks something of what came before. */
static bool has_holes(const struct tw_cut *cut, const struct tw_exchange *e)
{
    const struct tw_ranges *holes = &cut->connection->side[e->asker].holes;

    return holes->n > 0 && holes->range[0].from < e->request_to;
}

static bool is_hello(const struct tw_exchange *e)
{
    return strcmp(e->protocol, "tls") == 0 || strcmp(e->protocol, "turn") == 0;
}

/* At the asker's own end no part of the request is lost before the capture. */
static bool sees_asker(const struct tw_cut *cut, const struct tw_exchange *e)
{
    return cut->vantage->place ==
           (e->asker == TCPWHY_CLIENT ? TCPWHY_VANTAGE_CLIENT : TCPWHY_VANTAGE_SERVER);
}

/* The record that ended the connection. Who closes in order at the asker's own side stops asking;
 * any other end had waited for more, with all that came acknowledged. TW_NO_RECORD: it is neither.
 */
static uint32_t end_of_wait(const struct tw_cut *cut, const struct tw_exchange *e)
{
    uint32_t end = TW_NO_RECORD;

    for (int side = 0; side < 2; side++)
        end = MIN(end, MIN(cut->fin[side], cut->rst[side]));
    if (end == TW_NO_RECORD || end <= e->request_last)
        return TW_NO_RECORD;
    if (end == cut->fin[e->asker])
        return end;
    return cut->acked[e->asker] >= e->request_to &&
                   tw_cut_between(cut, e->request_last, end) >= LEAST_WAIT
               ? end
               : TW_NO_RECORD;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchange *e = unfinished(cut);
    uint32_t end;
    int64_t beyond;

    if (!e || e->request_last >= cut->log->n || has_holes(cut, e))
        return false;
    end = end_of_wait(cut, e);
    if (end == TW_NO_RECORD)
        return false;
    beyond = sent_beyond(cut, e);
    /* The asker's FIN tells the other program at once that no more comes. */
    tw_failure_begin(out, TCPWHY_FAILURE_REQUEST_INCOMPLETE, TCPWHY_FAILED_REQUEST,
                     end == cut->fin[e->asker] ? TCPWHY_SEEN_END_OF_FILE : TCPWHY_SEEN_TIMEOUT);
    out->who = beyond > 0 || (beyond < 0 && is_hello(e) && !sees_asker(cut, e)) ? TCPWHY_BY_UNKNOWN
                                                                                : TCPWHY_BY_CLIENT;
    if (beyond != 0 && !sees_asker(cut, e))
        out->confidence = TCPWHY_LIKELY;
    out->time_ns = cut->log->record[end].time_ns;
    tw_failure_waited(out, cut, e->request_last, end);
    tw_failure_clue(out, TW_CLUE_REQUEST_PART, (double)(e->request_to - e->request_from), 0);
    return true;
}

const struct tw_failure_detector tw_failure_request_incomplete = {
    .kind = TCPWHY_FAILURE_REQUEST_INCOMPLETE,
    .find = find,
};
