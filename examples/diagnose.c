/* SPDX-License-Identifier: MIT */
/* diagnose CAPTURE: print the findings, costliest first. */
#include <stdio.h>

#include <tcpwhy/tcpwhy.h>

int main(int argc, char **argv)
{
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_report *report;
    size_t n;

    if (argc != 2)
        return fprintf(stderr, "usage: %s CAPTURE\n", argv[0]), 2;
    if (tcpwhy_analyze_file(argv[1], NULL, &report, error) < 0)
        return fprintf(stderr, "%s\n", error), 1;

    const struct tcpwhy_finding *finding = tcpwhy_report_findings(report, &n);

    for (size_t i = 0; i < n; i++)
        printf("%.1f ms %s (%s): %s %s\n", (double)finding[i].cost_ns / 1e6,
               tcpwhy_cause_info(finding[i].cause)->name,
               tcpwhy_confidence_name(finding[i].confidence), finding[i].summary,
               finding[i].remedy);
    printf("verdict: %s\n", tcpwhy_cause_info(tcpwhy_report_verdict(report)->cause)->name);
    tcpwhy_report_free(report);
    return 0;
}
