/* SPDX-License-Identifier: MIT */
/* Files, directories, mail and shells: the first byte of the input says which dissector. */
#include "tests/fuzz/fuzz_protocol.h"

extern const struct tw_app_protocol tw_app_protocol_smb2, tw_app_protocol_ldap, tw_app_protocol_nfs,
    tw_app_protocol_smtp, tw_app_protocol_imap, tw_app_protocol_pop3, tw_app_protocol_ftp,
    tw_app_protocol_ssh, tw_app_protocol_websocket;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tw_app_protocol *const protocols[] = {
        &tw_app_protocol_smb2, &tw_app_protocol_ldap, &tw_app_protocol_nfs,
        &tw_app_protocol_smtp, &tw_app_protocol_imap, &tw_app_protocol_pop3,
        &tw_app_protocol_ftp,  &tw_app_protocol_ssh,  &tw_app_protocol_websocket,
    };

    if (size == 0)
        return 0;
    return dissect(protocols[data[0] % G_N_ELEMENTS(protocols)], NULL, data + 1, size - 1);
}

MUTATE_PIECES(1, turn_piece)
