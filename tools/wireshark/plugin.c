/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The post-dissector: after all other protocols of a frame it adds what tcpwhy says of it. The
 * fields are for filters and columns; README.md says what each of them means.
 */
#include <ws_version.h>

#include <wireshark.h>

#include <epan/expert.h>
#include <epan/packet.h>
#include <epan/prefs.h>
#include <epan/proto.h>
#include <wiretap/pcap-encap.h>
#include <wiretap/wtap.h>

#include "analysis.h"
#include "opened.h"

WS_DLL_PUBLIC_DEF const gchar plugin_version[] = TCPWHY_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
WS_DLL_PUBLIC void plugin_register(void);

static struct analysis analysis;

static int proto = -1, tree_of_frame = -1, tree_of_note = -1;
static int hf_cause = -1, hf_cost_ms = -1, hf_party = -1, hf_confidence = -1, hf_rival = -1;
static int hf_finding = -1, hf_finding_cause = -1, hf_finding_cost_ms = -1, hf_finding_party = -1;
static int hf_finding_confidence = -1, hf_remedy = -1;
static int hf_verdict = -1, hf_verdict_cost_ms = -1;
static int hf_request = -1, hf_request_protocol = -1, hf_request_status = -1;
static int hf_request_detail = -1, hf_request_first_byte_ms = -1, hf_request_total_ms = -1;
static expert_field ei_finding = EI_INIT;

static const char *preferred_path = "";
static gboolean name_wire;

static double ms(tcpwhy_ns ns)
{
    return (double)ns / 1e6;
}

/* Where the fields of a note go. */
struct place {
    packet_info *pinfo;
    tvbuff_t *tvb;
    proto_tree *tree;
};

static void add_text(const struct place *place, int field, const char *text)
{
    proto_item_set_generated(proto_tree_add_string(place->tree, field, place->tvb, 0, 0, text));
}

static void add_ms(const struct place *place, int field, tcpwhy_ns ns)
{
    proto_item_set_generated(proto_tree_add_double(place->tree, field, place->tvb, 0, 0, ms(ns)));
}

static void add_cause(const struct place *place, int field, enum tcpwhy_cause cause)
{
    add_text(place, field, tcpwhy_cause_info(cause)->name);
}

static proto_item *add_subtree(struct place *place, const char *text)
{
    proto_item *item;

    place->tree = proto_tree_add_subtree(place->tree, place->tvb, 0, 0, tree_of_note, &item, text);
    proto_item_set_generated(item);
    return item;
}

static void add_wait(struct place place, const struct tcpwhy_span *wait)
{
    tcpwhy_ns ns = wait->to_ns - wait->from_ns;

    add_subtree(&place, wmem_strdup_printf(place.pinfo->pool, "Waited %.3f ms: %s (%s, %s)", ms(ns),
                                           tcpwhy_cause_info(wait->cause)->title,
                                           tcpwhy_party_name(wait->party),
                                           tcpwhy_confidence_name(wait->confidence)));
    add_cause(&place, hf_cause, wait->cause);
    add_ms(&place, hf_cost_ms, ns);
    add_text(&place, hf_party, tcpwhy_party_name(wait->party));
    add_text(&place, hf_confidence, tcpwhy_confidence_name(wait->confidence));
    if (wait->rival != TCPWHY_CAUSE_NONE)
        add_cause(&place, hf_rival, wait->rival);
}

static void add_finding(struct place place, const struct tcpwhy_finding *finding)
{
    proto_item *item = add_subtree(
        &place, wmem_strdup_printf(place.pinfo->pool, "Proves: %s, %.3f ms",
                                   tcpwhy_cause_info(finding->cause)->title, ms(finding->cost_ns)));

    add_text(&place, hf_finding, finding->summary);
    add_cause(&place, hf_finding_cause, finding->cause);
    add_ms(&place, hf_finding_cost_ms, finding->cost_ns);
    add_text(&place, hf_finding_party, tcpwhy_party_name(finding->party));
    add_text(&place, hf_finding_confidence, tcpwhy_confidence_name(finding->confidence));
    add_text(&place, hf_remedy, finding->remedy);
    expert_add_info_format(place.pinfo, item, &ei_finding, "%s", finding->summary);
}

static void add_verdict(struct place place, const struct tcpwhy_verdict *verdict)
{
    add_subtree(&place,
                wmem_strdup_printf(place.pinfo->pool, "Verdict on this stream: %s, %.3f ms",
                                   tcpwhy_cause_info(verdict->cause)->title, ms(verdict->cost_ns)));
    add_cause(&place, hf_verdict, verdict->cause);
    add_ms(&place, hf_verdict_cost_ms, verdict->cost_ns);
}

