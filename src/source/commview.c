/* SPDX-License-Identifier: MIT */
/*
 * The NCF and NCFX formats of TamoSoft's CommView: records with a date each, without a file header
 * or signature.
 */
#include "source/record.h"

#define NCF_HEADER    24
#define NCFX_HEADER   20
#define RADIO_HEADER  20 /* at least; of an 802.11 frame in NCFX */
#define COMPRESSED    0x40
#define FLAG_RESERVED 0x80

/* Records that must look right. */
#define ENOUGH 3

enum { ETHERNET, WIFI, TOKEN_RING };

struct ncf {
    struct tw_date date;
    uint32_t us;
    uint8_t medium;
};

static struct tw_date date_at(struct tw_bytes b, size_t at)
{
    return (struct tw_date) { tw_le16(b, at),   tw_u8(b, at + 2), tw_u8(b, at + 3),
                              tw_u8(b, at + 4), tw_u8(b, at + 5), tw_u8(b, at + 6) };
}

static struct ncf read_ncf(struct tw_bytes b)
{
    return (struct ncf) { date_at(b, 5), tw_le32(b, 12), tw_u8(b, 16) & 0x0f };
}

static struct ncf read_ncfx(struct tw_bytes b)
{
    return (struct ncf) { date_at(b, 4), tw_le32(b, 11), tw_u8(b, 15) };
}

static bool is_plausible(const struct ncf *ncf, uint8_t medium_max)
{
    return tw_date_is_plausible(&ncf->date) && ncf->us < 1000000 && ncf->medium <= medium_max;
}

static bool guess_ncf(struct tw_bytes start)
{
    int n = 0;

    for (size_t at = 0; n < ENOUGH && tw_bytes_has(start, at, NCF_HEADER); n++) {
        struct tw_bytes b = tw_bytes_from(start, at);
        struct ncf ncf = read_ncf(b);

        if (!is_plausible(&ncf, TOKEN_RING) || tw_u8(b, 4) != 0 ||
            (tw_u8(b, 16) & FLAG_RESERVED) != 0 || tw_u8(b, 17) > 100)
            return false;
        at += NCF_HEADER + (size_t)tw_le16(b, 0);
    }
    return n > 0;
}

static bool guess_ncfx(struct tw_bytes start)
{
    int n = 0;

    for (size_t at = 0; n < ENOUGH && tw_bytes_has(start, at, NCFX_HEADER); n++) {
        struct tw_bytes b = tw_bytes_from(start, at);
        struct ncf ncf = read_ncfx(b);
        uint32_t len = tw_le32(b, 0);

        if (!is_plausible(&ncf, WIFI) || len < NCFX_HEADER || len > TW_FRAME_LEN_MAX ||
            tw_u8(b, 17) > 2)
            return false;
        at += len;
    }
    return n > 0;
}

static uint32_t link_type(uint8_t medium)
{
    static const uint32_t types[] = { TW_LINK_ETHERNET, TW_LINK_80211, TW_LINK_TOKEN_RING };

    return medium < G_N_ELEMENTS(types) ? types[medium] : TW_NO_LINK_TYPE;
}

static int64_t time_of(const struct ncf *ncf)
{
    return tw_record_time(tw_date_seconds(&ncf->date), (uint64_t)ncf->us * 1000);
}

static bool open_ncf(struct tw_source *source, struct tw_source_error *error)
{
    struct ncf ncf = read_ncf(tw_record_header(source, NCF_HEADER));

    tw_record_note_local_time(source);
    return tw_source_check_filter(source, link_type(ncf.medium), error);
}

static bool open_ncfx(struct tw_source *source, struct tw_source_error *error)
{
    struct ncf ncf = read_ncfx(tw_record_header(source, NCFX_HEADER));

    tw_record_note_local_time(source);
    return tw_source_check_filter(source, link_type(ncf.medium), error);
}

static int next_ncf(struct tw_source *source, struct tw_frame *frame)
{
    struct tw_bytes b = tw_record_header(source, NCF_HEADER);
    struct ncf ncf = read_ncf(b);
    bool compressed = tw_u8(b, 16) & COMPRESSED;
    struct tw_record record = {
        .header = NCF_HEADER,
        .captured = tw_le16(b, 0),
        .original = tw_le16(b, 0),
        .link_type = compressed ? TW_NO_LINK_TYPE : link_type(ncf.medium),
        .time_ns = time_of(&ncf),
    };

    if (b.len < NCF_HEADER)
        return tw_source_end(source, b.len);
    return tw_record_take(source, &record, frame);
}

static int next_ncfx(struct tw_source *source, struct tw_frame *frame)
{
    struct tw_bytes b = tw_record_header(source, NCFX_HEADER);
    struct ncf ncf = read_ncfx(b);
    uint32_t len = tw_le32(b, 0);
    struct tw_record record = {
        .header = NCFX_HEADER,
        .link_type = link_type(ncf.medium),
        .time_ns = time_of(&ncf),
    };

    if (b.len < NCFX_HEADER)
        return tw_source_end(source, b.len);
    if (ncf.medium == WIFI) {
        b = tw_record_header(source, NCFX_HEADER + RADIO_HEADER);
        record.header += MAX(tw_le16(b, NCFX_HEADER), RADIO_HEADER);
    }
    if (len < record.header)
        return tw_source_stop_at_bad_record(source);
    record.captured = record.original = len - (uint32_t)record.header;
    return tw_record_take(source, &record, frame);
}

const struct tw_format tw_format_commview = {
    .guess = guess_ncf,
    .open = open_ncf,
    .next = next_ncf,
};

const struct tw_format tw_format_commview_ncfx = {
    .guess = guess_ncfx,
    .open = open_ncfx,
    .next = next_ncfx,
};
