/* SPDX-License-Identifier: MIT */
#include "report/findings/connection_findings.h"

#include "base/array.h"
#include "base/text.h"
#include "report/findings/advice.h"
#include "report/findings/findings.h"

struct tw_connection_findings {
    struct tw_gathering *gathering;
    struct tcpwhy_report report; /* findings and verdict only */
    struct tw_explainer explainer;
};

struct tw_connection_findings *tw_connection_findings_new(bool for_verdict)
{
    struct tw_connection_findings *per_connection = tw_new0(struct tw_connection_findings, 1);

    per_connection->gathering = tw_gathering_new_alone(for_verdict);
    per_connection->report.findings = tw_array_new(FALSE, FALSE, sizeof(struct tw_finding_row));
    if (!for_verdict)
        per_connection->report.texts = tw_string_chunk_new(256);
    per_connection->report.blocks = tw_ptr_array_new_with_free_func(tw_free);
    return per_connection;
}

void tw_connection_findings_free(struct tw_connection_findings *per_connection)
{
    tw_gathering_free(per_connection->gathering);
    tw_array_free(per_connection->report.findings, TRUE);
    if (per_connection->report.texts)
        tw_string_chunk_free(per_connection->report.texts);
    tw_ptr_array_free(per_connection->report.blocks, TRUE);
    tw_scratch_clear(&per_connection->explainer.scratch);
    tw_free(per_connection);
}

struct tw_explainer *tw_connection_findings_explainer(struct tw_connection_findings *per_connection)
{
    return &per_connection->explainer;
}

const struct tcpwhy_report *
tw_connection_findings_judge(struct tw_connection_findings *per_connection,
                             const struct tw_stream_row *stream, const struct tw_log *log,
                             const struct tw_weight *weight)
{
    struct tcpwhy_report *report = &per_connection->report;

    tw_gathering_reset(per_connection->gathering);
    if (report->findings->len > 0) {
        tw_array_set_size(report->findings, 0);
        tw_ptr_array_set_size(report->blocks, 0);
        if (report->texts)
            tw_string_chunk_clear(report->texts);
    }
    tw_gathering_add(per_connection->gathering, stream, log, weight, 0);
    tw_gathering_close(per_connection->gathering, NULL, report);
    tw_advise_all(report, 0);
    return report;
}
