// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Replaces the kernel by one of a few bytes, which makes a mark and switches
 * the machine off: what the mark shows is what a kernel hands over.
 *
 *   kexec-mark LABEL
 */
#include <errno.h>
#include <linux/kexec.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Anywhere in memory that the machine has and no firmware uses. */
#define PLACE 0x1000000
#define PAGE 4096

/* Its only CPU is in 64-bit mode, with memory mapped as it is. */
static unsigned char kernel[] = {
	0xb8, 0x42, 0x55, 0x4d, 0x50,		/* mov $"PMUB", %eax */
	0xb9, 0x01, 0x00, 0x00, 0x00,		/* mov $1, %ecx: mark */
	0xbb, 0x00, 0x00, 0x00, 0x00,		/* mov $label, %ebx */
	0x0f, 0xa2,				/* cpuid */
	0x66, 0xba, 0x04, 0x06,			/* mov $0x604, %dx: PM1a_CNT */
	0x66, 0xb8, 0x00, 0x20,			/* mov $0x2000, %ax: soft off */
	0x66, 0xef,				/* out %ax, %dx */
	0xf4, 0xeb, 0xfd,			/* hlt, for ever */
};

int main(int argc, char **argv)
{
	struct kexec_segment segment = {
		.buf = kernel, .bufsz = sizeof(kernel), .mem = (void *)PLACE, .memsz = PAGE,
	};
	uint32_t label = argc == 2 ? strtoul(argv[1], NULL, 0) : 0;

	memcpy(&kernel[11], &label, sizeof(label));
	if (syscall(SYS_kexec_load, PLACE, 1, &segment, KEXEC_ARCH_DEFAULT)) {
		fprintf(stderr, "kexec-mark: kexec_load: %s\n", strerror(errno));
		return 1;
	}
	reboot(RB_KEXEC);
	fprintf(stderr, "kexec-mark: the kernel stayed: %s\n", strerror(errno));
	return 1;
}
