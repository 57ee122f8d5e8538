/* SPDX-License-Identifier: MIT */
/*
 * Every number by which src/explain decides: its unit, and the RFC, kernel symbol or measurement
 * that it comes from. A build with -DTW_SWEEP takes a factor for each from the environment
 * (tools/sweep-thresholds.py), which shows how many verdicts depend on it.
 */
#ifndef TW_EXPLAIN_THRESHOLDS_H
#define TW_EXPLAIN_THRESHOLDS_H

#include <stdbool.h>

#include <tcpwhy/types.h>

#ifdef TW_SWEEP
/* What a sweep multiplies a threshold by, and whether the threshold was read since it asked. */
struct tw_sweep {
    const char *name;
    double factor;
    bool was_read;
};

struct tw_sweep *tw_sweep_of(const char *name);

/* What was whole stays whole; a percentage or a share of one ends there. */
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

/* The shortest timer with which a stack holds back an ACK is Linux's and Windows' 40 ms
 * (TCP_DELACK_MIN, include/net/tcp.h); a quarter less allows for clocks and coarse ticks. */
#define TW_DELAYED_ACK_NS TW_THRESHOLD(DELAYED_ACK_NS, TCPWHY_MS(30))

/* The longest by default are Linux's TCP_DELACK_MAX and Windows'; a tick allows for clocks. */
#define TW_LONGEST_DELAYED_ACK_NS TW_THRESHOLD(LONGEST_DELAYED_ACK_NS, TCPWHY_MS(220))

/* No ACK may be delayed for so long (RFC 9293, 3.8.6.3, MUST-40), nor held what waits for one by
 * Nagle's algorithm. */
#define TW_FORBIDDEN_DELAY_NS TW_THRESHOLD(FORBIDDEN_DELAY_NS, TCPWHY_MS(500))

/* Linux's lower bound of the retransmission timeout (TCP_RTO_MIN), and no stack's is shorter; what
 * it sends may seem a tick sooner to another clock. */
#define TW_RTO_MIN_NS  TW_THRESHOLD(RTO_MIN_NS, TCPWHY_MS(200))
#define TW_RTO_SEEN_NS TW_THRESHOLD(RTO_SEEN_NS, TCPWHY_MS(190))

/* The initial window, in segments (RFC 6928). */
#define TW_INITIAL_SEGMENTS TW_THRESHOLD(INITIAL_SEGMENTS, 10)

/* --- vantage/half_rtt.c --- */

/* What is not acknowledged by then goes again (RFC 1122, 4.2.3.1: the first timer is 3 s; RFC 6298:
 * 1 s). A segment that did not was acknowledged before, and not by what a program says later. */
#define TW_HALF_RTT_LONGEST_TRIP TW_THRESHOLD(HALF_RTT_LONGEST_TRIP, TCPWHY_S(3))

/* --- vantage/half_rtt.h --- */

/* Of a short connection there are few. */
#define TW_FEW_SAMPLES 8

/* --- vantage/ip_id.c --- */

/* Fewer steps of one than this are chance. */
#define TW_IP_ID_ID_ONES_TRUSTED TW_THRESHOLD(IP_ID_ID_ONES_TRUSTED, 3)

/* Larger steps between close frames that may be lost ACKs; more of them, and the counter is shared.
 */
#define TW_IP_ID_ID_ODD_FEW TW_THRESHOLD(IP_ID_ID_ODD_FEW, 3)

/* A packet that is lost goes again; few are lost as often as this (TcpMaxDataRetransmissions of
 * Windows is 5). */
#define TW_IP_ID_TRIES TW_THRESHOLD(IP_ID_TRIES, 6)

/* ACKs are seldom lost in a row: more gaps of several before a pure ACK, and the counter is shared.
 */
#define TW_IP_ID_BEFORE_ACKS_FEW TW_THRESHOLD(IP_ID_BEFORE_ACKS_FEW, 3)

/* It does so when a timer fires, of 3 s at first at most (RFC 1122, 4.2.3.1), later twice as long
 * each time. */
#define TW_IP_ID_FIRST_TIMER TW_THRESHOLD(IP_ID_FIRST_TIMER, TCPWHY_S(3))

/* Segments that are no larger than what was agreed upon may be smaller by this part: they are more.
 */
#define TW_IP_ID_SMALLER_SHARE TW_THRESHOLD(IP_ID_SMALLER_SHARE, 8)

/* --- vantage/ip_id.h --- */

/* Of fewer frames it says nothing: three that follow each other, and one behind a gap. */
#define TW_IP_ID_FEWEST TW_THRESHOLD(IP_ID_FEWEST, 4)

/* --- vantage/missing_pure_acks.c --- */

/* Hosts that answer each other at once need no ACKs without data, but for the handshake's (RFC
 * 9293, 3.5), which may leave with the first data. By judgement: among so many segments there would
 * be one. */
#define TW_MISSING_PURE_ACKS_MANY_SEGMENTS TW_THRESHOLD(MISSING_PURE_ACKS_MANY_SEGMENTS, 8)

/* The largest window without scaling (RFC 9293, 3.1), and all that a card joins (GRO): more leaves
 * only when some of it was acknowledged. */
#define TW_MISSING_PURE_ACKS_MANY_BYTES TW_THRESHOLD(MISSING_PURE_ACKS_MANY_BYTES, 65535)

/* --- vantage/tsval_clock.c --- */

/* The measured tick may be off by this factor: queues at one end stretch short connections. */
#define TW_TSVAL_CLOCK_TICK_FACTOR TW_THRESHOLD(TSVAL_CLOCK_TICK_FACTOR, 1.5)

/* Two clocks drift apart by up to 100 ppm: 3 ms in such a block, which is not taken for a queue. */
#define TW_TSVAL_CLOCK_BLOCK_NS TW_THRESHOLD(TSVAL_CLOCK_BLOCK_NS, TCPWHY_S(30))

/* --- vantage/tsval_clock.h --- */

/* Fewer ticks than this tell no rate. */
#define TW_TSVAL_CLOCK_MIN_TICKS TW_THRESHOLD(TSVAL_CLOCK_MIN_TICKS, 20)

/* --- vantage/vantage.c --- */

/* One half this many times the other: the vantage is at that side's host. */
#define TW_VANTAGE_AT_HOST_RATIO TW_THRESHOLD(VANTAGE_AT_HOST_RATIO, 8)

/* Half round trips below this are made of host latency as much as of the path. */
#define TW_VANTAGE_HOST_LATENCY TW_THRESHOLD(VANTAGE_HOST_LATENCY, TCPWHY_US(300))

