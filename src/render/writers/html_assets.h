/* SPDX-License-Identifier: MIT */
/*
 * What every page holds: style sheets and scripts, as tools/embed.py made them of the files in
 * report/ and vendor/ (see meson.build).
 */
#ifndef TW_RENDER_WRITERS_HTML_ASSETS_H
#define TW_RENDER_WRITERS_HTML_ASSETS_H

#include <stddef.h>

struct tw_asset {
    const unsigned char *bytes;
    size_t len;
    const char *hash; /* "sha256-..." as a Content-Security-Policy names it */
};

extern const struct tw_asset tw_asset_style;        /* of all pages */
extern const struct tw_asset tw_asset_chart_style;  /* uPlot's */
extern const struct tw_asset tw_asset_chart_script; /* uPlot */
extern const struct tw_asset tw_asset_script;       /* of a report's page */

#endif
