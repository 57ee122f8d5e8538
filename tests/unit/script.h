/* SPDX-License-Identifier: MIT */
/*
 * Connections told as text, a segment a line, with what is expected of their explanation; the
 * grammar stands in README.md.
 */
#ifndef TW_TESTS_UNIT_SCRIPT_H
#define TW_TESTS_UNIT_SCRIPT_H

#include <inttypes.h>

#include <glib.h>

#include "tests/unit/talk.h"

/* A time is nanoseconds; a number that meets one, or stands where a time does, is microseconds. */
enum script_kind { SCRIPT_NUMBER, SCRIPT_TIME, SCRIPT_WORD, SCRIPT_LIST };

struct script_value {
    enum script_kind kind;
    int64_t n;
    const char *word; /* interned */
    GArray *list;     /* of values; the script's */
};

struct script_line {
    unsigned number, indent;
    const char *text;
};

struct script {
    const char *path;
    char *bytes;
    GArray *lines;
    GHashTable *defs;           /* name to index of its line, and 1 */
    GHashTable *globals;        /* name to struct script_value */
    GHashTable *locals;         /* of the innermost call; NULL outside of one */
    GPtrArray *lists;           /* of the test that runs */
    unsigned at;                /* the line that runs */
    unsigned depth;             /* of calls */
    bool returned;              /* the innermost call is over ... */
    struct script_value result; /* ... and came to this */
    struct talk talk;
    bool talking, explained;
    tcpwhy_ns now_ns;  /* of the last segment */
    unsigned failures; /* of the test that runs */
    const char *test;
    int64_t snaplen; /* bytes of a frame that are captured; 0: all */
    bool dump;       /* print each segment */
};

/* A place in a line. */
struct script_at {
    struct script *script;
    const char *p;
    unsigned skips; /* what stands here counts for nothing if not 0 */
};

#define script_line_of(s, i) g_array_index((s)->lines, struct script_line, i)

/* The script is wrong: say so, and end. */
G_NORETURN void script_wrong(const struct script *s, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* script_value.c: expressions */
struct script_value script_expression(struct script_at *a);
struct script_value script_operand(struct script_at *a); /* one without operators */
struct script_value script_sum(struct script_at *a);     /* ends before a comparison */
tcpwhy_ns script_ns(const struct script *s, struct script_value v);
int64_t script_number(const struct script *s, struct script_value v);
bool script_true(const struct script *s, struct script_value v);

void script_blank(struct script_at *a);
bool script_takes(struct script_at *a, const char *token); /* a word or a sign */
const char *script_name(struct script_at *a);              /* interned; NULL: there is none */
const char *script_word(struct script_at *a);              /* a name, or the word that it holds */

/* script_state.c: what expressions read of the connection and its explanation, and lines set */
bool script_read(struct script_at *a, const char *name, struct script_value *value);
bool script_set(struct script_at *a, const char *name);
bool script_ask(struct script_at *a, const char *name, struct script_value *value);

/* script_segment.c: a line that is a segment */
void script_segment(struct script_at *a);
void script_say(struct script *s, tcpwhy_ns at_ns, enum tcpwhy_side from, uint16_t flags);

/* script_expect.c */
void script_explain(struct script *s);
void script_expect(struct script_at *a);
void script_print_ledger(const struct talk *t);
bool script_is_cause(const char *word);

/* script.c: lines and blocks */
void script_let(GHashTable *at, const char *name, struct script_value v);
struct script_value script_call(struct script_at *a, const char *name);
void script_begin(struct script *s);

#endif
