/* SPDX-License-Identifier: MIT */
/*
 * The head with its policy, the colours of the causes, and elements.
 */
#include "render/writers/html.h"

#include <tcpwhy/version.h>

#include "base/counts.h"
#include "render/writers/palette.h"
#include "render/writers/terminal_layout.h"

const struct tcpwhy_render_options tw_html_wide = { .columns = TW_LAYOUT_MAX_COLUMNS };

void tw_html_open(struct tw_writer *out, const char *element, const char *classes)
{
    if (classes)
        tw_writer_printf(out, "<%s class=\"%s\">", element, classes);
    else
        tw_writer_printf(out, "<%s>", element);
}

void tw_html_element(struct tw_writer *out, const char *element, const char *classes,
                     const char *text)
{
    tw_html_open(out, element, classes);
    tw_writer_escaped(out, text);
    tw_writer_printf(out, "</%s>", element);
}

static void embed(struct tw_writer *out, const char *element, const struct tw_asset *asset)
{
    tw_writer_printf(out, "<%s>", element);
    tw_writer_bytes(out, (const char *)asset->bytes, asset->len);
    tw_writer_printf(out, "</%s>\n", element);
}

/*
 * Nothing is fetched, and only the built-in scripts run, by their hashes. Inline styles cannot
 * reach the network. The icon keeps browsers from requesting one.
 */
static void policy(struct tw_writer *out, const struct tw_html_page *page)
{
    tw_writer_text(out,
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
                   "form-action 'none'; script-src");
    if (!page->script[0])
        tw_writer_text(out, " 'none'");
    for (size_t i = 0; page->script[i]; i++)
        tw_writer_printf(out, " '%s'", page->script[i]->hash);
    tw_writer_text(out, "\">\n<link rel=\"icon\" href=\"data:,\">\n");
}

static void colours(struct tw_writer *out, bool dark)
{
    for (unsigned c = 0; c < TW_N_CAUSES; c++) {
        struct tw_colour colour = tw_palette_cause((enum tcpwhy_cause)c);

        tw_writer_printf(out, ".c-%s{--c:%s}\n", tcpwhy_cause_info((enum tcpwhy_cause)c)->name,
                         dark ? colour.dark : colour.light);
    }
}

void tw_html_begin(struct tw_writer *out, const struct tw_html_page *page)
{
    tw_writer_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    policy(out, page);
    tw_writer_text(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n"
                        "<meta name=\"referrer\" content=\"no-referrer\">\n");
    tw_writer_printf(out, "<meta name=\"generator\" content=\"tcpwhy %s\">\n", TCPWHY_VERSION);
    tw_html_element(out, "title", NULL, page->title);
    tw_writer_text(out, "\n");
    for (size_t i = 0; page->style[i]; i++)
        embed(out, "style", page->style[i]);
    tw_writer_text(out, "<style>\n");
    colours(out, false);
    tw_writer_text(out, "@media screen and (prefers-color-scheme:dark){\n");
    colours(out, true);
    tw_writer_text(out, "}\n</style>\n</head>\n<body>\n<main>\n");
}

void tw_html_end(struct tw_writer *out, const struct tw_html_page *page)
{
    tw_writer_text(out, "</main>\n<footer>");
    tw_writer_printf(out,
                     "Made by tcpwhy %s. Every moment of a connection has exactly one cause, so "
                     "the times add up to its duration. Frame numbers are those of Wireshark.",
                     TCPWHY_VERSION);
    tw_writer_text(out, "</footer>\n");
    for (size_t i = 0; page->script[i]; i++)
        embed(out, "script", page->script[i]);
    tw_writer_text(out, "</body>\n</html>\n");
}
