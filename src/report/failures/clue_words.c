/* SPDX-License-Identifier: MIT */
#include "report/failures/failure_words.h"

#include "base/number.h"
#include "base/text.h"

/* A clue's stable word, and its sentence: {a} and {b} are its numbers, {A} and {B} those as times
 * in milliseconds, {S} and {T} in seconds, {n} and {m} as port numbers. */
static const struct {
    const char *name, *text;
} words[TW_N_CLUES] = {
    [TW_CLUE_TTL] = { "ttl", "TTL {a} in the RST, {b} in that side's other segments" },
    [TW_CLUE_SAME_TTL] = { "same_ttl", "TTL {a} in the RST, as in that side's other segments" },
    [TW_CLUE_TOO_SOON] = { "too_soon",
                           "the RST came after {A}, faster than the round trip of {B}" },
    [TW_CLUE_ROUND_TRIP] = { "round_trip",
                             "the RST came after {A}, as long as the round trip of {B} allows" },
    [TW_CLUE_NO_STATE] = { "no_state", "RST without ACK: its sender had no such connection" },
    [TW_CLUE_SOCKET] = { "socket", "RST with ACK: its sender had the connection open" },
    [TW_CLUE_JUST_SPOKE] = { "just_spoke",
                             "that side had sent a segment {A} before: its kernel had the "
                             "connection, and would have reset it with ACK" },
    [TW_CLUE_NO_TIMESTAMPS] = { "no_timestamps",
                                "RST without the timestamps of that side's other segments" },
    [TW_CLUE_IP_ID] = { "ip_id", "IP ID {a} in the RST, {b} in that side's last segment" },
    [TW_CLUE_IP_ID_FOLLOWS] = { "ip_id_follows",
                                "IP ID {a} in the RST follows {b} in that side's last segment: one "
                                "host counted both" },
    [TW_CLUE_OUT_OF_WINDOW] = { "out_of_window",
                                "sequence number {a} bytes from the expected one" },
    [TW_CLUE_CROSSED] = { "crossed",
                          "FIN and request passed here {A} apart, unseen by each other" },
    [TW_CLUE_HAD_FIN] = { "had_fin",
                          "the FIN passed here {A} before the request, which acknowledges it" },
    [TW_CLUE_KNOWN_DEFAULT] = { "known_default", "{a} s is a usual idle timeout" },
    [TW_CLUE_KNOWN_TIMEOUT] = { "known_timeout", "{a} s is a round number, as timeouts are" },
    [TW_CLUE_ACKED] = { "acked", "the request had been acknowledged" },
    [TW_CLUE_NOT_ACKED] = { "not_acked", "the request had not been acknowledged" },
    [TW_CLUE_UNREAD] = { "unread", "{a} bytes of the request came after the answer had begun" },
    [TW_CLUE_PROMISED] = { "promised",
                           "the client announced a keep-alive of {a} s: by its protocol the "
                           "server closes after {b} s of silence" },
    [TW_CLUE_REPEATS] = { "repeats", "{a} repeats in vain over {T}" },
    [TW_CLUE_PROBES] = { "probes", "{a} probes unanswered over {T}" },
    [TW_CLUE_ENDED_BY_RST] = { "ended_by_rst",
                               "a RST came {A} after the last repeat: the path delivers" },
    [TW_CLUE_OTHERS_LIVE] = { "others_live",
                              "a new connection to the same server worked {S} later" },
    [TW_CLUE_SEVERAL] = { "several", "{a} connections of this server broke within a second" },
    [TW_CLUE_REFUSED_NEARBY] = { "refused_nearby",
                                 "{a} connections to it were refused within a minute" },
    [TW_CLUE_STRAY] = { "stray", "stream {a}, reset {B} before, is no connection of its own" },
    [TW_CLUE_SURVIVED] = { "survived", "another request was answered after {S} of silence" },
    [TW_CLUE_ICMP] = { "icmp", "ICMP destination unreachable, code {a}" },
    [TW_CLUE_NO_HOPS_LEFT] = { "no_hops_left",
                               "ICMP time exceeded; the SYN passed here with TTL {a}" },
    [TW_CLUE_LATE_REFUSAL] = { "late_refusal",
                               "the refusal took {A}: a host without a listener takes none" },
    [TW_CLUE_RECEIVED] = { "received", "{a} bytes of the answer had arrived" },
    [TW_CLUE_SYNS] = { "syns", "SYNs: {a}, SYN/ACKs: {b}" },
    [TW_CLUE_FALLBACK] = { "fallback",
                           "stream {a} to the same port by IPv4, {B} later, was answered" },
    [TW_CLUE_IN_ALL] = { "in_all", "{a} times, {B} in all" },
    [TW_CLUE_BEYOND] = { "beyond", "{b} of {a} segments beyond the unscaled window were lost" },
    [TW_CLUE_WITHIN] = { "within", "{b} of {a} segments within it arrived" },
    [TW_CLUE_SCALE] = { "scale", "window scale {a}: unscaled, the window is {b} bytes" },
    [TW_CLUE_WRONG_SUMS] = { "wrong_sums",
                             "segments with a wrong TCP checksum: {a}, sent in vain: {b}" },
    [TW_CLUE_OUTER_SUMS] = { "outer_sums", "{a} segments in UDP datagrams with a wrong checksum, "
                                           "{b} of them sent in vain" },
    [TW_CLUE_RIGHT_SUMS] = { "right_sums",
                             "repeats with a right checksum that were answered: {a}" },
    [TW_CLUE_BLOCK] = { "port_block", "ports {n} to {m}, and never another" },
    [TW_CLUE_AT_ONCE] = { "ports_at_once", "{a} of {b} in use at once" },
    [TW_CLUE_USED_AGAIN] = { "ports_used_again", "{a} connections on {b} ports" },
    [TW_CLUE_NONE_FREE] = { "no_port_free", "none was free for {A} of {B}" },
    [TW_CLUE_ERRORS] = { "errors_while_full", "{a} of {b} answers 5xx came while none was free" },
    [TW_CLUE_QUICK] = { "quick_errors", "half of these within {A}" },
    [TW_CLUE_TIME_WAIT] = { "time_wait",
                            "at most {a} sockets in TIME-WAIT at the client, {b} at the server" },
    [TW_CLUE_QUERIES] = { "queries", "asked {a} times in {B}" },
    [TW_CLUE_DNS_CODE] = { "rcode", "DNS response code {a} (2: SERVFAIL, 5: REFUSED)" },
    [TW_CLUE_STREAMS_RESET] = { "streams_reset", "{a} of {b} requests ended so" },
    [TW_CLUE_UNSERVED] = { "unserved", "{a} open requests were not served: they may be repeated" },
    [TW_CLUE_REPEATABLE] = { "repeatable", "the request was not looked at: it may be repeated" },
    [TW_CLUE_TLS_ALERT] = { "tls_alert", "TLS alert {a} (RFC 8446, section 6), fatal, in clear" },
    [TW_CLUE_NO_GREETING] = { "no_greeting",
                              "a server of that port speaks first, and said nothing: a lookup of "
                              "the client's name, no free thread, a proxy without its server" },
    [TW_CLUE_TLS_GREETING] = { "greeting_in_tls",
                               "nobody said a word: servers of port {n} greet only inside TLS, "
                               "which the client begins" },
    [TW_CLUE_PROXY_HEADER] = { "proxy_header", "PROXY protocol header in frame {n}" },
    [TW_CLUE_HELLO_PARTS] = { "hello_in_parts",
                              "the ClientHello took {a} segments, and not all of them were taken: "
                              "a box may expect it in one (post-quantum key share)" },
    [TW_CLUE_SEALED_ALERT] = { "sealed_alert",
                               "the client's first encrypted record is as short as an alert" },
    [TW_CLUE_REQUEST_PART] = { "request_part", "{a} bytes of the request had come" },
    [TW_CLUE_BEYOND_HOLE] = { "beyond_hole",
                              "{a} bytes are missing before what came of the answer" },
    [TW_CLUE_WRONG_ACK] = { "wrong_ack",
                            "the SYN/ACK acknowledges a number {a} bytes from that of the SYN" },
    [TW_CLUE_SYN_ACK_AGAIN] = { "syn_ack_again",
                                "the server sent its SYN/ACK {a} times, and nothing else" },
    [TW_CLUE_HAIRPIN] = { "hairpin", "the same SYN came back in frame {m} (stream {n})" },
    [TW_CLUE_BOTH_CLOSED] = { "both_windows_closed", "both receive windows stay 0: {a} probes of "
                                                     "the client and {b} of the "
                                                     "server moved none" },
    [TW_CLUE_UNANSWERED] = { "unanswered",
                             "{a} of {b} requests got no answer before the next one" },
    [TW_CLUE_ASKED_AGAIN] = { "asked_again",
                              "its client went on after {A} at the least, {B} at the most" },
    [TW_CLUE_UPLOADED] = { "uploaded", "{a} bytes of the upload had been acknowledged" },
    [TW_CLUE_NOT_READ] = { "not_read", "the client's receive window was 0 for {S} before that" },
    [TW_CLUE_SACK] = { "sack", "{a} of {b} SACK blocks lie outside of what was sent" },
    [TW_CLUE_SET_ASIDE] = { "set_aside",
                            "the server sent nothing after its SYN/ACK, and not that again: a full "
                            "accept queue (ss -ltn, nstat TcpExtListenOverflows) and SYN cookies, "
                            "which keep nothing" },
};

