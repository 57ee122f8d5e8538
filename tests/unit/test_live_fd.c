/* SPDX-License-Identifier: MIT */
/* Sources of live packets in a loop of poll(). */
#include "tests/unit.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <sys/socket.h>

#include <tcpwhy/tcpwhy.h>

#define CAPTURE TESTS_FOLDER "/../../pcaps/think200_rtt7/client.pcap"

/* Longer than any machine takes. */
#define WAIT_MS 20000

/* The discard service, where nobody listens. */
#define PORT 9

static bool is_readable(int fd, int wait_ms)
{
    struct pollfd wait = { .fd = fd, .events = POLLIN };

    return poll(&wait, 1, wait_ms) == 1 && (wait.revents & POLLIN);
}

/* Take packets until there is none. @return how many. */
static unsigned take_all(tcpwhy_live *live)
{
    struct tcpwhy_packet packet = TCPWHY_PACKET_INIT;
    unsigned n = 0;
    int got;

    while ((got = tcpwhy_live_next(live, 0, &packet, NULL, 0)) > 0)
        n++;
    assert_int_equal(got, 0);
    return n;
}

/* Poll and take until n packets came. */
static void wait_for(tcpwhy_live *live, unsigned n)
{
    for (unsigned came = 0; came < n; came += take_all(live))
        if (!is_readable(tcpwhy_live_fd(live), WAIT_MS))
            fail_msg("of %u packets %u came", n, came);
}

static size_t read_capture(uint8_t *bytes, size_t room)
{
    FILE *file = fopen(CAPTURE, "rb");
    size_t n;

    assert_non_null(file);
    n = fread(bytes, 1, room, file);
    fclose(file);
    return n;
}

static unsigned count_frames(void)
{
    tcpwhy_report *report;
    unsigned frames;

    assert_int_equal(tcpwhy_analyze_file(CAPTURE, NULL, &report, NULL, 0), 0);
    frames = (unsigned)tcpwhy_report_capture(report)->frames;
    tcpwhy_report_free(report);
    return frames;
}

TEST(a_growing_file_is_readable_when_it_grew)
{
    static uint8_t bytes[1 << 20];
    const size_t n = read_capture(bytes, sizeof bytes), half = n / 2;
    char path[] = "/tmp/tcpwhy-live-XXXXXX";
    int file = mkstemp(path), fd;
    tcpwhy_live *live;

    assert_true(n > 0 && n < sizeof bytes);
    assert_int_equal(tcpwhy_live_follow(path, NULL, &live, NULL, 0), 0);
    fd = tcpwhy_live_fd(live);
    assert_true(fd >= 0);
    assert_int_equal(tcpwhy_live_fd(live), fd);
    assert_true(is_readable(fd, WAIT_MS));
    assert_int_equal(take_all(live), 0);
    assert_false(is_readable(fd, 0));

    assert_int_equal(write(file, bytes, half), half);
    assert_true(is_readable(fd, WAIT_MS));
    unsigned first = take_all(live);
    assert_true(first > 0);
    assert_int_equal(write(file, bytes + half, n - half), n - half);
    wait_for(live, count_frames() - first);

    tcpwhy_live_close(live);
    close(file);
    unlink(path);
}

TEST(an_interface_is_readable_when_a_packet_came)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT) };
    struct tcpwhy_live_options options = TCPWHY_LIVE_INIT;
    int talk = socket(AF_INET, SOCK_DGRAM, 0);
    tcpwhy_live *live;

    options.filter = "udp port 9";
    options.immediate = true;
    if (tcpwhy_live_open("lo", &options, &live, NULL, 0) != 0) {
        close(talk);
        skip(); /* no permission to capture here, or no loopback */
    }
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(take_all(live), 0);
    assert_false(is_readable(tcpwhy_live_fd(live), 0));
    assert_int_equal(sendto(talk, "?", 1, 0, (struct sockaddr *)&to, sizeof to), 1);
    wait_for(live, 1);

    tcpwhy_live_close(live);
    close(talk);
}
