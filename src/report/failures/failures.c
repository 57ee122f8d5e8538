/* SPDX-License-Identifier: MIT */
#include "report/failures/failures.h"

#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/ns.h"
#include "report/endpoints.h"
#include "report/failures/failure_entry.h"
#include "report/failures/failure_words.h"
#include "report/rows/connection_row.h"

#define MOST_STRAYS 1024

struct tw_failure_list {
    tw_array *entries;      /* struct tw_failure_entry, by stream */
    tw_array *strays;       /* struct tw_stray */
    tw_hash_table *lives;   /* struct tw_listener_life by their endpoints */
    tw_string_chunk *words; /* names that are a connection's own */
    size_t words_bytes;     /* at most: equal ones are kept once */
    guint most;
    uint64_t dropped;
};

static tw_hash_table *new_lives(void)
{
    return tw_hash_table_new_full(tw_endpoint_hash, tw_endpoint_equal, NULL, tw_free);
}

/* Words of a server are freed with their connection, so they are copied; other names are static. */
static void keep_words(struct tw_failure_list *list, struct tw_failure *f)
{
    if (!f->name || f->kind == TCPWHY_FAILURE_TLS_ALERT || f->kind == TCPWHY_FAILURE_HTTP2_GOAWAY ||
        f->kind == TCPWHY_FAILURE_HTTP2_STREAM_RESET)
        return; /* static ones */
    list->words_bytes += strlen(f->name) + 1;
    f->name = tw_string_chunk_insert_const(list->words, f->name);
}

struct tw_failure_list *tw_failure_list_new(guint most)
{
    struct tw_failure_list *list = tw_new0(struct tw_failure_list, 1);

    list->entries = tw_array_new(FALSE, FALSE, sizeof(struct tw_failure_entry));
    list->strays = tw_array_new(FALSE, FALSE, sizeof(struct tw_stray));
    list->lives = new_lives();
    list->words = tw_string_chunk_new(256);
    list->most = most;
    return list;
}

struct tw_failure_list *tw_failure_list_copy(const struct tw_failure_list *from)
{
    struct tw_failure_list *list = tw_memdup2(from, sizeof *from);
    tw_hash_table_iter iter;
    gpointer life;

    list->entries = tw_array_copy(from->entries);
    list->strays = tw_array_copy(from->strays);
    list->lives = new_lives();
    list->words = tw_string_chunk_new(256);
    list->words_bytes = 0;
    for (guint i = 0; i < list->entries->len; i++)
        keep_words(list, &tw_array_index(list->entries, struct tw_failure_entry, i).failure);
    tw_hash_table_iter_init(&iter, from->lives);
    while (tw_hash_table_iter_next(&iter, NULL, &life)) {
        struct tw_listener_life *copy = tw_memdup2(life, sizeof *copy);

        tw_hash_table_insert(list->lives, &copy->server, copy);
    }
    return list;
}

void tw_failure_list_free(struct tw_failure_list *list)
{
    tw_array_free(list->entries, TRUE);
    tw_array_free(list->strays, TRUE);
    tw_hash_table_destroy(list->lives);
    tw_string_chunk_free(list->words);
    tw_free(list);
}

/* The host's response time to the only SYN; unknown with several, of which one may be lost. */
static tcpwhy_ns answered_after(const struct tw_connection_row *conn)
{
    const struct tw_setup *setup = &conn->setup;

    return setup->syns == 1 && setup->answer_ns != TCPWHY_NS_UNKNOWN
               ? setup->answer_ns - setup->syn_ns
               : TCPWHY_NS_UNKNOWN;
}

static void note_life(struct tw_failure_list *list, const struct tw_connection_row *conn)
{
    const struct tw_stream_row *s = &conn->stream;
    struct tw_listener_life *life;
    tcpwhy_ns round_ns = answered_after(conn);

    if (!s->complete_start && conn->failure.survived_ns == 0)
        return;
    life = tw_hash_table_lookup(list->lives, &s->server);
    if (!life) {
        if (tw_hash_table_size(list->lives) >= list->most)
            return;
        life = tw_new(struct tw_listener_life, 1);
        *life = (struct tw_listener_life) { s->server, 0, TCPWHY_NS_UNKNOWN, TCPWHY_NS_UNKNOWN };
        tw_hash_table_insert(list->lives, &life->server, life);
    }
    life->survived_ns = MAX(life->survived_ns, conn->failure.survived_ns);
    if (conn->setup.outcome == TW_SETUP_OPEN && round_ns != TCPWHY_NS_UNKNOWN &&
        (life->round_ns == TCPWHY_NS_UNKNOWN || round_ns < life->round_ns))
        life->round_ns = round_ns;
    if (s->complete_start &&
        (conn->failure.kind == TCPWHY_FAILURE_NONE || conn->failure.survived_ns > 0))
        life->last_opened_ns = MAX(life->last_opened_ns, s->start_ns);
}

