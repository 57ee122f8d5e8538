/* SPDX-License-Identifier: MIT */
/*
 * Mutations of an input that is a row of segments, records or instructions: whole ones are
 * repeated, moved, left out, or changed inside. Nothing is shifted by a byte.
 */
#ifndef TW_TESTS_FUZZ_PIECES_H
#define TW_TESTS_FUZZ_PIECES_H

#include "base/bytes.h"

/* @return length of the first piece of what is left, at least 1 and at most all of it. */
typedef size_t (*piece_fn)(struct tw_bytes rest);

/* Changes bytes in place, as LLVMFuzzerMutate() does. @return their new number, at most max. */
typedef size_t (*mutate_fn)(uint8_t *data, size_t size, size_t max);

/* The first 'head' bytes, before the first piece, stay as they are. @return the new size. */
size_t mutate_pieces(uint8_t *data, size_t size, size_t max, unsigned seed, size_t head,
                     piece_fn piece, mutate_fn mutate);

/* A turn of a talk: one byte says whose it is, and 2 that the next counts in eights; then bytes. */
size_t turn_piece(struct tw_bytes rest);

/* The same of a capture: records of pcap, blocks of pcapng. */
size_t mutate_capture(uint8_t *data, size_t size, size_t max, unsigned seed, mutate_fn mutate);

/* libFuzzer's; where there is no fuzzer, replay.c's, which changes nothing. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* Called by libFuzzer to change an input. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

#define MUTATE_PIECES(head, piece)                                                                 \
    size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)          \
    {                                                                                              \
        return mutate_pieces(data, size, max, seed, head, piece, LLVMFuzzerMutate);                \
    }

#define MUTATE_CAPTURE                                                                             \
    size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)          \
    {                                                                                              \
        return mutate_capture(data, size, max, seed, LLVMFuzzerMutate);                            \
    }

#endif
