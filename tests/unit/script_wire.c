/* SPDX-License-Identifier: MIT */
/* Conversations in a script: what each side says, and the exchanges that dissectors make of it. */
#include <stdio.h>
#include <string.h>

#include "app/tls_keys.h"
#include "tests/unit/app_wire.h"
#include "tests/unit/script.h"

struct script_wire {
    struct wire wire;
    struct tw_tls_keys *keys; /* or NULL */
    int64_t n_keys;           /* of them */
    bool built, forgets;      /* ... exchanges; the bytes */
};

void script_hang_up(struct script *s)
{
    if (s->wire) {
        wire_close(&s->wire->wire);
        tw_tls_keys_free(s->wire->keys);
    }
    tw_free(s->wire);
    s->wire = NULL;
}

/* conversation [midstream] */
void script_converse(struct script_at *a)
{
    struct script *s = a->script;

    script_hang_up(s);
    s->wire = tw_new0(struct script_wire, 1);
    if (script_takes(a, "midstream"))
        wire_open_midstream(&s->wire->wire);
    else
        wire_open(&s->wire->wire);
}

/* ---- what sides say -------------------------------------------------------------------------- */

/* ack, FIN, RST: a frame without payload; lost N: bytes that the capture lacks. */
static bool says_nothing(struct script_at *a, struct wire *w, enum tcpwhy_side from)
{
    if (script_takes(a, "ack"))
        wire_ack(w, from);
    else if (script_takes(a, "FIN"))
        wire_flags(w, from, TW_FIN | TW_ACK);
    else if (script_takes(a, "RST"))
        wire_flags(w, from, TW_RST);
    else if (script_takes(a, "lost"))
        w->next[from] += script_number(a->script, script_sum(a));
    else
        return false;
    return true;
}

/* TEXT ... [at N] [acks N] [captured N] [long N] [keep_alive | probe] */
static void says(struct script_at *a, struct wire *w, enum tcpwhy_side from)
{
    struct script *s = a->script;
    struct script_value text = script_sum(a);
    struct wire_frame f = { .from = from,
                            .flags = TW_ACK | TW_PSH,
                            .seq = w->next[from],
                            .ack = wire_other_next(w, from),
                            .frame_class = TCPWHY_CLASS_DATA };
    uint32_t captured;

    f.bytes = script_bytes(s, text)->data ? (const void *)text.list->data : "";
    f.len = captured = text.list->len;
    for (;; script_blank(a))
        if (script_takes(a, "at"))
            f.seq = script_number(s, script_sum(a));
        else if (script_takes(a, "acks"))
            f.ack = script_number(s, script_sum(a));
        else if (script_takes(a, "captured"))
            captured = (uint32_t)script_number(s, script_sum(a));
        else if (script_takes(a, "long"))
            f.len = (uint32_t)script_number(s, script_sum(a));
        else if (script_takes(a, "keep_alive"))
            f.frame_class = TCPWHY_CLASS_KEEP_ALIVE;
        else if (script_takes(a, "probe"))
            f.frame_class = TCPWHY_CLASS_WINDOW_PROBE;
        else
            break;
    f.captured = MIN(captured, text.list->len);
    wire_push(w, &f);
}

void script_says(struct script_at *a, enum tcpwhy_side from)
{
    struct script *s = a->script;

    if (!s->wire)
        script_wrong(s, "conversation is missing");
    s->wire->built = false;
    if (!says_nothing(a, &s->wire->wire, from))
        says(a, &s->wire->wire, from);
    if (*a->p)
        script_wrong(s, "\"%s\" is left over", a->p);
}

static const struct tw_exchanges *exchanges_of(struct script *s)
{
    struct script_wire *own = s->wire;

    if (!own->built) {
        tw_exchanges_clear(&own->wire.exchanges);
        if (own->forgets)
            tw_exchanges_build(own->wire.log, NULL, &own->wire.exchanges);
        else
            wire_exchanges(&own->wire);
    }
    own->built = true;
    return &own->wire.exchanges;
}

/* ---- what is read and set of it ----------------------------------------------------------------
 */

