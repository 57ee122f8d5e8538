/* SPDX-License-Identifier: MIT */
#include "nearest.h"

#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "complain.h"

/* Longer words are no slips. */
#define MOST_LETTERS 40
/* One slip per this many letters is still the same word. */
#define LETTERS_A_SLIP 3
/* Fewer letters are part of too many names. */
#define LEAST_PART 3

/* Slips of a finger: a letter too many, too few, another one, or two of them swapped (Damerau's
 * distance, restricted to neighbours). */
static unsigned count_slips(const char *a, const char *b)
{
    unsigned row[3][MOST_LETTERS + 1];
    size_t n = strlen(a), m = strlen(b);

    for (size_t j = 0; j <= m; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

        now[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned other = last[j - 1] + (a[i - 1] != b[j - 1]);

            now[j] = MIN(other, 1 + MIN(last[j], now[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = MIN(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

static void append(GString *to, const char *name)
{
    g_string_append_printf(to, "%s'%s'", to->len > 0 ? " or " : "", name);
}

char *nearest(const char *word, const char *names)
{
    char **all = g_strsplit(names, " ", -1);
    GString *meant = g_string_new(NULL);
    const char *best = NULL;
    unsigned least = (unsigned)strlen(word) / LETTERS_A_SLIP + 1;

    for (char **name = all; *name && strlen(word) <= MOST_LETTERS; name++) {
        unsigned slips;

        if (strlen(*name) > MOST_LETTERS)
            continue;
        if (strlen(word) >= LEAST_PART && strstr(*name, word))
            append(meant, *name);
        slips = count_slips(word, *name);
        if (slips < least) {
            least = slips;
            best = *name;
        }
    }
    if (meant->len == 0 && best)
        append(meant, best);
    if (meant->len > 0) {
        g_string_prepend(meant, " (did you mean ");
        g_string_append(meant, "?)");
    }
    g_strfreev(all);
    return g_string_free(meant, FALSE);
}

void complain_of_name(const char *word, const char *what, char *names, const char *listed_by)
{
    char *meant = nearest(word, names);

    complain("%s: no such %s%s; '%s' lists them", word, what, meant, listed_by);
    g_free(meant);
    g_free(names);
}