/* A kernel that was not waiting for anything answers its host's own capture sooner than this. */
#define TW_VANTAGE_KERNEL_LATENCY TW_THRESHOLD(VANTAGE_KERNEL_LATENCY, TCPWHY_MS(2))

/* Fewer samples than this show no spread, nor that the shortest is the way's own. */
#define TW_VANTAGE_JITTER_SAMPLES TW_THRESHOLD(VANTAGE_JITTER_SAMPLES, 8)

/* --- sender/sender_acks.c --- */

/* How far back to look for what the receiver had heard. */
#define TW_SENDER_ACKS_ECHO_SEARCH TW_THRESHOLD(SENDER_ACKS_ECHO_SEARCH, 64)

/* No kernel takes so long from an ACK's passing the capture to hearing it. */
#define TW_SENDER_ACKS_OUTDATED_NS TW_THRESHOLD(SENDER_ACKS_OUTDATED_NS, TCPWHY_MS(1))

/* Pauses that ACKs end are as unsteady as those are. So many steps from one to the next that differ
 * by less than this part of what the ACKs do, and that by more than a clock of whole milliseconds
 * shows of nothing, are no chance: the writer ends them. */
#define TW_SENDER_ACKS_STEADY_STEPS TW_THRESHOLD(SENDER_ACKS_STEADY_STEPS, 3)
#define TW_SENDER_ACKS_STEADY_SHARE TW_THRESHOLD(SENDER_ACKS_STEADY_SHARE, 4)
#define TW_SENDER_ACKS_UNSTEADY_NS  TW_THRESHOLD(SENDER_ACKS_UNSTEADY_NS, TCPWHY_MS(2))

/* --- sender/sender_timeline.c --- */

#define TW_SENDER_TIMELINE_AT_ONCE_NS    TW_THRESHOLD(SENDER_TIMELINE_AT_ONCE_NS, TCPWHY_US(500))
#define TW_SENDER_TIMELINE_AT_ONCE_SHARE TW_THRESHOLD(SENDER_TIMELINE_AT_ONCE_SHARE, 4)

/* IPv6's minimum (RFC 9293, 3.7.1): assumed when neither a SYN nor two segments tell. */
#define TW_SENDER_TIMELINE_DEFAULT_MSS TW_THRESHOLD(SENDER_TIMELINE_DEFAULT_MSS, 1220)

/* Larger payloads are several segments that a card has not cut up yet. */
#define TW_SENDER_TIMELINE_JUMBO_MSS TW_THRESHOLD(SENDER_TIMELINE_JUMBO_MSS, 9000)

/* No path carries less: 576 bytes (RFC 791) with 40 of headers and 40 of options. */
#define TW_SENDER_TIMELINE_SMALLEST_FULL TW_THRESHOLD(SENDER_TIMELINE_SMALLEST_FULL, 496)

/* One cut may be the window's, or a program's that pushes nothing. */
#define TW_SENDER_TIMELINE_CUTS TW_THRESHOLD(SENDER_TIMELINE_CUTS, 3)

/* --- sender/sender_timeline.h --- */

/* Leaving later than this after the window's edge moved, something else held a segment. */
#define TW_PROMPT_NS    TW_THRESHOLD(PROMPT_NS, TCPWHY_MS(1))
#define TW_PROMPT_SHARE TW_THRESHOLD(PROMPT_SHARE, 4)

/* Held segments of one sender that are no chance any more. */
#define TW_HELD_OFTEN TW_THRESHOLD(HELD_OFTEN, 3)

/* The shortest answer we saw includes the answering host's own time; a release by an ACK can come
 * sooner than that by this much. */
#define TW_HOST_SLACK       TW_THRESHOLD(HOST_SLACK, TCPWHY_US(500))
#define TW_HOST_SLACK_SHARE TW_THRESHOLD(HOST_SLACK_SHARE, 16)

/* --- sender/sws_avoidance.c --- */

/* What was written in pieces leaves in them, one right behind the other. */
#define TW_SWS_AVOIDANCE_TOGETHER_NS TW_THRESHOLD(SWS_AVOIDANCE_TOGETHER_NS, TCPWHY_US(500))

/* --- sender/window_scale.c --- */

/* One may be a frame that the capture lacks, or holds in another order: of many sends more. */
#define TW_WINDOW_SCALE_AGAINST       TW_THRESHOLD(WINDOW_SCALE_AGAINST, 2)
#define TW_WINDOW_SCALE_AGAINST_SHARE TW_THRESHOLD(WINDOW_SCALE_AGAINST_SHARE, 32)

/* Where several shifts are possible: a sender that stays below the window for another reason fills
 * it to the segment by chance only; the more segments it holds, the less. */
#define TW_WINDOW_SCALE_FLIGHTS         TW_THRESHOLD(WINDOW_SCALE_FLIGHTS, 8)
#define TW_WINDOW_SCALE_FEWEST_SEGMENTS TW_THRESHOLD(WINDOW_SCALE_FEWEST_SEGMENTS, 8)

/* --- loss/dsack.c --- */

/* A segment is repeated 15 times at most (tcp_retries2); few others lie around it. */
#define TW_DSACK_LOOK_AT 64

/* --- loss/pmtu_black_hole.c --- */

#define TW_PMTU_BLACK_HOLE_CUT TW_THRESHOLD(PMTU_BLACK_HOLE_CUT, 2)

/* Every path carries that, or takes pieces of it (RFC 1122, 3.3.3: 576 bytes with 40 of headers).
 */
#define TW_PMTU_BLACK_HOLE_SMALL TW_THRESHOLD(PMTU_BLACK_HOLE_SMALL, 536)

/* --- loss/recovery.c --- */

/* As many sends lie between a segment and its copy at most that is looked for. */
#define TW_RECOVERY_COPIES_NEAR TW_THRESHOLD(RECOVERY_COPIES_NEAR, 64)

/* R1, after which IP is told that the way may be gone: at least so many (RFC 9293, 3.8.3). */
#define TW_RECOVERY_WAY_IS_GONE TW_THRESHOLD(RECOVERY_WAY_IS_GONE, 3)

/* --- loss/retransmit_evidence.c --- */

/* Records that are few enough to look through them for each repeat. */
#define TW_RETRANSMIT_EVIDENCE_TOLD_NEAR TW_THRESHOLD(RETRANSMIT_EVIDENCE_TOLD_NEAR, 128)

/* --- loss/spurious_retransmit.c --- */

