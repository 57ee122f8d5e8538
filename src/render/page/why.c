/* SPDX-License-Identifier: MIT */
/*
 * The script lays out what the view model words. What refutes a cause is short, since each gap has
 * it of most causes: the number of the cause, and the place of the reason among the notes.
 */
#include "render/page/page.h"
#include "render/view/view.h"

/* About how many characters a gap takes; of more gaps no one looks at each, and a page is small. */
#define GAP_LENGTH 700
#define MAX_GAPS   3

static void gap(struct tw_json *json, const struct tw_weighing *w, struct tw_notes *notes)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_json_object(json, NULL);
    tw_json_ms(json, "from", w->gap.from_ns);
    tw_json_ms(json, "to", w->gap.to_ns);
    tw_why_heading(text, w);
    tw_json_string(json, "head", text->str);
    tw_json_why_rows(json, w);
    tw_json_array(json, "refuted");
    for (size_t i = 0; i < w->gap.n_hypotheses; i++) {
        if (!w->hypothesis[i].refuted)
            continue;
        tw_json_uint(json, NULL, w->hypothesis[i].cause);
        tw_json_uint(json, NULL, tw_notes_place(notes, w->hypothesis[i].refuted));
    }
    tw_json_end(json);
    tw_string_truncate(text, 0);
    tw_why_verdict(text, &w->gap);
    tw_json_string(json, "verdict", text->str);
    tw_json_end(json);
}

void tw_html_why(struct tw_json *json, const struct tw_stream_row *stream, struct tw_notes *notes,
                 size_t max_length)
{
    const struct tw_weighings *all = stream->weighings;
    size_t most = CLAMP(max_length / GAP_LENGTH, 1, MAX_GAPS);

    if (!all || all->n == 0)
        return;
    tw_json_object(json, "why");
    tw_json_array(json, "gaps");
    for (size_t i = 0; i < MIN(all->n, most); i++)
        gap(json, &all->weighing[i], notes);
    tw_json_end(json);
    tw_json_end(json);
}
