/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include <string.h>

#include <glib.h>

#include "base/memory.h"

G_STATIC_ASSERT(sizeof(struct tw_record) == 64);

/* Frames are never misplaced that far: the clock was set. */
#define CLOCK_STEP TCPWHY_S(1)

/* Smaller offsets are slewed, not stepped (ntpd's step threshold; others have larger ones). */
#define CLOCK_SET TCPWHY_MS(128)

/* Limit of the search for a side's previous record; one further back is useless. */
#define LOOK_BACK 16

/* Misplacement by several NIC queues or CPUs, without notice: shorter than any material gap. */
#define CLOCK_JITTER TCPWHY_MS(1)

/* Longer than any connection survives without packets: the clock was set, too. */
#define CLOCK_LEAP TCPWHY_S(365 * 86400)

/* Per connection. */
#define LIFE_MAX (5 * CLOCK_LEAP)

/* Limit of frame times, so that differences cannot overflow, even if forged. */
#define CLOCK_END (INT64_MAX / 2)

/* Zero-initialise all but the first records. */
static void empty(struct tw_log *log, bool placed)
{
    memset(log, 0, offsetof(struct tw_log, first));
    log->record = log->first;
    log->capacity = TW_LOG_FIRST;
    log->placed = placed;
    log->until_ns = INT64_MIN;
}

/* A lifetime of the connection begins. */
static void start(struct tw_log *log, tcpwhy_ns first_ns)
{
    log->started = true;
    log->last_ns = first_ns;
    log->until_ns = MIN(first_ns + LIFE_MAX, CLOCK_END);
}

struct tw_log *tw_log_new(void)
{
    struct tw_log *log = tw_new(struct tw_log, 1);

    empty(log, false);
    return log;
}

void tw_log_place(struct tw_log *log, const struct tw_connection *c, struct tw_log_blocks *blocks)
{
    empty(log, true);
    log->blocks = blocks;
    if (c->past.row != TW_NO_ROW)
        start(log, c->past.last_ns);
}

struct tw_log *tw_log_take(struct tw_log *log)
{
    struct tw_log *own = tw_memdup2(log, sizeof *log);

    if (own->record == log->first)
        own->record = own->first;
    own->placed = false;
    own->blocks = NULL;
    empty(log, log->placed);
    return own;
}

/* Size as if the block were as large as needed. The real size depends on thread timing, and the
 * memory bound must be deterministic. */
static size_t record_bytes(const struct tw_log *log)
{
    return log->record == log->first ? 0 : tw_log_block_records(log->n) * sizeof *log->record;
}

size_t tw_log_bytes(const struct tw_log *log)
{
    return sizeof *log + record_bytes(log) + log->sack_capacity * sizeof *log->sack +
           log->icmp_capacity * sizeof *log->icmp + log->sum_capacity * sizeof *log->sum;
}

struct tw_log *tw_log_copy(const struct tw_log *log)
{
    struct tw_log *copy = tw_memdup2(log, sizeof *log);

    copy->capacity = MAX(log->n, TW_LOG_FIRST);
    copy->record = copy->first;
    if (log->record != log->first) {
        copy->record = tw_log_blocks_take(NULL, &copy->capacity);
        memcpy(copy->record, log->record, log->n * sizeof *log->record);
    }
    copy->sack = tw_memdup2(log->sack, log->n_sack * sizeof *log->sack);
    copy->icmp = tw_memdup2(log->icmp, log->n_icmp * sizeof *log->icmp);
    copy->sum = tw_memdup2(log->sum, log->n_sum * sizeof *log->sum);
    copy->sum_capacity = log->n_sum;
    copy->placed = false;
    copy->blocks = NULL;
    copy->sack_capacity = log->n_sack;
    copy->icmp_capacity = log->n_icmp;
    return copy;
}

void tw_log_free(struct tw_log *log)
{
    if (!log)
        return;
    if (log->record != log->first)
        tw_log_blocks_give(log->blocks, log->record, log->capacity);
    tw_free(log->sack);
    tw_free(log->icmp);
    tw_free(log->sum);
    if (!log->placed)
        tw_free(log);
}

