/* SPDX-License-Identifier: MIT */
/*
 * A comparison as JSON: whatever there are two of is an object of "before" and "after".
 */
#include "render/view/compare.h"
#include "render/view/view.h"

static const char *const when_names[] = { "before", "after" };

/* The unit of a measure, and its two values in it. */
static void measure(struct tw_json *json, const struct tw_comparison_verdict *v)
{
    static const char *const units[] = {
        [TCPWHY_MEASURE_P50] = "ms",     [TCPWHY_MEASURE_P90] = "ms",
        [TCPWHY_MEASURE_P99] = "ms",     [TCPWHY_MEASURE_ANSWERED] = "requests",
        [TCPWHY_MEASURE_OPENING] = "ms", [TCPWHY_MEASURE_RATE] = "bits_per_second",
        [TCPWHY_MEASURE_LOST] = "ms",    [TCPWHY_MEASURE_FAILED] = "per_million",
    };
    bool counted = v->measure == TCPWHY_MEASURE_ANSWERED || v->measure == TCPWHY_MEASURE_RATE ||
                   v->measure == TCPWHY_MEASURE_FAILED;

    tw_json_string(json, "measure", tcpwhy_measure_name(v->measure));
    tw_json_string(json, "unit", units[v->measure]);
    for (int when = 0; when < 2; when++) {
        if (v->measure == TCPWHY_MEASURE_NONE)
            tw_json_null(json, when_names[when]);
        else if (counted)
            tw_json_int(json, when_names[when], v->value[when]);
        else
            tw_json_ms(json, when_names[when], v->value[when]);
    }
}

static void verdict(struct tw_json *json, const tcpwhy_comparison *comparison)
{
    const struct tw_comparison_verdict *v = tw_comparison_verdict(comparison);
    const struct tcpwhy_endpoint none = { 0 };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_compare_sentence(text, comparison);
    tw_json_object(json, "verdict");
    tw_json_string(json, "sentence", text->str);
    tw_json_string(json, "change", tcpwhy_change_name(v->change));
    tw_json_bool(json, "same_capture", v->same_capture);
    measure(json, v);
    tw_json_endpoint(json, "listener", v->listener ? &v->listener->endpoint[TCPWHY_AFTER] : &none);
    tw_json_array(json, "causes");
    for (int i = 0; i < 2 && v->causes[i]; i++)
        tw_json_string(json, NULL, tcpwhy_cause_info(v->causes[i]->cause)->name);
    tw_json_end(json);
    tw_json_string(json, "opening", v->opening ? tcpwhy_cause_info(v->opening->cause)->name : NULL);
    tw_json_string(json, "but", v->but ? tcpwhy_cause_info(v->but->cause)->name : NULL);
    tw_json_uint(json, "listeners_better", v->better);
    tw_json_uint(json, "listeners_worse", v->worse);
    tw_json_end(json);
}

static void unfair(struct tw_json *json, const tcpwhy_comparison *comparison)
{
    size_t n;
    const struct tcpwhy_unfair *u = tw_comparison_unfair(comparison, &n);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_json_array(json, "unfair");
    for (size_t i = 0; i < n; i++) {
        tw_string_truncate(text, 0);
        tw_compare_doubt(text, comparison, &u[i]);
        tw_json_object(json, NULL);
        tw_json_string(json, "fact", u[i].fact);
        tw_json_string(json, "detail", u[i].detail[0] ? u[i].detail : NULL);
        tw_json_string(json, "text", text->str);
        for (int when = 0; when < 2; when++)
            tw_json_real(json, when_names[when], u[i].value[when]);
        tw_json_end(json);
    }
    tw_json_end(json);
}

void tw_compare_json(const struct tw_request *request, struct tw_json *json)
{
    const tcpwhy_comparison *comparison = request->options.comparison;
    size_t n;
    const struct tw_listener_change *l = tw_comparison_listeners(comparison, &n);

    for (int when = 0; when < 2; when++)
        tw_json_capture(
            json, when_names[when],
            tw_report_capture(tcpwhy_comparison_report(comparison, (enum tcpwhy_when)when)));
    verdict(json, comparison);
    unfair(json, comparison);
    tw_compare_listener_json(json, "whole", tw_comparison_whole(comparison));
    tw_json_array(json, "listeners");
    for (size_t i = 0; i < n; i++)
        tw_compare_listener_json(json, NULL, &l[i]);
    tw_json_end(json);
}
