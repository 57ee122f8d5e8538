/* SPDX-License-Identifier: MIT */
/*
 * HTTP/1.0 and 1.1: follows RFC 9112 framing by offsets, so that bodies are not read and may be
 * missing. If framing is lost (a truncated head, a hole in a head, a body ended by close), a
 * message lasts until a piece of payload looks like the next head.
 */
#include <string.h>

#include "app/http_head.h"
#include "app/lines.h"
#include "app/server_name.h"

/* Limit for heads: eight times that of common servers. */
#define MAX_HEAD (256 * 1024)

enum place {
    FIRST_LINE, /* between messages, or in a first line */
    FIELDS,
    BODY, /* until body_end */
    CHUNK_SIZE,
    CHUNK,     /* until body_end */
    CHUNK_END, /* the empty line after a chunk */
    TRAILER,
    UNFRAMED, /* until a piece looks like a head */
};

struct way {
    enum place place;
    bool message; /* a message has begun */
    bool holed;   /* complete messages may be lost in a hole since the last head */
    int64_t head_from;
    int64_t body_end;
    uint16_t status;
    struct tw_http_fields fields;
    struct tw_lines lines;
};

struct http {
    struct way way[2]; /* 0: from the asker, 1: from the answerer */
    bool asked;        /* requests were seen, so a response needs one */
    bool named;        /* the first request has said, or will not say, how it calls the server */
    uint32_t stream;   /* the exchange whose answer is a stream of events; or TW_NO_EXCHANGE */
};

/* Context of one direction, instead of four arguments. */
struct work {
    struct http *http;
    struct tw_transactions *transactions;
    struct way *way;
    bool asks;
};

static void begin(const struct work *w, int64_t from)
{
    w->way->message = true;
    w->way->status = 0;
    w->way->head_from = from;
    w->way->fields = (struct tw_http_fields) { 0 };
    if (w->asks) {
        w->http->asked = true;
        tw_transactions_ask(w->transactions, from);
        tw_transactions_asks_on(w->transactions, true);
        return;
    }
    if (w->way->holed)
        tw_transactions_skip_to_newest(w->transactions);
    w->way->holed = false;
    tw_transactions_answer(w->transactions, from);
}

/* RFC 9110, section 15.2: 1xx precedes the final response, except 101, which ends HTTP. */
static bool is_interim(uint16_t status)
{
    return status >= 100 && status < 200 && status != 101;
}

/* Is it the response to a request with that method (including the blank)? Rare. */
static bool answers(const struct work *w, const char *method)
{
    const char *question = tw_transactions_question(w->transactions);

    return question[0] == method[0] && strncmp(question, method, strlen(method)) == 0;
}

/* Does no message follow the head? True for tunnels, and for what goes on live, which usually ends
 * with the connection. */
static bool opens_tunnel(const struct work *w)
{
    return w->way->status == 101 || (w->way->status / 100 == 2 &&
                                     (tw_http_is_live(&w->way->fields) || answers(w, "CONNECT ")));
}

static enum tcpwhy_side speaker(const struct work *w)
{
    return w->asks ? w->transactions->asker : !w->transactions->asker;
}

/* The response ends here; the messages that follow are counted for its request. */
static void become_websocket(struct tw_transactions *transactions, int64_t to)
{
    const uint32_t upgrade = transactions->answer_runs ? transactions->answering : TW_NO_EXCHANGE;

    tw_transactions_answered(transactions, to, true);
    tw_transactions_switch(transactions, "websocket", to);
    transactions->switch_answer = upgrade;
}

static void end(const struct work *w, int64_t to)
{
    bool tunnel = !w->asks && opens_tunnel(w);
    const uint32_t answering =
        w->transactions->answer_runs ? w->transactions->answering : TW_NO_EXCHANGE;

    if (w->way->place == UNFRAMED)
        tw_transactions_pass_nothing(w->transactions, speaker(w));
    w->way->place = FIRST_LINE;
    w->way->message = false;
    if (!w->asks && w->way->status == 101 && w->way->fields.http2) {
        tw_transactions_switch(w->transactions, "http2", to);
        return;
    }
    if (!w->asks && w->way->status == 101 && w->way->fields.websocket) {
        become_websocket(w->transactions, to);
        return;
    }
    if (w->asks)
        tw_transactions_asked(w->transactions, to);
    else if (!is_interim(w->way->status))
        tw_transactions_answered(w->transactions, to, true);
    if (!tunnel)
        return;
    w->transactions->opaque = true;
    w->transactions->at_will = tw_http_is_live(&w->way->fields);
    w->http->stream = w->way->fields.events ? answering : TW_NO_EXCHANGE;
}

