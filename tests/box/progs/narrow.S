/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program of 32 bits: in leaf, which middle called, which _start called, none with a frame.
 */
	.code32
	.globl _start, middle, leaf
	.type _start, @function
	.type middle, @function
	.type leaf, @function
	.text
_start:
	.cfi_startproc
	.cfi_undefined eip
	push	$0
	.cfi_adjust_cfa_offset 4
	call	middle
	mov	$1, %eax		/* exit(0) */
	xor	%ebx, %ebx
	int	$0x80
	.cfi_endproc
	.size _start, . - _start
middle:
	.cfi_startproc
	sub	$60, %esp
	.cfi_adjust_cfa_offset 60
	call	leaf
	add	$60, %esp
	.cfi_adjust_cfa_offset -60
	ret
	.cfi_endproc
	.size middle, . - middle
leaf:
	.cfi_startproc
	mov	$1000000, %ecx
1:	dec	%ecx
	jnz	1b
	ret
	.cfi_endproc
	.size leaf, . - leaf
	.section .note.GNU-stack, "", @progbits
