/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/pieces.h"

#include <string.h>

/* An input of more pieces is changed among the first of them. */
#define PIECES_MAX 4096

/* Longer pieces change in place: they are not moved. */
#define PIECE_BYTES_MAX 4096

struct pieces {
    size_t n;
    size_t at[PIECES_MAX + 1]; /* where each begins; the last: where they end */
};

static void divide(struct tw_bytes input, size_t head, piece_fn piece, struct pieces *out)
{
    size_t at = head;

    out->n = 0;
    while (at < input.len && out->n < PIECES_MAX) {
        out->at[out->n++] = at;
        at += piece(tw_bytes_from(input, at));
    }
    out->at[out->n] = at;
}

static size_t length_of(const struct pieces *p, size_t i)
{
    return p->at[i + 1] - p->at[i];
}

static size_t leave_out(uint8_t *data, size_t size, const struct pieces *p, size_t i)
{
    memmove(data + p->at[i], data + p->at[i + 1], size - p->at[i + 1]);
    return size - length_of(p, i);
}

/* Put bytes between two pieces. @return the new size, or 0 when there is no room for them. */
static size_t insert(uint8_t *data, size_t size, size_t max, size_t at, struct tw_bytes bytes)
{
    if (size + bytes.len > max)
        return 0;
    memmove(data + at + bytes.len, data + at, size - at);
    memcpy(data + at, bytes.data, bytes.len);
    return size + bytes.len;
}

/* A piece stands a second time elsewhere, or there alone. */
static size_t copy_or_move(uint8_t *data, size_t size, size_t max, const struct pieces *p,
                           const size_t of[2], bool moves)
{
    uint8_t kept[PIECE_BYTES_MAX];
    size_t len = length_of(p, of[0]), at = p->at[of[1]];

    if (len > sizeof kept)
        return 0;
    memcpy(kept, data + p->at[of[0]], len);
    if (moves) {
        size = leave_out(data, size, p, of[0]);
        at -= of[1] > of[0] ? len : 0;
    }
    return insert(data, size, max, at, tw_bytes(kept, len));
}

size_t mutate_pieces(uint8_t *data, size_t size, size_t max, unsigned seed, size_t head,
                     piece_fn piece, mutate_fn mutate)
{
    struct pieces pieces;
    size_t of[2], changed = 0;

    divide(tw_bytes(data, size), head, piece, &pieces);
    if (pieces.n == 0 || seed % 16 == 0) /* the head changes too, and lengths become wrong */
        return mutate(data, size, max);
    of[0] = (seed >> 8) % pieces.n;
    of[1] = (seed >> 16) % pieces.n;
    if (seed % 4 == 1)
        changed = copy_or_move(data, size, max, &pieces, of, false);
    else if (seed % 4 == 2)
        changed = copy_or_move(data, size, max, &pieces, of, true);
    else if (seed % 4 == 3 && pieces.n > 1)
        changed = leave_out(data, size, &pieces, of[0]);
    if (changed == 0) {
        mutate(data + pieces.at[of[0]], length_of(&pieces, of[0]), length_of(&pieces, of[0]));
        changed = size;
    }
    return changed;
}

size_t turn_piece(struct tw_bytes rest)
{
    size_t len = tw_u8(rest, 1);

    return tw_bytes_first(rest, 2 + (tw_u8(rest, 0) & 2 ? 8 * len : len)).len;
}

/* ---- captures -------------------------------------------------------------------------------- */

#define PCAP_HEAD   24
#define RECORD_HEAD 16
#define BLOCK_LEAST 12

/* A length in the byte order in which it is the smaller one. */
static size_t length_at(struct tw_bytes b, size_t at)
{
    uint32_t little = tw_le32(b, at), big = tw_be32(b, at);

    return little < big ? little : big;
}

static size_t record_piece(struct tw_bytes rest)
{
    return tw_bytes_first(rest, RECORD_HEAD + length_at(rest, 8)).len;
}

static size_t block_piece(struct tw_bytes rest)
{
    size_t len = length_at(rest, 4);

    return tw_bytes_first(rest, len < BLOCK_LEAST ? BLOCK_LEAST : len).len;
}

size_t mutate_capture(uint8_t *data, size_t size, size_t max, unsigned seed, mutate_fn mutate)
{
    bool is_pcapng = tw_be32(tw_bytes(data, size), 0) == 0x0a0d0d0a;

    return mutate_pieces(data, size, max, seed, is_pcapng ? 0 : PCAP_HEAD,
                         is_pcapng ? block_piece : record_piece, mutate);
}
