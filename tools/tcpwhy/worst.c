/* SPDX-License-Identifier: MIT */
/*
 * A picture of what hurts most needs to know what that is before it asks for spans and logs, which
 * are large.
 */
#include "worst.h"

#include <string.h>

#include "document.h"

bool worst_stream(const struct args *args, const char *capture, uint32_t *stream)
{
    struct tcpwhy_options options = document_options(args);
    const struct tcpwhy_finding *finding;
    const struct tcpwhy_stream *first;
    size_t n_findings, n_streams;
    tcpwhy_report *report;

    /* Standard input cannot be read twice. */
    if (strcmp(capture, "-") == 0 || tcpwhy_analyze_file(capture, &options, &report, NULL) < 0)
        return false;
    finding = tcpwhy_report_findings(report, &n_findings);
    first = tcpwhy_report_streams(report, &n_streams);
    if (n_findings > 0)
        *stream = finding->stream;
    else if (n_streams > 0)
        *stream = first->stream;
    tcpwhy_report_free(report);
    return n_findings > 0 || n_streams > 0;
}
