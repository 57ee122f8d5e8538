/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over inputs, where there is no fuzzer: every file that is named, every file of
 * a folder that is and of the folders in it, and every input of a packed corpus (NAME.corpus, see
 * corpus.py).
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

/* Inputs are replayed as they are. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    (void)data;
    (void)max;
    return size;
}

static struct tw_bytes read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data;
    long size;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        perror(path);
        exit(1);
    }
    rewind(file);
    data = malloc((size_t)size + (size == 0));
    if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return tw_bytes(data, (size_t)size);
}

/* In memory of its size exactly, so that a read past the end is seen. */
static int run(struct tw_bytes input)
{
    uint8_t *copy = malloc(input.len + (input.len == 0));

    if (!copy)
        exit(1);
    memcpy(copy, input.data, input.len);
    LLVMFuzzerTestOneInput(copy, input.len);
    free(copy);
    return 1;
}

static bool is_packed(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot && strcmp(dot, ".corpus") == 0;
}

static int run_file(const char *path)
{
    struct tw_bytes all = read_file(path), rest = all;
    int n = 0;

    if (!is_packed(path))
        n = run(all);
    while (is_packed(path) && rest.len >= 4) {
        size_t size = tw_be32(rest, 0);

        n += run(tw_bytes_first(tw_bytes_from(rest, 4), size));
        rest = tw_bytes_from(tw_bytes_from(rest, 4), size);
    }
    free((void *)(uintptr_t)all.data);
    return n;
}

static int run_folder(DIR *folder, const char *path, bool deeper)
{
    int n = 0;

    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char name[PATH_MAX];
        DIR *inner;

        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        inner = opendir(name);
        if (!inner)
            n += run_file(name);
        else if (deeper)
            n += run_folder(inner, name, false);
        else
            closedir(inner);
    }
    closedir(folder);
    return n;
}

int main(int argc, char **argv)
{
    int n = 0;

    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);

        n += folder ? run_folder(folder, argv[i], true) : run_file(argv[i]);
    }
    printf("%d inputs\n", n);
    return n == 0;
}
