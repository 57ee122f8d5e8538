/* SPDX-License-Identifier: MIT */
/*
 * Failures: how many of a sort, the first of them in full, the frames and clues that prove it, the
 * fix; laid out once for text, HTML and JSON.
 */
#include "base/failures.h"
#include "render/view/view.h"

static const char *seen_as(enum tcpwhy_seen_as how)
{
    switch (how) {
    case TCPWHY_SEEN_RESET:
        return "connection reset by peer (ECONNRESET)";
    case TCPWHY_SEEN_TIMEOUT:
        return "timeout";
    case TCPWHY_SEEN_REFUSED:
        return "connection refused (ECONNREFUSED)";
    case TCPWHY_SEEN_UNREACHABLE:
        return "no route to host (EHOSTUNREACH)";
    case TCPWHY_SEEN_END_OF_FILE:
        return "unexpected end of file; behind a proxy 502";
    case TCPWHY_SEEN_SHORT_READ:
        return "short read: fewer bytes than announced";
    case TCPWHY_SEEN_NO_ADDRESS:
        return "cannot assign requested address (EADDRNOTAVAIL); behind a proxy 502";
    case TCPWHY_SEEN_TRY_AGAIN:
        return "temporary failure in name resolution (EAI_AGAIN)";
    case TCPWHY_SEEN_HTTP2_ERROR:
        return "HTTP/2 error (curl 92, gRPC INTERNAL or UNAVAILABLE); behind a proxy 502";
    case TCPWHY_SEEN_TLS_ALERT:
        return "a TLS error that names the alert";
    case TCPWHY_SEEN_TLS_ERROR:
        return "a TLS error (wrong version number, certificate verify failed)";
    case TCPWHY_SEEN_SERVER_ERROR:
        return "an error of the server, in these words";
    case TCPWHY_SEEN_DELAY:
        break;
    }
    return "a delay";
}

/* ---- the fields ------------------------------------------------------------------------------ */

static bool frames(const void *record, struct tw_frames *frames, tw_string *behind)
{
    const struct tw_failure_row *f = record;

    (void)behind;
    *frames = (struct tw_frames) { f->stream, f->frames, f->n_frames };
    return f->n_frames > 0;
}

static void seen_as_words(tw_string *text, const void *record)
{
    tw_string_append(text, seen_as(((const struct tw_failure_row *)record)->seen_as));
}

static void clue_words(tw_string *text, const void *record)
{
    const struct tw_failure_row *f = record;

    for (size_t i = 0; i < f->n_clues; i++)
        tw_string_append_printf(text, "%s%s", i > 0 ? "; " : "", f->clues[i].text);
}

static void clues(struct tw_json *json, const void *record)
{
    const struct tw_failure_row *f = record;

    tw_json_array(json, "clues");
    for (size_t i = 0; i < f->n_clues; i++) {
        tw_json_object(json, NULL);
        tw_json_string(json, "name", f->clues[i].name);
        tw_json_string(json, "text", f->clues[i].text);
        tw_json_end(json);
    }
    tw_json_end(json);
}

#define OF(member) TW_AT(struct tw_failure_row, member)
static const struct tw_field fields[] = {
    { "kind", TW_NAME, OF(kind), .name = tw_name_failure },
    { "failed", TW_NAME, OF(failed), .name = tw_name_failed },
    { "stream", TW_STREAM, OF(stream) },
    { "client", TW_ENDPOINT, OF(client) },
    { "server", TW_ENDPOINT, OF(server) },
    { "server_name", TW_TEXT, OF(server_name) },
    { "time_ms", TW_MS, OF(time_ns) },
    { "after_ms", TW_MS, OF(after_ns) },
    { "who", TW_NAME, OF(who), .name = tw_name_culprit },
    { "seen_as", TW_NAME, OF(seen_as), .name = tw_name_seen_as, .label = "seen as",
      .words = seen_as_words, .column = 2 },
    { "confidence", TW_NAME, OF(confidence), .name = tw_name_confidence },
    { "frames", TW_FRAMES, .frames = frames, .label = "frames", .column = 3 },
    { .kind = TW_CALL, .json = clues, .label = "clues", .words = clue_words, .column = 4 },
    { "summary", TW_TEXT, OF(summary), .label = "", .column = 1 },
    { "remedy", TW_TEXT, OF(remedy), .label = "fix", .tone = TW_TONE_NOTE, .column = 5 },
    TW_FIELDS_END,
};
#undef OF