static void add_exchange(struct place place, const struct tcpwhy_exchange *e)
{
    add_subtree(&place, wmem_strdup_printf(place.pinfo->pool, "Request: %s", e->request));
    add_text(&place, hf_request, e->request);
    add_text(&place, hf_request_protocol, e->protocol);
    if (e->status > 0)
        proto_item_set_generated(
            proto_tree_add_uint(place.tree, hf_request_status, place.tvb, 0, 0, e->status));
    if (e->detail[0])
        add_text(&place, hf_request_detail, e->detail);
    if (e->first_byte_ns != TCPWHY_NS_UNKNOWN)
        add_ms(&place, hf_request_first_byte_ms, e->first_byte_ns);
    if (e->complete && e->total_ns != TCPWHY_NS_UNKNOWN)
        add_ms(&place, hf_request_total_ms, e->total_ns);
}

/* Time that no one could have saved stands before nearly every frame: only if it is asked for. */
static bool is_worth_a_word(const struct note *note)
{
    return !note->wait || (note->wait->to_ns > note->wait->from_ns &&
                           (name_wire || note->wait->cause != TCPWHY_WIRE));
}

static void add_note(struct place place, const struct note *note)
{
    if (note->wait)
        add_wait(place, note->wait);
    else if (note->finding)
        add_finding(place, note->finding);
    else if (note->exchange)
        add_exchange(place, note->exchange);
    else
        add_verdict(place, note->stream->verdict);
}

/* The line that a closed tree shows. */
static void append_essence(proto_item *item, const struct note *note)
{
    if (note->wait)
        proto_item_append_text(item, ": waited %.3f ms, %s",
                               ms(note->wait->to_ns - note->wait->from_ns),
                               tcpwhy_cause_info(note->wait->cause)->title);
    else if (note->finding)
        proto_item_append_text(item, ": proves that %s",
                               tcpwhy_cause_info(note->finding->cause)->title);
    else if (note->exchange)
        proto_item_append_text(item, ": %s", note->exchange->request);
    else
        proto_item_append_text(item, ": verdict %s",
                               tcpwhy_cause_info(note->stream->verdict->cause)->name);
}

static void add_notes(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, const struct note *note,
                      size_t n)
{
    struct place place = { pinfo, tvb, NULL };

    for (size_t i = 0; i < n; i++) {
        if (!is_worth_a_word(&note[i]))
            continue;
        if (!place.tree) {
            proto_item *item = proto_tree_add_item(tree, proto, tvb, 0, 0, ENC_NA);

            proto_item_set_generated(item);
            append_essence(item, &note[i]);
            place.tree = proto_item_add_subtree(item, tree_of_frame);
        }
        add_note(place, &note[i]);
    }
}

/* The link type in files for one of wiretap's; wiretap tells the other direction only. */
static uint32_t link_type(int encapsulation)
{
    for (int type = 0; type < 400; type++)
        if (wtap_pcap_encap_to_wtap_encap(type) == encapsulation)
            return (uint32_t)type;
    return UINT32_MAX;
}

static int64_t time_of(const packet_info *pinfo)
{
    return TCPWHY_S((int64_t)pinfo->abs_ts.secs) + pinfo->abs_ts.nsecs;
}

static void push(tvbuff_t *tvb, const packet_info *pinfo)
{
    unsigned len = tvb_captured_length(tvb);
    struct tcpwhy_packet packet = {
        .struct_size = sizeof packet,
        .link_type = link_type(pinfo->rec->rec_header.packet_header.pkt_encap),
        .time_ns = pinfo->fd->has_ts ? time_of(pinfo) : TCPWHY_NS_UNKNOWN,
        .captured_len = len,
        .original_len = tvb_reported_length(tvb),
        .bytes = len > 0 ? tvb_get_ptr(tvb, 0, (int)len) : NULL,
    };

    if (pinfo->rec->rec_type == REC_TYPE_PACKET)
        analysis_push(&analysis, &packet);
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    const struct notes *notes;
    const struct note *note;
    size_t n;

    (void)data;
    if (!analysis.begun)
        analysis_begin(&analysis, *preferred_path ? preferred_path : NULL);
    if (analysis.session && !pinfo->fd->visited)
        push(tvb, pinfo);
    if (!tree || !proto_field_is_referenced(tree, proto))
        return 0;
    notes = analysis_notes(&analysis, pinfo->fd->visited);
    note = notes ? notes_of(notes, pinfo->num, time_of(pinfo), &n) : NULL;
    if (note)
        add_notes(tvb, pinfo, tree, note, n);
    return (int)tvb_captured_length(tvb);
}

static void forget(void)
{
    analysis_clear(&analysis);
}

