/* SPDX-License-Identifier: MIT */
/*
 * locked READ WRITE OTHER: locks itself in as tcpwhy does, with READ to read and WRITE to write,
 * and prints what then can be done: "name: what came of it", a line each.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../tools/tcpwhy/sandbox.h"

static void tell(const char *name, bool done)
{
    printf("%s: %s\n", name, done ? "done" : strerror(errno));
}

static void open_as(const char *name, const char *path, int flags)
{
    int fd = open(path, flags, 0600);

    tell(name, fd >= 0);
    if (fd >= 0)
        close(fd);
}

static void *nothing(void *data)
{
    return data;
}

static void start_thread(void)
{
    pthread_t thread;

    errno = pthread_create(&thread, NULL, nothing, NULL);
    tell("thread", errno == 0);
    if (errno == 0)
        pthread_join(thread, NULL);
}

static void start_program(void)
{
    char *const nobody[] = { NULL };
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    tell("fork", child > 0);
    execve("/bin/true", nobody, nobody);
    tell("exec", false);
}

static void make_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    tell("memory", page != MAP_FAILED);
    tell("code", mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0);
}

static void touch_files(char **path)
{
    char beside[4096];

    open_as("read what is named", path[1], O_RDONLY);
    open_as("write what is to be read", path[1], O_WRONLY);
    open_as("read another", path[3], O_RDONLY);
    open_as("write another", path[3], O_WRONLY);
    open_as("make another", "made", O_WRONLY | O_CREAT);
    open_as("read a folder", ".", O_RDONLY | O_DIRECTORY);
    snprintf(beside, sizeof(beside), "%s.new", path[2]);
    open_as("make one beside the output", beside, O_WRONLY | O_CREAT);
    tell("move it there", rename(beside, path[2]) == 0);
    tell("change a mode", chmod(path[2], 0777) == 0);
}

int main(int argc, char **argv)
{
    struct sandbox sandbox;

    if (argc != 4)
        return 2;
    sandbox_begin(&sandbox);
    sandbox_let_read(&sandbox, argv[1]);
    sandbox_let_write(&sandbox, argv[2]);
    sandbox_let_read(&sandbox, "/not/there");
    sandbox_let_filter(&sandbox, "tcp port http and host 10.9.0.2");
    sandbox_enter(&sandbox);
    touch_files(argv);
    tell("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    tell("local socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    /* Without the lock: no such process. */
    tell("trace", ptrace(PTRACE_ATTACH, -1, NULL, NULL) == 0);
    tell("signal another", kill(getppid(), 0) == 0);
    tell("signal itself", kill(getpid(), 0) == 0 && syscall(SYS_tkill, getpid(), 0) == 0);
    tell("signal its group", kill(0, 0) == 0);
    start_thread();
    make_code();
    start_program();
    return 0;
}
