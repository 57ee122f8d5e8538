/* SPDX-License-Identifier: MIT */
#include "source/error.h"

#include <stdarg.h>
#include <stdio.h>

bool tw_source_refuse(struct tw_source_error *error, int code, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    error->code = code;
    vsnprintf(error->text, sizeof(error->text), text, args);
    va_end(args);
    return false;
}
