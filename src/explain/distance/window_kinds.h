/* SPDX-License-Identifier: MIT */
/* Values of the detail "kind": whose window `app_window` is, and whose round trips. */
#ifndef TW_EXPLAIN_DISTANCE_WINDOW_KINDS_H
#define TW_EXPLAIN_DISTANCE_WINDOW_KINDS_H

extern const char tw_window_kind_http2[];
extern const char tw_window_kind_tls[]; /* HTTP/2 or another protocol that is not seen */
extern const char tw_window_kind_ssh[];
extern const char tw_window_kind_smb[];
extern const char tw_window_kind_credits[]; /* of SMB 2, where they are seen */
/* Round trips of connections that follow each other. */
extern const char tw_window_kind_reconnects[];
/* Long ways whose round trips are echoes of what a person types. */
extern const char tw_window_kind_echoes[];

#endif
