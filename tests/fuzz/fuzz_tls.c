/* SPDX-License-Identifier: MIT */
/*
 * TLS: its handshake, the key log, and what is decrypted. The first byte says how many bytes of a
 * key log follow, in units of 16; the secrets below are those of pcaps/tls13_http2, which the
 * corpus has.
 */
#include "app/tls_keys.h"
#include "tests/fuzz/fuzz_protocol.h"

extern const struct tw_app_protocol tw_app_protocol_tls;

static const char secrets[] = "SERVER_HANDSHAKE_TRAFFIC_SECRET "
                              "1c499652fdb44ea342e237869609021e5311cb2b6d7687fa6bc6c2a3ad714153 "
                              "13011947a10af808f375499785339a0f2c048b3a8cd6eb26e56d6af93ff91a950181"
                              "8f24f20d6870579cc0ac91fa7062\n"
                              "SERVER_TRAFFIC_SECRET_0 "
                              "1c499652fdb44ea342e237869609021e5311cb2b6d7687fa6bc6c2a3ad714153 "
                              "454da531e496c91dd9217ddd527eba8f88d847e0e32576958cc99a6f96ef7eaccdff"
                              "25abd24b47da7702c17a0ee3d1b0\n"
                              "CLIENT_HANDSHAKE_TRAFFIC_SECRET "
                              "1c499652fdb44ea342e237869609021e5311cb2b6d7687fa6bc6c2a3ad714153 "
                              "190802851bec69dc1b84fdb8df3b3d1b93baba50821890d26bb2b4ef81ac969361f3"
                              "cbb7206b8a5114a85fbee2ca2c38\n"
                              "CLIENT_TRAFFIC_SECRET_0 "
                              "1c499652fdb44ea342e237869609021e5311cb2b6d7687fa6bc6c2a3ad714153 "
                              "3d8e392a0281ac3e045018fccd3f9996851a5f8a0e1c68f1822343bf8aec5eb7a908"
                              "619e4912ecc23ab1a139facc9077\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tw_bytes rest = tw_bytes(data, size);
    size_t n = 16u * tw_u8(rest, 0);
    struct tw_tls_keys *keys = tw_tls_keys_new();
    int result;

    tw_tls_keys_add(keys, tw_bytes((const uint8_t *)secrets, sizeof secrets - 1));
    rest = tw_bytes_from(rest, 1);
    tw_tls_keys_add(keys, tw_bytes_first(rest, n));
    rest = tw_bytes_from(rest, n);
    result = dissect(&tw_app_protocol_tls, keys, rest.data, rest.len);
    tw_tls_keys_free(keys);
    return result;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    size_t head = 1 + 16u * tw_u8(tw_bytes(data, size), 0);

    return mutate_pieces(data, size, max, seed, head, turn_piece, LLVMFuzzerMutate);
}
