/* SPDX-License-Identifier: MIT */
/* One host of a scenario with lwIP: lwip client|server PLAN OUT, started inside its network
 * namespace. foreign.py writes the plan and reads what is left in OUT. */
#include "card.h"
#include "connection.h"
#include "plan.h"

#include <err.h>
#include <lwip/tcp.h>
#include <lwip/tcpip.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SAMPLE_NS 2000000
/* The last ACKs and FINs still have to leave. */
#define LINGER_US 200000

static const struct plan *plan;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection *list;

/* A connection that is about to begin. */
struct start {
    const struct flow *flow;
    struct netconn *conn;
    struct connection *connection;
    double at_ms;
};

static struct connection *add(struct netconn *conn, const char *peer, unsigned peer_port)
{
    ip_addr_t local;
    u16_t port = 0;
    char name[64];

    netconn_getaddr(conn, &local, &port, 1);
    snprintf(name, sizeof(name), "%s %u %s %u", plan->local, port, peer, peer_port);
    struct connection *c = connection_new(conn, name);
    pthread_mutex_lock(&list_lock);
    c->next = list;
    list = c;
    pthread_mutex_unlock(&list_lock);
    return c;
}

static void *sample(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&list_lock);
        struct connection *first = list;
        pthread_mutex_unlock(&list_lock);
        for (struct connection *c = first; c; c = c->next)
            connection_sample(c);
        nanosleep(&(struct timespec) { .tv_nsec = SAMPLE_NS }, NULL);
    }
    return NULL;
}

static pthread_t start_thread(void *(*run)(void *), void *argument)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, argument))
        err(1, "thread");
    return thread;
}

static void *connect_and_live(void *argument)
{
    struct start *s = argument;
    ip_addr_t peer;

    usleep((useconds_t)(s->at_ms * 1000));
    struct netconn *conn = netconn_new(NETCONN_TCP);
    if (!conn || !ipaddr_aton(plan->peer, &peer))
        errx(1, "no connection");
    netconn_bind(conn, IP4_ADDR_ANY, 0);
    struct connection *c = add(conn, plan->peer, s->flow->port);
    if (netconn_connect(conn, &peer, s->flow->port) == ERR_OK)
        connection_live(c, s->flow);
    else
        c->problem = "refused";
    return NULL;
}

/* Waits for a thread to its end, or until the plan ends all. */
static void await(pthread_t thread, int64_t until_ns)
{
    struct timespec t = { until_ns / 1000000000, until_ns % 1000000000 };

    if (plan->until_ms)
        pthread_timedjoin_np(thread, NULL, &t);
    else
        pthread_join(thread, NULL);
}

/* Connections that are still open at the end of the plan are left as they are. */
static void run_client(void)
{
    int64_t until_ns = now_ns() + plan->until_ms * 1000000LL;
    pthread_t *threads = NULL;
    size_t n = 0;

    for (size_t i = 0; i < plan->n_flows; i++) {
        const struct flow *flow = &plan->flows[i];

        for (unsigned k = 0; k < flow->connections; k++) {
            struct start *s = calloc(1, sizeof(*s));

            threads = realloc(threads, (n + 1) * sizeof(*threads));
            if (!threads || !s)
                err(1, "memory");
            *s = (struct start) { .flow = flow, .at_ms = flow->start_ms + k * flow->stagger_ms };
            threads[n++] = start_thread(connect_and_live, s);
        }
    }
    for (size_t i = 0; i < n; i++)
        await(threads[i], until_ns);
    usleep(LINGER_US);
}

static void *live(void *argument)
{
    struct start *s = argument;

    connection_live(s->connection, s->flow);
    return NULL;
}

static void *serve(void *argument)
{
    const struct flow *flow = argument;
    struct netconn *listener = netconn_new(NETCONN_TCP), *conn;

    if (!listener || netconn_bind(listener, IP4_ADDR_ANY, flow->port) != ERR_OK ||
        netconn_listen(listener) != ERR_OK)
        errx(1, "port %u: lwIP does not listen", flow->port);
    while (netconn_accept(listener, &conn) == ERR_OK) {
        struct start *s = calloc(1, sizeof(*s));
        ip_addr_t peer;
        u16_t port = 0;

        if (!s)
            err(1, "memory");
        netconn_getaddr(conn, &peer, &port, 0);
        *s = (struct start) { .flow = flow, .connection = add(conn, plan->peer, port) };
        start_thread(live, s);
    }
    return NULL;
}

static void run_server(const sigset_t *ends)
{
    for (size_t i = 0; i < plan->n_flows; i++)
        start_thread(serve, &plan->flows[i]);
    /* The threads listen as soon as they run. */
    usleep(50000);
    puts("ready");
    fflush(stdout);
    sigtimedwait(ends, NULL, &(struct timespec) { .tv_sec = plan->seconds });
}

int main(int argc, char **argv)
{
    pthread_t sampler;
    sigset_t ends;

    if (argc != 4)
        errx(2, "usage: lwip client|server PLAN OUT");
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    srand((unsigned)now_ns());
    plan = plan_read(argv[2]);
    card_start(plan->local);
    sampler = start_thread(sample, NULL);
    if (!strcmp(argv[1], "client"))
        run_client();
    else
        run_server(&ends);
    pthread_cancel(sampler);
    FILE *out = fopen(argv[3], "w");
    if (!out)
        err(1, "%s", argv[3]);
    connection_tell_columns(out);
    unsigned number = 0;
    for (struct connection *c = list; c; c = c->next)
        connection_tell(c, number++, out);
    fclose(out);
    return 0;
}
