// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The same without a branch to be guessed.
 */
#define SELECT
#include "slow_ones.c"
