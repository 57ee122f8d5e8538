/* SPDX-License-Identifier: MIT */
#include "report/rows/stream_facts.h"

#include <stdarg.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

/* Most sentences fit. */
#define TEXT_ROOM 320

tw_string *tw_fact_list_begin(struct tw_fact_list *list, const struct tcpwhy_fact *fact)
{
    struct tcpwhy_fact f = *fact;

    if (!list->facts) {
        list->facts = tw_array_new(FALSE, FALSE, sizeof f);
        list->texts = tw_string_new(NULL);
        tw_string_reserve(list->texts, TEXT_ROOM);
    }
    f.of = f.of ? f.of : f.count;
    tw_array_append_val(list->facts, f);
    return list->texts;
}

void tw_fact_list_add(struct tw_fact_list *list, const struct tcpwhy_fact *fact, const char *format,
                      ...)
{
    tw_string *texts = tw_fact_list_begin(list, fact);
    va_list arguments;

    va_start(arguments, format);
    tw_string_append_vprintf(texts, format, arguments);
    va_end(arguments);
    tw_string_append_c(texts, '\0');
}

/* Facts and texts into one block; the texts follow each other in the order of their facts. */
static struct tcpwhy_fact *join(const struct tcpwhy_fact *facts, size_t n, const char *texts,
                                size_t of_texts)
{
    struct tcpwhy_fact *all = tw_malloc(n * sizeof *all + of_texts);
    char *text = (char *)(all + n);

    memcpy(all, facts, n * sizeof *all);
    memcpy(text, texts, of_texts);
    for (size_t i = 0; i < n; i++) {
        all[i].text = text;
        text += strlen(text) + 1;
    }
    return all;
}

const struct tcpwhy_fact *tw_stream_facts(const struct tw_connection_result *result, size_t *n,
                                          size_t *bytes)
{
    struct tw_fact_list list = { NULL, NULL };
    struct tcpwhy_fact *all;

    *n = 0;
    tw_stream_icmp_find(result, &list);
    tw_stream_path_find(result, &list);
    tw_stream_http2_find(result, &list);
    tw_stream_smb2_find(result, &list);
    tw_stream_tls_find(result, &list);
    if (!list.facts)
        return NULL;
    *n = list.facts->len;
    all = join((const struct tcpwhy_fact *)(const void *)list.facts->data, *n, list.texts->str,
               list.texts->len);
    *bytes += *n * sizeof *all + list.texts->len;
    tw_array_free(list.facts, TRUE);
    tw_string_free(list.texts, TRUE);
    return all;
}

const struct tcpwhy_fact *tw_stream_facts_copy(const struct tcpwhy_fact *facts, size_t n)
{
    const char *last;

    if (n == 0)
        return NULL;
    last = facts[n - 1].text;
    return join(facts, n, facts[0].text, (size_t)(last + strlen(last) + 1 - facts[0].text));
}
