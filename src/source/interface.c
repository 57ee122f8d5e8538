/* SPDX-License-Identifier: MIT */
/*
 * Equivalent link-type numbers of savefiles, frame length limits, and timestamp conversion.
 */
#include "source/interface.h"

#include <stdbool.h>
#include <stddef.h>

#define NS_PER_S UINT64_C(1000000000)

/* Exceptions to the maximum frame length, as in Wireshark. */
#define MAX_LEN_BIG      (128u * 1024 * 1024)
#define LINKTYPE_DBUS    231
#define LINKTYPE_USBPCAP 249
#define LINKTYPE_EBHSCR  279

/* Numbers from before LINKTYPE_ values were unified, mapped as in Wireshark. */
static const struct {
    uint16_t found, meant;
} old_link_types[] = {
    { 11, 100 },  /* ATM RFC 1483 */
    { 12, 101 },  /* raw IP */
    { 13, 109 },  /* OpenBSD enc */
    { 14, 101 },  /* raw IP, OpenBSD */
    { 16, 106 },  /* ATM CLIP, in several Linux versions */
    { 18, 106 },  /* the same */
    { 19, 106 },  /* the same */
    { 112, 104 }, /* Cisco HDLC */
};

static uint32_t canonical(uint32_t link_type)
{
    for (size_t i = 0; i < sizeof(old_link_types) / sizeof(*old_link_types); i++)
        if (old_link_types[i].found == link_type)
            return old_link_types[i].meant;
    return link_type;
}

static uint32_t longest(uint32_t link_type)
{
    bool big =
        link_type == LINKTYPE_DBUS || link_type == LINKTYPE_USBPCAP || link_type == LINKTYPE_EBHSCR;

    return big ? MAX_LEN_BIG : TW_FRAME_LEN_MAX;
}

/* libpcap's LT_FCS_LENGTH: in units of 16 bits, valid if the bit below is set. */
#define FCS_IS_TOLD      0x04000000u
#define FCS_UNITS(field) ((field) >> 28)

struct tw_interface tw_interface(uint32_t link_type_field, uint32_t snap_len)
{
    uint32_t link_type = canonical(link_type_field & 0xffff);

    return (struct tw_interface) {
        .link_type = link_type,
        .snap_len = snap_len != 0 ? snap_len : UINT32_MAX,
        .fcs_bytes = link_type_field & FCS_IS_TOLD ? (uint8_t)(FCS_UNITS(link_type_field) * 2) : 0,
        .max_len = longest(link_type),
        .units_per_s = 1000000,
        .ns_per_unit = 1000,
    };
}

static uint64_t units_of(uint8_t tsresol)
{
    unsigned exponent = tsresol & 0x7f;
    uint64_t units = 1;

    if (tsresol & 0x80)
        return exponent < 64 ? UINT64_C(1) << exponent : UINT64_MAX;
    if (exponent > 19)
        return UINT64_MAX;
    while (exponent-- > 0)
        units *= 10;
    return units;
}

void tw_interface_set_clock(struct tw_interface *interface, uint8_t tsresol)
{
    interface->units_per_s = units_of(tsresol);
    interface->ns_per_unit =
        NS_PER_S % interface->units_per_s == 0 ? NS_PER_S / interface->units_per_s : 0;
}

/* Slow path: any unit, any offset. */
static int64_t far_time(const struct tw_interface *interface, uint64_t units)
{
    uint64_t rest = units % interface->units_per_s;
    __extension__ unsigned __int128 scaled = (unsigned __int128)rest * NS_PER_S;
    int64_t ns = (int64_t)(scaled / interface->units_per_s);
    int64_t seconds;

    if (__builtin_add_overflow(units / interface->units_per_s, interface->offset_s, &seconds) ||
        seconds >= TW_FURTHEST_S || seconds <= -TW_FURTHEST_S)
        return TW_NO_TIME;
    return seconds * (int64_t)NS_PER_S + ns;
}

int64_t tw_interface_time(const struct tw_interface *interface, uint64_t units)
{
    if (interface->ns_per_unit != 0 && interface->offset_s == 0 &&
        units < (uint64_t)TW_FURTHEST_S * interface->units_per_s)
        return (int64_t)(units * interface->ns_per_unit);
    return far_time(interface, units);
}
