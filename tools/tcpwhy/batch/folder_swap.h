/* SPDX-License-Identifier: MIT */
/*
 * Files of an archive's folder replaced all at once or not at all, whenever the process ends: new
 * ones are written into a folder inside it, whose new name is the moment from which on they count.
 */
#ifndef BATCH_FOLDER_SWAP_H
#define BATCH_FOLDER_SWAP_H

#include "archive.h"

/* Make room for new files. @return false with errno set. */
bool folder_swap_begin(const struct archive *archive);

/* Path for the new file of that name; the caller frees it. */
char *folder_swap_path(const struct archive *archive, const char *name);

/* All new files are written: they replace the old ones. @return false when that failed, which has
 * been said. */
bool folder_swap_commit(const struct archive *archive);

/* Finish what was committed by a process that was killed, and drop what was not. Likewise. */
bool folder_swap_recover(const struct archive *archive);

#endif