/* A repair whose ACK comes sooner than this part of the shortest round trip was not needed. */
#define TW_SPURIOUS_RETRANSMIT_TOO_SOON_PERCENT                                                    \
    TW_THRESHOLD(SPURIOUS_RETRANSMIT_TOO_SOON_PERCENT, 70)

/* --- loss/upstream_loss.c --- */

/* How far back to look for the frame before a hole. */
#define TW_UPSTREAM_LOSS_LOOK_BACK TW_THRESHOLD(UPSTREAM_LOSS_LOOK_BACK, 4096)

/* --- model/delack_fingerprint.c --- */

/* A timer fires up to two ticks late, of 10 ms at HZ=100; and the shortest way that we know hides a
 * part of it (by judgement). */
#define TW_DELACK_FINGERPRINT_TICKS_NS TW_THRESHOLD(DELACK_FINGERPRINT_TICKS_NS, TCPWHY_MS(20))
#define TW_DELACK_FINGERPRINT_EARLY_NS TW_THRESHOLD(DELACK_FINGERPRINT_EARLY_NS, TCPWHY_MS(10))

/* --- model/gap.c --- */

/* How far back to look for the data that an ACK answers. */
#define TW_GAP_ACK_SEARCH TW_THRESHOLD(GAP_ACK_SEARCH, 256)

/* A busy host, too, acknowledges within this, and a part of the wait so small changes little (both
 * by judgement). */
#define TW_GAP_BUSY_HOST_NS TW_THRESHOLD(GAP_BUSY_HOST_NS, TCPWHY_MS(2))
#define TW_GAP_LATE_SHARE   TW_THRESHOLD(GAP_LATE_SHARE, 4)

/* A timer holds back the ACK of a segment; of two full ones it goes at once (RFC 5681, 4.2). */
#define TW_GAP_HELD_SEGMENTS TW_THRESHOLD(GAP_HELD_SEGMENTS, 2)

/* --- model/gap.h --- */

/* What is awaited is reacted to within this time and a round trip; silences as long as this between
 * what a side says may be between messages that nobody asked for: a heartbeat, a push. */
#define TW_QUIET_NS TW_THRESHOLD(QUIET_NS, TCPWHY_MS(200))

/* A message of one segment is held back for less than this by nobody but who writes it: the
 * shortest timer that can is Linux's probe timer (TCP_RTO_MIN). */
#define TW_ASKED_NS TW_THRESHOLD(ASKED_NS, TCPWHY_MS(200))

/* What is under way for longer is sent again (RFC 6298, 2.4). */
#define TW_LONGEST_WAY TW_THRESHOLD(LONGEST_WAY, TCPWHY_S(1))

/* What a way may take without being shown: no application is blamed for less. */
#define TW_SURE_WIRE TW_THRESHOLD(SURE_WIRE, TCPWHY_MS(1))

/* Segments closer than this follow each other in one burst: a small part of a round trip, and on
 * LANs and long paths what a host or a link takes for a segment or two. */
#define TW_BURST_SHARE TW_THRESHOLD(BURST_SHARE, 32)
#define TW_BURST_MIN   TW_THRESHOLD(BURST_MIN, TCPWHY_US(50))
#define TW_BURST_MAX   TW_THRESHOLD(BURST_MAX, TCPWHY_MS(1))

/* Too short to be anything else, where nothing says what it is. */
#define TW_SERIALISATION_NS    TW_THRESHOLD(SERIALISATION_NS, TCPWHY_MS(1))
#define TW_SERIALISATION_SHARE TW_THRESHOLD(SERIALISATION_SHARE, 8)

/* Of what a link carries, that it carried while it was full: the rest is for what is not TCP. */
#define TW_LINK_FULL_SHARE TW_THRESHOLD(LINK_FULL_SHARE, 0.9)

/* --- model/pacing.c --- */

/* Fewer bursts or rounds than this show no habit. */
#define TW_PACING_WRITTEN_BURSTS TW_THRESHOLD(PACING_WRITTEN_BURSTS, 5)
#define TW_PACING_CLOCK_ROUNDS   TW_THRESHOLD(PACING_CLOCK_ROUNDS, 5)

/* A lag that varies by more than this factor follows something else than the ACKs. */
#define TW_PACING_LAG_SPREAD TW_THRESHOLD(PACING_LAG_SPREAD, 2)

/* The path's jitter comes on top of what a kernel takes. */
#define TW_PACING_REMOTE_LAG_NS    TW_THRESHOLD(PACING_REMOTE_LAG_NS, TCPWHY_MS(1))
#define TW_PACING_REMOTE_LAG_SHARE TW_THRESHOLD(PACING_REMOTE_LAG_SHARE, 16)

/* So many bursts with half the wobble of the ACKs before them are no chance. */
#define TW_PACING_STEADY_BURSTS TW_THRESHOLD(PACING_STEADY_BURSTS, 64)
#define TW_PACING_STEADY_SHARE  TW_THRESHOLD(PACING_STEADY_SHARE, 2)

/* Segments without a silence of this part of a round trip are spread evenly over it. */
#define TW_PACING_EVEN_SHARE TW_THRESHOLD(PACING_EVEN_SHARE, 4)

/* What Linux paces (BBR, fq, SO_MAX_PACING_RATE) leaves in bursts of a millisecond's worth, or of
 * two segments where that is more (tcp_tso_autosize()). What a program writes evenly it writes in
 * larger pieces, or in partial segments. */
#define TW_PACING_PACE_NS       TW_THRESHOLD(PACING_PACE_NS, TCPWHY_MS(2))
#define TW_PACING_PACE_SEGMENTS TW_THRESHOLD(PACING_PACE_SEGMENTS, 2)

/* The pauses differ by no more than this part from one to the next, and no more than this part of
 * the bursts ends with a partial segment, as messages do. */
#define TW_PACING_PACE_SHARE TW_THRESHOLD(PACING_PACE_SHARE, 4)

/* BBR paces at 99 percent of what it saw delivered, and at three quarters of that in one round trip
 * of eight (draft-cardwell-iccrg-bbr-congestion-control-00, 4.2.1 and 4.3.4.3). */
#define TW_PACING_PACE_OF_CAPACITY TW_THRESHOLD(PACING_PACE_OF_CAPACITY, 0.9)

/* What comes so soon after an ACK, against the time since what passed before that, does so because
 * of it: ACKs come in rows, and whatever a program writes while one comes is close behind some ACK.
 * By judgement: one in so many is by chance. */
#define TW_PACING_CHANCE_SHARE TW_THRESHOLD(PACING_CHANCE_SHARE, 8)

/* Who leaves any time in a round trip leaves within this part of it, behind an ACK, by a rare
 * chance. By judgement. */
