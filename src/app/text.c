/* SPDX-License-Identifier: MIT */
#include "app/text.h"

#include <string.h>

#include <glib.h>

/* Length of the UTF-8 character at offset, 0 if invalid. */
static size_t character_at(struct tw_bytes bytes, size_t offset)
{
    struct tw_bytes rest = tw_bytes_first(tw_bytes_from(bytes, offset), 4);
    gunichar c;

    if (rest.data[0] < 0x80)
        return 1;
    c = g_utf8_get_char_validated((const char *)rest.data, (gssize)rest.len);
    return c == (gunichar)-1 || c == (gunichar)-2 ? 0 : (size_t)g_unichar_to_utf8(c, NULL);
}

size_t tw_text_clean(char *text, size_t max, struct tw_bytes bytes)
{
    size_t len = 0, most = MIN(max, bytes.len);

    while (len < most && bytes.data[len] >= 0x20 && bytes.data[len] < 0x7f) {
        text[len] = (char)bytes.data[len];
        len++;
    }
    for (size_t i = len; i < bytes.len;) {
        uint8_t byte = bytes.data[i];
        size_t n = character_at(bytes, i), taken = n ? n : 1;

        if (len + taken > max) {
            memcpy(text + len, "...", 3);
            len += 3;
            break;
        }
        if (n > 1)
            memcpy(text + len, bytes.data + i, n);
        else if (n == 0)
            text[len] = '?';
        else
            text[len] = byte < 0x20 || byte == 0x7f ? ' ' : (char)byte;
        len += taken;
        i += taken;
    }
    text[len] = '\0';
    return len;
}
