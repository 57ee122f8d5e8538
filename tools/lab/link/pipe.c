/* SPDX-License-Identifier: MIT */
/* One direction of the cable: decides which frames are lost, and when the others come out.
 * The queue before the bottleneck is not kept as a list: what waits in it follows from the time
 * at which the bottleneck will have sent it all. */
#include "pipe.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct parcel {
    struct parcel *next;
    int64_t due_ns;
    size_t length;
    unsigned char bytes[];
};

static double dice(struct pipe *pipe)
{
    /* xorshift64: the same seed gives the same losses, run after run. */
    pipe->random ^= pipe->random << 13;
    pipe->random ^= pipe->random >> 7;
    pipe->random ^= pipe->random << 17;
    return (double)(pipe->random >> 11) / 9007199254740992.0;
}

static bool chosen(struct pipe_victims *victims)
{
    victims->seen++;
    for (unsigned i = 0; i < victims->n; i++)
        if (victims->seen >= victims->from[i] && victims->seen <= victims->to[i])
            return true;
    return false;
}

static bool lost_at_random(struct pipe *pipe, enum frame_kind kind)
{
    if (kind == FRAME_ACK || kind == FRAME_FIN)
        return pipe->set.ack_loss > 0 && dice(pipe) < pipe->set.ack_loss;
    if (kind != FRAME_DATA)
        return false;
    if (!pipe->burst_left && pipe->set.burst > 0 && dice(pipe) < pipe->set.burst)
        pipe->burst_left = pipe->set.burst_length;
    if (pipe->burst_left) {
        pipe->burst_left--;
        return true;
    }
    return pipe->set.loss > 0 && dice(pipe) < pipe->set.loss;
}

static bool lost(struct pipe *pipe, int64_t now_ns, enum frame_kind kind)
{
    struct pipe_victims *victims[] = { [FRAME_SYN] = &pipe->set.syn,
                                       [FRAME_SYN_ACK] = &pipe->set.syn_ack,
                                       [FRAME_ACK] = &pipe->set.ack,
                                       [FRAME_FIN] = &pipe->set.fin,
                                       [FRAME_DATA] = &pipe->set.data };
    int64_t age_ns = pipe->start_ns ? now_ns - pipe->start_ns : -1;

    if (kind == FRAME_OTHER)
        return false;
    if (chosen(victims[kind]))
        return true;
    if (age_ns >= pipe->set.dark_from_ns && age_ns < pipe->set.dark_to_ns)
        return true;
    return lost_at_random(pipe, kind);
}

static double waiting_bytes(const struct pipe *pipe, int64_t now_ns)
{
    int64_t waits_ns = pipe->busy_until_ns - now_ns;

    return waits_ns > 0 && pipe->set.rate_bps > 0 ? (double)waits_ns * pipe->set.rate_bps / 8e9 : 0;
}

/* When the bottleneck has sent the frame; -1 when its queue has no room. A policer's queue is one
 * of tokens: nothing waits in it. */
static int64_t through_bottleneck(struct pipe *pipe, int64_t now_ns, size_t length)
{
    double byte_ns = pipe->set.rate_bps > 0 ? 8e9 / pipe->set.rate_bps : 0;
    int64_t begin_ns = pipe->busy_until_ns > now_ns ? pipe->busy_until_ns : now_ns;
    double room = pipe->set.police_bytes > 0 ? pipe->set.police_bytes : pipe->set.queue_bytes;

    if (byte_ns <= 0)
        return now_ns;
    if (room > 0 && waiting_bytes(pipe, now_ns) + (double)length > room)
        return -1;
    pipe->busy_until_ns = begin_ns + (int64_t)((double)length * byte_ns);
    return pipe->set.police_bytes > 0 ? now_ns : pipe->busy_until_ns;
}

static void insert(struct pipe *pipe, struct parcel *parcel)
{
    struct parcel **at = &pipe->first;

    if (pipe->last && pipe->last->due_ns <= parcel->due_ns)
        at = &pipe->last->next;
    while (*at && (*at)->due_ns <= parcel->due_ns)
        at = &(*at)->next;
    parcel->next = *at;
    *at = parcel;
    if (!parcel->next)
        pipe->last = parcel;
}

static struct parcel *send_at(struct pipe *pipe, int64_t due_ns, const unsigned char *bytes,
                              size_t length)
{
    struct parcel *parcel = malloc(sizeof(*parcel) + length);

    if (!parcel)
        return NULL;
    parcel->due_ns = due_ns;
    parcel->length = length;
    memcpy(parcel->bytes, bytes, length);
    insert(pipe, parcel);
    return parcel;
}

