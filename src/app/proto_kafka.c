/* SPDX-License-Identifier: MIT */
/*
 * Kafka (its protocol guide): each request tells its API and a correlation id, which its response
 * repeats. Topics are not shown.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/ids.h"
#include "app/protocol.h"

#define HEADER      14 /* length, API key, version, correlation id, length of the client's name */
#define MAX_MESSAGE 104857600 /* socket.request.max.bytes */
#define MAX_VERSION 20

#define PRODUCE      0
#define FETCH        1
#define LIST_OFFSETS 2
#define METADATA     3
#define FIRST_HOST   16 /* in the answer of METADATA: behind length, identifier, brokers and node */
#define JOIN_GROUP   11
#define SYNC_GROUP   14
#define API_VERSIONS 18

/* From this version on Produce names its transaction, and from the next on with a short length. */
#define PRODUCE_TRANSACTION 3
#define PRODUCE_FLEXIBLE    9

static const char *const apis[] = {
    "Produce",
    "Fetch",
    "ListOffsets",
    "Metadata",
    "LeaderAndIsr",
    "StopReplica",
    "UpdateMetadata",
    "ControlledShutdown",
    "OffsetCommit",
    "OffsetFetch",
    "FindCoordinator",
    "JoinGroup",
    "Heartbeat",
    "LeaveGroup",
    "SyncGroup",
    "DescribeGroups",
    "ListGroups",
    "SaslHandshake",
    "ApiVersions",
    "CreateTopics",
    "DeleteTopics",
    "DeleteRecords",
    "InitProducerId",
    "OffsetForLeaderEpoch",
    "AddPartitionsToTxn",
    "AddOffsetsToTxn",
    "EndTxn",
    "WriteTxnMarkers",
    "TxnOffsetCommit",
    "DescribeAcls",
    "CreateAcls",
    "DeleteAcls",
    "DescribeConfigs",
    "AlterConfigs",
    "AlterReplicaLogDirs",
    "DescribeLogDirs",
    "SaslAuthenticate",
    "CreatePartitions",
    "CreateDelegationToken",
    "RenewDelegationToken",
    "ExpireDelegationToken",
    "DescribeDelegationToken",
    "DeleteGroups",
    "ElectLeaders",
    "IncrementalAlterConfigs",
    "AlterPartitionReassignments",
    "ListPartitionReassignments",
    "OffsetDelete",
    "DescribeClientQuotas",
    "AlterClientQuotas",
    "DescribeUserScramCredentials",
    "AlterUserScramCredentials",
    "Vote",
    "BeginQuorumEpoch",
    "EndQuorumEpoch",
    "DescribeQuorum",
    "AlterPartition",
    "UpdateFeatures",
    "Envelope",
    "FetchSnapshot",
    "DescribeCluster",
    "DescribeProducers",
    "BrokerRegistration",
    "BrokerHeartbeat",
    "UnregisterBroker",
    "DescribeTransactions",
    "ListTransactions",
    "AllocateProducerIds",
    "ConsumerGroupHeartbeat",
    "ConsumerGroupDescribe",
};

struct kafka {
    struct tw_dialogue dialogue;
    struct tw_ids asked;
};

/* May a message begin so? Clients' names are printable, or missing (-1). */
static bool is_request(struct tw_bytes first)
{
    uint32_t len = tw_be32(first, 0);
    uint16_t name = tw_be16(first, 12);

    if (len < HEADER - 4 || len > MAX_MESSAGE || tw_be16(first, 4) >= G_N_ELEMENTS(apis) ||
        tw_be16(first, 6) > MAX_VERSION)
        return false;
    if (name == UINT16_MAX)
        return true;
    if (name > 255 || name + HEADER - 4u > len)
        return false;
    for (size_t i = HEADER; i < first.len && i < HEADER + (size_t)name; i++)
        if (!g_ascii_isgraph(first.data[i]))
            return false;
    return true;
}

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    uint32_t len = tw_be32(first, 0);

    (void)state;
    if (first.len < (asks ? HEADER : 8))
        return TW_MESSAGE_MORE;
    if (asks ? !is_request(first) : len < 4 || len > MAX_MESSAGE)
        return TW_MESSAGE_WRONG;
    return (int64_t)len + 4;
}

