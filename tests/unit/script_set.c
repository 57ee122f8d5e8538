/* SPDX-License-Identifier: MIT */
/* Assignments: variables, elements of lists, and the connection. */
#include <string.h>

#include "base/array.h"
#include "tests/unit/script.h"

static bool set_side(struct script *s, enum tcpwhy_side side, const char *field, int64_t n)
{
    struct talk *t = &s->talk;

    if (strcmp(field, "next") == 0)
        t->next[side] = t->isn[side] + (uint32_t)n;
    else if (strcmp(field, "isn") == 0)
        t->next[side] = t->isn[side] = (uint32_t)n;
    else if (strcmp(field, "win") == 0)
        t->window[side] = (uint32_t)n;
    else if (strcmp(field, "id") == 0)
        t->ip_id[side] = (uint16_t)n;
    else
        return false;
    return true;
}

static void set_variable(struct script *s, const char *name, struct script_value v)
{
    script_let(s->locals ? s->locals : s->globals, name, v);
}

/* NAME[INDEX] = EXPRESSION: lists grow as far as they are told. */
static bool set_element(struct script_at *a, const char *name)
{
    struct script *s = a->script;
    struct script_at list = { .script = s, .p = name };
    struct script_value of, v;
    int64_t i;

    a->p++;
    i = script_number(s, script_expression(a));
    if (!script_takes(a, "]") || !script_takes(a, "="))
        return false;
    of = script_operand(&list);
    v = script_expression(a);
    if (of.kind != SCRIPT_LIST || i < 0)
        script_wrong(s, "%s is no list", name);
    if ((guint)i >= of.list->len)
        tw_array_set_size(of.list, (guint)i + 1);
    tw_array_index(of.list, struct script_value, i) = v;
    return true;
}

/* NAME = EXPRESSION, and +=, -= and |=. */
bool script_set(struct script_at *a, const char *name)
{
    struct script *s = a->script;
    bool more = script_takes(a, "+="), less = !more && script_takes(a, "-=");
    bool with = !more && !less && script_takes(a, "|="), changes = more || less || with;
    enum tcpwhy_side side;
    const char *field;
    struct script_value v;

    if (*a->p == '[')
        return set_element(a, name);
    if (!changes && (a->p[0] == '=' && a->p[1] == '='))
        return false;
    if (!changes && !script_takes(a, "="))
        return false;
    v = script_expression(a);
    if (changes) {
        char *text = g_strconcat(name, less ? " - own" : more ? " + own" : " | own", NULL);
        struct script_at sum = { .script = s, .p = text };

        set_variable(s, g_intern_string("own"), v);
        v = script_expression(&sum);
        g_free(text);
    }
    if (script_set_gap(s, name, v))
        return true;
    if (strcmp(name, "wscale") == 0)
        s->talk.wscale = (uint8_t)script_number(s, v);
    else if (strcmp(name, "mss") == 0)
        s->talk.mss = (uint16_t)script_number(s, v);
    else if (strcmp(name, "snaplen") == 0)
        s->snaplen = script_number(s, v);
    else if (strcmp(name, "port") == 0)
        s->talk.port = (uint16_t)script_number(s, v);
    else if (strcmp(name, "loopback") == 0)
        s->talk.loopback = script_true(s, v);
    else if (strcmp(name, "sack") == 0)
        s->talk.no_sack = !script_true(s, v);
    else if (!strchr(name, '.'))
        set_variable(s, name, v);
    else if (!script_side_of(s, name, &side, &field) ||
             !set_side(s, side, field, script_number(s, v)))
        script_wrong(s, "%s cannot be set", name);
    return true;
}
