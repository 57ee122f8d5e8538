/* SPDX-License-Identifier: MIT */
#include "report/figures/operations.h"

#include <string.h>

#include "base/array.h"
#include "report/figures/distribution.h"

/* Is a word of a text, or its begin, what was asked for? Case does not matter. */
static bool has(const char *text, const char *part)
{
    size_t len = strlen(part);

    for (; *text; text++)
        if (g_ascii_strncasecmp(text, part, len) == 0)
            return true;
    return len == 0;
}

static bool has_status(const struct tcpwhy_exchange *e, const char *status)
{
    char number[sizeof "65535"];

    g_snprintf(number, sizeof number, "%u", e->status);
    return strcmp(number, status) == 0 || (e->detail[0] && has(e->detail, status));
}

bool tw_operations_select(const struct tcpwhy_render_options *o, const struct tcpwhy_exchange *e)
{
    return (!o->only_protocol || g_ascii_strcasecmp(o->only_protocol, e->protocol) == 0) &&
           (!o->only_operation || has(e->request, o->only_operation)) &&
           (!o->only_status || has_status(e, o->only_status));
}

static gint slow_first(gconstpointer a, gconstpointer b)
{
    const struct tw_operation *x = a, *y = b;

    if (x->p99_ns != y->p99_ns)
        return x->p99_ns > y->p99_ns ? -1 : 1;
    return strcmp(x->request, y->request);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    const struct tcpwhy_exchange *x = ((const struct tw_asked_for *)a)->e;
    const struct tcpwhy_exchange *y = ((const struct tw_asked_for *)b)->e;
    int order = strcmp(x->protocol, y->protocol);

    return order ? order : strcmp(x->request, y->request);
}

/* The requests [from, to), which have one name. */
static struct tw_operation operation_of(const tw_array *sorted, guint from, guint to)
{
    const struct tcpwhy_exchange *first = tw_array_index(sorted, struct tw_asked_for, from).e;
    struct tw_operation o = {
        .protocol = first->protocol, .request = first->request, .from = from, .to = to
    };
    g_autoptr(tw_array) times = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    struct tw_distribution d;

    for (guint i = from; i < to; i++) {
        const struct tcpwhy_exchange *e = tw_array_index(sorted, struct tw_asked_for, i).e;

        o.count++;
        o.request_bytes += e->request_bytes;
        o.response_bytes += e->response_bytes;
        o.failed += e->detail[0] || e->status >= 400;
        if (e->total_ns == TCPWHY_NS_UNKNOWN)
            continue;
        tw_array_append_val(times, e->total_ns);
        o.total_ns += e->total_ns;
    }
    d = tw_distribution_of(times);
    o.p50_ns = d.p50_ns;
    o.p99_ns = d.p99_ns;
    o.max_ns = d.n > 0 ? d.max_ns : TCPWHY_NS_UNKNOWN;
    return o;
}

tw_array *tw_operations_requests(const tcpwhy_report *report,
                                 const struct tcpwhy_render_options *options)
{
    tw_array *found = tw_array_new(FALSE, FALSE, sizeof(struct tw_asked_for));
    size_t n;
    const struct tw_stream_row *s = tw_report_streams(report, &n);

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < s[i].n_exchanges; k++) {
            const struct tw_asked_for one = { &s[i], &s[i].exchanges[k] };

            if (tw_operations_select(options, one.e))
                tw_array_append_val(found, one);
        }
    }
    return found;
}

tw_array *tw_operations_of(tw_array *requests)
{
    tw_array *found = tw_array_new(FALSE, FALSE, sizeof(struct tw_operation));

    tw_array_sort(requests, by_name);
    for (guint from = 0, to; from < requests->len; from = to) {
        struct tw_operation o;

        for (to = from + 1; to < requests->len &&
                            by_name(&tw_array_index(requests, struct tw_asked_for, from),
                                    &tw_array_index(requests, struct tw_asked_for, to)) == 0;)
            to++;
        o = operation_of(requests, from, to);
        tw_array_append_val(found, o);
    }
    tw_array_sort(found, slow_first);
    return found;
}
