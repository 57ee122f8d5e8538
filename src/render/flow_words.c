/* SPDX-License-Identifier: MIT */
/*
 * TCP flags and parts of a flow graph by name.
 */
#include "render/flow_words.h"

#include <string.h>

#include "dissect/dissect.h"

char *tw_flags_text(uint16_t flags, char *text)
{
    static const struct {
        uint16_t flag;
        const char *name;
    } names[] = {
        { TW_SYN, "SYN" }, { TW_FIN, "FIN" }, { TW_RST, "RST" },
        { TW_PSH, "PSH" }, { TW_ACK, "ACK" }, { TW_URG, "URG" },
        { TW_ECE, "ECE" }, { TW_CWR, "CWR" }, { TW_AE, "AE" },
    };

    text[0] = '\0';
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!(flags & names[i].flag))
            continue;
        if (text[0])
            strcat(text, ",");
        strcat(text, names[i].name);
    }
    return text[0] ? text : strcpy(text, "-");
}

const char *tw_flow_part_name(enum tw_flow_part part)
{
    switch (part) {
    case TW_FLOW_ASKED:
        return "asked";
    case TW_FLOW_EXCHANGE:
        return "exchange";
    case TW_FLOW_SPAN:
        return "span";
    case TW_FLOW_WHOLE:
        break;
    }
    return "whole";
}
