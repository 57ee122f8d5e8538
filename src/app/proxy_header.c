/* SPDX-License-Identifier: MIT */
#include "app/proxy_header.h"

#include <string.h>

/* Version 1 is a line of at most so many bytes (proxy-protocol.txt, 2.1). */
#define LONGEST_LINE 107

/* Version 2: signature, version and command, family, length of the rest (2.2). */
#define SIGNATURE     "\r\n\r\n\0\r\nQUIT\n"
#define SIGNATURE_LEN 12
#define FIXED         16

static size_t line(struct tw_bytes first)
{
    static const char word[] = "PROXY ";
    struct tw_bytes text = tw_bytes_first(first, LONGEST_LINE);
    const uint8_t *lf;

    if (text.len < sizeof word - 1 || memcmp(text.data, word, sizeof word - 1) != 0)
        return 0;
    lf = memchr(text.data, '\n', text.len);
    return lf && lf[-1] == '\r' ? (size_t)(lf - text.data) + 1 : 0;
}

static size_t binary(struct tw_bytes first)
{
    size_t len;

    if (first.len < FIXED || memcmp(first.data, SIGNATURE, SIGNATURE_LEN) != 0 ||
        tw_u8(first, SIGNATURE_LEN) >> 4 != 2)
        return 0;
    len = FIXED + (size_t)tw_be16(first, FIXED - 2);
    return len <= first.len ? len : 0;
}

size_t tw_proxy_header(struct tw_bytes first)
{
    return tw_u8(first, 0) == 'P' ? line(first) : binary(first);
}
