/* SPDX-License-Identifier: MIT */
#include "app/tls_hello.h"

#include <string.h>

#define RANDOM 32

/* Extensions: RFC 6066, 7301, 8446. */
#define SERVER_NAME        0
#define ALPN               16
#define PRE_SHARED_KEY     41
#define EARLY_DATA         42
#define SUPPORTED_VERSIONS 43

/* RFC 8446, section 4.1.3: SHA-256 of "HelloRetryRequest". */
static const uint8_t retry_random[RANDOM] = {
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
    0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
};

static struct tw_bytes take(struct tw_bytes *rest, size_t n)
{
    struct tw_bytes taken = tw_bytes_first(*rest, n);

    *rest = tw_bytes_from(*rest, taken.len);
    return taken;
}

/* A vector with a length of one or two bytes; cut if incomplete. */
static struct tw_bytes take_vector(struct tw_bytes *rest, size_t length_bytes)
{
    struct tw_bytes length = take(rest, length_bytes);

    return take(rest, length_bytes == 1 ? tw_u8(length, 0) : tw_be16(length, 0));
}

static struct tw_bytes host_name(struct tw_bytes body)
{
    struct tw_bytes list = take_vector(&body, 2);

    while (list.len > 3) {
        uint8_t type = tw_u8(take(&list, 1), 0);
        struct tw_bytes name = take_vector(&list, 2);

        if (type == 0)
            return name;
    }
    return tw_bytes_first(body, 0);
}

static void extension(uint16_t type, struct tw_bytes body, bool server, struct tw_tls_hello *out)
{
    struct tw_bytes list;

    switch (type) {
    case SERVER_NAME:
        if (!server)
            out->server_name = host_name(body);
        break;
    case ALPN:
        list = take_vector(&body, 2);
        out->alpn = take_vector(&list, 1);
        break;
    case PRE_SHARED_KEY:
        out->resumed = server;
        break;
    case EARLY_DATA:
        out->early = true;
        break;
    case SUPPORTED_VERSIONS:
        if (server)
            out->version = tw_be16(body, 0);
        break;
    default:
        break;
    }
}

static void extensions(struct tw_bytes rest, bool server, struct tw_tls_hello *out)
{
    struct tw_bytes list = take_vector(&rest, 2);

    while (list.len >= 4) {
        uint16_t type = tw_be16(take(&list, 2), 0);

        extension(type, take_vector(&list, 2), server, out);
    }
}

void tw_tls_client_hello(struct tw_bytes body, struct tw_tls_hello *out)
{
    *out = (struct tw_tls_hello) { .version = tw_be16(take(&body, 2), 0) };
    out->random = take(&body, RANDOM);
    take_vector(&body, 1); /* session */
    take_vector(&body, 2); /* suites */
    take_vector(&body, 1); /* compression */
    extensions(body, false, out);
}

void tw_tls_server_hello(struct tw_bytes body, struct tw_tls_hello *out)
{
    *out = (struct tw_tls_hello) { .version = tw_be16(take(&body, 2), 0) };
    out->random = take(&body, RANDOM);
    take_vector(&body, 1);
    out->suite = tw_be16(take(&body, 2), 0);
    take(&body, 1);
    out->retry = out->random.len == RANDOM && memcmp(out->random.data, retry_random, RANDOM) == 0;
    extensions(body, true, out);
}

void tw_tls_encrypted_extensions(struct tw_bytes body, struct tw_tls_hello *out)
{
    *out = (struct tw_tls_hello) { 0 };
    extensions(body, true, out);
}
