/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over the inputs of its corpus, where there is no fuzzer: every file that is
 * named, and every file of a folder that is. A file that is named twice runs twice.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/input.h"

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data;
    long size;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        perror(path);
        exit(1);
    }
    rewind(file);
    data = malloc((size_t)size + (size == 0)); /* of this size exactly: a read past it is seen */
    if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return 1;
}

static int run_folder(DIR *folder, const char *path)
{
    int n = 0;

    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char name[PATH_MAX];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        n += run_file(name);
    }
    closedir(folder);
    return n;
}

int main(int argc, char **argv)
{
    int n = 0;

    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);

        n += folder ? run_folder(folder, argv[i]) : run_file(argv[i]);
    }
    printf("%d inputs\n", n);
    return n == 0;
}
