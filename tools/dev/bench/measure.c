/* SPDX-License-Identifier: MIT */
/*
 * measure COMMAND ARGUMENT...: run it silently, and print its wall time and its processor time in
 * seconds, and its peak memory in bytes. A program of its own because the peak begins with that of
 * who starts it.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    posix_spawn_file_actions_t quiet;
    struct rusage usage;
    int status = 1;
    double begin;
    pid_t child;

    if (argc < 2)
        return 2;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    begin = now();
    if (posix_spawnp(&child, argv[1], &quiet, NULL, argv + 1, environ) != 0 ||
        wait4(child, &status, 0, &usage) < 0)
        return 1;
    posix_spawn_file_actions_destroy(&quiet);
    printf("%.6f %.6f %ld\n", now() - begin, seconds(usage.ru_utime) + seconds(usage.ru_stime),
           usage.ru_maxrss * 1024);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}
