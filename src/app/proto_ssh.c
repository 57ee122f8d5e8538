/* SPDX-License-Identifier: MIT */
/*
 * SSH (RFC 4253): banners and the key exchange, which is nobody's request; what follows is
 * encrypted, and turns.
 */
#include <string.h>

#include "app/line_way.h"
#include "app/protocol.h"

#define NEWKEYS 21

/* Limit of packets in clear: 35000 bytes are the least that all must take (RFC 4253, 6.1). */
#define MAX_PACKET 65536
#define HEADER     6 /* length, length of padding, message number */

struct ssh {
    struct tw_lines banner;
    bool in_packets;
    bool heard; /* the server has spoken */
    uint8_t head[HEADER];
    uint8_t head_len;
    int64_t packet_to; /* end of the current packet */
};

static enum tw_guess guess(struct tw_bytes first)
{
    return tw_line_begins(first, "SSH-2.0-") || tw_line_begins(first, "SSH-1.99-") ? TW_GUESS_EITHER
                                                                                   : TW_GUESS_NO;
}

/* The end of the client's packet. @return whether more are in clear. */
static bool end_packet(struct ssh *ssh, struct tw_transactions *transactions)
{
    transactions->session_to = ssh->packet_to;
    ssh->head_len = 0;
    return ssh->head[HEADER - 1] != NEWKEYS;
}

/* Packets of the client, until its keys are in use. */
static bool take_packets(struct ssh *ssh, struct tw_transactions *transactions,
                         struct tw_bytes rest, int64_t to)
{
    while (rest.len > 0) {
        const int64_t at = to - (int64_t)rest.len;
        struct tw_bytes part;

        if (ssh->head_len == HEADER) {
            rest = tw_bytes_from(rest, (size_t)CLAMP(ssh->packet_to - at, 0, (int64_t)rest.len));
            if (to - (int64_t)rest.len < ssh->packet_to)
                return true;
            if (!end_packet(ssh, transactions))
                return false;
            continue;
        }
        part = tw_bytes_first(rest, HEADER - (size_t)ssh->head_len);
        memcpy(ssh->head + ssh->head_len, part.data, part.len);
        ssh->head_len = (uint8_t)(ssh->head_len + part.len);
        rest = tw_bytes_from(rest, part.len);
        if (ssh->head_len == HEADER) {
            const uint32_t len = tw_be32(tw_bytes(ssh->head, HEADER), 0);

            if (len < HEADER - 4 || len > MAX_PACKET)
                return false;
            ssh->packet_to = at + (int64_t)part.len - HEADER + 4 + len;
            if (ssh->packet_to == to - (int64_t)rest.len && !end_packet(ssh, transactions))
                return false;
        }
    }
    return true;
}

/* A server may say something else than its version (RFC 4253, 4.2), as with too many clients. */
static void hear_server(struct ssh *ssh, struct tw_transactions *transactions,
                        const struct tw_piece *p)
{
    struct tw_bytes rest = p->bytes, line;

    if (!ssh->heard && !p->gap && !tw_line_begins(p->bytes, "SSH-") &&
        tw_lines_take_whole(&rest, &line))
        tw_transactions_part(transactions, tw_bytes(NULL, 0), line);
    ssh->heard = true;
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct ssh *ssh = state;
    struct tw_bytes rest = p->bytes, line;

    if (!transactions->opaque) {
        static const char name[] = "key exchange";

        tw_transactions_leave(transactions, "ssh", INT64_MIN, INT64_MIN);
        tw_transactions_leave_name(transactions, tw_bytes((const uint8_t *)name, sizeof name - 1),
                                   tw_bytes(NULL, 0));
        transactions->session_to = 1;
    }
    transactions->listens = true;
    if (!asks) {
        hear_server(ssh, transactions, p);
        return;
    }
    if (!p->gap && !ssh->in_packets && tw_lines_take(&ssh->banner, &rest, &line))
        ssh->in_packets = true;
    transactions->listens = !p->gap && take_packets(ssh, transactions, rest, p->to);
}

static void clear(void *state)
{
    struct ssh *ssh = state;

    tw_lines_clear(&ssh->banner);
}

G_STATIC_ASSERT(sizeof(struct ssh) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_ssh = {
    .name = "ssh",
    .state_size = sizeof(struct ssh),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
