/* SPDX-License-Identifier: MIT */
/* The public views of a report, and its end. */
#include "report/report.h"

const struct tcpwhy_capture *tcpwhy_report_capture(const tcpwhy_report *report)
{
    return &report->capture;
}

const struct tcpwhy_verdict *tcpwhy_report_verdict(const tcpwhy_report *report)
{
    return &report->verdict;
}

const struct tcpwhy_finding *tcpwhy_report_findings(const tcpwhy_report *report, size_t *n)
{
    *n = report->findings->len;
    return (const struct tcpwhy_finding *)(const void *)report->findings->data;
}

const struct tcpwhy_stream *tcpwhy_report_streams(const tcpwhy_report *report, size_t *n)
{
    *n = report->streams->len;
    return (const struct tcpwhy_stream *)(const void *)report->streams->data;
}

const struct tcpwhy_listener *tcpwhy_report_listeners(const tcpwhy_report *report, size_t *n)
{
    *n = report->listeners->len;
    return (const struct tcpwhy_listener *)(const void *)report->listeners->data;
}

const struct tcpwhy_percentiles *tcpwhy_report_latency(const tcpwhy_report *report)
{
    return &report->latency;
}

void tcpwhy_report_free(tcpwhy_report *report)
{
    if (!report)
        return;
    g_array_free(report->findings, TRUE);
    g_array_free(report->streams, TRUE);
    g_array_free(report->listeners, TRUE);
    g_ptr_array_free(report->logs, TRUE);
    g_ptr_array_free(report->blocks, TRUE);
    g_string_chunk_free(report->texts);
    g_free(report);
}
