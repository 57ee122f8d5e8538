/* SPDX-License-Identifier: MIT */
#include "app/transactions.h"

#include <string.h>

#include "app/text.h"
#include "base/grow.h"

/* Longest verb and object that a report shows; enough to tell one request from another. */
#define MAX_VERB   24
#define MAX_OBJECT 200

/* Pipelined requests need only 16 bytes each, less than what is kept of them. Beyond this many the
 * connection goes on as turns. */
#define MAX_EXCHANGES (1u << 20)

static struct tw_exchange *at(const struct tw_transactions *dialog, uint32_t index)
{
    return &dialog->exchange[index];
}

void tw_transactions_init(struct tw_transactions *dialog)
{
    *dialog = (struct tw_transactions) { .exchange = &dialog->first, .capacity = 1 };
}

void tw_transactions_clear(struct tw_transactions *dialog)
{
    if (dialog->exchange != &dialog->first)
        g_free(dialog->exchange);
    if (dialog->texts)
        g_string_chunk_free(dialog->texts);
    tw_ranges_clear(&dialog->standing);
}

size_t tw_transactions_bytes(const struct tw_transactions *dialog)
{
    return (dialog->capacity > 1 ? dialog->capacity * sizeof(struct tw_exchange) : 0) +
           dialog->text_bytes + dialog->standing.capacity * sizeof *dialog->standing.range;
}

/* @return false when there are too many: then the dialog is left. */
static bool append(struct tw_transactions *dialog, int64_t request_from, int64_t request_to)
{
    if (dialog->n == MAX_EXCHANGES) {
        tw_transactions_leave(dialog, dialog->protocol, request_from,
                              dialog->reached[!dialog->asker]);
        return false;
    }
    if (dialog->n == dialog->capacity)
        dialog->exchange = tw_grow_from(dialog->exchange, &dialog->first, dialog->n,
                                        &dialog->capacity, sizeof *dialog->exchange);
    dialog->exchange[dialog->n++] = (struct tw_exchange) {
        .protocol = dialog->protocol,
        .request = "",
        .asker = dialog->asker,
        .request_from = request_from,
        .request_to = request_to,
        .request_first = TW_NO_RECORD,
        .request_last = TW_NO_RECORD,
        .response_first = TW_NO_RECORD,
        .response_last = TW_NO_RECORD,
    };
    return true;
}

void tw_transactions_ask(struct tw_transactions *dialog, int64_t from)
{
    tw_transactions_asked(dialog, from);
    dialog->asking = append(dialog, from, TW_OPEN);
}

void tw_transactions_asked(struct tw_transactions *dialog, int64_t to)
{
    dialog->asked_to = to;
    if (dialog->asking)
        at(dialog, dialog->n - 1)->request_to = to;
    dialog->asking = false;
}

/* Keep a text; often it is the one before it. */
static const char *keep(struct tw_transactions *dialog, const char *text)
{
    struct tw_transactions_text *last = &dialog->last_request;
    size_t size = strlen(text) + 1;

    if (last->text && strcmp(last->text, text) == 0)
        return last->text;
    last->len = size - 1;
    if (size <= sizeof dialog->text - dialog->text_len) {
        last->text = memcpy(dialog->text + dialog->text_len, text, size);
        dialog->text_len += (uint32_t)size;
        return last->text;
    }
    if (!dialog->texts)
        dialog->texts = g_string_chunk_new(256);
    dialog->text_bytes += size;
    return last->text = g_string_chunk_insert_const(dialog->texts, text);
}

/* Does a clean text stand there as it is? Then it needs no cleaning. */
static bool is_same(const char *text, struct tw_bytes bytes)
{
    return memcmp(text, bytes.data, bytes.len) == 0;
}

static const char *name_of(struct tw_transactions *dialog, struct tw_bytes verb,
                           struct tw_bytes object)
{
    char text[MAX_VERB + 1 + MAX_OBJECT + 2 * TW_TEXT_END];
    const struct tw_transactions_text *last = &dialog->last_request;
    size_t len;

    if (last->len == verb.len + 1 + object.len && verb.len > 0 && verb.len <= MAX_VERB &&
        object.len > 0 && object.len <= MAX_OBJECT && is_same(last->text, verb) &&
        last->text[verb.len] == ' ' && is_same(last->text + verb.len + 1, object))
        return last->text;
    len = tw_text_clean(text, MAX_VERB, verb);
    if (verb.len > 0 && object.len > 0)
        text[len++] = ' ';
    tw_text_clean(text + len, MAX_OBJECT, object);
    return keep(dialog, text);
}

void tw_transactions_name(struct tw_transactions *dialog, struct tw_bytes verb,
                          struct tw_bytes object)
{
    if (dialog->asking)
        at(dialog, dialog->n - 1)->request = name_of(dialog, verb, object);
}

void tw_transactions_leave(struct tw_transactions *dialog, const char *protocol, int64_t asked_to,
                           int64_t answered_to)
{
    dialog->opaque = true;
    dialog->inside = protocol;
    dialog->asked_to = asked_to;
    dialog->answered_to = answered_to;
}

void tw_transactions_leave_name(struct tw_transactions *dialog, struct tw_bytes verb,
                                struct tw_bytes object)
{
    dialog->inside_request = name_of(dialog, verb, object);
}

void tw_transactions_stand(struct tw_transactions *dialog, int64_t from, int64_t to)
{
    tw_ranges_add(&dialog->standing, from, to);
}

void tw_transactions_answer(struct tw_transactions *dialog, int64_t from)
{
    struct tw_exchange *e;

    if (dialog->answering == dialog->n) {
        int64_t asked = dialog->asked_to, now = MAX(dialog->reached[dialog->asker], asked);

        tw_transactions_asked(dialog, now);
        if (!append(dialog, asked, now))
            return;
    }
    e = at(dialog, dialog->answering);
    e->response_from = from;
    e->response_to = TW_OPEN;
    dialog->answer_runs = true;
    dialog->until_close = false;
    dialog->until_turn = false;
    dialog->answered_to = from;
}

void tw_transactions_status(struct tw_transactions *dialog, uint16_t status)
{
    if (dialog->answer_runs)
        at(dialog, dialog->answering)->status = status;
}

void tw_transactions_in_pieces(struct tw_transactions *dialog)
{
    if (dialog->answer_runs)
        at(dialog, dialog->answering)->in_pieces = true;
}

void tw_transactions_answered(struct tw_transactions *dialog, int64_t to, bool complete)
{
    struct tw_exchange *e;

    dialog->answered_to = to;
    if (!dialog->answer_runs)
        return;
    e = at(dialog, dialog->answering++);
    e->response_to = to;
    e->complete = complete;
    dialog->answer_runs = false;
}

uint32_t tw_transactions_outstanding(const struct tw_transactions *dialog)
{
    return dialog->n - dialog->answering;
}

void tw_transactions_skip_to_newest(struct tw_transactions *dialog)
{
    if (tw_transactions_outstanding(dialog) > 1)
        dialog->answering = dialog->n - 1;
}

const char *tw_transactions_question(const struct tw_transactions *dialog)
{
    return dialog->answer_runs ? at(dialog, dialog->answering)->request : "";
}
