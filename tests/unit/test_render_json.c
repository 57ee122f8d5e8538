/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "tests/unit.h"

#include <math.h>

#include <glib.h>
#include <tcpwhy/tcpwhy.h>

#include "render/writers/json.h"

static bool append(void *user, const char *bytes, size_t len)
{
    tw_string_append_len(user, bytes, (gssize)len);
    return true;
}

struct writing {
    tw_string *text;
    struct tw_writer out;
    struct tw_json json;
};

static void begin(struct writing *w, unsigned break_depth)
{
    w->text = tw_string_new(NULL);
    tw_writer_init(&w->out, append, w->text);
    tw_json_init(&w->json, &w->out, break_depth);
}

static void assert_written(struct writing *w, const char *expected)
{
    assert_int_equal(tw_writer_finish(&w->out), 0);
    assert_string_equal(w->text->str, expected);
    tw_string_free(w->text, TRUE);
}

static void assert_string_form(const char *text, const char *expected)
{
    struct writing w;

    begin(&w, 0);
    tw_json_array(&w.json, NULL);
    tw_json_string(&w.json, NULL, text);
    tw_json_end(&w.json);
    assert_written(&w, expected);
}

#define WRITING_TEST(name, make) TEST_WITH(name, struct writing, w, make, (void)w)

WRITING_TEST(commas_stand_between_and_nowhere_else, begin(w, 0))
{
    tw_json_object(&w->json, NULL);
    tw_json_array(&w->json, "none");
    tw_json_end(&w->json);
    tw_json_array(&w->json, "two");
    tw_json_uint(&w->json, NULL, 1);
    tw_json_object(&w->json, NULL);
    tw_json_end(&w->json);
    tw_json_end(&w->json);
    tw_json_bool(&w->json, "yes", true);
    tw_json_end(&w->json);
    assert_written(w, "{\"none\": [], \"two\": [1, {}], \"yes\": true}\n");
}

WRITING_TEST(members_down_to_a_depth_stand_on_their_own_lines, begin(w, 2))
{
    tw_json_object(&w->json, NULL);
    tw_json_array(&w->json, "a");
    tw_json_object(&w->json, NULL);
    tw_json_int(&w->json, "b", -1);
    tw_json_int(&w->json, "c", 2);
    tw_json_end(&w->json);
    tw_json_end(&w->json);
    tw_json_end(&w->json);
    assert_written(w, "{\n  \"a\": [\n    {\"b\": -1, \"c\": 2}\n  ]\n}\n");
}

TEST(strings_are_escaped)
{
    assert_string_form("a\"b\\c", "[\"a\\\"b\\\\c\"]\n");
    assert_string_form("\b\t\n\f\r", "[\"\\b\\t\\n\\f\\r\"]\n");
    assert_string_form("\x01\x1b[31m\x7f", "[\"\\u0001\\u001b[31m\\u007f\"]\n");
    assert_string_form("<script>&amp;</script>", "[\"<script>&amp;</script>\"]\n");
    assert_string_form("gr\u00fc\u00df \U0001F600", "[\"gr\u00fc\u00df \U0001F600\"]\n");
    assert_string_form("\u202eevil\xc2\x85", "[\"\\u202eevil\\u0085\"]\n");
}

WRITING_TEST(text_in_a_page_ends_no_script, begin(w, 0))
{
    w->json.embedded = true;
    tw_json_array(&w->json, NULL);
    tw_json_string(&w->json, NULL, "a</script>");
    tw_json_int(&w->json, NULL, INT64_MIN);
    tw_json_end(&w->json);
    assert_written(w, "[\"a\\u003c/script>\",-9223372036854775808]\n");
}

TEST(invalid_utf8_is_replaced)
{
    assert_string_form("a\xff\xfe", "[\"a\uFFFD\uFFFD\"]\n");
    assert_string_form("cut \xe2\x82", "[\"cut \uFFFD\uFFFD\"]\n");
    assert_string_form("\xed\xa0\x80", "[\"\uFFFD\uFFFD\uFFFD\"]\n"); /* a surrogate */
    assert_string_form("\xc0\xaf", "[\"\uFFFD\uFFFD\"]\n");           /* overlong */
}

WRITING_TEST(an_unknown_value_is_null, begin(w, 0))
{
    struct tcpwhy_endpoint none = { .version = 0 };

    tw_json_array(&w->json, NULL);
    tw_json_ms(&w->json, NULL, TCPWHY_NS_UNKNOWN);
    tw_json_us(&w->json, NULL, TCPWHY_NS_UNKNOWN);
    tw_json_string(&w->json, NULL, NULL);
    tw_json_frame(&w->json, NULL, 0);
    tw_json_endpoint(&w->json, NULL, &none);
    tw_json_real(&w->json, NULL, (double)NAN);
    tw_json_real(&w->json, NULL, (double)-INFINITY);
    tw_json_end(&w->json);
    assert_written(w, "[null, null, null, null, null, null, null]\n");
}

WRITING_TEST(times_keep_every_nanosecond, begin(w, 0))
{
    tw_json_array(&w->json, NULL);
    tw_json_ms(&w->json, NULL, 44012345);
    tw_json_us(&w->json, NULL, 44012345);
    tw_json_ms(&w->json, NULL, -1);
    tw_json_end(&w->json);
    assert_written(w, "[44.012345, 44012.345, -0.000001]\n");
}

static bool refuse(void *user, const char *bytes, size_t len)
{
    (void)bytes;
    (void)len;
    ++*(int *)user;
    return false;
}

static bool count_pieces(void *user, const char *bytes, size_t len)
{
    size_t *size = user;

    (void)bytes;
    size[0]++;
    size[1] = MAX(size[1], len);
    return true;
}

TEST(written_bytes_are_counted_in_any_pieces)
{
    struct tw_writer out;
    size_t size[2] = { 0, 0 };

    tw_writer_init(&out, count_pieces, size);
    tw_writer_repeat(&out, "0123456789", 2000);
    assert_int_equal(tw_writer_total(&out), 20000);
    assert_int_equal(tw_writer_finish(&out), 0);
    assert_int_equal(tw_writer_total(&out), 20000);
    assert_int_equal(size[0], 3);
    assert_int_equal(size[1], sizeof(out.bytes));
}

TEST(a_writer_that_says_stop_is_not_called_again)
{
    struct tw_writer out;
    int calls = 0;

    tw_writer_init(&out, refuse, &calls);
    tw_writer_repeat(&out, "0123456789", 10000);
    assert_int_equal(tw_writer_finish(&out), TCPWHY_ERR_STOPPED);
    assert_int_equal(calls, 1);
}
