/* SPDX-License-Identifier: MIT */
#include "report/failures/failure_words.h"

#include "base/failures.h"
#include "base/number.h"
#include "base/text.h"

/* {c} client, {s} server, {t} the time, {w} who, {n} the name. */
static const char *const summaries[] = {
    [TCPWHY_FAILURE_KEEP_ALIVE_RACE] =
        "{s} closed the connection after {t} of silence while the next request of {c} was on its "
        "way: neither side had seen the other's segment, and the request was lost.",
    [TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED] =
        "{c} sent a request on a connection that {s} had closed {t} before; {s} reset it.",
    [TCPWHY_FAILURE_IDLE_FORGOTTEN] =
        "After {t} of silence {w} no longer knew the connection and answered the request of {c} to "
        "{s} with a RST: the request was lost.",
    [TCPWHY_FAILURE_SERVER_RESTARTED] =
        "{s} restarted: the request of {c} was lost with its connection.",
    [TCPWHY_FAILURE_ANSWER_CUT_SHORT] =
        "{s} closed the connection in the middle of its answer to {c}, {t} after its first byte.",
    [TCPWHY_FAILURE_BODY_UNREAD] =
        "{s} answered and closed while the request of {c} was still arriving: its RST {t} after "
        "the answer began may have destroyed the answer.",
    [TCPWHY_FAILURE_CLIENT_GAVE_UP] = "{c} gave up waiting for {s} after {t}.",
    [TCPWHY_FAILURE_REQUEST_RESET] =
        "{w} reset the connection of {c} to {s} {t} after the request, without answering it.",
    [TCPWHY_FAILURE_EMPTY_REPLY] =
        "{s} closed {t} after the request of {c}, without sending one byte of an answer.",
    [TCPWHY_FAILURE_TRANSFER_RESET] = "{w} reset the connection of {c} to {s} in the middle of an "
                                      "answer, {t} after its first byte.",
    [TCPWHY_FAILURE_PEER_SILENT] =
        "One side of the connection of {c} to {s} fell silent: the other retransmitted in vain, "
        "and the last frame came {t} later.",
    [TCPWHY_FAILURE_CONNECT_REFUSED] = "{w} refused the connection of {c} to {s}.",
    [TCPWHY_FAILURE_CONNECT_TIMEOUT] =
        "{s} never answered the SYNs of {c}, the last of them {t} after the first.",
    [TCPWHY_FAILURE_CONNECT_CHALLENGED] = "{s} still had an older connection of {c} and answered "
                                          "its SYN with an ACK for that one: {t} passed.",
    [TCPWHY_FAILURE_ANSWER_IGNORED] =
        "{s} answered the SYNs of {c}, whose host ignored the SYN/ACKs for {t}.",
    [TCPWHY_FAILURE_UNTRANSLATED_SEGMENT] =
        "A segment reached {c} with an address that was not translated back; {c} reset it, and "
        "with it the connection to {s}.",
    [TCPWHY_FAILURE_SACK_OUT_OF_PLACE] =
        "SACK blocks between {c} and {s} name bytes that were never sent: a middlebox rewrites "
        "sequence numbers but not SACK blocks.",
    [TCPWHY_FAILURE_IPV6_UNANSWERED] =
        "{s} did not answer {c} over IPv6; the client fell back to IPv4 after {t}.",
    [TCPWHY_FAILURE_WINDOW_UNSCALED] =
        "A middlebox between {c} and {s} takes the receive window for unscaled and drops "
        "everything beyond it: recovery took {t}.",
    [TCPWHY_FAILURE_CHECKSUM_WRONG] = "Segments between {c} and {s} have wrong checksums, and "
                                      "their receiver drops them: recovery took {t}.",
    [TCPWHY_FAILURE_CONTINUE_AWAITED] = "{c} sent Expect: 100-continue and held its body back for "
                                        "{t}; {s} never sent 100 Continue.",
    [TCPWHY_FAILURE_ANSWER_WITHOUT_LENGTH] =
        "The answer of {s} to {c} has no length: its end became visible only when {s} closed, {t} "
        "after its last byte.",
    [TCPWHY_FAILURE_PORTS_USED_UP] = "{c} had no port left for another connection to {s}: for {t} "
                                     "its whole port range was in use while it had more to ask.",
    [TCPWHY_FAILURE_NAME_UNANSWERED] =
        "{c} asked {s} for {n} and got no answer: the last query came {t} after the first.",
    [TCPWHY_FAILURE_NAME_REFUSED] =
        "{s} answered {c} with an error when it asked for {n}, {t} after the first query.",
    [TCPWHY_FAILURE_NEXT_HOP_UNANSWERED] =
        "{s} did not answer {c}, which asked for it by ARP or NDP for {t}: nothing could be sent "
        "there.",
    [TCPWHY_FAILURE_HTTP2_GOAWAY] =
        "{w} ended the HTTP/2 connection of {c} to {s} by GOAWAY with {n}, {t} after its first "
        "frame: requests not answered by then failed.",
    [TCPWHY_FAILURE_HTTP2_STREAM_RESET] =
        "{w} ended an HTTP/2 request of {c} to {s} by RST_STREAM with {n}, {t} after it was sent; "
        "the connection went on.",
    [TCPWHY_FAILURE_TLS_ALERT] = "{w} ended the TLS handshake between {c} and {s} with the alert "
                                 "{n}, {t} after the connection began.",
    [TCPWHY_FAILURE_NOT_TLS] =
        "{c} began TLS, but {s} answered in another protocol, {t} after the connection began.",
    [TCPWHY_FAILURE_TLS_ABANDONED] = "{c} abandoned the TLS handshake {t} after {s} had sent its "
                                     "certificate, as clients do when they do not trust it.",
    [TCPWHY_FAILURE_REQUEST_INCOMPLETE] =
        "{c} began a request to {s} and never sent the end of it: the connection ended {t} after "
        "the last byte that arrived.",
    [TCPWHY_FAILURE_WEBSOCKET_DROPPED] =
        "{w} closed the WebSocket of {c} to {s} after {t} of silence without a Close frame: the "
        "programs see code 1006.",
    [TCPWHY_FAILURE_DISMISSED] =
        "{s} turned {c} away, {t} after the connection began, saying \"{n}\".",
    [TCPWHY_FAILURE_KEEP_ALIVE_MISSED] =
        "{c} sent nothing to {s} for {t}, longer than its own keep-alive allows; {s} closed the "
        "connection.",
    [TCPWHY_FAILURE_SYN_ACK_RESET] =
        "{s} accepted the connection of {c}, whose host reset it {t} later: its kernel knew of no "
        "such SYN. The program at {s} went on as if it were open.",
    [TCPWHY_FAILURE_WRITE_DEADLOCK] =
        "{c} and {s} both wrote and neither read: both receive windows were full for {t}, and each "
        "side waited for the other.",
    [TCPWHY_FAILURE_REQUEST_UNANSWERED] = "{s} took requests of {c} and did not answer before the "
                                          "client gave each up and asked again: "
                                          "it waited {t} in all.",
};

