/* SPDX-License-Identifier: MIT */
#include "source/record.h"

#include <tcpwhy/tcpwhy.h>

#include "base/memory.h"

#define NS_PER_S  INT64_C(1000000000)
#define DAY_S     INT64_C(86400)
#define DAYS_1601 INT64_C(134774) /* between 1601-01-01 and 1970-01-01 */

/* Padding and trailers are small; more is a damaged length. */
#define TRAILER_MAX 65536u

int tw_record_take(struct tw_source *source, const struct tw_record *record, struct tw_frame *frame)
{
    size_t len = record->header + record->captured + record->trailer;
    struct tw_bytes b;

    if (record->captured > TW_FRAME_LEN_MAX || record->trailer > TRAILER_MAX)
        return tw_source_stop_at_bad_record(source);
    b = tw_window_need(&source->window, len);
    if (b.len < len)
        return tw_source_end(source, b.len);
    tw_window_take(&source->window, len);
    source->n_frames++;
    *frame = (struct tw_frame) {
        .number = source->n_frames,
        .link_type = record->link_type,
        .time_ns = record->time_ns,
        .original_len = record->original,
        .bytes = tw_bytes(b.data + record->header, record->captured),
    };
    if (record->time_ns == TW_NO_TIME)
        tw_source_add_fact(source, TW_SOURCE_NO_TIME, 1);
    if (record->captured > record->original)
        tw_source_add_fact(source, TW_SOURCE_LEN_MISMATCH, 1);
    return 1;
}

int tw_record_pass_over(struct tw_source *source, size_t len)
{
    struct tw_bytes b;

    if (len > TW_FRAME_LEN_MAX + TRAILER_MAX)
        return tw_source_stop_at_bad_record(source);
    b = tw_window_need(&source->window, len);
    if (b.len < len)
        return tw_source_end(source, b.len);
    tw_window_take(&source->window, len);
    return TW_RECORD_PASSED_OVER;
}

void tw_record_strip(struct tw_frame *frame, size_t n)
{
    frame->bytes = tw_bytes_from(frame->bytes, n);
    frame->original_len -= (uint32_t)MIN(n, frame->original_len);
}

int64_t tw_record_time(int64_t seconds, uint64_t ns)
{
    if (__builtin_add_overflow(seconds, (int64_t)(ns / NS_PER_S), &seconds) ||
        seconds >= TW_FURTHEST_S || seconds <= -TW_FURTHEST_S)
        return TW_NO_TIME;
    return seconds * NS_PER_S + (int64_t)(ns % NS_PER_S);
}

int64_t tw_record_windows_time(uint64_t units, uint64_t per_second)
{
    return tw_record_time((int64_t)(units / per_second) - DAYS_1601 * DAY_S,
                          units % per_second * ((uint64_t)NS_PER_S / per_second));
}

/* Days since the epoch; the year begins in March, so that a leap day is its last. */
static int64_t days_to(int64_t year, int64_t month, int64_t day)
{
    int64_t since_march = (month + 9) % 12;
    int64_t y = month <= 2 ? year - 1 : year;

    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * since_march + 2) / 5 + day - 719469;
}

int64_t tw_date_seconds(const struct tw_date *date)
{
    int64_t months = (int64_t)date->month - 1;
    int64_t year = (int64_t)date->year + (months < 0 ? -1 : months / 12);
    int64_t days = days_to(year, months < 0 ? 12 : months % 12 + 1, date->day);

    return days * DAY_S + (int64_t)date->hour * 3600 + (int64_t)date->minute * 60 + date->second;
}

bool tw_date_is_plausible(const struct tw_date *date)
{
    return date->year >= 1970 && date->year < 2100 && date->month >= 1 && date->month <= 12 &&
           date->day >= 1 && date->day <= 31 && date->hour < 24 && date->minute < 60 &&
           date->second <= 60;
}

void tw_record_note_local_time(struct tw_source *source)
{
    if (!tw_source_has_fact(source, TW_SOURCE_LOCAL_TIME))
        tw_source_add_fact(source, TW_SOURCE_LOCAL_TIME, 1);
}

void tw_record_close(struct tw_source *source)
{
    tw_free(source->state);
}

bool tw_record_refuse_cut(struct tw_source_error *error, const char *format)
{
    return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                            "cut short inside the %s file header: take the capture again", format);
}
