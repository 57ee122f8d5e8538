/* SPDX-License-Identifier: MIT */
#include "base/errors.h"

#include <stdio.h>

#include <tcpwhy/types.h>

const char *tcpwhy_strerror(int code)
{
    switch (code) {
    case 0:
        return "no error";
    case TCPWHY_ERR_OPEN:
        return "cannot be opened: check the path and its permissions";
    case TCPWHY_ERR_FORMAT:
        return "not a capture that can be read: pcap or pcapng is expected";
    case TCPWHY_ERR_FILTER:
        return "the filter does not compile: see pcap-filter(7)";
    case TCPWHY_ERR_READ:
        return "the operating system refused to read on: check the disk or the pipe";
    case TCPWHY_ERR_ARGUMENT:
        return "an option or argument is not valid";
    case TCPWHY_ERR_STOPPED:
        return "stopped by the caller";
    case TCPWHY_ERR_MEMORY:
        return "out of memory: free some, or raise the limit of the process";
    case TCPWHY_ERR_USAGE:
        return "wrong use of the library: NULL where a pointer is required, or a call from within "
               "a callback";
    default:
        return "unknown error";
    }
}

int tw_error_tell(char *error, size_t error_size, int code, const char *about, const char *text)
{
    if (error && error_size > 0)
        snprintf(error, error_size, "%s%s%s", about, *about ? ": " : "",
                 text ? text : tcpwhy_strerror(code));
    return code;
}
