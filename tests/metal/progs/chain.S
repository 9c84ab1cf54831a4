/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A round of four branches in one order, ROUNDS times: b_N leads to t_N, and nowhere else.
 * With an argument it gives up the CPU every 16 rounds, by b_yield.  Linked twice, to two
 * places, so that an address says whose it is.
 */
#ifndef ROUNDS
#define ROUNDS 20000
#endif

	.globl	_start, b_1, b_2, b_3, b_4, t_1, t_2, t_3, t_4, b_yield, b_none, b_back, b_stays
	.text
_start:
	mov	(%rsp), %r14
	mov	$ROUNDS, %ebx
t_4:
	.rept	12
	nop
	.endr
b_1:	jmp	t_1
	nop
t_1:
	.rept	7
	nop
	.endr
b_2:	call	t_2
t_3:
	.rept	5
	nop
	.endr
	test	$15, %ebx
b_none:	jz	yield
again:	dec	%ebx
b_4:	jnz	t_4
	mov	$60, %eax
	xor	%edi, %edi
	syscall

t_2:
	.rept	9
	nop
	.endr
b_3:	ret

yield:
	cmp	$1, %r14
b_stays:
	je	again
	mov	$24, %eax		/* sched_yield */
b_yield:
	syscall
b_back:	jmp	again