#define TW_PACING_RARE_SHARE TW_THRESHOLD(PACING_RARE_SHARE, 64)

/* --- model/plateau.c --- */

/* A flight is flat while it stays within two segments, or a small part: a buffer that is as full as
 * before holds more or fewer segments where writes end in small ones. Away from the sender its ACKs
 * are placed by echoed timestamps of a millisecond, and a burst is acknowledged in less: twice as
 * much, or a quarter of the flight. */
#define TW_PLATEAU_FLAT_SEGMENTS     TW_THRESHOLD(PLATEAU_FLAT_SEGMENTS, 2)
#define TW_PLATEAU_FLAT_SHARE        TW_THRESHOLD(PLATEAU_FLAT_SHARE, 64)
#define TW_PLATEAU_FLAT_SHARE_REMOTE TW_THRESHOLD(PLATEAU_FLAT_SHARE_REMOTE, 4)

/* Congestion avoidance adds a segment or two to the flight of a round trip: from one flat run to
 * the next less than slow start's doubling. */
#define TW_PLATEAU_SMALL_STEP TW_THRESHOLD(PLATEAU_SMALL_STEP, 1.6)

/* Fewer rounds show no ceiling for sure, so that nobody asks. */
#define TW_PLATEAU_LONG_ROUNDS TW_THRESHOLD(PLATEAU_LONG_ROUNDS, 10)

/* Behind a ceiling each burst leaves with the ACK that makes room for it. A program that writes so
 * much a round trip is let go by an ACK now and then, where that meets a write or Nagle's algorithm
 * held the end of one: so large a part of the bursts left without (by judgement: hosts are busy at
 * times). */
#define TW_PLATEAU_UNPROMPTED_SHARE TW_THRESHOLD(PLATEAU_UNPROMPTED_SHARE, 8)

/* Away from the sender: the silences between what a program writes once a round trip, or what a
 * buffer holds, are this part of one at least; and those behind which it is seen to be a buffer are
 * this part of them (by judgement: nothing that a program writes looks so, as a rule). */
#define TW_PLATEAU_SILENCE_SHARE TW_THRESHOLD(PLATEAU_SILENCE_SHARE, 4)
#define TW_PLATEAU_BLOCKED_SHARE TW_THRESHOLD(PLATEAU_BLOCKED_SHARE, 8)

/* --- model/rounds.c --- */

/* A sender that pauses for this part of a round trip with nothing to wait for lacks data. */
#define TW_ROUNDS_PAUSE_SHARE TW_THRESHOLD(ROUNDS_PAUSE_SHARE, 4)

/* --- model/rounds.h --- */

/* In slow start a flight grows by so much at least from round to round: by half, with ACKs of two
 * segments (RFC 5681 without RFC 3465). */
#define TW_SLOW_START_GROWTH TW_THRESHOLD(SLOW_START_GROWTH, 1.4)

/* So many round trips with the same flight are no coincidence: slow start would have doubled it. */
#define TW_FLAT_ROUNDS TW_THRESHOLD(FLAT_ROUNDS, 5)

/* On a full path ACKs come, and segments go, all the time: no silence of half a round trip. */
#define TW_SILENCE_SHARE TW_THRESHOLD(SILENCE_SHARE, 2)

/* On a full path ACKs come as segments pass: one of two at the latest (RFC 5681, 4.2), and of more
 * where a card or the kernel joins what comes together, for 2 ms at most
 * (net.core.netdev_budget_usecs). */
#define TW_JOINED_NS TW_THRESHOLD(JOINED_NS, TCPWHY_MS(2))

/* The kernel sends in the softirq of an ACK, or wakes the writer: within this. */
#define TW_KERNEL_NS TW_THRESHOLD(KERNEL_NS, TCPWHY_US(100))

/* A bottleneck passes segments evenly: a silence of so many times what they take, before the ACK of
 * them, is not its own (by judgement: what others send passes between them). */
#define TW_UNEVEN TW_THRESHOLD(UNEVEN, 4)

/* Arrivals that show a path's rate: enough to average out coarse clocks and cards that join
 * segments, and fewer than an initial window. Of the fastest a fifth may be such chance. */
#define TW_TRAIN         6
#define TW_TRAIN_PERCENT TW_THRESHOLD(TRAIN_PERCENT, 80)

/* --- model/rounds_parts.h --- */

/* After a silence a flight that grows by this a round trip is in slow start again. */
#define TW_ROUNDS_PARTS_DOUBLING TW_THRESHOLD(ROUNDS_PARTS_DOUBLING, 1.35)

/* Segments further apart than this, or than that part of a round trip, are not of one burst. */
#define TW_ROUNDS_PARTS_GAP_NS    TW_THRESHOLD(ROUNDS_PARTS_GAP_NS, TCPWHY_US(100))
#define TW_ROUNDS_PARTS_GAP_SHARE TW_THRESHOLD(ROUNDS_PARTS_GAP_SHARE, 64)

/* What leaves within this part of the silence before it did so for the ACK, and not by chance:
 * hosts that are busy, virtual, or do TCP in a program take longer than a kernel, and never as
 * long. By judgement: programs that write once a round trip keep to it less closely. */
#define TW_ROUNDS_PARTS_PROMPT_SHARE TW_THRESHOLD(ROUNDS_PARTS_PROMPT_SHARE, 16)

/* No kernel takes this long; away from the sender the path's jitter comes on top. */
#define TW_ROUNDS_PARTS_LATE_NS TW_THRESHOLD(ROUNDS_PARTS_LATE_NS, TCPWHY_US(500))

/* --- model/timer_ticks.c --- */

/* Fewer held segments than this agree by chance: three of them once in 15 connections. */
#define TW_TIMER_TICKS_MIN_HELD TW_THRESHOLD(TIMER_TICKS_MIN_HELD, 3)

/* Mean resultant length of the phases, 1 when all agree: chance gives about 1 / sqrt(n). Of many
 * some may be late, on a busy host or a way that varies: chance has most agree once in 100 (exp(-n
 * r^2), Rayleigh's test). */
#define TW_TIMER_TICKS_AGREEMENT TW_THRESHOLD(TIMER_TICKS_AGREEMENT, 0.97)
#define TW_TIMER_TICKS_MOST      TW_THRESHOLD(TIMER_TICKS_MOST, 0.8)
#define TW_TIMER_TICKS_NO_CHANCE TW_THRESHOLD(TIMER_TICKS_NO_CHANCE, 4.6)

