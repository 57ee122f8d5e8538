/* SPDX-License-Identifier: MIT */
/* The suffix of the output file decides the format where no option does. */
#ifndef FORM_BY_NAME_H
#define FORM_BY_NAME_H

#include "command.h"

/* Set the format that -o asks for by its suffix. @return false when the command does not write that
 * format, which has been said. */
bool form_by_name(struct args *args);

#endif
