/* SPDX-License-Identifier: MIT */
#ifndef LAB_CARD_H
#define LAB_CARD_H

/* Start lwIP with this address on eth0 of the network namespace, which the kernel leaves alone as
 * it has no address there. Ends the program when that fails. */
void card_start(const char *address);

#endif
