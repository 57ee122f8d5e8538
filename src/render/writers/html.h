/* SPDX-License-Identifier: MIT */
/*
 * An HTML page that is one file: it asks the network for nothing, and its Content-Security-Policy
 * lets no script run but those that it was made with.
 */
#ifndef TW_RENDER_WRITERS_HTML_H
#define TW_RENDER_WRITERS_HTML_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "render/writers/html_assets.h"
#include "render/writers/palette.h"
#include "render/writers/writer.h"

/* Which style sheets and scripts a page holds; both lists end with NULL. */
struct tw_html_page {
    const char *title;
    const struct tw_asset *style[4];
    const struct tw_asset *script[4];
};

/* Of a page: tables leave nothing out. */
extern const struct tcpwhy_render_options tw_html_wide;

/* From the first byte to the opening <main>; from its end to the last byte. */
void tw_html_begin(struct tw_writer *out, const struct tw_html_page *page);
void tw_html_end(struct tw_writer *out, const struct tw_html_page *page);

/* <element class="classes">text</element>, of any text. classes NULL: none. */
void tw_html_element(struct tw_writer *out, const char *element, const char *classes,
                     const char *text);
/* <element class="classes">, to be closed by the caller. */
void tw_html_open(struct tw_writer *out, const char *element, const char *classes);

#endif
