/* SPDX-License-Identifier: MIT */
/* Reports that are released where their scope ends: g_autoptr(tcpwhy_report). */
#ifndef TW_TESTS_UNIT_OWNED_H
#define TW_TESTS_UNIT_OWNED_H

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(tcpwhy_report, tcpwhy_report_free)

#endif
