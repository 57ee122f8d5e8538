/* SPDX-License-Identifier: MIT */
#include "render/view/har.h"

#include <string.h>
#include <time.h>

#include <tcpwhy/version.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "report/figures/phases.h"

#define HTTPS_PORT 443
#define HTTP_PORT  80

static bool is_http(const struct tw_phases *p)
{
    return strcmp(p->e.protocol, "http") == 0 || strcmp(p->e.protocol, "http2") == 0 ||
           strcmp(p->e.protocol, "grpc") == 0;
}

/* "2026-11-27T23:43:06.123456Z" */
static void put_time(struct tw_json *json, const char *key, int64_t utc_ns)
{
    time_t seconds = (time_t)(utc_ns / TCPWHY_S(1));
    char text[64], day[32];
    struct tm tm;

    if (utc_ns < 0 || !gmtime_r(&seconds, &tm)) {
        tw_json_string(json, key, "1970-01-01T00:00:00.000000Z");
        return;
    }
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm);
    g_snprintf(text, sizeof text, "%s.%06dZ", day, (int)(utc_ns % TCPWHY_S(1) / 1000));
    tw_json_string(json, key, text);
}

static void put_url(struct tw_json *json, const struct tw_phases *p)
{
    const char *path = strchr(p->e.request, ' ');
    tw_string *url = tw_string_new(p->tls ? "https://" : "http://");

    if (p->host)
        tw_string_append(url, p->host);
    else
        tw_string_append_printf(url, p->server.version == 6 ? "[%s]" : "%s",
                                tw_host(&p->server).text);
    if (p->server.port != (p->tls ? HTTPS_PORT : HTTP_PORT))
        tw_string_append_printf(url, ":%u", p->server.port);
    tw_string_append(url, path && path[1] == '/' ? path + 1 : "/");
    tw_json_string(json, "url", url->str);
    tw_string_free(url, TRUE);
}

static void put_empty(struct tw_json *json, const char *key)
{
    tw_json_array(json, key);
    tw_json_end(json);
}

static const char *version(const struct tw_phases *p)
{
    return strcmp(p->e.protocol, "http") == 0 ? "HTTP/1.1" : "HTTP/2.0";
}

static void put_request(struct tw_json *json, const struct tw_phases *p)
{
    const char *space = strchr(p->e.request, ' ');
    tw_autofree char *method =
        tw_strndup(p->e.request, space ? (size_t)(space - p->e.request) : strlen(p->e.request));

    tw_json_object(json, "request");
    tw_json_string(json, "method", method);
    put_url(json, p);
    tw_json_string(json, "httpVersion", version(p));
    put_empty(json, "cookies");
    put_empty(json, "headers");
    put_empty(json, "queryString");
    tw_json_int(json, "headersSize", -1);
    tw_json_int(json, "bodySize", -1);
    tw_json_end(json);
}

static void put_response(struct tw_json *json, const struct tw_phases *p)
{
    tw_json_object(json, "response");
    tw_json_uint(json, "status", p->e.status);
    tw_json_string(json, "statusText", "");
    tw_json_string(json, "httpVersion", version(p));
    put_empty(json, "cookies");
    put_empty(json, "headers");
    tw_json_object(json, "content");
    tw_json_uint(json, "size", p->e.response_bytes);
    tw_json_string(json, "mimeType", "");
    tw_json_string(json, "comment", "size: with headers, as on the wire");
    tw_json_end(json);
    tw_json_string(json, "redirectURL", "");
    tw_json_int(json, "headersSize", -1);
    tw_json_int(json, "bodySize", -1);
    tw_json_end(json);
}

static tcpwhy_ns known(tcpwhy_ns ns)
{
    return ns == TCPWHY_NS_UNKNOWN ? 0 : ns;
}

static void put_timing(struct tw_json *json, const char *key, tcpwhy_ns ns)
{
    if (ns == TCPWHY_NS_UNKNOWN)
        tw_json_int(json, key, -1);
    else
        tw_json_ms(json, key, ns);
}

