/* SPDX-License-Identifier: MIT */
#include "explain/attribute/detail_kinds.h"

const char tw_kind_unanswered[] = "unanswered";
const char tw_kind_outage[] = "outage";
const char tw_kind_arrived[] = "arrived";
const char tw_kind_one_host[] = "one host";
const char tw_kind_policer[] = "policer";
const char tw_kind_merged[] = "merged";
const char tw_kind_offload[] = "offload";
const char tw_kind_marked[] = "marked";
const char tw_kind_spread[] = "spread";
const char tw_kind_slow_reader[] = "slow reader";
const char tw_kind_shared[] = "shared";
const char tw_kind_behind[] = "behind others";
const char tw_kind_own[] = "own host";
const char tw_kind_late[] = "late answers";
const char tw_kind_greeting[] = "greeting";
const char tw_kind_tarpit[] = "tarpit";
const char tw_kind_gateway[] = "gateway timeout";
const char tw_kind_events[] = "events at once";
const char tw_kind_handshake[] = "TLS handshake";
const char tw_kind_rest[] = "rest of a request";
const char tw_kind_proxy[] = "proxy";
const char tw_kind_unscaled[] = "window scale not answered";
const char tw_kind_unscaled_peer[] = "window scale not answered by peer";
