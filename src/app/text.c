/* SPDX-License-Identifier: MIT */
#include "app/text.h"

/* Shows that a text goes on. */
#define MORE "..."

/* Bytes of the UTF-8 character at offset, 0 when there is none. */
static size_t character_at(struct tw_bytes bytes, size_t offset)
{
    struct tw_bytes rest = tw_bytes_first(tw_bytes_from(bytes, offset), 4);
    const char *p = (const char *)rest.data;
    gunichar c = g_utf8_get_char_validated(p, (gssize)rest.len);

    if (c == (gunichar)-1 || c == (gunichar)-2)
        return 0;
    return (size_t)g_unichar_to_utf8(c, NULL);
}

void tw_text_append(GString *text, struct tw_bytes bytes, size_t max)
{
    size_t limit = text->len + max;

    for (size_t i = 0; i < bytes.len;) {
        uint8_t byte = bytes.data[i];
        size_t n = byte < 0x80 ? 1 : character_at(bytes, i);

        if (text->len + (n ? n : 1) > limit) {
            g_string_append(text, MORE);
            return;
        }
        if (n == 0)
            g_string_append_c(text, '?');
        else if (byte < 0x20 || byte == 0x7f)
            g_string_append_c(text, ' ');
        else
            g_string_append_len(text, (const char *)bytes.data + i, (gssize)n);
        i += n ? n : 1;
    }
}
