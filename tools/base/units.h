/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts in bigger units, for who wants to see how much it is.
 */
#ifndef PMUCTL_UNITS_H
#define PMUCTL_UNITS_H

#include <stdint.h>

#define UNITS_TEXT 16

/* "999", "1.23 k", "45.6 M", "18.4 E": three digits, rounded; the units are powers of 1000. */
void units_text(uint64_t count, char text[UNITS_TEXT]);

#endif