/* @return whether there is a fact of that name. */
static bool fact_of(const struct tw_app_facts *f, const char *name, int64_t *n)
{
    const struct {
        const char *name;
        int64_t n;
    } facts[] = {
        { "credits.n", f->credits.n },
        { "credits.frame", f->credits.frame },
        { "credits.ns", f->credits.ns },
        { "resets.n", f->resets.n },
        { "resets.stream", f->resets.stream },
        { "resets.by_asker", f->resets.by_asker },
        { "asker.streams", f->settings[0].streams },
        { "asker.window", f->settings[0].window },
        { "answerer.streams", f->settings[1].streams },
        { "answerer.window", f->settings[1].window },
        { "answerer.frame_bytes", f->settings[1].frame_bytes },
        { "answerer.initial_window", f->initial_window[1] },
        { "answerer.goaway", f->goaway[1] },
        { "answerer.goaway_error", f->goaway_error[1] },
        { "stream_window.n", f->stream_window[1].n },
        { "stream_window.ns", f->stream_window[1].ns },
        { "connection_window.n", f->connection_window[1].n },
        { "tls.asked", f->tls == TW_TLS_ASKED },
        { "tls.greeted", f->tls == TW_TLS_GREETED },
        { "tls.left", f->tls == TW_TLS_LEFT },
        { "tls.open", f->tls == TW_TLS_OPEN },
        { "left_frame", f->left_frame },
        { "alert", f->alert },
        { "alert_frame", f->alert_frame },
        { "plain_frame", f->plain_frame },
        { "plain_by_asker", f->plain_by_asker },
        { "websocket_closed", f->websocket_closed },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
        if (strcmp(name, facts[i].name) == 0) {
            *n = facts[i].n;
            return true;
        }
    return false;
}

static bool read_fact(struct script *s, const char *name, struct script_value *value)
{
    static const struct tw_app_facts none;
    const struct tw_exchanges *x;
    int64_t n;

    if (!fact_of(&none, name, &n)) /* nor are exchanges built */
        return false;
    x = exchanges_of(s);
    fact_of(x->facts ? x->facts : &none, name, &n);
    *value = script_count(n);
    return true;
}

bool script_read_wire(struct script *s, const char *name, struct script_value *value)
{
    if (!s->wire)
        return false;
    if (strcmp(name, "C.next") == 0 || strcmp(name, "S.next") == 0)
        *value = script_count(s->wire->wire.next[name[0] == 'C' ? C : S]);
    else if (strcmp(name, "grew") == 0)
        *value = script_count(s->wire->wire.grew);
    else if (strcmp(name, "frames") == 0)
        *value = script_count(s->wire->wire.frame);
    else if (strcmp(name, "memory") == 0)
        *value = script_count((int64_t)tw_app_bytes(&s->wire->wire.app));
    else if (strcmp(name, "keys_read") == 0)
        *value = script_count(s->wire->n_keys);
    else if (strcmp(name, "keys_any") == 0)
        *value = script_count(s->wire->keys && tw_tls_keys_any(s->wire->keys));
    else if (strcmp(name, "exchanges") == 0)
        *value = script_count(exchanges_of(s)->n);
    else
        return read_fact(s, name, value);
    return true;
}

/* key_log TEXT: lines of a key log. */
static void add_keys(struct script_at *a, struct script_wire *own)
{
    const tw_array *text = script_bytes(a->script, script_sum(a));

    if (!own->keys)
        own->wire.app.keys = own->keys = tw_tls_keys_new();
    own->n_keys +=
        (int64_t)tw_tls_keys_add(own->keys, tw_bytes((const uint8_t *)text->data, text->len));
}

/* show_values: of statements, as the user may ask; forget_bytes: the log alone makes exchanges. */
bool script_set_wire(struct script_at *a)
{
    if (!a->script->wire)
        return false;
    if (script_takes(a, "show_values"))
        a->script->wire->wire.app.values = true;
    else if (script_takes(a, "key_log"))
        add_keys(a, a->script->wire);
    else if (script_takes(a, "forget_bytes"))
        a->script->wire->forgets = true;
    else
        return false;
    a->script->wire->built = false;
    return true;
}

/* ---- what is expected of an exchange -----------------------------------------------------------
 */

/* A field of an exchange: a text, or a number. */
struct field {
    const char *name, *text;
    int64_t n;
    bool flag;
};

enum { N_FIELDS = 33 };

#define FLAG(field)                                                                                \
    {                                                                                              \
#field, NULL, e->field, true                                                               \
    }
#define FRAME(field)                                                                               \
    {                                                                                              \
#field, NULL, wire_frame_of(w, e->field), false                                            \
    }
#define COUNT(field)                                                                               \
    {                                                                                              \
#field, NULL, (int64_t)(e->field), false                                                   \
    }

static size_t fields_of(const struct wire *w, const struct tw_exchange *e,
                        struct field fields[N_FIELDS])
{
    static const struct tw_exchange_more none;
    const struct tw_exchange_more *m = e->more ? &w->exchanges.more[e->more - 1] : &none;
    const struct field all[] = {
        { "protocol", e->protocol, 0, false },
        { "request", e->request, 0, false },
        { "detail", m->detail ? m->detail : "", 0, false },
        { "asker", NULL, e->asker, false },
        { "request_bytes", NULL, e->request_to - e->request_from, false },
        { "response_bytes", NULL, e->response_to - e->response_from, false },
        { "asked_messages", NULL, m->messages[0], false },
        { "answered_messages", NULL, m->messages[1], false },
        { "answered_bytes", NULL, (int64_t)m->bytes[1], false },
        { "stream", NULL, m->id, false },
        { "blocked_ns", NULL, m->blocked_ns, false },
        { "more", NULL, e->more > 0, true },
        { "in_order", NULL, e == w->exchanges.exchange || e[-1].request_from <= e->request_from,
          true },
        COUNT(status),
        COUNT(request_from),
        COUNT(request_to),
        COUNT(response_from),
        COUNT(response_to),
        FRAME(request_first),
        FRAME(request_last),
        FRAME(response_first),
        FRAME(response_last),
        FRAME(response_acked),
        FLAG(complete),
        FLAG(framed),
        FLAG(at_will),
        FLAG(stands),
        FLAG(in_pieces),
        FLAG(asks_in_pieces),
        FLAG(expects),
        FLAG(of_session),
        FLAG(one_way),
        FLAG(lapsed),
    };

    G_STATIC_ASSERT(G_N_ELEMENTS(all) <= N_FIELDS);
    memcpy(fields, all, sizeof all);
    return G_N_ELEMENTS(all);
}

/* FLAG, no FLAG, NAME VALUE, NAME begins TEXT, or NAME has TEXT. */
static bool holds(struct script_at *a, const struct field *f, bool no)
{
    struct script *s = a->script;
    struct script_value v;
    bool begins, has;

    if (f->flag || no)
        return (f->text ? *f->text != '\0' : f->n != 0) != no;
    if (!f->text)
        return script_number(s, script_sum(a)) == f->n;
    begins = script_takes(a, "begins");
    has = !begins && script_takes(a, "has");
    v = script_sum(a);
    if (begins || has) {
        const tw_array *bytes = script_bytes(s, v);
        char *text = tw_strndup(bytes->data, bytes->len);
        const char *found = strstr(f->text, text);

        tw_free(text);
        return has ? found != NULL : found == f->text;
    }
    if (v.kind == SCRIPT_WORD)
        return strcmp(v.word, f->text) == 0;
    return script_same_text(s, v, script_text(s, f->text, strlen(f->text)));
}

static void expect_field(struct script_at *a, const struct tw_exchange *e, const char *line)
{
    struct field fields[N_FIELDS];
    size_t n = fields_of(&a->script->wire->wire, e, fields), i = 0;
    bool no = script_takes(a, "no");
    const char *name = script_name(a);

    while (i < n && (!name || strcmp(name, fields[i].name) != 0))
        i++;
    if (i == n)
        script_wrong(a->script, "an exchange has no \"%s\"", name ? name : a->p);
    if (holds(a, &fields[i], no))
        return;
    script_begin_failure(a->script, line);
    if (fields[i].text)
        printf("  + %s \"%s\"\n", name, fields[i].text);
    else
        printf("  + %s %" PRId64 "\n", name, fields[i].n);
}

/* I: FIELD, FIELD ... */
static bool expect_exchange(struct script_at *a, const char *line)
{
    struct script *s = a->script;
    struct script_at ahead = *a;
    struct script_value i = script_sum(&ahead);
    const struct tw_exchanges *x;

    if (!script_takes(&ahead, ":"))
        return false;
    *a = ahead;
    x = exchanges_of(s);
    if (script_number(s, i) < 0 || script_number(s, i) >= x->n) {
        script_begin_failure(s, line);
        printf("  + %u exchanges\n", x->n);
        a->p += strlen(a->p);
        return true;
    }
    do
        expect_field(a, &x->exchange[script_number(s, i)], line);
    while (script_takes(a, ","));
    return true;
}

/* ---- all of them -------------------------------------------------------------------------------
 */

/* NAME BYTES BYTES[!][~][>] [DETAIL]: of request and response; not complete, at will, one way. */
static char *told_of(const struct tw_exchanges *x, const struct tw_exchange *e)
{
    const char *detail = e->more ? x->more[e->more - 1].detail : NULL;

    return g_strdup_printf("%s %d %d%s%s%s%s%s", e->request[0] ? e->request : "-",
                           (int)(e->request_to - e->request_from),
                           (int)(e->response_to - e->response_from), e->complete ? "" : "!",
                           e->at_will ? "~" : "", e->one_way ? ">" : "", detail ? " " : "",
                           detail ? detail : "");
}

/* told PROTOCOL with a block of all exchanges, one a line. */
static void expect_told(struct script_at *a)
{
    struct script *s = a->script;
    const char *protocol = script_word(a);
    tw_ptr_array *expected = script_block_lines(s);
    tw_ptr_array *found = tw_ptr_array_new_with_free_func(g_free);
    const struct tw_exchanges *x = exchanges_of(s);

    for (uint32_t i = 0; i < x->n; i++) {
        tw_ptr_array_add(found, told_of(x, &x->exchange[i]));
        if (!protocol || strcmp(x->exchange[i].protocol, protocol) != 0) {
            script_begin_failure(s, protocol ? protocol : "a protocol");
            printf("  + %s\n", x->exchange[i].protocol);
        }
    }
    script_compare_lines(s, expected, found, "these exchanges");
    tw_ptr_array_unref(expected);
    tw_ptr_array_unref(found);
}

/* foreign PROTOCOL SIDE: TEXT: that, first of all, and an ACK of it are no exchange of that
 * protocol. */
void script_foreign(struct script_at *a)
{
    struct script *s = a->script;
    const char *protocol = script_word(a), *line = script_line_of(s, s->at).text;
    enum tcpwhy_side side;
    const struct tw_exchanges *x;

    if (!protocol || !script_speaker(a, &side))
        script_wrong(s, "foreign PROTOCOL SIDE: TEXT is wanted");
    script_converse(a);
    script_says(a, side);
    wire_ack(&s->wire->wire, !side);
    x = exchanges_of(s);
    for (uint32_t i = 0; i < x->n; i++)
        if (strcmp(x->exchange[i].protocol, protocol) == 0) {
            script_begin_failure(s, line);
            printf("  + exchange %u\n", i);
        }
}

/* A text that is expected: server, as the client calls it, or reset, the error of the first. */
static void expect_name(struct script_at *a, const char *name, bool no, const char *line)
{
    const char *found = name ? name : "";

    if (no ? !name
           : script_same_text(a->script, script_sum(a),
                              script_text(a->script, found, strlen(found))))
        return;
    script_begin_failure(a->script, line);
    printf("  + %s\n", found);
}

static void expect_server(struct script_at *a, bool no, const char *line)
{
    expect_name(a, exchanges_of(a->script)->server_name, no, line);
}

bool script_expect_wire(struct script_at *a, const char *line)
{
    struct script_at ahead = *a;

    if (!a->script->wire)
        return false;
    if (script_takes(a, "told"))
        expect_told(a);
    else if (script_takes(a, "server"))
        expect_server(a, false, line);
    else if (script_takes(a, "reset"))
        expect_name(a, exchanges_of(a->script)->facts->resets.error, false, line);
    else if (script_takes(&ahead, "no") && script_takes(&ahead, "server"))
        *a = ahead, expect_server(a, true, line);
    else
        return expect_exchange(a, line);
    return true;
}
