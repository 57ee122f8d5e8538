/* SPDX-License-Identifier: MIT */
/* Groups rotated files into captures: families by name, ordered by time, split where a file is
 * missing. */
#include <string.h>

#include <tcpwhy/files.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/options.h"
#include "base/text.h"
#include "source/rotation.h"

/* Time-stamped files are consecutive if the distance of their starts is at most this multiple of
 * the median. */
#define USUAL_GAPS 1.5
/* Two files have no median: the first must have been modified until the second started. */
#define HANDOVER_NS TCPWHY_S(60)

struct link {
    struct tcpwhy_file *file;
    struct tw_rotation rotation; /* family is NULL if the name is not rotated */
    int64_t first_ns;
};

struct family {
    tw_ptr_array *links; /* struct link */
    int64_t lowest, highest, usual_gap_ns;
};

/* State of one call. */
struct chaining {
    enum tcpwhy_chaining how;
    tw_ptr_array *families; /* struct family */
    tw_hash_table *by_name; /* those that may still grow */
    tw_ptr_array *done;     /* struct tcpwhy_file, in order */
    size_t n;               /* captures so far */
};

static void link_free(gpointer data)
{
    struct link *link = data;

    tw_free(link->rotation.family);
    tw_free(link);
}

static void family_free(gpointer data)
{
    struct family *family = data;

    tw_ptr_array_free(family->links, TRUE);
    tw_free(family);
}

static struct link *link_at(const struct family *family, guint i)
{
    return tw_ptr_array_index(family->links, i);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    const struct link *const *x = a, *const *y = b;

    if ((*x)->first_ns != (*y)->first_ns)
        return (*x)->first_ns < (*y)->first_ns ? -1 : 1;
    return strcmp((*x)->file->path, (*y)->file->path);
}

static gint by_number(gconstpointer a, gconstpointer b)
{
    const int64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static int64_t usual_gap(const struct family *family)
{
    tw_array *gaps = tw_array_new(FALSE, FALSE, sizeof(int64_t));
    int64_t median;

    for (guint i = 1; i < family->links->len; i++) {
        int64_t gap = link_at(family, i)->first_ns - link_at(family, i - 1)->first_ns;

        tw_array_append_val(gaps, gap);
    }
    tw_array_sort(gaps, by_number);
    median = tw_array_index(gaps, int64_t, gaps->len / 2);
    tw_array_free(gaps, TRUE);
    return median;
}

/* Numbers increase by one, or in a ring of files wrap from highest to lowest. */
static bool next_number(const struct family *f, const struct link *a, const struct link *b)
{
    int64_t step = a->rotation.backwards || b->rotation.backwards ? -1 : 1;

    if (b->rotation.number == a->rotation.number + step)
        return true;
    return step > 0 && f->lowest < f->highest && a->rotation.number == f->highest &&
           b->rotation.number == f->lowest;
}

static bool follows(const struct family *f, const struct link *a, const struct link *b)
{
    if (a->rotation.number >= 0)
        return next_number(f, a, b);
    if (f->links->len == 2)
        return ABS(a->file->modified_ns - b->first_ns) <= HANDOVER_NS;
    return (double)(b->first_ns - a->first_ns) <= USUAL_GAPS * (double)f->usual_gap_ns;
}

static void measure(struct family *f)
{
    f->lowest = f->highest = link_at(f, 0)->rotation.number;
    for (guint i = 1; i < f->links->len; i++) {
        f->lowest = MIN(f->lowest, link_at(f, i)->rotation.number);
        f->highest = MAX(f->highest, link_at(f, i)->rotation.number);
    }
    f->usual_gap_ns = f->links->len > 1 ? usual_gap(f) : 0;
}

/* Add a file to the previous capture, or start a new one. */
static void place(struct chaining *chaining, struct tcpwhy_file *file, bool alone)
{
    chaining->n += alone;
    file->chain = chaining->n - 1;
    tw_ptr_array_add(chaining->done, file);
}

/* Read the start times of a family's files; a file without one is a capture of its own. */
static void ask_times(struct chaining *chaining, struct family *family, tcpwhy_begin_fn begin,
                      void *user)
{
    for (guint i = family->links->len; i-- > 0;) {
        struct link *link = link_at(family, i);

        link->first_ns = begin(user, link->file->path);
        if (link->first_ns == TCPWHY_NS_UNKNOWN) {
            place(chaining, link->file, true);
            tw_ptr_array_remove_index(family->links, i);
        }
    }
}

/* One family as one capture, or several if files are missing. */
static void place_family(struct chaining *chaining, struct family *family)
{
    if (family->links->len == 0)
        return;
    tw_ptr_array_sort(family->links, by_time);
    measure(family);
    for (guint i = 0; i < family->links->len; i++) {
        struct link *link = link_at(family, i);

        place(chaining, link->file,
              i == 0 || (chaining->how == TCPWHY_CHAIN_FOUND &&
                         !follows(family, link_at(family, i - 1), link)));
    }
}

/* Common part of the names of a family; NULL: none. */
static char *family_name(const struct chaining *chaining, const struct tw_rotations *rotations,
                         const char *path, struct tw_rotation *rotation)
{
    tw_autofree char *folder = tw_path_get_dirname(path);
    tw_autofree char *name = tw_path_get_basename(path);

    if (chaining->how == TCPWHY_CHAIN_ALL)
        return g_steal_pointer(&folder);
    if (chaining->how == TCPWHY_CHAIN_FOUND && tw_rotation_of(rotations, name, rotation))
        return tw_strdup_printf("%s/%s", folder, rotation->family);
    return NULL;
}

static void add_file(struct chaining *chaining, const struct tw_rotations *rotations,
                     struct tcpwhy_file *file)
{
    struct link *link = tw_new0(struct link, 1);
    char *name;
    struct family *family;

    link->file = file;
    link->rotation.number = -1;
    name = family_name(chaining, rotations, file->path, &link->rotation);
    family = name ? tw_hash_table_lookup(chaining->by_name, name) : NULL;
    if (!family) {
        family = tw_new0(struct family, 1);
        family->links = tw_ptr_array_new_with_free_func(link_free);
        tw_ptr_array_add(chaining->families, family);
        if (name)
            tw_hash_table_insert(chaining->by_name, tw_strdup(name), family);
    }
    tw_ptr_array_add(family->links, link);
    tw_free(name);
}

/* Is there such a way, and were all sizes set? */
static bool are_all_there(struct tcpwhy_file *const *files, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!files[i])
            return false;
    return true;
}

