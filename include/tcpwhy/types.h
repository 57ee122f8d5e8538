/* SPDX-License-Identifier: MIT */
/** @file
 * The words that every part of the public API shares: time, sides, addresses, causes and how
 * sure we are. No GLib and no libpcap type appears here or in any other public header.
 */
#ifndef TCPWHY_TYPES_H
#define TCPWHY_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Seen outside of the library. */
#if defined(__GNUC__)
#define TCPWHY_API __attribute__((visibility("default")))
#else
#define TCPWHY_API
#endif

/** Error codes: always negative. */
enum tcpwhy_error {
    TCPWHY_ERR_OPEN = -1,     /**< no such file, no permission, a directory. */
    TCPWHY_ERR_FORMAT = -2,   /**< not a capture that we read. */
    TCPWHY_ERR_FILTER = -3,   /**< the BPF expression does not compile. */
    TCPWHY_ERR_READ = -4,     /**< the operating system refused to read on. */
    TCPWHY_ERR_ARGUMENT = -5, /**< an option or a stream that cannot be; options that this library
                                   does not know. */
    TCPWHY_ERR_STOPPED = -6,  /**< a callback asked to stop. */
};

/** A time in nanoseconds. Inside a report: since the first frame of the capture. */
typedef int64_t tcpwhy_ns;

/** "Not known", which is never 0. */
#define TCPWHY_NS_UNKNOWN INT64_MIN

/** Microseconds as a tcpwhy_ns. */
#define TCPWHY_US(n) ((tcpwhy_ns)(n)*1000)
/** Milliseconds as a tcpwhy_ns. */
#define TCPWHY_MS(n) ((tcpwhy_ns)(n)*1000000)
/** Seconds as a tcpwhy_ns. */
#define TCPWHY_S(n) ((tcpwhy_ns)(n)*1000000000)

/** The two ends of a connection. A direction is named after its sender. */
enum tcpwhy_side {
    TCPWHY_CLIENT = 0, /**< sent the SYN, or is inferred to have (see tcpwhy_stream). */
    TCPWHY_SERVER = 1,
};

/** Who holds the knob. */
enum tcpwhy_party {
    TCPWHY_PARTY_NONE = 0,
    TCPWHY_PARTY_CLIENT,
    TCPWHY_PARTY_SERVER,
    TCPWHY_PARTY_PATH,
};

/** How sure a verdict is. Anything below certain names its rival cause. */
enum tcpwhy_confidence {
    TCPWHY_AMBIGUOUS = 0,
    TCPWHY_LIKELY,
    TCPWHY_CERTAIN,
};

/** Where on the path the capture was taken. */
enum tcpwhy_vantage {
    TCPWHY_VANTAGE_UNKNOWN = 0,
    TCPWHY_VANTAGE_CLIENT,
    TCPWHY_VANTAGE_MIDDLE,
    TCPWHY_VANTAGE_SERVER,
};

/** An IPv4 (first 4 bytes) or IPv6 address with a port; port 0 is "any port". */
struct tcpwhy_endpoint {
    uint8_t address[16]; /**< in network order. */
    uint16_t port;       /**< 0 is "any port". */
    uint8_t version;     /**< 4, 6, or 0 when there is no endpoint. */
};

/** Length that always holds tcpwhy_endpoint_format()'s text and its NUL. */
#define TCPWHY_ENDPOINT_TEXT 64

/**
 * Write an endpoint as "10.9.0.2:8080" or "[2001:db8::1]:443"; without the port (and without
 * brackets) when it is 0; as "" when version is 0.
 *
 * @param text  at least TCPWHY_ENDPOINT_TEXT bytes; always NUL terminated.
 * @return text.
 */
TCPWHY_API char *tcpwhy_endpoint_format(const struct tcpwhy_endpoint *endpoint, char *text);

/** Every reason for which TCP waits. The numbers are stable; names by tcpwhy_cause_info(). */
enum tcpwhy_cause {
    TCPWHY_CAUSE_NONE = 0,
    TCPWHY_HANDSHAKE,
    TCPWHY_CONNECT_RETRY,
    TCPWHY_CONNECT_REFUSED,
    TCPWHY_SERVER_THINK,
    TCPWHY_CLIENT_THINK,
    TCPWHY_CLIENT_IDLE,
    TCPWHY_APP_LIMITED,
    TCPWHY_CORK_HOLD,
    TCPWHY_NAGLE_HOLD,
    TCPWHY_NAGLE_DELAYED_ACK,
    TCPWHY_DELAYED_ACK,
    TCPWHY_ZERO_WINDOW,
    TCPWHY_RECEIVE_WINDOW_LIMITED,
    TCPWHY_SEND_BUFFER_LIMITED,
    TCPWHY_SLOW_START,
    TCPWHY_SLOW_START_AFTER_IDLE,
    TCPWHY_EARLY_SLOW_START_EXIT,
    TCPWHY_CONGESTION_WINDOW_LIMITED,
    TCPWHY_LOSS_RECOVERY,
    TCPWHY_MTU_BLACK_HOLE,
    TCPWHY_BANDWIDTH_LIMITED,
    TCPWHY_WIRE,
    TCPWHY_CLOSE,
    TCPWHY_RESET,
    TCPWHY_KEEP_ALIVE,
    TCPWHY_CAPTURE_GAP,
    TCPWHY_UNKNOWN,
    TCPWHY_N_CAUSES,
};

/** What is to be known of a cause without a capture. All texts are static, UTF-8, never NULL. */
struct tcpwhy_cause_info {
    enum tcpwhy_cause cause; /**< which one. */
    const char *name;        /**< the word in JSON and on the command line: "nagle_delayed_ack". */
    const char *title;       /**< a short phrase: "Nagle + delayed ACK". */
    const char *what;        /**< what happens, in a few sentences. */
    const char *decided;     /**< how it is decided from packets, with the source of the rule. */
    const char *unlike;      /**< what looks like it and is not. */
    const char *confirm;     /**< how to confirm it on the host. */
    const char *mend;        /**< how to mend it, with settings by name. */
};

/** The facts of one cause; NULL outside the enumeration. Static storage, any thread. */
TCPWHY_API const struct tcpwhy_cause_info *tcpwhy_cause_info(enum tcpwhy_cause cause);

/** The cause of that name, or TCPWHY_N_CAUSES when there is none. */
TCPWHY_API enum tcpwhy_cause tcpwhy_cause_by_name(const char *name);

/**
 * Can a finding have this cause? Not one that costs nobody anything that could be saved, as
 * TCPWHY_WIRE, TCPWHY_HANDSHAKE or TCPWHY_RESET, and not TCPWHY_N_CAUSES. Any thread.
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
