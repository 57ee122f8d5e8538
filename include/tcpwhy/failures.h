/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Failures: what broke, beside what was slow. A killed request, a refused connection, a peer that
 * fell silent; who caused it, how the user sees it, and what proves it.
 */
#ifndef TCPWHY_FAILURES_H
#define TCPWHY_FAILURES_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Kinds of failure; tcpwhy_failure_info() describes them. The numbers never change. A later library
 * may have more kinds; tcpwhy_failure_kind_count() returns their number.
 */
enum tcpwhy_failure_kind {
    TCPWHY_FAILURE_NONE = 0, /**< nothing failed. */
    TCPWHY_FAILURE_KEEP_ALIVE_RACE = 1,
    TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED = 2,
    TCPWHY_FAILURE_IDLE_FORGOTTEN = 3,
    TCPWHY_FAILURE_SERVER_RESTARTED = 4,
    TCPWHY_FAILURE_ANSWER_CUT_SHORT = 5,
    TCPWHY_FAILURE_BODY_UNREAD = 6,
    TCPWHY_FAILURE_CLIENT_GAVE_UP = 7,
    TCPWHY_FAILURE_REQUEST_RESET = 8,
    TCPWHY_FAILURE_EMPTY_REPLY = 9,
    TCPWHY_FAILURE_TRANSFER_RESET = 10,
    TCPWHY_FAILURE_PEER_SILENT = 11,
    TCPWHY_FAILURE_CONNECT_REFUSED = 12,
    TCPWHY_FAILURE_CONNECT_TIMEOUT = 13,
    TCPWHY_FAILURE_CONNECT_CHALLENGED = 14,
    TCPWHY_FAILURE_ANSWER_IGNORED = 15,
    TCPWHY_FAILURE_UNTRANSLATED_SEGMENT = 16,
    TCPWHY_FAILURE_SACK_OUT_OF_PLACE = 17,
    TCPWHY_FAILURE_IPV6_UNANSWERED = 18,
    TCPWHY_FAILURE_WINDOW_UNSCALED = 19,
    TCPWHY_FAILURE_CHECKSUM_WRONG = 20,
    TCPWHY_FAILURE_CONTINUE_AWAITED = 21,
    TCPWHY_FAILURE_ANSWER_WITHOUT_LENGTH = 22,
    TCPWHY_FAILURE_PORTS_USED_UP = 23, /**< a client host, rather than one connection. */
    /* These precede a connection, and have no stream (TCPWHY_NO_STREAM). */
    TCPWHY_FAILURE_NAME_UNANSWERED = 24,
    TCPWHY_FAILURE_NAME_REFUSED = 25,
    TCPWHY_FAILURE_NEXT_HOP_UNANSWERED = 26,
    /* These happen inside a connection. */
    TCPWHY_FAILURE_HTTP2_GOAWAY = 27,       /**< the server ended the connection with an error. */
    TCPWHY_FAILURE_HTTP2_STREAM_RESET = 28, /**< one request; the connection goes on. */
    TCPWHY_FAILURE_TLS_ALERT = 29,          /**< a fatal alert in the handshake. */
    TCPWHY_FAILURE_NOT_TLS = 30,            /**< one side speaks TLS, and the other does not. */
    TCPWHY_FAILURE_TLS_ABANDONED = 31,      /**< the client left the handshake. */
    TCPWHY_FAILURE_REQUEST_INCOMPLETE = 32, /**< the end of a request never came. */
    TCPWHY_FAILURE_WEBSOCKET_DROPPED = 33,  /**< closed without a Close frame. */
    TCPWHY_FAILURE_DISMISSED = 34,          /**< the server said why it ends it. */
    TCPWHY_FAILURE_KEEP_ALIVE_MISSED = 35,  /**< the client was silent for too long. */
    TCPWHY_FAILURE_SYN_ACK_RESET = 36,      /**< the client's host disowned its own SYN. */
    TCPWHY_FAILURE_WRITE_DEADLOCK = 37,     /**< both sides write, and neither reads. */
    TCPWHY_FAILURE_REQUEST_UNANSWERED = 38, /**< its client asked again on the same connection. */
};

/** Description of a kind of failure, independent of any capture. All texts are static UTF-8, never
 * NULL. */
struct tcpwhy_failure_info {
    enum tcpwhy_failure_kind kind; /**< the kind. */
    const char *name;              /**< its word in JSON and on the command line. */
    const char *title;             /**< a short phrase. */
    const char *what;              /**< what happens. */
    const char *decided;           /**< how packets decide it. */
    const char *mend;              /**< how to fix it. */
};

/** Number of kinds that this library knows, TCPWHY_FAILURE_NONE included. Threads: any. */
TCPWHY_API size_t tcpwhy_failure_kind_count(void);

/** Describe a kind. Static storage; NULL for an unknown number. Threads: any. */
TCPWHY_API const struct tcpwhy_failure_info *tcpwhy_failure_info(enum tcpwhy_failure_kind kind);

/**
 * Look up a kind by its name; "none" is one. @param out  set if there is one, else unchanged.
 * @return whether there is one. Threads: any.
 */
TCPWHY_API bool tcpwhy_failure_by_name(const char *name, enum tcpwhy_failure_kind *out);

