/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in decimal, byte by byte as printf() has them in the C locale, at a fraction of its
 * instructions: rows of intervals have ten numbers each.
 */
#ifndef PMUCTL_DIGITS_H
#define PMUCTL_DIGITS_H

#include <stdint.h>

/* Room for each of them. */
#define DIGITS_WHOLE 20
#define DIGITS_HEX 16
#define DIGITS_REAL 32
#define DIGITS_FIXED 24

/* Each returns what is behind the last byte of the number; no NUL is to be counted on. */
char *digits_whole(char *to, uint64_t value);
char *digits_hex(char *to, uint64_t value);
/*
 * %.15g, but with a point or an exponent in any case, and without a plus and zeros before an
 * exponent, as JSON's readers know what is no integer; of finite numbers.
 */
char *digits_real(char *to, double value);
/* %.*f of what is from 0 on and below 10^9, with at most 9 decimals; NULL: it is not. */
char *digits_fixed(char *to, double value, int decimals);

#endif
