/* SPDX-License-Identifier: MIT */
/* Several failures together. */
#include "base/array.h"
#include "base/hash_table.h"
#include "tests/unit.h"

#include "report/endpoints.h"
#include "report/failures/failure_entry.h"

static const struct tcpwhy_endpoint client = { { 10, 0, 0, 1 }, 40000, 4 };
static const struct tcpwhy_endpoint server = { { 10, 0, 0, 2 }, 80, 4 };
static const struct tcpwhy_endpoint other_server = { { 10, 0, 0, 3 }, 80, 4 };

static struct tw_failure_entry *add(tw_array *entries, enum tcpwhy_failure_kind kind,
                                    tcpwhy_ns at_ns)
{
    struct tw_failure_entry e = { .stream = entries->len, .client = client, .server = server };

    e.failure.kind = kind;
    e.failure.who = TCPWHY_BY_SERVER;
    e.failure.time_ns = at_ns;
    e.failure.failed =
        kind == TCPWHY_FAILURE_CONNECT_REFUSED ? TCPWHY_FAILED_CONNECT : TCPWHY_FAILED_REQUEST;
    tw_array_append_val(entries, e);
    return &tw_array_index(entries, struct tw_failure_entry, entries->len - 1);
}

static bool has_clue(const tw_array *entries, guint i, enum tw_clue_kind kind)
{
    const struct tw_failure *f = &tw_array_index(entries, struct tw_failure_entry, i).failure;

    for (uint32_t k = 0; k < f->n_clues; k++)
        if (f->clue[k].kind == kind)
            return true;
    return false;
}

static enum tcpwhy_failure_kind kind_of(const tw_array *entries, guint i)
{
    return tw_array_index(entries, struct tw_failure_entry, i).failure.kind;
}

static tw_array *new_entries(void)
{
    return tw_array_new(FALSE, TRUE, sizeof(struct tw_failure_entry));
}

static tw_hash_table *lives_of(struct tw_listener_life *life)
{
    tw_hash_table *lives = tw_hash_table_new(tw_endpoint_hash, tw_endpoint_equal);

    tw_hash_table_insert(lives, &life->server, life);
    return lives;
}

TEST(a_reset_beside_a_refusal_is_a_restart)
{
    struct tw_listener_life life = { server, 0, TCPWHY_NS_UNKNOWN, TCPWHY_NS_UNKNOWN };
    tw_hash_table *lives = lives_of(&life);
    g_autoptr(tw_array) entries = new_entries();

    add(entries, TCPWHY_FAILURE_REQUEST_RESET, TCPWHY_S(10));
    add(entries, TCPWHY_FAILURE_EMPTY_REPLY, TCPWHY_S(10));
    add(entries, TCPWHY_FAILURE_CONNECT_REFUSED, TCPWHY_S(12));
    add(entries, TCPWHY_FAILURE_REQUEST_RESET, TCPWHY_S(80));
    tw_failures_relate_restarts(entries, lives);
    assert_int_equal(kind_of(entries, 0), TCPWHY_FAILURE_SERVER_RESTARTED);
    assert_int_equal(kind_of(entries, 1), TCPWHY_FAILURE_SERVER_RESTARTED);
    assert_int_equal(kind_of(entries, 2), TCPWHY_FAILURE_CONNECT_REFUSED);
    assert_int_equal(kind_of(entries, 3), TCPWHY_FAILURE_REQUEST_RESET);
    assert_true(has_clue(entries, 0, TW_CLUE_SEVERAL));
    assert_false(has_clue(entries, 3, TW_CLUE_SEVERAL));
    tw_hash_table_destroy(lives);
}

TEST(a_refusal_of_another_server_is_no_restart)
{
    struct tw_listener_life life = { server, 0, TCPWHY_NS_UNKNOWN, TCPWHY_NS_UNKNOWN };
    tw_hash_table *lives = lives_of(&life);
    g_autoptr(tw_array) entries = new_entries();

    add(entries, TCPWHY_FAILURE_REQUEST_RESET, TCPWHY_S(10));
    add(entries, TCPWHY_FAILURE_CONNECT_REFUSED, TCPWHY_S(12))->server = other_server;
    tw_failures_relate_restarts(entries, lives);
    assert_int_equal(kind_of(entries, 0), TCPWHY_FAILURE_REQUEST_RESET);
    tw_hash_table_destroy(lives);
}

static void forget_after(tw_array *entries, tw_hash_table *lives, tcpwhy_ns idle_ns)
{
    tw_array_set_size(entries, 0);
    add(entries, TCPWHY_FAILURE_IDLE_FORGOTTEN, TCPWHY_S(500))->failure.after_ns = idle_ns;
    tw_failures_relate_restarts(entries, lives);
}

TEST(a_longer_silence_that_was_survived_refutes_an_idle_timeout)
{
    struct tw_listener_life life = { server, TCPWHY_S(330), TCPWHY_NS_UNKNOWN, TCPWHY_NS_UNKNOWN };
    tw_hash_table *lives = lives_of(&life);
    g_autoptr(tw_array) entries = new_entries();

    forget_after(entries, lives, TCPWHY_S(300));
    assert_int_equal(kind_of(entries, 0), TCPWHY_FAILURE_SERVER_RESTARTED);
    assert_true(has_clue(entries, 0, TW_CLUE_SURVIVED));
    forget_after(entries, lives, TCPWHY_S(301));
    assert_int_equal(kind_of(entries, 0), TCPWHY_FAILURE_IDLE_FORGOTTEN);
    tw_hash_table_destroy(lives);
}

