/* SPDX-License-Identifier: MIT */
/* Signatures of common files that are not readable captures. */
#include "source/foreign.h"

#include <stdbool.h>
#include <string.h>

#define DECOMPRESS(what, command)                                                                  \
    what " compressed: decompress it first (" command " FILE | tcpwhy -)"
/* Reached only if the codec was not built in. */
#define WITHOUT(what, command)                                                                     \
    what " compressed, which this tcpwhy was built without: decompress it first (" command         \
         " FILE | tcpwhy -)"
#define CONVERT(what)                                                                              \
    what ", which tcpwhy does not read: convert it first (editcap -F pcapng FILE OUT.pcapng)"

/* The first four bytes of pcapng reveal line-end conversion. */
#define SPOILT "a pcapng file spoilt by a transfer in text mode: copy it again in binary mode"

static const struct {
    const char *magic;
    size_t len;
    const char *advice;
} foreign[] = {
    { "\x1f\x8b", 2, WITHOUT("gzip", "zcat") },
    { "\x28\xb5\x2f\xfd", 4, WITHOUT("zstd", "zstd -dc") },
    { "\xfd"
      "7zXZ",
      5, WITHOUT("xz", "xzcat") },
    { "\x04\x22\x4d\x18", 4, WITHOUT("lz4", "lz4 -dc") },
    { "BZh", 3, DECOMPRESS("bzip2", "bzcat") },
    { "PK\x03\x04", 4, "a zip archive: take the capture out of it first (unzip)" },
    { "7z\xbc\xaf\x27\x1c", 6, "a 7-Zip archive: take the capture out of it first (7z x)" },
    { "\r\n\r\r\r\n", 6, SPOILT },
    { "\n\r\n", 3, SPOILT },
    { "btsnoop\0", 8, CONVERT("a Bluetooth snoop file") },
    { "VeriWave", 8, CONVERT("a VeriWave file") },
    { "%PDF", 4, "a PDF document, not a capture: give a pcap or pcapng file" },
    { "\x7f"
      "ELF",
      4, "a program, not a capture: give a pcap or pcapng file" },
};

static bool looks_like_text(struct tw_bytes start)
{
    for (size_t i = 0; i < start.len; i++) {
        uint8_t c = tw_u8(start, i);

        if (c == 0x7f || (c < 0x20 && !strchr("\t\n\v\f\r\x1b", c)) || c == 0)
            return false;
    }
    return true;
}

static const char *known(struct tw_bytes start)
{
    for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
        if (start.len >= foreign[i].len &&
            memcmp(start.data, foreign[i].magic, foreign[i].len) == 0)
            return foreign[i].advice;
    return NULL;
}

bool tw_foreign_is_known(struct tw_bytes start)
{
    return known(start) != NULL;
}

const char *tw_foreign_advice(struct tw_bytes start)
{
    const char *advice = known(start);

    if (start.len == 0)
        return "empty: the capture holds no bytes, take it again (tcpdump -w FILE)";
    if (advice)
        return advice;
    if (start.len < 4)
        return "not a capture: too short for one, take the capture again";
    if (looks_like_text(start))
        return "text, not a capture: give a pcap or pcapng file (tcpdump -w FILE writes one)";
    return "not a capture that tcpwhy reads: if Wireshark can read it, convert it first (editcap "
           "-F "
           "pcapng FILE OUT.pcapng)";
}
