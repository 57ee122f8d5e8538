/* SPDX-License-Identifier: MIT */
/* Guards, heaps, and the containers over them. */
#include "tests/unit.h"

#include <pthread.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/sha256.h"
#include "base/text.h"

static void fail_now(void)
{
    tw_malloc((size_t)PTRDIFF_MAX);
}

TEST(a_failure_returns_to_the_guard)
{
    struct tw_guard guard;

    if (TW_FAILED(guard))
        return;
    tw_call_begin(&guard);
    tw_strdup("released by the failure");
    fail_now();
    fail_msg("goes on");
}

TEST(blocks_outlive_the_call)
{
    struct tw_guard guard;
    static char *text;

    assert_false(TW_FAILED(guard));
    tw_call_begin(&guard);
    text = tw_strdup("kept");
    assert_ptr_equal(tw_heap_of(text), tw_heap_current());
    tw_call_end(&guard);
    assert_null(tw_heap_of(text));
    assert_null(tw_heap_current());
    assert_string_equal(text, "kept");
    tw_free(text);
}

#define HEAP_TEST(name) TEST_FROM(name, struct tw_heap *, heap, tw_heap_new(), tw_heap_drop(heap))

HEAP_TEST(a_block_grows_in_its_own_heap)
{
    struct tw_guard outer, inner;
    static char *text;

    if (!TW_FAILED(outer)) {
        tw_guard_begin(&outer, heap);
        text = tw_strdup("a");
        if (!TW_FAILED(inner)) {
            tw_call_begin(&inner);
            text = tw_realloc(text, 100000);
            fail_now();
        }
        assert_ptr_equal(tw_heap_current(), heap);
        assert_ptr_equal(tw_heap_of(text), heap);
        assert_string_equal(text, "a");
        tw_guard_end(&outer);
    }
    assert_false(tw_heap_failed(heap));
}

static void note(void *order)
{
    strcat(order, "x");
}

static void note_last(void *order)
{
    strcat(order, "y");
}

TEST(a_failure_undoes_the_latest_first)
{
    static char order[8];
    struct tw_undo first, second, done;
    struct tw_guard guard;

    if (TW_FAILED(guard)) {
        assert_string_equal(order, "yx");
        return;
    }
    order[0] = '\0';
    tw_call_begin(&guard);
    tw_undo_add(&first, note, order);
    tw_undo_add(&done, note, order);
    tw_undo_add(&second, note_last, order);
    tw_undo_remove(&done);
    fail_now();
}

HEAP_TEST(a_part_that_fails_undoes_nothing)
{
    static char order[8];
    struct tw_guard guard, part;
    struct tw_undo undo;

    assert_false(TW_FAILED(guard));
    order[0] = '\0';
    tw_guard_begin(&guard, heap);
    tw_undo_add(&undo, note, order);
    if (!TW_FAILED(part)) {
        tw_guard_begin_part(&part, heap);
        fail_now();
    }
    assert_string_equal(order, "");
    assert_true(tw_heap_failed(heap));
    tw_undo_remove(&undo);
    tw_guard_end(&guard);
}

#define ROUNDS 20000

static void *allocate(void *heap)
{
    struct tw_guard guard;
    char *volatile kept = NULL;

    if (TW_FAILED(guard))
        return NULL;
    tw_guard_begin_part(&guard, heap);
    for (size_t i = 0; i < ROUNDS; i++) {
        char *text = tw_malloc(i % 100 + 1);

        text[0] = 'x';
        tw_free(kept);
        kept = tw_realloc(text, i % 1000 + 1);
    }
    tw_guard_end(&guard);
    return kept;
}

HEAP_TEST(threads_share_a_heap)
{
    pthread_t thread[4];

    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, allocate, heap), 0);
    for (int i = 0; i < 4; i++) {
        void *kept;

        assert_int_equal(pthread_join(thread[i], &kept), 0);
        assert_non_null(kept);
        if (i % 2)
            tw_free(kept);
    }
}

struct pair {
    int key, number;
    char rest[40];
};