/* Four that agree so well, or most of many (exp(-n r^2)), are chance once in 400 connections. */
#define TW_TIMER_TICKS_MANY             TW_THRESHOLD(TIMER_TICKS_MANY, 4)
#define TW_TIMER_TICKS_FULL_AGREEMENT   TW_THRESHOLD(TIMER_TICKS_FULL_AGREEMENT, 0.99)
#define TW_TIMER_TICKS_SURELY_NO_CHANCE TW_THRESHOLD(TIMER_TICKS_SURELY_NO_CHANCE, 6.0)

/* Only segments that waited about as long as the timer are asked: its first timeout is up to six
 * round trips on long ways (causes/cork_hold.c), and fires up to an eighth later; a round trip is
 * what came before. */
#define TW_TIMER_TICKS_HELD_FROM  TW_THRESHOLD(TIMER_TICKS_HELD_FROM, TCPWHY_MS(195))
#define TW_TIMER_TICKS_HELD_TO    TW_THRESHOLD(TIMER_TICKS_HELD_TO, TCPWHY_MS(1000))
#define TW_TIMER_TICKS_HELD_TRIPS TW_THRESHOLD(TIMER_TICKS_HELD_TRIPS, 8)

/* A cork that stays lets no small segment go sooner, but where an end or TCP_NODELAY pushes it: at
 * most one for so many (by judgement). Keys that somebody types come sooner and later, and on ticks
 * of 8 ms, too (USB). */
#define TW_TIMER_TICKS_HELD_OF_SOONER TW_THRESHOLD(TIMER_TICKS_HELD_OF_SOONER, 4)

/* All but one of so many wait no longer than twice what the shortest does: who writes when he likes
 * waits longer at times (by judgement). */
#define TW_TIMER_TICKS_MOST_ALIKE TW_THRESHOLD(TIMER_TICKS_MOST_ALIKE, 4)

/* Programs are told to wait for so many milliseconds as a rule, and keep to that but for a moment
 * (both by judgement): every 200 ms, 250 ms, 1 s. */
#define TW_TIMER_TICKS_BEAT_NS   TW_THRESHOLD(TIMER_TICKS_BEAT_NS, TCPWHY_MS(5))
#define TW_TIMER_TICKS_MOMENT_NS TW_THRESHOLD(TIMER_TICKS_MOMENT_NS, TCPWHY_US(500))

/* A timer's ticks stay where they are, but for what clocks differ by: crystals by less than this
 * part of the time that passes. */
#define TW_TIMER_TICKS_DRIFT_SHARE TW_THRESHOLD(TIMER_TICKS_DRIFT_SHARE, 10000)

/* Of so many it shows whether they go on from each other: von Neumann's ratio of the squares of
 * successive differences to those of deviations is 2 where each is by chance, and below 1 of twelve
 * in one case of fifty. */
#define TW_TIMER_TICKS_FEWEST_IN_LINE TW_THRESHOLD(TIMER_TICKS_FEWEST_IN_LINE, 6)
#define TW_TIMER_TICKS_IN_LINE        TW_THRESHOLD(TIMER_TICKS_IN_LINE, 1)

/* --- path/ack_spacing.c --- */

/* The path carries nearly all that it can; and: this is its rate again. */
#define TW_ACK_SPACING_BUSY_RATE TW_THRESHOLD(ACK_SPACING_BUSY_RATE, 0.5)
#define TW_ACK_SPACING_SAME_RATE TW_THRESHOLD(ACK_SPACING_SAME_RATE, 0.9)

/* A silence of this part of a round trip is one, unless a segment takes nearly as long. */
#define TW_ACK_SPACING_SILENCE_SHARE TW_THRESHOLD(ACK_SPACING_SILENCE_SHARE, 4)
#define TW_ACK_SPACING_SEGMENT_LONG  TW_THRESHOLD(ACK_SPACING_SEGMENT_LONG, 1.5)

/* One that waits for each ACK sends as evenly, a segment at a time. */
#define TW_ACK_SPACING_FILLING_SEGMENTS TW_THRESHOLD(ACK_SPACING_FILLING_SEGMENTS, 2)

/* Partial segments of a bulk transfer are no more than this part (by judgement). */
#define TW_ACK_SPACING_PARTIAL_SHARE TW_THRESHOLD(ACK_SPACING_PARTIAL_SHARE, 8)

/* A flight that no queue holds back comes within one round trip, and the next one behind it. */
#define TW_ACK_SPACING_LONG_ROUNDS TW_THRESHOLD(ACK_SPACING_LONG_ROUNDS, 1)

/* So many trains at the path's rate, in flights that left it idle, are no chance. */
#define TW_ACK_SPACING_SHORT_TRAINS TW_THRESHOLD(ACK_SPACING_SHORT_TRAINS, 3)

/* --- path/bottleneck_rate.c --- */

/* A silence of this part of a round trip ends a burst. */
#define TW_BOTTLENECK_RATE_SILENCE_SHARE TW_THRESHOLD(BOTTLENECK_RATE_SILENCE_SHARE, 8)

/* --- path/cross_traffic.c --- */

/* What is shorter is not worth a look. */
#define TW_CROSS_TRAFFIC_WORTH_NS TW_THRESHOLD(CROSS_TRAFFIC_WORTH_NS, TCPWHY_MS(1))

/* A queue is not the same from one segment to the next: of what one took, by a part like this more
 * or less took what was asked. */
#define TW_CROSS_TRAFFIC_VARIES_SHARE TW_THRESHOLD(CROSS_TRAFFIC_VARIES_SHARE, 8)

/* --- path/local_qdisc.c --- */

/* Of its sends so many show that they were made long before they passed: no chance, and an ACK,
 * which tells, comes for every other segment at the latest (RFC 5681, 4.2). */
#define TW_LOCAL_QDISC_FEWEST TW_THRESHOLD(LOCAL_QDISC_FEWEST, 8)
#define TW_LOCAL_QDISC_SHARE  TW_THRESHOLD(LOCAL_QDISC_SHARE, 4)

/* --- path/one_way_delay.c --- */

/* What is shorter is hardly worth a look at the clocks: with a tick of a millisecond and the
 * fastest drift of ten seconds little is left. */
#define TW_ONE_WAY_DELAY_WORTH_NS TW_THRESHOLD(ONE_WAY_DELAY_WORTH_NS, TCPWHY_MS(5))

/* Clocks drift apart by no more as long as the kernel disciplines them (MAXFREQ, 500 ppm,
 * include/linux/timex.h), and the shortest way is known of a block of 30 seconds and those beside
 * it. */
