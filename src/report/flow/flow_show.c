/* SPDX-License-Identifier: MIT */
#include "report/flow/flow_show.h"

#include "dissect/dissect.h"

static bool is_control(const struct tw_record *r)
{
    return r->flags & (TW_SYN | TW_FIN | TW_RST);
}

static bool is_repair(const struct tw_record *r)
{
    switch (r->frame_class) {
    case TCPWHY_CLASS_RETRANSMISSION:
    case TCPWHY_CLASS_OUT_OF_ORDER:
    case TCPWHY_CLASS_DUPLICATE_ACK:
    case TCPWHY_CLASS_WINDOW_PROBE:
    case TCPWHY_CLASS_WINDOW_PROBE_ACK:
        return true;
    default:
        return false;
    }
}

static bool is_of_kind(const struct tw_record *r, enum tcpwhy_flow_only only)
{
    switch (only) {
    case TCPWHY_FLOW_DATA:
        return r->len > 0;
    case TCPWHY_FLOW_REPAIR:
        return is_repair(r);
    case TCPWHY_FLOW_CONTROL:
        return is_control(r);
    case TCPWHY_FLOW_ACKS:
        return r->len == 0;
    default:
        return true;
    }
}

static bool is_listed(uint32_t frame, const struct tcpwhy_flow_options *o)
{
    size_t low = 0, high = o->n_show;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (o->show[middle] == frame)
            return true;
        if (o->show[middle] < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool tw_flow_shows(const struct tw_record *r, const struct tcpwhy_flow_options *o)
{
    if (o->no_acks && r->len == 0 && !is_control(r))
        return false;
    return is_of_kind(r, o->only) && (!o->show || is_listed(r->frame, o));
}
