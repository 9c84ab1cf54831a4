/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel of a few bytes: counts a loop with IA32_FIXED_CTR0 and tells
 * isa-debug-exit 21 if that is exact, or 22.  With it QEMU's exit code is 43 or 45.
 */
#define MAGIC 0x1badb002

	.text
	.long MAGIC, 0, -MAGIC		/* in the file's first 8 KB */

	.globl _start
_start:
	mov	$0x38d, %ecx		/* IA32_FIXED_CTR_CTRL: counter 0, ring 0 */
	mov	$1, %eax
	xor	%edx, %edx
	wrmsr
	mov	$0x309, %ecx		/* IA32_FIXED_CTR0 */
	xor	%eax, %eax
	wrmsr
	mov	$0x38f, %ecx		/* IA32_PERF_GLOBAL_CTRL: fixed counter 0 */
	mov	$1, %edx
	wrmsr
	mov	$1000, %ebx
1:	dec	%ebx
	jnz	1b
	xor	%edx, %edx
	wrmsr
	mov	$0x309, %ecx
	rdmsr
	/* One MOV, 1000 times DEC and JNZ, XOR, and the WRMSR that ends it. */
	cmp	$2003, %eax
	mov	$21, %al
	je	2f
	mov	$22, %al
2:	out	%al, $0xf4
	hlt
	jmp	2b