static void note_stray(struct tw_failure_list *list, const struct tw_connection_row *conn)
{
    const struct tw_stream_row *s = &conn->stream;
    struct tw_stray stray = { s->stream, s->first_frame, s->start_ns, s->client };

    if (conn->failure.stray_reset_by == TCPWHY_SERVER)
        stray.reset_by = s->server;
    if (list->strays->len < MOST_STRAYS)
        tw_array_append_val(list->strays, stray);
}

void tw_failure_list_add(struct tw_failure_list *list, const struct tw_connection_row *conn)
{
    const struct tw_stream_row *s = &conn->stream;
    struct tw_failure_entry e = { .stream = s->stream,
                                  .opened_ns = s->start_ns,
                                  .took_ns = answered_after(conn),
                                  .client = s->client,
                                  .server = s->server,
                                  .failure = conn->failure };

    if (!conn->first)
        return;
    note_life(list, conn);
    if (conn->failure.stray)
        note_stray(list, conn);
    if (conn->failure.kind == TCPWHY_FAILURE_NONE)
        return;
    if (list->entries->len == list->most) {
        list->dropped++;
        return;
    }
    keep_words(list, &e.failure);
    tw_array_append_val(list->entries, e);
}

size_t tw_failure_list_bytes(const struct tw_failure_list *list)
{
    return list->entries->len * sizeof(struct tw_failure_entry) +
           list->strays->len * sizeof(struct tw_stray) + list->words_bytes +
           tw_hash_table_size(list->lives) * (sizeof(struct tw_listener_life) + TW_ENTRY_BYTES);
}

uint64_t tw_failure_list_dropped(const struct tw_failure_list *list)
{
    return list->dropped;
}

/* ---- the end --------------------------------------------------------------------------------- */

static int by_time(gconstpointer a, gconstpointer b)
{
    const struct tw_failure_entry *x = a, *y = b;

    if (x->failure.time_ns != y->failure.time_ns)
        return x->failure.time_ns < y->failure.time_ns ? -1 : 1;
    return (x->stream > y->stream) - (x->stream < y->stream);
}

/* Compare by the fields that make a kind of failure. */
static int compare_sorts(const struct tw_failure_entry *x, const struct tw_failure_entry *y)
{
    int host;

    if (x->failure.kind != y->failure.kind)
        return (int)x->failure.kind - (int)y->failure.kind;
    if (x->failure.who != y->failure.who)
        return (int)x->failure.who - (int)y->failure.who;
    host = memcmp(x->server.address, y->server.address, sizeof x->server.address);
    return host ? host : (int)x->server.port - (int)y->server.port;
}

static int by_sort(gconstpointer a, gconstpointer b)
{
    int sort = compare_sorts(a, b);

    return sort ? sort : by_time(a, b);
}

static bool is_before_data(enum tcpwhy_failed failed)
{
    return failed == TCPWHY_FAILED_CONNECT || failed == TCPWHY_FAILED_LOOKUP;
}

/* Failures of a whole host first, then the most frequent kind; unopened connections after broken
 * requests, since findings report them, too. */
static int by_weight(gconstpointer a, gconstpointer b)
{
    const struct tw_failure_entry *x = a, *y = b;
    bool x_connects = is_before_data(x->failure.failed);
    bool y_connects = is_before_data(y->failure.failed);
    bool x_ports = x->failure.kind == TCPWHY_FAILURE_PORTS_USED_UP;
    bool y_ports = y->failure.kind == TCPWHY_FAILURE_PORTS_USED_UP;

    if (x_ports != y_ports)
        return y_ports - x_ports;
    if (x_connects != y_connects)
        return x_connects - y_connects;
    if (x->of_sort != y->of_sort)
        return x->of_sort > y->of_sort ? -1 : 1;
    return by_sort(a, b);
}

#define entry_at(entries, i) (&tw_array_index((entries), struct tw_failure_entry, (i)))

