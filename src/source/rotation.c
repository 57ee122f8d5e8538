/* SPDX-License-Identifier: MIT */
/*
 * Names of rotated captures: x.pcap, x.pcap1, x.pcap2 (tcpdump -C), x.pcap00 (-W),
 * x_00001_20261120101010.pcapng and x_20261120101010_00001.pcapng (dumpcap -b), x.pcap.1.gz
 * (logrotate), x-2026-11-20_10:00.pcap (tcpdump -G with a strftime name).
 */
#include "source/rotation.h"

#include <string.h>

#include "base/text.h"

#define SUFFIX "\\.(?:pcapng|pcap|cap|dmp)"
/* The last group may be partial: a day, an hour, a minute, a second. */
#define STAMP                                                                                      \
    "(?:19|20)\\d\\d[-_.]?[01]\\d[-_.]?[0-3]\\d"                                                   \
    "(?:[-_T.]?[0-2]\\d(?:[-_:.h]?[0-5]\\d(?:[-_:.m]?[0-5]\\d)?)?)?"

enum by { BY_NUMBER, BY_NUMBER_BACKWARDS, BY_TIME };

/* The family is the text matched by "before" and "after", "n" the number. The first match wins. */
static const struct {
    const char *pattern;
    enum by by;
} patterns[] = {
    { "^(?<before>.*)_(?<n>\\d{5})_\\d{14}(?<after>" SUFFIX ")$", BY_NUMBER },
    { "^(?<before>.*)_\\d{14}_(?<n>\\d{5})(?<after>" SUFFIX ")$", BY_NUMBER },
    { "^(?<before>.*?)(?<!\\d)" STAMP "(?!\\d)(?<after>.*" SUFFIX ")\\d*$", BY_TIME },
    { "^(?<before>.*?)(?<!\\d)1\\d{9}(?<after>" SUFFIX ")$", BY_TIME },
    { "^(?<before>.*" SUFFIX ")\\.(?<n>\\d{1,5})(?<after>)$", BY_NUMBER_BACKWARDS },
    { "^(?<before>.*" SUFFIX ")(?<n>\\d{1,6})(?<after>)$", BY_NUMBER },
    /* The first file of tcpdump -C, and logrotate's newest, have no number. */
    { "^(?<before>.*" SUFFIX ")(?<n>)(?<after>)$", BY_NUMBER },
};

static char *without_compression(const char *name)
{
    static const char *const suffixes[] = { ".gz", ".zst", ".lz4", ".xz" };

    for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++)
        if (g_str_has_suffix(name, suffixes[i]))
            return tw_strndup(name, strlen(name) - strlen(suffixes[i]));
    return tw_strdup(name);
}

struct tw_rotations {
    GRegex *regexes[G_N_ELEMENTS(patterns)];
    struct tw_undo undo;
};

static void release_regexes(void *user)
{
    struct tw_rotations *rotations = user;

    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
        g_regex_unref(rotations->regexes[i]);
}

struct tw_rotations *tw_rotations_new(void)
{
    struct tw_rotations *rotations = tw_new0(struct tw_rotations, 1);

    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
        rotations->regexes[i] = g_regex_new(patterns[i].pattern, G_REGEX_RAW, 0, NULL);
    tw_undo_add(&rotations->undo, release_regexes, rotations);
    return rotations;
}

void tw_rotations_free(struct tw_rotations *rotations)
{
    tw_undo_remove(&rotations->undo);
    release_regexes(rotations);
    tw_free(rotations);
}

struct part {
    const char *text;
    int n;
};

static struct part part_of(const GMatchInfo *match, const char *name, const char *group)
{
    gint from = 0, to = 0;

    g_match_info_fetch_named_pos(match, group, &from, &to);
    return (struct part) { name + MAX(from, 0), to - from };
}

static void release_match(void *match)
{
    g_match_info_free(match);
}

static bool try_pattern(GRegex *regex, const char *name, enum by by, struct tw_rotation *rotation)
{
    g_autoptr(GMatchInfo) match = NULL;
    struct part before, after, number;
    struct tw_undo undo;

    if (!g_regex_match(regex, name, 0, &match))
        return false;
    before = part_of(match, name, "before");
    after = part_of(match, name, "after");
    number = part_of(match, name, "n");
    tw_undo_add(&undo, release_match, match);
    rotation->family = tw_strdup_printf("%.*s\t%.*s", before.n, before.text, after.n, after.text);
    tw_undo_remove(&undo);
    rotation->number = by == BY_TIME ? -1 : g_ascii_strtoll(number.text, NULL, 10);
    rotation->backwards = by == BY_NUMBER_BACKWARDS;
    return true;
}

bool tw_rotation_of(const struct tw_rotations *rotations, const char *name,
                    struct tw_rotation *rotation)
{
    tw_autofree char *plain = without_compression(name);

    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
        if (try_pattern(rotations->regexes[i], plain, patterns[i].by, rotation))
            return true;
    return false;
}
