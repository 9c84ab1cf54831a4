/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loops of instructions that a Pentium 4 tells apart, each a known number of times;
 * p4-truth.test has the numbers.
 */
	.globl _start
_start:
	fldz
	mov $1001, %ecx			/* x87: 2 a round, and the FLDZ */
1:	fld1
	faddp
	dec %ecx
	jnz 1b
	fstp %st(0)

	lea lines(%rip), %rbx
	mov $1003, %ecx			/* packed single: 2, one of them loads */
1:	addps %xmm1, %xmm0
	mulps (%rbx), %xmm2
	dec %ecx
	jnz 1b

	mov $1007, %ecx			/* scalar double; a load that only moves */
1:	addsd %xmm1, %xmm0
	movsd (%rbx), %xmm3
	dec %ecx
	jnz 1b

	mov $1009, %ecx			/* MMX of either width */
1:	paddb %xmm1, %xmm0
	paddb %mm0, %mm1
	dec %ecx
	jnz 1b
	emms

	mov $1013, %ecx			/* a load and a store of two lines each */
1:	mov 60(%rbx), %rax
	mov %rax, 188(%rbx)
	dec %ecx
	jnz 1b

	mov $1019, %ecx			/* a load around a store, one within another */
1:	movl %eax, 264(%rbx)
	mov 262(%rbx), %rax
	mov %rax, 384(%rbx)
	mov 386(%rbx), %ax
	dec %ecx
	jnz 1b

	lea lines(%rip), %rsi
	lea 4096(%rsi), %rdi
	mov $4000, %ecx
	rep movsb

	mov $60, %eax
	xor %edi, %edi
	syscall

	.bss
	.balign 4096
lines:	.skip 8192
