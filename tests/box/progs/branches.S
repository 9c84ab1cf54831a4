/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Branches whose order is known: rounds of a loop in which each kind happens once,
 * and one conditional that nobody can predict.  The symbols name where branches
 * are (b_) and lead (t_); tests/perf-branches.check knows them by these names.
 * Built with frame pointers in the calls, for stacks: main, outer, inner.
 */
	.text
	.globl	_start
_start:
	xor	%ebp, %ebp
	mov	(%rsp), %rax
	mov	$15000, %ebx		/* rounds; fewer system calls than that: */
	cmp	$1, %rax
	je	1f
	mov	$1000, %ebx
1:	mov	%rax, %r14
	mov	$0x2545f491, %r12d	/* a Galois LFSR */
	lea	t_indirect(%rip), %r13
t_round:
b_call:	call	outer
t_back:
b_jump:	jmp	t_jump
	nop
t_jump:
b_indirect:
	jmp	*%r13
	nop
t_indirect:
	shr	$1, %r12d
b_random:
	jnc	t_random
	xor	$0xa3000000, %r12d
t_random:
	cmp	$1, %r14
b_never:
	jne	t_call			/* with an argument: a system call a round */
t_next:
	dec	%ebx
b_loop:	jnz	t_round
	mov	$60, %eax
	xor	%edi, %edi
	syscall
t_call:
	mov	$110, %eax		/* getppid */
b_syscall:
	syscall
t_syscall:
b_join:	jmp	t_next

	.type	outer, @function
outer:
	push	%rbp
	mov	%rsp, %rbp
	lea	inner(%rip), %rax
b_icall:
	call	*%rax
t_inner_back:
	pop	%rbp
b_ret_outer:
	ret
	.size	outer, . - outer

	.type	inner, @function
inner:
	push	%rbp
	mov	%rsp, %rbp
	.rept	20
	nop
	.endr
	pop	%rbp
b_ret_inner:
	ret
	.size	inner, . - inner
