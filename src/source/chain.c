/* SPDX-License-Identifier: MIT */
/*
 * Rotated files as one source: frames, facts and comments continue as if the files were
 * concatenated. Unreadable files are skipped and reported.
 */
#include "base/array.h"
#include "base/text.h"
#include "source/internal.h"
#include "source/source.h"

#include <string.h>
#include <sys/stat.h>

#include <tcpwhy/tcpwhy.h>

struct chain {
    tw_array *parts;         /* struct tw_part, one per file */
    guint at;                /* index of the open file, or of the next one */
    struct tw_source *inner; /* NULL: no open file */
    char *filter;            /* or NULL */
    unsigned threads;
    uint64_t unpack_max;         /* of each file */
    struct tw_read_ahead *ahead; /* or NULL */
    uint64_t read_bytes;         /* of finished files */
    uint64_t total_bytes;        /* of all files */
};

static struct tw_part *part(const struct chain *chain)
{
    return &tw_array_index(chain->parts, struct tw_part, chain->at);
}

static void drop_part(struct tw_source *source, const char *why)
{
    struct chain *chain = source->state;

    if (!part(chain)->error)
        part(chain)->error = tw_strdup(why);
    tw_source_add_fact(source, TW_SOURCE_BAD_FILE, 1);
}

/* Frames are numbered through all files. */
static void pass_rejected(void *user, const struct tw_frame *frame)
{
    const struct tw_source *source = user;
    struct tw_frame numbered = *frame;

    numbered.number += source->n_frames;
    source->on_rejected(source->rejected_user, &numbered);
}

/* Open the next readable file. @return false at the end, with the last failure in why. */
static bool open_next(struct tw_source *source, struct tw_source_error *why)
{
    struct chain *chain = source->state;
    const struct tw_source_options options = {
        .filter = chain->filter,
        .threads = chain->threads,
        .unpack_max = chain->unpack_max,
        .ahead = chain->ahead,
        .on_rejected = source->on_rejected ? pass_rejected : NULL,
        .rejected_user = source,
        .on_secrets = source->on_secrets,
        .secrets_user = source->secrets_user,
    };

    for (; chain->at < chain->parts->len; chain->at++) {
        chain->inner = tw_source_open(part(chain)->path, &options, why);
        if (chain->inner) {
            part(chain)->first_frame = source->n_frames + 1;
            return true;
        }
        drop_part(source, why->text);
    }
    return false;
}

/* All files of a sensor usually have the same comment: keep it once. */
static void take_comment(tw_string *own, const char *comment)
{
    if (*comment && !strstr(own->str, comment))
        tw_string_append_printf(own, "%s%s", own->len ? "\n" : "", comment);
}

static void close_part(struct tw_source *source)
{
    struct chain *chain = source->state;
    struct tw_source *inner = chain->inner;
    uint64_t done = 0, total = 0;

    part(chain)->frames = inner->n_frames;
    for (guint i = 0; i < inner->facts->len; i++) {
        struct tw_source_fact fact = tw_array_index(inner->facts, struct tw_source_fact, i);

        fact.frame += fact.frame ? part(chain)->first_frame - 1 : 0;
        tw_source_merge_fact(source, &fact);
    }
    take_comment(source->comment, inner->comment->str);
    tw_source_progress(inner, &done, &total);
    chain->read_bytes += done;
    source->n_frames += inner->n_frames;
    tw_source_close(inner);
    chain->inner = NULL;
    chain->at++;
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    struct chain *chain = source->state;
    struct tw_source_error why = { 0 };

    while (chain->inner || open_next(source, &why)) {
        int more = tw_source_next(chain->inner, frame);

        if (more > 0) {
            frame->number += source->n_frames;
            return more;
        }
        if (more < 0)
            drop_part(source, "the operating system refused to read on");
        close_part(source);
    }
    source->done = true;
    return 0;
}

static void progress(const struct tw_source *source, uint64_t *done_bytes, uint64_t *total_bytes)
{
    const struct chain *chain = source->state;
    uint64_t done = 0, total = 0;

    if (chain->inner)
        tw_source_progress(chain->inner, &done, &total);
    *done_bytes = chain->read_bytes + done;
    *total_bytes = chain->total_bytes;
}

static void clear_part(gpointer data)
{
    struct tw_part *p = data;

    tw_free(p->path);
    tw_free(p->error);
}

static void close_chain(struct tw_source *source)
{
    struct chain *chain = source->state;

    tw_source_close(chain->inner);
    tw_array_free(chain->parts, TRUE);
    tw_free(chain->filter);
    tw_free(chain);
}

static unsigned next_shown(struct tw_source *source, struct tw_frame *frames, unsigned most)
{
    const struct chain *chain = source->state;
    unsigned n = chain->inner ? tw_source_next_shown(chain->inner, frames, most) : 0;

    for (unsigned i = 0; i < n; i++)
        frames[i].number += source->n_frames;
    return n;
}

static const struct tw_format format = {
    .next = next,
    .next_shown = next_shown,
    .close = close_chain,
    .progress = progress,
};

static void add_path(struct chain *chain, const char *path)
{
    struct tw_part p = { .path = tw_strdup(path) };
    struct stat st;

    tw_array_append_val(chain->parts, p);
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        chain->total_bytes += (uint64_t)st.st_size;
}

const struct tw_part *tw_source_parts(const struct tw_source *source, size_t *n)
{
    const struct chain *chain = source->format == &format ? source->state : NULL;

    *n = chain ? chain->parts->len : 0;
    return chain ? (const struct tw_part *)(const void *)chain->parts->data : NULL;
}

struct tw_source *tw_source_open_chain(const char *const *paths, size_t n,
                                       const struct tw_source_options *options,
                                       struct tw_source_error *error)
{
    struct tw_source *source = tw_new0(struct tw_source, 1);
    struct chain *chain = tw_new0(struct chain, 1);

    tw_window_open_memory(&source->window, (struct tw_bytes) { 0 });
    source->facts = tw_array_new(FALSE, FALSE, sizeof(struct tw_source_fact));
    source->comment = tw_string_new(NULL);
    source->format = &format;
    source->state = chain;
    chain->parts = tw_array_new(FALSE, FALSE, sizeof(struct tw_part));
    tw_array_set_clear_func(chain->parts, clear_part);
    chain->filter = options ? tw_strdup(options->filter) : NULL;
    chain->threads = options ? options->threads : 0;
    chain->unpack_max = options ? options->unpack_max : 0;
    chain->ahead = options ? options->ahead : NULL;
    source->on_rejected = options ? options->on_rejected : NULL;
    source->rejected_user = options ? options->rejected_user : NULL;
    source->on_secrets = options ? options->on_secrets : NULL;
    source->secrets_user = options ? options->secrets_user : NULL;
    for (size_t i = 0; i < n; i++)
        add_path(chain, paths[i]);
    if (open_next(source, error))
        return source;
    tw_source_close(source);
    return NULL;
}