/* The sum of these is the time of the entry; "connect" has that of TLS in it. What lies between is
 * the client's own: blocked. */
static tcpwhy_ns sum_of(const struct tw_phases *p)
{
    tcpwhy_ns sum = 0;

    for (int i = 0; i < TW_LIFE_PHASES; i++)
        sum += known(p->ns[i]);
    return sum;
}

static tcpwhy_ns whole_of(const struct tw_phases *p)
{
    return MAX(known(p->total_ns), sum_of(p));
}

static void put_timings(struct tw_json *json, const struct tw_phases *p)
{
    tcpwhy_ns connect = p->ns[TW_LIFE_CONNECT], blocked = whole_of(p) - sum_of(p);

    if (connect != TCPWHY_NS_UNKNOWN)
        connect += known(p->ns[TW_LIFE_TLS]);
    else
        connect = p->ns[TW_LIFE_TLS];
    tw_json_object(json, "timings");
    put_timing(json, "blocked", blocked > 0 ? blocked : TCPWHY_NS_UNKNOWN);
    put_timing(json, "dns", p->ns[TW_LIFE_NAME]);
    put_timing(json, "connect", connect);
    put_timing(json, "ssl", p->ns[TW_LIFE_TLS]);
    /* These three are required. */
    tw_json_ms(json, "send", known(p->ns[TW_LIFE_SEND]));
    tw_json_ms(json, "wait", known(p->ns[TW_LIFE_WAIT]));
    tw_json_ms(json, "receive", known(p->ns[TW_LIFE_RECEIVE]));
    tw_json_end(json);
}

static void put_entry(struct tw_json *json, const struct tw_phases *p, int64_t first_ns)
{
    tw_json_object(json, NULL);
    put_time(json, "startedDateTime", first_ns + p->start_ns);
    tw_json_ms(json, "time", whole_of(p));
    put_request(json, p);
    put_response(json, p);
    tw_json_object(json, "cache");
    tw_json_end(json);
    put_timings(json, p);
    tw_json_string(json, "serverIPAddress", tw_host(&p->server).text);
    tw_json_string(json, "connection", tw_plain(p->stream).text);
    tw_json_end(json);
}

/* A HAR holds requests of HTTP; it says how many others the capture has. */
static void put_left_out(struct tw_json *json, guint n)
{
    tw_autofree char *comment = NULL;

    if (n == 0)
        return;
    comment = tw_strdup_printf("%u %s left out: an HTTP Archive holds HTTP alone", n,
                               n == 1 ? "request of another protocol is"
                                      : "requests of other protocols are");
    tw_json_string(json, "comment", comment);
}

void tw_har(const struct tw_request *request, struct tw_writer *out)
{
    int64_t first_ns = tw_report_capture(request->report)->first_ns;
    tw_array *rows = tw_phases_of(request->report, &request->options);
    guint left_out = 0;
    struct tw_json json;

    tw_json_init(&json, out, 3);
    tw_json_object(&json, NULL);
    tw_json_object(&json, "log");
    tw_json_string(&json, "version", "1.2");
    tw_json_object(&json, "creator");
    tw_json_string(&json, "name", "tcpwhy");
    tw_json_string(&json, "version", TCPWHY_VERSION);
    tw_json_end(&json);
    tw_json_array(&json, "entries");
    for (guint i = 0; i < rows->len && !out->stopped; i++) {
        const struct tw_phases *p = &tw_array_index(rows, struct tw_phases, i);

        if (!is_http(p))
            left_out++;
        else if (p->e.start_ns != TCPWHY_NS_UNKNOWN)
            put_entry(&json, p, first_ns == TCPWHY_NS_UNKNOWN ? 0 : first_ns);
    }
    tw_json_end(&json);
    put_left_out(&json, left_out);
    tw_json_end(&json);
    tw_json_end(&json);
    tw_array_free(rows, TRUE);
}
