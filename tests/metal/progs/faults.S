/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores to 1000 pages that it has not touched before, with an argument 1000 times to one:
 * the same instructions, and 999 page faults fewer.
 */
#define PAGES 1000

	.globl	_start
	.text
_start:
	mov	$4096, %edx
	xor	%eax, %eax
	cmpl	$1, (%rsp)
	cmovne	%eax, %edx
	lea	area(%rip), %rdi
	mov	$PAGES, %ecx
1:	movb	$1, (%rdi)
	add	%rdx, %rdi
	dec	%ecx
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall

	.bss
	.balign	4096
area:	.skip	PAGES * 4096
