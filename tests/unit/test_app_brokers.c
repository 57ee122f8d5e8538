/* SPDX-License-Identifier: MIT */
/* Protocols whose responses tell an identifier: MongoDB, Kafka, AMQP and MQTT. */
#include "tests/unit.h"

#include "tests/unit/told.h"

/* {find: "users", n: 1}, and {ok: 0.0, code: 26}. */
#define FIND                                                                                       \
    "\x26\0\0\0\7\0\0\0\0\0\0\0\xdd\7\0\0\0\0\0\0\0"                                               \
    "\x1d\0\0\0\2find\0\6\0\0\0users\0\x10n\0\1\0\0\0\0"
#define FAILED                                                                                     \
    "\x30\0\0\0\1\0\0\0\7\0\0\0\xdd\7\0\0\0\0\0\0\0"                                               \
    "\x1b\0\0\0\1ok\0\0\0\0\0\0\0\0\0\x10"                                                         \
    "code\0\x1a\0\0\0\0"

TEST(a_message_of_mongodb_answers_by_its_number)
{
    struct wire w;
    char find[] = FIND, other[] = FIND, failed[] = FAILED;

    find[0] = other[0] = (char)(sizeof find - 1);
    failed[0] = (char)(sizeof failed - 1);
    other[4] = 8;
    wire_open(&w);
    wire_bytes(&w, C, other, sizeof other - 1);
    wire_bytes(&w, C, find, sizeof find - 1);
    wire_bytes(&w, S, failed, sizeof failed - 1);
    assert_told(&w, "mongodb", "find users 49 0!\nfind users 49 48 error 26\n");
    wire_close(&w);
}

TEST(what_mongodb_does_not_say_is_left_alone)
{
    /* Start-Control-Connection-Request of PPTP (RFC 2637, section 2.1). */
    assert_foreign("mongodb", C, "\0\x9c\0\1\x1a\x2b\x3c\x4d\0\1\0\0\1\0\0\0\0\0\0\1\0\0\0\1", 24);
    assert_foreign("mongodb", C, "\xff\xff\xff\x7f\7\0\0\0\0\0\0\0\xdd\7\0\0\0\0\0\0\0xxxxxxxxxxx",
                   32);
    assert_foreign("mongodb", C, "\x20\0\0\0\7\0\0\0\0\0\0\0\xdd\7\0\0\xfc\0\0\0\0xxxxxxxxxxx", 32);
}

#define VERSIONS "\0\0\0\x0e\0\x12\0\0\0\0\0\1\0\4test"
#define FETCH    "\0\0\0\x0e\0\1\0\4\0\0\0\2\0\4test"
#define PRODUCE  "\0\0\0\x16\0\0\0\2\0\0\0\3\0\4test\0\0\0\0\1\0\0\0"

WIRE_TEST(a_response_of_kafka_has_its_correlation_id, wire_open(w))
{
    SAY(w, C, VERSIONS FETCH PRODUCE);
    SAY(w, S, "\0\0\0\5\0\0\0\2x\0\0\0\4\0\0\0\1");
    SAY(w, S, "\0\0\0\4\0\0\0\x09");
    assert_told(w, "kafka", "ApiVersions 18 8\nFetch 18 9~\nProduce 26 0!>\n- 0 8\n");
}

TEST(what_kafka_does_not_say_is_left_alone)
{
    assert_foreign("kafka", C, "\x7f\xff\xff\xff\0\x12\0\0\0\0\0\1\0\4test", 18);
    assert_foreign("kafka", C, "\0\0\0\x0e\0\x12\0\0\0\0\0\1\0\4t\1st", 18);
    assert_foreign("kafka", C, "\0\0\0\x0e\1\x12\0\0\0\0\0\1\0\4test", 18);
}