/** The part of a connection that failed. */
enum tcpwhy_failed {
    TCPWHY_FAILED_CONNECT = 0,  /**< the connection was not opened. */
    TCPWHY_FAILED_REQUEST = 1,  /**< a request: no byte of an answer came. */
    TCPWHY_FAILED_TRANSFER = 2, /**< a transfer: part of the data arrived. */
    TCPWHY_FAILED_IDLE = 3,     /**< an idle connection. */
    TCPWHY_FAILED_CLOSE = 4,    /**< the end of a connection. */
    TCPWHY_FAILED_LOOKUP = 5,   /**< a name was not resolved. */
};

/** The error that the user's program sees. */
enum tcpwhy_seen_as {
    TCPWHY_SEEN_RESET = 0,       /**< ECONNRESET, or EPIPE when it writes. */
    TCPWHY_SEEN_TIMEOUT = 1,     /**< ETIMEDOUT, or its own timeout. */
    TCPWHY_SEEN_REFUSED = 2,     /**< ECONNREFUSED. */
    TCPWHY_SEEN_UNREACHABLE = 3, /**< EHOSTUNREACH or ENETUNREACH. */
    TCPWHY_SEEN_END_OF_FILE =
        4, /**< the end of the stream instead of an answer; a proxy returns 502. */
    TCPWHY_SEEN_SHORT_READ = 5,  /**< fewer bytes than announced. */
    TCPWHY_SEEN_DELAY = 6,       /**< a delay: it works in the end. */
    TCPWHY_SEEN_NO_ADDRESS = 7,  /**< EADDRNOTAVAIL; a proxy returns 502. */
    TCPWHY_SEEN_TRY_AGAIN = 8,   /**< EAI_AGAIN: temporary failure in name resolution. */
    TCPWHY_SEEN_HTTP2_ERROR = 9, /**< an error of the HTTP/2 library: curl 92, gRPC INTERNAL or
                                    UNAVAILABLE; a proxy returns 502. */
    TCPWHY_SEEN_TLS_ALERT = 10,  /**< a TLS library's error that names the alert. */
    TCPWHY_SEEN_TLS_ERROR =
        11, /**< a TLS library's error: wrong version number, or an untrusted certificate. */
    TCPWHY_SEEN_SERVER_ERROR = 12, /**< an error of the server, in its own words. */
};

/** The host or box that caused it. */
enum tcpwhy_culprit {
    TCPWHY_BY_UNKNOWN = 0,         /**< the packets do not tell. */
    TCPWHY_BY_CLIENT = 1,          /**< the client's host. */
    TCPWHY_BY_SERVER = 2,          /**< the server, or whatever answers for it. */
    TCPWHY_BY_BOX = 3,             /**< a middlebox somewhere on the path. */
    TCPWHY_BY_BOX_NEAR_CLIENT = 4, /**< a middlebox closer to the client. */
    TCPWHY_BY_BOX_NEAR_SERVER = 5, /**< a middlebox closer to the server. */
    TCPWHY_BY_BOTH = 6,            /**< the programs at both ends. */
};

/** "connect", "request", "transfer", "idle_connection", "close" or "name_lookup". Static storage.
 */
TCPWHY_API const char *tcpwhy_failed_name(enum tcpwhy_failed failed);

/** "ECONNRESET", "timeout", "ECONNREFUSED", "EHOSTUNREACH", "end_of_file", "short_read",
 * "delay", "EADDRNOTAVAIL", "EAI_AGAIN", "http2_error", "TLS_alert", "TLS_error" or "server_error".
 * Static storage.
 */
TCPWHY_API const char *tcpwhy_seen_as_name(enum tcpwhy_seen_as seen_as);

/** "unknown", "client", "server", "middlebox", "middlebox_near_client",
 * "middlebox_near_server" or "both". Static storage. */
TCPWHY_API const char *tcpwhy_culprit_name(enum tcpwhy_culprit culprit);

/** One observation in support of a failure. */
struct tcpwhy_clue {
    const char *name; /**< stable word: "ttl", "no_state", "too_soon" ... */
    const char *text; /**< a sentence with the numbers. */
};

/** A failure. */
struct tcpwhy_failure {
    enum tcpwhy_failure_kind kind;     /**< its kind. */
    enum tcpwhy_failed failed;         /**< what failed. */
    enum tcpwhy_seen_as seen_as;       /**< how the user's program sees it. */
    enum tcpwhy_culprit who;           /**< who caused it. */
    enum tcpwhy_confidence confidence; /**< confidence of kind and who. */
    uint32_t stream;                   /**< the connection, or TCPWHY_NO_STREAM. */
    struct tcpwhy_endpoint
        client; /**< the client; for a failure without a connection, who asked. */
    struct tcpwhy_endpoint server; /**< the server; for a failure without a connection, the resolver
                                      or the next hop. */
    tcpwhy_ns time_ns;             /**< when it failed, since the capture's first frame. */
    tcpwhy_ns after_ns; /**< the silence before it, or how long somebody waited, depending on the
                           kind; or unknown. */
    const uint32_t *frames;                 /**< the frames that show it. */
    size_t n_frames;                        /**< number of frames. */
    const struct tcpwhy_clue *const *clues; /**< the observations in support of it. */
    size_t n_clues;                         /**< number of clues. */
    const char *summary;                    /**< one or two sentences with the numbers. */
    const char *remedy;                     /**< what to change. */
};

#ifdef __cplusplus
}
#endif

#endif
