/* SPDX-License-Identifier: MIT */
#include "find.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "../complain.h"

#define NO_FILE "a pipe or a device, and batch reads files: copy it to one"

struct search {
    const struct find *find;
    GPtrArray *files;
    GHashTable *seen; /* paths */
    struct left_out *left_out;
    bool listed; /* names are of a list, made some time ago */
    bool failed;
};

static int64_t modified_ns(const GStatBuf *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* st NULL: what is wrong with it becomes a row. */
static void add_file(struct search *search, const char *path, const GStatBuf *st)
{
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    struct file *file;

    if (st && modified_ns(st) <= search->find->newer_ns) {
        search->left_out->older++;
        return;
    }
    if (g_hash_table_contains(search->seen, absolute))
        return;
    file = g_new0(struct file, 1);
    file->path = g_steal_pointer(&absolute);
    file->size_bytes = st ? st->st_size : 0;
    file->modified_ns = st ? modified_ns(st) : 0;
    /* Whoever opens a pipe waits for somebody who writes. */
    if (st && !S_ISREG(st->st_mode))
        file->refused = NO_FILE;
    g_hash_table_add(search->seen, file->path);
    g_ptr_array_add(search->files, file);
}

/* A name that captures have: x.pcap, x.pcapng.gz, X.CAP, x.pcap12, trace.pcap.3.gz. */
static bool looks_like_capture(const char *given)
{
    g_autofree char *name = g_ascii_strdown(given, -1);
    static const char *const words[] = { ".pcap", ".pcapng", ".cap", ".dmp", ".ntar" };

    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        const char *at = strstr(name, words[i]);

        if (at && !g_ascii_isalpha(at[strlen(words[i])]))
            return true;
    }
    return false;
}

static bool wanted(const struct search *search, const char *name)
{
    if (name[0] == '.')
        return false;
    if (search->find->glob)
        return fnmatch(search->find->glob, name, 0) == 0;
    return looks_like_capture(name);
}

/* A file of a folder, which may be no capture. */
static void offer_file(struct search *search, const char *name, const char *path,
                       const GStatBuf *st)
{
    if (wanted(search, name))
        add_file(search, path, st);
    else if (name[0] != '.' && !search->find->glob)
        search->left_out->other++;
}

static void search_folder(struct search *search, const char *path)
{
    g_autoptr(GError) error = NULL;
    GDir *dir = g_dir_open(path, 0, &error);
    const char *name;

    if (!dir) {
        complain("%s: cannot be listed: skipped", path);
        return;
    }
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *inside = g_build_filename(path, name, NULL);
        GStatBuf st;

        /* Links to folders are not followed: they may lead in circles. */
        if (g_lstat(inside, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && name[0] != '.')
            search_folder(search, inside);
        else if (g_stat(inside, &st) == 0 && S_ISREG(st.st_mode))
            offer_file(search, name, inside, &st);
    }
    g_dir_close(dir);
}

static void search_name(struct search *search, const char *name);

static void search_pattern(struct search *search, const char *pattern)
{
    glob_t found = { 0 };

    if (strpbrk(pattern, "*?[") && glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            search_name(search, found.gl_pathv[i]);
    } else if (search->listed) {
        add_file(search, pattern, NULL);
    } else {
        complain("%s: no such file: check the path", pattern);
        search->failed = true;
    }
    globfree(&found);
}

static void search_name(struct search *search, const char *name)
{
    GStatBuf st;

    if (g_stat(name, &st) != 0) {
        if (errno == ENOENT)
            search_pattern(search, name);
        else
            add_file(search, name, NULL);
    } else if (S_ISDIR(st.st_mode)) {
        search_folder(search, name);
    } else if (S_ISREG(st.st_mode) || search->listed) {
        add_file(search, name, &st);
    } else {
        complain("%s: %s", name, NO_FILE);
        search->failed = true;
    }
}

/* Names, one a line; or parted by NUL when there is any, as find -print0 writes them. */
static void search_list(struct search *search, const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    GString *text = g_string_new(NULL);
    char bytes[4096];
    size_t n;

    if (!file) {
        complain("%s: %s", path, g_strerror(errno));
        search->failed = true;
    }
    while (file && (n = fread(bytes, 1, sizeof(bytes), file)) > 0)
        g_string_append_len(text, bytes, (gssize)n);
    if (file && file != stdin)
        fclose(file);

    search->listed = true;

    char parting = memchr(text->str, '\0', text->len) ? '\0' : '\n';

    for (char *at = text->str, *end = text->str + text->len; at < end;) {
        char *stop = memchr(at, parting, (size_t)(end - at));

        stop = stop ? stop : end;
        *stop = '\0';
        if (*at)
            search_name(search, at);
        at = stop + 1;
    }
    search->listed = false;
    g_string_free(text, TRUE);
}

static gint by_path(gconstpointer a, gconstpointer b)
{
    const struct file *const *x = a, *const *y = b;

    return strcmp((*x)->path, (*y)->path);
}

void find_free(GPtrArray *files)
{
    g_ptr_array_set_free_func(files, file_free);
    g_ptr_array_free(files, TRUE);
}

GPtrArray *find_files(const struct find *find, struct left_out *left_out)
{
    struct search search = {
        .find = find,
        .left_out = left_out,
        .files = g_ptr_array_new(),
        .seen = g_hash_table_new(g_str_hash, g_str_equal),
    };

    *left_out = (struct left_out) { 0 };
    if (find->files_from)
        search_list(&search, find->files_from);
    for (int i = 0; i < find->n_names; i++) {
        if (strcmp(find->names[i], "-") == 0)
            search_list(&search, "-");
        else
            search_name(&search, find->names[i]);
    }
    g_hash_table_destroy(search.seen);
    g_ptr_array_sort(search.files, by_path);
    if (!search.failed)
        return search.files;
    find_free(search.files);
    return NULL;
}

static bool ago(const char *text, int64_t *ns)
{
    static const struct {
        char unit;
        int64_t seconds;
    } units[] = { { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 } };
    char *end;
    gint64 n = g_ascii_strtoll(text, &end, 10);

    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        if (end > text && n > 0 && n < 1000000 && end[0] == units[i].unit && !end[1]) {
            *ns = (g_get_real_time() - n * units[i].seconds * G_USEC_PER_SEC) * 1000;
            return true;
        }
    }
    return false;
}

bool find_time(const char *text, int64_t *ns)
{
    g_autofree char *midnight = g_strdup_printf("%sT00:00:00", text);
    g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
    g_autoptr(GDateTime) date =
        g_date_time_new_from_iso8601(strchr(text, 'T') ? text : midnight, utc);
    GStatBuf st;

    if (date) {
        *ns = g_date_time_to_unix(date) * 1000000000;
        return true;
    }
    if (ago(text, ns))
        return true;
    if (g_stat(text, &st) != 0)
        return false;
    *ns = modified_ns(&st);
    return true;
}
