/* SPDX-License-Identifier: MIT */
/* Expressions of a script: numbers, times, words and lists. */
#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/text.h"
#include "tests/unit/script.h"

#define NS_PER_US 1000
/* Digits behind a decimal point: 0.000000001s is a nanosecond. */
#define MAX_DECIMALS 9

void script_blank(struct script_at *a)
{
    while (*a->p == ' ')
        a->p++;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool script_takes(struct script_at *a, const char *token)
{
    size_t len = strlen(token);

    script_blank(a);
    if (strncmp(a->p, token, len) != 0 ||
        (in_name(token[len - 1]) &&
         (in_name(a->p[len]) || (a->p[len] == '.' && isalpha((unsigned char)a->p[len + 1])))))
        return false;
    a->p += len;
    return true;
}

const char *script_name(struct script_at *a)
{
    const char *begin;
    char *text;
    const char *name;

    script_blank(a);
    begin = a->p;
    if (!isalpha((unsigned char)*begin) && *begin != '_')
        return NULL;
    while (in_name(*a->p) || (*a->p == '.' && isalpha((unsigned char)a->p[1])))
        a->p++;
    text = tw_strndup(begin, (gsize)(a->p - begin));
    name = g_intern_string(text);
    tw_free(text);
    return name;
}

static const struct script_value *variable(const struct script *s, const char *name)
{
    const struct script_value *v = s->locals ? tw_hash_table_lookup(s->locals, name) : NULL;

    return v ? v : tw_hash_table_lookup(s->globals, name);
}

const char *script_word(struct script_at *a)
{
    const char *name = script_name(a);
    const struct script_value *v = name ? variable(a->script, name) : NULL;

    return v && v->kind == SCRIPT_WORD ? v->word : name;
}

int64_t script_number(const struct script *s, struct script_value v)
{
    if (v.kind == SCRIPT_TIME)
        return v.n / NS_PER_US;
    if (v.kind != SCRIPT_NUMBER)
        script_wrong(s, "a number is wanted, not %s", v.kind == SCRIPT_WORD ? v.word : "a list");
    return v.n;
}

tcpwhy_ns script_ns(const struct script *s, struct script_value v)
{
    return v.kind == SCRIPT_TIME ? v.n : script_number(s, v) * NS_PER_US;
}

bool script_true(const struct script *s, struct script_value v)
{
    return script_ns(s, v) != 0;
}

/* ---- operands -------------------------------------------------------------------------------- */

static struct script_value number(struct script_at *a)
{
    static const struct {
        const char *suffix;
        int64_t ns;
    } units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
    int64_t whole = 0, part = 0, scale = 1;

    if (a->p[0] == '0' && a->p[1] == 'x') {
        char *end;
        uint64_t n = g_ascii_strtoull(a->p, &end, 16);

        a->p = end;
        return (struct script_value) { .n = (int64_t)n };
    }
    for (; isdigit((unsigned char)*a->p); a->p++)
        whole = whole * 10 + (*a->p - '0');
    if (*a->p == '.' && isdigit((unsigned char)a->p[1])) {
        unsigned decimals = 0;

        for (a->p++; isdigit((unsigned char)*a->p) && decimals < MAX_DECIMALS; a->p++, decimals++) {
            part = part * 10 + (*a->p - '0');
            scale *= 10;
        }
    }
    for (size_t i = 0; *a->p != ' ' && i < G_N_ELEMENTS(units); i++)
        if (script_takes(a, units[i].suffix))
            return (struct script_value) { .kind = SCRIPT_TIME,
                                           .n = whole * units[i].ns + part * units[i].ns / scale };
    if (scale != 1)
        script_wrong(a->script, "a number with decimals lacks its unit of time");
    return (struct script_value) { .n = whole };
}

static struct script_value list(struct script_at *a)
{
    tw_array *values = tw_array_new(false, true, sizeof(struct script_value));

    tw_ptr_array_add(a->script->lists, values);
    while (!script_takes(a, "]")) {
        struct script_value v = script_expression(a);

        tw_array_append_val(values, v);
        script_takes(a, ",");
    }
    return (struct script_value) { .kind = SCRIPT_LIST, .list = values };
}

static struct script_value element(struct script_at *a, struct script_value of)
{
    struct script_value index = script_expression(a);
    int64_t i;

    if (!script_takes(a, "]"))
        script_wrong(a->script, "']' is missing");
    if (a->skips)
        return index;
    i = script_number(a->script, index);
    if (of.kind != SCRIPT_LIST || i < 0 || i >= of.list->len)
        script_wrong(a->script, "no element %" PRId64, i);
    return tw_array_index(of.list, struct script_value, i);
}

/* min(A, B), max(A, B), len(LIST). */
static bool built_in(struct script_at *a, const char *name, struct script_value *value)
{
    bool less = strcmp(name, "min") == 0;
    struct script_value one, other;

    if (strcmp(name, "len") == 0) {
        one = script_expression(a);
        *value = (struct script_value) { .n = one.list ? one.list->len : 0 };
        return script_takes(a, ")");
    }
    if (script_text_built_in(a, name, value))
        return true;
    if (!less && strcmp(name, "max") != 0)
        return false;
    one = script_expression(a);
    script_takes(a, ",");
    other = script_expression(a);
    if (a->skips)
        *value = one;
    else
        *value = (script_ns(a->script, one) < script_ns(a->script, other)) == less ? one : other;
    return script_takes(a, ")");
}

static struct script_value named(struct script_at *a)
{
    struct script *s = a->script;
    const char *name = script_name(a);
    const struct script_value *v;
    struct script_value value = { 0 };

    if (!name)
        script_wrong(s, "a value is missing before \"%s\"", a->p);
    if (*a->p == '(') {
        const char *before = a->p++;

        if (built_in(a, name, &value) || script_ask(a, name, &value))
            return value;
        a->p = before;
        if (tw_hash_table_contains(s->defs, name)) {
            a->p++;
            return script_call(a, name);
        }
    }
    v = variable(s, name);
    if (v)
        return *v;
    if (script_read(a, name, &value))
        return value;
    return (struct script_value) { .kind = SCRIPT_WORD, .word = name };
}

/* Texts, whose names are in upper case, are one with what stands before. */
static bool text_follows(struct script_at *a)
{
    script_blank(a);
    return *a->p == '"' || g_ascii_isupper(*a->p);
}

struct script_value script_operand(struct script_at *a)
{
    struct script_value v;

    script_blank(a);
    if (script_takes(a, "(")) {
        v = script_expression(a);
        if (!script_takes(a, ")"))
            script_wrong(a->script, "')' is missing before \"%s\"", a->p);
    } else if (*a->p == '-') {
        a->p++;
        v = script_operand(a);
        v.n = -v.n;
    } else if (*a->p == '!') {
        a->p++;
        v = script_operand(a);
        v = (struct script_value) { .n = a->skips ? 0 : !script_true(a->script, v) };
    } else if (script_takes(a, "[")) {
        v = list(a);
    } else if (*a->p == '"') {
        v = script_literal(a);
    } else if (isdigit((unsigned char)*a->p)) {
        v = number(a);
    } else {
        v = named(a);
    }
    while (*a->p == '[') {
        a->p++;
        v = element(a, v);
    }
    if (v.kind == SCRIPT_TEXT && text_follows(a))
        v = script_joined(a->script, v, script_operand(a));
    return v;
}
