/* SPDX-License-Identifier: MIT */
/*
 * What is to be known of a cause, or of all of them, as JSON.
 */
#include "base/counts.h"
#include "render/writers/json.h"

static void one(struct tw_json *json, const struct tcpwhy_cause_info *info)
{
    tw_json_object(json, NULL);
    tw_json_string(json, "cause", info->name);
    tw_json_string(json, "title", info->title);
    tw_json_string(json, "what", info->what);
    tw_json_string(json, "decided", info->decided);
    tw_json_string(json, "unlike", info->unlike);
    tw_json_string(json, "confirm", info->confirm);
    tw_json_string(json, "mend", info->mend);
    tw_json_end(json);
}

int tcpwhy_render_cause_json(enum tcpwhy_cause cause, tcpwhy_write_fn write, void *user)
{
    struct tw_json json;
    struct tw_writer out;

    if (cause != TCPWHY_CAUSE_ANY && !tcpwhy_cause_info(cause))
        return TCPWHY_ERR_ARGUMENT;
    tw_writer_init(&out, write, user);
    tw_json_init(&json, &out, 2);
    tw_json_object(&json, NULL);
    tw_json_string(&json, "schema", "tcpwhy/1");
    tw_json_string(&json, "command", "causes");
    tw_json_array(&json, "causes");
    for (int c = TCPWHY_CAUSE_NONE; c < TW_N_CAUSES; c++)
        if (cause == TCPWHY_CAUSE_ANY || cause == (enum tcpwhy_cause)c)
            one(&json, tcpwhy_cause_info((enum tcpwhy_cause)c));
    tw_json_end(&json);
    tw_json_end(&json);
    return tw_writer_finish(&out);
}
