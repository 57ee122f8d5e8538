/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <string.h>

#include "app/sql.h"

static const struct tw_sql_dialect postgresql = { false, false, false },
                                   mysql = { true, true, true }, no_escapes = { false, true, true };

static void assert_short(const char *sql, struct tw_sql_dialect dialect, const char *expected)
{
    char text[TW_SQL_TEXT + 4];
    size_t len = tw_sql_shorten(text, tw_bytes((const uint8_t *)sql, strlen(sql)), dialect, false);

    assert_string_equal(text, expected);
    assert_int_equal(len, strlen(expected));
}

TEST(values_are_left_out)
{
    assert_short("select * from t where a = 'it''s' and b=-1.5e-3", postgresql,
                 "select * from t where a = ? and b=-?");
    assert_short("select E'it\\'s secret', x'ff', N'secret'", postgresql, "select ?");
    assert_short("select $$secret$$, $tag$it's $$ secret$tag$ from t1", postgresql,
                 "select ? from t1");
    assert_short("insert into t values ('it\\'s secret', \"secret\", 0xff)", mysql,
                 "insert into t values (?)");
    assert_short("select 'it\\', secret from t", postgresql, "select ?, secret from t");
    assert_short("select 'it\\', \"secret\" # secret", no_escapes, "select ?");
}

TEST(names_and_placeholders_stay)
{
    assert_short("select \"My 1\".c2, t.a from \"My 1\" where id = $1 and x9 = ?", postgresql,
                 "select \"My 1\".c2, t.a from \"My 1\" where id = $1 and x9 = ?");
    assert_short("select `a b` from t_1", mysql, "select `a b` from t_1");
}

TEST(lists_of_values_become_one)
{
    assert_short("select a from t where id in (1, 2,3)", postgresql,
                 "select a from t where id in (?)");
    assert_short("insert into t values (1,'a'), (2,'b'),(3,'c')", postgresql,
                 "insert into t values (?)");
}

TEST(comments_and_line_ends_become_spaces)
{
    assert_short("  select /* secret */ 1 -- secret\n\tfrom t", postgresql, "select ? from t");
    assert_short("select 1 # secret\nfrom t", mysql, "select ? from t");
    assert_short("select data #> x", postgresql, "select data #> x");
}

TEST(an_open_string_ends_with_the_statement)
{
    assert_short("select 'secret", postgresql, "select ?");
    assert_short("select /* secret", postgresql, "select");
    assert_short("select \\", mysql, "select \\");
    assert_short("select 'a\\", mysql, "select ?");
    assert_short("", mysql, "");
}

TEST(a_long_statement_is_cut)
{
    char sql[2 * TW_SQL_TEXT + 1], text[TW_SQL_TEXT + 4];

    memset(sql, 'x', sizeof sql - 1);
    assert_int_equal(
        tw_sql_shorten(text, tw_bytes((uint8_t *)sql, sizeof sql - 1), postgresql, false),
        TW_SQL_TEXT + 3);
    assert_string_equal(text + TW_SQL_TEXT, "...");
    assert_int_equal(tw_sql_shorten(text, tw_bytes((uint8_t *)sql, 5), postgresql, true), 8);
    assert_string_equal(text, "xxxxx...");
}
