/* SPDX-License-Identifier: MIT */
/* A program's side of a connection: its steps, and the diary that it keeps of them. */
#include "connection.h"

#include <err.h>
#include <lwip/tcp.h>
#include <lwip/tcpip.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* As long as peer.py waits for the other side. */
#define PATIENCE_MS 12000

int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

struct connection *connection_new(struct netconn *conn, const char *name)
{
    struct connection *c = calloc(1, sizeof(*c));

    if (!c || !(c->notes = calloc(MOST_NOTES, sizeof(*c->notes))) ||
        !(c->rows = calloc(MOST_ROWS, sizeof(*c->rows))))
        err(1, "memory");
    pthread_mutex_init(&c->lock, NULL);
    c->conn = conn;
    snprintf(c->name, sizeof(c->name), "%s", name);
    netconn_set_recvtimeout(conn, PATIENCE_MS);
    netconn_set_sendtimeout(conn, PATIENCE_MS);
    return c;
}

static void note(struct connection *c, const char *what, int64_t from_ns, long n)
{
    if (c->n_notes < MOST_NOTES)
        c->notes[c->n_notes++] = (struct note) { what, from_ns, now_ns(), n };
}

static err_t write_all(struct connection *c, long n)
{
    static const char bytes[65536];
    err_t error = ERR_OK;

    while (n > 0 && error == ERR_OK) {
        size_t done = 0;

        error = netconn_write_partly(c->conn, bytes, n < 65536 ? (size_t)n : 65536, NETCONN_COPY,
                                     &done);
        n -= (long)done;
    }
    return error;
}

/* `n` bytes, or all there are when n is negative. */
static err_t read_all(struct connection *c, long n)
{
    while (n) {
        if (!c->unread) {
            err_t error = netconn_recv_tcp_pbuf(c->conn, &c->unread);

            if (error != ERR_OK)
                return error == ERR_CLSD && n < 0 ? ERR_OK : error;
            c->unread_at = 0;
        }
        long here = c->unread->tot_len - c->unread_at;
        long part = n > 0 && n < here ? n : here;
        c->unread_at += (u16_t)part;
        if (part == here) {
            pbuf_free(c->unread);
            c->unread = NULL;
        }
        if (n > 0)
            n -= part;
    }
    return ERR_OK;
}

static void set_nodelay(struct connection *c, bool on)
{
    LOCK_TCPIP_CORE();
    if (c->conn->pcb.tcp && on)
        tcp_nagle_disable(c->conn->pcb.tcp);
    else if (c->conn->pcb.tcp)
        tcp_nagle_enable(c->conn->pcb.tcp);
    UNLOCK_TCPIP_CORE();
}

static err_t take_step(struct connection *c, const struct step *step)
{
    int64_t from_ns = now_ns();
    err_t error = ERR_OK;

    if (!strcmp(step->verb, "write")) {
        error = write_all(c, step->n);
        note(c, "write", from_ns, step->n);
    } else if (!strcmp(step->verb, "read") || !strcmp(step->verb, "drain")) {
        bool drain = step->verb[0] == 'd';

        error = read_all(c, drain ? -1 : step->n);
        note(c, "read", from_ns, drain ? 0 : step->n);
    } else if (!strcmp(step->verb, "sleep_us")) {
        struct timespec t = { step->n / 1000000, step->n % 1000000 * 1000 };

        nanosleep(&t, NULL);
        note(c, "sleep", from_ns, 0);
    } else if (!strcmp(step->verb, "begin")) {
        c->begun_ns = from_ns;
    } else if (!strcmp(step->verb, "end")) {
        note(c, "request", 0, (long)(from_ns - c->begun_ns));
    } else if (!strcmp(step->verb, "nodelay")) {
        set_nodelay(c, step->n);
    } else if (!strcmp(step->verb, "shutdown")) {
        error = netconn_shutdown(c->conn, 0, 1);
    } else {
        errx(1, "%s: no verb of this stack", step->verb);
    }
    return error;
}

void connection_live(struct connection *c, const struct flow *flow)
{
    if (flow->nodelay >= 0)
        set_nodelay(c, flow->nodelay);
    for (size_t i = 0; i < flow->n_steps && !c->problem; i++) {
        err_t error = take_step(c, &flow->steps[i]);

        if (error != ERR_OK)
            c->problem = error == ERR_TIMEOUT || error == ERR_WOULDBLOCK ? "timed out"
                         : error == ERR_CLSD                             ? "bytes short"
                                                                         : "reset";
    }
    c->done = true;
    pthread_mutex_lock(&c->lock);
    struct netconn *conn = c->conn;
    c->conn = NULL;
    pthread_mutex_unlock(&c->lock);
    netconn_delete(conn);
}