/* Records in a block with room for that many, or more. */
static void move_records(struct tw_log *log, uint32_t capacity)
{
    struct tw_record *to = tw_log_blocks_take(log->blocks, &capacity);

    if (log->n > 0)
        memcpy(to, log->record, log->n * sizeof *to);
    if (log->record != log->first)
        tw_log_blocks_give(log->blocks, log->record, log->capacity);
    log->record = to;
    log->capacity = capacity;
}

__attribute__((noinline)) static void make_room(struct tw_log *log)
{
    uint32_t capacity = tw_log_block_records(log->n + 1);

    if (log->capacity < TW_LOG_LARGE_BLOCK || tw_log_blocks_has(log->blocks, capacity)) {
        move_records(log, capacity);
        return;
    }
    log->record = tw_pages_grow(log->record, capacity * sizeof *log->record);
    log->capacity = capacity;
}

static void append_sack(struct tw_log *log, const struct tw_tracked *t)
{
    if (log->n_sack + t->n_sack > log->sack_capacity) {
        log->sack_capacity = log->sack_capacity ? log->sack_capacity * 2 : 16;
        log->sack = tw_renew(struct tw_range, log->sack, log->sack_capacity);
    }
    for (int i = 0; i < t->n_sack; i++)
        log->sack[log->n_sack++] = (struct tw_range) { t->sack[i][0], t->sack[i][1] };
}

/* Frames of a side are in sending order, whatever queues they passed: does a later one of the
 * sequence space have an earlier time? */
static bool is_set_back(const struct tw_log *log, const struct tw_tracked *t)
{
    const struct tw_record *r = log->record + log->n;
    uint32_t near = MIN(log->n, LOOK_BACK);

    while (near > 0 && (--r)->from != t->from)
        near--;
    return near > 0 && t->time_ns + log->shift_ns < r->time_ns - CLOCK_SET &&
           t->seq >= tw_record_end(r) && t->ack >= r->ack && (t->seq > r->seq || t->ack > r->ack);
}

/*
 * Log time never runs backwards. Frames slightly out of order get the time of the previous one; a
 * clock that was set continues from there.
 */
static inline tcpwhy_ns steady_time(struct tw_log *log, const struct tw_tracked *t, bool *moved)
{
    tcpwhy_ns last = log->last_ns, step = t->time_ns - (last - log->shift_ns);

    *moved = false;
    if (G_LIKELY((uint64_t)step <= CLOCK_LEAP && last + step <= log->until_ns))
        return last + step;
    *moved = log->started && (step > 0 || step < -CLOCK_JITTER);
    if (step < 0 && step >= -CLOCK_STEP && log->started && !is_set_back(log, t))
        return last;
    if (!log->started) {
        start(log, t->time_ns);
        return t->time_ns;
    }
    if (step > 0 && log->n_leaps++ == 0)
        log->first_leap = t->frame;
    log->clock_set = true;
    log->shift_ns -= step;
    return last;
}

void tw_log_note_end(struct tw_log *log, const struct tw_tracked *t)
{
    bool ends = t->segment->flags & (TW_FIN | TW_RST);

    if (ends && !log->ends)
        log->ended_by = t->from;
    log->ends = ends || (log->ends && t->frame_class != TCPWHY_CLASS_DATA);
}

/* Fields that a record shares with the segment; the gap between them, moved, is set afterwards. */
#define AS_IN_SEGMENT (offsetof(struct tw_record, frame) - offsetof(struct tw_record, tsecr))

#define SAME_PLACE(field)                                                                          \
    G_STATIC_ASSERT(offsetof(struct tw_record, field) - offsetof(struct tw_record, tsecr) ==       \
                    offsetof(struct tw_segment, field) - offsetof(struct tw_segment, tsecr))

SAME_PLACE(options);
SAME_PLACE(ttl);
SAME_PLACE(tsval);
SAME_PLACE(len);
SAME_PLACE(flags);
SAME_PLACE(ip_id);

