/* SPDX-License-Identifier: MIT */
/* Grouping of files into captures. tests/batch/run.py has the names that capture tools give. */
#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/files.h>

#define SECOND INT64_C(1000000000)

/* The digit before the last dot says when a file begins, in minutes; '?' is not known. */
static int64_t begin(void *user, const char *path)
{
    char digit = strrchr(path, '.')[-1];

    ++*(int *)user;
    return digit == '?' ? TCPWHY_NS_UNKNOWN : (digit - '0') * 60 * SECOND;
}

/* The files in their order, a space between captures. */
static const char *chained(enum tcpwhy_chaining how, struct tcpwhy_file *files, size_t n,
                           size_t want, int *asked)
{
    static char text[512];
    struct tcpwhy_file *chained[3];
    size_t n_captures;

    *asked = 0;
    assert_in_range(n, 1, 3);
    for (size_t i = 0; i < n; i++) {
        chained[i] = &files[i];
        files[i].struct_size = sizeof files[i];
    }
    assert_int_equal(tcpwhy_chain_files(chained, n, how, begin, asked, &n_captures), 0);
    assert_int_equal(n_captures, want);
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (i)
            strcat(text, chained[i]->chain == chained[i - 1]->chain ? "+" : " ");
        strcat(text, chained[i]->path);
    }
    return text;
}

TEST(consecutively_numbered_files_are_one_capture)
{
    struct tcpwhy_file files[] = { { .path = "a/2.pcap2" }, { .path = "a/2.pcap1" } };
    int asked;

    assert_string_equal(chained(TCPWHY_CHAIN_FOUND, files, 2, 1, &asked), "a/2.pcap1+a/2.pcap2");
    assert_int_equal(asked, 2);
}

TEST(a_missing_number_separates_captures)
{
    struct tcpwhy_file files[] = { { .path = "a/2.pcap1" }, { .path = "a/2.pcap3" } };
    int asked;

    assert_string_equal(chained(TCPWHY_CHAIN_FOUND, files, 2, 2, &asked), "a/2.pcap1 a/2.pcap3");
}

TEST(files_of_two_folders_are_not_asked)
{
    struct tcpwhy_file files[] = { { .path = "a/2.pcap1" }, { .path = "b/2.pcap2" } };
    int asked;

    chained(TCPWHY_CHAIN_FOUND, files, 2, 2, &asked);
    assert_int_equal(asked, 0);
}

TEST(a_file_without_a_beginning_is_alone)
{
    struct tcpwhy_file files[] = { { .path = "a/3.pcap" },
                                   { .path = "a/?.pcap" },
                                   { .path = "a/1.pcap" } };
    int asked;

    assert_string_equal(chained(TCPWHY_CHAIN_ALL, files, 3, 2, &asked),
                        "a/?.pcap a/1.pcap+a/3.pcap");
}

TEST(a_dated_file_is_written_until_the_next_begins)
{
    struct tcpwhy_file files[] = {
        { .path = "x-2026-11-20.pcap", .modified_ns = 120 * SECOND },
        { .path = "x-2026-11-21.pcap" },
    };
    int asked;

    chained(TCPWHY_CHAIN_FOUND, files, 2, 1, &asked);
    files[0].modified_ns++;
    chained(TCPWHY_CHAIN_FOUND, files, 2, 2, &asked);
}

TEST(no_files_are_no_captures)
{
    int asked = 0;
    size_t n = 1;

    assert_int_equal(tcpwhy_chain_files(NULL, 0, TCPWHY_CHAIN_FOUND, begin, &asked, &n), 0);
    assert_int_equal(n, 0);
}

TEST(impossible_arguments_to_chain_files_are_refused)
{
    struct tcpwhy_file file = TCPWHY_FILE_INIT, *files[] = { &file };
    int asked = 0;
    size_t n;

    file.path = "a/1.pcap";
    assert_int_equal(tcpwhy_chain_files(files, 1, (enum tcpwhy_chaining)3, begin, &asked, &n),
                     TCPWHY_ERR_ARGUMENT);
    file.struct_size = 0;
    assert_int_equal(tcpwhy_chain_files(files, 1, TCPWHY_CHAIN_ALL, begin, &asked, &n),
                     TCPWHY_ERR_ARGUMENT);
}