static int64_t arrival(struct pipe *pipe, int64_t sent_ns, enum frame_kind kind)
{
    int64_t due_ns = sent_ns + pipe->set.delay_ns;
    int64_t still_to_ns = pipe->start_ns + pipe->set.still_to_ns;

    if (pipe->set.still_to_ns && pipe->start_ns && due_ns < still_to_ns &&
        due_ns >= pipe->start_ns + pipe->set.still_from_ns)
        return pipe->last_due_ns = still_to_ns;

    if (kind == FRAME_DATA && pipe->set.reorder > 0 && dice(pipe) < pipe->set.reorder) {
        pipe->count.reordered++;
        return due_ns + pipe->set.reorder_ns;
    }
    if (pipe->set.jitter_ns > 0)
        due_ns += (int64_t)(dice(pipe) * (double)pipe->set.jitter_ns);
    if (due_ns < pipe->last_due_ns)
        due_ns = pipe->last_due_ns;
    return pipe->last_due_ns = due_ns;
}

void pipe_put(struct pipe *pipe, int64_t now_ns, const unsigned char *bytes, size_t length,
              size_t head)
{
    enum frame_kind kind = frame_kind(bytes + head, length - head);

    pipe->count.seen++;
    pipe->count.data += kind == FRAME_DATA;
    if (!pipe->start_ns && (kind == FRAME_SYN || kind == FRAME_SYN_ACK))
        pipe->start_ns = now_ns;
    if (pipe->set.hole_bytes &&
        frame_ip_length(bytes + head, length - head) > pipe->set.hole_bytes) {
        pipe->count.hole_drops++;
        return;
    }
    if (lost(pipe, now_ns, kind)) {
        pipe->count.lost++;
        return;
    }
    double waits = waiting_bytes(pipe, now_ns);
    int64_t sent_ns = through_bottleneck(pipe, now_ns, length - head);
    if (sent_ns < 0) {
        pipe->count.queue_drops++;
        return;
    }
    bool marks = pipe->set.mark_bytes > 0 && waits > pipe->set.mark_bytes;
    int64_t due_ns = arrival(pipe, sent_ns, kind);
    struct parcel *parcel = send_at(pipe, due_ns, bytes, length);

    if (marks && parcel && frame_mark(parcel->bytes + head, length - head))
        pipe->count.marked++;
    if (kind == FRAME_DATA && pipe->set.duplicate > 0 && dice(pipe) < pipe->set.duplicate) {
        pipe->count.duplicated++;
        send_at(pipe, due_ns, bytes, length);
    }
}

size_t pipe_answer(const struct pipe *pipe, const unsigned char *bytes, size_t length, size_t head,
                   unsigned char *out)
{
    const unsigned char *frame = bytes + head;
    size_t hole = pipe->set.hole_bytes;

    if (!hole || !pipe->set.too_big || frame_ip_length(frame, length - head) <= hole)
        return 0;
    memset(out, 0, head);
    size_t answer = frame_too_big(frame, length - head, hole, out + head);
    return answer ? head + answer : 0;
}

int64_t pipe_next_ns(const struct pipe *pipe)
{
    return pipe->first ? pipe->first->due_ns : PIPE_NEVER;
}

void pipe_deliver(struct pipe *pipe, int64_t now_ns, int fd)
{
    while (pipe->first && pipe->first->due_ns <= now_ns) {
        struct parcel *parcel = pipe->first;

        if (write(fd, parcel->bytes, parcel->length) == (ssize_t)parcel->length)
            pipe->count.forwarded++;
        pipe->first = parcel->next;
        if (!pipe->first)
            pipe->last = NULL;
        free(parcel);
    }
}

void pipe_print(const struct pipe *pipe, const char *name, FILE *out)
{
    const struct pipe_counts *c = &pipe->count;

    fprintf(out,
            "\"%s\": {\"seen\": %lu, \"data\": %lu, \"lost\": %lu, \"queue_drops\": %lu, "
            "\"hole_drops\": %lu, \"reordered\": %lu, \"duplicated\": %lu, \"marked\": %lu, "
            "\"forwarded\": %lu}",
            name, c->seen, c->data, c->lost, c->queue_drops, c->hole_drops, c->reordered,
            c->duplicated, c->marked, c->forwarded);
}

void pipe_free(struct pipe *pipe)
{
    while (pipe->first) {
        struct parcel *parcel = pipe->first;

        pipe->first = parcel->next;
        free(parcel);
    }
}