#define TW_ONE_WAY_DELAY_DRIFT_SHARE TW_THRESHOLD(ONE_WAY_DELAY_DRIFT_SHARE, 2000)
#define TW_ONE_WAY_DELAY_DRIFT_NS    TW_THRESHOLD(ONE_WAY_DELAY_DRIFT_NS, TCPWHY_S(60))

/* A program answers so soon after a timer of its kernel by chance only: the part of that timer. */
#define TW_ONE_WAY_DELAY_CHANCE_SHARE TW_THRESHOLD(ONE_WAY_DELAY_CHANCE_SHARE, 50)

/* --- path/queueing_delay.c --- */

/* Fewer segments than this in flight do not fill a path: their round trip shows the host. */
#define TW_QUEUEING_DELAY_FILLING_SEGMENTS TW_THRESHOLD(QUEUEING_DELAY_FILLING_SEGMENTS, 4)

/* On a full path more in flight brings no more rate: the rate stays near what it was before. */
#define TW_QUEUEING_DELAY_FULL_RATE    TW_THRESHOLD(QUEUEING_DELAY_FULL_RATE, 0.8)
#define TW_QUEUEING_DELAY_SAME_RATE    TW_THRESHOLD(QUEUEING_DELAY_SAME_RATE, 0.9)
#define TW_QUEUEING_DELAY_QUEUES_SHARE TW_THRESHOLD(QUEUEING_DELAY_QUEUES_SHARE, 4)
#define TW_QUEUEING_DELAY_HIGH_PERCENT TW_THRESHOLD(QUEUEING_DELAY_HIGH_PERCENT, 90)

/* More in flight brings more rate, or it does not: half way between. Rates of rounds scatter by a
 * quarter of a doubling; then the slope's standard error is a quarter where the squares of what the
 * flights differ add up to one. */
#define TW_QUEUEING_DELAY_HALF_WAY    TW_THRESHOLD(QUEUEING_DELAY_HALF_WAY, 0.5)
#define TW_QUEUEING_DELAY_MIN_SQUARES TW_THRESHOLD(QUEUEING_DELAY_MIN_SQUARES, 1)
#define TW_QUEUEING_DELAY_MIN_POINTS  TW_THRESHOLD(QUEUEING_DELAY_MIN_POINTS, 4)

/* Of a round that goes on, the rate tells a queue from another delay. One that ends its message has
 * none to go by, and the silence behind it is nobody's: most of its round trips must be queue. */
#define TW_QUEUEING_DELAY_LAST_QUEUE_SHARE TW_THRESHOLD(QUEUEING_DELAY_LAST_QUEUE_SHARE, 2)

/* --- path/serialization.c --- */

/* A segment tells of those up to so many times its size: its host takes a moment, too. */
#define TW_SERIALIZATION_TOLD_SIZES TW_THRESHOLD(SERIALIZATION_TOLD_SIZES, 2)

/* Few links are slower than 64 kbit/s (ISDN, GPRS): a host was. */
#define TW_SERIALIZATION_SLOWEST_BYTE_NS TW_THRESHOLD(SERIALIZATION_SLOWEST_BYTE_NS, 125e3)

/* --- path/utilization.c --- */

/* The path counts as busy at this part of its capacity, over a round trip. */
#define TW_UTILIZATION_BUSY_RATE   TW_THRESHOLD(UTILIZATION_BUSY_RATE, 0.75)
#define TW_UTILIZATION_BUSY_WINDOW TW_THRESHOLD(UTILIZATION_BUSY_WINDOW, TCPWHY_MS(5))

/* --- timeline/app_reaction.c --- */

/* How far back to look for a repeat or a FIN: many words may be asked for before somebody talks. */
#define TW_APP_REACTION_LOOK_BACK TW_THRESHOLD(APP_REACTION_LOOK_BACK, 4096)

/* --- timeline/clock_jump.c --- */

/* Both clocks must show less than this part: a leap of less than the rest of a wait is not seen. */
#define TW_CLOCK_JUMP_SHOWN_SHARE TW_THRESHOLD(CLOCK_JUMP_SHOWN_SHARE, 2)

/* Where they show less than this one, no way or host that was late makes up for the rest. */
#define TW_CLOCK_JUMP_TOLD_SHARE TW_THRESHOLD(CLOCK_JUMP_TOLD_SHARE, 8)

/* A clock goes on at least once a second (RFC 7323, 5.4) ... */
#define TW_CLOCK_JUMP_SLOWEST_TICK_NS TW_THRESHOLD(CLOCK_JUMP_SLOWEST_TICK_NS, 1e9)

/* ... and as often as it was seen to, but for one tick before the wait and one behind it. */
#define TW_CLOCK_JUMP_UNTOLD_TICKS TW_THRESHOLD(CLOCK_JUMP_UNTOLD_TICKS, 2)

/* What a side says last before a wait and first behind it is near to it. */
#define TW_CLOCK_JUMP_NEAR_RECORDS TW_THRESHOLD(CLOCK_JUMP_NEAR_RECORDS, 64)

/* --- timeline/cursor.h --- */

/* Where only turns tell, what comes so late was perhaps not asked for, though the client reacts at
 * once: people pause, and programs keep a connection alive, for some seconds at least. */
#define TW_UNASKED_NS TW_THRESHOLD(UNASKED_NS, TCPWHY_S(3))

/* --- timeline/full_duplex.c --- */

/* How far back to look for what a segment answers. */
#define TW_FULL_DUPLEX_MOST_IN_FLIGHT TW_THRESHOLD(FULL_DUPLEX_MOST_IN_FLIGHT, 256)

/* --- timeline/handshake.c --- */

/*
 * A SYN/ACK is first repeated after a second (RFC 6298; Linux's TCP_TIMEOUT_INIT), by older systems
 * after three (RFC 1122). What comes later is no full queue's: with TCP_DEFER_ACCEPT Linux sets a
 * handshake aside until there is data, and asks again when that time is up (syn_ack_recalc()).
 */
#define TW_HANDSHAKE_LONGEST_FIRST_TIMER                                                           \
    TW_THRESHOLD(HANDSHAKE_LONGEST_FIRST_TIMER, TCPWHY_MS(4000))

/* No pause of an application is worth a name below this. */
#define TW_HANDSHAKE_SURE_STEP TW_THRESHOLD(HANDSHAKE_SURE_STEP, TCPWHY_MS(1))

/* A SYN goes again after this time at the soonest (RFC 6298, 2.1), and at the latest (4.3BSD's and
 * its heirs' first timer, in ticks of half a second). */
