/* SPDX-License-Identifier: MIT */
/* Statuses and operations of a server's answers, most frequent first. */
#include "base/array.h"
#include "base/hash_table.h"
#include "report/figures/service.h"

#include <string.h>

struct kind {
    const char *operation;
    guint16 status;
    guint64 n;
};

static gint frequent_first(gconstpointer a, gconstpointer b)
{
    const struct kind *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    if (x->status != y->status)
        return x->status < y->status ? -1 : 1;
    return x->operation && y->operation ? strcmp(x->operation, y->operation) : 0;
}

/* Counts by key into kinds; keys are operations, or statuses as pointers. */
static tw_array *kinds_of(tw_hash_table *counts, bool operations)
{
    tw_array *kinds = tw_array_new(FALSE, FALSE, sizeof(struct kind));
    tw_hash_table_iter iter;
    gpointer key, n;

    tw_hash_table_iter_init(&iter, counts);
    while (tw_hash_table_iter_next(&iter, &key, &n)) {
        struct kind k = { .operation = operations ? key : NULL,
                          .status = operations ? 0 : (guint16)GPOINTER_TO_UINT(key),
                          .n = GPOINTER_TO_SIZE(n) };

        tw_array_append_val(kinds, k);
    }
    tw_array_sort(kinds, frequent_first);
    return kinds;
}

static void count(tw_hash_table *counts, gconstpointer key)
{
    gpointer own = (gpointer)(uintptr_t)key;

    tw_hash_table_insert(counts, own,
                         GSIZE_TO_POINTER(GPOINTER_TO_SIZE(tw_hash_table_lookup(counts, own)) + 1));
}

void tw_service_kinds(const struct tw_service *s, struct tw_service_kinds *out)
{
    tw_hash_table *statuses = tw_hash_table_new(NULL, NULL);
    tw_hash_table *operations = tw_hash_table_new(tw_hash_text, g_str_equal);
    tw_array *kinds;

    for (guint i = 0; i < s->requests->len; i++) {
        const struct tcpwhy_exchange *e =
            tw_array_index(s->requests, struct tw_service_request, i).exchange;

        if (e->status)
            count(statuses, GUINT_TO_POINTER(e->status));
        if (e->request[0])
            count(operations, e->request);
    }
    *out = (struct tw_service_kinds) { .statuses = tw_array_new(FALSE, FALSE, sizeof(guint16)),
                                       .status_counts = tw_array_new(FALSE, FALSE, sizeof(guint64)),
                                       .operations = tw_ptr_array_new(),
                                       .operation_counts =
                                           tw_array_new(FALSE, FALSE, sizeof(guint64)) };
    kinds = kinds_of(statuses, false);
    for (guint i = 0; i < kinds->len; i++) {
        tw_array_append_val(out->statuses, tw_array_index(kinds, struct kind, i).status);
        tw_array_append_val(out->status_counts, tw_array_index(kinds, struct kind, i).n);
    }
    tw_array_free(kinds, TRUE);
    kinds = kinds_of(operations, true);
    for (guint i = 0; i < kinds->len; i++) {
        tw_ptr_array_add(out->operations,
                         (gpointer)(uintptr_t)tw_array_index(kinds, struct kind, i).operation);
        tw_array_append_val(out->operation_counts, tw_array_index(kinds, struct kind, i).n);
    }
    tw_array_free(kinds, TRUE);
    tw_hash_table_destroy(statuses);
    tw_hash_table_destroy(operations);
}

void tw_service_kinds_clear(struct tw_service_kinds *k)
{
    tw_array_free(k->statuses, TRUE);
    tw_array_free(k->status_counts, TRUE);
    tw_ptr_array_free(k->operations, TRUE);
    tw_array_free(k->operation_counts, TRUE);
}
