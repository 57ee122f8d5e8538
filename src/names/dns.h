/* SPDX-License-Identifier: MIT */
/* A DNS message (RFC 1035, section 4): its question, its code, and the addresses that it gives. */
#ifndef TW_NAMES_DNS_H
#define TW_NAMES_DNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

#define TW_DNS_PORT 53

/* RFC 1035, 2.3.4: a name has 255 bytes at most; a byte that cannot be printed takes four here. */
#define TW_DNS_NAME 1024

/* Types of records (RFC 1035, 3.2.2; RFC 3596). */
#define TW_DNS_A    1
#define TW_DNS_PTR  12
#define TW_DNS_AAAA 28

/* Response codes (RFC 1035, 4.1.1; RFC 6895, 2.3). */
#define TW_DNS_NO_ERROR 0
#define TW_DNS_NXDOMAIN 3

/* Of one answer so many addresses are read: more do not fit into 512 bytes (RFC 1035, 4.2.1). */
#define TW_DNS_ADDRESSES 32

struct tw_dns_message {
    uint16_t id;
    uint16_t type; /* of the question */
    uint8_t code;  /* of a response */
    bool response;
    bool truncated;         /* TC: the answer did not fit, and is to be asked for over TCP */
    char name[TW_DNS_NAME]; /* of the question, in lower case, without the last dot */
    uint32_t n_addresses;   /* of A and AAAA records */
    struct tw_dns_address {
        uint8_t address[16]; /* IPv4 in the first four bytes, the rest 0 */
        uint8_t version;     /* 4 or 6 */
    } address[TW_DNS_ADDRESSES];
};

/* Read a message of an ordinary query; a response may be truncated by the snap length. @return
 * false if it is none, or has no question. */
bool tw_dns_read(struct tw_bytes message, struct tw_dns_message *out);

/* "A", "AAAA" ...; "TYPE65535" for others: written to text, which has room for 16 bytes. */
const char *tw_dns_type_name(uint16_t type, char *text);

/* "NOERROR", "NXDOMAIN" ...; "RCODE12" for others: likewise. */
const char *tw_dns_code_name(uint8_t code, char *text);

#endif
