/* SPDX-License-Identifier: MIT */
/* Sentences about failures. */
#include "report/failures/failure_words.h"

#include <string.h>

#include "failures/cut.h"
#include "tests/unit.h"

static void begin(struct tw_failure *f, struct tw_failure_row *row, enum tcpwhy_failure_kind kind)
{
    memset(row, 0, sizeof *row);
    row->after_ns = TCPWHY_S(6);
    row->client = (struct tcpwhy_endpoint) { { 10, 9, 0, 1 }, 40000, 4 };
    row->server = (struct tcpwhy_endpoint) { { 10, 9, 0, 2 }, 80, 4 };
    tw_failure_begin(f, kind, TCPWHY_FAILED_REQUEST, TCPWHY_SEEN_TIMEOUT);
}

TEST(a_listener_that_answers_nothing_but_syns_has_words_of_its_own)
{
    tw_string_chunk *texts = tw_string_chunk_new(256);
    struct tw_failure f;
    struct tw_failure_row row;

    begin(&f, &row, TCPWHY_FAILURE_PEER_SILENT);
    tw_failure_words(&f, &row, texts);
    assert_non_null(strstr(row.summary, "fell silent"));
    assert_null(strstr(row.remedy, "somaxconn"));
    tw_failure_clue(&f, TW_CLUE_SET_ASIDE, 0, 0);
    tw_failure_words(&f, &row, texts);
    assert_string_equal(
        row.summary,
        "10.9.0.2:80 answered the SYN of 10.9.0.1:40000 and nothing after it: what 10.9.0.1:40000 "
        "sent was retransmitted in vain, and the last frame came 6.00 s later.");
    assert_non_null(strstr(row.remedy, "somaxconn"));
    tw_string_chunk_free(texts);
}

TEST(a_usual_idle_timeout_stands_in_the_remedy)
{
    tw_string_chunk *texts = tw_string_chunk_new(256);
    struct tw_failure f;
    struct tw_failure_row row;

    begin(&f, &row, TCPWHY_FAILURE_IDLE_FORGOTTEN);
    tw_failure_clue(&f, TW_CLUE_KNOWN_DEFAULT, 350, 0);
    tw_failure_words(&f, &row, texts);
    assert_non_null(strstr(row.summary, "was swallowed"));
    assert_true(g_str_has_prefix(row.remedy, "Send something more often than every 350 s."));
    tw_string_chunk_free(texts);
}
