/* SPDX-License-Identifier: MIT */
/* Bytes in a script: literals, and what is made of them. */
#include <string.h>

#include "tests/unit/script.h"

#define MOST_BYTES (1u << 24)

struct script_value script_text(struct script *s, const void *bytes, size_t len)
{
    tw_array *text = tw_array_new(false, true, 1);

    tw_ptr_array_add(s->lists, text);
    tw_array_append_vals(text, bytes, (guint)len);
    return (struct script_value) { .kind = SCRIPT_TEXT, .list = text };
}

const tw_array *script_bytes(const struct script *s, struct script_value v)
{
    if (v.kind != SCRIPT_TEXT)
        script_wrong(s, "text is wanted");
    return v.list;
}

/* The digits of one of C's escapes, no more than `most`. */
static char coded(struct script_at *a, unsigned base, int most)
{
    unsigned byte = 0;

    for (; most > 0 && g_ascii_isxdigit(*a->p) && (unsigned)g_ascii_xdigit_value(*a->p) < base;
         most--)
        byte = byte * base + (unsigned)g_ascii_xdigit_value(*a->p++);
    return (char)byte;
}

static char escaped(struct script_at *a)
{
    static const char letters[] = "nrt\\\"", bytes[] = "\n\r\t\\\"";
    const char *letter = *a->p ? strchr(letters, *a->p) : NULL;

    if (letter) {
        a->p++;
        return bytes[letter - letters];
    }
    if (*a->p == 'x') {
        a->p++;
        return coded(a, 16, 2);
    }
    if (!g_ascii_isdigit(*a->p))
        script_wrong(a->script, "no such escape: \"%s\"", a->p);
    return coded(a, 8, 3);
}

/* "..." "..." are one, with C's escapes; \x has two digits. */
struct script_value script_literal(struct script_at *a)
{
    struct script_value v = script_text(a->script, "", 0);

    while (script_takes(a, "\"")) {
        while (*a->p && *a->p != '"') {
            char byte = *a->p++;

            if (byte == '\\')
                byte = escaped(a);
            tw_array_append_val(v.list, byte);
        }
        if (!script_takes(a, "\""))
            script_wrong(a->script, "a text has no end");
    }
    return v;
}

/* A number of 'width' bytes, the highest or the lowest first. */
static struct script_value number_text(struct script_at *a, int64_t n, int64_t width, bool big)
{
    uint8_t bytes[8];

    if (width < 0 || width > 8)
        script_wrong(a->script, "a number has up to 8 bytes");
    for (int64_t i = 0; i < width; i++)
        bytes[i] = (uint8_t)((uint64_t)n >> 8 * (big ? width - 1 - i : i));
    return script_text(a->script, bytes, (size_t)width);
}

static struct script_value repeated(struct script_at *a, struct script_value of, int64_t times)
{
    const tw_array *bytes = script_bytes(a->script, of);
    struct script_value v = script_text(a->script, "", 0);

    if (times < 0 || times * (int64_t)bytes->len > MOST_BYTES)
        script_wrong(a->script, "not so often");
    while (times-- > 0)
        tw_array_append_vals(v.list, bytes->data, bytes->len);
    return v;
}

static struct script_value part(struct script_at *a, struct script_value of, int64_t from,
                                int64_t to)
{
    const tw_array *bytes = script_bytes(a->script, of);

    if (from < 0 || from > to || to > bytes->len)
        script_wrong(a->script, "no such part");
    return script_text(a->script, (const char *)bytes->data + from, (size_t)(to - from));
}

/* be(N, BYTES), le(N, BYTES), times(TEXT, N), part(TEXT, FROM, TO). */
bool script_text_built_in(struct script_at *a, const char *name, struct script_value *value)
{
    static const char *const names[] = { "be", "le", "times", "part" };
    struct script_value of;
    int64_t x, y = 0;
    unsigned i = 0;

    while (i < G_N_ELEMENTS(names) && strcmp(name, names[i]) != 0)
        i++;
    if (i == G_N_ELEMENTS(names))
        return false;
    of = script_expression(a);
    script_takes(a, ",");
    x = script_number(a->script, script_expression(a));
    if (script_takes(a, ","))
        y = script_number(a->script, script_expression(a));
    if (a->skips)
        *value = of;
    else if (i < 2)
        *value = number_text(a, script_number(a->script, of), x, i == 0);
    else if (i == 2)
        *value = repeated(a, of, x);
    else
        *value = part(a, of, x, y);
    return script_takes(a, ")");
}

struct script_value script_joined(struct script *s, struct script_value x, struct script_value y)
{
    const tw_array *behind = script_bytes(s, y);
    struct script_value v = script_text(s, script_bytes(s, x)->data, x.list->len);

    tw_array_append_vals(v.list, behind->data, behind->len);
    return v;
}

bool script_same_text(const struct script *s, struct script_value x, struct script_value y)
{
    const tw_array *one = script_bytes(s, x), *other = script_bytes(s, y);

    return one->len == other->len &&
           (one->len == 0 || memcmp(one->data, other->data, one->len) == 0);
}