/* Without a client's name little tells a request apart: then it is one of the first, of those that
 * a client begins with; consumers have no replica id. */
static bool is_first(struct tw_bytes first)
{
    uint16_t api = tw_be16(first, 4);

    return tw_be16(first, 0) == 0 && tw_be32(first, 8) < 1000 &&
           (api == METADATA || api == API_VERSIONS ||
            ((api == FETCH || api == LIST_OFFSETS) && tw_be32(first, HEADER) == UINT32_MAX));
}

static enum tw_guess guess(struct tw_bytes first)
{
    uint16_t name = tw_be16(first, 12);

    if (first.len < HEADER)
        return first.len < 2 || (first.data[0] <= 6 && (first.len < 6 || tw_be16(first, 4) < 74))
                   ? TW_GUESS_MORE
                   : TW_GUESS_NO;
    if (!is_request(first))
        return TW_GUESS_NO;
    if (name == 0 || name == UINT16_MAX)
        return is_first(first) ? TW_GUESS_ASKER : TW_GUESS_NO;
    return TW_GUESS_ASKER;
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    const struct kafka *k = state;
    uint32_t len = tw_be32(first, 0);

    if (asks)
        return first.len >= HEADER && is_request(first) && tw_be16(first, 12) != 0;
    return first.len >= 8 && len >= 4 && len <= MAX_MESSAGE &&
           tw_ids_find(&k->asked, tw_be32(first, 4)) != NULL;
}

/* Produce with acks=0, which nobody answers. */
static bool is_unanswered(struct tw_bytes head)
{
    uint16_t version = tw_be16(head, 6), name = tw_be16(head, 12), id;
    size_t at = HEADER + (name == UINT16_MAX ? 0 : name);

    if (tw_be16(head, 4) != PRODUCE)
        return false;
    if (version >= PRODUCE_FLEXIBLE) {
        at += 1; /* no tags */
        at += MAX(tw_u8(head, at), 1u);
    } else if (version >= PRODUCE_TRANSACTION) {
        id = tw_be16(head, at);
        at += 2 + (id == UINT16_MAX ? 0 : (size_t)id);
    }
    return tw_bytes_has(head, at, 2) && tw_be16(head, at) == 0;
}

static void asked(struct kafka *k, struct tw_transactions *t, const struct tw_message *f)
{
    uint16_t api = tw_be16(f->head, 4);
    uint32_t index = tw_ids_ask(&k->asked, t, tw_be32(f->head, 8), f->from, f->to);
    struct tw_exchange *e;

    if (index == TW_NO_EXCHANGE)
        return;
    e = tw_transactions_at(t, index);
    e->request = apis[api];
    e->one_way = is_unanswered(f->head);
    e->stands = e->at_will = api == FETCH || api == JOIN_GROUP || api == SYNC_GROUP;
}

/* The first broker: its host is a string, the only one near the start of the answer. */
static void tell_broker(struct tw_transactions *t, struct tw_bytes head)
{
    for (size_t at = FIRST_HOST; at < head.len; at++)
        if (g_ascii_isdigit(head.data[at])) {
            tw_transactions_name_address(t, tw_bytes_from(head, at), "Kafka advertised.listeners");
            return;
        }
}

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    struct kafka *k = state;
    uint32_t index;

    if (f->asks) {
        asked(k, t, f);
        return;
    }
    index = tw_ids_answer(&k->asked, t, tw_be32(f->head, 4), f->from, f->to);
    if (index != TW_NO_EXCHANGE && tw_transactions_at(t, index)->request == apis[METADATA])
        tell_broker(t, f->head);
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    if (!f->asks)
        tw_ids_answered(&((struct kafka *)state)->asked, t);
}

static const struct tw_message_rules rules = { length, begin, end, NULL, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct kafka *)state)->dialogue, &rules, state, t, asks, p);
}

static void clear(void *state)
{
    tw_ids_clear(&((struct kafka *)state)->asked);
}

G_STATIC_ASSERT(sizeof(struct kafka) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_kafka = {
    .name = "kafka",
    .state_size = sizeof(struct kafka),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