/* The clue of a kind; NULL: the failure has none. */
static const struct tw_clue *clue_of(const struct tw_failure *f, enum tw_clue_kind kind)
{
    for (uint32_t i = 0; i < f->n_clues; i++)
        if (f->clue[i].kind == kind)
            return &f->clue[i];
    return NULL;
}

/* Kinds of which some have words, and a way to mend them, of their own. */
#define MEND_PROXY_HEADER                                                                          \
    "The PROXY protocol at both ends or at none: let the server expect it from that proxy alone "  \
    "(nginx listen ... proxy_protocol, HAProxy accept-proxy, Apache RemoteIPProxyProtocol, a "     \
    "Traefik or Envoy listener), or let the proxy or load balancer send none (send-proxy, "        \
    "proxy_protocol on, target group attribute proxy_protocol_v2)."

static const struct variant {
    enum tcpwhy_failure_kind kind;
    unsigned seen, who;      /* bits 1 << enum tcpwhy_seen_as and tcpwhy_culprit; 0: any */
    unsigned failed;         /* likewise of enum tcpwhy_failed */
    enum tw_clue_kind clue;  /* 0: whatever it has */
    bool named;              /* it has a name */
    const char *says, *mend; /* mend NULL: as the kind's others */
} variants[] = {
    { TCPWHY_FAILURE_DISMISSED, .clue = TW_CLUE_PROXY_HEADER,
      .says = "{s} answered the PROXY protocol header of {c} with \"{n}\" and closed, as servers "
              "that do not expect it do.",
      MEND_PROXY_HEADER },
    { TCPWHY_FAILURE_REQUEST_RESET, .clue = TW_CLUE_PROXY_HEADER,
      .says = "{c} began with a PROXY protocol header, and {w} reset its connection to {s} {t} "
              "after that, as servers that do not expect it do.",
      MEND_PROXY_HEADER },
    { TCPWHY_FAILURE_EMPTY_REPLY, .clue = TW_CLUE_PROXY_HEADER,
      .says = "{c} began with a PROXY protocol header, and {s} closed {t} after that without a "
              "word, as servers that do not expect it do.",
      MEND_PROXY_HEADER },
    { TCPWHY_FAILURE_TRANSFER_RESET, .clue = TW_CLUE_UPLOADED,
      .says = "{w} reset the connection of {c} to {s} in the middle of what {c} sent, {t} after "
              "its first byte." },
    { TCPWHY_FAILURE_CLIENT_GAVE_UP, .clue = TW_CLUE_TLS_GREETING,
      .says = "{c} waited {t} for {s} to speak first, but {s} expects TLS on that port: neither "
              "side sent anything.",
      "Use TLS from the first byte at the client (implicit TLS: ssl or SMTPS, smtplib.SMTP_SSL, "
      "secure: true), or the port for STARTTLS (587, 143, 110)." },
    { TCPWHY_FAILURE_KEEP_ALIVE_RACE, .clue = TW_CLUE_HAD_FIN,
      .says =
          "{s} closed the connection after {t} of silence, just before {c} sent its next request: "
          "the FIN had reached the client's kernel, its program had not looked, and the request "
          "was lost." },
    { TCPWHY_FAILURE_ANSWER_CUT_SHORT, .clue = TW_CLUE_NOT_READ,
      .says =
          "{c} did not read the answer of {s}: its receive window stayed closed for {t}, and {s} "
          "closed the connection in the middle of the answer.",
      "Find out why the client stopped reading (paused download, slow disk, a program that is "
      "busy). If it may pause so long, raise the server's timeout for writes (nginx send_timeout, "
      "HAProxy timeout client, Apache Timeout)." },
    { TCPWHY_FAILURE_IDLE_FORGOTTEN, .failed = 1u << TCPWHY_FAILED_TRANSFER,
      .says = "After {t} of silence everything that {s} sent to {c} was swallowed: a NAT, firewall "
              "or load balancer had forgotten the connection, or {c} was gone." },
    { TCPWHY_FAILURE_IDLE_FORGOTTEN, .seen = 1u << TCPWHY_SEEN_TIMEOUT,
      .says = "After {t} of silence everything that {c} sent to {s} was swallowed: a NAT, firewall "
              "or load balancer had forgotten the connection, or {s} was gone." },
    { TCPWHY_FAILURE_CLIENT_GAVE_UP, .seen = 1u << TCPWHY_SEEN_SHORT_READ,
      .says = "{c} closed {t} after its request, while the answer of {s} was still arriving: its "
              "limit for the whole request expired, or its user left." },
    { TCPWHY_FAILURE_CLIENT_GAVE_UP, .clue = TW_CLUE_REPEATS,
      .says = "{c} gave up after {t}: a part of its request never arrived at {s}.",
      "Not the server: the path lost the request. See the findings about packet loss or a path MTU "
      "black hole, and fix that." },
    { TCPWHY_FAILURE_CLIENT_GAVE_UP, .clue = TW_CLUE_BEYOND_HOLE,
      .says = "{c} gave up after {t}: {s} had answered, and a part of its answer never arrived.",
      "Not the server: the path lost its answer. See the findings about packet loss or a path MTU "
      "black hole, and fix that." },
    { TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED, .who = 1u << TCPWHY_BY_SERVER,
      .says = "{s} closed the connection of {c} as soon as it was open, before any request "
              "arrived, and reset the request that came {t} later.",
      "Server: its log; the limit of its connections or workers (nginx worker_connections, "
      "maxconn, MaxClients, ulimit -n), a list of allowed clients, a proxy without a backend." },
    { TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED, .named = true,
      .says = "{c} sent a request on a connection that {s} had closed {t} before, saying \"{n}\"; "
              "{s} reset it." },
    { TCPWHY_FAILURE_REQUEST_INCOMPLETE, .who = ~(1u << TCPWHY_BY_CLIENT),
      .says = "The end of a request of {c} never reached {s}: it was lost on the path, and the "
              "connection ended {t} after the last byte that arrived." },
    { TCPWHY_FAILURE_NOT_TLS, .who = 1u << TCPWHY_BY_CLIENT,
      .says = "{c} spoke no TLS to {s}, which expects it and answered with a TLS alert, {t} after "
              "the connection began." },
    { TCPWHY_FAILURE_ANSWER_IGNORED, .who = 1u << TCPWHY_BY_UNKNOWN,
      .says = "{s} answered the SYNs of {c} for {t}, but no SYN/ACK was acknowledged: they do not "
              "arrive there, or its host drops them." },
    { TCPWHY_FAILURE_CONNECT_TIMEOUT, .who = 1u << TCPWHY_BY_SERVER,
      .says = "{s} answered the SYNs of {c} with RSTs that do not acknowledge them: {c} must "
              "ignore these, and kept trying for {t}.",
      "The TCP of {s}, or of a box in front of it, refuses connections with a RST whose "
      "acknowledgement number is wrong (RFC 9293, 3.10.7.1: SEG.SEQ + 1): fix or update it, and "
      "find out why nothing listens there." },
    { TCPWHY_FAILURE_UNTRANSLATED_SEGMENT, .seen = 1u << TCPWHY_SEEN_TIMEOUT,
      .says = "{c} asked {s}, and the SYN/ACKs came from another address, which was not translated "
              "back: {c} reset each of them and kept trying {s} for {t}.",
      "Send the answers back through what translated the SYN: masquerade hairpin traffic (client "
      "and server in one network behind a NAT, a container host, an NLB), or have clients inside "
      "use the inner address (split DNS); a router that sees only one direction is no NAT." },
    { TCPWHY_FAILURE_EMPTY_REPLY, .who = 1u << TCPWHY_BY_CLIENT,
      .says = "{c} closed its side (FIN) together with its request, as if it were leaving; {s} "
              "closed {t} after the request without sending one byte of an answer.",
      "Client: close or shut down only when the answer has come (nc -N, shutdown(SHUT_WR), a "
      "fsockopen that nobody reads). Proxy: let half-closed clients wait (nginx "
      "proxy_ignore_client_abort on, HAProxy without option abortonclose)." },
    { TCPWHY_FAILURE_CONNECT_REFUSED, .clue = TW_CLUE_NO_HOPS_LEFT,
      .says = "The SYN of {c} to {s} used up its TTL on the path, as in a routing loop: a router "
              "said so, and the connection was not opened.",
      "traceroute shows which two routers send the packets to each other: mend the route of one "
      "of them (a default route that points back, a VPN or BGP prefix without its interface)." },
    { TCPWHY_FAILURE_CONNECT_TIMEOUT, .clue = TW_CLUE_HAIRPIN,
      .says = "The SYNs of {c} to {s} came back to the host of {c} itself, from its own address, "
              "which it drops: it kept trying for {t}.",
      "A load balancer or NAT chose the client's own host and kept its address: switch off client "
      "IP preservation of the AWS NLB (preserve_client_ip.enabled=false, or proxy protocol), "
      "masquerade hairpin traffic (kubelet hairpin-mode, MASQUERADE), or use the local address on "
      "that host." },
    { TCPWHY_FAILURE_CONNECT_CHALLENGED, .clue = TW_CLUE_WRONG_ACK,
      .says = "{w} answered the SYN of {c} to {s} with a SYN/ACK whose acknowledgement number is "
              "wrong, as protection against SYN floods does to provoke a RST: {t} passed.",
      "The protection (DDoS filter, SYN proxy, load balancer) tests each new client this way: "
      "exempt known clients, or have it use SYN cookies. At the client: keep connections open, and "
      "let its RST through its firewall, without which it never gets in." },
    { TCPWHY_FAILURE_ANSWER_WITHOUT_LENGTH, .seen = 1u << TCPWHY_SEEN_TIMEOUT,
      .says = "The answer of {s} to {c} has no length, and {s} did not close after it: {c} left "
              "{t} after its last byte." },
    { TCPWHY_FAILURE_REQUEST_RESET, .named = true,
      .says = "{w} reset the connection of {c} to {s} {t} after its ClientHello for {n}, without "
              "answering it.",
      "Where other names work on that server: a filter by the name in the ClientHello (firewall, "
      "proxy, provider, service mesh), or a server without that name. Otherwise the server's log; "
      "a middlebox that accepts no ClientHello in two segments." },
    { TCPWHY_FAILURE_PEER_SILENT, .clue = TW_CLUE_SYN_ACK_AGAIN,
      .says = "{s} repeated its SYN/ACK and accepted neither the ACK of {c} nor its data, which "
              "were retransmitted in vain; the last frame came {t} later.",
      "Capture at the server. If the ACKs arrive there: a full accept queue (ss -ltn, nstat "
      "TcpExtListenOverflows; accept faster, then raise backlog and somaxconn). If not: a stateful "
      "firewall that sees one direction only (asymmetric routing), or drops what follows the "
      "SYN." },
    { TCPWHY_FAILURE_PEER_SILENT, .clue = TW_CLUE_SET_ASIDE, .named = true,
      .says = "{s} answered the SYN of {c} and nothing after it: its ClientHello for {n} was "
              "retransmitted in vain, and the last frame came {t} later.",
      "Where other names work on that server: a filter by the name in the ClientHello (firewall, "
      "proxy, provider). If none do: a full accept queue (ss -ltn, nstat TcpExtListenOverflows: "
      "accept faster, then raise backlog and somaxconn), or a middlebox that accepts no "
      "ClientHello in two segments." },
    { TCPWHY_FAILURE_PEER_SILENT, .clue = TW_CLUE_SET_ASIDE,
      .says = "{s} answered the SYN of {c} and nothing after it: what {c} sent was retransmitted "
              "in vain, and the last frame came {t} later.",
      "At the server: ss -ltn (is Recv-Q at its limit?), nstat TcpExtListenOverflows. Accept "
      "faster (more workers), then raise the program's backlog and net.core.somaxconn together. If "
      "its queue was never full, a middlebox on the path lets nothing but handshakes pass." },
};

