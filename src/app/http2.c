/* SPDX-License-Identifier: MIT */
#include "app/http2.h"

#include <string.h>

#include "app/server_name.h"
#include "base/hash_table.h"

/* SETTINGS, RFC 9113, section 6.5.2. */
#define SETTING_LEN            6
#define MAX_CONCURRENT_STREAMS 3
#define INITIAL_WINDOW_SIZE    4
#define MAX_FRAME_SIZE         5
#define DEFAULT_WINDOW         65535
#define DEFAULT_FRAME          16384

/* Servers allow 100 to 1000 open streams at a time; with more, the connection goes on by turns. */
#define MAX_STREAMS 16384

/* Estimated heap usage: of a stream in its table, and of the tables of header fields. */
#define STREAM_BYTES (sizeof(struct tw_http2_stream) + 48)
#define TABLES_BYTES (2 * 8192)

/* Error codes, section 7. */
#define NO_ERROR 0
#define CANCEL   8

static const char *const errors[] = {
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
};

static const char *error_name(uint32_t code)
{
    return code < G_N_ELEMENTS(errors) ? errors[code] : "unknown error";
}

/* Fields of a header block that matter. */
struct fields {
    char method[32], path[256], type[40], authority[256];
    size_t method_len, path_len, authority_len;
    uint16_t status;
    bool has_status, has_length, has_grpc_status, has_unknown;
    uint32_t grpc_status;
};

/* ---- streams --------------------------------------------------------------------------------- */

struct tw_http2_stream *tw_http2_find(const struct tw_http2 *http2, uint32_t id)
{
    return tw_hash_table_lookup(http2->streams, GUINT_TO_POINTER(id));
}

static struct tw_http2_stream *follow(struct tw_http2 *http2, uint32_t id, uint32_t exchange)
{
    struct tw_http2_stream *stream = tw_new0(struct tw_http2_stream, 1);

    stream->id = id;
    stream->exchange = exchange;
    tw_hash_table_insert(http2->streams, GUINT_TO_POINTER(id), stream);
    tw_transactions_at(http2->transactions, exchange)->framed = true;
    tw_transactions_more(http2->transactions, exchange)->id = id;
    if (id & 1)
        http2->last_id = MAX(http2->last_id, id);
    http2->transactions->state_bytes += STREAM_BYTES;
    return stream;
}

static void forget(struct tw_http2 *http2, uint32_t id)
{
    if (tw_hash_table_remove(http2->streams, GUINT_TO_POINTER(id)))
        http2->transactions->state_bytes -= STREAM_BYTES;
}

/* @return NULL if there are too many: then the dissector is abandoned. */
static struct tw_http2_stream *open_stream(struct tw_http2 *http2, uint32_t id, int64_t from,
                                           int64_t to)
{
    struct tw_transactions *t = http2->transactions;
    uint32_t exchange;

    if (tw_hash_table_size(http2->streams) >= MAX_STREAMS) {
        tw_transactions_leave(t, t->protocol, from, t->reached[!t->asker]);
        return NULL;
    }
    exchange = tw_transactions_open(t, from, to);
    return exchange == TW_NO_EXCHANGE ? NULL : follow(http2, id, exchange);
}

/* The answerer speaks on a stream whose request the capture lacks, unless it is over. */
static struct tw_http2_stream *adopt(struct tw_http2 *http2, uint32_t id)
{
    int64_t asked = http2->transactions->reached[http2->transactions->asker];

    if (id < http2->missing_from || id >= http2->missing_to)
        return NULL;
    return open_stream(http2, id, asked, asked);
}

bool tw_http2_expects(const struct tw_http2 *http2, int way, uint32_t id)
{
    const uint32_t last = http2->last_id + 2 * MAX_STREAMS;

    if (tw_http2_find(http2, id))
        return true;
    if (way == 0)
        return id & 1 && id > http2->last_id && id < last;
    return id >= http2->missing_from && id < MIN(http2->missing_to, last);
}

