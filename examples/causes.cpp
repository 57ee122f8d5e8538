// SPDX-License-Identifier: MIT
// causes CAPTURE...: time by cause over all connections of several captures, each read by its own
// thread.
#include <algorithm>
#include <cstdio>
#include <future>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tcpwhy/tcpwhy.h>

struct FreeReport {
    void operator()(tcpwhy_report *report) const
    {
        tcpwhy_report_free(report);
    }
};
using Report = std::unique_ptr<tcpwhy_report, FreeReport>;

static Report analyze(const std::string &path)
{
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_report *report;

    if (tcpwhy_analyze_file(path.c_str(), nullptr, &report, error, sizeof error) < 0)
        throw std::runtime_error(error);
    return Report(report);
}

int main(int argc, char **argv)
{
    std::vector<std::future<Report>> reports;
    std::map<tcpwhy_cause, tcpwhy_ns> spent;

    for (int i = 1; i < argc; i++)
        reports.push_back(std::async(std::launch::async, analyze, argv[i]));
    try {
        for (auto &future : reports) {
            Report report = future.get();

            for (size_t i = 0; i < tcpwhy_report_stream_count(report.get()); i++) {
                const tcpwhy_stream *stream = tcpwhy_report_stream(report.get(), i);

                for (size_t k = 0; k < stream->n_ledger; k++)
                    spent[stream->ledger[k]->cause] += stream->ledger[k]->ns;
            }
        }
    } catch (const std::runtime_error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }

    std::vector<std::pair<tcpwhy_cause, tcpwhy_ns>> rows(spent.begin(), spent.end());

    std::sort(rows.begin(), rows.end(), [](auto &a, auto &b) { return a.second > b.second; });
    for (const auto &[cause, ns] : rows)
        std::printf("%12.1f ms  %s\n", static_cast<double>(ns) / 1e6,
                    tcpwhy_cause_info(cause)->name);
    return 0;
}
