# SPDX-License-Identifier: MIT
"""The library's public headers. Made by make_cdef.py, which the test "headers" asks for when it is out of date."""

ERROR_TEXT = 1024
ENDPOINT_TEXT = 64
WEIGHINGS = 5
WAIT_FRAMES = 3
TABLES_VERSION = 1
CAPTURE_ID_TEXT = 17
VERSION_MAJOR = 0
VERSION_MINOR = 2
VERSION_PATCH = 0

CDEF = """
enum tcpwhy_error {
    TCPWHY_ERR_OPEN = -1,
    TCPWHY_ERR_FORMAT = -2,
    TCPWHY_ERR_FILTER = -3,
    TCPWHY_ERR_READ = -4,
    TCPWHY_ERR_ARGUMENT =
        -5,
    TCPWHY_ERR_STOPPED = -6,
    TCPWHY_ERR_MEMORY = -7,
    TCPWHY_ERR_USAGE = -8,
};
const char *tcpwhy_strerror(int code);
typedef int64_t tcpwhy_ns;
enum tcpwhy_side {
    TCPWHY_CLIENT =
        0,
    TCPWHY_SERVER = 1,
};
enum tcpwhy_party {
    TCPWHY_PARTY_NONE = 0,
    TCPWHY_PARTY_CLIENT = 1,
    TCPWHY_PARTY_SERVER = 2,
    TCPWHY_PARTY_PATH = 3,
};
enum tcpwhy_confidence {
    TCPWHY_AMBIGUOUS = 0,
    TCPWHY_LIKELY = 1,
    TCPWHY_CERTAIN = 2,
};
enum tcpwhy_vantage {
    TCPWHY_VANTAGE_UNKNOWN = 0,
    TCPWHY_VANTAGE_CLIENT = 1,
    TCPWHY_VANTAGE_MIDDLE = 2,
    TCPWHY_VANTAGE_SERVER = 3,
};
struct tcpwhy_endpoint {
    uint8_t address[16];
    uint16_t port;
    uint8_t version;
};
char *tcpwhy_endpoint_format(const struct tcpwhy_endpoint *endpoint, char *text);
enum tcpwhy_cause {
    TCPWHY_CAUSE_ANY = -1,
    TCPWHY_CAUSE_NONE = 0,
    TCPWHY_HANDSHAKE = 1,
    TCPWHY_CONNECT_RETRY = 2,
    TCPWHY_CONNECT_REFUSED = 3,
    TCPWHY_SERVER_THINK = 4,
    TCPWHY_CLIENT_THINK = 5,
    TCPWHY_CLIENT_IDLE = 6,
    TCPWHY_APP_LIMITED = 7,
    TCPWHY_CORK_HOLD = 8,
    TCPWHY_NAGLE_HOLD = 9,
    TCPWHY_NAGLE_DELAYED_ACK = 10,
    TCPWHY_DELAYED_ACK = 11,
    TCPWHY_ZERO_WINDOW = 12,
    TCPWHY_RECEIVE_WINDOW_LIMITED = 13,
    TCPWHY_SEND_BUFFER_LIMITED = 14,
    TCPWHY_SLOW_START = 15,
    TCPWHY_SLOW_START_AFTER_IDLE = 16,
    TCPWHY_EARLY_SLOW_START_EXIT = 17,
    TCPWHY_CONGESTION_WINDOW_LIMITED = 18,
    TCPWHY_LOSS_RECOVERY = 19,
    TCPWHY_MTU_BLACK_HOLE = 20,
    TCPWHY_BANDWIDTH_LIMITED = 21,
    TCPWHY_WIRE = 22,
    TCPWHY_CLOSE = 23,
    TCPWHY_RESET = 24,
    TCPWHY_KEEP_ALIVE = 25,
    TCPWHY_CAPTURE_GAP = 26,
    TCPWHY_UNKNOWN = 27,
    TCPWHY_ROUND_TRIPS = 28,
    TCPWHY_PATH_LATENCY = 29,
    TCPWHY_APP_WINDOW = 30,
    TCPWHY_PACING = 31,
    TCPWHY_PEER_SILENT = 32,
    TCPWHY_NAME_LOOKUP = 33,
    TCPWHY_NEXT_HOP = 34,
};
struct tcpwhy_cause_info {
    enum tcpwhy_cause cause;
    const char *name;
    const char *title;
    const char *what;
    const char *decided;
    const char *unlike;
    const char *confirm;
    const char *mend;
};
size_t tcpwhy_cause_count(void);
const struct tcpwhy_cause_info *tcpwhy_cause_info(enum tcpwhy_cause cause);
bool tcpwhy_cause_by_name(const char *name, enum tcpwhy_cause *out);
bool tcpwhy_cause_makes_findings(enum tcpwhy_cause cause);
const char *tcpwhy_party_name(enum tcpwhy_party party);
const char *tcpwhy_confidence_name(enum tcpwhy_confidence confidence);
const char *tcpwhy_vantage_name(enum tcpwhy_vantage vantage);
struct tcpwhy_interval {
    uint64_t frames;
    uint64_t bytes;
    uint64_t payload_bytes[2];
    uint64_t retransmissions;
    uint64_t syns;
    uint64_t syn_repeats;
    uint64_t unanswered;
    uint64_t refused;
    uint64_t opened;
};
struct tcpwhy_traffic {
    tcpwhy_ns interval_ns;
    tcpwhy_ns first_ns;
    const struct tcpwhy_interval *const *intervals;
    size_t n_intervals;
};
enum tcpwhy_silence {
    TCPWHY_SILENCE_NONE = 0,
    TCPWHY_SILENCE_UNDECIDED = 1,
    TCPWHY_SILENCE_BACKLOG = 2,
    TCPWHY_SILENCE_FILTER = 3,
    TCPWHY_SILENCE_DEAD_HOST = 4,
    TCPWHY_SILENCE_LOSS = 5,
    TCPWHY_SILENCE_ECN = 6,
    TCPWHY_SILENCE_LIMIT = 7,
    TCPWHY_SILENCE_OLD_CONNECTION =
        8,
    TCPWHY_SILENCE_TIMESTAMPS = 9,
    TCPWHY_SILENCE_PORTS = 10,
    TCPWHY_SILENCE_FAST_OPEN = 11,
};
size_t tcpwhy_silence_count(void);
const char *tcpwhy_silence_name(enum tcpwhy_silence silence);
struct tcpwhy_openings {
    uint64_t syns;
    uint64_t syn_repeats;
    uint64_t unanswered_syns;
    double unanswered_share;
    uint64_t waited;
    uint64_t opened;
    uint64_t half_open;
    uint64_t refused;
    uint64_t rejected;
    uint64_t unreachable;
    uint64_t
        accept_overflows;
    uint64_t answers_lost;
    uint64_t resets_by_client;
    uint64_t resets_by_server;
    double peak_opened_per_s;
    double peak_syns_per_s;
    enum tcpwhy_silence silence;
    enum tcpwhy_confidence silence_confidence;
    enum tcpwhy_silence silence_rival;
};
struct tcpwhy_ports {
    struct tcpwhy_endpoint client;
    struct tcpwhy_endpoint listener;
    uint64_t connections;
    uint32_t ports;
    uint32_t
        in_use;
    uint32_t range;
    uint16_t lowest;
    uint16_t highest;
    uint64_t reused;
    uint64_t reuse_failed;
    bool exhausted;
    bool used_up;
    uint32_t full_stream;
    tcpwhy_ns full_from_ns;
    tcpwhy_ns full_ns;
    tcpwhy_ns asked_ns;
    uint64_t errors;
    uint64_t errors_while_full;
    tcpwhy_ns
        errors_median_ns;
    uint32_t time_wait_client;
    uint32_t time_wait_server;
};
struct tcpwhy_before_syn {
    uint32_t stream;
    struct tcpwhy_endpoint client;
    struct tcpwhy_endpoint server;
    tcpwhy_ns start_ns;
    tcpwhy_ns syn_ns;
    const char *name;
    struct tcpwhy_endpoint resolver;
    tcpwhy_ns lookup_ns;
    struct tcpwhy_endpoint next_hop;
    tcpwhy_ns next_hop_ns;
};
struct tcpwhy_fact {
    const char *fact;
    const char *text;
    enum tcpwhy_confidence confidence;
    struct tcpwhy_endpoint
        endpoint;
    uint64_t count;
    uint64_t of;
    uint32_t frame;
};
enum tcpwhy_failure_kind {
    TCPWHY_FAILURE_NONE = 0,
    TCPWHY_FAILURE_KEEP_ALIVE_RACE = 1,
    TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED = 2,
    TCPWHY_FAILURE_IDLE_FORGOTTEN = 3,
    TCPWHY_FAILURE_SERVER_RESTARTED = 4,
    TCPWHY_FAILURE_ANSWER_CUT_SHORT = 5,
    TCPWHY_FAILURE_BODY_UNREAD = 6,
    TCPWHY_FAILURE_CLIENT_GAVE_UP = 7,
    TCPWHY_FAILURE_REQUEST_RESET = 8,
    TCPWHY_FAILURE_EMPTY_REPLY = 9,
    TCPWHY_FAILURE_TRANSFER_RESET = 10,
    TCPWHY_FAILURE_PEER_SILENT = 11,
    TCPWHY_FAILURE_CONNECT_REFUSED = 12,
    TCPWHY_FAILURE_CONNECT_TIMEOUT = 13,
    TCPWHY_FAILURE_CONNECT_CHALLENGED = 14,
    TCPWHY_FAILURE_ANSWER_IGNORED = 15,
    TCPWHY_FAILURE_UNTRANSLATED_SEGMENT = 16,
    TCPWHY_FAILURE_SACK_OUT_OF_PLACE = 17,
    TCPWHY_FAILURE_IPV6_UNANSWERED = 18,
    TCPWHY_FAILURE_WINDOW_UNSCALED = 19,
    TCPWHY_FAILURE_CHECKSUM_WRONG = 20,
    TCPWHY_FAILURE_CONTINUE_AWAITED = 21,
    TCPWHY_FAILURE_ANSWER_WITHOUT_LENGTH = 22,
    TCPWHY_FAILURE_PORTS_USED_UP = 23,
    TCPWHY_FAILURE_NAME_UNANSWERED = 24,
    TCPWHY_FAILURE_NAME_REFUSED = 25,
    TCPWHY_FAILURE_NEXT_HOP_UNANSWERED = 26,
    TCPWHY_FAILURE_HTTP2_GOAWAY = 27,
    TCPWHY_FAILURE_HTTP2_STREAM_RESET = 28,
    TCPWHY_FAILURE_TLS_ALERT = 29,
    TCPWHY_FAILURE_NOT_TLS = 30,
    TCPWHY_FAILURE_TLS_ABANDONED = 31,
    TCPWHY_FAILURE_REQUEST_INCOMPLETE = 32,
    TCPWHY_FAILURE_WEBSOCKET_DROPPED = 33,
    TCPWHY_FAILURE_DISMISSED = 34,
    TCPWHY_FAILURE_KEEP_ALIVE_MISSED = 35,
    TCPWHY_FAILURE_SYN_ACK_RESET = 36,
    TCPWHY_FAILURE_WRITE_DEADLOCK = 37,
    TCPWHY_FAILURE_REQUEST_UNANSWERED = 38,
};
struct tcpwhy_failure_info {
    enum tcpwhy_failure_kind kind;
    const char *name;
    const char *title;
    const char *what;
    const char *decided;
    const char *mend;
};
size_t tcpwhy_failure_kind_count(void);
const struct tcpwhy_failure_info *tcpwhy_failure_info(enum tcpwhy_failure_kind kind);
bool tcpwhy_failure_by_name(const char *name, enum tcpwhy_failure_kind *out);
enum tcpwhy_failed {
    TCPWHY_FAILED_CONNECT = 0,
    TCPWHY_FAILED_REQUEST = 1,
    TCPWHY_FAILED_TRANSFER = 2,
    TCPWHY_FAILED_IDLE = 3,
    TCPWHY_FAILED_CLOSE = 4,
    TCPWHY_FAILED_LOOKUP = 5,
};
enum tcpwhy_seen_as {
    TCPWHY_SEEN_RESET = 0,
    TCPWHY_SEEN_TIMEOUT = 1,
    TCPWHY_SEEN_REFUSED = 2,
    TCPWHY_SEEN_UNREACHABLE = 3,
    TCPWHY_SEEN_END_OF_FILE =
        4,
    TCPWHY_SEEN_SHORT_READ = 5,
    TCPWHY_SEEN_DELAY = 6,
    TCPWHY_SEEN_NO_ADDRESS = 7,
    TCPWHY_SEEN_TRY_AGAIN = 8,
    TCPWHY_SEEN_HTTP2_ERROR = 9,
    TCPWHY_SEEN_TLS_ALERT = 10,
    TCPWHY_SEEN_TLS_ERROR =
        11,
    TCPWHY_SEEN_SERVER_ERROR = 12,
};
enum tcpwhy_culprit {
    TCPWHY_BY_UNKNOWN = 0,
    TCPWHY_BY_CLIENT = 1,
    TCPWHY_BY_SERVER = 2,
    TCPWHY_BY_BOX = 3,
    TCPWHY_BY_BOX_NEAR_CLIENT = 4,
    TCPWHY_BY_BOX_NEAR_SERVER = 5,
    TCPWHY_BY_BOTH = 6,
};
const char *tcpwhy_failed_name(enum tcpwhy_failed failed);
const char *tcpwhy_seen_as_name(enum tcpwhy_seen_as seen_as);
const char *tcpwhy_culprit_name(enum tcpwhy_culprit culprit);
struct tcpwhy_clue {
    const char *name;
    const char *text;
};
struct tcpwhy_failure {
    enum tcpwhy_failure_kind kind;
    enum tcpwhy_failed failed;
    enum tcpwhy_seen_as seen_as;
    enum tcpwhy_culprit who;
    enum tcpwhy_confidence confidence;
    uint32_t stream;
    struct tcpwhy_endpoint
        client;
    struct tcpwhy_endpoint server;
    tcpwhy_ns time_ns;
    tcpwhy_ns after_ns;
    const uint32_t *frames;
    size_t n_frames;
    const struct tcpwhy_clue *const *clues;
    size_t n_clues;
    const char *summary;
    const char *remedy;
};
typedef struct tcpwhy_report tcpwhy_report;
void tcpwhy_report_free(tcpwhy_report *report);
struct tcpwhy_quality {
    const char *fact;
    const char *text;
    uint64_t count;
    const uint32_t *frames;
    size_t n_frames;
};
struct tcpwhy_part {
    const char *file;
    const char *error;
    uint32_t
        first_frame;
    uint32_t frames;
};
struct tcpwhy_capture {
    const char *file;
    const char *comment;
    uint64_t frames;
    uint64_t tcp_frames;
    uint64_t bytes;
    int64_t first_ns;
    int64_t
        last_ns;
    const struct tcpwhy_quality *const *quality;
    size_t n_quality;
    const struct tcpwhy_part *const
        *parts;
    size_t n_parts;
    uint64_t streams;
};
struct tcpwhy_verdict {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    struct tcpwhy_endpoint endpoint;
    tcpwhy_ns cost_ns;
    double share;
    uint32_t streams;
    enum tcpwhy_failure_kind failure;
    uint64_t failures;
};
struct tcpwhy_ledger_entry {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_side from;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    tcpwhy_ns ns;
    uint32_t count;
    tcpwhy_ns first_ns;
};
struct tcpwhy_span {
    tcpwhy_ns from_ns;
    tcpwhy_ns to_ns;
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_side from;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    uint32_t first_frame;
    uint32_t last_frame;
};
struct tcpwhy_hypothesis {
    enum tcpwhy_cause cause;
    const char *refuted;
    enum tcpwhy_party party;
    enum tcpwhy_side from;
    tcpwhy_ns from_ns;
    tcpwhy_ns to_ns;
    uint32_t frame;
    tcpwhy_ns frame_ns;
    double odds;
    bool shown;
};
struct tcpwhy_weighing {
    tcpwhy_ns from_ns;
    tcpwhy_ns to_ns;
    tcpwhy_ns sent_ns;
    uint32_t first_frame;
    uint32_t last_frame;
    uint32_t burst_frame;
    uint32_t ack_frame;
    tcpwhy_ns since_ack_ns;
    enum tcpwhy_side sender;
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    const struct tcpwhy_hypothesis *const *hypotheses;
    size_t n_hypotheses;
};
struct tcpwhy_detail {
    const char *name;
    const char *text;
    double number;
};
struct tcpwhy_wait {
    uint32_t stream;
    tcpwhy_ns ns;
    uint32_t
        frames[3];
    uint32_t n_frames;
};
struct tcpwhy_finding {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    struct tcpwhy_endpoint endpoint;
    struct tcpwhy_endpoint peer;
    uint32_t stream;
    uint32_t streams;
    tcpwhy_ns cost_ns;
    uint64_t count;
    tcpwhy_ns median_ns;
    const uint32_t *frames;
    size_t n_frames;
    const struct tcpwhy_detail *const *details;
    size_t n_details;
    const char *summary;
    const char *remedy;
    const struct tcpwhy_wait *const *waits;
    size_t n_waits;
};
struct tcpwhy_percentiles {
    uint64_t count;
    tcpwhy_ns min_ns;
    tcpwhy_ns p50_ns;
    tcpwhy_ns p75_ns;
    tcpwhy_ns p90_ns;
    tcpwhy_ns p99_ns;
    tcpwhy_ns max_ns;
    tcpwhy_ns first_ns;
    tcpwhy_ns last_ns;
};
struct tcpwhy_status_classes {
    uint64_t n[6];
};
struct tcpwhy_exchange {
    const char *protocol;
    const char *request;
    uint16_t status;
    bool complete;
    uint32_t request_frame;
    uint32_t request_last_frame;
    uint32_t response_frame;
    uint32_t response_last_frame;
    tcpwhy_ns start_ns;
    tcpwhy_ns first_byte_ns;
    tcpwhy_ns total_ns;
    uint64_t request_bytes;
    uint64_t response_bytes;
    const char *detail;
    uint32_t http2_stream;
    uint32_t request_messages;
    uint32_t response_messages;
    tcpwhy_ns window_wait_ns;
    bool of_session;
    tcpwhy_ns request_ns;
};
struct tcpwhy_repairs {
    uint32_t fast;
    uint32_t probes;
    uint32_t timeouts;
    uint32_t after_timeouts;
    uint32_t spurious;
};
struct tcpwhy_stream {
    uint32_t stream;
    struct tcpwhy_endpoint client;
    struct tcpwhy_endpoint server;
    bool roles_inferred;
    bool complete_start;
    bool complete_end;
    enum tcpwhy_vantage
        vantage;
    enum tcpwhy_confidence vantage_confidence;
    tcpwhy_ns start_ns;
    tcpwhy_ns duration_ns;
    uint32_t first_frame;
    uint32_t last_frame;
    uint64_t frames;
    uint64_t bytes_to_server;
    uint64_t bytes_to_client;
    uint64_t retransmissions;
    const struct tcpwhy_repairs *repairs;
    tcpwhy_ns rtt_min_ns;
    tcpwhy_ns rtt_median_ns;
    tcpwhy_ns rtt_max_ns;
    const struct tcpwhy_verdict *verdict;
    const struct tcpwhy_ledger_entry *const *ledger;
    size_t n_ledger;
    const struct tcpwhy_percentiles *latency;
    struct tcpwhy_status_classes status;
    const struct tcpwhy_exchange *const
        *exchanges;
    size_t n_exchanges;
    const struct tcpwhy_span *const
        *spans;
    size_t n_spans;
    tcpwhy_ns way_ns[2];
    const struct tcpwhy_weighing *const *weighings;
    size_t n_weighings;
    const struct tcpwhy_fact *const *facts;
    size_t n_facts;
    int64_t isn[2];
    const char *server_name;
};
struct tcpwhy_listener {
    struct tcpwhy_endpoint endpoint;
    uint64_t connections;
    uint64_t unanswered;
    uint64_t refused;
    uint64_t resets;
    const struct tcpwhy_percentiles *latency;
    struct tcpwhy_status_classes status;
    const struct tcpwhy_ledger_entry *const
        *ledger;
    size_t n_ledger;
    const struct tcpwhy_openings *openings;
    const struct tcpwhy_traffic
        *traffic;
    const char *server_name;
};
const struct tcpwhy_capture *tcpwhy_report_capture(const tcpwhy_report *report);
const struct tcpwhy_verdict *tcpwhy_report_verdict(const tcpwhy_report *report);
size_t tcpwhy_report_finding_count(const tcpwhy_report *report);
const struct tcpwhy_finding *tcpwhy_report_finding(const tcpwhy_report *report,
                                                              size_t i);
size_t tcpwhy_report_failure_count(const tcpwhy_report *report);
const struct tcpwhy_failure *tcpwhy_report_failure(const tcpwhy_report *report,
                                                              size_t i);
size_t tcpwhy_report_stream_count(const tcpwhy_report *report);
const struct tcpwhy_stream *tcpwhy_report_stream(const tcpwhy_report *report, size_t i);
typedef bool (*tcpwhy_stream_fn)(void *user, const struct tcpwhy_stream *stream);
int tcpwhy_report_visit_streams(const tcpwhy_report *report, tcpwhy_stream_fn visit,
                                           void *user);
size_t tcpwhy_report_listener_count(const tcpwhy_report *report);
const struct tcpwhy_listener *tcpwhy_report_listener(const tcpwhy_report *report,
                                                                size_t i);
size_t tcpwhy_report_ledger_entry_count(const tcpwhy_report *report);
const struct tcpwhy_ledger_entry *tcpwhy_report_ledger_entry(const tcpwhy_report *report,
                                                                        size_t i);
const struct tcpwhy_percentiles *tcpwhy_report_latency(const tcpwhy_report *report);
const struct tcpwhy_status_classes *tcpwhy_report_status(const tcpwhy_report *report);
const struct tcpwhy_traffic *tcpwhy_report_traffic(const tcpwhy_report *report);
size_t tcpwhy_report_ports_count(const tcpwhy_report *report);
const struct tcpwhy_ports *tcpwhy_report_ports(const tcpwhy_report *report, size_t i);
size_t tcpwhy_report_fact_count(const tcpwhy_report *report);
const struct tcpwhy_fact *tcpwhy_report_fact(const tcpwhy_report *report, size_t i);
size_t tcpwhy_report_before_syn_count(const tcpwhy_report *report);
const struct tcpwhy_before_syn *tcpwhy_report_before_syn(const tcpwhy_report *report,
                                                                    size_t i);
const char *tcpwhy_report_dns_name(const tcpwhy_report *report,
                                              const struct tcpwhy_endpoint *address);
const char *tcpwhy_report_name(const tcpwhy_report *report,
                                          const struct tcpwhy_endpoint *endpoint);
typedef struct tcpwhy_comparison tcpwhy_comparison;
enum tcpwhy_when { TCPWHY_BEFORE = 0, TCPWHY_AFTER = 1 };
enum tcpwhy_change {
    TCPWHY_CHANGE_NONE = 0,
    TCPWHY_CHANGE_BETTER = 1,
    TCPWHY_CHANGE_GONE = 2,
    TCPWHY_CHANGE_WORSE = 3,
    TCPWHY_CHANGE_NEW = 4,
    TCPWHY_CHANGE_OTHER =
        5,
    TCPWHY_CHANGE_UNKNOWN = 6,
};
size_t tcpwhy_change_count(void);
const char *tcpwhy_change_name(enum tcpwhy_change change);
enum tcpwhy_per {
    TCPWHY_PER_EXCHANGE = 0,
    TCPWHY_PER_CONNECTION = 1,
    TCPWHY_PER_MEGABYTE =
        2,
};
const char *tcpwhy_per_name(enum tcpwhy_per per);
struct tcpwhy_cause_change {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence[2];
    tcpwhy_ns ns[2];
    uint64_t count[2];
    tcpwhy_ns per_exchange_ns[2];
    tcpwhy_ns per_connection_ns[2];
    tcpwhy_ns per_megabyte_ns[2];
    double share[2];
    enum tcpwhy_per by;
    enum tcpwhy_change change;
};
struct tcpwhy_listener_change {
    struct tcpwhy_endpoint endpoint[2];
    uint64_t connections[2];
    uint64_t unanswered[2];
    uint64_t refused[2];
    const struct tcpwhy_percentiles *latency[2];
    struct tcpwhy_status_classes status[2];
    uint64_t payload_bytes[2];
    tcpwhy_ns life_ns[2];
    tcpwhy_ns waited_ns[2];
    tcpwhy_ns lost_ns[2];
    enum tcpwhy_per per;
    enum tcpwhy_change change;
    const struct tcpwhy_cause_change *const *causes;
    size_t n_causes;
};
enum tcpwhy_measure {
    TCPWHY_MEASURE_NONE = 0,
    TCPWHY_MEASURE_P50 = 1,
    TCPWHY_MEASURE_P90 = 2,
    TCPWHY_MEASURE_P99 = 3,
    TCPWHY_MEASURE_ANSWERED = 4,
    TCPWHY_MEASURE_OPENING = 5,
    TCPWHY_MEASURE_RATE = 6,
    TCPWHY_MEASURE_LOST = 7,
    TCPWHY_MEASURE_FAILED = 8,
};
const char *tcpwhy_measure_name(enum tcpwhy_measure measure);
struct tcpwhy_comparison_verdict {
    enum tcpwhy_change change;
    bool same_capture;
    enum tcpwhy_measure measure;
    int64_t value[2];
    const struct tcpwhy_listener_change
        *listener;
    const struct tcpwhy_cause_change
        *causes[2];
    const struct tcpwhy_cause_change
        *opening;
    const struct tcpwhy_cause_change
        *but;
    size_t better;
    size_t worse;
};
struct tcpwhy_unfair {
    const char *fact;
    const char
        *detail;
    const char *text;
    double value[2];
};
int tcpwhy_compare(const tcpwhy_report *before, const tcpwhy_report *after,
                              tcpwhy_comparison **out);
void tcpwhy_comparison_free(tcpwhy_comparison *comparison);
const tcpwhy_report *tcpwhy_comparison_report(const tcpwhy_comparison *comparison,
                                                         enum tcpwhy_when when);
const struct tcpwhy_comparison_verdict *
tcpwhy_comparison_verdict(const tcpwhy_comparison *comparison);
const struct tcpwhy_listener_change *
tcpwhy_comparison_whole(const tcpwhy_comparison *comparison);
size_t tcpwhy_comparison_listener_count(const tcpwhy_comparison *comparison);
const struct tcpwhy_listener_change *
tcpwhy_comparison_listener(const tcpwhy_comparison *comparison, size_t i);
size_t tcpwhy_comparison_unfair_count(const tcpwhy_comparison *comparison);
const struct tcpwhy_unfair *tcpwhy_comparison_unfair(const tcpwhy_comparison *comparison,
                                                                size_t i);
enum tcpwhy_graph {
    TCPWHY_GRAPH_SEQUENCE =
        0,
    TCPWHY_GRAPH_INFLIGHT =
        1,
    TCPWHY_GRAPH_WINDOW = 2,
    TCPWHY_GRAPH_THROUGHPUT =
        3,
    TCPWHY_GRAPH_RTT = 4,
    TCPWHY_GRAPH_CWND = 5,
};
const char *tcpwhy_graph_name(enum tcpwhy_graph graph);
size_t tcpwhy_graph_count(void);
bool tcpwhy_graph_by_name(const char *name, enum tcpwhy_graph *out);
struct tcpwhy_graph_options {
    size_t struct_size;
    uint32_t stream;
    enum tcpwhy_party from;
    tcpwhy_ns from_ns;
    tcpwhy_ns to_ns;
    tcpwhy_ns interval_ns;
    uint32_t max_points;
};
enum tcpwhy_class {
    TCPWHY_CLASS_SYN = 0,
    TCPWHY_CLASS_SYN_ACK = 1,
    TCPWHY_CLASS_DATA = 2,
    TCPWHY_CLASS_RETRANSMISSION = 3,
    TCPWHY_CLASS_OUT_OF_ORDER = 4,
    TCPWHY_CLASS_DUPLICATE_FRAME = 5,
    TCPWHY_CLASS_ACK = 6,
    TCPWHY_CLASS_DUPLICATE_ACK = 7,
    TCPWHY_CLASS_WINDOW_UPDATE = 8,
    TCPWHY_CLASS_KEEP_ALIVE = 9,
    TCPWHY_CLASS_KEEP_ALIVE_ACK = 10,
    TCPWHY_CLASS_WINDOW_PROBE = 11,
    TCPWHY_CLASS_WINDOW_PROBE_ACK = 12,
    TCPWHY_CLASS_FIN = 13,
    TCPWHY_CLASS_RST = 14,
};
size_t tcpwhy_class_count(void);
const char *tcpwhy_class_name(enum tcpwhy_class frame_class);
enum tcpwhy_ws_flag {
    TCPWHY_WS_RETRANSMISSION = 1 << 0,
    TCPWHY_WS_FAST_RETRANSMISSION = 1 << 1,
    TCPWHY_WS_SPURIOUS_RETRANSMISSION = 1 << 2,
    TCPWHY_WS_OUT_OF_ORDER = 1 << 3,
    TCPWHY_WS_LOST_SEGMENT = 1 << 4,
    TCPWHY_WS_ACK_LOST_SEGMENT = 1 << 5,
    TCPWHY_WS_DUPLICATE_ACK = 1 << 6,
    TCPWHY_WS_WINDOW_UPDATE = 1 << 7,
    TCPWHY_WS_WINDOW_FULL = 1 << 8,
    TCPWHY_WS_ZERO_WINDOW = 1 << 9,
    TCPWHY_WS_ZERO_WINDOW_PROBE = 1 << 10,
    TCPWHY_WS_ZERO_WINDOW_PROBE_ACK = 1 << 11,
    TCPWHY_WS_KEEP_ALIVE = 1 << 12,
    TCPWHY_WS_KEEP_ALIVE_ACK = 1 << 13,
    TCPWHY_WS_REUSED_PORTS = 1 << 14,
};
enum tcpwhy_ws_header {
    TCPWHY_WS_HEADER_WHOLE = 0,
    TCPWHY_WS_HEADER_SHORT = 1,
    TCPWHY_WS_HEADER_LONG =
        2,
};
struct tcpwhy_wireshark {
    uint32_t flags;
    uint32_t seq;
    uint32_t ack;
    int64_t window_bytes;
    int64_t bytes_in_flight;
    int64_t push_bytes_sent;
    uint32_t acks_frame;
    tcpwhy_ns ack_rtt_ns;
    tcpwhy_ns initial_rtt_ns;
    uint32_t duplicate_ack_num;
    uint32_t duplicate_ack_frame;
    tcpwhy_ns rto_ns;
    uint32_t rto_frame;
    uint8_t completeness;
    enum tcpwhy_ws_header header;
};
struct tcpwhy_segment {
    uint32_t frame;
    int64_t time_ns;
    tcpwhy_ns relative_ns;
    uint32_t stream;
    enum tcpwhy_side from;
    struct tcpwhy_endpoint source;
    struct tcpwhy_endpoint destination;
    uint16_t flags;
    int64_t seq;
    int64_t ack;
    uint32_t len;
    int64_t window_bytes;
    uint16_t window_raw;
    enum tcpwhy_class frame_class;
    const struct tcpwhy_wireshark *wireshark;
    uint16_t ip_id;
    uint8_t ttl;
    int8_t wscale;
    uint16_t mss;
    bool sack_permitted;
    bool timestamps;
    uint32_t tsval;
    uint32_t tsecr;
    uint32_t n_sack;
    int64_t sack[4][2];
};
typedef bool (*tcpwhy_segment_fn)(void *user, const struct tcpwhy_segment *segment);
typedef bool (*tcpwhy_write_fn)(void *user, const char *bytes, size_t len);
enum tcpwhy_document {
    TCPWHY_DOC_DIAGNOSIS = 0,
    TCPWHY_DOC_STREAMS = 1,
    TCPWHY_DOC_EXPLAIN = 2,
    TCPWHY_DOC_EXCHANGES = 3,
    TCPWHY_DOC_FLOW = 4,
    TCPWHY_DOC_TRAFFIC = 5,
    TCPWHY_DOC_LEDGER = 6,
    TCPWHY_DOC_REPORT = 7,
    TCPWHY_DOC_GRAPH = 8,
    TCPWHY_DOC_FINDING = 9,
    TCPWHY_DOC_SEGMENT = 10,
    TCPWHY_DOC_CAUSE = 11,
    TCPWHY_DOC_CAUSES = 12,
    TCPWHY_DOC_COMPARISON = 13,
    TCPWHY_DOC_LATENCY = 14,
    TCPWHY_DOC_AS = 15,
    TCPWHY_DOC_UDP = 16,
    TCPWHY_DOC_RATES = 17,
    TCPWHY_DOC_NAMES = 18,
    TCPWHY_DOC_WATERFALL = 19,
};
enum tcpwhy_format {
    TCPWHY_FORMAT_TEXT = 0,
    TCPWHY_FORMAT_JSON = 1,
    TCPWHY_FORMAT_NDJSON = 2,
    TCPWHY_FORMAT_CSV =
        3,
    TCPWHY_FORMAT_HTML = 4,
    TCPWHY_FORMAT_SVG = 5,
    TCPWHY_FORMAT_FOLDED = 6,
    TCPWHY_FORMAT_XPLOT = 7,
    TCPWHY_FORMAT_SCRIPT = 8,
    TCPWHY_FORMAT_HAR = 9,
};
enum tcpwhy_tool {
    TCPWHY_TOOL_WRK = 0,
    TCPWHY_TOOL_AB = 1,
    TCPWHY_TOOL_HPING3 = 2,
    TCPWHY_TOOL_IPERF3 = 3,
    TCPWHY_TOOL_TRACEROUTE = 4,
    TCPWHY_TOOL_SS = 5,
};
size_t tcpwhy_tool_count(void);
const char *tcpwhy_tool_name(enum tcpwhy_tool tool);
bool tcpwhy_tool_by_name(const char *name, enum tcpwhy_tool *out);
enum tcpwhy_flow_only {
    TCPWHY_FLOW_ALL = 0,
    TCPWHY_FLOW_DATA = 1,
    TCPWHY_FLOW_REPAIR = 2,
    TCPWHY_FLOW_CONTROL = 3,
    TCPWHY_FLOW_ACKS = 4,
};
struct tcpwhy_flow_options {
    size_t struct_size;
    tcpwhy_ns from_ns;
    tcpwhy_ns to_ns;
    uint32_t first_frame;
    uint32_t last_frame;
    bool whole;
    bool unfold;
    uint32_t max_rows;
    bool together;
    enum tcpwhy_flow_only only;
    bool no_acks;
    const uint32_t *show;
    size_t n_show;
};
struct tcpwhy_render_options {
    size_t struct_size;
    unsigned columns;
    bool color;
    bool ascii;
    enum tcpwhy_graph graph;
    enum tcpwhy_cause cause;
    const struct tcpwhy_flow_options *flow_options;
    const struct tcpwhy_graph_options *graph_options;
    const struct tcpwhy_finding *finding;
    const struct tcpwhy_segment *segment;
    const tcpwhy_comparison *comparison;
    const tcpwhy_report *const *more;
    size_t n_more;
    enum tcpwhy_failure_kind
        failure;
    enum tcpwhy_tool tool;
    tcpwhy_ns slower_ns;
    const char *only_protocol;
    const char *only_operation;
    const char *only_status;
    bool by_operation;
    double link_bits_per_s;
    uint32_t max_rows;
};
int tcpwhy_render(const tcpwhy_report *report, enum tcpwhy_document document,
                             enum tcpwhy_format format, const struct tcpwhy_render_options *options,
                             tcpwhy_write_fn write, void *user);
const char *tcpwhy_cause_color(enum tcpwhy_cause cause, bool dark);
enum tcpwhy_follow_format {
    TCPWHY_FOLLOW_RAW = 0,
    TCPWHY_FOLLOW_HEX = 1,
    TCPWHY_FOLLOW_TEXT = 2,
    TCPWHY_FOLLOW_JSON = 3,
};
struct tcpwhy_follow_options {
    size_t struct_size;
    enum tcpwhy_follow_format format;
    uint32_t stream;
    bool hide[2];
};
typedef struct tcpwhy_follow tcpwhy_follow;
int tcpwhy_follow_new(const struct tcpwhy_follow_options *options, tcpwhy_write_fn write,
                                 void *user, tcpwhy_follow **out);
int tcpwhy_follow_ends(tcpwhy_follow *follow, const struct tcpwhy_endpoint *client,
                                  const struct tcpwhy_endpoint *server);
int tcpwhy_follow_bytes(tcpwhy_follow *follow, enum tcpwhy_side from, uint32_t frame,
                                   const uint8_t *bytes, size_t len);
int tcpwhy_follow_end(tcpwhy_follow *follow);
int tcpwhy_follow_free(tcpwhy_follow *follow);
struct tcpwhy_options;
struct tcpwhy_annotate_options {
    size_t struct_size;
    bool evidence;
    uint32_t waits;
    uint32_t findings;
    uint32_t around;
};
struct tcpwhy_annotated {
    size_t struct_size;
    uint64_t frames;
    uint64_t written;
    uint64_t
        comments;
    uint64_t findings;
};
int tcpwhy_annotate_file(const char *path, const struct tcpwhy_options *options,
                                    const struct tcpwhy_annotate_options *how,
                                    tcpwhy_write_fn write, void *user,
                                    struct tcpwhy_annotated *annotated, char *error,
                                    size_t error_size);
enum tcpwhy_chaining {
    TCPWHY_CHAIN_FOUND = 0,
    TCPWHY_CHAIN_ALL = 1,
    TCPWHY_CHAIN_NONE = 2,
};
struct tcpwhy_file {
    size_t struct_size;
    const char *path;
    int64_t modified_ns;
    size_t chain;
};
typedef int64_t (*tcpwhy_begin_fn)(void *user, const char *path);
int tcpwhy_chain_files(struct tcpwhy_file **files, size_t n, enum tcpwhy_chaining how,
                                  tcpwhy_begin_fn begin, void *user, size_t *n_captures);
struct tcpwhy_incident {
    uint32_t stream;
    struct tcpwhy_endpoint client;
    struct tcpwhy_endpoint server;
    enum tcpwhy_side from;
    int64_t time_ns;
    tcpwhy_ns start_ns;
    tcpwhy_ns cost_ns;
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    uint32_t first_frame;
    uint32_t last_frame;
    uint32_t decided_by;
};
typedef bool (*tcpwhy_incident_fn)(void *user, const struct tcpwhy_incident *incident);
struct tcpwhy_annotate_options;
struct tcpwhy_annotated;
struct tcpwhy_callbacks;
struct tcpwhy_file;
struct tcpwhy_flow_options;
struct tcpwhy_follow_options;
struct tcpwhy_graph_options;
struct tcpwhy_live_counts;
struct tcpwhy_live_options;
struct tcpwhy_options;
struct tcpwhy_packet;
struct tcpwhy_parsed;
struct tcpwhy_render_options;
struct tcpwhy_table_options;
int tcpwhy_annotate_init(struct tcpwhy_annotate_options *options, size_t size);
int tcpwhy_annotated_init(struct tcpwhy_annotated *annotated, size_t size);
int tcpwhy_callbacks_init(struct tcpwhy_callbacks *callbacks, size_t size);
int tcpwhy_file_init(struct tcpwhy_file *file, size_t size);
int tcpwhy_flow_init(struct tcpwhy_flow_options *options, size_t size);
int tcpwhy_follow_init(struct tcpwhy_follow_options *options, size_t size);
int tcpwhy_graph_init(struct tcpwhy_graph_options *options, size_t size);
int tcpwhy_live_init(struct tcpwhy_live_options *options, size_t size);
int tcpwhy_live_counts_init(struct tcpwhy_live_counts *counts, size_t size);
int tcpwhy_options_init(struct tcpwhy_options *options, size_t size);
int tcpwhy_packet_init(struct tcpwhy_packet *packet, size_t size);
int tcpwhy_parsed_init(struct tcpwhy_parsed *segment, size_t size);
int tcpwhy_render_init(struct tcpwhy_render_options *options, size_t size);
int tcpwhy_table_init(struct tcpwhy_table_options *options, size_t size);
struct tcpwhy_member {
    const char *of;
    const char *name;
    size_t offset;
    size_t size;
};
size_t tcpwhy_layout_count(void);
const struct tcpwhy_member *tcpwhy_layout(size_t i);
struct tcpwhy_packet;
typedef struct tcpwhy_live tcpwhy_live;
struct tcpwhy_live_options {
    size_t struct_size;
    const char *filter;
    uint32_t snap_len;
    uint32_t buffer_bytes;
    uint32_t delay_ms;
    bool immediate;
    bool not_promiscuous;
};
struct tcpwhy_live_counts {
    size_t struct_size;
    uint64_t received;
    uint64_t dropped;
    uint64_t went_down;
    bool is_down;
};
int tcpwhy_live_open(const char *interface_name,
                                const struct tcpwhy_live_options *options, tcpwhy_live **out,
                                char *error, size_t error_size);
int tcpwhy_live_follow(const char *path, const struct tcpwhy_live_options *options,
                                  tcpwhy_live **out, char *error, size_t error_size);
int tcpwhy_live_next(tcpwhy_live *live, unsigned wait_ms, struct tcpwhy_packet *packet,
                                char *error, size_t error_size);
int tcpwhy_live_fd(tcpwhy_live *live);
int tcpwhy_live_counts(tcpwhy_live *live, struct tcpwhy_live_counts *counts);
void tcpwhy_live_close(tcpwhy_live *live);
struct tcpwhy_parsed {
    size_t struct_size;
    int64_t time_ns;
    struct tcpwhy_endpoint source;
    struct tcpwhy_endpoint destination;
    uint32_t seq;
    uint32_t ack;
    uint16_t flags;
    uint16_t window;
    uint32_t len;
    uint32_t frame_len;
    uint16_t ip_id;
    uint8_t ttl;
    bool options_unknown;
    uint16_t mss;
    bool has_wscale;
    uint8_t wscale;
    bool sack_permitted;
    bool timestamps;
    uint32_t tsval;
    uint32_t tsecr;
    uint32_t n_sack;
    uint32_t sack[4][2];
    const uint8_t *payload;
    uint32_t payload_len;
};
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
enum tcpwhy_table {
    TCPWHY_TABLE_CAPTURES = 0,
    TCPWHY_TABLE_CONNECTIONS = 1,
    TCPWHY_TABLE_EXCHANGES = 2,
    TCPWHY_TABLE_FINDINGS = 3,
    TCPWHY_TABLE_LEDGER = 4,
    TCPWHY_TABLE_FAILURES = 5,
};
const char *tcpwhy_table_name(enum tcpwhy_table table);
size_t tcpwhy_table_count(void);
bool tcpwhy_table_by_name(const char *name, enum tcpwhy_table *out);
char *tcpwhy_capture_id(const char *path, char *text);
struct tcpwhy_table_options {
    size_t struct_size;
    const char
        *path;
    const char *error;
    int64_t size_bytes;
    int64_t modified_ns;
    uint32_t files;
    uint32_t batch_rows;
    bool integer_times;
};
int tcpwhy_table_stream(tcpwhy_report *report, enum tcpwhy_table table,
                                   const struct tcpwhy_table_options *options,
                                   struct ArrowArrayStream *out);
const char *tcpwhy_version(void);
enum tcpwhy_mark {
    TCPWHY_MARK_STEP = 0,
    TCPWHY_MARK_BAR = 1,
    TCPWHY_MARK_DOT = 2,
};
struct tcpwhy_curve {
    const char *name;
    enum tcpwhy_mark mark;
    size_t n_points;
    const tcpwhy_ns *time_ns;
    const int64_t *low;
    const int64_t *high;
    const uint32_t *frames;
};
struct tcpwhy_series {
    enum tcpwhy_graph graph;
    uint32_t stream;
    enum tcpwhy_side from;
    tcpwhy_ns from_ns;
    tcpwhy_ns to_ns;
    tcpwhy_ns interval_ns;
    int64_t ceiling;
    enum tcpwhy_cause ceiling_cause;
    const struct tcpwhy_curve *const *curves;
    size_t n_curves;
};
int tcpwhy_series_new(const tcpwhy_report *report, enum tcpwhy_graph graph,
                                 const struct tcpwhy_graph_options *options,
                                 struct tcpwhy_series **out);
void tcpwhy_series_free(struct tcpwhy_series *series);
enum tcpwhy_flow_kind {
    TCPWHY_FLOW_FRAME = 0,
    TCPWHY_FLOW_RUN =
        1,
    TCPWHY_FLOW_GAP = 2,
    TCPWHY_FLOW_CUT = 3,
};
struct tcpwhy_flow_row {
    enum tcpwhy_flow_kind kind;
    enum tcpwhy_side from;
    uint32_t first_frame;
    uint32_t last_frame;
    tcpwhy_ns from_ns;
    tcpwhy_ns to_ns;
    enum tcpwhy_class frame_class;
    uint16_t flags;
    int64_t seq;
    int64_t ack;
    int64_t window_bytes;
    uint64_t bytes;
    uint32_t frames;
    uint32_t acks;
    uint32_t nth;
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    const struct tcpwhy_exchange
        *asks;
    const struct tcpwhy_exchange
        *answers;
    uint32_t duplicate_acks;
};
struct tcpwhy_flow {
    uint32_t stream;
    const char *shows;
    const struct tcpwhy_flow_row *const *rows;
    size_t n_rows;
};
int tcpwhy_flow_new(const tcpwhy_report *report, uint32_t stream,
                               const struct tcpwhy_flow_options *options, struct tcpwhy_flow **out);
void tcpwhy_flow_free(struct tcpwhy_flow *flow);
typedef bool (*tcpwhy_follow_fn)(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                                 const uint8_t *bytes, size_t len);
typedef bool (*tcpwhy_finding_fn)(void *user, const struct tcpwhy_finding *finding);
typedef bool (*tcpwhy_progress_fn)(void *user, uint64_t done_bytes, uint64_t total_bytes);
struct tcpwhy_callbacks {
    size_t struct_size;
    void *user;
    tcpwhy_segment_fn
        on_segment;
    tcpwhy_follow_fn
        on_follow;
    tcpwhy_stream_fn on_stream;
    tcpwhy_finding_fn on_finding;
    tcpwhy_progress_fn on_progress;
    tcpwhy_incident_fn on_incident;
    bool in_batches;
};
struct tcpwhy_options {
    size_t struct_size;
    const char *filter;
    const char *streams;
    const struct tcpwhy_callbacks *callbacks;
    tcpwhy_ns interval_ns;
    uint64_t memory_bytes;
    uint32_t threads;
    uint32_t keep_waits;
    uint32_t keep_streams;
    bool keep_exchanges;
    bool keep_spans;
    bool wireshark;
    bool keep_weighings;
    uint32_t weigh_frame;
    uint64_t unpack_bytes;
    const char *keys;
    bool follow_decrypted;
    bool show_values;
    tcpwhy_ns incident_ns;
    bool numeric;
};
int tcpwhy_analyze_file(const char *path, const struct tcpwhy_options *options,
                                   tcpwhy_report **out, char *error, size_t error_size);
int tcpwhy_analyze_files(const char *const *paths, size_t n,
                                    const struct tcpwhy_options *options, tcpwhy_report **out,
                                    char *error, size_t error_size);
int tcpwhy_analyze_memory(const uint8_t *bytes, size_t len,
                                     const struct tcpwhy_options *options, tcpwhy_report **out,
                                     char *error, size_t error_size);
typedef struct tcpwhy_session tcpwhy_session;
struct tcpwhy_packet {
    size_t struct_size;
    uint32_t link_type;
    int64_t time_ns;
    uint32_t captured_len;
    uint32_t original_len;
    const uint8_t *bytes;
};
int tcpwhy_session_new(const struct tcpwhy_options *options, tcpwhy_session **out,
                                  char *error, size_t error_size);
int tcpwhy_session_push(tcpwhy_session *session, const struct tcpwhy_packet *packet);
int tcpwhy_session_push_parsed(tcpwhy_session *session,
                                          const struct tcpwhy_parsed *segment);
int tcpwhy_session_dropped(tcpwhy_session *session, uint64_t packets);
int tcpwhy_session_snapshot(tcpwhy_session *session, tcpwhy_report **out);
int tcpwhy_session_connection(tcpwhy_session *session, const struct tcpwhy_endpoint *end,
                                         const struct tcpwhy_endpoint *other_end,
                                         tcpwhy_report **out);
int tcpwhy_session_finish(tcpwhy_session *session, tcpwhy_report **out);
int tcpwhy_session_free(tcpwhy_session *session);
"""
