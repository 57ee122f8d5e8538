/* SPDX-License-Identifier: MIT */
/* The worst flow graph of each capture, in a folder beside the archive. */
#ifndef BATCH_PICTURES_H
#define BATCH_PICTURES_H

#include "batch.h"

/* Make the folder of an archive. @return its path, to be freed; NULL when it could not be made,
 * which has been said. */
char *pictures_open(const char *archive);

/*
 * Draw the stream of the costliest finding as FOLDER/NAME-ID.svg; nothing where no time was lost.
 * options are those of the analysis. @return false when it could not be written, which has been
 * said.
 */
bool pictures_draw(const char *folder, const struct job *job, const tcpwhy_report *report,
                   const struct tcpwhy_options *options);

#endif