/* An empty line ends an event (WHATWG HTML, 9.2.6), be its lines ended by LF or CRLF. Count those
 * that came with the head of their stream. */
static void count_events(const struct work *w, struct tw_bytes rest)
{
    struct tw_bytes line;
    uint32_t n = 0, before = 0;

    while (tw_lines_take_whole(&rest, &line)) {
        n += line.len == 0 && before > 0;
        before = (uint32_t)line.len;
    }
    tw_transactions_more(w->transactions, w->http->stream)->messages[1] = n;
}

/* A response without framing lasts until the next head, or a hole. */
static void run_on(const struct work *w)
{
    tw_transactions_pass_all_but(w->transactions, speaker(w), TW_HTTP_STATUS_FIRST);
}

static void lose_framing(const struct work *w)
{
    w->way->place = UNFRAMED;
    tw_lines_cut(&w->way->lines);
    if (w->asks) {
        tw_transactions_asks_on(w->transactions, false);
        return;
    }
    if (is_interim(w->way->status))
        return;
    /* a head that was cut may have declared no length */
    tw_transactions_in_pieces(w->transactions);
    w->transactions->until_turn = true;
}

/* Only the end of a body matters. */
static void begin_body(const struct work *w, enum place place, int64_t end)
{
    w->way->place = place;
    w->way->body_end = end;
    tw_transactions_pass_over(w->transactions, speaker(w), end);
}

/* RFC 9112, section 6.3, in this order. */
static void end_of_head(const struct work *w, int64_t at)
{
    struct way *way = w->way;
    const struct tw_http_fields *f = &way->fields;
    bool no_body = !w->asks && (way->status / 100 == 1 || way->status == 204 ||
                                way->status == 304 || opens_tunnel(w) || answers(w, "HEAD "));

    if (!w->asks && !no_body && (f->chunked || !f->has_length))
        tw_transactions_in_pieces(w->transactions);
    if (w->asks && f->chunked)
        tw_transactions_asks_in_pieces(w->transactions);
    if (w->asks && f->expects && (f->chunked || f->length > 0))
        tw_transactions_expect(w->transactions);
    if (no_body) {
        end(w, at);
    } else if (f->chunked) {
        way->place = CHUNK_SIZE;
    } else if (f->has_coding || f->bad_length || (!w->asks && !f->has_length)) {
        lose_framing(w);
        w->transactions->until_close = !w->asks;
        if (!w->asks && !f->has_coding && !f->bad_length)
            tw_transactions_to_close(w->transactions);
    } else if (f->length > 0) {
        begin_body(w, BODY, at + f->length);
    } else {
        end(w, at);
    }
}

/* @return false if it is not a first line. */
static bool first_line(const struct work *w, struct tw_bytes line)
{
    struct tw_http_request_line request;

    if (!w->asks) {
        w->way->status = tw_http_status_line(line);
        tw_transactions_status(w->transactions, w->way->status);
        if (is_interim(w->way->status))
            tw_transactions_interim(w->transactions);
        return w->way->status != 0;
    }
    if (!tw_http_request_line(line, &request))
        return false;
    tw_transactions_name(w->transactions, request.method, request.target);
    w->http->named |= tw_http_asks_proxy(&request); /* which names a server behind it */
    return true;
}

static void field(const struct work *w, struct tw_bytes line)
{
    struct tw_bytes host;

    if (!tw_http_may_count(line))
        return;
    tw_http_field(line, &w->way->fields);
    if (!w->asks || w->http->named)
        return;
    host = tw_http_host(line);
    w->http->named = host.len > 0;
    tw_server_name_take(w->transactions, host);
}

