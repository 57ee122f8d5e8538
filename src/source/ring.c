/* SPDX-License-Identifier: MIT */
/* Files of a folder; of their content only the signature is read. */
#include "source/ring.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>

#include "base/text.h"
#include "source/foreign.h"
#include "source/source.h"

void tw_ring_clear(struct tw_ring_place *place)
{
    tw_free(place->name);
    place->name = NULL;
}

int64_t tw_ring_changed_ns(const struct stat *st)
{
#ifdef __APPLE__
    const struct timespec *changed = &st->st_mtimespec;
#else
    const struct timespec *changed = &st->st_mtim;
#endif

    return changed->tv_sec * INT64_C(1000000000) + changed->tv_nsec;
}

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Step over leading zeros of a number with n digits, but for the last. @return the digits left. */
static size_t skip_zeros(const char **number, size_t n)
{
    size_t zeros = MIN(strspn(*number, "0"), n - 1);

    *number += zeros;
    return n - zeros;
}

/* Numbers by value, everything else by bytes. */
static int compare_names(const char *a, const char *b)
{
    while (*a && *b) {
        size_t n = digits(a), m = digits(b);

        if (n > 0 && m > 0) {
            int order;

            n = skip_zeros(&a, n);
            m = skip_zeros(&b, m);
            order = n == m ? memcmp(a, b, n) : n < m ? -1 : 1;
            if (order != 0)
                return order;
            a += n;
            b += m;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return strcmp(a, b);
}

/* By time of the last change, then in the natural order of names: "c9" before "c10". */
static int compare(const struct tw_ring_place *a, const struct tw_ring_place *b)
{
    if (a->changed_ns != b->changed_ns)
        return a->changed_ns < b->changed_ns ? -1 : 1;
    return compare_names(a->name, b->name);
}

static bool is_capture(int folder, const char *name)
{
    uint8_t magic[TW_FOREIGN_BYTES];
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n;

    if (fd < 0)
        return false;
    n = read(fd, magic, sizeof magic);
    close(fd);
    return n >= 0 && (n < 4 || tw_source_knows(tw_bytes(magic, (size_t)n)));
}

/* @return false if it is not a regular file, or hidden. */
static bool place_of(int folder, char *name, struct tw_ring_place *place)
{
    struct stat st;

    if (name[0] == '.' || fstatat(folder, name, &st, 0) != 0 || !S_ISREG(st.st_mode))
        return false;
    place->changed_ns = tw_ring_changed_ns(&st);
    place->name = name;
    return true;
}

static void close_folder(void *folder)
{
    closedir(folder);
}

/* The first or last of the captures after the given one (NULL: of all). */
static bool pick(const char *path, const struct tw_ring_place *after, bool last,
                 struct tw_ring_place *found)
{
    struct tw_ring_place best = { 0 }, place;
    DIR *folder = opendir(path);
    struct dirent *entry;
    struct tw_undo undo;

    if (!folder)
        return false;
    tw_undo_add(&undo, close_folder, folder);
    while ((entry = readdir(folder))) {
        if (!place_of(dirfd(folder), entry->d_name, &place) ||
            (after && compare(&place, after) <= 0) ||
            (best.name && (compare(&place, &best) > 0) != last) ||
            !is_capture(dirfd(folder), place.name))
            continue;
        tw_free(best.name);
        best = place;
        best.name = tw_strdup(place.name);
    }
    tw_undo_remove(&undo);
    closedir(folder);
    *found = best;
    return best.name != NULL;
}

bool tw_ring_newest(const char *folder, struct tw_ring_place *found)
{
    return pick(folder, NULL, true, found);
}

bool tw_ring_next(const char *folder, const struct tw_ring_place *after,
                  struct tw_ring_place *found)
{
    return pick(folder, after, false, found);
}
