/* SPDX-License-Identifier: MIT */
/*
 * Grouping of files into captures, whatever their names: the first byte selects how they are
 * chained, then follows each file: minutes until it was modified and until it begins (0xff: not
 * known), length of its name, name. No file is lost, and captures are numbered without a gap.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <tcpwhy/tcpwhy.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

#define FILES_MAX  200
#define FILE_BYTES 3 /* before the name */

struct named {
    struct tcpwhy_file file; /* first: a pointer to it is one to both */
    int64_t begin_ns;
    char name[256];
};

struct folder {
    struct named *named;
    size_t n;
};

static int64_t begin(void *user, const char *path)
{
    const struct folder *folder = user;

    for (size_t i = 0; i < folder->n; i++)
        if (folder->named[i].file.path == path)
            return folder->named[i].begin_ns;
    abort(); /* it is the path that was given */
}

static void take(struct input *in, struct named *named)
{
    uint8_t modified = input_u8(in), begins = input_u8(in), len = input_u8(in);
    struct tw_bytes name = input_bytes(in, len);

    named->file = (struct tcpwhy_file)TCPWHY_FILE_INIT;
    named->file.path = named->name;
    named->file.modified_ns = TCPWHY_S(60) * modified;
    named->begin_ns = begins == 0xff ? TCPWHY_NS_UNKNOWN : TCPWHY_S(60) * begins;
    if (name.len > 0)
        memcpy(named->name, name.data, name.len);
}

static void check(struct tcpwhy_file **files, size_t n, size_t n_captures)
{
    for (size_t i = 0; i < n; i++) {
        assert(files[i]->chain == (i ? files[i - 1]->chain : 0) ||
               files[i]->chain == files[i - 1]->chain + 1);
        for (size_t k = 0; k < i; k++)
            assert(files[k] != files[i]);
    }
    assert(n_captures == (n ? files[n - 1]->chain + 1 : 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    enum tcpwhy_chaining how = (enum tcpwhy_chaining)(input_u8(&in) % 3);
    struct folder folder = { .named = calloc(FILES_MAX, sizeof(struct named)) };
    struct tcpwhy_file *files[FILES_MAX];
    size_t n_captures = 0;
    char id[TCPWHY_CAPTURE_ID_TEXT];

    for (; folder.named && in.rest.len > FILE_BYTES && folder.n < FILES_MAX; folder.n++) {
        take(&in, &folder.named[folder.n]);
        files[folder.n] = &folder.named[folder.n].file;
        assert(tcpwhy_capture_id(files[folder.n]->path, id) == id);
    }
    assert(tcpwhy_chain_files(files, folder.n, how, begin, &folder, &n_captures) == 0);
    check(files, folder.n, n_captures);
    free(folder.named);
    return 0;
}

static size_t piece(struct tw_bytes rest)
{
    return MIN(rest.len, (size_t)FILE_BYTES + tw_u8(rest, 2));
}

MUTATE_PIECES(1, piece)
