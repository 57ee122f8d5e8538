/* SPDX-License-Identifier: MIT */
/*
 * Decrypted data: its protocol's dissector with transactions of their own, whose offsets are
 * those of the plaintext, and the way back to the bytes on the wire.
 */
#ifndef TW_APP_PLAIN_H
#define TW_APP_PLAIN_H

#include "app/follow.h"
#include "app/transactions.h"

struct tw_plain;

/* Takes what is decrypted of one connection, as it comes. Zeroed but for function and user. */
struct tw_plain_sink {
    tw_follow_fn fn; /* or NULL */
    void *user;
    uint32_t stream;
    bool announced, stopped; /* the first call was made; one returned false */
};

struct tw_plain *tw_plain_new(enum tcpwhy_side asker, bool values);

/* The handshake before it; offsets on the wire. Before anything else. */
void tw_plain_handshake(struct tw_plain *plain, const struct tw_exchange *handshake,
                        struct tw_bytes name);

/* The next content of a side, that came with these bytes on the wire, in the current frame of
 * `outer`. */
void tw_plain_take(struct tw_plain *plain, enum tcpwhy_side from, struct tw_bytes bytes,
                   int64_t wire_from, int64_t wire_to, const struct tw_transactions *outer);

/* The handshake comes first; of the others the offsets are those of the plaintext. */
struct tw_transactions *tw_plain_transactions(struct tw_plain *plain);

/* From plaintext to wire: `to` is the end of a message. */
void tw_plain_on_wire(const struct tw_plain *plain, enum tcpwhy_side side, int64_t *from,
                      int64_t *to);

/* Bytes on the wire of the record with that byte of the plaintext; 0: there is none. */
int64_t tw_plain_sealed_bytes(const struct tw_plain *plain, enum tcpwhy_side side, int64_t offset);

size_t tw_plain_bytes(const struct tw_plain *plain);
/* No more comes. */
void tw_plain_end(struct tw_plain *plain);
void tw_plain_free(struct tw_plain *plain);

#endif
