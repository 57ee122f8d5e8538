/* SPDX-License-Identifier: MIT */
#include "report/connection_findings.h"

#include "report/findings.h"

struct tw_connection_findings {
    struct tw_gathering *gathering;
    struct tcpwhy_report report; /* findings and verdict only */
    struct tw_explainer explainer;
};

struct tw_connection_findings *tw_connection_findings_new(bool for_verdict)
{
    struct tw_connection_findings *alone = g_new0(struct tw_connection_findings, 1);

    alone->gathering = tw_gathering_new_alone(for_verdict);
    alone->report.findings = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_finding));
    if (!for_verdict)
        alone->report.texts = g_string_chunk_new(256);
    alone->report.blocks = g_ptr_array_new_with_free_func(g_free);
    return alone;
}

void tw_connection_findings_free(struct tw_connection_findings *alone)
{
    tw_gathering_free(alone->gathering);
    g_array_free(alone->report.findings, TRUE);
    if (alone->report.texts)
        g_string_chunk_free(alone->report.texts);
    g_ptr_array_free(alone->report.blocks, TRUE);
    tw_scratch_clear(&alone->explainer.scratch);
    g_free(alone);
}

struct tw_explainer *tw_connection_findings_explainer(struct tw_connection_findings *alone)
{
    return &alone->explainer;
}

const struct tcpwhy_report *tw_connection_findings_judge(struct tw_connection_findings *alone,
                                                         const struct tcpwhy_stream *stream,
                                                         const struct tw_log *log,
                                                         const struct tw_weight *weight)
{
    struct tcpwhy_report *report = &alone->report;

    tw_gathering_reset(alone->gathering);
    if (report->findings->len > 0) {
        g_array_set_size(report->findings, 0);
        g_ptr_array_set_size(report->blocks, 0);
        if (report->texts)
            g_string_chunk_clear(report->texts);
    }
    tw_gathering_add(alone->gathering, stream, log, weight, 0);
    tw_gathering_close(alone->gathering, NULL, report);
    return report;
}
