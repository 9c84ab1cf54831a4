// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers in decimal.  What is rounded is computed exactly, as integers of 128 bits.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/digits.h"

/* ---- integers -------------------------------------------------------------------- */

/* Up to end, two at a time; where they begin. */
static char *put_before(char *end, uint64_t value)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	for (; value >= 10; value /= 100) {
		*--end = pairs[2 * (value % 100) + 1];
		*--end = pairs[2 * (value % 100)];
	}
	if (value)
		*--end = (char)('0' + value);
	return end;
}

char *digits_whole(char *to, uint64_t value)
{
	char digits[DIGITS_WHOLE], *from = put_before(digits + sizeof(digits), value);
	size_t n = (size_t)(digits + sizeof(digits) - from);

	if (!n)
		*to = '0';
	else
		memcpy(to, from, n);
	return to + (n ? n : 1);
}

char *digits_hex(char *to, uint64_t value)
{
	int shift = value ? (63 - __builtin_clzll(value)) & ~3 : 0;

	for (; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[value >> shift & 0xf];
	return to;
}

/* ---- rounding ---------------------------------------------------------------------- */

#define MANTISSA_BITS 52

static const uint64_t powers_of_ten[] = {
	1ull, 10ull, 100ull, 1000ull, 10000ull, 100000ull, 1000000ull, 10000000ull, 100000000ull,
	1000000000ull, 10000000000ull, 100000000000ull, 1000000000000ull, 10000000000000ull,
	100000000000000ull, 1000000000000000ull, 10000000000000000ull, 100000000000000000ull,
	1000000000000000000ull,
};

/*
 * value * 10^power, to the nearest integer, of two as near the even one, as printf() rounds.
 * value: normal, from 2^-14 on and below 2^50, so that its last bit is behind the point, and all
 * bits of the product are less than 128.
 */
static uint64_t scaled(double value, int power)
{
	unsigned __int128 product, rest, half;
	uint64_t bits, whole;
	int shift;

	memcpy(&bits, &value, sizeof(bits));
	shift = 1023 + MANTISSA_BITS - (int)(bits >> MANTISSA_BITS);
	product = (bits & ((1ull << MANTISSA_BITS) - 1)) | 1ull << MANTISSA_BITS;
	product *= powers_of_ten[power];
	whole = (uint64_t)(product >> shift);
	rest = product - ((unsigned __int128)whole << shift);
	half = (unsigned __int128)1 << (shift - 1);
	return whole + (rest > half || (rest == half && whole & 1));
}

/* ---- 15 digits ----------------------------------------------------------------------- */

#define DIGITS 15

/* Its first 15 digits as an integer, and how many stand before the point (down to -3). */
static bool first_digits(double value, uint64_t *digits, int *before)
{
	static const double least[] = {
		1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
		1e11, 1e12, 1e13, 1e14, 1e15,
	};
	const int last = sizeof(least) / sizeof(least[0]) - 1;
	int i;

	/* Others have an exponent. */
	if (!(value >= least[0] && value < least[last]))
		return false;
	for (i = 0; value >= least[i + 1]; i++)
		;
	*before = i - 3;
	*digits = scaled(value, DIGITS - *before);
	if (*digits < powers_of_ten[DIGITS])
		return true;
	*digits /= 10;
	return ++*before <= DIGITS;
}

/* As %.15g has it: without zeros at the end, but with one behind the point. */
static char *put_decimal(char *to, uint64_t digits, int before)
{
	char text[DIGITS];
	int used;

	put_before(text + DIGITS, digits);
	for (used = DIGITS; used > 1 && text[used - 1] == '0'; used--)
		;
	if (before > 0) {
		memcpy(to, text, (size_t)before);
		to += before;
	} else {
		*to++ = '0';
	}
	*to++ = '.';
	for (; before < 0; before++)
		*to++ = '0';
	if (used <= before)
		*to++ = '0';
	else
		to = mempcpy(to, text + before, (size_t)(used - before));
	return to;
}

/* By printf(): in any locale with a point, and exponents without a plus or zeros before them. */
static char *put_printed(char *to, double value)
{
	char text[DIGITS_REAL], *exponent, *c;

	snprintf(text, sizeof(text), "%.*g", DIGITS, value);
	exponent = strchr(text, 'e');
	for (c = text; *c; c++)
		if (*c == ',')
			*c = '.';
	if (!exponent) {
		to = stpcpy(to, text);
		return strchr(text, '.') ? to : stpcpy(to, ".0");
	}
	*exponent = '\0';
	to = stpcpy(to, text);
	*to++ = 'e';
	if (*++exponent == '-')
		*to++ = '-';
	return stpcpy(to, exponent + 1 + strspn(exponent + 1, "0"));
}

char *digits_real(char *to, double value)
{
	uint64_t digits;
	int before;

	/* 100.0: a share that is all of it, a count in parts of itself. */
	if (!signbit(value) && value < 1e15 && value == (double)(uint64_t)value)
		return stpcpy(digits_whole(to, (uint64_t)value), ".0");
	if (!first_digits(fabs(value), &digits, &before))
		return put_printed(to, value);
	if (value < 0)
		*to++ = '-';
	return put_decimal(to, digits, before);
}

/* ---- so many decimals ------------------------------------------------------------------ */

char *digits_fixed(char *to, double value, int decimals)
{
	uint64_t digits, whole;
	char *end;

	/* What is below would be shifted by more than the product has bits. */
	if (signbit(value) || !(value < 1e9) || decimals > 9 || (value > 0 && value < 1e-4))
		return NULL;
	digits = value > 0 ? scaled(value, decimals) : 0;
	whole = digits / powers_of_ten[decimals];
	to = digits_whole(to, whole);
	if (!decimals)
		return to;
	*to++ = '.';
	end = to + decimals;
	memset(to, '0', (size_t)decimals);
	put_before(end, digits - whole * powers_of_ten[decimals]);
	return end;
}
