/* SPDX-License-Identifier: MIT */
/*
 * script FILE [TEST]: run the tests of a script, or one of them.
 * script --ledger FILE: say each gap of the first test's connection; --segments: each segment.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/text.h"
#include "tests/unit/script.h"

#define EXIT_WRONG 2

void script_wrong(const struct script *s, const char *format, ...)
{
    va_list arguments;

    printf("%s:%u: ", s->path, s->at < s->lines->len ? script_line_of(s, s->at).number : 0);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    exit(EXIT_WRONG);
}

tw_hash_table *script_values(void)
{
    return tw_hash_table_new_full(tw_hash_text, g_str_equal, tw_free, tw_free);
}

void script_let(tw_hash_table *at, const char *name, struct script_value v)
{
    struct script_value *own = tw_new(struct script_value, 1);

    *own = v;
    tw_hash_table_insert(at, tw_strdup(name), own);
}

static void script_close(struct script *s)
{
    if (s->talking)
        talk_close(&s->talk);
    s->talking = s->explained = false;
    script_hang_up(s);
    script_drop_gap(s);
    script_session_end(s);
    script_labels_end(s);
}

void script_begin(struct script *s)
{
    script_close(s);
    talk_init(&s->talk);
    s->talking = true;
    s->snaplen = 0;
    s->now_ns = 0;
}

static void read_line(struct script *s, char *text, unsigned number)
{
    struct script_line line = { .number = number };
    bool quoted = false;

    for (char *c = text; *c; c++) {
        quoted ^= *c == '"' && (c == text || c[-1] != '\\');
        if (*c == '#' && !quoted) {
            *c = '\0';
            break;
        }
    }
    g_strchomp(text);
    line.indent = (unsigned)strspn(text, " ");
    line.text = text + line.indent;
    if (*line.text)
        tw_array_append_val(s->lines, line);
}

static void read_file(struct script *s)
{
    unsigned number = 0;

    if (!g_file_get_contents(s->path, &s->bytes, NULL, NULL)) {
        printf("cannot read %s\n", s->path);
        exit(EXIT_WRONG);
    }
    for (char *text = s->bytes, *end; text; text = end) {
        end = strchr(text, '\n');
        if (end)
            *end++ = '\0';
        read_line(s, text, ++number);
    }
}

/* Definitions and values that all tests share. */
static void read_shared(struct script *s)
{
    for (s->at = 0; s->at < s->lines->len; s->at = script_behind_block(s, s->at)) {
        struct script_at a = { .script = s, .p = script_line_of(s, s->at).text };
        const char *name;

        if (script_takes(&a, "def")) {
            name = script_name(&a);
            tw_hash_table_insert(s->defs, tw_strdup(name), GUINT_TO_POINTER(s->at + 1));
        } else if (!script_takes(&a, "test")) {
            name = script_name(&a);
            if (!name || !script_set(&a, name))
                script_wrong(s, "def, test or NAME = VALUE is wanted");
        }
    }
}

static unsigned run_test(struct script *s, unsigned head)
{
    s->locals = script_values();
    s->failures = 0;
    s->returned = false;
    script_run_block(s, head);
    tw_hash_table_unref(s->locals);
    s->locals = NULL;
    return s->failures;
}

/* @return how many failed. */
static unsigned run_tests(struct script *s, const char *only, bool ledger)
{
    unsigned tests = 0, failed = 0;

    for (unsigned at = 0; at < s->lines->len; at = script_behind_block(s, at)) {
        struct script_at a = { .script = s, .p = script_line_of(s, at).text };

        if (!script_takes(&a, "test"))
            continue;
        s->test = script_name(&a);
        if (only && strcmp(only, s->test) != 0)
            continue;
        tests++;
        if (s->dump)
            printf("test %s\n", s->test);
        failed += run_test(s, at) > 0;
        if (ledger) {
            script_explain(s);
            script_print_ledger(&s->talk);
        }
        script_close(s);
    }
    if (!ledger && !s->dump)
        printf("%s: %u tests, %u failed\n", s->path, tests, failed);
    return tests > 0 ? failed : 1;
}

int main(int argc, char **argv)
{
    bool ledger = argc > 1 && strcmp(argv[1], "--ledger") == 0;
    bool segments = argc > 1 && strcmp(argv[1], "--segments") == 0;
    int first = 1 + (ledger || segments);
    struct script s = { .path = argc > first ? argv[first] : "", .dump = segments };
    unsigned failed;

    s.lines = tw_array_new(false, false, sizeof(struct script_line));
    s.defs = tw_hash_table_new_full(tw_hash_text, g_str_equal, tw_free, NULL);
    s.globals = script_values();
    s.lists = tw_ptr_array_new_with_free_func((GDestroyNotify)tw_array_unref);
    read_file(&s);
    read_shared(&s);
    failed = run_tests(&s, argc > first + 1 ? argv[first + 1] : NULL, ledger);
    tw_ptr_array_unref(s.lists);
    tw_hash_table_unref(s.globals);
    tw_hash_table_unref(s.defs);
    tw_array_unref(s.lines);
    g_free(s.bytes);
    return failed > 0;
}