static void chunk_size(const struct work *w, struct tw_bytes line, int64_t after)
{
    int64_t size = tw_http_chunk_size(line);

    if (size < 0) {
        lose_framing(w);
    } else if (size == 0) {
        w->way->place = TRAILER;
    } else {
        begin_body(w, CHUNK, after + size);
    }
}

static void on_line(const struct work *w, struct tw_bytes line, int64_t after)
{
    switch (w->way->place) {
    case FIRST_LINE:
        if (first_line(w, line))
            w->way->place = FIELDS;
        else
            lose_framing(w);
        break;
    case FIELDS:
        if (line.len == 0)
            end_of_head(w, after);
        else
            field(w, line);
        break;
    case CHUNK_SIZE:
        chunk_size(w, line, after);
        break;
    case CHUNK_END:
        if (line.len == 0)
            w->way->place = CHUNK_SIZE;
        else
            lose_framing(w);
        break;
    case TRAILER:
        if (line.len == 0)
            end(w, after);
        break;
    default:
        break;
    }
}

/* Must data that is no head be the response to a pending request? */
static bool stands_for_answer(const struct work *w)
{
    return !w->asks && tw_transactions_outstanding(w->transactions) > 0;
}

/* Skip empty lines before a message (RFC 9112, section 2.2). */
static struct tw_bytes before_message(const struct work *w, struct tw_bytes rest, int64_t to)
{
    while (rest.len > 0 && (rest.data[0] == '\r' || rest.data[0] == '\n'))
        rest = tw_bytes_from(rest, 1);
    if (rest.len == 0) {
        if (w->asks)
            tw_transactions_asked(w->transactions, to);
        return rest;
    }
    if (tw_http_guess(rest) != TW_GUESS_NO || stands_for_answer(w))
        begin(w, to - (int64_t)rest.len);
    else
        lose_framing(w);
    return rest;
}

/* Process the head's lines that are complete in this piece, usually all; the start of an
 * incomplete one is kept. @return false if the head continues with a buffered line. */
static bool in_fields(const struct work *w, struct tw_bytes *rest, int64_t to)
{
    int64_t room = w->way->head_from + MAX_HEAD - (to - (int64_t)rest->len);
    struct tw_bytes head = tw_bytes_first(*rest, room > 0 ? (size_t)room : 0), line;
    size_t len = head.len;
    bool ends = false, cut = len < rest->len;

    while (!ends && tw_lines_take_whole(&head, &line)) {
        ends = line.len == 0;
        field(w, line);
    }
    *rest = tw_bytes_from(*rest, len - head.len);
    if (ends)
        end_of_head(w, to - (int64_t)rest->len);
    else if (!cut)
        tw_lines_begin(&w->way->lines, rest);
    return ends || rest->len == 0;
}

static void in_line(const struct work *w, struct tw_bytes *rest, int64_t to)
{
    struct tw_bytes line;
    bool head = w->way->place == FIRST_LINE || w->way->place == FIELDS;

    if (tw_lines_take(&w->way->lines, rest, &line))
        on_line(w, line, to - (int64_t)rest->len);
    if (head && to - (int64_t)rest->len - w->way->head_from > MAX_HEAD)
        lose_framing(w);
}

static void in_body(const struct work *w, struct tw_bytes *rest, int64_t to)
{
    int64_t left = w->way->body_end - (to - (int64_t)rest->len);
    bool last = left <= (int64_t)rest->len;

    *rest = tw_bytes_from(*rest, last ? (size_t)left : rest->len);
    if (!last)
        return;
    if (w->way->place == CHUNK)
        w->way->place = CHUNK_END;
    else
        end(w, w->way->body_end);
}

/* A response requires a pending request, unless requests are missing from the capture. */
static bool is_next_head(const struct work *w, struct tw_bytes bytes)
{
    if (w->asks)
        return tw_http_guess(bytes) == TW_GUESS_ASKER;
    return tw_http_status_line(bytes) != 0 &&
           (!w->http->asked || w->transactions->unseen || is_interim(w->way->status) ||
            tw_transactions_outstanding(w->transactions) > (w->transactions->answer_runs ? 1 : 0));
}