static bool is_of(const struct tw_failure *f, const struct variant *v)
{
    return v->kind == f->kind && (!v->seen || v->seen >> f->seen_as & 1) &&
           (!v->who || v->who >> f->who & 1) && (!v->failed || v->failed >> f->failed & 1) &&
           (!v->clue || clue_of(f, v->clue)) && (!v->named || f->name);
}

static const struct variant *variant_of(const struct tw_failure *f)
{
    for (size_t i = 0; i < G_N_ELEMENTS(variants); i++)
        if (is_of(f, &variants[i]))
            return &variants[i];
    return NULL;
}

static void put(tw_string *to, char which, const struct tw_failure_row *row)
{
    if (which == 'c')
        tw_string_append(to, tw_endpoint(&row->client).text);
    else if (which == 's')
        tw_string_append(to, tw_endpoint(&row->server).text);
    else if (which == 'n')
        tw_string_append(to, row->name ? row->name : "a name");
    else if (which == 'w')
        tw_string_append(to, tw_culprit_words(row->who)->subject);
    else if (row->after_ns == TCPWHY_NS_UNKNOWN)
        tw_string_append(to, "some time");
    else
        tw_string_append(to, tw_duration(row->after_ns).text);
}

static const char *fill(const char *pattern, const struct tw_failure_row *row,
                        tw_string_chunk *texts)
{
    tw_string *text = tw_string_new(NULL);
    const char *kept;

    for (const char *p = pattern; *p; p++) {
        if (p[0] == '{' && p[1] && p[2] == '}') {
            put(text, p[1], row);
            p += 2;
        } else {
            tw_string_append_c(text, *p);
        }
    }
    text->str[0] = g_ascii_toupper(text->str[0]);
    kept = tw_string_chunk_insert(texts, text->str);
    tw_string_free(text, TRUE);
    return kept;
}

static const char *remedy(const struct tw_failure *f, tw_string_chunk *texts)
{
    const struct variant *variant = variant_of(f);
    const char *mend =
        variant && variant->mend ? variant->mend : tcpwhy_failure_info(f->kind)->mend;
    /* the timeout that a silence outlasted, where it is a usual one */
    const struct tw_clue *limit =
        f->kind == TCPWHY_FAILURE_IDLE_FORGOTTEN ? clue_of(f, TW_CLUE_KNOWN_DEFAULT) : NULL;
    tw_string *text;
    const char *kept;

    if (!limit)
        return mend;
    text = tw_string_new(NULL);
    tw_string_printf(text, "Send something more often than every %.0f s. %s", limit->a, mend);
    kept = tw_string_chunk_insert(texts, text->str);
    tw_string_free(text, TRUE);
    return kept;
}

void tw_failure_words(const struct tw_failure *f, struct tw_failure_row *row,
                      tw_string_chunk *texts)
{
    const struct variant *variant = variant_of(f);

    row->summary = fill(variant ? variant->says : summaries[f->kind], row, texts);
    row->remedy = remedy(f, texts);
}
