/* SPDX-License-Identifier: MIT */
#include "app/http_head.h"

#include <string.h>

#include <glib.h>

#define VERSION     "HTTP/1."
#define VERSION_LEN 7

/* CONNECT, PROPPATCH, MKCALENDAR, UPDATEREDIRECTREF: registered methods have at most 17 letters. */
#define MAX_METHOD 17

/* Relevant header fields; tw_http_may_count() knows their first letters. */
#define LENGTH  "Content-Length"
#define TYPE    "Content-Type"
#define CODING  "Transfer-Encoding"
#define UPGRADE "Upgrade"
#define EXPECT  "Expect"
#define HOST    "Host"

/* Limit for body lengths; the sum of two still fits. */
#define MAX_LENGTH (INT64_MAX / 4)

static bool begins(struct tw_bytes bytes, const char *word)
{
    size_t n = strlen(word);

    return bytes.len >= n && memcmp(bytes.data, word, n) == 0;
}

/* Are the available bytes a proper prefix of word? */
static bool may_become(struct tw_bytes bytes, const char *word)
{
    return bytes.len < strlen(word) && (bytes.len == 0 || memcmp(bytes.data, word, bytes.len) == 0);
}

static size_t index_of(struct tw_bytes bytes, char c)
{
    const uint8_t *p = bytes.len > 0 ? memchr(bytes.data, c, bytes.len) : NULL;

    return p ? (size_t)(p - bytes.data) : bytes.len;
}