#define TW_HANDSHAKE_FIRST_TIMER       TW_THRESHOLD(HANDSHAKE_FIRST_TIMER, TCPWHY_S(1))
#define TW_HANDSHAKE_LONGEST_SYN_TIMER TW_THRESHOLD(HANDSHAKE_LONGEST_SYN_TIMER, TCPWHY_MS(6500))

/* --- timeline/message_boundary.c --- */

/* What ends a pause so soon behind an ACK, as a part of it, hardly left then by chance: Nagle's
 * algorithm let it go, at a busy host. By judgement. */
#define TW_MESSAGE_BOUNDARY_SOON_SHARE TW_THRESHOLD(MESSAGE_BOUNDARY_SOON_SHARE, 8)

/* --- timeline/server_push.c --- */

/* What came sooner than this part of what an answer took on average is an answer, between two
 * beats. By judgement. */
#define TW_SERVER_PUSH_SLOW_SHARE TW_THRESHOLD(SERVER_PUSH_SLOW_SHARE, 4)

/* Who takes the same time for each answer keeps the asker's beat as well: an answer tells only
 * where it took so much longer or shorter than the one before, as a part of the time between them.
 */
#define TW_SERVER_PUSH_TELLING_SHARE TW_THRESHOLD(SERVER_PUSH_TELLING_SHARE, 100)

/* Who works until he answers begins the later the later he was asked: what one answer took longer
 * than the one before shows in the time between them, unless the asker was quicker by just that.
 * With so many times as much gone it was that to a quarter, which happens by chance less often than
 * once in four; eight times, and in no more than every fifth otherwise, once in 10,000. */
#define TW_SERVER_PUSH_GONE_TIMES     TW_THRESHOLD(SERVER_PUSH_GONE_TIMES, 4)
#define TW_SERVER_PUSH_PROOFS         TW_THRESHOLD(SERVER_PUSH_PROOFS, 8)
#define TW_SERVER_PUSH_PROOFS_FOR_ONE TW_THRESHOLD(SERVER_PUSH_PROOFS_FOR_ONE, 4)

/* --- timeline/timeline.c --- */

/* Who goes on so often without an answer does not wait for one, as it seems (a pointer that moves,
 * keys, samples): what comes then need not be one either. By judgement; a question may be written
 * in two pieces. */
#define TW_TIMELINE_UNANSWERED TW_THRESHOLD(TIMELINE_UNANSWERED, 2)

/* A server that so often spoke to nobody who reacted tells what happens, as it happens (a plant's
 * values, chat): what it says behind a question may be that, too. By judgement. */
#define TW_TIMELINE_PUSHED TW_THRESHOLD(TIMELINE_PUSHED, 2)

/* --- causes/accept_queue_overflow.c --- */

/* A single repeat may be chance: a loss on the way, or a damaged segment at the server. Two in a
 * row are none, as a rule. */
#define TW_ACCEPT_QUEUE_OVERFLOW_NO_CHANCE TW_THRESHOLD(ACCEPT_QUEUE_OVERFLOW_NO_CHANCE, 2)

/* --- causes/app_limited.c --- */

/* A pause shorter than this part of a round trip is the sender's pacing or a busy host. */
#define TW_APP_LIMITED_PAUSE_SHARE TW_THRESHOLD(APP_LIMITED_PAUSE_SHARE, 4)
#define TW_APP_LIMITED_PAUSE_NS    TW_THRESHOLD(APP_LIMITED_PAUSE_NS, TCPWHY_MS(1))

/* --- causes/bandwidth_limited.c --- */

/* A longer silence than TW_JOINED_NS before an ACK of more is the receiver's, or of the way back.
 */
#define TW_BANDWIDTH_LIMITED_JOINED_SEGMENTS TW_THRESHOLD(BANDWIDTH_LIMITED_JOINED_SEGMENTS, 2)

/* Away from the sender, and without its clock, nothing but even arrivals shows a queue. */
#define TW_BANDWIDTH_LIMITED_EVEN_SHARE TW_THRESHOLD(BANDWIDTH_LIMITED_EVEN_SHARE, 4)

/* --- causes/client_idle.c --- */

/* The same with full segments, as many as may have filled the congestion window, and goes on with
 * the ACK of them all. A program that speaks again then would do so by chance: one in so many. */
#define TW_CLIENT_IDLE_CHANCE_SHARE TW_THRESHOLD(CLIENT_IDLE_CHANCE_SHARE, 16)

/* --- causes/cork_hold.c --- */

/* The timeout begins with three round trips (RFC 6298, 2.2), with six on the client's side of Linux
 * 6.18 as it was seen there, and comes down with each sample. */
#define TW_CORK_HOLD_FIRST_TIMEOUT TW_THRESHOLD(CORK_HOLD_FIRST_TIMEOUT, 6)

/* Timers fire on the next tick but one at the latest: 10 ms ticks at HZ=100. Longer ones fire up to
 * an eighth, and a tick of 4 ms, later (LVL_GRAN(), kernel/time/timer.c). */
#define TW_CORK_HOLD_TICKS_NS     TW_THRESHOLD(CORK_HOLD_TICKS_NS, TCPWHY_MS(20))
#define TW_CORK_HOLD_TICK_NS      TW_THRESHOLD(CORK_HOLD_TICK_NS, TCPWHY_MS(4))
#define TW_CORK_HOLD_COARSE_SHARE TW_THRESHOLD(CORK_HOLD_COARSE_SHARE, 8)

/* --- causes/delayed_ack.c --- */

/* What came more than so many times later than its turn was held back. By judgement: what others
 * send passes between, too. */
#define TW_DELAYED_ACK_OUT_OF_TURN TW_THRESHOLD(DELAYED_ACK_OUT_OF_TURN, 2)

/* --- causes/early_slow_start_exit.c --- */

/* Growing by less than this a round trip is congestion avoidance. */
#define TW_EARLY_SLOW_START_EXIT_GROWTH TW_THRESHOLD(EARLY_SLOW_START_EXIT_GROWTH, 1.3)

/* --- causes/local_qdisc.c --- */

/* Kernels that let the fq scheduler pace (Linux before 4.20: BBR, SO_MAX_PACING_RATE) queue no more
 * than two bursts there (tcp_small_queue_check()); of more, a coarse clock may show one less. */
#define TW_LOCAL_QDISC_PACED_BURSTS TW_THRESHOLD(LOCAL_QDISC_PACED_BURSTS, 3)

/* --- causes/nagle.c --- */

/* An application that writes whenever it likes hits the moment after an ACK by chance: the part of
 * the wait that this moment is. */