void tw_log_append(struct tw_log *log, const struct tw_tracked *t)
{
    const struct tw_segment *s = t->segment;
    bool moved;
    tcpwhy_ns time_ns = steady_time(log, t, &moved);
    struct tw_record *r;

    log->last_ns = time_ns;
    if (G_UNLIKELY(s->flags & (TW_FIN | TW_RST) || log->ends))
        tw_log_note_end(log, t);
    if (log->n == log->capacity)
        make_room(log);
    r = &log->record[log->n++];
    r->time_ns = time_ns;
    r->seq = t->seq;
    r->ack = t->ack;
    memcpy(&r->tsecr, &s->tsecr, AS_IN_SEGMENT);
    r->moved = false;
    if (!(s->options & TW_OPT_TIMESTAMP)) {
        r->to_client = t->rx_rate[TCPWHY_CLIENT];
        r->to_server = t->rx_rate[TCPWHY_SERVER];
    }
    r->frame = t->frame;
    r->window_bytes = (uint32_t)t->window_bytes;
    r->fresh = t->fresh;
    r->from = t->from;
    r->frame_class = t->frame_class;
    r->facts = t->facts;
    r->n_sack = t->n_sack;
    r->usual = t->usual;
    memcpy(r->tx_delay, t->tx_delay, sizeof r->tx_delay);
    /* Prefetch the cache line in which the next record will end. */
    __builtin_prefetch(r + 2, 1);
    if (t->n_sack) {
        r->sack = log->n_sack;
        append_sack(log, t);
    }
    if (G_UNLIKELY(moved)) {
        r->moved = true;
        r->usual = false;
    }
}

void tw_log_append_sum(struct tw_log *log, uint32_t frame, bool outer)
{
    if (log->n_sum == TW_LOG_MOST_SUMS)
        return;
    if (log->n_sum == log->sum_capacity) {
        log->sum_capacity = log->sum_capacity ? log->sum_capacity * 2 : 4;
        log->sum = tw_renew(struct tw_log_sum, log->sum, log->sum_capacity);
    }
    log->sum[log->n_sum++] = (struct tw_log_sum) { frame, outer };
}

void tw_log_append_icmp(struct tw_log *log, const struct tw_log_icmp *icmp)
{
    tcpwhy_ns last = log->started ? log->last_ns : icmp->time_ns, at;

    if (log->n_icmp == log->icmp_capacity) {
        log->icmp_capacity = log->icmp_capacity ? log->icmp_capacity * 2 : 2;
        log->icmp = tw_renew(struct tw_log_icmp, log->icmp, log->icmp_capacity);
    }
    if (log->n_icmp)
        last = MAX(last, log->icmp[log->n_icmp - 1].time_ns);
    log->icmp[log->n_icmp] = *icmp;
    if (__builtin_add_overflow(icmp->time_ns, log->shift_ns, &at))
        at = last;
    log->icmp[log->n_icmp++].time_ns = MAX(last, MIN(at, CLOCK_END));
}

void tw_log_join(struct tw_log *log, const struct tw_log *later)
{
    uint32_t n = log->n + later->n, n_sack = log->n_sack + later->n_sack;

    if (n > log->capacity)
        move_records(log, tw_log_block_records(n));
    for (uint32_t i = 0; i < later->n; i++) {
        log->record[log->n + i] = later->record[i];
        if (later->record[i].n_sack)
            log->record[log->n + i].sack += log->n_sack;
    }
    if (n_sack > log->sack_capacity) {
        log->sack_capacity = MAX(n_sack, 2 * log->sack_capacity);
        log->sack = tw_renew(struct tw_range, log->sack, log->sack_capacity);
    }
    for (uint32_t i = 0; i < later->n_sack; i++)
        log->sack[log->n_sack + i] = later->sack[i];
    for (uint32_t i = 0; i < later->n_icmp; i++)
        tw_log_append_icmp(log, &later->icmp[i]);
    for (uint32_t i = 0; i < later->n_sum; i++)
        tw_log_append_sum(log, later->sum[i].frame, later->sum[i].outer);
    if (log->n_filtered == 0)
        log->first_filtered = later->first_filtered;
    log->n_filtered += later->n_filtered;
    log->n = n;
    log->n_sack = n_sack;
    log->last_ns = later->last_ns;
}
