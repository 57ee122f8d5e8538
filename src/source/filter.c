/* SPDX-License-Identifier: MIT */
/* BPF compilation by libpcap, with its DLT_ numbers. */
#include "source/filter.h"

#include <string.h>

#include <glib.h>
#include <pcap/pcap.h>

#include "base/array.h"
#include "base/text.h"

/* Same as tcpdump: large enough for any frame. */
#define SNAP_LEN 262144

struct program {
    uint32_t link_type;
    struct bpf_program bpf;
    char *why_not; /* NULL if it compiled */
    struct tw_undo undo;
};

struct tw_filter {
    char *expression;
    tw_ptr_array *programs; /* struct program */
    struct program *last;
};

/* LINKTYPE_ values whose DLT_ differs on Linux. */
static const struct {
    uint32_t link_type;
    int dlt;
} differing[] = {
    { 100, DLT_ATM_RFC1483 }, { 101, DLT_RAW },      { 102, DLT_SLIP_BSDOS },
    { 103, DLT_PPP_BSDOS },   { 106, DLT_ATM_CLIP }, { 246, DLT_PFSYNC },
};

static int dlt_of(uint32_t link_type)
{
    for (size_t i = 0; i < G_N_ELEMENTS(differing); i++)
        if (differing[i].link_type == link_type)
            return differing[i].dlt;
    return (int)link_type;
}

uint32_t tw_filter_link_type(int dlt)
{
    for (size_t i = 0; i < G_N_ELEMENTS(differing); i++)
        if (differing[i].dlt == dlt)
            return differing[i].link_type;
    return (uint32_t)dlt;
}

/* libpcap's memory. */
static void free_code(void *bpf)
{
    pcap_freecode(bpf);
}

static void free_program(void *data)
{
    struct program *program = data;

    tw_undo_remove(&program->undo);
    if (!program->why_not)
        pcap_freecode(&program->bpf);
    tw_free(program->why_not);
    tw_free(program);
}

static struct program *compile(const char *expression, uint32_t link_type)
{
    struct program *program = tw_new0(struct program, 1);
    char why_not[PCAP_ERRBUF_SIZE];
    pcap_t *dead = pcap_open_dead(dlt_of(link_type), SNAP_LEN);
    bool compiles;

    program->link_type = link_type;
    if (!dead)
        tw_out_of_memory(0);
    compiles = pcap_compile(dead, &program->bpf, expression, 1, PCAP_NETMASK_UNKNOWN) == 0;
    if (!compiles)
        g_strlcpy(why_not, pcap_geterr(dead), sizeof why_not);
    pcap_close(dead);
    if (compiles)
        tw_undo_add(&program->undo, free_code, &program->bpf);
    else
        program->why_not = tw_strdup(why_not);
    return program;
}

static struct program *program_for(struct tw_filter *filter, uint32_t link_type)
{
    for (guint i = 0; i < filter->programs->len; i++) {
        struct program *program = tw_ptr_array_index(filter->programs, i);

        if (program->link_type == link_type)
            return program;
    }
    tw_ptr_array_add(filter->programs, compile(filter->expression, link_type));
    return tw_ptr_array_index(filter->programs, filter->programs->len - 1);
}

struct tw_filter *tw_filter_new(const char *expression)
{
    struct tw_filter *filter = tw_new0(struct tw_filter, 1);

    filter->expression = tw_strdup(expression);
    filter->programs = tw_ptr_array_new_with_free_func(free_program);
    return filter;
}

void tw_filter_free(struct tw_filter *filter)
{
    if (!filter)
        return;
    tw_ptr_array_free(filter->programs, TRUE);
    tw_free(filter->expression);
    tw_free(filter);
}

const char *tw_filter_why_not(struct tw_filter *filter, uint32_t link_type)
{
    return program_for(filter, link_type)->why_not;
}

enum tw_filter_answer tw_filter_ask(struct tw_filter *filter, uint32_t link_type,
                                    struct tw_bytes bytes, uint32_t original_len)
{
    struct pcap_pkthdr header = { .caplen = (bpf_u_int32)bytes.len, .len = original_len };

    if (!filter->last || filter->last->link_type != link_type)
        filter->last = program_for(filter, link_type);
    if (filter->last->why_not)
        return TW_FILTER_UNUSABLE;
    return pcap_offline_filter(&filter->last->bpf, &header, bytes.data) != 0 ? TW_FILTER_PASS
                                                                             : TW_FILTER_HOLD;
}
