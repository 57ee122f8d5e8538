/* SPDX-License-Identifier: MIT */
/*
 * Root's rights are needed to open an interface and for nothing after that: what comes off the wire
 * is read without them.
 */
#ifndef PRIVILEGES_H
#define PRIVILEGES_H

#include <stdbool.h>

/*
 * Become user; NULL: whoever called sudo, else nobody. Capabilities go too. Does nothing to
 * somebody who is not root and has none. @return false when it failed, which has been said.
 */
bool privileges_drop(const char *user);

#endif
