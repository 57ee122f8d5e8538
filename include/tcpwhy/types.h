/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Types that every part of the public API shares: time, sides, addresses, causes, confidence.
 * Neither GLib nor libpcap types appear here or in any other public header.
 */
#ifndef TCPWHY_TYPES_H
#define TCPWHY_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Exported by the library. */
#if defined(__GNUC__)
#define TCPWHY_API __attribute__((visibility("default")))
#else
#define TCPWHY_API
#endif

/** Error codes, always negative; tcpwhy_strerror() describes them. */
enum tcpwhy_error {
    TCPWHY_ERR_OPEN = -1,   /**< no such file, no permission, a directory. */
    TCPWHY_ERR_FORMAT = -2, /**< not a capture in a known format. */
    TCPWHY_ERR_FILTER = -3, /**< the BPF expression does not compile. */
    TCPWHY_ERR_READ = -4,   /**< the operating system failed to read on. */
    TCPWHY_ERR_ARGUMENT =
        -5, /**< an impossible option or stream, or an option that this library does not know. */
    TCPWHY_ERR_STOPPED = -6, /**< a callback asked to stop. */
    TCPWHY_ERR_MEMORY = -7,  /**< memory ran out. */
    TCPWHY_ERR_USAGE = -8, /**< a bug in the program: NULL for a required pointer, or a call that a
                              callback may not make. */
};

/** Length that every error text fits in. */
#define TCPWHY_ERROR_TEXT 1024

/** A sentence that describes a code; 0 is "no error". Static storage. Threads: any. */
TCPWHY_API const char *tcpwhy_strerror(int code);

/** A time in nanoseconds. Inside a report: since the first frame of the capture. */
typedef int64_t tcpwhy_ns;

/** "Unknown"; never 0. */
#define TCPWHY_NS_UNKNOWN INT64_MIN

/** Microseconds as a tcpwhy_ns. */
#define TCPWHY_US(n) ((tcpwhy_ns)(n)*1000)
/** Milliseconds as a tcpwhy_ns. */
#define TCPWHY_MS(n) ((tcpwhy_ns)(n)*1000000)
/** Seconds as a tcpwhy_ns. */
#define TCPWHY_S(n) ((tcpwhy_ns)(n)*1000000000)

/** Stands for "no stream" in place of a stream number. */
#define TCPWHY_NO_STREAM UINT32_MAX

/** The two ends of a connection. A direction has the name of its sender. */
enum tcpwhy_side {
    TCPWHY_CLIENT =
        0, /**< the side that sent the SYN, or is inferred to have (see tcpwhy_stream). */
    TCPWHY_SERVER = 1,
};

/** The side that can fix a cause. */
enum tcpwhy_party {
    TCPWHY_PARTY_NONE = 0,
    TCPWHY_PARTY_CLIENT = 1,
    TCPWHY_PARTY_SERVER = 2,
    TCPWHY_PARTY_PATH = 3,
};

/** Confidence of a verdict. All but certain have a rival cause. */
enum tcpwhy_confidence {
    TCPWHY_AMBIGUOUS = 0,
    TCPWHY_LIKELY = 1,
    TCPWHY_CERTAIN = 2,
};

/** Where on the path the capture was taken. */
enum tcpwhy_vantage {
    TCPWHY_VANTAGE_UNKNOWN = 0,
    TCPWHY_VANTAGE_CLIENT = 1,
    TCPWHY_VANTAGE_MIDDLE = 2,
    TCPWHY_VANTAGE_SERVER = 3,
};

/** An IPv4 (first 4 bytes) or IPv6 address with a port; port 0 is "any port". */
struct tcpwhy_endpoint {
    uint8_t address[16]; /**< in network order. */
    uint16_t port;       /**< 0 is "any port". */
    uint8_t version;     /**< 4 or 6; 0: no endpoint. */
};

/** Length that the text of tcpwhy_endpoint_format() and its NUL always fit in. */
#define TCPWHY_ENDPOINT_TEXT 64

/**
 * Write an endpoint as "10.9.0.2:8080" or "[2001:db8::1]:443"; without the port (and without
 * brackets) when it is 0; as "" when version is 0, or endpoint is NULL.
 *
 * @param text  at least TCPWHY_ENDPOINT_TEXT bytes; always NUL terminated.
 * @return text, which may be NULL.
 */
TCPWHY_API char *tcpwhy_endpoint_format(const struct tcpwhy_endpoint *endpoint, char *text);

/**
 * Every reason for TCP to wait; tcpwhy_cause_info() describes them. The numbers never change. A
 * later library may have more causes; tcpwhy_cause_count() returns their number.
 */
