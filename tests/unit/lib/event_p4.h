/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of the Pentium 4's registers, for the tests of its events.
 */
#ifndef LIB_EVENT_P4_H
#define LIB_EVENT_P4_H

#include "tests/unit/lib/event.h"

#define ESCR(select, mask) ((uint32_t)(select) << 25 | (uint32_t)(mask) << 9)
#define CCCR(select) ((uint32_t)(select) << 13)

#endif
