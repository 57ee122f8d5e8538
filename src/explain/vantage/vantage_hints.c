/* SPDX-License-Identifier: MIT */
/*
 * Places a capture by what frames look like there: no wire carries an unfinished checksum or a
 * segment larger than the other side accepts, and routers decrement the TTL.
 */
#include "explain/vantage/vantage_hints.h"

/* Data segments may have been merged here on receipt: that counts if nothing else was seen of a
 * side. */
static bool may_be_unfinished(const struct tw_side *side)
{
    return side->sums & (side->sums & TW_SUM_ASKED_BARE ? TW_SUM_BEGUN_BARE : TW_SUM_BEGUN_DATA);
}

/*
 * A host leaves checksums to its card, which is after the capture. Between two hosts on one machine
 * nobody fills in either side's.
 */
static int host_by_checksums(const struct tw_connection *c)
{
    for (int i = 0; i < 2; i++)
        if ((c->side[i].sums & TW_SUM_BEGUN_BARE) && !may_be_unfinished(&c->side[!i]))
            return i;
    return TW_NO_HOST;
}

/* No router was passed: the TTL is one that systems start with (RFC 1700: 64; Windows 128; Solaris
 * and routers 255). */
static bool is_near(const struct tw_side *side)
{
    return side->ttl == 64 || side->ttl == 128 || side->ttl == 255;
}

/* A card pads frames shorter than Ethernet allows, after the capture: frames from the wire are
 * padded. A router that forwards frames cut to their length shows by the hop it counted. */
static int host_by_padding(const struct tw_connection *c)
{
    for (int i = 0; i < 2; i++)
        if (c->side[i].sums & TW_SUM_UNPADDED && is_near(&c->side[i]) &&
            (c->side[!i].sums & (TW_SUM_ASKED_SHORT | TW_SUM_UNPADDED)) == TW_SUM_ASKED_SHORT)
            return i;
    return TW_NO_HOST;
}

int tw_vantage_hints_host(const struct tw_connection *c)
{
    const int host = host_by_checksums(c);

    return host != TW_NO_HOST ? host : host_by_padding(c);
}

bool tw_vantage_hints_answers_for(const struct tw_connection *c, int side)
{
    return is_near(&c->side[side]) && is_near(&c->side[!side]) &&
           !tw_tuple_is_private(&c->tuple, side) && tw_tuple_is_private(&c->tuple, !side);
}

static bool sends_too_large(const struct tw_side *side, const struct tw_side *peer)
{
    return peer->mss > 0 && side->largest > peer->mss;
}

/* A host that leaves segmentation to its card leaves checksums to it, too: if those do not show it,
 * the receiver merged the segments. If both sides', a box in between may have. */
static enum tcpwhy_vantage place_by_size(const struct tw_connection *c)
{
    const struct tw_side *client = &c->side[TCPWHY_CLIENT], *server = &c->side[TCPWHY_SERVER];
    bool of_client = sends_too_large(client, server), of_server = sends_too_large(server, client);

    if (of_client == of_server || client->sums & TW_SUM_BEGUN_BARE ||
        server->sums & TW_SUM_BEGUN_BARE)
        return TCPWHY_VANTAGE_UNKNOWN;
    return tw_vantage_hints_at(of_client ? TCPWHY_SERVER : TCPWHY_CLIENT);
}

/* Place the capture from the number of routers that each side's first frame passed (TTL). A side at
 * a tap on its own network is as near. If neither side's passed any, the capture may be at
 * either. */
static enum tcpwhy_vantage place_by_routers(const struct tw_connection *c)
{
    const struct tw_side *client = &c->side[TCPWHY_CLIENT], *server = &c->side[TCPWHY_SERVER];

    if (is_near(client) != is_near(server))
        return tw_vantage_hints_at(is_near(client) ? TCPWHY_CLIENT : TCPWHY_SERVER);
    return is_near(client) || client->frames == 0 || server->frames == 0 ? TCPWHY_VANTAGE_UNKNOWN
                                                                         : TCPWHY_VANTAGE_MIDDLE;
}

enum tcpwhy_vantage tw_vantage_hints_by_looks(const struct tw_connection *c)
{
    enum tcpwhy_vantage by_routers = place_by_routers(c);

    return by_routers != TCPWHY_VANTAGE_UNKNOWN ? by_routers : place_by_size(c);
}
