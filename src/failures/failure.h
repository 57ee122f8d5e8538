/* SPDX-License-Identifier: MIT */
/*
 * A failure as it is found on one connection, with the observations that speak for it.
 */
#ifndef TW_FAILURES_FAILURE_H
#define TW_FAILURES_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/failures.h>

#define TW_FAILURE_FRAMES 4
#define TW_FAILURE_CLUES  8

/* Observations; the meaning of a and b is beside each. Their texts are in report/failures. */
enum tw_clue_kind {
    TW_CLUE_TTL,            /* of the RST, and of its side's other segments */
    TW_CLUE_SAME_TTL,       /* of both */
    TW_CLUE_TOO_SOON,       /* ms from the segment that it answers, and the round trip */
    TW_CLUE_ROUND_TRIP,     /* likewise: as long as the path's RTT */
    TW_CLUE_NO_STATE,       /* a RST without ACK: its sender had no such connection */
    TW_CLUE_SOCKET,         /* a RST with ACK: its sender had the connection */
    TW_CLUE_JUST_SPOKE,     /* without ACK, and ms since its side's last segment */
    TW_CLUE_NO_TIMESTAMPS,  /* with ACK and without the option that the side's others have */
    TW_CLUE_IP_ID,          /* of the RST, and the last of its side's counter */
    TW_CLUE_IP_ID_FOLLOWS,  /* likewise: one host counted both */
    TW_CLUE_OUT_OF_WINDOW,  /* bytes from the expected sequence number */
    TW_CLUE_CROSSED,        /* ms between FIN and request: neither had seen the other */
    TW_CLUE_HAD_FIN,        /* ms since the FIN had been acknowledged */
    TW_CLUE_KNOWN_DEFAULT,  /* seconds: a usual idle timeout is as long */
    TW_CLUE_KNOWN_TIMEOUT,  /* seconds: a whole number, as programs' timeouts are */
    TW_CLUE_ACKED,          /* the server's kernel had acknowledged the request */
    TW_CLUE_NOT_ACKED,      /* it had not */
    TW_CLUE_UNREAD,         /* bytes of the request that came after the answer or unread */
    TW_CLUE_PROMISED,       /* seconds of the keep-alive that the client announced, and of the
                               silence after which its server closes */
    TW_CLUE_REPEATS,        /* how many in vain, over how many seconds */
    TW_CLUE_PROBES,         /* likewise of keep-alive probes */
    TW_CLUE_ENDED_BY_RST,   /* ms after a repeat: the path delivers */
    TW_CLUE_OTHERS_LIVE,    /* streams of the same server that went on */
    TW_CLUE_SEVERAL,        /* streams that broke within the same second */
    TW_CLUE_REFUSED_NEARBY, /* connections that the same server refused about then */
    TW_CLUE_STRAY,          /* the stream of the stray segment, and ms before */
    TW_CLUE_SURVIVED,       /* seconds of silence that another request survived */
    TW_CLUE_ICMP,           /* code */
    TW_CLUE_NO_HOPS_LEFT,   /* the TTL with which the SYN passed here */
    TW_CLUE_LATE_REFUSAL,   /* ms that the refusal took, and the host's round trip or 0 */
    TW_CLUE_RECEIVED,       /* bytes that had arrived */
    TW_CLUE_SYNS,           /* SYNs, and SYN/ACKs */
    TW_CLUE_SACK,           /* blocks out of place */
    TW_CLUE_FALLBACK,       /* the stream that was opened instead, and ms later */
    TW_CLUE_IN_ALL,         /* how often, and ms in all */
    TW_CLUE_BEYOND,         /* segments beyond the unscaled window, and how many were lost */
    TW_CLUE_WITHIN,         /* likewise within it, and how many arrived */
    TW_CLUE_SCALE,          /* the shift, and the window without it */
    TW_CLUE_WRONG_SUMS,     /* segments with wrong TCP checksums, and how many were sent again */
    TW_CLUE_OUTER_SUMS,     /* likewise of the UDP datagrams around them */
    TW_CLUE_RIGHT_SUMS,     /* repeats with right ones that were answered */
    TW_CLUE_BLOCK,          /* the lowest and the highest port that were ever used */
    TW_CLUE_AT_ONCE,        /* ports in use at once, out of how many */
    TW_CLUE_USED_AGAIN,     /* connections on so many ports */
    TW_CLUE_NONE_FREE,      /* ms without a free port, of how many */
    TW_CLUE_ERRORS,         /* 5xx while none was free, of all */
    TW_CLUE_QUICK,          /* ms that half of those took at most */
    TW_CLUE_TIME_WAIT,      /* sockets in TIME-WAIT at once, at the client and at the server */
    TW_CLUE_QUERIES,        /* how often a host asked (DNS, ARP, NDP), within how many ms */
    TW_CLUE_DNS_CODE,       /* the response code */
    TW_CLUE_STREAMS_RESET,  /* requests of HTTP/2, of all */
    TW_CLUE_UNSERVED,       /* how many requests were above the last stream of GOAWAY */
    TW_CLUE_REPEATABLE,     /* RST_STREAM with REFUSED_STREAM */
    TW_CLUE_TLS_ALERT,      /* its description */
    TW_CLUE_NO_GREETING,    /* nothing from a server that speaks first */
    TW_CLUE_TLS_GREETING,   /* the port: nobody speaks, and its servers greet inside TLS */
    TW_CLUE_PROXY_HEADER,   /* the frame with a PROXY protocol header */
    TW_CLUE_HELLO_PARTS,    /* segments of a ClientHello of which not all were taken */
    TW_CLUE_SEALED_ALERT,   /* the client's first record under protection has the size of one */
    TW_CLUE_SET_ASIDE,      /* handshake: nothing of the server after its SYN/ACK */
    TW_CLUE_REQUEST_PART,   /* bytes of a request that goes on */
    TW_CLUE_BEYOND_HOLE,    /* bytes that are missing before what came of an answer */
    TW_CLUE_WRONG_ACK,      /* of a SYN/ACK: bytes from what its SYN asks for */
    TW_CLUE_SYN_ACK_AGAIN,  /* how often the server sent its SYN/ACK, and nothing else */
    TW_CLUE_HAIRPIN,        /* stream and frame of the SYN that came back to its own host */
    TW_CLUE_BOTH_CLOSED,    /* probes of the client and of the server, of windows that stay 0 */
    TW_CLUE_UNANSWERED,     /* requests without an answer, of all */
    TW_CLUE_ASKED_AGAIN,    /* ms after such a request, at the least and at the most */
    TW_CLUE_UPLOADED,       /* bytes of an upload that had been acknowledged */
    TW_CLUE_NOT_READ,       /* s for which the client's receive window was 0 */
    TW_N_CLUES,
};

struct tw_clue {
    enum tw_clue_kind kind;
    double a, b;
};

struct tw_failure {
    enum tcpwhy_failure_kind kind; /* NONE: nothing broke */
    enum tcpwhy_failed failed;
    enum tcpwhy_seen_as seen_as;
    enum tcpwhy_culprit who;
    enum tcpwhy_confidence confidence;
    const char *name; /* that was not resolved, of HTTP/2's error, of the alert, or, of its app:
                         words of the server, the name in an unanswered ClientHello; NULL: none */
    tcpwhy_ns time_ns;
    tcpwhy_ns after_ns;    /* the silence before, or how long somebody waited, as the kind has it */
    tcpwhy_ns survived_ns; /* the longest silence before a request that was answered; also where
                              nothing failed */
    bool stray; /* a segment that nobody had opened a connection for, and a RST for it ... */
    enum tcpwhy_side stray_reset_by; /* ... of that side */
    uint32_t frames[TW_FAILURE_FRAMES];
    uint32_t n_frames;
    struct tw_clue clue[TW_FAILURE_CLUES];
    uint32_t n_clues;
};

#endif