/* The asker goes on with what is no head, behind an answer whose status the snap length hides: that
 * was an interim one, and the final one is still to come. */
static void go_on(const struct work *w, struct tw_bytes rest)
{
    struct way *answer = &w->http->way[1];

    if (!w->transactions->end_guessed || !answer->message || answer->place != UNFRAMED ||
        answer->status != 0 || tw_http_guess(rest) != TW_GUESS_NO)
        return;
    tw_transactions_interim(w->transactions);
    tw_transactions_pass_nothing(w->transactions, !w->transactions->asker);
    answer->place = FIRST_LINE;
    answer->message = false;
}

/* A message without framing ends at the next head, which this piece may be. */
static void in_unframed(const struct work *w, struct tw_bytes rest, int64_t to)
{
    int64_t at = to - (int64_t)rest.len;

    if (!is_next_head(w, rest)) {
        if (w->asks)
            go_on(w, rest);
        if (!w->asks && w->way->message && !opens_tunnel(w))
            run_on(w);
        return;
    }
    end(w, at);
    if (!w->transactions->opaque)
        begin(w, at);
}

static void take(const struct work *w, struct tw_bytes rest, int64_t to)
{
    if (w->way->place == UNFRAMED)
        in_unframed(w, rest, to);
    while (rest.len > 0 && w->way->place != UNFRAMED && !w->transactions->opaque &&
           !w->transactions->switch_to) {
        if (w->way->place == FIRST_LINE && !w->way->message)
            rest = before_message(w, rest, to);
        else if (w->way->place == BODY || w->way->place == CHUNK)
            in_body(w, &rest, to);
        else if (w->way->place != FIELDS || w->way->lines.started || !in_fields(w, &rest, to))
            in_line(w, &rest, to);
    }
    if (!w->asks && w->transactions->at_will && w->http->stream != TW_NO_EXCHANGE && rest.len > 0)
        count_events(w, rest);
}

/*
 * Framing is lost from here on, together with the current message. Requests lost in a hole show
 * only by their responses, which then answer an empty one.
 */
static void gap_across_framing(const struct work *w, const struct tw_piece *gap)
{
    if (w->way->place == FIRST_LINE && w->way->message)
        first_line(w, tw_lines_cut(&w->way->lines));
    if (!w->way->message && (w->asks ? gap->cut : stands_for_answer(w)))
        begin(w, gap->from);
    if (w->way->place != UNFRAMED)
        lose_framing(w);
    if (!gap->cut)
        w->way->holed = true;
    else if (!w->asks && w->way->message && opens_tunnel(w))
        end(w, gap->to);
    else if (!w->asks && w->way->message)
        run_on(w);
}

static void take_gap(const struct work *w, const struct tw_piece *gap)
{
    struct way *way = w->way;
    struct tw_piece behind = *gap;

    if ((way->place == BODY || way->place == CHUNK) && gap->to < way->body_end)
        return;
    if (way->place == BODY) {
        behind.from = way->body_end;
        end(w, way->body_end);
    } else if (way->place == CHUNK && gap->to == way->body_end) {
        way->place = CHUNK_END;
        return;
    } else if (way->place == UNFRAMED && !gap->cut && !w->asks && w->transactions->answer_runs &&
               tw_transactions_outstanding(w->transactions) > 1) {
        /* A request was sent since, so its response may be in the hole. */
        end(w, gap->from);
    }
    if (behind.from < behind.to)
        gap_across_framing(w, &behind);
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct http *http = state;
    struct work w = {
        .http = http, .transactions = transactions, .way = &http->way[!asks], .asks = asks
    };

    if (p->gap)
        take_gap(&w, p);
    else
        take(&w, p->bytes, p->to);
}

static void clear(void *state)
{
    struct http *http = state;

    for (int i = 0; i < 2; i++)
        tw_lines_clear(&http->way[i].lines);
}

G_STATIC_ASSERT(sizeof(struct http) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_http = {
    .name = "http",
    .state_size = sizeof(struct http),
    .guess = tw_http_guess,
    .piece = piece,
    .clear = clear,
};
