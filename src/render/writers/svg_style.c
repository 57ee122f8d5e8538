/* SPDX-License-Identifier: MIT */
/*
 * The style sheet. Light is the default, for paper and for viewers that know no media queries; dark
 * comes by prefers-color-scheme. Rules begin with .tcpwhy so that a page may hold several pictures.
 */
#include "render/writers/svg.h"

static const char base[] =
    ".tcpwhy{font:12px system-ui,'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif;"
    "fill:#1f2328}\n"
    ".tcpwhy .ground{fill:#fff}\n"
    ".tcpwhy .h{font-size:16px;font-weight:600}\n"
    ".tcpwhy .b{font-weight:600}\n"
    ".tcpwhy .q{fill:#5b636b}\n"
    ".tcpwhy .m{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}\n"
    ".tcpwhy .s{font-size:11px}\n"
    ".tcpwhy .e{text-anchor:end}\n"
    ".tcpwhy .mid{text-anchor:middle}\n"
    ".tcpwhy .box{fill:#f3f5f7;stroke:#8b949e}\n"
    ".tcpwhy .rail{stroke:#8b949e;stroke-width:1.5;fill:none}\n"
    ".tcpwhy .grid{stroke:#e3e6e9;fill:none}\n"
    ".tcpwhy .a{stroke:#1f2328;stroke-width:1.5;fill:none}\n"
    ".tcpwhy .head{fill:#1f2328;stroke:none}\n"
    ".tcpwhy .quiet .a{stroke:#6e7781}\n"
    ".tcpwhy .quiet .head{fill:#6e7781}\n"
    ".tcpwhy .warn .a{stroke:#8a5a00;stroke-dasharray:2 3}\n"
    ".tcpwhy .warn .head,.tcpwhy .warn .k{fill:#8a5a00}\n"
    ".tcpwhy .bad .a{stroke:#b3101f;stroke-dasharray:7 3}\n"
    ".tcpwhy .bad .head,.tcpwhy .bad .k{fill:#b3101f}\n"
    ".tcpwhy .fold .a{stroke-width:5}\n"
    ".tcpwhy .cut{stroke:#8b949e;stroke-dasharray:3 4;fill:none}\n"
    ".tcpwhy .tint{fill-opacity:.2}\n"
    ".tcpwhy .halo{stroke:#fff;stroke-width:3;paint-order:stroke}\n"
    ".tcpwhy .k{font-weight:600}\n"
    ".tcpwhy .quiet .k{font-weight:400}\n";

static const char dark[] = ".tcpwhy{fill:#e6e9ec}\n"
                           ".tcpwhy .ground{fill:#15181c}\n"
                           ".tcpwhy .q{fill:#9aa3ac}\n"
                           ".tcpwhy .box{fill:#22272d;stroke:#6e7781}\n"
                           ".tcpwhy .rail,.tcpwhy .cut{stroke:#6e7781}\n"
                           ".tcpwhy .grid{stroke:#2b3036}\n"
                           ".tcpwhy .a{stroke:#e6e9ec}\n"
                           ".tcpwhy .head{fill:#e6e9ec}\n"
                           ".tcpwhy .quiet .a{stroke:#8b949e}\n"
                           ".tcpwhy .quiet .head{fill:#8b949e}\n"
                           ".tcpwhy .warn .a{stroke:#f0b94a}\n"
                           ".tcpwhy .warn .head,.tcpwhy .warn .k{fill:#f0b94a}\n"
                           ".tcpwhy .bad .a{stroke:#ff7b85}\n"
                           ".tcpwhy .bad .head,.tcpwhy .bad .k{fill:#ff7b85}\n"
                           ".tcpwhy .tint{fill-opacity:.28}\n"
                           ".tcpwhy .halo{stroke:#15181c}\n";

