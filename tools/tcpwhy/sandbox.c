/* SPDX-License-Identifier: MIT */
/* Knows Landlock and its versions; which system calls are refused: sandbox_calls.c. */
#include "sandbox.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>

#include "filter_names.h"
#include "sandbox_calls.h"

#if defined(__has_feature) /* clang's way to tell */
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static bool under_valgrind(void)
{
    const char *preload = getenv("LD_PRELOAD");

    return preload && strstr(preload, "/vgpreload_");
}

/* Sanitizers and valgrind look into their own process, make code and start programs. */
static bool may_lock_in(void)
{
    return !SANITIZED && !under_valgrind();
}

#ifdef HAVE_LANDLOCK

#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* As include/uapi/linux/landlock.h has them since versions 3, 5, 4 and 6 of the interface. */
#define FS_TRUNCATE     (UINT64_C(1) << 14)
#define FS_IOCTL_DEV    (UINT64_C(1) << 15)
#define NET_ALL         UINT64_C(3) /* bind and connect by TCP */
#define SCOPED_ALL      UINT64_C(3) /* abstract UNIX sockets and signals of others */
#define FS_OF_VERSION_1 ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

/* Files of their own, and what only folders can be given. */
#define READ        LANDLOCK_ACCESS_FS_READ_FILE
#define CHANGE      (LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)
#define READ_FOLDER (READ | LANDLOCK_ACCESS_FS_READ_DIR)
#define FILL        (READ_FOLDER | CHANGE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)
#define MOVE                                                                                       \
    (LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REFER)
#define OF_FILES (READ | CHANGE)

/* The kernel's struct landlock_ruleset_attr, as long as the newest known has it. */
struct handled {
    uint64_t fs, net, scoped;
};

static int version_of_kernel(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return version > 0 ? (int)version : 0;
}

static uint64_t handled_fs(int version)
{
    uint64_t fs = FS_OF_VERSION_1;

    if (version >= 2)
        fs |= LANDLOCK_ACCESS_FS_REFER;
    if (version >= 3)
        fs |= FS_TRUNCATE;
    if (version >= 5)
        fs |= FS_IOCTL_DEV;
    return fs;
}

static int create_rules(int version)
{
    const struct handled handled = { .fs = handled_fs(version),
                                     .net = version >= 4 ? NET_ALL : 0,
                                     .scoped = version >= 6 ? SCOPED_ALL : 0 };
    size_t size = version >= 6   ? sizeof(handled)
                  : version >= 4 ? offsetof(struct handled, scoped)
                                 : offsetof(struct handled, net);

    return (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
}

/* The file or folder that path leads to. One that is not there, or nowhere (a pipe), gets none. */
static void allow(const struct sandbox *sandbox, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = { .parent_fd = -1 };
    struct stat st;

    if (sandbox->rules < 0)
        return;
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return;
    if (fstat(rule.parent_fd, &st) == 0) {
        access &= handled_fs(sandbox->version);
        rule.allowed_access = S_ISDIR(st.st_mode) ? access : access & OF_FILES;
        syscall(SYS_landlock_add_rule, sandbox->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(rule.parent_fd);
}

static bool restrict_self(int rules)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

#else

#define READ        0u
#define CHANGE      0u
#define READ_FOLDER 0u
#define FILL        0u
#define MOVE        0u

static int version_of_kernel(void)
{
    return 0;
}

static int create_rules(int version)
{
    (void)version;
    return -1;
}

static void allow(const struct sandbox *sandbox, const char *path, uint64_t access)
{
    (void)sandbox;
    (void)path;
    (void)access;
}

static bool restrict_self(int rules)
{
    (void)rules;
    return false;
}

#endif

void sandbox_begin(struct sandbox *sandbox)
{
    int version = may_lock_in() ? version_of_kernel() : 0;

    *sandbox =
        (struct sandbox) { .rules = version > 0 ? create_rules(version) : -1, .version = version };
}

void sandbox_let_read(struct sandbox *sandbox, const char *path)
{
    allow(sandbox, path, READ_FOLDER);
}

void sandbox_let_read_beside(struct sandbox *sandbox, const char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);

    allow(sandbox, folder, READ_FOLDER);
}

void sandbox_let_change(struct sandbox *sandbox, const char *path)
{
    allow(sandbox, path, CHANGE | READ);
}

void sandbox_let_fill(struct sandbox *sandbox, const char *folder)
{
    allow(sandbox, folder, FILL);
}

void sandbox_let_move(struct sandbox *sandbox, const char *folder)
{
    /* Version 1 lets no file leave its folder. */
    if (sandbox->version < 2 && sandbox->rules >= 0) {
        close(sandbox->rules);
        sandbox->rules = -1;
    }
    allow(sandbox, folder, FILL | MOVE);
}

void sandbox_let_write(struct sandbox *sandbox, const char *path)
{
    char target[PATH_MAX];
    struct stat st;

    if (stat(path, &st) == 0)
        allow(sandbox, path, CHANGE);
    /* Where links lead, as replacement_open() does. */
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode)) {
        g_autofree char *folder = g_path_get_dirname(realpath(path, target) ? target : path);

        allow(sandbox, folder, FILL);
    }
}

void sandbox_let_filter(struct sandbox *sandbox, const char *filter)
{
    /* Files that getservbyname(), getprotobyname() and ether_hostton() read. */
    static const char *const numbers[] = { "/etc/nsswitch.conf", "/etc/services", "/etc/protocols",
                                           "/etc/ethers" };
    /* The resolver's settings, caches and plug-ins. */
    static const char *const hosts[] = { "/etc",   "/lib",       "/usr/lib",
                                         "/lib64", "/usr/lib64", "/run/systemd/resolve" };

    if (!filter)
        return;
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        allow(sandbox, numbers[i], READ);
    sandbox->asks_names = sandbox->asks_names || filter_names_hosts(filter);
    for (size_t i = 0; sandbox->asks_names && i < G_N_ELEMENTS(hosts); i++)
        allow(sandbox, hosts[i], READ_FOLDER);
}

void sandbox_enter(struct sandbox *sandbox)
{
    /* Files that libc and SQLite look at: how many heaps malloc() makes, local time, chance. */
    static const char *const of_libraries[] = { "/sys/devices/system/cpu", "/etc/localtime",
                                                "/dev/urandom", "/usr/share/zoneinfo" };

    for (size_t i = 0; i < G_N_ELEMENTS(of_libraries); i++)
        sandbox_let_read(sandbox, of_libraries[i]);
    if (sandbox->rules >= 0) {
        restrict_self(sandbox->rules);
        close(sandbox->rules);
    }
    sandbox->rules = -1;
    if (may_lock_in())
        sandbox_refuse_calls(sandbox->asks_names);
}

void sandbox_describe(char *text, size_t size)
{
    int version = version_of_kernel();
    const char *calls = sandbox_calls_work() ? "seccomp" : "no seccomp";

    if (!may_lock_in())
        snprintf(text, size, "none (a sanitizer or valgrind looks on)");
    else if (version > 0)
        snprintf(text, size, "Landlock ABI %d, %s", version, calls);
    else
        snprintf(text, size, "no Landlock, %s", calls);
}
