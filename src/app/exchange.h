/* SPDX-License-Identifier: MIT */
/* A request with its response. */
#ifndef TW_APP_EXCHANGE_H
#define TW_APP_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <tcpwhy/types.h>

#define TW_NO_RECORD UINT32_MAX

/* The status of a gateway that got no answer in time (RFC 9110, 15.6.5). */
#define TW_STATUS_GATEWAY_TIMEOUT 504

/* A request and its response. Indices are log records; times are of the vantage. */
struct tw_exchange {
    const char *protocol; /* static: a dissector's name, or "turn" */
    const char *request;  /* points into app; "" without a name */
    uint16_t status;      /* 0 if the protocol has none */
    uint16_t sealed_head; /* bytes on the wire of the TLS record with the response's first byte,
                             which the asker reads when it has all of them; 0: no such record */
    bool complete : 1;    /* the end of the response was captured */
    bool framed : 1;      /* the protocol marks message ends; otherwise turn-taking is a guess */
    bool at_will : 1;     /* either side may send at any time: the data need not be a response */
    bool stands : 1;      /* a standing request (subscription): even the first data need not be a
                             response */
    bool in_pieces : 1;   /* a response without a declared length: it may be a series of pushes */
    bool asks_in_pieces : 1; /* likewise a request */
    bool expects : 1;  /* the request announces a body that it holds until the server asks for it
                          (HTTP: Expect: 100-continue) */
    bool to_close : 1; /* the response has no declared end: the close is its end */
    bool asker_unsure : 1; /* by how fast the sides answer, the other one may be the asker */
    bool of_session : 1;   /* handshake or end of a TLS session: nobody's request */
    bool one_way : 1;      /* a message that asks for no response */
    bool
        request_part : 1; /* the request goes on, as its head or length says: its rest never came */
    bool lapsed : 1;    /* no answer came, and its asker asked again after a time of its own; before
                           that is known: by the protocol, each request has an answer */
    uint8_t awaits : 6; /* the dissector's own: what of the response is to come */
    enum tcpwhy_side asker;           /* sender of the request; nearly always the client */
    int64_t request_from, request_to; /* offsets in the asker's stream; equal if there is no request
                                         (the server speaks first) */
    int64_t response_from,
        response_to; /* offsets in the other stream; equal if there was no response */
    uint32_t request_first,
        request_last; /* records that first delivered the first byte, and the last missing one (the
                         last byte, unless a hole was filled later); or TW_NO_RECORD */
    uint32_t response_first, response_last;
    uint32_t response_acked; /* the asker's record that acknowledged the whole response, or none */
    uint32_t more;           /* index into tw_exchanges.more plus one; 0: none */
};

/* Known only for some protocols. */
struct tw_exchange_more {
    uint64_t bytes[2];    /* of the request and the response alone, where others interleave */
    uint32_t messages[2]; /* gRPC: sent by the asker and by the answerer; rows of a database; events
                             that came with the head of their stream */
    uint32_t id;          /* HTTP/2: the stream */
    tcpwhy_ns blocked_ns; /* HTTP/2: the response waited for the stream's window; SMB 2: the request
                             waited for credits */
    const char *detail;   /* of app; NULL: none */
};

/* A sender that used up a flow-control window, or credits, and had to wait for more. */
struct tw_window_waits {
    uint32_t n, frame; /* frame: that the first wait delayed */
    tcpwhy_ns ns;
};

/* RST_STREAM with an error; not that of an asker who cancels. */
struct tw_stream_resets {
    uint32_t n, frame, stream; /* of the first: its frame and stream, ... */
    tcpwhy_ns at_ns;           /* ... when, ... */
    const char *error;         /* ... the static name of its error ... */
    bool by_asker;             /* ... and its sender */
};

/* SETTINGS, with the defaults of RFC 9113, section 6.5.2. */
struct tw_http2_settings {
    uint32_t frame;       /* that announced them first; 0: none did */
    uint32_t streams;     /* that the other side may open at once; UINT32_MAX: no limit */
    uint32_t window;      /* of each, at first */
    uint32_t frame_bytes; /* at most in the payload of a frame */
};