/* A program knows at least the members up to chain, which the first version had. */
static bool is_sound(struct tcpwhy_file *const *files, size_t n, enum tcpwhy_chaining how)
{
    const size_t least = offsetof(struct tcpwhy_file, chain) + sizeof files[0]->chain;
    bool sound = (unsigned)how <= TCPWHY_CHAIN_NONE;

    for (size_t i = 0; i < n; i++)
        sound = sound && files[i]->struct_size >= least && tw_size_is_set(files[i]);
    return sound;
}

static bool have_paths(struct tcpwhy_file *const *files, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!files[i]->path)
            return false;
    return true;
}

static size_t chain(struct tcpwhy_file **files, size_t n, enum tcpwhy_chaining how,
                    tcpwhy_begin_fn begin, void *user)
{
    struct tw_rotations *rotations = tw_rotations_new();
    struct chaining chaining = {
        .how = how,
        .families = tw_ptr_array_new_with_free_func(family_free),
        .by_name = tw_hash_table_new_full(tw_hash_text, g_str_equal, tw_free, NULL),
        .done = tw_ptr_array_new(),
    };

    for (size_t i = 0; i < n; i++)
        add_file(&chaining, rotations, files[i]);
    for (guint i = 0; i < chaining.families->len; i++) {
        struct family *family = tw_ptr_array_index(chaining.families, i);

        if (family->links->len > 1)
            ask_times(&chaining, family, begin, user);
        place_family(&chaining, family);
    }
    for (size_t i = 0; i < n; i++)
        files[i] = tw_ptr_array_index(chaining.done, i);
    tw_ptr_array_free(chaining.done, TRUE);
    tw_hash_table_destroy(chaining.by_name);
    tw_ptr_array_free(chaining.families, TRUE);
    tw_rotations_free(rotations);
    return chaining.n;
}

int tcpwhy_chain_files(struct tcpwhy_file **files, size_t n, enum tcpwhy_chaining how,
                       tcpwhy_begin_fn begin, void *user, size_t *n_captures)
{
    struct tw_guard guard;

    if ((n > 0 && (!files || !begin)) || !n_captures || !are_all_there(files, n))
        return TCPWHY_ERR_USAGE;
    if (!is_sound(files, n, how))
        return TCPWHY_ERR_ARGUMENT;
    if (!have_paths(files, n))
        return TCPWHY_ERR_USAGE;
    if (TW_FAILED(guard))
        return TCPWHY_ERR_MEMORY;
    tw_call_begin(&guard);
    *n_captures = chain(files, n, how, begin, user);
    tw_call_end(&guard);
    return 0;
}