static enum tcpwhy_culprit culprit_of(tcpwhy_ns opened_ns, const char *name)
{
    struct tw_listener_life life = { server, 0, TCPWHY_S(5), TCPWHY_NS_UNKNOWN };
    tw_hash_table *lives = lives_of(&life);
    g_autoptr(tw_array) entries = new_entries();
    struct tw_failure_entry *e = add(entries, TCPWHY_FAILURE_PEER_SILENT, TCPWHY_S(10));

    e->opened_ns = opened_ns;
    e->failure.who = TCPWHY_BY_UNKNOWN;
    e->failure.name = name;
    tw_failure_entry_clue(e, TW_CLUE_SET_ASIDE, 0, 0);
    tw_failures_relate_living(entries, lives);
    tw_hash_table_destroy(lives);
    return e->failure.who;
}

TEST(a_handshake_set_aside_before_others_live_is_the_servers)
{
    assert_int_equal(culprit_of(TCPWHY_S(4), NULL), TCPWHY_BY_SERVER);
    assert_int_equal(culprit_of(TCPWHY_S(6), NULL), TCPWHY_BY_UNKNOWN);
    assert_int_equal(culprit_of(TCPWHY_S(4), "example.org"), TCPWHY_BY_UNKNOWN);
}

static void relate_stray(tw_array *entries, uint32_t stream, tcpwhy_ns before_ns)
{
    g_autoptr(tw_array) strays = tw_array_new(FALSE, FALSE, sizeof(struct tw_stray));
    struct tw_stray stray = { stream, 7, TCPWHY_S(10) - before_ns, client };

    tw_array_set_size(entries, 0);
    add(entries, TCPWHY_FAILURE_TRANSFER_RESET, TCPWHY_S(10));
    tw_array_append_val(strays, stray);
    tw_failures_relate_strays(entries, strays);
}

TEST(a_stray_segment_that_the_client_reset_killed_its_connection)
{
    g_autoptr(tw_array) entries = new_entries();

    relate_stray(entries, 5, TCPWHY_MS(1));
    assert_int_equal(kind_of(entries, 0), TCPWHY_FAILURE_UNTRANSLATED_SEGMENT);
    assert_true(has_clue(entries, 0, TW_CLUE_STRAY));
    relate_stray(entries, 5, TCPWHY_S(1) + 1);
    assert_int_equal(kind_of(entries, 0), TCPWHY_FAILURE_TRANSFER_RESET);
    relate_stray(entries, 5, -1);
    assert_int_equal(kind_of(entries, 0), TCPWHY_FAILURE_TRANSFER_RESET);
    relate_stray(entries, 0, TCPWHY_MS(1)); /* the connection itself */
    assert_int_equal(kind_of(entries, 0), TCPWHY_FAILURE_TRANSFER_RESET);
}

TEST(a_later_connection_shows_that_the_server_lives)
{
    struct tw_listener_life life = { server, 0, TCPWHY_S(20), TCPWHY_NS_UNKNOWN };
    tw_hash_table *lives = lives_of(&life);
    g_autoptr(tw_array) entries = new_entries();

    add(entries, TCPWHY_FAILURE_PEER_SILENT, TCPWHY_S(10))->failure.seen_as = TCPWHY_SEEN_TIMEOUT;
    add(entries, TCPWHY_FAILURE_PEER_SILENT, TCPWHY_S(20))->failure.seen_as = TCPWHY_SEEN_TIMEOUT;
    tw_failures_relate_living(entries, lives);
    assert_true(has_clue(entries, 0, TW_CLUE_OTHERS_LIVE));
    assert_false(has_clue(entries, 1, TW_CLUE_OTHERS_LIVE));
    tw_hash_table_destroy(lives);
}

/* The culprit of a refusal after took_ns, if another port of the host answers SYNs within
 * round_ns. */
static enum tcpwhy_culprit refuser(tcpwhy_ns took_ns, tcpwhy_ns round_ns)
{
    struct tw_listener_life life = { server, 0, TCPWHY_S(1), round_ns };
    tw_hash_table *lives;
    g_autoptr(tw_array) entries = new_entries();
    struct tw_failure_entry *refused = add(entries, TCPWHY_FAILURE_CONNECT_REFUSED, TCPWHY_S(2));
    enum tcpwhy_culprit who;

    refused->server.port = 8099;
    refused->took_ns = took_ns;
    lives = lives_of(&life);
    tw_failures_relate_refusals(entries, lives);
    who = refused->failure.who;
    assert_int_equal(has_clue(entries, 0, TW_CLUE_TOO_SOON), who == TCPWHY_BY_BOX);
    tw_hash_table_destroy(lives);
    return who;
}

TEST(a_refusal_that_is_faster_than_the_way_comes_from_a_box)
{
    assert_int_equal(refuser(TCPWHY_US(50), TCPWHY_MS(40)), TCPWHY_BY_BOX);
    assert_int_equal(refuser(TCPWHY_MS(39), TCPWHY_MS(40)), TCPWHY_BY_SERVER);
    assert_int_equal(refuser(TCPWHY_US(50), TCPWHY_US(90)), TCPWHY_BY_SERVER);
    assert_int_equal(refuser(TCPWHY_US(50), TCPWHY_NS_UNKNOWN), TCPWHY_BY_SERVER);
    assert_int_equal(refuser(TCPWHY_NS_UNKNOWN, TCPWHY_MS(40)), TCPWHY_BY_SERVER);
}