/* Identifiers grow (RFC 9113, section 5.1.1): those up to the next request's may be missing. */
void tw_http2_lose(struct tw_http2 *http2, int way)
{
    http2->holes[way] = true;
    if (http2->hpack[way])
        tw_hpack_lose(http2->hpack[way]);
    if (way == 1)
        return;
    if (http2->missing_to == 0)
        http2->missing_from = http2->last_id + 1;
    http2->missing_to = UINT32_MAX;
}

static void count(struct tw_http2 *http2, int way, const struct tw_http2_stream *stream,
                  int64_t bytes)
{
    tw_transactions_more(http2->transactions, stream->exchange)->bytes[way] += (uint64_t)bytes;
}

/* The stream's message goes on to that offset. */
static void extend(struct tw_http2 *http2, int way, struct tw_http2_stream *stream, int64_t from,
                   int64_t to)
{
    struct tw_exchange *e = tw_transactions_at(http2->transactions, stream->exchange);

    if (way == 0) {
        e->request_to = MAX(e->request_to, to);
        return;
    }
    if (!stream->responds)
        e->response_from = from;
    stream->responds = true;
    e->response_to = to;
}

/* ---- header fields --------------------------------------------------------------------------- */

static bool is(struct tw_bytes name, const char *word)
{
    return name.len == strlen(word) && memcmp(name.data, word, name.len) == 0;
}

static size_t keep(char *to, size_t size, struct tw_bytes value)
{
    value = tw_bytes_first(value, size);
    memcpy(to, value.data, value.len);
    return value.len;
}

static uint32_t number(struct tw_bytes value)
{
    uint32_t n = 0;

    for (size_t i = 0; i < value.len && i < 6 && g_ascii_isdigit(value.data[i]); i++)
        n = n * 10 + value.data[i] - '0';
    return n;
}

static void field(void *user, struct tw_bytes name, struct tw_bytes value)
{
    struct fields *f = user;

    if (is(name, ":method")) {
        f->method_len = keep(f->method, sizeof f->method, value);
    } else if (is(name, ":path")) {
        f->path_len = keep(f->path, sizeof f->path, value);
    } else if (is(name, ":authority")) {
        f->authority_len = keep(f->authority, sizeof f->authority, value);
    } else if (is(name, ":status")) {
        f->status = value.len == 3 ? (uint16_t)number(value) : 0;
        f->has_status = true;
    } else if (is(name, "content-type")) {
        f->type[keep(f->type, sizeof f->type - 1, value)] = '\0';
    } else if (is(name, "content-length")) {
        f->has_length = true;
    } else if (is(name, "grpc-status")) {
        f->grpc_status = number(value);
        f->has_grpc_status = true;
    } else if (is(name, TW_HPACK_UNKNOWN)) {
        f->has_unknown = true;
    }
}

static bool is_type(const struct fields *f, const char *type)
{
    return strncmp(f->type, type, strlen(type)) == 0;
}

static void name_request(struct tw_http2 *http2, struct tw_http2_stream *stream,
                         const struct fields *f)
{
    struct tw_bytes verb = tw_bytes((const uint8_t *)f->method, f->method_len);
    struct tw_bytes path = tw_bytes((const uint8_t *)f->path, f->path_len);

    /* Only CONNECT goes without a path (section 8.3.1). */
    if (path.len == 0 && verb.len > 0 && !is(verb, "CONNECT"))
        path = tw_bytes((const uint8_t *)TW_HPACK_UNKNOWN, strlen(TW_HPACK_UNKNOWN));
    stream->grpc = is_type(f, "application/grpc");
    stream->untyped = f->has_unknown && f->type[0] == '\0';
    if (stream->grpc) {
        verb = tw_bytes_first(verb, 0);
        tw_transactions_at(http2->transactions, stream->exchange)->protocol = "grpc";
    }
    tw_transactions_name_at(http2->transactions, stream->exchange, verb, path);
    /* RFC 8441: a WebSocket. Both sides send at any time. */
    if (is(tw_bytes((const uint8_t *)f->method, f->method_len), "CONNECT"))
        tw_transactions_at(http2->transactions, stream->exchange)->at_will = true;
    else
        tw_server_name_take(http2->transactions,
                            tw_bytes((const uint8_t *)f->authority, f->authority_len));
}

