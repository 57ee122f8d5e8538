/* SPDX-License-Identifier: MIT */
#include "app/hpack.h"

#include <string.h>

#include <glib.h>
#include <nghttp2/nghttp2.h>

#include "base/memory.h"

/* Largest table that common clients allow (SETTINGS_HEADER_TABLE_SIZE of browsers). */
#define MAX_TABLE 65536u

/* RFC 7541, section 4.1: an entry's overhead. */
#define ENTRY_OVERHEAD 32

/* Entries of a block that fills the table. */
#define FILL_ENTRIES 128

/* More fields than that in a block: a hostile one may repeat a large entry. */
#define MAX_FIELDS 4096

/* More invalid blocks than that: it is not worth filling the table again. */
#define MAX_LOSSES 16

struct tw_hpack {
    nghttp2_mem memory; /* of ours */
    nghttp2_hd_inflater *inflater;
    bool unknown; /* the table may hold entries that we do not know */
    uint8_t losses;
};

static ssize_t inflate_some(nghttp2_hd_inflater *inflater, nghttp2_nv *nv, int *flags,
                            struct tw_bytes block)
{
    return nghttp2_hd_inflate_hd2(inflater, nv, flags, block.data, block.len, 1);
}

static bool run(nghttp2_hd_inflater *inflater, struct tw_bytes block, tw_hpack_fn field, void *user)
{
    static const uint8_t nothing[1];

    if (!block.data)
        block = tw_bytes(nothing, 0);
    for (int n = 0; n < MAX_FIELDS; n++) {
        nghttp2_nv nv;
        int flags = 0;
        ssize_t used = inflate_some(inflater, &nv, &flags, block);

        if (used < 0)
            return false;
        block = tw_bytes_from(block, (size_t)used);
        if (flags & NGHTTP2_HD_INFLATE_EMIT && field)
            field(user, tw_bytes(nv.name, nv.namelen), tw_bytes(nv.value, nv.valuelen));
        if (flags & NGHTTP2_HD_INFLATE_FINAL) {
            nghttp2_hd_inflate_end_headers(inflater);
            return true;
        }
        if (!(flags & NGHTTP2_HD_INFLATE_EMIT) && block.len == 0)
            return false;
    }
    return false;
}

/*
 * Fill the table with placeholders. Indices count from the newest entry (RFC 7541, section 2.3.3),
 * so that those of later entries are right, and those of earlier ones hit a placeholder.
 */
static void fill(nghttp2_hd_inflater *inflater)
{
    static const uint8_t resize[] = { 0x3f, 0xe1, 0xff, 0x03 }; /* to MAX_TABLE */
    static const uint8_t entry[] = { 0x40, 1, '?', 1, '?' };
    uint8_t block[FILL_ENTRIES * sizeof entry];

    for (size_t i = 0; i < FILL_ENTRIES; i++)
        memcpy(block + i * sizeof entry, entry, sizeof entry);
    run(inflater, tw_bytes(resize, sizeof resize), NULL, NULL);
    for (size_t i = 0; i < MAX_TABLE / (ENTRY_OVERHEAD + 2); i += FILL_ENTRIES)
        run(inflater, tw_bytes(block, sizeof block), NULL, NULL);
}

static bool renew(struct tw_hpack *hpack)
{
    if (hpack->inflater)
        nghttp2_hd_inflate_del(hpack->inflater);
    hpack->inflater = NULL;
    if (hpack->losses > MAX_LOSSES)
        return false;
    if (nghttp2_hd_inflate_new2(&hpack->inflater, &hpack->memory) != 0)
        return false;
    nghttp2_hd_inflate_change_table_size(hpack->inflater, MAX_TABLE);
    if (hpack->unknown)
        fill(hpack->inflater);
    return true;
}

static void *allocate(size_t bytes, void *user)
{
    (void)user;
    return tw_malloc(bytes);
}

static void *allocate_zeros(size_t n, size_t size, void *user)
{
    (void)user;
    return tw_malloc0_n(n, size);
}

static void *reallocate(void *block, size_t bytes, void *user)
{
    (void)user;
    return tw_realloc(block, bytes);
}

static void release(void *block, void *user)
{
    (void)user;
    tw_free(block);
}

struct tw_hpack *tw_hpack_new(bool known)
{
    struct tw_hpack *hpack = tw_new0(struct tw_hpack, 1);

    hpack->memory = (nghttp2_mem) {
        .malloc = allocate,
        .calloc = allocate_zeros,
        .realloc = reallocate,
        .free = release,
    };
    hpack->unknown = !known;
    if (!renew(hpack)) {
        tw_free(hpack);
        return NULL;
    }
    return hpack;
}

void tw_hpack_lose(struct tw_hpack *hpack)
{
    hpack->unknown = true;
    hpack->losses += hpack->losses <= MAX_LOSSES;
    renew(hpack);
}

bool tw_hpack_read(struct tw_hpack *hpack, struct tw_bytes block, tw_hpack_fn field, void *user)
{
    if (!hpack->inflater)
        return false;
    if (run(hpack->inflater, block, field, user))
        return true;
    tw_hpack_lose(hpack);
    return false;
}

void tw_hpack_free(struct tw_hpack *hpack)
{
    if (!hpack)
        return;
    if (hpack->inflater)
        nghttp2_hd_inflate_del(hpack->inflater);
    tw_free(hpack);
}
