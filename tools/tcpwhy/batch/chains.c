/* SPDX-License-Identifier: MIT */
#include "chains.h"

#include <string.h>

/* Files that count by time follow each other when none is missing: by so much may a gap between
 * their beginnings exceed what is usual. */
#define USUAL_GAPS 1.5
/* Of two files no gap is usual: the first must have been written to until the second began. */
#define HANDOVER_NS TCPWHY_S(60)

struct link {
    struct file *file;
    struct rotation rotation;
    int64_t first_ns; /* of its first TCP frame */
};

static bool take_first(void *user, const struct tcpwhy_segment *segment)
{
    *(int64_t *)user = segment->time_ns;
    return false;
}

/* A capture that has no TCP for so long is not searched further. */
static bool give_up(void *user, uint64_t done_bytes, uint64_t total_bytes)
{
    (void)user;
    (void)done_bytes;
    (void)total_bytes;
    return false;
}

/* When a capture begins, or unknown. */
static int64_t first_time(const char *path)
{
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    int64_t first_ns = TCPWHY_NS_UNKNOWN;
    tcpwhy_report *report = NULL;

    options.on_segment = take_first;
    options.on_progress = give_up;
    options.user = &first_ns;
    options.threads = 1;
    if (tcpwhy_analyze_file(path, &options, &report, NULL) == 0)
        tcpwhy_report_free(report);
    return first_ns;
}

static void link_free(gpointer data)
{
    struct link *link = data;

    g_free(link->rotation.family);
    g_free(link);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    const struct link *const *x = a, *const *y = b;

    if ((*x)->first_ns != (*y)->first_ns)
        return (*x)->first_ns < (*y)->first_ns ? -1 : 1;
    return strcmp((*x)->file->path, (*y)->file->path);
}

static struct link *link_at(const GPtrArray *family, guint i)
{
    return g_ptr_array_index(family, i);
}

static gint by_number(gconstpointer a, gconstpointer b)
{
    const int64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static int64_t usual_gap(const GPtrArray *family)
{
    GArray *gaps = g_array_new(FALSE, FALSE, sizeof(int64_t));
    int64_t median;

    for (guint i = 1; i < family->len; i++) {
        int64_t gap = link_at(family, i)->first_ns - link_at(family, i - 1)->first_ns;

        g_array_append_val(gaps, gap);
    }
    g_array_sort(gaps, by_number);
    median = g_array_index(gaps, int64_t, gaps->len / 2);
    g_array_free(gaps, TRUE);
    return median;
}

struct family {
    GPtrArray *links; /* struct link, in order of time */
    int64_t lowest, highest, usual_gap_ns;
};

/* Numbers go up by one, or, in a ring of files, from the highest to the lowest. */
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
    f->lowest = f->highest = link_at(f->links, 0)->rotation.number;
    for (guint i = 1; i < f->links->len; i++) {
        f->lowest = MIN(f->lowest, link_at(f->links, i)->rotation.number);
        f->highest = MAX(f->highest, link_at(f->links, i)->rotation.number);
    }
    f->usual_gap_ns = f->links->len > 1 ? usual_gap(f->links) : 0;
}

static void add_alone(GPtrArray *jobs, struct file *file)
{
    struct job *job = job_new();

    job_add(job, file);
    g_ptr_array_add(jobs, job);
}

/* One family to one job, or to several where a file is missing between. */
static void add_family(GPtrArray *jobs, GPtrArray *links, enum chaining how)
{
    struct family f = { .links = links };
    struct job *job = NULL;

    g_ptr_array_sort(links, by_time);
    measure(&f);
    for (guint i = 0; i < links->len; i++) {
        struct link *link = link_at(links, i);

        if (!job || (how == CHAIN_FOUND && !follows(&f, link_at(links, i - 1), link))) {
            job = job_new();
            g_ptr_array_add(jobs, job);
        }
        job_add(job, link->file);
    }
}

static char *family_name(const struct file *file, enum chaining how, struct rotation *rotation)
{
    g_autofree char *folder = g_path_get_dirname(file->path);
    g_autofree char *name = g_path_get_basename(file->path);

    *rotation = (struct rotation) { .number = -1 };
    if (how == CHAIN_ALL)
        return g_steal_pointer(&folder);
    return rotation_of(name, rotation) ? g_strdup_printf("%s/%s", folder, rotation->family) : NULL;
}

static void join_family(GHashTable *families, const char *name, struct link *link)
{
    GPtrArray *links = g_hash_table_lookup(families, name);

    if (!links) {
        links = g_ptr_array_new_with_free_func(link_free);
        g_hash_table_insert(families, g_strdup(name), links);
    }
    g_ptr_array_add(links, link);
}

/* The times of a family's files; those that cannot be read become rows of their own. */
static void split_family(GPtrArray *jobs, GPtrArray *links, enum chaining how)
{
    GPtrArray *known = g_ptr_array_new();

    for (guint i = 0; i < links->len; i++) {
        struct link *link = link_at(links, i);

        link->first_ns = links->len > 1 ? first_time(link->file->path) : 0;
        if (link->first_ns == TCPWHY_NS_UNKNOWN)
            add_alone(jobs, link->file);
        else
            g_ptr_array_add(known, link);
    }
    if (known->len > 0)
        add_family(jobs, known, how);
    g_ptr_array_free(known, TRUE);
}

GPtrArray *chains_of(GPtrArray *files, enum chaining how)
{
    GPtrArray *jobs = g_ptr_array_new_with_free_func(job_free);
    GHashTable *families =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    GHashTableIter iter;
    gpointer links;

    for (guint i = 0; i < files->len; i++) {
        struct file *file = g_ptr_array_index(files, i);
        struct rotation rotation;
        g_autofree char *name = how == CHAIN_NONE ? NULL : family_name(file, how, &rotation);

        if (name) {
            struct link *link = g_new0(struct link, 1);

            link->file = file;
            link->rotation = rotation;
            join_family(families, name, link);
        } else {
            add_alone(jobs, file);
        }
    }
    g_hash_table_iter_init(&iter, families);
    while (g_hash_table_iter_next(&iter, NULL, &links))
        split_family(jobs, links, how);
    g_hash_table_destroy(families);
    g_ptr_array_free(files, TRUE);
    return jobs;
}