static bool is_of_method(uint8_t c)
{
    return (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

static size_t method_len(struct tw_bytes bytes)
{
    size_t n = 0;

    while (n < bytes.len && is_of_method(bytes.data[n]))
        n++;
    return n;
}

/* A host name or address; NATS starts with CONNECT, too, followed by a JSON object. */
static bool may_be_authority(struct tw_bytes target)
{
    return g_ascii_isalnum((gchar)target.data[0]) || target.data[0] == '[';
}

/* RFC 9112, section 3.2: a path, an absolute URL, an authority after CONNECT, or an asterisk
 * after OPTIONS. "PRI *" is HTTP/2 (RFC 9113, 3.4). */
static bool may_be_target(struct tw_bytes method, struct tw_bytes target)
{
    return target.data[0] == '/' || begins(target, "http") || may_become(target, "http") ||
           (target.data[0] == '*' && begins(method, "OPTIONS")) ||
           (begins(method, "CONNECT") && may_be_authority(target));
}

/* Behind the last blank; the length if there is none. */
static size_t behind_last_blank(struct tw_bytes rest)
{
    for (size_t at = rest.len; at > 0; at--)
        if (tw_u8(rest, at - 1) == ' ')
            return at;
    return rest.len;
}

/* After the last blank of a line, if a version follows (servers accept blanks in targets; RFC
 * 9112, section 3); else the start of a truncated line's version. */
static size_t version_at(struct tw_bytes rest)
{
    size_t at = behind_last_blank(rest);

    return begins(tw_bytes_from(rest, at), VERSION) ? at : index_of(rest, ' ') + 1;
}

/* A complete line without a version is not HTTP: FTP has paths, too ("CWD /pub"). Usually the
 * version follows the first blank. */
static bool lacks_version(struct tw_bytes target)
{
    struct tw_bytes line;

    if (begins(tw_bytes_from(target, index_of(target, ' ') + 1), VERSION))
        return false;
    line = tw_bytes_first(target, index_of(target, '\n'));
    return line.len < target.len && !begins(tw_bytes_from(line, version_at(line)), VERSION);
}

/* May this be a request, apart from the version? n: the length of the possible method. */
static enum tw_guess guess_request(struct tw_bytes first, size_t n)
{
    struct tw_bytes target = tw_bytes_from(first, n + 1);

    if (n > MAX_METHOD || (n == 0 && first.len > 0))
        return TW_GUESS_NO;
    if (n == first.len)
        return TW_GUESS_MORE;
    if (n < 3 || first.data[n] != ' ')
        return TW_GUESS_NO;
    if (target.len == 0)
        return TW_GUESS_MORE;
    return may_be_target(tw_bytes_first(first, n), target) ? TW_GUESS_ASKER : TW_GUESS_NO;
}

/* Including the version, if the line is complete. */
static enum tw_guess guess_request_line(struct tw_bytes first)
{
    size_t n = method_len(first);
    enum tw_guess guess = guess_request(first, n);

    return guess == TW_GUESS_ASKER && lacks_version(tw_bytes_from(first, n + 1)) ? TW_GUESS_NO
                                                                                 : guess;
}

enum tw_guess tw_http_guess(struct tw_bytes first)
{
    if (first.len > 0 && first.data[0] != VERSION[0])
        return guess_request_line(first);
    if (begins(first, VERSION))
        return TW_GUESS_ANSWERER;
    if (may_become(first, VERSION))
        return TW_GUESS_MORE;
    return guess_request_line(first);
}

bool tw_http_request_line(struct tw_bytes line, struct tw_http_request_line *out)
{
    size_t n = method_len(line), version;
    struct tw_bytes rest = tw_bytes_from(line, n + 1);

    if (guess_request(line, n) != TW_GUESS_ASKER)
        return false;
    version = version_at(rest);
    out->method = tw_bytes_first(line, n);
    out->target = tw_bytes_first(rest, version - 1);
    rest = tw_bytes_from(rest, version);
    out->whole = begins(rest, VERSION);
    return out->whole || may_become(rest, VERSION);
}

bool tw_http_asks_proxy(const struct tw_http_request_line *request)
{
    return begins(request->method, "CONNECT") || begins(request->target, "http");
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

uint16_t tw_http_status_line(struct tw_bytes line)
{
    const uint8_t *code = tw_bytes_from(line, VERSION_LEN + 2).data;
    int status;

    if (line.len < VERSION_LEN + 5 || !begins(line, VERSION) || code[-1] != ' ' ||
        !is_digit(code[0]) || !is_digit(code[1]) || !is_digit(code[2]))
        return 0;
    status = 100 * (code[0] - '0') + 10 * (code[1] - '0') + code[2] - '0';
    return status >= 100 ? (uint16_t)status : 0;
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

static struct tw_bytes trim(struct tw_bytes b)
{
    size_t from = 0, to = b.len;

    while (from < to && is_blank(b.data[from]))
        from++;
    while (to > from && is_blank(b.data[to - 1]))
        to--;
    return tw_bytes(b.data + from, to - from);
}

/* Both have n bytes; compare them exactly first, as the spelling usually matches. */
static inline bool is_word(const uint8_t *bytes, const char *word, size_t n)
{
    return memcmp(bytes, word, n) == 0 || g_ascii_strncasecmp((const char *)bytes, word, n) == 0;
}

/* Has the field that name? */
static inline bool is_field(struct tw_bytes line, const char *name)
{
    size_t n = strlen(name);

    return line.len >= n && (line.len == n || line.data[n] == ':') && is_word(line.data, name, n);
}

/* After the name and its colon. */
static struct tw_bytes value_of(struct tw_bytes line, size_t name_len)
{
    return trim(tw_bytes_from(line, name_len + 1));
}

/* RFC 9112, section 6.3: repeated equal lengths are one; differing ones are invalid framing. */
static void content_length(struct tw_bytes value, struct tw_http_fields *fields)
{
    int64_t length = 0;
    size_t n = 0;
    struct tw_bytes behind;

    for (; n < value.len && is_digit(value.data[n]); n++)
        length = length > MAX_LENGTH / 10 ? MAX_LENGTH : length * 10 + value.data[n] - '0';
    behind = trim(tw_bytes_from(value, n));
    if (n == 0 || (behind.len > 0 && behind.data[0] != ','))
        fields->bad_length = true;
    if (behind.len > 0 && behind.data[0] != ',')
        return;
    if (fields->has_length && fields->length != length)
        fields->bad_length = true;
    fields->has_length = true;
    fields->length = length;
}

static void transfer_encoding(struct tw_bytes value, struct tw_http_fields *fields)
{
    const size_t n = strlen("chunked");

    fields->has_coding = true;
    fields->chunked = value.len >= n && is_word(value.data + value.len - n, "chunked", n);
}

static void upgrade(struct tw_bytes value, struct tw_http_fields *fields)
{
    const size_t n = strlen("websocket");

    fields->websocket = value.len == n && is_word(value.data, "websocket", n);
    fields->http2 = value.len == 3 && is_word(value.data, "h2c", 3);
}

static bool is_media(struct tw_bytes value, const char *word)
{
    const size_t n = strlen(word);

    return value.len >= n && is_word(value.data, word, n);
}

/* Server-sent events (WHATWG HTML, section 9.2), also with parameters; media of RFC 2046. */
static void content_type(struct tw_bytes value, struct tw_http_fields *fields)
{
    static const char events[] = "text/event-stream";
    const uint8_t behind = tw_u8(value, sizeof events - 1);

    fields->events = is_media(value, events) && (behind == 0 || behind == ';' || behind == ' ');
    fields->live = is_media(value, "multipart/x-mixed-replace") || is_media(value, "audio/") ||
                   is_media(value, "video/");
}

bool tw_http_is_live(const struct tw_http_fields *fields)
{
    return fields->events || (fields->live && !fields->has_length && !fields->has_coding);
}

static void expect(struct tw_bytes value, struct tw_http_fields *fields)
{
    static const char word[] = "100-continue";

    fields->expects = value.len == sizeof word - 1 && is_word(value.data, word, value.len);
}

void tw_http_field(struct tw_bytes line, struct tw_http_fields *fields)
{
    switch (tw_http_letter(line)) {
    case 'c':
        if (is_field(line, LENGTH))
            content_length(value_of(line, strlen(LENGTH)), fields);
        else if (is_field(line, TYPE))
            content_type(value_of(line, strlen(TYPE)), fields);
        break;
    case 't':
        if (is_field(line, CODING))
            transfer_encoding(value_of(line, strlen(CODING)), fields);
        break;
    case 'u':
        if (is_field(line, UPGRADE))
            upgrade(value_of(line, strlen(UPGRADE)), fields);
        break;
    case 'e':
        if (is_field(line, EXPECT))
            expect(value_of(line, strlen(EXPECT)), fields);
        break;
    default:
        break;
    }
}

struct tw_bytes tw_http_host(struct tw_bytes line)
{
    return is_field(line, HOST) ? value_of(line, strlen(HOST)) : tw_bytes_first(line, 0);
}

int64_t tw_http_chunk_size(struct tw_bytes line)
{
    int64_t size = 0;
    size_t n = 0;

    while (n < line.len && g_ascii_isxdigit(line.data[n])) {
        if (size > MAX_LENGTH / 16)
            return -1;
        size = size * 16 + g_ascii_xdigit_value((char)line.data[n++]);
    }
    return n > 0 ? size : -1;
}