void tw_json_failures(struct tw_json *json, const struct tw_request *request)
{
    size_t n;
    const struct tw_failure_row *f = tw_report_failures(request->report, &n);
    size_t shown = tw_request_rows(request, n);

    tw_json_records(json, "failures", fields, f, shown, sizeof(*f));
    tw_json_left_out(json, "failures_left_out", n - shown);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void title_of(tw_string *to, const struct tw_failure_row *f)
{
    const char *title = tcpwhy_failure_info(f->kind)->title;

    tw_string_append_printf(to, "%c%s", g_ascii_toupper(title[0]), title + 1);
}

static void item(struct tw_item *item, const void *record)
{
    const struct tw_failure_row *f = record;

    item->mark = "!";
    title_of(item->title, f);
    if (f->stream != TCPWHY_NO_STREAM)
        item->whose = tw_culprit_words(f->who)->label;
    tw_string_append(item->holder, tw_culprit_words(f->who)->label);
    if (f->of_sort > 1)
        tw_string_append_printf(item->cost, "%s times", tw_count(f->of_sort).text);
    else
        tw_string_append(item->cost, "once");
    item->confidence = f->confidence;
    item->tone = TW_TONE_BAD;
    item->streams = 1;
    frames(f, &item->frames, NULL);
}

/* Findings report SYNs that were refused or not answered, with their time; but not that one came
 * back to its own host. */
static bool is_told(const tcpwhy_report *report, const struct tw_failure_row *f)
{
    size_t n;
    const struct tw_finding_row *finding = tw_report_findings(report, &n);
    enum tcpwhy_cause cause = TCPWHY_CONNECT_RETRY;

    if (f->kind == TCPWHY_FAILURE_CONNECT_REFUSED)
        cause = TCPWHY_CONNECT_REFUSED;
    else if (f->kind != TCPWHY_FAILURE_CONNECT_TIMEOUT || f->who == TCPWHY_BY_BOX)
        return false;
    for (size_t i = 0; i < n; i++)
        if (finding[i].cause == cause)
            return true;
    return false;
}

void tw_failures(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report)
{
    struct tw_list list = { .form = form,
                            .page = page,
                            .title = "Failures",
                            .small = "Further failures",
                            .more = "further sorts",
                            .fields = fields,
                            .item = item };
    size_t n;
    const struct tw_failure_row *f = tw_report_failures(report, &n);

    for (size_t i = 0; i < n; i += f[i].of_sort)
        if (!is_told(report, &f[i]))
            tw_list_put(&list, &f[i], false);
    tw_list_end(&list);
}

bool tw_failure_sentence(tw_string *to, const tcpwhy_report *report)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    size_t n;
    const struct tw_failure_row *f = tw_report_failures(report, &n);

    if (n == 0 || is_told(report, f))
        return false;
    title_of(to, f);
    if (f->stream != TCPWHY_NO_STREAM)
        tw_string_append_printf(to, " (%s)", tw_culprit_words(f->who)->label);
    if (f->kind == TCPWHY_FAILURE_PORTS_USED_UP || f->stream == TCPWHY_NO_STREAM) {
        tw_string_append_printf(to, ": %s", f->summary);
        return true;
    }
    tw_string_append_printf(to, " %s %s of %s connection%s to ",
                            f->in_all_ns > 0 ? "delayed" : "broke", tw_count(f->of_sort).text,
                            tw_count(tw_report_capture(report)->streams).text,
                            tw_report_capture(report)->streams == 1 ? "" : "s");
    tw_text_holder(to, &f->server, f->server_name, TCPWHY_PARTY_NONE);
    if (f->in_all_ns > 0)
        tw_string_append_printf(to, " by %s", tw_duration(f->in_all_ns).text);
    if (f->in_all_ns > 0 && f->of_sort > 1)
        tw_string_append(to, " in all");
    if (v->failures > f->of_sort)
        tw_string_append_printf(to, "; %s failed otherwise",
                                tw_count(v->failures - f->of_sort).text);
    tw_string_append(to, ".");
    return true;
}