/* Curves on tinted bands: dark on light, light on dark. */
static const char curves_light[] =
    ".tcpwhy .band{fill-opacity:.2}\n"
    ".tcpwhy .curve path{fill:none;stroke:#1f2328;stroke-width:1.5}\n"
    ".tcpwhy .curve .area{fill:#0072b2;fill-opacity:.16;stroke:none}\n"
    ".tcpwhy .r-window path,.tcpwhy .r-window_edge path{stroke:#8a5a00;stroke-dasharray:6 3}\n"
    ".tcpwhy .r-flight path,.tcpwhy .r-throughput path,.tcpwhy .r-usable_window path"
    "{stroke:#0062a0;stroke-width:1.2}\n"
    ".tcpwhy .r-ack path,.tcpwhy .r-goodput path{stroke:#007a5a}\n"
    ".tcpwhy .r-sack path{stroke:#8b2f6b}\n"
    ".tcpwhy .r-rtt path{stroke:#0062a0;stroke-width:3;stroke-linecap:round}\n"
    ".tcpwhy .r-out_of_order path{stroke:#8a5a00;stroke-width:3}\n"
    ".tcpwhy .r-probe path{stroke:#8a5a00;stroke-width:3}\n"
    ".tcpwhy .r-zero_window path,.tcpwhy .r-retransmission path{stroke:#b3101f;stroke-width:3}\n"
    ".tcpwhy .r-cwnd_low path,.tcpwhy .r-cwnd_high path{stroke:#007a5a}\n"
    ".tcpwhy .r-ssthresh_low path,.tcpwhy .r-ssthresh_high path"
    "{stroke:#8b2f6b;stroke-width:1;stroke-dasharray:2 3}\n"
    ".tcpwhy .r-pipe path{stroke:#1f2328;stroke-width:1}\n"
    ".tcpwhy .r-srtt path{stroke:#007a5a}\n"
    ".tcpwhy .r-rto path{stroke:#8a5a00;stroke-dasharray:6 3}\n"
    ".tcpwhy .r-loss path{stroke:#8a5a00;stroke-width:3}\n"
    ".tcpwhy .ceiling{stroke:#1f2328;stroke-width:1.5;stroke-dasharray:10 4;fill:none}\n";

static const char curves_dark[] =
    ".tcpwhy .band{fill-opacity:.3}\n"
    ".tcpwhy .curve path{stroke:#e6e9ec}\n"
    ".tcpwhy .curve .area{fill:#56b4e9;fill-opacity:.2}\n"
    ".tcpwhy .r-window path,.tcpwhy .r-window_edge path{stroke:#f0b94a}\n"
    ".tcpwhy .r-flight path,.tcpwhy .r-throughput path,.tcpwhy .r-usable_window path,"
    ".tcpwhy .r-rtt path{stroke:#7cc8f2}\n"
    ".tcpwhy .r-ack path,.tcpwhy .r-goodput path{stroke:#3ddbab}\n"
    ".tcpwhy .r-sack path{stroke:#e69ac6}\n"
    ".tcpwhy .r-out_of_order path,.tcpwhy .r-probe path{stroke:#f0b94a}\n"
    ".tcpwhy .r-zero_window path,.tcpwhy .r-retransmission path{stroke:#ff7b85}\n"
    ".tcpwhy .r-cwnd_low path,.tcpwhy .r-cwnd_high path,.tcpwhy .r-srtt path{stroke:#3ddbab}\n"
    ".tcpwhy .r-ssthresh_low path,.tcpwhy .r-ssthresh_high path{stroke:#e69ac6}\n"
    ".tcpwhy .r-pipe path{stroke:#e6e9ec}\n"
    ".tcpwhy .r-rto path,.tcpwhy .r-loss path{stroke:#f0b94a}\n"
    ".tcpwhy .ceiling{stroke:#e6e9ec}\n";

/* Browsers print no fill colours unless this is set. */
static const char paper[] =
    "@media print{.tcpwhy{max-width:100%;height:auto;print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact}}\n";

static void colours(struct tw_writer *out, tw_cause_set causes, bool on_dark)
{
    for (unsigned c = 0; c < TW_N_CAUSES; c++) {
        struct tw_colour colour = tw_palette_cause((enum tcpwhy_cause)c);

        if (causes & tw_cause_bit((enum tcpwhy_cause)c))
            tw_writer_printf(out, ".tcpwhy .c-%s{fill:%s}\n",
                             tcpwhy_cause_info((enum tcpwhy_cause)c)->name,
                             on_dark ? colour.dark : colour.light);
    }
}

void tw_svg_style(struct tw_writer *out, tw_cause_set causes, bool curves)
{
    tw_writer_text(out, "<style>\n");
    tw_writer_text(out, base);
    if (curves)
        tw_writer_text(out, curves_light);
    colours(out, causes, false);
    tw_writer_text(out, "@media screen and (prefers-color-scheme:dark){\n");
    tw_writer_text(out, dark);
    if (curves)
        tw_writer_text(out, curves_dark);
    colours(out, causes, true);
    tw_writer_text(out, "}\n");
    tw_writer_text(out, paper);
    tw_writer_text(out, "</style>\n");
}
