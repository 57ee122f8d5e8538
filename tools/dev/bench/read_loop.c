/* SPDX-License-Identifier: MIT */
/*
 * read_loop CAPTURE: what reading alone costs. libpcap hands over every packet; one byte of each
 * is looked at, as any analysis must.
 */
#include <stdio.h>

#include <pcap/pcap.h>

int main(int argc, char **argv)
{
    char error[PCAP_ERRBUF_SIZE];
    pcap_t *capture =
        argc == 2
            ? pcap_open_offline_with_tstamp_precision(argv[1], PCAP_TSTAMP_PRECISION_NANO, error)
            : NULL;
    struct pcap_pkthdr *header;
    const unsigned char *bytes;
    unsigned long packets = 0, total = 0, mixed = 0;

    if (!capture) {
        fprintf(stderr, "usage: read_loop CAPTURE\n");
        return 2;
    }
    while (pcap_next_ex(capture, &header, &bytes) == 1) {
        packets++;
        total += header->len;
        mixed ^= header->caplen ? bytes[header->caplen / 2] : 0;
    }
    pcap_close(capture);
    printf("%lu packets, %lu bytes, %lx\n", packets, total, mixed);
    return 0;
}
