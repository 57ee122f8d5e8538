/* SPDX-License-Identifier: MIT */
/* Descriptive blocks: sections, interfaces, interface statistics, and decryption secrets. */
#include "base/array.h"
#include "base/text.h"
#include "source/pcapng.h"

/* More than any host has; bounds the allocation for a hostile file. */
#define INTERFACES_MAX 65536u

/* Sections of a capture usually have the same texts; keep them once. Takes ownership of text. */
static void keep_section_text(struct tw_source *source, tw_string *text)
{
    struct tw_pcapng *ng = source->state;

    if (!tw_string_equal(text, ng->section_text))
        tw_text_append_line(source->comment, text->str);
    tw_string_free(ng->section_text, TRUE);
    ng->section_text = text;
}

/* Section body: byte-order magic, version, section length (usually unset), options. */
int tw_pcapng_read_section(struct tw_source *source, struct tw_bytes body, struct tw_frame *frame)
{
    (void)frame;
    static const char *const labels[] = { [1] = "", "Hardware: ", "OS: ", "Application: " };
    struct tw_pcapng *ng = source->state;
    struct tw_option option = tw_options(tw_bytes_from(body, 16), ng->big_endian);
    tw_string *text;

    if (body.len < 16 || tw_pcapng_half(ng, body, 4) != 1)
        return tw_source_stop_at_bad_record(source);
    tw_array_set_size(ng->interfaces, 0);
    text = tw_string_new(NULL);
    while (tw_option_next(&option))
        if (option.code >= 1 && option.code < G_N_ELEMENTS(labels))
            tw_option_append_text(&option, labels[option.code], text);
    tw_pcapng_check_overrun(source, &option);
    keep_section_text(source, text);
    return TW_PCAPNG_PASSED_OVER;
}

#define OPTION_TSRESOL  9
#define OPTION_TSOFFSET 14

int tw_pcapng_read_interface(struct tw_source *source, struct tw_bytes body, struct tw_frame *frame)
{
    (void)frame;
    struct tw_pcapng *ng = source->state;
    struct tw_option option = tw_options(tw_bytes_from(body, 8), ng->big_endian);
    struct tw_interface interface =
        tw_interface(tw_pcapng_half(ng, body, 0), tw_pcapng_word(ng, body, 4));

    if (body.len < 8)
        return tw_source_stop_at_bad_record(source);
    while (tw_option_next(&option)) {
        if (option.code == OPTION_TSRESOL && option.value.len == 1)
            tw_interface_set_clock(&interface, tw_u8(option.value, 0));
        else if (option.code == OPTION_TSOFFSET)
            interface.offset_s = (int64_t)tw_option_u64(&option);
    }
    tw_pcapng_check_overrun(source, &option);
    if (ng->interfaces->len < INTERFACES_MAX)
        tw_array_append_val(ng->interfaces, interface);
    return TW_PCAPNG_PASSED_OVER;
}

void tw_pcapng_note_drops(struct tw_source *source, struct tw_interface *interface, uint64_t total,
                          uint64_t between)
{
    uint64_t before = MAX(interface->dropped_total, interface->dropped_between);
    uint64_t now;

    interface->dropped_total = MAX(interface->dropped_total, total);
    if (__builtin_add_overflow(interface->dropped_between, between, &interface->dropped_between))
        interface->dropped_between = UINT64_MAX;
    now = MAX(interface->dropped_total, interface->dropped_between);
    if (now > before)
        tw_source_add_fact(source, TW_SOURCE_DROPPED, now - before);
}

#define OPTION_ISB_IFDROP 5
#define OPTION_ISB_OSDROP 7

/* Interface, time, options. */
int tw_pcapng_read_statistics(struct tw_source *source, struct tw_bytes body,
                              struct tw_frame *frame)
{
    (void)frame;
    struct tw_pcapng *ng = source->state;
    struct tw_option option = tw_options(tw_bytes_from(body, 12), ng->big_endian);
    struct tw_interface *interface = tw_pcapng_interface(ng, tw_pcapng_word(ng, body, 0));
    uint64_t total = 0;

    while (tw_option_next(&option))
        if (option.code == OPTION_ISB_IFDROP || option.code == OPTION_ISB_OSDROP)
            if (__builtin_add_overflow(total, tw_option_u64(&option), &total))
                total = UINT64_MAX;
    tw_pcapng_check_overrun(source, &option);
    if (interface)
        tw_pcapng_note_drops(source, interface, total, 0);
    return TW_PCAPNG_PASSED_OVER;
}

/* Type and length of the secrets, the secrets, options. */
int tw_pcapng_read_secrets(struct tw_source *source, struct tw_bytes body, struct tw_frame *frame)
{
    (void)frame;
    const struct tw_pcapng *ng = source->state;

    if (source->on_secrets && body.len >= 8)
        source->on_secrets(source->secrets_user, tw_pcapng_word(ng, body, 0),
                           tw_bytes_first(tw_bytes_from(body, 8), tw_pcapng_word(ng, body, 4)));
    return TW_PCAPNG_PASSED_OVER;
}