#define TW_NAGLE_CHANCE_SHARE TW_THRESHOLD(NAGLE_CHANCE_SHARE, 50)

/* A jittery path may deliver the segment this much later: that is believed where a sender is known
 * to hold, and doubted elsewhere. */
#define TW_NAGLE_JITTER_SHARE TW_THRESHOLD(NAGLE_JITTER_SHARE, 8)

/* At the sender there is no path; by a clock of whole milliseconds what takes one may show as two.
 */
#define TW_NAGLE_COARSE_NS TW_THRESHOLD(NAGLE_COARSE_NS, TCPWHY_MS(2))

/* How far back to look for what a segment may answer. */
#define TW_NAGLE_WORD_SEARCH TW_THRESHOLD(NAGLE_WORD_SEARCH, 256)

/* --- causes/nagle_hold.c --- */

/* A busy host, too, acknowledges within this (by judgement). */
#define TW_NAGLE_HOLD_BUSY_HOST_NS TW_THRESHOLD(NAGLE_HOLD_BUSY_HOST_NS, TCPWHY_MS(2))

/* --- causes/pause.c --- */

#define TW_PAUSE_WOKEN_SHARE TW_THRESHOLD(PAUSE_WOKEN_SHARE, 8)

/* Two queues of a card, or two ports of a tap, write their frames in the wrong order by no more
 * than this (by judgement), and no more frames. */
#define TW_PAUSE_SWAPPED_NS     TW_THRESHOLD(PAUSE_SWAPPED_NS, TCPWHY_MS(1))
#define TW_PAUSE_SWAPPED_FRAMES TW_THRESHOLD(PAUSE_SWAPPED_FRAMES, 16)

/* So many records behind what it had heard an ACK that it had not is looked for: more stand between
 * where hardly anything is acknowledged. */
#define TW_PAUSE_UNHEARD_RECORDS TW_THRESHOLD(PAUSE_UNHEARD_RECORDS, 256)

/* --- causes/send_buffer_limited.c --- */

/* After a loss CUBIC keeps a plateau of its own (RFC 9438, section 4.1): ask for more. */
#define TW_SEND_BUFFER_LIMITED_FLAT_ROUNDS_AFTER_LOSS                                              \
    TW_THRESHOLD(SEND_BUFFER_LIMITED_FLAT_ROUNDS_AFTER_LOSS, 50)

/* Of a window that is full so much may be left: for a segment, and one that waits for another. */
#define TW_SEND_BUFFER_LIMITED_ROOM_SEGMENTS TW_THRESHOLD(SEND_BUFFER_LIMITED_ROOM_SEGMENTS, 2)

/* A writer is woken when so much of the buffer is free, or less (a third: sk_stream_is_writeable();
 * BSD: SO_SNDLOWAT). */
#define TW_SEND_BUFFER_LIMITED_WOKEN_SHARE TW_THRESHOLD(SEND_BUFFER_LIMITED_WOKEN_SHARE, 2)

/* A busy host takes longer to write than a kernel to wake it, and never this part of the wait (by
 * judgement). */
#define TW_SEND_BUFFER_LIMITED_BUSY_SHARE TW_THRESHOLD(SEND_BUFFER_LIMITED_BUSY_SHARE, 32)

/* --- causes/slow_start.c --- */

/* The way from the sender to us spreads what left together, by less than this part of it. */
#define TW_SLOW_START_SPREAD_SHARE TW_THRESHOLD(SLOW_START_SPREAD_SHARE, 4)

/* The first flight (RFC 6928) is not paced (Linux: tcp_update_skb_after_send()): what follows in it
 * without an ACK comes as the host and the links take it, in no more than this part of a round
 * trip, or a millisecond. */
#define TW_SLOW_START_FOLLOWS_SHARE TW_THRESHOLD(SLOW_START_FOLLOWS_SHARE, 8)
#define TW_SLOW_START_FOLLOWS_NS    TW_THRESHOLD(SLOW_START_FOLLOWS_NS, TCPWHY_MS(1))

/* What cards and kernels join is no larger than an IP packet of 64 KiB, or a few of them: a round
 * of so many records has more ACKs. */
#define TW_SLOW_START_JOINED_RECORDS TW_THRESHOLD(SLOW_START_JOINED_RECORDS, 256)

/* --- causes/zero_window.c --- */

/* A keep-alive looks like a probe for room, but comes a second after the last segment at the
 * soonest (Linux's TCP_KEEPIDLE), ... */
#define TW_ZERO_WINDOW_KEEP_ALIVE_NS TW_THRESHOLD(ZERO_WINDOW_KEEP_ALIVE_NS, TCPWHY_S(1))

/* ... and at equal intervals; those of probes grow by half at least (doubled: RFC 9293, 3.8.6.1).
 */
#define TW_ZERO_WINDOW_GROWTH TW_THRESHOLD(ZERO_WINDOW_GROWTH, 1.5)

/* --- attribute/attribute.c --- */

/* A receiver says for twice as long as any round trip was seen to take that it lacks something:
 * perhaps that stood in a queue, or its host was late to look. */
#define TW_ATTRIBUTE_TWICE_AS_LONG TW_THRESHOLD(ATTRIBUTE_TWICE_AS_LONG, 2)

/* --- attribute/confidence.c --- */

/* Who ends another's silence closes or probes, and repeats that: the other is heard within so many
 * frames, or not because of it. */
#define TW_CONFIDENCE_SOON_RECORDS TW_THRESHOLD(CONFIDENCE_SOON_RECORDS, 16)

/* Both ends of a time are told up to a step of the clock: of so many one is only a quarter. */
#define TW_CONFIDENCE_SURE_STEPS TW_THRESHOLD(CONFIDENCE_SURE_STEPS, 4)

/* --- attribute/details.c --- */

/* A cause that cost less than this in all needs no numbers. */
#define TW_DETAILS_WORTH_NUMBERS TW_THRESHOLD(DETAILS_WORTH_NUMBERS, TCPWHY_MS(5))

/* --- attribute/inflight_limits.c --- */

/* A window that is merely small passes once a round trip; so many times slower, and its reader is
 * what it waits for. One that is closed in between waits for the same reader, but where it closed
 * before anything was said: a proxy did that. */
#define TW_INFLIGHT_LIMITS_READS_SLOWLY TW_THRESHOLD(INFLIGHT_LIMITS_READS_SLOWLY, 2)

/* --- explain.c --- */

/* From so many records on, memory that is used for a while counts beside the log. */
#define TW_EXPLAIN_MANY_RECORDS TW_THRESHOLD(EXPLAIN_MANY_RECORDS, 65536)

#endif