static void grpc_status(struct tw_http2 *http2, const struct tw_http2_stream *stream,
                        const struct fields *f)
{
    char text[32];

    if (!f->has_grpc_status || f->grpc_status == 0)
        return;
    g_snprintf(text, sizeof text, "grpc-status %u", f->grpc_status);
    tw_transactions_detail(http2->transactions, stream->exchange, text);
}

/* Interim responses (RFC 9110, section 15.2) are not the response; what follows it are trailers. */
static void respond(struct tw_http2 *http2, struct tw_http2_stream *stream, const struct fields *f,
                    const struct tw_http2_frame *frame, int64_t to)
{
    bool interim = f->has_status && f->status / 100 == 1;
    struct tw_exchange *e;

    count(http2, 1, stream, to - frame->from);
    grpc_status(http2, stream, f);
    if (interim && !(frame->flags & TW_HTTP2_END_STREAM))
        return;
    e = tw_transactions_at(http2->transactions, stream->exchange);
    if (!stream->responds) {
        e->status = f->status;
        e->in_pieces = !f->has_length;
        e->at_will |= is_type(f, "text/event-stream");
    }
    if (is_type(f, "application/grpc") && !stream->grpc) {
        stream->grpc = true;
        e->protocol = "grpc";
    }
    extend(http2, 1, stream, frame->from, to);
}

static void ask(struct tw_http2 *http2, const struct fields *f, const struct tw_http2_frame *frame,
                int64_t to)
{
    struct tw_http2_stream *stream = tw_http2_find(http2, frame->id);

    if (stream) { /* trailers */
        extend(http2, 0, stream, frame->from, to);
        count(http2, 0, stream, to - frame->from);
        return;
    }
    if (frame->id <= http2->last_id)
        return;
    if (http2->missing_to == UINT32_MAX)
        http2->missing_to = frame->id;
    stream = open_stream(http2, frame->id, frame->from, to);
    if (!stream)
        return;
    count(http2, 0, stream, to - frame->from);
    name_request(http2, stream, f);
}

/* The request of a pushed response comes from its sender. */
static void promise(struct tw_http2 *http2, const struct fields *f,
                    const struct tw_http2_frame *frame)
{
    int64_t asked = http2->transactions->reached[http2->transactions->asker];
    struct tw_http2_stream *stream;

    if (frame->id == 0 || frame->id & 1 || tw_http2_find(http2, frame->id))
        return;
    stream = open_stream(http2, frame->id, asked, asked);
    if (!stream)
        return;
    stream->ended[0] = true;
    name_request(http2, stream, f);
}

void tw_http2_headers(struct tw_http2 *http2, int way, const struct tw_http2_frame *frame,
                      int64_t to, struct tw_bytes block)
{
    struct fields f = { .has_status = false };
    struct tw_http2_stream *stream;

    if (!http2->hpack[way])
        http2->hpack[way] = tw_hpack_new(http2->begun && !http2->holes[way]);
    if (http2->hpack[way])
        tw_hpack_read(http2->hpack[way], block, field, &f);
    if (frame->type == TW_HTTP2_PUSH_PROMISE) {
        promise(http2, &f, frame);
        return;
    }
    if (way == 0) {
        ask(http2, &f, frame, to);
        return;
    }
    stream = tw_http2_find(http2, frame->id);
    if (!stream)
        stream = adopt(http2, frame->id);
    if (stream)
        respond(http2, stream, &f, frame, to);
}

/* ---- data ------------------------------------------------------------------------------------ */

static bool knows_windows(const struct tw_http2 *http2)
{
    return http2->begun && !http2->holes[0] && !http2->holes[1];
}

static void use_windows(struct tw_http2 *http2, int way, struct tw_http2_stream *stream,
                        uint32_t bytes)
{
    struct tw_transactions *t = http2->transactions;
    tcpwhy_ns ns;

    if (!knows_windows(http2) || bytes == 0)
        return;
    ns = tw_flow_window_use(&http2->window[way], DEFAULT_WINDOW, bytes, t->now_ns);
    tw_flow_window_note(&t->facts.connection_window[way], ns, t->now_frame);
    if (!stream)
        return;
    ns = tw_flow_window_use(&stream->window[way], http2->initial_window[way], bytes, t->now_ns);
    tw_flow_window_note(&t->facts.stream_window[way], ns, t->now_frame);
    if (way == 1 && ns > 0)
        tw_transactions_more(t, stream->exchange)->blocked_ns += ns;
}

