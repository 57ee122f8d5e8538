/* SPDX-License-Identifier: MIT */
#include "report/rows/samples.h"

#include "base/array.h"
#include "report/rows/percentiles.h"

/* log2(TW_SAMPLES_CLASSES): smaller values have a class each. */
#define CLASS_BITS 7

/* Bytes of the classes of one octave. */
#define CLASS_BYTES (TW_SAMPLES_CLASSES * sizeof(uint64_t))

void tw_samples_init(struct tw_samples *s)
{
    *s = (struct tw_samples) { .exact = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns)),
                               .min_ns = INT64_MAX,
                               .max_ns = INT64_MIN };
}

void tw_samples_copy(struct tw_samples *to, const struct tw_samples *from)
{
    *to = *from;
    if (from->exact)
        to->exact = tw_array_copy(from->exact);
    if (from->octave)
        to->octave = tw_new0(uint64_t *, TW_SAMPLES_OCTAVES);
    for (int i = 0; from->octave && i < TW_SAMPLES_OCTAVES; i++)
        to->octave[i] = tw_memdup2(from->octave[i], CLASS_BYTES);
}

void tw_samples_clear(struct tw_samples *s)
{
    if (s->exact)
        tw_array_free(s->exact, TRUE);
    for (int i = 0; s->octave && i < TW_SAMPLES_OCTAVES; i++)
        tw_free(s->octave[i]);
    tw_free(s->octave);
    *s = (struct tw_samples) { 0 };
}

static int octave_of(uint64_t value)
{
    return value < TW_SAMPLES_CLASSES ? 0 : 64 - CLASS_BITS - __builtin_clzll(value);
}

static void count_in_class(struct tw_samples *s, tcpwhy_ns ns)
{
    uint64_t value = ns > 0 ? (uint64_t)ns : 0;
    int octave = octave_of(value), shift = MAX(octave - 1, 0);

    if (!s->octave[octave])
        s->octave[octave] = tw_new0(uint64_t, TW_SAMPLES_CLASSES);
    s->octave[octave][(value >> shift) % TW_SAMPLES_CLASSES]++;
}

/* The middle of a class. */
static tcpwhy_ns middle_of(int octave, int class)
{
    int shift = MAX(octave - 1, 0);
    uint64_t low = (uint64_t)(octave ? TW_SAMPLES_CLASSES + class : class) << shift;

    return (tcpwhy_ns)(low + (UINT64_C(1) << shift) / 2);
}

static void leave_exact(struct tw_samples *s)
{
    s->octave = tw_new0(uint64_t *, TW_SAMPLES_OCTAVES);
    for (guint i = 0; i < s->exact->len; i++)
        count_in_class(s, tw_array_index(s->exact, tcpwhy_ns, i));
    tw_array_free(s->exact, TRUE);
    s->exact = NULL;
}

void tw_samples_add(struct tw_samples *s, const tcpwhy_ns *value, guint n)
{
    for (guint i = 0; i < n; i++) {
        s->min_ns = MIN(s->min_ns, value[i]);
        s->max_ns = MAX(s->max_ns, value[i]);
    }
    s->count += n;
    if (s->exact && s->count > TW_SAMPLES_EXACT)
        leave_exact(s);
    if (s->exact && n > 0)
        tw_array_append_vals(s->exact, value, n);
    for (guint i = 0; !s->exact && i < n; i++)
        count_in_class(s, value[i]);
}

void tw_samples_merge(struct tw_samples *into, const struct tw_samples *from)
{
    if (from->exact) {
        tw_samples_add(into, (const tcpwhy_ns *)(const void *)from->exact->data, from->exact->len);
        return;
    }
    if (into->exact)
        leave_exact(into);
    into->count += from->count;
    into->min_ns = MIN(into->min_ns, from->min_ns);
    into->max_ns = MAX(into->max_ns, from->max_ns);
    for (int i = 0; i < TW_SAMPLES_OCTAVES; i++) {
        if (from->octave[i] && !into->octave[i])
            into->octave[i] = tw_new0(uint64_t, TW_SAMPLES_CLASSES);
        for (int k = 0; from->octave[i] && k < TW_SAMPLES_CLASSES; k++)
            into->octave[i][k] += from->octave[i][k];
    }
}

/* The smallest class that at least percent of all do not exceed. */
static tcpwhy_ns rank(const struct tw_samples *s, unsigned percent)
{
    uint64_t wanted = MAX((s->count * percent + 99) / 100, 1), seen = 0;

    for (int i = 0; i < TW_SAMPLES_OCTAVES; i++)
        for (int k = 0; s->octave[i] && k < TW_SAMPLES_CLASSES; k++) {
            seen += s->octave[i][k];
            if (seen >= wanted)
                return CLAMP(middle_of(i, k), s->min_ns, s->max_ns);
        }
    return s->max_ns;
}

struct tcpwhy_percentiles tw_samples_percentiles(struct tw_samples *s)
{
    if (s->exact)
        return tw_percentiles((tcpwhy_ns *)(void *)s->exact->data, s->exact->len);
    return (struct tcpwhy_percentiles) {
        .count = s->count,
        .min_ns = s->min_ns,
        .p50_ns = rank(s, 50),
        .p75_ns = rank(s, 75),
        .p90_ns = rank(s, 90),
        .p99_ns = rank(s, 99),
        .max_ns = s->max_ns,
        .first_ns = TCPWHY_NS_UNKNOWN,
        .last_ns = TCPWHY_NS_UNKNOWN,
    };
}
