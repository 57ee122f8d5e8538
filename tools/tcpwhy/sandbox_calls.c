/* SPDX-License-Identifier: MIT */
/*
 * System calls that are refused, with EPERM. A list of those allowed would be shorter to trust,
 * but what libc, GLib, SQLite and the decoders call differs by version and machine (rseq,
 * futex_waitv, statx ...): it would break with the next of them. So the list names whatever starts
 * a program, reaches the network, another process or the kernel's insides, or changes what Landlock
 * does not guard (modes, owners, times).
 */
#include "sandbox_calls.h"

#ifdef HAVE_SECCOMP

#include <errno.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <glib.h>
#include <seccomp.h>

static const char *const refused[] = {
    /* programs */
    "execve", "execveat", "fork", "vfork",
    /* other processes */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "setpriority",
    "migrate_pages", "move_pages",
    /* what goes around a filter of system calls, and what other processes can be asked by */
    "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd", "memfd_create",
    "memfd_secret", "shmget", "shmat", "shmctl", "semget", "semop", "semctl", "msgget", "msgsnd",
    "msgrcv", "msgctl", "mq_open", "mq_unlink",
    /* who it is, and where */
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid",
    "setgroups", "capset", "setns", "unshare", "chroot", "pivot_root", "mount", "umount", "umount2",
    "mount_setattr", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick",
    "personality",
    /* files beside Landlock */
    "chmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchownat", "setxattr", "lsetxattr",
    "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat",
    "utime", "utimes", "utimensat", "futimesat", "mknod", "mknodat", "open_by_handle_at",
    "name_to_handle_at", "fanotify_init", "quotactl", "quotactl_fd", "acct",
    /* the kernel */
    "bpf", "perf_event_open", "add_key", "request_key", "keyctl", "init_module", "finit_module",
    "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "syslog",
    "settimeofday", "clock_settime", "stime", "adjtimex", "clock_adjtime", "sethostname",
    "setdomainname", "iopl", "ioperm", "modify_ldt", "vhangup", "lookup_dcookie", "_sysctl",
    "uselib", "nfsservctl"
};

static const char *const network[] = { "socket",  "socketpair", "connect",   "bind",
                                       "listen",  "accept",     "accept4",   "sendto",
                                       "sendmsg", "sendmmsg",   "socketcall" };

static void refuse(scmp_filter_ctx filter, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int call = seccomp_syscall_resolve_name(names[i]);

        /* Not every machine has each of them. */
        if (call != __NR_SCMP_ERROR)
            seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
    }
}

/* The argument in which clone() has its flags. */
#ifdef __s390__
#define CLONE_FLAGS SCMP_A1
#else
#define CLONE_FLAGS SCMP_A0
#endif

/* Calls that are refused with some arguments only. */
static void refuse_some(scmp_filter_ctx filter)
{
    const int signals[] = { SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(tgkill) };

    /* A thread is no new process. What clone3() asks for is not seen here: libc then uses clone().
     */
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                     CLONE_FLAGS(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    /* A process may signal itself: raise() is tgkill() in glibc, and tkill() in musl. */
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), signals[i], 1,
                         SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid()));
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1,
                     SCMP_A0(SCMP_CMP_NE, 0));
    /* Typing into the terminal, for its shell. */
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                     SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, TIOCSTI));
}

/* Memory that was written is not run. */
static void refuse_new_code(scmp_filter_ctx filter)
{
    const int executable[] = { SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect),
                               SCMP_SYS(pkey_mprotect) };

    for (size_t i = 0; i < G_N_ELEMENTS(executable); i++)
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), executable[i], 1,
                         SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
}

void sandbox_refuse_calls(bool asks_names)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

    if (!filter)
        return;
    /* Older kernels would slow the whole program down against Spectre 4; it runs nobody's code. */
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
    /* A search by halves for what the kernel cannot know at once. */
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    refuse(filter, refused, G_N_ELEMENTS(refused));
    refuse_some(filter);
    /* The resolver loads plug-ins and asks servers. */
    if (!asks_names) {
        refuse(filter, network, G_N_ELEMENTS(network));
        refuse_new_code(filter);
    }
    seccomp_load(filter);
    seccomp_release(filter);
}

bool sandbox_calls_work(void)
{
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0 && seccomp_api_get() > 0;
}

#else

void sandbox_refuse_calls(bool asks_names)
{
    (void)asks_names;
}

bool sandbox_calls_work(void)
{
    return false;
}

#endif
