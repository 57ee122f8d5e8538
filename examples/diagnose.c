/* SPDX-License-Identifier: MIT */
/* diagnose CAPTURE: print the findings, costliest first. */
#include <stdio.h>

#include <tcpwhy/tcpwhy.h>

int main(int argc, char **argv)
{
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_report *report;
    const struct tcpwhy_finding *finding;

    if (argc != 2)
        return fprintf(stderr, "usage: %s CAPTURE\n", argv[0]), 2;
    if (tcpwhy_analyze_file(argv[1], NULL, &report, error, sizeof error) < 0)
        return fprintf(stderr, "%s\n", error), 1;

    for (size_t i = 0; (finding = tcpwhy_report_finding(report, i)); i++)
        printf("%.1f ms %s (%s): %s %s\n", (double)finding->cost_ns / 1e6,
               tcpwhy_cause_info(finding->cause)->name, tcpwhy_confidence_name(finding->confidence),
               finding->summary, finding->remedy);
    printf("verdict: %s\n", tcpwhy_cause_info(tcpwhy_report_verdict(report)->cause)->name);
    tcpwhy_report_free(report);
    return 0;
}
