/* SPDX-License-Identifier: MIT */
/*
 * The name that was meant, for a word that names nothing.
 */
#ifndef TCPWHY_TOOL_NEAREST_H
#define TCPWHY_TOOL_NEAREST_H

/*
 * @param names  what the word might have been, separated by spaces
 * @return " (did you mean 'NAME'?)", or "" when none is near; g_free() it. Names that hold the
 * whole word come first ("nagle"), then the one that fewest slips of a finger turn into the word.
 */
char *nearest(const char *word, const char *names);

/* "WORD: no such cause (did you mean 'NAME'?); 'tcpwhy causes' lists them". Releases the names. */
void complain_of_name(const char *word, const char *what, char *names, const char *listed_by);

#endif
