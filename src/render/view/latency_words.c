/* SPDX-License-Identifier: MIT */
#include "render/view/latency_words.h"

#include "render/view/view.h"

/* As long as wrk waits before it counts a timeout. */
#define SLOWER_NS TCPWHY_S(2)

tcpwhy_ns tw_latency_slower(const struct tcpwhy_render_options *options)
{
    return options->slower_ns > 0 ? options->slower_ns : SLOWER_NS;
}

const char *tw_latency_part_title(unsigned part)
{
    static const char *const titles[TW_SERVICE_PARTS] = {
        [TW_SERVICE_LATENCY] = "latency",       [TW_SERVICE_FIRST_BYTE] = "first byte",
        [TW_SERVICE_TRANSFER] = "transfer",     [TW_SERVICE_CONNECT] = "connect",
        [TW_SERVICE_PROCESSING] = "processing", [TW_SERVICE_WAITING] = "waiting",
        [TW_SERVICE_WHOLE] = "total",
    };

    return part < TW_SERVICE_PARTS ? titles[part] : "";
}

static double seconds(const struct tw_service *s)
{
    return s->answered && s->last_ns > s->first_ns ? (double)(s->last_ns - s->first_ns) / 1e9 : 0;
}

static double a_second(const struct tw_service *s, uint64_t n)
{
    return seconds(s) > 0 ? (double)n / seconds(s) : 0;
}

void tw_latency_summary(tw_string *to, const struct tw_service *s)
{
    tw_string_append(to, tw_plural(s->answered, "request answered", "requests answered").text);
    if (seconds(s) > 0) {
        tw_string_append_printf(
            to, " in %s, %s/s, %s/s received", tw_duration(s->last_ns - s->first_ns).text,
            tw_fixed((int64_t)(a_second(s, s->answered) * 10 + 0.5), 1, 1, true).text,
            tw_byte_size((uint64_t)(a_second(s, s->response_bytes) + 0.5)).text);
    }
    tw_string_append_printf(to, "; %s, %s in use at once",
                            tw_plural(s->connections, "connection", "connections").text,
                            tw_count(s->at_once).text);
    if (s->busy > 0) {
        tw_string_append_printf(to, "; %s under way on average, %s at most",
                                tw_fixed((int64_t)(s->busy * 100 + 0.5), 2, 2, true).text,
                                tw_count(s->busy_at_once).text);
    }
}

void tw_latency_troubles(tw_string *to, const struct tw_service *s, tcpwhy_ns slower_ns)
{
    if (s->unanswered > 0)
        tw_string_append(
            to, tw_plural(s->unanswered, "request never answered", "requests never answered").text);
    if (s->slower == 0)
        return;
    tw_string_append_printf(to, "%s%s slower than %s", s->unanswered ? "; " : "",
                            tw_plural(s->slower, "request", "requests").text,
                            tw_duration(slower_ns).text);
}

void tw_latency_json(struct tw_json *to, const struct tw_service *s)
{
    tw_json_endpoint(to, "endpoint", &s->endpoint);
    tw_json_uint(to, "connections", s->connections);
    tw_json_uint(to, "connections_at_once", s->at_once);
    tw_json_uint(to, "requests", s->requests->len);
    tw_json_uint(to, "answered", s->answered);
    tw_json_uint(to, "unanswered", s->unanswered);
    tw_json_uint(to, "slower", s->slower);
    tw_json_uint(to, "request_bytes", s->request_bytes);
    tw_json_uint(to, "response_bytes", s->response_bytes);
    tw_json_real(to, "duration_ms", seconds(s) * 1e3);
    tw_json_real(to, "requests_per_s", a_second(s, s->answered));
    tw_json_real(to, "response_bytes_per_s", a_second(s, s->response_bytes));
    tw_json_real(to, "concurrency", s->busy);
    tw_json_uint(to, "requests_at_once", s->busy_at_once);
    tw_json_bool(to, "each_opens", s->opens);
}
