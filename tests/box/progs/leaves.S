/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions with frame pointers that call some without: _start calls outer, that each by_NAME, and
 * that NAME, in which the time goes.  At the top of the stack of those that lie stands where a call
 * of the same function returned to before.
 */
#define ROUNDS 1000000

	.text
	.globl _start

/* One function that is called by another one. */
.macro function name
	.globl \name
	.type \name, @function
\name:
.endm
.macro ends name
	.size \name, . - \name
.endm
.macro work
	mov	$ROUNDS, %ecx
1:	dec	%ecx
	jnz	1b
.endm
.macro caller name
function by_\name
	push	%rbp
	mov	%rsp, %rbp
	sub	$32, %rsp
	call	\name
	leave
	ret
ends by_\name
.endm

function bare			/* needs no stack at all */
	work
	ret
ends bare

function framed			/* its frame is set; what is below is its own */
	push	%rbp
	mov	%rsp, %rbp
	lea	.Lback_framed(%rip), %rax
	push	%rax
	work
	leave
	ret
ends framed

function moved			/* no frame, and yet its stack has moved */
	sub	$24, %rsp
	lea	.Lback_moved(%rip), %rax
	mov	%rax, (%rsp)
	work
	add	$24, %rsp
	ret
ends moved

function tail			/* whoever called by_tail's callee did not call this */
	work
	ret
ends tail

function jumps			/* leads to tail, as a compiler makes of a last call */
	jmp	tail
ends jumps

function short			/* mostly its first and last instructions */
	push	%rbp
	mov	%rsp, %rbp
	pop	%rbp
	ret
ends short

caller	bare
caller	framed
caller	moved

function by_pointer
	push	%rbp
	mov	%rsp, %rbp
	lea	bare(%rip), %rax
	call	*%rax
	pop	%rbp
	ret
ends by_pointer

function by_tail
	push	%rbp
	mov	%rsp, %rbp
	call	jumps
	pop	%rbp
	ret
ends by_tail

function by_short
	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	push	%rbx
	mov	$300000, %ebx
1:	call	short
	dec	%ebx
	jnz	1b
	pop	%rbx
	pop	%rbx
	pop	%rbp
	ret
ends by_short

/* Is never called; the calls in it are what the lies are. */
function other
	call	framed
.Lback_framed:
	call	moved
.Lback_moved:
	ret
ends other

function outer
	push	%rbp
	mov	%rsp, %rbp
	call	by_bare
	call	by_framed
	call	by_moved
	call	by_pointer
	call	by_tail
	call	by_short
	pop	%rbp
	ret
ends outer

function _start
	xor	%ebp, %ebp
	call	outer
	xor	%edi, %edi
	mov	$231, %eax		/* exit_group(0) */
	syscall
ends _start
	.section .note.GNU-stack, "", @progbits
