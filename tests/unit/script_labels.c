/* SPDX-License-Identifier: MIT */
/* tshark's labels of a script's segments, and what is expected of those of the last one. */
#include <stdio.h>
#include <string.h>

#include "render/view/flow_words.h"
#include "tests/unit/script.h"
#include "track/wireshark.h"

void script_labels_begin(struct script *s, bool reused)
{
    script_begin(s);
    s->ws = tw_ws_new();
    s->used_ports = reused;
}

void script_labels_end(struct script *s)
{
    if (s->ws)
        tw_ws_free(s->ws);
    s->ws = NULL;
}

void script_labels_push(struct script *s, enum tcpwhy_side from, struct tw_segment segment)
{
    segment.header_len = TW_TCP_HEADER;
    tw_ws_push(s->ws, &segment, from, s->used_ports, s->now_ns, s->talk.frame, &s->labels);
}

bool script_read_labels(const struct script *s, const char *name, struct script_value *value)
{
    const struct tcpwhy_wireshark *l = &s->labels;
    const struct {
        const char *name;
        int64_t n;
        enum script_kind kind;
    } fields[] = { { "label.seq", l->seq, SCRIPT_NUMBER },
                   { "label.ack", l->ack, SCRIPT_NUMBER },
                   { "label.window", l->window_bytes, SCRIPT_NUMBER },
                   { "label.in_flight", l->bytes_in_flight, SCRIPT_NUMBER },
                   { "label.pushed", l->push_bytes_sent, SCRIPT_NUMBER },
                   { "label.acks_frame", l->acks_frame, SCRIPT_NUMBER },
                   { "label.rto_frame", l->rto_frame, SCRIPT_NUMBER },
                   { "label.duplicate", l->duplicate_ack_num, SCRIPT_NUMBER },
                   { "label.duplicate_of", l->duplicate_ack_frame, SCRIPT_NUMBER },
                   { "label.completeness", l->completeness, SCRIPT_NUMBER },
                   { "label.ack_rtt", l->ack_rtt_ns, SCRIPT_TIME },
                   { "label.initial_rtt", l->initial_rtt_ns, SCRIPT_TIME },
                   { "label.rto", l->rto_ns, SCRIPT_TIME } };

    for (size_t i = 0; s->ws && i < G_N_ELEMENTS(fields); i++)
        if (strcmp(name, fields[i].name) == 0) {
            *value = (struct script_value) { .kind = fields[i].kind, .n = fields[i].n };
            return true;
        }
    return false;
}

/* labels none | LABEL ...: those, and no others. */
bool script_expect_labels(struct script_at *a, const char *line)
{
    struct script *s = a->script;
    uint32_t flags = 0;

    if (!s->ws || !script_takes(a, "labels"))
        return false;
    for (script_blank(a); *a->p && !script_takes(a, "none"); script_blank(a)) {
        const char *word = script_word(a);
        size_t i = 0;

        while (i < TW_WS_LABELS && (!word || strcmp(word, tw_ws_labels[i].name) != 0))
            i++;
        if (i == TW_WS_LABELS)
            script_wrong(s, "%s is no label", word ? word : a->p);
        flags |= tw_ws_labels[i].flag;
    }
    if (flags == s->labels.flags)
        return true;
    script_begin_failure(s, line);
    for (size_t i = 0; i < TW_WS_LABELS; i++)
        if (s->labels.flags & tw_ws_labels[i].flag)
            printf("  + %s\n", tw_ws_labels[i].name);
    return true;
}
