/* SPDX-License-Identifier: MIT */
/*
 * Knows users, groups and capabilities.
 */
#include "privileges.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "complain.h"

#ifdef __linux__
#include <linux/capability.h>
#include <sys/syscall.h>
#endif

struct identity {
    uid_t uid;
    gid_t gid;
};

static bool refuse(const char *what, const char *why)
{
    complain("%s: %s; give another user with --user", what, why);
    return false;
}

static bool read_id(const char *variable, unsigned long *id)
{
    const char *text = getenv(variable);
    char *end;

    if (!text || !*text)
        return false;
    errno = 0;
    *id = strtoul(text, &end, 10);
    return errno == 0 && *end == '\0' && *id > 0 && *id < UINT_MAX;
}

static bool find(const char *user, struct identity *id)
{
    const struct passwd *entry;
    unsigned long uid, gid;

    if (!user && read_id("SUDO_UID", &uid) && read_id("SUDO_GID", &gid)) {
        *id = (struct identity) { (uid_t)uid, (gid_t)gid };
        return true;
    }
    if (!user)
        user = "nobody";
    entry = getpwnam(user);
    if (!entry)
        return refuse(user, "no such user");
    *id = (struct identity) { entry->pw_uid, entry->pw_gid };
    return true;
}

/* Capabilities that a program without root's id may have been given (setcap cap_net_raw=ep). */
static bool drop_capabilities(void)
{
#ifdef __linux__
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

    return syscall(SYS_capset, &header, none) == 0;
#else
    return true;
#endif
}

bool privileges_drop(const char *user)
{
    struct identity id;

    if (geteuid() == 0) {
        if (!find(user, &id))
            return false;
        if (setgroups(0, NULL) != 0 || setgid(id.gid) != 0 || setuid(id.uid) != 0)
            return refuse("cannot drop root privileges", strerror(errno));
        if (id.uid != 0 && setuid(0) == 0)
            return refuse("root privileges", "were regained after being dropped");
    } else if (user) {
        return refuse(user, "only root can switch users");
    }
    return drop_capabilities() || refuse("cannot drop capabilities", strerror(errno));
}
