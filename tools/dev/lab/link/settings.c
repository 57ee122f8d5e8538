/* SPDX-License-Identifier: MIT */
/* The words of the command line: "delay_us=5000", "data=10-12,40". */
#include "pipe.h"

#include <stdlib.h>
#include <string.h>

static void read_victims(struct pipe_victims *victims, const char *text)
{
    while (*text && victims->n < PIPE_RANGES) {
        char *end;
        unsigned from = (unsigned)strtoul(text, &end, 10);

        if (end == text)
            return;
        victims->from[victims->n] = victims->to[victims->n] = from;
        if (*end == '-')
            victims->to[victims->n] = (unsigned)strtoul(end + 1, &end, 10);
        victims->n++;
        text = *end == ',' ? end + 1 : end;
    }
}

static bool set_victims(struct pipe_settings *set, const char *name, const char *value)
{
    const struct {
        const char *name;
        struct pipe_victims *victims;
    } lists[] = { { "syn", &set->syn },
                  { "syn_ack", &set->syn_ack },
                  { "data", &set->data },
                  { "ack", &set->ack },
                  { "fin", &set->fin } };

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        if (!strcmp(name, lists[i].name)) {
            read_victims(lists[i].victims, value);
            return true;
        }
    return false;
}

static bool set_number(struct pipe *pipe, const char *name, double value)
{
    struct pipe_settings *set = &pipe->set;
    const struct {
        const char *name;
        double *number;
        int64_t *microseconds;
    } words[] = {
        { "delay_us", NULL, &set->delay_ns },
        { "jitter_us", NULL, &set->jitter_ns },
        { "reorder_us", NULL, &set->reorder_ns },
        { "dark_from_us", NULL, &set->dark_from_ns },
        { "dark_to_us", NULL, &set->dark_to_ns },
        { "rate_bps", &set->rate_bps, NULL },
        { "queue_bytes", &set->queue_bytes, NULL },
        { "loss", &set->loss, NULL },
        { "ack_loss", &set->ack_loss, NULL },
        { "burst", &set->burst, NULL },
        { "reorder", &set->reorder, NULL },
        { "duplicate", &set->duplicate, NULL },
        { "still_from_us", NULL, &set->still_from_ns },
        { "still_to_us", NULL, &set->still_to_ns },
        { "police_bytes", &set->police_bytes, NULL },
        { "mark_bytes", &set->mark_bytes, NULL },
        { "low_bps", &set->low_bps, NULL },
        { "change_us", NULL, &set->change_ns },
        { "codel_us", NULL, &set->codel_ns },
        { "gather_us", NULL, &set->gather_ns },
        { "damage", &set->damage, NULL },
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (strcmp(name, words[i].name))
            continue;
        if (words[i].number)
            *words[i].number = value;
        else
            *words[i].microseconds = (int64_t)(value * 1e3);
        return true;
    }
    if (!strcmp(name, "burst_length"))
        set->burst_length = (unsigned)value;
    else if (!strcmp(name, "hole_bytes"))
        set->hole_bytes = (size_t)value;
    else if (!strcmp(name, "too_big"))
        set->too_big = value > 0;
    else if (!strcmp(name, "ack_filter"))
        set->ack_filter = value > 0;
    else if (!strcmp(name, "seed"))
        pipe->random = 0x9e3779b97f4a7c15u * (uint64_t)(value + 1);
    else
        return false;
    return true;
}

bool pipe_set(struct pipe *pipe, const char *setting)
{
    const char *equals = strchr(setting, '=');
    char name[32];

    if (!equals || (size_t)(equals - setting) >= sizeof(name))
        return false;
    memcpy(name, setting, (size_t)(equals - setting));
    name[equals - setting] = '\0';
    return set_victims(&pipe->set, name, equals + 1) || set_number(pipe, name, atof(equals + 1));
}
