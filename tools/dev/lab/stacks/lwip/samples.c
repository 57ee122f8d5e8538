/* SPDX-License-Identifier: MIT */
/* lwIP's own state of a connection, one row for each interval without a change. */
#include "connection.h"

#include <inttypes.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/tcp.h>
#include <lwip/tcpip.h>
#include <string.h>

/* As the kernel's sampler calls them where both know them; windows are bytes here. */
static const char *const names[COLUMNS] = {
    "state",   "rto_us",          "rtt_us",  "rttvar_us",   "cwnd_bytes", "ssthresh_bytes",
    "snd_wnd", "in_flight_bytes", "notsent", "retransmits", "dup_acks",   "snd_mss",
};

static void read_pcb(const struct tcp_pcb *pcb, int64_t value[COLUMNS])
{
    /* lwIP's states as Linux numbers them. */
    static const int64_t states[] = { 7, 10, 2, 3, 1, 4, 5, 8, 11, 9, 6 };
    const int64_t tick_us = TCP_SLOW_INTERVAL * 1000;
    const int64_t values[COLUMNS] = {
        states[pcb->state],
        pcb->rto * tick_us,
        /* Kept as eight times the mean and four times the deviation. */
        pcb->sa * tick_us / 8,
        pcb->sv * tick_us / 4,
        pcb->cwnd,
        pcb->ssthresh,
        pcb->snd_wnd,
        (int32_t)(pcb->snd_nxt - pcb->lastack),
        (int32_t)(pcb->snd_lbb - pcb->snd_nxt),
        pcb->nrtx,
        pcb->dupacks,
        pcb->mss,
    };
    memcpy(value, values, sizeof(values));
}

void connection_sample(struct connection *c)
{
    struct row row = { .from_ns = now_ns() };
    bool there = false;

    pthread_mutex_lock(&c->lock);
    if (c->conn) {
        LOCK_TCPIP_CORE();
        there = c->conn->pcb.tcp != NULL;
        if (there)
            read_pcb(c->conn->pcb.tcp, row.value);
        UNLOCK_TCPIP_CORE();
    }
    pthread_mutex_unlock(&c->lock);
    row.until_ns = row.from_ns;
    struct row *last = c->n_rows ? &c->rows[c->n_rows - 1] : NULL;
    if (there && last && !memcmp(last->value, row.value, sizeof(row.value)))
        last->until_ns = row.from_ns;
    else if (there && c->n_rows < MOST_ROWS)
        c->rows[c->n_rows++] = row;
}

void connection_tell_columns(FILE *out)
{
    fputs("C time_ns until_ns", out);
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(out, " %s", names[i]);
    fputc('\n', out);
}

void connection_tell(struct connection *c, unsigned number, FILE *out)
{
    fprintf(out, "S %u %s\n", number, c->name);
    for (size_t i = 0; i < c->n_notes; i++) {
        const struct note *n = &c->notes[i];

        if (!strcmp(n->what, "request"))
            fprintf(out, "D %u request %ld\n", number, n->n);
        else
            fprintf(out, "D %u %s %" PRId64 " %" PRId64 " %ld\n", number, n->what, n->from_ns,
                    n->until_ns, n->n);
    }
    if (c->problem || !c->done)
        fprintf(out, "X %u %s\n", number, c->problem ? c->problem : "shut down");
    for (size_t i = 0; i < c->n_rows; i++) {
        fprintf(out, "R %u %" PRId64 " %" PRId64, number, c->rows[i].from_ns, c->rows[i].until_ns);
        for (size_t k = 0; k < COLUMNS; k++)
            fprintf(out, " %" PRId64, c->rows[i].value[k]);
        fputc('\n', out);
    }
}
