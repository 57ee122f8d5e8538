/* SPDX-License-Identifier: MIT */
/* One direction of the cable: decides which frames are lost, and when the others come out. */
#include "bottleneck.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct parcel {
    struct parcel *next;
    int64_t sent_ns, due_ns;
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

static struct parcel *send_at(struct pipe *pipe, int64_t sent_ns, int64_t due_ns,
                              const unsigned char *bytes, size_t length)
{
    struct parcel *parcel = malloc(sizeof(*parcel) + length);

    if (!parcel)
        return NULL;
    parcel->sent_ns = sent_ns;
    parcel->due_ns = due_ns;
    parcel->length = length;
    memcpy(parcel->bytes, bytes, length);
    insert(pipe, parcel);
    return parcel;
}

/* An aggregate of Wi-Fi: what comes while the first waits goes with it. */
static int64_t gathered(struct pipe *pipe, int64_t due_ns)
{
    if (due_ns > pipe->gate_ns)
        pipe->gate_ns = due_ns + (int64_t)((0.5 + dice(pipe)) * (double)pipe->set.gather_ns);
    return pipe->gate_ns;
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
    if (pipe->set.gather_ns > 0)
        due_ns = gathered(pipe, due_ns);
    if (due_ns < pipe->last_due_ns)
        due_ns = pipe->last_due_ns;
    return pipe->last_due_ns = due_ns;
}

/* As DOCSIS modems and CAKE do: true when an ACK that still waits told less, and its place is
 * taken. Those that report losses are left alone: they are longer. */
static bool replaces_ack(struct pipe *pipe, int64_t now_ns, const unsigned char *bytes,
                         size_t length, size_t head)
{
    for (struct parcel *p = pipe->first; p; p = p->next) {
        if (p->sent_ns <= now_ns || p->length != length ||
            !frame_newer_ack(bytes + head, p->bytes + head, length - head))
            continue;
        memcpy(p->bytes, bytes, length);
        pipe->count.filtered++;
        return true;
    }
    return false;
}

/* Pass a frame through the queue. @return -1: dropped; else the time at which it was sent. */
static int64_t queued(struct pipe *pipe, int64_t now_ns, const unsigned char *frame, size_t length,
                      bool *marks)
{
    bool deep = pipe->set.mark_bytes > 0 && bottleneck_bytes(pipe, now_ns) > pipe->set.mark_bytes;
    bool hit = bottleneck_codel_hits(pipe, now_ns);

    if (hit && !frame_knows_ecn(frame, length)) {
        pipe->count.codel_drops++;
        return -1;
    }
    *marks = deep || hit;
    int64_t sent_ns = bottleneck_pass(pipe, now_ns, length);
    pipe->count.queue_drops += sent_ns < 0;
    return sent_ns;
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
    if (kind == FRAME_ACK && pipe->set.ack_filter &&
        replaces_ack(pipe, now_ns, bytes, length, head))
        return;
    bool marks = false;
    int64_t sent_ns = queued(pipe, now_ns, bytes + head, length - head, &marks);
    if (sent_ns < 0)
        return;
    int64_t due_ns = arrival(pipe, sent_ns, kind);
    struct parcel *parcel = send_at(pipe, sent_ns, due_ns, bytes, length);

    if (marks && parcel && frame_mark(parcel->bytes + head, length - head))
        pipe->count.marked++;
    if (kind == FRAME_DATA && pipe->set.duplicate > 0 && dice(pipe) < pipe->set.duplicate) {
        pipe->count.duplicated++;
        send_at(pipe, sent_ns, due_ns, bytes, length);
    }
    if (kind == FRAME_DATA && parcel && pipe->set.damage > 0 && dice(pipe) < pipe->set.damage) {
        pipe->count.damaged++;
        parcel->bytes[length - 1] ^= 0xff;
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
            "\"codel_drops\": %lu, \"filtered\": %lu, \"damaged\": %lu, \"forwarded\": %lu}",
            name, c->seen, c->data, c->lost, c->queue_drops, c->hole_drops, c->reordered,
            c->duplicated, c->marked, c->codel_drops, c->filtered, c->damaged, c->forwarded);
}

void pipe_free(struct pipe *pipe)
{
    while (pipe->first) {
        struct parcel *parcel = pipe->first;

        pipe->first = parcel->next;
        free(parcel);
    }
}
