/* SPDX-License-Identifier: MIT */
/*
 * What is to be known of a cause, for people; or all of them in a line each.
 */
#include "base/counts.h"
#include "render/writers/terminal_layout.h"

#define NAME_WIDTH 28

static void brief(struct tw_layout *page)
{
    for (int c = TCPWHY_CAUSE_NONE + 1; c < TW_N_CAUSES; c++) {
        const struct tcpwhy_cause_info *info = tcpwhy_cause_info((enum tcpwhy_cause)c);

        tw_layout_put(page, TW_TONE_STRONG, info->name);
        tw_layout_tab(page, NAME_WIDTH);
        tw_layout_paragraph(page, NAME_WIDTH, TW_TONE_PLAIN, info->title);
    }
}

/* A line of the text is a paragraph, an item of a list, or empty. */
static void part(struct tw_layout *page, const char *heading, const char *text)
{
    char **line = g_strsplit(text, "\n", -1);

    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, heading);
    for (size_t i = 0; line[i]; i++) {
        tw_layout_tab(page, 2);
        tw_layout_paragraph(page, g_str_has_prefix(line[i], "- ") ? 4 : 2, TW_TONE_PLAIN, line[i]);
    }
    g_strfreev(line);
}

static void full(struct tw_layout *page, const struct tcpwhy_cause_info *info)
{
    tw_layout_putf(page, TW_TONE_STRONG, "%s: ", info->name);
    tw_layout_paragraph(page, 2, TW_TONE_PLAIN, info->title);
    part(page, "What it is", info->what);
    part(page, "How it is decided", info->decided);
    part(page, "What looks like it and is not", info->unlike);
    part(page, "How to confirm it on the host", info->confirm);
    part(page, "How to fix it", info->mend);
}

int tcpwhy_render_cause_text(enum tcpwhy_cause cause, const struct tcpwhy_style *style,
                             tcpwhy_write_fn write, void *user)
{
    const struct tcpwhy_cause_info *info = tcpwhy_cause_info(cause);
    struct tw_layout page;
    struct tw_writer out;

    tw_writer_init(&out, write, user);
    if ((!info && cause != TCPWHY_CAUSE_ANY) || !tw_layout_init(&page, &out, style))
        return TCPWHY_ERR_ARGUMENT;
    if (info)
        full(&page, info);
    else
        brief(&page);
    return tw_writer_finish(&out);
}