#define AMQP     "AMQP\0\0\x09\1"
#define START    "\1\0\0\0\0\0\4\0\x0a\0\x0a\xce"
#define DECLARE  "\1\0\1\0\0\0\x0d\0\x32\0\x0a\0\0\5tasks\0\xce"
#define DECLARED "\1\0\1\0\0\0\4\0\x32\0\x0b\xce"
#define PUBLISH  "\1\0\1\0\0\0\x11\0\x3c\0\x28\0\0\2ex\6secret\0\xce"
#define CONTENT  "\2\0\1\0\0\0\x0e\0\x3c\0\0\0\0\0\0\0\0\0\3\0\0\xce"
#define BODY     "\3\0\1\0\0\0\3abc\xce"
#define CONFIRM  "\1\0\1\0\0\0\5\0\x55\0\x0a\0\xce"
#define ACK_ALL  "\1\0\1\0\0\0\x0d\0\x3c\0\x50\0\0\0\0\0\0\0\2\1\xce"

WIRE_TEST(methods_of_amqp_are_answered_on_their_channel, wire_open(w))
{
    SAY(w, C, AMQP);
    SAY(w, S, START);
    SAY(w, C, DECLARE PUBLISH CONTENT BODY);
    SAY(w, S, DECLARED);
    SAY(w, S, "\1\0\1\0\0\0\4\0\x3c\0\x3c\xce" CONTENT BODY);
    assert_told(w, "amqp",
                "connect 8 12\nqueue.declare tasks 21 12\nbasic.publish ex 58 0!>\n"
                "basic.deliver 0 45\n");
}

WIRE_TEST(publishings_of_amqp_may_be_confirmed, wire_open(w))
{
    SAY(w, C, AMQP CONFIRM);
    SAY(w, S, START);
    SAY(w, S, "\1\0\1\0\0\0\4\0\x55\0\x0b\xce");
    SAY(w, C, PUBLISH CONTENT BODY PUBLISH CONTENT BODY);
    SAY(w, S, ACK_ALL);
    assert_told(w, "amqp",
                "connect 8 12\nconfirm.select 13 12\nbasic.publish ex 58 21\n"
                "basic.publish ex 58 21\n");
}

TEST(what_amqp_does_not_say_is_left_alone)
{
    assert_foreign("amqp", C, "AMQP\0\1\0\0", 8);
    assert_foreign("amqp", C, "\1\0\1\0\0\0\4\0\x32\0\x0b\xcd", 12);
    assert_foreign("amqp", C, "\1\0\1\xff\xff\xff\xff\0\x32\0\x0b\xcd", 12);
}

#define CONNECT "\x10\x0d\0\4MQTT\4\2\0\x3c\0\1x"

WIRE_TEST(packets_of_mqtt_are_answered_by_their_identifier, wire_open(w))
{
    SAY(w, C, CONNECT);
    SAY(w, S, "\x20\2\0\0");
    SAY(w, C,
        "\x30\6\0\3a/bx"
        "\x32\x08\0\3a/b\0\1x"
        "\x32\x08\0\3a/b\0\2x");
    SAY(w, S, "\x40\2\0\2");
    SAY(w, S, "\x30\6\0\3c/dx");
    SAY(w, S, "\x40\2\0\1");
    SAY(w, C, "\xc0\0");
    SAY(w, S, "\xd0\0");
    assert_told(w, "mqtt",
                "connect 15 4\npublish 8 0!>\npublish 10 4\npublish 10 4\npublish 0 8\n"
                "pingreq 2 2\n");
}

WIRE_TEST(mqtt_tells_why_it_refuses, wire_open(w))
{
    SAY(w, C, CONNECT);
    SAY(w, S, "\x20\2\0\5");
    assert_told(w, "mqtt", "connect 15 4 reason 0x05\n");
}

TEST(what_mqtt_does_not_say_is_left_alone)
{
    assert_foreign("mqtt", C, "\x10\x0d\0\4MQTX\4\2\0\x3c\0\1x", 15);
    assert_foreign("mqtt", C, "\x10\xff\xff\xff\xff\x7f\0\4MQTT", 12);
}
