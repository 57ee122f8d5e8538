/* SPDX-License-Identifier: MIT */
#include "writer.h"

/* A capture whose rows are on their way. Its worker adds to it while the thread takes. */
struct waiting {
    const struct job *job;
    bool failed, whole;
    GQueue pieces; /* struct piece */
};

/* Room for everybody, or at least for whom the thread waits. */
static bool has_room(struct writer *writer, struct waiting *capture)
{
    if (writer->bytes < writer->most_bytes)
        return true;
    return g_queue_peek_head(&writer->captures) == capture && g_queue_is_empty(&capture->pieces);
}

static void add_piece(struct writer *writer, struct waiting *capture, struct piece *piece)
{
    pthread_mutex_lock(&writer->lock);
    while (!has_room(writer, capture))
        pthread_cond_wait(&writer->changed, &writer->lock);
    g_queue_push_tail(&capture->pieces, piece);
    writer->bytes += piece->bytes;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

static void pack_table(struct writer *writer, struct waiting *capture, enum tcpwhy_table table,
                       tcpwhy_report *report, const struct tcpwhy_table_options *options)
{
    const struct archive *archive = writer->archive;
    struct rows rows;

    rows_open(&rows, report, table, options);
    while (rows_next_batch(&rows)) {
        struct piece *piece = g_new0(struct piece, 1);

        piece->table = table;
        piece->place = capture->job->place;
        archive->kind->pack(archive, &rows, piece);
        add_piece(writer, capture, piece);
    }
    rows_close(&rows);
}

void writer_put(struct writer *writer, const struct job *job, tcpwhy_report *report,
                const char *error)
{
    const struct tcpwhy_table_options options = job_table_options(job, error);
    struct waiting *capture = g_new0(struct waiting, 1);

    capture->job = job;
    capture->failed = report == NULL;
    pthread_mutex_lock(&writer->lock);
    g_queue_push_tail(&writer->captures, capture);
    pthread_mutex_unlock(&writer->lock);
    for (int t = 0; t < N_TABLES; t++)
        pack_table(writer, capture, (enum tcpwhy_table)t, report, &options);
    pthread_mutex_lock(&writer->lock);
    capture->whole = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

/* The capture that is written next; NULL: there will be none. */
static struct waiting *first_capture(struct writer *writer)
{
    struct waiting *capture;

    pthread_mutex_lock(&writer->lock);
    while (!(capture = g_queue_peek_head(&writer->captures)) && !writer->closed)
        pthread_cond_wait(&writer->changed, &writer->lock);
    pthread_mutex_unlock(&writer->lock);
    return capture;
}

/* Its next piece; NULL when it is whole, and no longer waits. */
static struct piece *take_piece(struct writer *writer, struct waiting *capture)
{
    struct piece *piece;

    pthread_mutex_lock(&writer->lock);
    while (!(piece = g_queue_pop_head(&capture->pieces)) && !capture->whole)
        pthread_cond_wait(&writer->changed, &writer->lock);
    if (piece)
        writer->bytes -= piece->bytes;
    else
        g_queue_pop_head(&writer->captures);
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    return piece;
}

static void write_capture(struct writer *writer, struct waiting *capture)
{
    struct archive *archive = writer->archive;
    const struct archive_kind *kind = archive->kind;
    bool done = !g_atomic_int_get(&writer->failed);
    struct piece *piece;

    while ((piece = take_piece(writer, capture))) {
        done = done && kind->write(archive, piece);
        piece_free(piece);
    }
    done = done && kind->commit(archive, capture->job, capture->failed);
    if (done)
        progress_add(writer->progress, 0, 1, capture->failed);
    else
        g_atomic_int_set(&writer->failed, true);
}

static void *run(void *data)
{
    struct writer *writer = data;
    struct waiting *capture;

    while ((capture = first_capture(writer))) {
        write_capture(writer, capture);
        g_free(capture);
    }
    return NULL;
}

void writer_start(struct writer *writer)
{
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->changed, NULL);
    g_queue_init(&writer->captures);
    thread_start(&writer->thread, run, writer);
}

bool writer_finish(struct writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    writer->closed = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    return !g_atomic_int_get(&writer->failed);
}