struct tw_http2_stream *tw_http2_data(struct tw_http2 *http2, int way,
                                      const struct tw_http2_frame *frame)
{
    struct tw_http2_stream *stream = tw_http2_find(http2, frame->id);

    if (!stream && way == 1)
        stream = adopt(http2, frame->id);
    use_windows(http2, way, stream, frame->len);
    if (!stream)
        return NULL;
    extend(http2, way, stream, frame->from, frame->to);
    count(http2, way, stream, frame->to - frame->from);
    return stream;
}

void tw_http2_end_stream(struct tw_http2 *http2, int way, uint32_t id)
{
    struct tw_http2_stream *stream = tw_http2_find(http2, id);

    if (!stream)
        return;
    stream->ended[way] = true;
    if (way == 1)
        tw_transactions_at(http2->transactions, stream->exchange)->complete = true;
    if (stream->ended[0] && stream->ended[1])
        forget(http2, id);
}

/* ---- control --------------------------------------------------------------------------------- */

static void setting(struct tw_http2 *http2, int way, uint16_t id, uint32_t value)
{
    struct tw_http2_settings *s = &http2->transactions->facts.settings[way];

    if (id == MAX_CONCURRENT_STREAMS)
        s->streams = value;
    else if (id == INITIAL_WINDOW_SIZE)
        s->window = http2->initial_window[!way] = value & 0x7fffffff;
    else if (id == MAX_FRAME_SIZE)
        s->frame_bytes = value;
}

static void settings(struct tw_http2 *http2, int way, struct tw_bytes payload)
{
    struct tw_app_facts *facts = &http2->transactions->facts;

    if (http2->begun && facts->settings[way].frame == 0)
        facts->settings[way] = (struct tw_http2_settings) {
            .frame = http2->transactions->now_frame,
            .streams = UINT32_MAX,
            .window = DEFAULT_WINDOW,
            .frame_bytes = DEFAULT_FRAME,
        };
    for (; payload.len >= SETTING_LEN; payload = tw_bytes_from(payload, SETTING_LEN))
        setting(http2, way, tw_be16(payload, 0), tw_be32(payload, 2));
    if (http2->begun)
        facts->initial_window[!way] = http2->initial_window[!way];
}

static void note_reset(struct tw_http2 *http2, int way, uint32_t id, uint32_t code)
{
    struct tw_stream_resets *resets = &http2->transactions->facts.resets;

    if (resets->n++ == 0)
        *resets = (struct tw_stream_resets) {
            .n = 1,
            .frame = http2->transactions->now_frame,
            .stream = id,
            .at_ns = http2->transactions->now_ns,
            .error = error_name(code),
            .by_asker = way == 0,
        };
}

/* Section 8.1: a server that needs no more of the request says so with NO_ERROR; section 7: who
 * needs the stream no more, with CANCEL. */
static void reset(struct tw_http2 *http2, int way, uint32_t id, uint32_t code)
{
    struct tw_http2_stream *stream = tw_http2_find(http2, id);
    char text[64];

    if (!stream)
        return;
    if (code != NO_ERROR && !stream->ended[1]) {
        if (code != CANCEL || way == 1)
            note_reset(http2, way, id, code);
        g_snprintf(text, sizeof text, "RST_STREAM %s", error_name(code));
        tw_transactions_detail(http2->transactions, stream->exchange, text);
    }
    forget(http2, id);
}

