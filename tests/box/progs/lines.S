/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines HOW N: N times a load, then what becomes of its line: clflush, clflushopt, clwb or
 * none, and a fence; or (stream) a load of each of N lines one after the other.
 * Without a C library, whose 130 lines of beginning miss now and then, too.
 */
	.macro	rounds name, insn:vararg
	.globl	\name
\name:
	mov	(%rsi), %rax
	\insn
	mfence
	dec	%rcx
	jnz	\name
	jmp	finish
	.endm

	.globl	_start
	.text
	.balign	64
_start:
	cmpl	$3, (%rsp)
	jne	refuse
	mov	16(%rsp), %rbx
	mov	24(%rsp), %rdx
	xor	%ecx, %ecx
digit:
	movzbl	(%rdx), %eax
	inc	%rdx
	sub	$'0', %eax
	jb	digits_end
	imul	$10, %rcx, %rcx
	add	%rax, %rcx
	jmp	digit
digits_end:
	test	%rcx, %rcx
	jz	refuse
	lea	line(%rip), %rsi
	mov	(%rbx), %eax
	cmp	$0x656e6f6e, %eax		/* none */
	je	none
	cmp	$0x62776c63, %eax		/* clwb */
	je	clwb
	cmp	$0x65727473, %eax		/* stre */
	je	stream
	cmp	$0x6c666c63, %eax		/* clfl */
	jne	refuse
	cmpb	$0, 7(%rbx)
	je	clflush
	jmp	clflushopt
refuse:
	mov	$2, %edi
	jmp	exit

	rounds	none
	rounds	clflush, clflush (%rsi)
	rounds	clflushopt, clflushopt (%rsi)
	rounds	clwb, clwb (%rsi)

/* Reading takes no memory: all of it is the page of zeros. */
stream:
	mov	%rcx, %r12
	xor	%edi, %edi
	mov	%rcx, %rsi
	shl	$6, %rsi
	mov	$1, %edx			/* PROT_READ */
	mov	$0x4022, %r10d			/* MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE */
	mov	$-1, %r8
	xor	%r9d, %r9d
	mov	$9, %eax
	syscall
	mov	$1, %edi
	cmp	$-4095, %rax
	jae	exit
one_line:
	mov	(%rax), %rdx
	add	$64, %rax
	dec	%r12
	jnz	one_line
finish:
	xor	%edi, %edi
exit:
	mov	$60, %eax
	syscall

	.bss
	.balign	64
line:	.skip	64
