/* SPDX-License-Identifier: MIT */
#include "report/facts/add_fact.h"

void tw_add_fact(struct tcpwhy_report *r, const struct tcpwhy_fact *fact, const tw_string *text)
{
    struct tcpwhy_fact f = *fact;

    f.text = tw_string_chunk_insert_len(r->texts, text->str, (gssize)text->len);
    tw_array_append_val(r->facts, f);
}