#define TEXT_FIELD(field, title, abbreviation, blurb)                                              \
    {                                                                                              \
        &(field),                                                                                  \
        {                                                                                          \
            title, abbreviation, FT_STRING, BASE_NONE, NULL, 0, blurb, HFILL                       \
        }                                                                                          \
    }
#define MS_FIELD(field, title, abbreviation, blurb)                                                \
    {                                                                                              \
        &(field),                                                                                  \
        {                                                                                          \
            title, abbreviation, FT_DOUBLE, BASE_NONE, NULL, 0, blurb, HFILL                       \
        }                                                                                          \
    }

static void register_fields(void)
{
    static hf_register_info fields[] = {
        TEXT_FIELD(hf_cause, "Cause", "tcpwhy.cause", "Why the wait took that this frame ended"),
        MS_FIELD(hf_cost_ms, "Cost (ms)", "tcpwhy.cost_ms", "How long it took"),
        TEXT_FIELD(hf_party, "Party", "tcpwhy.party", "The side that can fix it"),
        TEXT_FIELD(hf_confidence, "Confidence", "tcpwhy.confidence", "How sure that is"),
        TEXT_FIELD(hf_rival, "Rival", "tcpwhy.rival", "What else it may be"),
        TEXT_FIELD(hf_finding, "Finding", "tcpwhy.finding", "What this frame proves, with others"),
        TEXT_FIELD(hf_finding_cause, "Cause of the finding", "tcpwhy.finding.cause", NULL),
        MS_FIELD(hf_finding_cost_ms, "Cost of the finding (ms)", "tcpwhy.finding.cost_ms",
                 "Over all streams"),
        TEXT_FIELD(hf_finding_party, "Party of the finding", "tcpwhy.finding.party",
                   "The side that can fix it"),
        TEXT_FIELD(hf_finding_confidence, "Confidence of the finding", "tcpwhy.finding.confidence",
                   NULL),
        TEXT_FIELD(hf_remedy, "Remedy", "tcpwhy.remedy", "What to change"),
        TEXT_FIELD(hf_verdict, "Verdict", "tcpwhy.verdict",
                   "The worst cause of the stream that begins with this frame; none: healthy"),
        MS_FIELD(hf_verdict_cost_ms, "Cost of the verdict (ms)", "tcpwhy.verdict.cost_ms", NULL),
        TEXT_FIELD(hf_request, "Request", "tcpwhy.request",
                   "Method, statement or command, whose response ended with this frame"),
        TEXT_FIELD(hf_request_protocol, "Protocol of the request", "tcpwhy.request.protocol", NULL),
        { &hf_request_status,
          { "Status of the response", "tcpwhy.request.status", FT_UINT16, BASE_DEC, NULL, 0, NULL,
            HFILL } },
        TEXT_FIELD(hf_request_detail, "Detail of the request", "tcpwhy.request.detail",
                   "How it failed, or what its protocol says besides"),
        MS_FIELD(hf_request_first_byte_ms, "Time to first byte (ms)",
                 "tcpwhy.request.first_byte_ms", NULL),
        MS_FIELD(hf_request_total_ms, "Response time (ms)", "tcpwhy.request.total_ms",
                 "From the first byte of the request to the last one of the response"),
    };
    static gint *trees[] = { &tree_of_frame, &tree_of_note };
    static ei_register_info experts[] = {
        { &ei_finding,
          { "tcpwhy.finding.expert", PI_SEQUENCE, PI_WARN, "Time was lost", EXPFILL } },
    };

    proto_register_field_array(proto, fields, array_length(fields));
    proto_register_subtree_array(trees, array_length(trees));
    expert_register_field_array(expert_register_protocol(proto), experts, array_length(experts));
}

static void register_preferences(void)
{
    module_t *module = prefs_register_protocol(proto, NULL);

    prefs_register_bool_preference(module, "wire", "Name the time that no one could have saved",
                                   "Also name the waits whose cause is \"wire\": the way itself",
                                   &name_wire);
    prefs_register_filename_preference(module, "capture", "Capture",
                                       "Analyse this file instead of the one that is being read",
                                       &preferred_path, FALSE);
}

static void register_protocol(void)
{
    proto = proto_register_protocol("Why this TCP connection is slow", "tcpwhy", "tcpwhy");
    register_fields();
    register_preferences();
    register_init_routine(forget);
    register_cleanup_routine(forget);
    opened_register();
}

static void hand_off(void)
{
    register_postdissector(create_dissector_handle(dissect, proto));
}

void plugin_register(void)
{
    static proto_plugin plugin = { register_protocol, hand_off };

    proto_register_plugin(&plugin);
}
