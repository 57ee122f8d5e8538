/* SPDX-License-Identifier: MIT */
/*
 * Every number by which src/explain decides: its unit, and the RFC, kernel symbol or measurement
 * that it comes from. In a build with -Dsweep=true (tools/dev/sweep-thresholds.py) each can be
 * multiplied, which shows how many verdicts depend on it: docs/thresholds.md.
 */
#ifndef TW_EXPLAIN_THRESHOLDS_H
#define TW_EXPLAIN_THRESHOLDS_H

#include <stdbool.h>

#include <tcpwhy/types.h>

#ifdef TW_SWEEP
/* The factor by which a sweep multiplies a threshold, and whether the threshold was read since the
 * factor was set. */
struct tw_sweep {
    const char *name;
    double factor;
    bool was_read;
};

struct tw_sweep *tw_sweep_of(const char *name);

/* An integer threshold stays an integer. */
#define TW_THRESHOLD(name, value)                                                                  \
    __extension__({                                                                                \
        static struct tw_sweep *sweep_;                                                            \
        if (!sweep_)                                                                               \
            sweep_ = tw_sweep_of(#name);                                                           \
        sweep_->was_read = true;                                                                   \
        (__typeof__(value))((value)*sweep_->factor);                                               \
    })
#else
#define TW_THRESHOLD(name, value) (value)
#endif

/* --- timers of TCP stacks --- */

/* A timer that holds an ACK back is no shorter: Linux and Windows begin with 40 ms. A quarter
 * less allows for coarse clocks and for what the shortest known way hides. Unit: ns. Source:
 * TCP_DELACK_MIN (include/net/tcp.h). */
#define TW_DELAYED_ACK_NS TW_THRESHOLD(DELAYED_ACK_NS, TCPWHY_MS(30))

/* No default timer holds an ACK back for longer; one tenth more allows for ticks. Unit: ns.
 * Source: TCP_DELACK_MAX (include/net/tcp.h). */
#define TW_LONGEST_DELAYED_ACK_NS TW_THRESHOLD(LONGEST_DELAYED_ACK_NS, TCPWHY_MS(220))

/* An ACK must not be delayed for longer, nor does Nagle's algorithm hold anything longer for
 * want of one. Unit: ns. Source: RFC 9293, 3.8.6.3 (MUST-40). */
#define TW_FORBIDDEN_DELAY_NS TW_THRESHOLD(FORBIDDEN_DELAY_NS, TCPWHY_MS(500))

/* The retransmission timer and the probe timer wait no shorter. Unit: ns. Source: TCP_RTO_MIN
 * (include/net/tcp.h). */
#define TW_RTO_MIN_NS TW_THRESHOLD(RTO_MIN_NS, TCPWHY_MS(200))

/* The same as a clock elsewhere may show it: a tick of HZ=100 sooner. Unit: ns. Source:
 * TCP_RTO_MIN less a tick (kernel/time/timer.c). */
#define TW_RTO_SEEN_NS TW_THRESHOLD(RTO_SEEN_NS, TCPWHY_MS(190))

/* The first timer: what is under way for longer is sent again, and whoever asks for room in a
 * closed window asks sooner. Unit: ns. Source: RFC 6298, 2.1. */
#define TW_INITIAL_RTO_NS TW_THRESHOLD(INITIAL_RTO_NS, TCPWHY_S(1))

/* The first timer of older stacks, and so the latest first retransmission. Unit: ns. Source: RFC
 * 1122, 4.2.3.1. */
#define TW_OLD_INITIAL_RTO_NS TW_THRESHOLD(OLD_INITIAL_RTO_NS, TCPWHY_S(3))

/* The first RTO is at most this many minimum RTTs: three by the RFC, six as seen of a Linux 6.18
 * client, and the rest for timers and queues. Unit: round trips. Source: RFC 6298, 2.2, and
 * measurement. */
#define TW_FIRST_TIMEOUT_TRIPS TW_THRESHOLD(FIRST_TIMEOUT_TRIPS, 8)

/* A timer fires up to one tick late. Unit: ns. Source: CONFIG_HZ=250. */
#define TW_TIMER_TICK_NS TW_THRESHOLD(TIMER_TICK_NS, TCPWHY_MS(4))

/* A timer of a coarse kernel fires up to two ticks late. Unit: ns. Source: CONFIG_HZ=100. */
#define TW_TIMER_TICKS_NS TW_THRESHOLD(TIMER_TICKS_NS, TCPWHY_MS(20))

/* Timers of 63 ticks and more fire late by up to this part of their length. Unit: 1/part.
 * Source: LVL_GRAN() (kernel/time/timer.c). */
#define TW_TIMER_COARSE_SHARE TW_THRESHOLD(TIMER_COARSE_SHARE, 8)

/* A timestamp clock ticks at least this often. Unit: ns. Source: RFC 7323, 5.4. */
#define TW_SLOWEST_TICK_NS TW_THRESHOLD(SLOWEST_TICK_NS, 1e9)

/* After this many unanswered retransmissions the path may be gone. Unit: count. Source: RFC 9293,
 * 3.8.3 (R1). */
#define TW_R1_REPEATS TW_THRESHOLD(R1_REPEATS, 3)

/* The initial congestion window. Unit: segments. Source: RFC 6928. */
#define TW_INITIAL_SEGMENTS TW_THRESHOLD(INITIAL_SEGMENTS, 10)

/* A receiver acknowledges every second full segment at once. Unit: segments. Source: RFC 5681,
 * 4.2. */
#define TW_ACKED_SEGMENTS TW_THRESHOLD(ACKED_SEGMENTS, 2)

/* A kernel that paces sends at least this much at a time. Unit: segments. Source:
 * tcp_tso_autosize() (net/ipv4/tcp_output.c). */
#define TW_PACE_SEGMENTS TW_THRESHOLD(PACE_SEGMENTS, 2)

/* A kernel that lets the fq scheduler pace queues two bursts there; a coarse clock may show one
 * more. Unit: bursts. Source: tcp_small_queue_check() (net/ipv4/tcp_output.c). */
#define TW_PACED_BURSTS TW_THRESHOLD(PACED_BURSTS, 3)

/* Segments that a card, a kernel or a pacing timer takes together lie no further apart. Unit:
 * ns. Source: net.core.netdev_budget_usecs. */
#define TW_JOINED_NS TW_THRESHOLD(JOINED_NS, TCPWHY_MS(2))

/* --- sizes --- */

/* The largest window without scaling. Unit: bytes. Source: RFC 9293, 3.1. */
#define TW_UNSCALED_WINDOW TW_THRESHOLD(UNSCALED_WINDOW, 65535)

/* Every path carries segments of this payload. Unit: bytes. Source: RFC 9293, 3.7.1. */
#define TW_SMALLEST_MSS TW_THRESHOLD(SMALLEST_MSS, 536)

/* Payload of a full segment where neither a SYN nor the capture tells it. Unit: bytes. Source:
 * RFC 9293, 3.7.1 (IPv6). */
#define TW_DEFAULT_MSS TW_THRESHOLD(DEFAULT_MSS, 1220)

/* A larger payload is several segments that a card has yet to cut up. Unit: bytes. Source:
 * judgement: the usual MTU of jumbo frames. */
#define TW_JUMBO_MSS TW_THRESHOLD(JUMBO_MSS, 9000)

/* Linux leaves less than this part of a window unused while it waits for more. Unit: 1/part.
 * Source: net.ipv4.tcp_tso_win_divisor, its default. */
#define TW_TSO_WIN_DIVISOR TW_THRESHOLD(TSO_WIN_DIVISOR, 3)

/* --- how long hosts take --- */

/* A kernel reacts within this time, in the softirq of the ACK or by waking a writer; segments
 * closer than this leave as one burst. Unit: ns. Source: judgement. */
#define TW_KERNEL_NS TW_THRESHOLD(KERNEL_NS, TCPWHY_US(100))

/* A shorter half round trip is the host's latency as much as the path's, and no queue shows in
 * it. Unit: ns. Source: judgement. */
#define TW_HOST_LATENCY_NS TW_THRESHOLD(HOST_LATENCY_NS, TCPWHY_US(300))

/* An event causes what follows it within this time: busy or virtual hosts react more slowly than a
 * kernel. Unit: ns. Source: judgement. */
#define TW_HOST_NS TW_THRESHOLD(HOST_NS, TCPWHY_US(500))

/* No cause is named for less: hosts, links and clocks of whole milliseconds take as long. Unit:
 * ns. Source: judgement. */
#define TW_SHORT_NS TW_THRESHOLD(SHORT_NS, TCPWHY_MS(1))

/* A busy host reacts within this time, and a clock of whole milliseconds shows no more of a
 * shorter one. Unit: ns. Source: judgement. */
#define TW_BUSY_HOST_NS TW_THRESHOLD(BUSY_HOST_NS, TCPWHY_MS(2))

/* Less is not examined further: a rate over a shorter window is not sharp, clock ticks hide as
 * much, and a shorter round trip is no distance (500 km of fibre). Unit: ns. Source: judgement. */
#define TW_WORTH_NS TW_THRESHOLD(WORTH_NS, TCPWHY_MS(5))

/* An application that is waited for reacts within this time and a round trip; after a longer
 * silence a message may be unsolicited (a heartbeat, a push). Unit: ns. Source: judgement. */
#define TW_QUIET_NS TW_THRESHOLD(QUIET_NS, TCPWHY_MS(200))

/* Where only turns tell, a message after a longer silence may answer nothing: people pause and
 * keep-alives run for seconds. Unit: ns. Source: judgement. */
#define TW_UNASKED_NS TW_THRESHOLD(UNASKED_NS, TCPWHY_S(3))

/* Programs sleep for multiples of this. Unit: ns. Source: judgement. */
#define TW_BEAT_NS TW_THRESHOLD(BEAT_NS, TCPWHY_MS(5))

/* --- parts of a wait, a way or a round trip --- */

/* On a full path no silence is as long as this part of a round trip. Unit: 1/part. Source:
 * judgement. */
#define TW_SILENCE_SHARE TW_THRESHOLD(SILENCE_SHARE, 2)

/* A sender that is silent for this part of a round trip paused. Unit: 1/part. Source: judgement. */
#define TW_PAUSE_SHARE TW_THRESHOLD(PAUSE_SHARE, 4)

/* An event may have caused what follows it within this part of a round trip: the path's jitter.
 * Unit: 1/part. Source: judgement. */
#define TW_PROMPT_SHARE TW_THRESHOLD(PROMPT_SHARE, 4)

/* A wait of a smaller part of a round trip is serialization. Unit: 1/part. Source: judgement. */
#define TW_SHORT_SHARE TW_THRESHOLD(SHORT_SHARE, 8)

/* The shortest way varies by this part. Unit: 1/part. Source: judgement. */
#define TW_JITTER_SHARE TW_THRESHOLD(JITTER_SHARE, 16)

/* Segments closer than this part of a round trip are of one burst. Unit: 1/part. Source:
 * judgement. */
#define TW_BURST_SHARE TW_THRESHOLD(BURST_SHARE, 32)

/* A send within this part of a wait behind an ACK seldom follows it by chance. Unit: 1/part.
 * Source: judgement. */
#define TW_SOON_SHARE TW_THRESHOLD(SOON_SHARE, 8)

/* A send within this part of a wait behind an event hardly ever follows it by chance; a path that
 * loses a smaller part of the frames is clean; sizes that differ by less are one. Unit: 1/part.
 * Source: judgement. */
#define TW_RARE_SHARE TW_THRESHOLD(RARE_SHARE, 50)

/* Values that differ by a smaller part are alike, and a smaller part of a set does not decide.
 * Unit: 1/part. Source: judgement. */
#define TW_QUARTER TW_THRESHOLD(QUARTER, 4)

/* This part of sends or bursts may deviate from a habit. Unit: 1/part. Source: judgement. */
#define TW_EXCEPTIONS_SHARE TW_THRESHOLD(EXCEPTIONS_SHARE, 8)

/* A queue's delay varies by this part from segment to segment, and shows when the round trip
 * grows by it. Unit: 1/part. Source: judgement. */
#define TW_QUEUE_VARIES_SHARE TW_THRESHOLD(QUEUE_VARIES_SHARE, 8)

/* A value more than this many times another differs from it for a reason. Unit: ratio. Source:
 * judgement. */
#define TW_FACTOR TW_THRESHOLD(FACTOR, 2)

/* Values closer than this factor are the same but for scatter. Unit: ratio. Source: judgement. */
#define TW_HALF_AGAIN TW_THRESHOLD(HALF_AGAIN, 1.5)

/* A bottleneck passes segments evenly: a silence of this many segment times is not its own. Unit:
 * ratio. Source: judgement. */
#define TW_UNEVEN TW_THRESHOLD(UNEVEN, 4)

/* If one half RTT is this many times the other, the capture is at the nearer host. Unit: ratio.
 * Source: judgement. */
#define TW_AT_HOST_RATIO TW_THRESHOLD(AT_HOST_RATIO, 8)

/* Two answers of a server that differ by a smaller part of the time between them tell nothing of
 * its beat. Unit: 1/part. Source: judgement. */
#define TW_TELLING_SHARE TW_THRESHOLD(TELLING_SHARE, 100)

/* --- how often is no chance --- */

/* Once may be chance (a loss, a frame captured out of order); this often is not. Unit: count.
 * Source: judgement. */
#define TW_TWICE TW_THRESHOLD(TWICE, 2)

/* This many observations in one connection make a habit of its sender. Unit: count. Source:
 * judgement. */
#define TW_OFTEN TW_THRESHOLD(OFTEN, 3)

/* A statistic needs at least this many values. Unit: count. Source: judgement. */
#define TW_FEWEST TW_THRESHOLD(FEWEST, 4)

/* This many equal rounds or bursts are no coincidence: slow start would have doubled the flight
 * four times. Unit: rounds. Source: judgement. */
#define TW_HABIT TW_THRESHOLD(HABIT, 5)

/* This many samples show the spread of a value. Unit: count. Source: judgement. */
#define TW_MANY TW_THRESHOLD(MANY, 8)

/* A packet is seldom lost this often: Windows gives up after five retransmissions. Unit: count.
 * Source: TcpMaxDataRetransmissions (Windows). */
#define TW_IP_ID_TRIES TW_THRESHOLD(IP_ID_TRIES, 6)

/* If this many bursts are steadier than the ACKs before them, ACKs do not release the bursts. Unit:
 * bursts. Source: judgement. */
#define TW_STEADY_BURSTS TW_THRESHOLD(STEADY_BURSTS, 64)

/* After a loss CUBIC keeps a plateau of its own: a longer one is a limit. Unit: rounds. Source:
 * RFC 9438, 4.1, and judgement. */
#define TW_CUBIC_FLAT_ROUNDS TW_THRESHOLD(CUBIC_FLAT_ROUNDS, 50)

/* Mean resultant length from which phases agree (1: all equal). Unit: ratio. Source: judgement. */
#define TW_AGREEMENT TW_THRESHOLD(AGREEMENT, 0.99)

/* The same where a few of many may be late. Unit: ratio. Source: judgement. */
#define TW_MOST_AGREE TW_THRESHOLD(MOST_AGREE, 0.8)

/* Rayleigh's test: chance exceeds it once in 400 connections, exp(-6). Unit: n r^2. Source:
 * Rayleigh's test of uniformity. */
#define TW_NO_CHANCE TW_THRESHOLD(NO_CHANCE, 6.0)

/* --- flights and rates --- */

/* A flight is flat while it varies by no more. Unit: segments. Source: judgement. */
#define TW_FLAT_SEGMENTS TW_THRESHOLD(FLAT_SEGMENTS, 2)

/* A smaller flight does not fill a path: its round trip shows the host. Unit: segments. Source:
 * judgement. */
#define TW_FILLING_SEGMENTS TW_THRESHOLD(FILLING_SEGMENTS, 4)

/* In slow start a flight grows by this factor in a round trip: by half with ACKs of two
 * segments, less scatter. Unit: ratio. Source: RFC 5681, 3.1. */
#define TW_SLOW_START_GROWTH TW_THRESHOLD(SLOW_START_GROWTH, 1.4)

/* A rate of this part of another is the same rate. Unit: ratio. Source: judgement. */
#define TW_SAME_RATE TW_THRESHOLD(SAME_RATE, 0.9)

/* A path that carries this part of its capacity is full. Unit: ratio. Source: judgement. */
#define TW_FULL_RATE TW_THRESHOLD(FULL_RATE, 0.8)

/* A path that carries this part of its capacity over a round trip is busy. Unit: ratio. Source:
 * judgement. */
#define TW_BUSY_RATE TW_THRESHOLD(BUSY_RATE, 0.75)

/* A path that carries less than this part of its capacity is idle. Unit: ratio. Source:
 * judgement. */
#define TW_IDLE_RATE TW_THRESHOLD(IDLE_RATE, 0.5)

/* Slope of rate over flight, both on a log scale, between a queue (0) and an idle path (1).
 * Unit: ratio. Source: Little's law. */
#define TW_HALF_WAY TW_THRESHOLD(HALF_WAY, 0.5)

/* Variance of log2 flight from which that slope is known: its standard error is a quarter then.
 * Unit: log2 squared. Source: judgement. */
#define TW_MIN_SQUARES TW_THRESHOLD(MIN_SQUARES, 1)

/* Arrivals that give a rate: more than a card joins, fewer than an initial window. Unit:
 * segments. Source: judgement. */
#define TW_TRAIN 6

/* Percentile that stands for the highest rate: a fifth may be joined segments. Unit: percent.
 * Source: judgement. */
#define TW_HIGH_PERCENT TW_THRESHOLD(HIGH_PERCENT, 80)

/* --- losses --- */

/* A retransmission that is acknowledged sooner than this part of the shortest round trip was not
 * needed. Unit: percent. Source: judgement. */
#define TW_TOO_SOON_PERCENT TW_THRESHOLD(TOO_SOON_PERCENT, 70)

/* Retransmissions and reports that a D-SACK is matched with: a segment is repeated 15 times at
 * most. Unit: count. Source: net.ipv4.tcp_retries2. */
#define TW_DSACK_REPEATS 64

/* --- clocks --- */

/* Fewer ticks of a timestamp clock show no rate. Unit: ticks. Source: judgement. */
#define TW_CLOCK_MIN_TICKS TW_THRESHOLD(CLOCK_MIN_TICKS, 20)

/* Block of time in which the shortest way is looked for: two clocks drift apart by 3 ms in it
 * (100 ppm). Unit: ns. Source: judgement. */
#define TW_CLOCK_BLOCK_NS TW_THRESHOLD(CLOCK_BLOCK_NS, TCPWHY_S(30))

/* Two clocks drift apart by no more than this part of the time. Unit: 1/part. Source: MAXFREQ,
 * 500 ppm (include/linux/timex.h). */
#define TW_CLOCK_DRIFT_SHARE TW_THRESHOLD(CLOCK_DRIFT_SHARE, 2000)

/* A timer's ticks drift against another clock by no more than this part of the time: 100 ppm of a
 * crystal. With the adjustable clock's share a leap of the capture's clock makes a hold certain
 * (tests/derived). Unit: 1/part. Source: judgement. */
#define TW_CRYSTAL_DRIFT_SHARE TW_THRESHOLD(CRYSTAL_DRIFT_SHARE, 10000)

/* --- distance --- */

/* A user who waits no longer for what he asked for keeps his train of thought; twice as long he
 * puts up with. Unit: ns. Source: Miller, Response time in man-computer conversational
 * transactions, 1968; Nah, A study on tolerable waiting time, 2004. */
#define TW_FLOW_OF_THOUGHT_NS TW_THRESHOLD(FLOW_OF_THOUGHT_NS, TCPWHY_S(1))

/* Each round trip as long is felt: 150 ms one way. Unit: ns. Source: ITU-T G.114, clause 4. */
#define TW_FELT_TRIP_NS TW_THRESHOLD(FELT_TRIP_NS, TCPWHY_MS(300))

/* --- how far to look --- */

/* Records that are searched for a neighbour: more than are in flight as a rule. Unit: records.
 * Source: judgement. */
#define TW_NEAR_RECORDS TW_THRESHOLD(NEAR_RECORDS, 256)

/* Records that are searched back for an event before a silence. Unit: records. Source:
 * judgement. */
#define TW_FAR_RECORDS TW_THRESHOLD(FAR_RECORDS, 4096)

#endif
