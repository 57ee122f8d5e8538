/* SPDX-License-Identifier: MIT */
/*
 * Protocols in which either side sends at any time: routing, chat, brokers, industrial control,
 * remote displays. Data in them is not necessarily a response; they are recognised by their first
 * bytes, and not parsed further.
 */
#include "app/protocol.h"

/* Message signatures: '.' is any byte, '#' a digit. */
static const struct mark {
    size_t len;
    const char *bytes;
} marks[] = {
#define MARK(bytes)                                                                                \
    {                                                                                              \
        sizeof(bytes) - 1, bytes                                                                   \
    }
    /* BGP: RFC 4271, section 4.1 */
    MARK("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
    /* IEC 60870-5-104, section 5: STARTDT and TESTFR, to and fro, and numbered acknowledgements */
    MARK("\x68\4\7\0\0\0"),
    MARK("\x68\4\13\0\0\0"),
    MARK("\x68\4\x43\0\0\0"),
    MARK("\x68\4\x83\0\0\0"),
    MARK("\x68\4\1\0"),
    MARK("\xf9\xbe\xb4\xd9"),       /* Bitcoin: the main network's magic */
    MARK("\23BitTorrent protocol"), /* BEP 3 */
    MARK("NICK "),                  /* IRC: RFC 2812, section 3.1 */
    MARK("CAP LS"),                 /* IRCv3 */
    MARK("<stream:stream"),         /* XMPP: RFC 6120, section 4.2 */
    MARK("<?xml version=.1.0..><stream:"),
    MARK("<?xml version=.1.0. ?><stream:"),
    MARK("AMQP"),      /* AMQP 1.0, section 2.2 */
    MARK("CONNECT\n"), /* STOMP 1.2 */
    MARK("STOMP\n"),
    MARK("CONNECT\r\n"), /* lines may end so, from 1.2 on */
    MARK("STOMP\r\n"),
    MARK("INFO {"),     /* NATS */
    MARK("VER # MSNP"), /* Microsoft's messenger, Yahoo's, and OSCAR's hello */
    MARK("YMSG"),
    MARK("*\1..\0\4\0\0\0\1"),
    MARK("INVITE "), /* SIP: RFC 3261, sections 7.1 and 7.2 */
    MARK("REGISTER sip"),
    MARK("OPTIONS sip"),
    MARK("SUBSCRIBE sip"), /* RFC 6665; RFC 3428; RFC 3903 */
    MARK("NOTIFY sip"),
    MARK("MESSAGE sip"),
    MARK("PUBLISH sip"),
    MARK("SIP/2.0 "),
    MARK("MSRP "),           /* RFC 4975, section 7 */
    MARK("\3\0..\x08\2"),    /* calls: Q.931, 4.2 and 4.3, as H.225.0 has it over TCP */
    MARK("8=FIX.#.#\0019="), /* FIX 4.x; FIXT 1.1 */
    MARK("8=FIXT.#.#\0019="),
    MARK("\1\0..\x80\0\1\1\0\0\0\0"), /* Diameter's first request: RFC 6733, 3 and 5.3.1 */
    /* SMPP 3.4, sections 3.2 and 4.1: who binds so is told of messages */
    MARK("\0\0\0.\0\0\0\1\0\0\0\0\0\0\0\1"),
    MARK("\0\0\0.\0\0\0\x09\0\0\0\0\0\0\0\1"),
    MARK("\0\1......\0\0\2\0"), /* LDP: RFC 5036, sections 3.1 and 3.5.3 */
    MARK("\x20\1\0.\1\x10"),    /* PCEP: RFC 5440, sections 6.1 and 6.2 */
    MARK("\3\0\0..\4\0"),       /* BMP: RFC 7854, sections 4.1 and 4.3 */
    MARK("\0\2\0\0\0\0\0\x08"), /* routers and what validates for them: RFC 8210, 5.4 */
    MARK("\1\2\0\0\0\0\0\x08"),
    MARK("HELF..\0\0\0\0\0\0"), /* OPC UA, part 6, section 7.1.2.3 */
    /* Panels of S7-1200 and S7-1500, which are told of values; ISO 8073, 13.3, over RFC 1006 */
    MARK("\3\0\0\x24\x1f\xe0\0\0..\0\xc1\2..\xc2\x10SIMATIC-ROOT-"),
    /* OpenVPN, which begins with a reset, and carries whatever passes */
    MARK("\0\x0e\x38........\0\0\0\0\0"),
    MARK("*KISMET: "), /* Kismet, until 2018: its servers, and who asks them for more */
    MARK("!# ENABLE "),
    MARK("GNUTELLA "), /* Gnutella 0.4 and 0.6 */
    MARK("$Lock "),    /* Direct Connect (NMDC) */
    MARK("REDQ"),      /* SPICE: SpiceLinkHeader */
    MARK("\x88\14"),   /* GSMP and ANCP: RFC 3293, section 4 */
    MARK("\0.\5\10"),  /* DHCP failover, where its connection begins */
    MARK("\5\x64"),    /* DNP3: IEEE 1815, section 9.2 */
    MARK("\1\0\0\10"), /* OpenFlow's hello, with a list of versions from 1.3 on */
    MARK("\4\0\0\10"),
    MARK("\4\0\0\20"),
    MARK("\5\0\0\20"),
    MARK("\6\0\0\20"),
    MARK("<#>"), /* syslog: RFC 6587; a priority, RFC 5424, 6.2.1 */
    MARK("<##>"),
    MARK("<###>"),
    MARK("RFB ###.###\n"), /* VNC: RFC 6143, section 7.1.1 */
    MARK("6.select,"),     /* Guacamole */
    /* Remote desktops: MS-RDPBCGR, section 2.2.1.1 */
    MARK("\3\0\0..\xe0\0\0\0\0\0Cookie: "),
    MARK("\3\0\0\23\16\xe0\0\0\0\0\0\1.\10\0"),
    MARK("l.\13\0\0\0"), /* X11, section 8: of either byte order, behind which a byte is not used */
    MARK("B.\0\13\0\0"),
#undef MARK
};

static bool fits(char pattern, uint8_t byte)
{
    if (pattern == '.')
        return true;
    return pattern == '#' ? byte >= '0' && byte <= '9' : (uint8_t)pattern == byte;
}

/* Does it match, as far as it goes? */
static bool is_begun(const struct mark *mark, struct tw_bytes first)
{
    for (size_t i = 0; i < first.len && i < mark->len; i++)
        if (!fits(mark->bytes[i], first.data[i]))
            return false;
    return first.len > 0;
}

/* May the character be part of a host name? */
static bool is_of_host(uint8_t c)
{
    return g_ascii_isalnum(c) || c == '.' || c == '-';
}

/* IRC servers start with their name (RFC 2812, section 2.3.1), and announce that they look up
 * the client's host. */
static enum tw_guess guess_irc(struct tw_bytes first)
{
    static const char notice[] = " NOTICE ";
    size_t at = 1, n = 0;
    bool dot = false;

    if (tw_u8(first, 0) != ':')
        return TW_GUESS_NO;
    for (; at < first.len && is_of_host(first.data[at]); at++)
        dot |= first.data[at] == '.';
    while (n < sizeof notice - 1 && at + n < first.len && first.data[at + n] == (uint8_t)notice[n])
        n++;
    if (n == sizeof notice - 1)
        return dot ? TW_GUESS_EITHER : TW_GUESS_NO;
    return at + n == first.len ? TW_GUESS_MORE : TW_GUESS_NO;
}

static enum tw_guess guess(struct tw_bytes first)
{
    enum tw_guess irc = guess_irc(first);
    bool more = irc == TW_GUESS_MORE;

    if (irc == TW_GUESS_EITHER)
        return irc;

    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
        if (!is_begun(&marks[i], first))
            continue;
        if (first.len >= marks[i].len)
            return TW_GUESS_EITHER;
        more = true;
    }
    return more ? TW_GUESS_MORE : TW_GUESS_NO;
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    (void)state;
    (void)asks;
    (void)p;
    transactions->at_will = true;
    tw_transactions_leave(transactions, NULL, INT64_MIN, INT64_MIN);
}

/* Transactions are turns. */
const struct tw_app_protocol tw_app_protocol_server_push = {
    .name = "turn",
    .guess = guess,
    .piece = piece,
};