static int by_key(gconstpointer a, gconstpointer b)
{
    const struct pair *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

TEST(a_sort_is_stable)
{
    g_autoptr(tw_array) array = tw_array_new(FALSE, FALSE, sizeof(struct pair));
    unsigned n = 0;

    for (int size = 0; size < 300; size += 37) {
        tw_array_set_size(array, 0);
        for (int i = 0; i < size; i++) {
            struct pair p = { .key = (i * 7919) % 13, .number = i };

            tw_array_append_val(array, p);
        }
        tw_array_sort(array, by_key);
        for (guint i = 1; i < array->len; i++, n++) {
            const struct pair *p = &tw_array_index(array, struct pair, i - 1);

            assert_true(p[0].key < p[1].key || (p[0].key == p[1].key && p[0].number < p[1].number));
        }
    }
    assert_true(n > 1000);
}

TEST(elements_are_inserted_and_removed)
{
    g_autoptr(tw_array) array = tw_array_new(FALSE, TRUE, sizeof(int));
    const int values[] = { 1, 2, 3, 4 }, zero = 0;

    tw_array_append_vals(array, values, 4);
    tw_array_prepend_vals(array, &zero, 1);
    tw_array_remove_index(array, 2);
    tw_array_set_size(array, 6);
    g_autoptr(tw_array) copy = tw_array_copy(array);
    assert_memory_equal(copy->data, ((const int[]) { 0, 1, 3, 4, 0, 0 }), 6 * sizeof(int));
}

TEST(a_table_finds_what_is_in_it)
{
    tw_hash_table *table = tw_hash_table_new_full(tw_hash_text, g_str_equal, tw_free, NULL);
    tw_hash_table_iter iter;

    gpointer key, value;
    guint n = 0;

    for (guint i = 0; i < 1000; i++)
        assert_true(
            tw_hash_table_insert(table, tw_strdup_printf("%u", i), GUINT_TO_POINTER(i + 1)));
    assert_false(tw_hash_table_insert(table, tw_strdup("7"), GUINT_TO_POINTER(77)));
    tw_hash_table_iter_init(&iter, table);
    for (guint i = 0; tw_hash_table_iter_next(&iter, &key, &value); i++)
        if (i % 3 == 0)
            tw_hash_table_iter_remove(&iter);
    assert_true(tw_hash_table_remove(table, "7"));
    assert_false(tw_hash_table_remove(table, "7"));
    assert_int_equal(tw_hash_table_size(table), 1000 - 334 - 1);
    for (guint i = 2000; i < 4000; i++)
        tw_hash_table_insert(table, tw_strdup_printf("%u", i), NULL);
    tw_hash_table_iter_init(&iter, table);
    while (tw_hash_table_iter_next(&iter, &key, NULL))
        n++;
    assert_int_equal(n, tw_hash_table_size(table));
    assert_null(tw_hash_table_lookup(table, "3"));
    assert_int_equal(GPOINTER_TO_UINT(tw_hash_table_lookup(table, "4")), 5);
    assert_true(tw_hash_table_contains(table, "3999"));
    tw_hash_table_destroy(table);
}

TEST(texts_are_as_those_of_glib)
{
    static const char *const paths[] = { "a", "/a", "a/b", "/a/b", "a/b.pcap", "./x", "/" };
    static const char *const broken[] = { "plain", "a\xff,b", "\xc3", "\xe2\x82", "" };
    g_autoptr(tw_string) text = tw_string_new("a");

    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        tw_autofree char *name = tw_path_get_basename(paths[i]);
        tw_autofree char *folder = tw_path_get_dirname(paths[i]);
        g_autofree char *glibs_name = g_path_get_basename(paths[i]);
        g_autofree char *glibs_folder = g_path_get_dirname(paths[i]);

        assert_string_equal(name, glibs_name);
        assert_string_equal(folder, glibs_folder);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(broken); i++) {
        tw_autofree char *valid = tw_utf8_make_valid(broken[i], -1);
        g_autofree char *glibs = g_utf8_make_valid(broken[i], -1);

        assert_string_equal(valid, glibs);
    }
    for (unsigned i = 0; i < 100; i++)
        tw_string_append_printf(text, "%u,", i);
    assert_int_equal(text->len, 1 + 10 * 2 + 90 * 3);
    tw_string_printf(text, "%s", "short");
    assert_string_equal(text->str, "short");
}

TEST(lines_are_parted)
{
    static const char *const parts[] = { "a", "", "b", "" };
    tw_strv lines = tw_strsplit("a\n\nb\n", "\n");

    for (size_t i = 0; i < 4; i++)
        assert_string_equal(lines[i], parts[i]);
    assert_null(lines[4]);
    tw_strfreev(lines);
    lines = tw_strsplit("", "\n");
    assert_null(lines[0]);
    tw_strfreev(lines);
}

/* FIPS 180-2, appendices B.1 and B.2. */
TEST(sha256_is_that_of_the_standard)
{
    static const uint8_t abc[] = { 0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea };
    static const uint8_t two[] = { 0x24, 0x8d, 0x6a, 0x61, 0xd2, 0x06, 0x38, 0xb8 };
    const char *text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    uint8_t digest[TW_SHA256_BYTES];

    tw_sha256((const uint8_t *)"abc", 3, digest);
    assert_memory_equal(digest, abc, sizeof abc);
    tw_sha256((const uint8_t *)text, strlen(text), digest);
    assert_memory_equal(digest, two, sizeof two);
}