/* Progress of a TLS handshake. */
enum tw_tls_progress {
    TW_TLS_UNKNOWN, /* no TLS, or frames are missing */
    TW_TLS_ASKED,   /* the ClientHello is complete */
    TW_TLS_GREETED, /* and so is the ServerHello, in clear */
    TW_TLS_LEFT,    /* TLS 1.3: an alert is the first that the asker says under protection */
    TW_TLS_OPEN,    /* the asker's Finished is under way */
};

/* An address at which the answerer says that it, or another of its cluster, is reached. */
struct tw_named_address {
    struct tcpwhy_endpoint endpoint; /* version 0: it named none */
    uint32_t frame;
    const char *setting; /* of the server, that sets it; static */
};

/* A dissector fills this in about the connection itself; zeros: it found nothing. */
struct tw_app_facts {
    /* HTTP/2, by sender where there are two: 0 is the asker. */
    bool http2;
    uint32_t initial_window[2];              /* of its streams, as the other side set it last */
    struct tw_window_waits stream_window[2]; /* a sum over streams */
    struct tw_window_waits connection_window[2];
    struct tw_http2_settings settings[2]; /* by who announced them */
    struct tw_stream_resets resets;
    uint32_t pings, pings_frame; /* answered ones ... */
    tcpwhy_ns ping_min_ns;       /* ... and the shortest */
    bool goaway[2];
    uint32_t goaway_error[2], goaway_frame[2];
    tcpwhy_ns goaway_ns[2];
    uint32_t unserved;          /* requests that the answerer's GOAWAY left without an answer */
    const char *goaway_name[2]; /* of the error; static */

    /* WebSocket: its frames are known, and a side said by a Close frame that it ends. */
    bool websocket, websocket_closed;

    /* The answerer's own words with which it ends the connection. */
    const char *parting; /* of app; NULL: none */
    uint32_t parting_frame;
    tcpwhy_ns parting_ns;

    /* The asker's longest silence by its own word, 0: it promised none; and the one after which its
     * server closes. */
    uint16_t keep_alive_s;
    tcpwhy_ns keep_alive_limit_ns;

    uint32_t proxy_frame; /* of a PROXY protocol header before all else; 0: none */

    struct tw_named_address named; /* the last one */

    /* SMB 2: credits of the asker. */
    struct tw_window_waits credits;

    /* TLS: the fatal alert in clear that ended the handshake. */
    uint32_t alert_frame; /* 0: none */
    tcpwhy_ns alert_ns;
    enum tcpwhy_side alert_by;
    uint8_t alert; /* its description (RFC 8446, section 6) */
    enum tw_tls_progress tls;
    uint32_t left_frame; /* with TW_TLS_LEFT: the record of that alert */
    /* One side spoke TLS and the other did not, as this frame of the answerer shows. */
    uint32_t plain_frame; /* 0: both did, or neither */
    tcpwhy_ns plain_ns;
    bool plain_by_asker; /* the asker did not, and its answer is a TLS alert */
};

/* Commands of MySQL that have no answer. */
static inline bool tw_exchange_is_farewell(const struct tw_exchange *e)
{
    return strcmp(e->protocol, "mysql") == 0 &&
           (strcmp(e->request, "quit") == 0 || strcmp(e->request, "close") == 0 ||
            strcmp(e->request, "long_data") == 0);
}

/* Must not be moved: it may point into itself. */
struct tw_exchanges {
    struct tw_exchange *exchange; /* sorted by request_from */
    uint32_t n, capacity;
    struct tw_exchange first[2];         /* inline storage, if sufficient */
    const struct tw_exchange_more *more; /* of app, like facts; NULL: none */
    const struct tw_app_facts *facts;
    const char *server_name; /* of app: as the client calls the server (SNI, Host); or NULL */
};

#endif
