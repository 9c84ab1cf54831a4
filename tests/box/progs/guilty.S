/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loops of which one instruction is guilty, the one at guilty_*: guilty KIND ROUNDS, KIND by its
 * first letter: multiply (a chain of them, in the way of what does not wait), serialize (a fence),
 * near (a chain of loads that hit), far (one of loads that miss all caches but the last), work (a
 * branch that runs a hundred times as often), pages (jumps, each in a page of its own, of which
 * neither the TLB nor a set of the first cache has room for all), lcp (a prefix that changes an
 * instruction's length), microcode.
 */
#define LINES 65536
#define PAGES 200

	.globl	_start, guilty_multiply, guilty_serialize, guilty_near, guilty_far, guilty_work
	.globl	guilty_pages, guilty_lcp, guilty_microcode
	.text
_start:
	mov	16(%rsp), %rsi		/* KIND */
	mov	24(%rsp), %rdi		/* ROUNDS */
	xor	%ecx, %ecx
digit:
	movzbl	(%rdi), %eax
	test	%eax, %eax
	jz	choose
	imul	$10, %rcx, %rcx
	lea	-48(%rcx,%rax), %rcx
	inc	%rdi
	jmp	digit
choose:
	mov	$3, %eax
	mov	$1, %ebx
	lea	own(%rip), %rdi
	mov	%rdi, (%rdi)
	cmpb	$'s', (%rsi)
	je	serialize
	cmpb	$'n', (%rsi)
	je	near
	cmpb	$'f', (%rsi)
	je	far
	cmpb	$'w', (%rsi)
	je	work
	cmpb	$'p', (%rsi)
	je	pages
	cmpb	$'l', (%rsi)
	je	lcp
	cmpb	$'m', (%rsi)
	jne	finish
	cmpb	$'i', 1(%rsi)
	je	microcode

	.balign	64
multiply:
	add	$1, %r8
	add	$1, %r9
guilty_multiply:
	imul	%rbx, %rax
	add	$1, %r10
	add	$1, %r11
	add	$1, %r12
	dec	%rcx
	jnz	multiply
	jmp	finish

	.balign	64
serialize:
	add	$1, %r8
	add	$1, %r9
guilty_serialize:
	lfence
	add	$1, %r10
	add	$1, %r11
	add	$1, %r12
	dec	%rcx
	jnz	serialize
	jmp	finish

	.balign	64
near:
	add	$1, %r8
guilty_near:
	mov	(%rdi), %rdi
	add	$1, %r9
	add	$1, %r10
	dec	%rcx
	jnz	near
	jmp	finish

	/* A cycle through all lines, in an order that looks random. */
	.balign	64
far:
	lea	lines(%rip), %rdi
	xor	%r8d, %r8d
link:
	imul	$1664525, %r8, %rax
	add	$1013904223, %rax
	and	$LINES - 1, %eax
	shl	$6, %rax
	add	%rdi, %rax
	mov	%r8, %rdx
	shl	$6, %rdx
	mov	%rax, (%rdi,%rdx)
	inc	%r8
	cmp	$LINES, %r8
	jne	link
	.balign	64
1:	add	$1, %r8
guilty_far:
	mov	(%rdi), %rdi
	add	$1, %r9
	add	$1, %r10
	dec	%rcx
	jnz	1b
	jmp	finish

	.balign	64
lcp:
	add	$1, %r8
	add	$1, %r9
guilty_lcp:
	add	$0x1234, %ax
	add	$1, %r10
	dec	%rcx
	jnz	lcp
	jmp	finish

	.balign	64
microcode:
	add	$1, %r8
	mov	%rcx, %r11
	xor	%eax, %eax
	add	$1, %r9
guilty_microcode:
	cpuid
	add	$1, %r10
	mov	%r11, %rcx
	dec	%rcx
	jnz	microcode
	jmp	finish

	.balign	64
work:
	mov	$50, %ebx
	add	$1, %r8
	add	$1, %r9
guilty_work:
	jmp	1f
1:	jmp	1f
1:	dec	%ebx
	jnz	guilty_work
	dec	%rcx
	jnz	work
	jmp	finish

	.balign	64
pages:
	add	$1, %r8
	add	$1, %r9
	add	$1, %r10
	jmp	guilty_pages
back:
	dec	%rcx
	jnz	pages
finish:
	mov	$60, %eax
	xor	%edi, %edi
	syscall

	/* What fills a page is no part of the function that jumps. */
	.macro	page
guilty_page\@:
	jmp	. + 4096
fill\@:
	.balign	4096
	.endm
	.balign	4096
guilty_pages:
	.rept	PAGES
	page
	.endr
	jmp	back

	.bss
	.balign	64
own:	.skip	64
	.balign	4096
lines:	.skip	LINES * 64