/* Timeouts are whole seconds; timers and the path make them a little longer, but not by a
 * second. */
#define ROUND_SHARE  0.02
#define MOST_LATE_S  0.5
#define MOST_ROUND_S 7200

/* People choose fives, tens or minutes for long timeouts: nobody chooses 43 s. */
static bool is_chosen(int64_t seconds)
{
    if (seconds < 10)
        return seconds >= 1;
    return seconds % 60 == 0 || seconds % (seconds < 100 ? 5 : 50) == 0;
}

static bool rounds(double *seconds)
{
    int64_t whole = (int64_t)(*seconds + ROUND_SHARE);
    double late = *seconds - (double)whole;

    if (whole > MOST_ROUND_S || !is_chosen(whole) ||
        late > MIN(ROUND_SHARE * (double)whole, MOST_LATE_S))
        return false;
    *seconds = (double)whole;
    return true;
}

static void put(tw_string *to, char which, const struct tw_clue *clue)
{
    double value = which == 'a' || which == 'A' || which == 'S' ? clue->a : clue->b;

    if (which == 'n' || which == 'm')
        tw_string_append_printf(to, "%u", (unsigned)(which == 'n' ? clue->a : clue->b));
    else if (which == 'A' || which == 'B')
        tw_string_append(to, tw_duration((tcpwhy_ns)(ABS(value) * 1e6)).text);
    else if (which == 'S' || which == 'T')
        tw_string_append(to, tw_duration((tcpwhy_ns)(value * 1e9)).text);
    else if (value < 0)
        tw_string_append_printf(to, "-%s", tw_count((uint64_t)-value).text);
    else
        tw_string_append(to, tw_count((uint64_t)value).text);
}

bool tw_failure_clue_words(const struct tw_clue *clue, tw_string_chunk *texts,
                           struct tcpwhy_clue *out)
{
    struct tw_clue c = *clue;
    tw_string *text;

    if (c.kind == TW_CLUE_KNOWN_TIMEOUT && !rounds(&c.a))
        return false;
    text = tw_string_new(NULL);
    for (const char *p = words[c.kind].text; *p; p++) {
        if (p[0] == '{' && p[1] && p[2] == '}') {
            put(text, p[1], &c);
            p += 2;
        } else {
            tw_string_append_c(text, *p);
        }
    }
    *out = (struct tcpwhy_clue) { words[c.kind].name, tw_string_chunk_insert(texts, text->str) };
    tw_string_free(text, TRUE);
    return true;
}