enum tcpwhy_cause {
    TCPWHY_CAUSE_ANY = -1, /**< every cause: for arguments only, never in a result. */
    TCPWHY_CAUSE_NONE = 0, /**< no cause: a healthy connection, or none meant. */
    TCPWHY_HANDSHAKE = 1,
    TCPWHY_CONNECT_RETRY = 2,
    TCPWHY_CONNECT_REFUSED = 3,
    TCPWHY_SERVER_THINK = 4,
    TCPWHY_CLIENT_THINK = 5,
    TCPWHY_CLIENT_IDLE = 6,
    TCPWHY_APP_LIMITED = 7,
    TCPWHY_CORK_HOLD = 8,
    TCPWHY_NAGLE_HOLD = 9,
    TCPWHY_NAGLE_DELAYED_ACK = 10,
    TCPWHY_DELAYED_ACK = 11,
    TCPWHY_ZERO_WINDOW = 12,
    TCPWHY_RECEIVE_WINDOW_LIMITED = 13,
    TCPWHY_SEND_BUFFER_LIMITED = 14,
    TCPWHY_SLOW_START = 15,
    TCPWHY_SLOW_START_AFTER_IDLE = 16,
    TCPWHY_EARLY_SLOW_START_EXIT = 17,
    TCPWHY_CONGESTION_WINDOW_LIMITED = 18,
    TCPWHY_LOSS_RECOVERY = 19,
    TCPWHY_MTU_BLACK_HOLE = 20,
    TCPWHY_BANDWIDTH_LIMITED = 21,
    TCPWHY_WIRE = 22,
    TCPWHY_CLOSE = 23,
    TCPWHY_RESET = 24,
    TCPWHY_KEEP_ALIVE = 25,
    TCPWHY_CAPTURE_GAP = 26,
    TCPWHY_UNKNOWN = 27,
    TCPWHY_ROUND_TRIPS = 28,
    TCPWHY_PATH_LATENCY = 29,
    TCPWHY_APP_WINDOW = 30,
    TCPWHY_PACING = 31,
    TCPWHY_PEER_SILENT = 32,
    TCPWHY_NAME_LOOKUP = 33, /**< this and the next precede the SYN, and stand beside the ledger. */
    TCPWHY_NEXT_HOP = 34,
};

/** Description of a cause, independent of any capture. All texts are static UTF-8, never NULL. */
struct tcpwhy_cause_info {
    enum tcpwhy_cause cause; /**< the cause. */
    const char *name;        /**< its word in JSON and on the command line: "nagle_delayed_ack". */
    const char *title;       /**< a short phrase: "Nagle + delayed ACK". */
    const char *what;        /**< what happens, in a few sentences. */
    const char *decided;     /**< how packets decide it, with the source of the rule. */
    const char *unlike;      /**< what resembles it but is something else. */
    const char *confirm;     /**< how to confirm it on the host. */
    const char *mend;        /**< how to fix it, with settings by name. */
};

/**
 * Number of causes that this library knows, TCPWHY_CAUSE_NONE included; they are numbered from 0.
 * Threads: any.
 */
TCPWHY_API size_t tcpwhy_cause_count(void);

/**
 * Describe a cause. Static storage; NULL for a number that is no cause, such as TCPWHY_CAUSE_ANY.
 * Threads: any.
 */
TCPWHY_API const struct tcpwhy_cause_info *tcpwhy_cause_info(enum tcpwhy_cause cause);

/**
 * Look up a cause by its name; "none" is one. @param out  set if there is one, else unchanged.
 * @return whether there is one. Threads: any.
 */
TCPWHY_API bool tcpwhy_cause_by_name(const char *name, enum tcpwhy_cause *out);

/**
 * Whether a finding can have this cause. It cannot if the time could not be saved (TCPWHY_WIRE,
 * TCPWHY_HANDSHAKE, TCPWHY_RESET), nor for TCPWHY_CAUSE_ANY. Threads: any.
 */
TCPWHY_API bool tcpwhy_cause_makes_findings(enum tcpwhy_cause cause);

/** "client", "server", "path" or "none". Static storage. */
TCPWHY_API const char *tcpwhy_party_name(enum tcpwhy_party party);

/** "certain", "likely" or "ambiguous". Static storage. */
TCPWHY_API const char *tcpwhy_confidence_name(enum tcpwhy_confidence confidence);

/** "client", "server", "middle" or "unknown". Static storage. */
TCPWHY_API const char *tcpwhy_vantage_name(enum tcpwhy_vantage vantage);

#ifdef __cplusplus
}
#endif

#endif
