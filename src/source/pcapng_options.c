/* SPDX-License-Identifier: MIT */
/* Layout of options (code, length, value padded to four bytes), not their meaning. */
#include "source/pcapng_options.h"

#include <string.h>

#include "base/text.h"

#define HEADER     4
#define OPTION_END 0
#define PADDED(n)  (((n) + 3) & ~(size_t)3)

/* Limit for comments. */
#define TEXT_MAX (64 * 1024)

static uint16_t half(const struct tw_option *option, size_t offset)
{
    return option->big_endian ? tw_be16(option->rest, offset) : tw_le16(option->rest, offset);
}

bool tw_option_next(struct tw_option *option)
{
    uint16_t len = half(option, 2);

    option->code = half(option, 0);
    if (option->rest.len < HEADER || option->code == OPTION_END)
        return false;
    if (!tw_bytes_has(option->rest, HEADER, len)) {
        option->overrun = true;
        return false;
    }
    option->value = tw_bytes(option->rest.data + HEADER, len);
    option->rest = tw_bytes_from(option->rest, HEADER + PADDED(len));
    return true;
}

uint64_t tw_option_u64(const struct tw_option *option)
{
    if (option->value.len < 8)
        return 0;
    return option->big_endian ? tw_be64(option->value, 0) : tw_le64(option->value, 0);
}

void tw_text_append_line(tw_string *text, const char *line)
{
    size_t len = strlen(line);

    if (len == 0 || text->len + len > TEXT_MAX)
        return;
    if (text->len > 0)
        tw_string_append_c(text, '\n');
    tw_string_append_len(text, line, (gssize)len);
}

void tw_option_append_text(const struct tw_option *option, const char *label, tw_string *text)
{
    const char *value = (const char *)option->value.data;
    size_t len = strnlen(value, option->value.len);
    char *valid = tw_utf8_make_valid(value, (gssize)len);
    char *line = tw_strdup_printf("%s%s", label, valid);

    if (len > 0)
        tw_text_append_line(text, line);
    tw_free(line);
    tw_free(valid);
}
