/* SPDX-License-Identifier: MIT */
/* Operators of a script, with C's ranks; and what they make of times and numbers. */
#include <string.h>

#include "tests/unit/script.h"

#define NS_PER_US 1000

enum { CHOICE = 1, OR, AND, BITS_OR, BITS_AND, EQUAL, LESS, SHIFT, SUM, PRODUCT };

static const struct operator
{
    const char *sign;
    int rank;
}
operators[] = {
    { "||", OR },     { "&&", AND },     { "==", EQUAL }, { "!=", EQUAL }, { "<=", LESS },
    { ">=", LESS },   { "<<", SHIFT },   { ">>", SHIFT }, { "<", LESS },   { ">", LESS },
    { "|", BITS_OR }, { "&", BITS_AND }, { "+", SUM },    { "-", SUM },    { "*", PRODUCT },
    { "/", PRODUCT }, { "%", PRODUCT },
};

/* Not the begin of what follows an expression: "+=", "x -5ms" is a difference. */
static const struct operator* next_operator(struct script_at *a)
{
    script_blank(a);
    for (size_t i = 0; i < G_N_ELEMENTS(operators); i++)
        if (strncmp(a->p, operators[i].sign, strlen(operators[i].sign)) == 0)
            return &operators[i];
    return NULL;
}

static bool compare(const char *sign, int64_t x, int64_t y)
{
    switch (sign[0]) {
    case '=':
        return x == y;
    case '!':
        return x != y;
    case '<':
        return sign[1] ? x <= y : x < y;
    default:
        return sign[1] ? x >= y : x > y;
    }
}

static int64_t divide(const struct script *s, char sign, int64_t x, int64_t y)
{
    if (y == 0)
        script_wrong(s, "division by 0");
    return sign == '/' ? x / y : x % y;
}

static struct script_value product(const struct script *s, char sign, struct script_value x,
                                   struct script_value y)
{
    bool both = x.kind == SCRIPT_TIME && y.kind == SCRIPT_TIME;
    enum script_kind kind = x.kind == SCRIPT_TIME ? SCRIPT_TIME : y.kind;

    if (sign == '*' && both)
        script_wrong(s, "a time by a time is no time");
    if (sign == '*')
        return (struct script_value) { .kind = kind, .n = x.n * y.n };
    if (sign == '%' && kind == SCRIPT_TIME)
        return (struct script_value) { .kind = kind,
                                       .n = divide(s, sign, script_ns(s, x), script_ns(s, y)) };
    if (both)
        kind = SCRIPT_NUMBER;
    if (kind == SCRIPT_TIME && x.n % NS_PER_US == 0) /* whole microseconds stay so */
        return (struct script_value) { .kind = kind,
                                       .n = divide(s, sign, x.n / NS_PER_US, y.n) * NS_PER_US };
    return (struct script_value) { .kind = kind, .n = divide(s, sign, x.n, y.n) };
}

static struct script_value combine(struct script *s, const struct operator* o,
                                   struct script_value x, struct script_value y)
{
    bool timed = x.kind == SCRIPT_TIME || y.kind == SCRIPT_TIME;

    if (o->rank == EQUAL && x.kind == SCRIPT_WORD && y.kind == SCRIPT_WORD)
        return (struct script_value) { .n = (x.word == y.word) == (o->sign[0] == '=') };
    if (o->rank == EQUAL && x.kind == SCRIPT_TEXT)
        return (struct script_value) { .n = script_same_text(s, x, y) == (o->sign[0] == '=') };
    if (o->rank == SUM && x.kind == SCRIPT_TEXT && o->sign[0] == '+')
        return script_joined(s, x, y);
    if (o->rank == OR || o->rank == AND)
        return (struct script_value) { .n = script_true(s, y) };
    if (o->rank == PRODUCT) {
        script_number(s, x);
        script_number(s, y);
        return product(s, o->sign[0], x, y);
    }
    if (o->rank == EQUAL || o->rank == LESS)
        return (struct script_value) { .n = compare(o->sign, script_ns(s, x), script_ns(s, y)) };
    if (o->rank == SUM && timed) {
        int64_t more = script_ns(s, y);

        return (struct script_value) { .kind = SCRIPT_TIME,
                                       .n = script_ns(s, x) + (o->sign[0] == '+' ? more : -more) };
    }
    if (o->rank == SUM)
        return (struct script_value) { .n = o->sign[0] == '+' ? x.n + y.n : x.n - y.n };
    if (o->rank == SHIFT)
        return (struct script_value) { .kind = x.kind,
                                       .n = o->sign[0] == '<' ? x.n << y.n : x.n >> y.n };
    return (struct script_value) { .n = o->rank == BITS_AND ? x.n & y.n : x.n | y.n };
}

static struct script_value ranked(struct script_at *a, int least)
{
    struct script_value x = script_operand(a);
    const struct operator* o;

    while ((o = next_operator(a)) && o->rank >= least) {
        struct script_value y;
        bool settled = false;

        a->p += strlen(o->sign);
        if (!a->skips && (o->rank == OR || o->rank == AND))
            settled = script_true(a->script, x) == (o->rank == OR);
        a->skips += settled;
        y = ranked(a, o->rank + 1);
        a->skips -= settled;
        if (settled)
            x = (struct script_value) { .n = o->rank == OR };
        else if (!a->skips)
            x = combine(a->script, o, x, y);
    }
    return x;
}

struct script_value script_sum(struct script_at *a)
{
    return ranked(a, SHIFT);
}

struct script_value script_expression(struct script_at *a)
{
    struct script_value x = ranked(a, OR), yes, no;
    bool is;

    if (!script_takes(a, "?"))
        return x;
    is = !a->skips && script_true(a->script, x);
    a->skips += !is;
    yes = script_expression(a);
    a->skips -= !is;
    if (!script_takes(a, ":"))
        script_wrong(a->script, "':' is missing before \"%s\"", a->p);
    a->skips += is;
    no = script_expression(a);
    a->skips -= is;
    return is ? yes : no;
}