/* A delay that repeats is one row, with the time of all. */
static void sum_up(tw_array *entries, guint from, guint to)
{
    tcpwhy_ns in_all_ns = 0;

    for (guint i = from; i < to; i++) {
        const struct tw_failure *f = &entry_at(entries, i)->failure;

        if (f->seen_as == TCPWHY_SEEN_DELAY && f->after_ns != TCPWHY_NS_UNKNOWN)
            in_all_ns = tw_ns_add(in_all_ns, f->after_ns);
    }
    for (guint i = from; i < to; i++) {
        entry_at(entries, i)->of_sort = to - from;
        entry_at(entries, i)->in_all_ns = in_all_ns;
    }
    if (in_all_ns > 0 && to - from > 1)
        tw_failure_entry_clue(entry_at(entries, from), TW_CLUE_IN_ALL, to - from,
                              (double)in_all_ns / 1e6);
}

static void count_sorts(tw_array *entries)
{
    guint from = 0;

    for (guint i = 1; i <= entries->len; i++) {
        if (i < entries->len && compare_sorts(entry_at(entries, from), entry_at(entries, i)) == 0)
            continue;
        sum_up(entries, from, i);
        from = i;
    }
}

static void publish(struct tcpwhy_report *report, const struct tw_failure_entry *e)
{
    const struct tw_failure *f = &e->failure;
    struct tcpwhy_clue *clues = tw_new(struct tcpwhy_clue, f->n_clues + 1);
    uint32_t *frames = tw_memdup2(f->frames, sizeof f->frames);
    struct tw_failure_row row = {
        .kind = f->kind,
        .failed = f->failed,
        .seen_as = f->seen_as,
        .who = f->who,
        .confidence = f->confidence,
        .stream = e->stream,
        .client = e->client,
        .server = e->server,
        .time_ns = f->time_ns,
        .after_ns = f->after_ns,
        .name = f->name,
        .frames = frames,
        .n_frames = f->n_frames,
        .clues = clues,
        .of_sort = e->of_sort,
        .in_all_ns = e->in_all_ns,
    };

    for (uint32_t i = 0; i < f->n_clues; i++)
        row.n_clues += tw_failure_clue_words(&f->clue[i], report->texts, &clues[row.n_clues]);
    tw_ptr_array_add(report->blocks, clues);
    tw_ptr_array_add(report->blocks, frames);
    tw_failure_words(f, &row, report->texts);
    tw_array_append_val(report->failures, row);
}

/* Lookups and neighbours that failed before there was a connection. */
static void add_names(struct tw_failure_list *list, const struct tw_names *names, tcpwhy_ns end_ns,
                      bool no_tcp)
{
    if (names)
        tw_failures_of_names(names, end_ns, no_tcp, list->most, list->entries);
}

/* The clients' ports, whose shortage no single connection shows. */
static void add_used_up(struct tw_failure_list *list, const tw_array *ports)
{
    struct tw_failure_entry e;

    for (guint i = 0; i < ports->len; i++) {
        if (!tw_failure_of_ports(&tw_array_index(ports, struct tcpwhy_ports, i), &e))
            continue;
        if (list->entries->len < list->most)
            tw_array_append_val(list->entries, e);
        else
            list->dropped++;
    }
}

static void relate(struct tw_failure_list *list, const tw_array *fallbacks)
{
    tw_failures_relate_fallbacks(list->entries, fallbacks);
    tw_array_sort(list->entries, by_time);
    tw_failures_relate_hairpins(list->entries);
    tw_failures_relate_strays(list->entries, list->strays);
    tw_failures_relate_restarts(list->entries, list->lives);
    tw_failures_relate_living(list->entries, list->lives);
    tw_failures_relate_refusals(list->entries, list->lives);
}

void tw_failure_list_close(struct tw_failure_list *list, const tw_array *fallbacks,
                           const struct tw_names *names, tcpwhy_ns end_ns,
                           struct tcpwhy_report *report)
{
    tw_array *entries = list->entries;
    struct tcpwhy_verdict *v = &report->verdict;

    add_used_up(list, report->ports);
    add_names(list, names, end_ns, report->capture.tcp_frames == 0);
    if (entries->len == 0 && fallbacks->len == 0)
        return;
    relate(list, fallbacks);
    tw_failures_tell_astray(entries, report);
    tw_array_sort(entries, by_sort);
    count_sorts(entries);
    tw_array_sort(entries, by_weight);
    for (guint i = 0; i < entries->len; i++)
        publish(report, entry_at(entries, i));
    v->failure = entry_at(entries, 0)->failure.kind;
    v->failures = entries->len + list->dropped;
}
