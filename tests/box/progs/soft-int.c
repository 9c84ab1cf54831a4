// SPDX-License-Identifier: GPL-2.0-only
/*
 * soft-int TIMES: goes into the kernel by interrupts that it raises itself, behind which
 * a record of PEBS stands at the kernel's own address.
 */
#include <stdlib.h>

#define GETPID_32 20

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;

	while (n-- > 0) {
		long nr = GETPID_32;

		__asm__ volatile("int $0x80" : "+a"(nr) : : "r8", "r9", "r10", "r11", "memory");
		if (nr <= 0)
			return 1;
	}
	return 0;
}
