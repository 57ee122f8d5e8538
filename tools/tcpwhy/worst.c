/* SPDX-License-Identifier: MIT */
/*
 * A picture of what hurts most needs to know what that is before it asks for spans and logs, which
 * are large.
 */
#include "worst.h"

#include <string.h>

#include "complain.h"
#include "document.h"

bool worst_stream(const struct args *args, const char *capture, uint32_t *stream)
{
    struct tcpwhy_options options = document_options(args);
    const struct tcpwhy_finding *finding = NULL;
    const struct tcpwhy_stream *first = NULL;
    tcpwhy_report *report;
    bool found;

    /* Standard input cannot be read twice. */
    if (strcmp(capture, "-") == 0 || tcpwhy_analyze_file(capture, &options, &report, NULL, 0) < 0)
        return false;
    if (tcpwhy_report_finding_count(report) > 0)
        finding = check_row(tcpwhy_report_finding(report, 0));
    else if (tcpwhy_report_stream_count(report) > 0)
        first = check_row(tcpwhy_report_stream(report, 0));
    found = finding || first;
    if (found)
        *stream = finding ? finding->stream : first->stream;
    tcpwhy_report_free(report);
    return found;
}
