/* SPDX-License-Identifier: MIT */
/*
 * Connections told as text, a segment a line, with what is expected of their explanation; the
 * grammar stands in README.md.
 */
#ifndef TW_TESTS_UNIT_SCRIPT_H
#define TW_TESTS_UNIT_SCRIPT_H

#include <inttypes.h>

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/text.h"
#include "tests/unit/talk.h"

/* A time is nanoseconds; a number that meets one, or stands where a time does, is microseconds. */
enum script_kind { SCRIPT_NUMBER, SCRIPT_TIME, SCRIPT_WORD, SCRIPT_LIST, SCRIPT_TEXT };

struct script_value {
    enum script_kind kind;
    int64_t n;
    const char *word; /* interned */
    tw_array *list;   /* of values, or bytes of a text; the script's */
};

struct script_line {
    unsigned number, indent;
    const char *text;
};

struct script {
    const char *path;
    char *bytes;
    tw_array *lines;
    tw_hash_table *defs;        /* name to index of its line, and 1 */
    tw_hash_table *globals;     /* name to struct script_value */
    tw_hash_table *locals;      /* of the innermost call; NULL outside of one */
    tw_ptr_array *lists;        /* of the test that runs */
    unsigned at;                /* the line that runs */
    unsigned depth;             /* of calls */
    bool returned;              /* the innermost call is over ... */
    struct script_value result; /* ... and came to this */
    struct talk talk;
    bool talking, explained;
    tcpwhy_ns now_ns;  /* of the last segment */
    unsigned failures; /* of the test that runs */
    const char *test;
    int64_t snaplen;          /* bytes of a frame that are captured; 0: all */
    bool dump;                /* print each segment */
    struct script_wire *wire; /* a conversation; NULL: none */
    struct script_gap *gap;   /* one gap; likewise */
    tcpwhy_session *session;  /* likewise, and until its report is asked for */
    tcpwhy_report *report;
    struct tw_ws *ws;               /* labels as tshark; likewise */
    bool used_ports;                /* the connection is on a five-tuple that was in use */
    struct tcpwhy_wireshark labels; /* of the last frame */
};

/* A place in a line. */
struct script_at {
    struct script *script;
    const char *p;
    unsigned skips; /* what stands here counts for nothing if not 0 */
};

#define script_line_of(s, i) tw_array_index((s)->lines, struct script_line, i)

/* The script is wrong: say so, and end. */
G_NORETURN void script_wrong(const struct script *s, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* script_value.c and script_operators.c: expressions */
struct script_value script_expression(struct script_at *a);
struct script_value script_operand(struct script_at *a); /* one without operators */
struct script_value script_sum(struct script_at *a);     /* ends before a comparison */
tcpwhy_ns script_ns(const struct script *s, struct script_value v);
int64_t script_number(const struct script *s, struct script_value v);
bool script_true(const struct script *s, struct script_value v);

static inline struct script_value script_count(int64_t n)
{
    return (struct script_value) { .n = n };
}

static inline struct script_value script_time(tcpwhy_ns ns)
{
    return (struct script_value) { .kind = SCRIPT_TIME, .n = ns };
}

void script_blank(struct script_at *a);
bool script_takes(struct script_at *a, const char *token); /* a word or a sign */
const char *script_name(struct script_at *a);              /* interned; NULL: there is none */
const char *script_word(struct script_at *a);              /* a name, or the word that it holds */

/* script_text.c: bytes */
struct script_value script_text(struct script *s, const void *bytes, size_t len);
const tw_array *script_bytes(const struct script *s, struct script_value v);
struct script_value script_literal(struct script_at *a);
bool script_text_built_in(struct script_at *a, const char *name, struct script_value *value);
struct script_value script_joined(struct script *s, struct script_value x, struct script_value y);
bool script_same_text(const struct script *s, struct script_value x, struct script_value y);

/* script_wire.c: conversations, and what is expected of them */
void script_converse(struct script_at *a);
void script_hang_up(struct script *s);
bool script_set_wire(struct script_at *a);
void script_says(struct script_at *a, enum tcpwhy_side from);
void script_foreign(struct script_at *a);
bool script_read_wire(struct script *s, const char *name, struct script_value *value);
bool script_expect_wire(struct script_at *a, const char *line);

/* script_gap.c: one gap, and what the arbiter takes it for */
void script_make_gap(struct script_at *a);
void script_drop_gap(struct script *s);
bool script_read_gap(struct script *s, const char *name, struct script_value *value);
bool script_set_gap(struct script *s, const char *name, struct script_value v);
bool script_change_gap(struct script_at *a);
bool script_expect_gap(struct script_at *a, const char *line);

/* script_session.c: a public session, and what its report says */
void script_session_begin(struct script *s);
void script_session_end(struct script *s);
void script_session_push(struct script *s, const struct tw_segment *segment, const void *bytes);
bool script_read_session(struct script *s, const char *name, struct script_value *value);
bool script_expect_session(struct script_at *a, const char *line);

/* script_labels.c: segments as tshark labels them */
void script_labels_begin(struct script *s, bool reused);
void script_labels_end(struct script *s);
void script_labels_push(struct script *s, enum tcpwhy_side from, struct tw_segment segment);
bool script_read_labels(const struct script *s, const char *name, struct script_value *value);
bool script_expect_labels(struct script_at *a, const char *line);

/* script_state.c, script_ask.c, script_set.c: what expressions read and ask, and lines set */
bool script_side_of(struct script *s, const char *name, enum tcpwhy_side *side, const char **field);
bool script_read(struct script_at *a, const char *name, struct script_value *value);
bool script_ask(struct script_at *a, const char *name, struct script_value *value);
bool script_set(struct script_at *a, const char *name);

/* script_segment.c: a line that is a segment, and one that is said plainly */
void script_segment(struct script_at *a);
void script_say(struct script *s, tcpwhy_ns at_ns, enum tcpwhy_side from, uint16_t flags);

/* script_found.c: what was found. The ledger's lines are the caller's. */
void script_explain(struct script *s);
void script_put_time(tw_string *text, tcpwhy_ns ns);
void script_put_gap(tw_string *text, const struct tw_span *span);
tw_ptr_array *script_ledger(const struct talk *t);
void script_print_ledger(const struct talk *t);
void script_begin_failure(struct script *s, const char *expected);
void script_end_failure(const struct script *s);

/* script_cause.c and script_expect.c: what is expected */
enum { SCRIPT_ANY = -1 };
void script_expect(struct script_at *a);
tw_ptr_array *script_block_lines(struct script *s); /* of the line that runs; the caller's */
void script_compare_lines(struct script *s, const tw_ptr_array *expected, const tw_ptr_array *found,
                          const char *what);
void script_expect_cause(struct script_at *a, const char *line);
void script_expect_failure(struct script_at *a, bool none); /* script_failure.c */
bool script_is_cause(const char *word);
enum tcpwhy_cause script_cause_of(struct script_at *a);
int script_confidence_of(const char *word); /* or SCRIPT_ANY */
int script_party_of(struct script_at *a);

/* script_run.c: lines and blocks */
unsigned script_behind_block(const struct script *s, unsigned at);
bool script_run_block(struct script *s, unsigned head);
bool script_speaker(struct script_at *a, enum tcpwhy_side *side); /* takes SIDE and a colon */
struct script_value script_call(struct script_at *a, const char *name);

/* script.c */
tw_hash_table *script_values(void); /* by name */
void script_let(tw_hash_table *at, const char *name, struct script_value v);
void script_begin(struct script *s);

#endif