/* Streams above the last one that GOAWAY names were not served (section 6.8). */
static void go_away(struct tw_http2 *http2, int way, struct tw_bytes payload)
{
    uint32_t last = tw_be32(payload, 0) & 0x7fffffff;
    struct tw_app_facts *facts = &http2->transactions->facts;
    tw_hash_table_iter i;
    gpointer key, value;

    if (http2->goes[way] && facts->goaway_error[way] == tw_be32(payload, 4))
        return;
    http2->goes[way] = facts->goaway[way] = true;
    facts->goaway_error[way] = tw_be32(payload, 4);
    facts->goaway_name[way] = error_name(facts->goaway_error[way]);
    facts->goaway_frame[way] = http2->transactions->now_frame;
    facts->goaway_ns[way] = http2->transactions->now_ns;
    if (way == 0)
        return;
    facts->unserved = 0;
    tw_hash_table_iter_init(&i, http2->streams);
    while (tw_hash_table_iter_next(&i, &key, &value)) {
        const struct tw_http2_stream *stream = value;

        if (stream->id <= last || stream->responds)
            continue;
        facts->unserved++;
        tw_transactions_detail(http2->transactions, stream->exchange, "GOAWAY");
    }
}

static void ping(struct tw_http2 *http2, int way, uint8_t flags)
{
    struct tw_app_facts *facts = &http2->transactions->facts;
    tcpwhy_ns now_ns = http2->transactions->now_ns, took_ns;

    if (!(flags & TW_HTTP2_ACK)) {
        http2->ping_ns[way] = MAX(now_ns, 1);
        return;
    }
    if (!http2->ping_ns[!way])
        return;
    took_ns = now_ns - http2->ping_ns[!way];
    http2->ping_ns[!way] = 0;
    facts->ping_min_ns = facts->pings > 0 ? MIN(facts->ping_min_ns, took_ns) : took_ns;
    if (facts->pings++ == 0)
        facts->pings_frame = http2->transactions->now_frame;
}

static void window_update(struct tw_http2 *http2, int way, uint32_t id, uint32_t bytes)
{
    struct tw_http2_stream *stream = id ? tw_http2_find(http2, id) : NULL;
    tcpwhy_ns now_ns = http2->transactions->now_ns;

    if (!knows_windows(http2))
        return;
    if (id == 0)
        tw_flow_window_open(&http2->window[!way], DEFAULT_WINDOW, bytes, now_ns);
    else if (stream)
        tw_flow_window_open(&stream->window[!way], http2->initial_window[!way], bytes, now_ns);
}

void tw_http2_control(struct tw_http2 *http2, int way, const struct tw_http2_frame *frame,
                      struct tw_bytes payload)
{
    switch (frame->type) {
    case TW_HTTP2_SETTINGS:
        if (!(frame->flags & TW_HTTP2_ACK))
            settings(http2, way, payload);
        break;
    case TW_HTTP2_RST_STREAM:
        reset(http2, way, frame->id, tw_be32(payload, 0));
        break;
    case TW_HTTP2_PING:
        ping(http2, way, frame->flags);
        break;
    case TW_HTTP2_GOAWAY:
        go_away(http2, way, payload);
        break;
    case TW_HTTP2_WINDOW_UPDATE:
        window_update(http2, way, frame->id, tw_be32(payload, 0) & 0x7fffffff);
        break;
    default:
        break;
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

void tw_http2_begin(struct tw_http2 *http2, struct tw_transactions *transactions, bool begun)
{
    *http2 = (struct tw_http2) {
        .transactions = transactions,
        .streams = tw_hash_table_new_full(NULL, NULL, NULL, tw_free),
        .begun = begun,
        .missing_to = begun ? 0 : UINT32_MAX,
        .initial_window = { DEFAULT_WINDOW, DEFAULT_WINDOW },
    };
    transactions->facts.http2 = true;
    transactions->interleaved = true;
    transactions->state_bytes += TABLES_BYTES;
    if (begun)
        for (int i = 0; i < 2; i++)
            transactions->facts.initial_window[i] = DEFAULT_WINDOW;
    if (transactions->switch_answer != TW_NO_EXCHANGE) {
        struct tw_exchange *e = tw_transactions_at(transactions, transactions->switch_answer);
        uint32_t exchange = transactions->switch_answer;

        e->protocol = "http2";
        e->response_from = e->response_to = 0;
        follow(http2, 1, exchange)->ended[0] = true;
        count(http2, 0, tw_http2_find(http2, 1), e->request_to - e->request_from);
    }
}

void tw_http2_end(struct tw_http2 *http2)
{
    if (http2->streams)
        tw_hash_table_unref(http2->streams);
    for (int i = 0; i < 2; i++)
        tw_hpack_free(http2->hpack[i]);
}
