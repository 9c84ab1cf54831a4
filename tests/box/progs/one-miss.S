/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loop in which one load of three misses the first cache, always: sixteen lines
 * that compete for one set.  Its labels are the addresses that tests ask for.
 * Build: gcc -nostdlib -static -Wl,-z,noseparate-code -DROUNDS=100000
 */
#ifndef ROUNDS
#define ROUNDS 100000
#endif

	.globl	_start, loop, first_hit, miss, second_hit, store, again, finish
	.text
_start:
	lea	lines(%rip), %rdi
	lea	word(%rip), %rsi
	mov	$ROUNDS, %ecx
loop:
	mov	%ecx, %edx
	and	$15, %edx
	shl	$12, %rdx
first_hit:
	mov	(%rsi), %rax
miss:
	mov	(%rdi,%rdx), %rdx
second_hit:
	add	8(%rsi), %rax
store:
	mov	%rax, 16(%rsi)
again:
	dec	%ecx
	jnz	loop
finish:
	mov	$60, %eax
	xor	%edi, %edi
	syscall

	.bss
	.balign	64
word:	.skip	64
	.balign	4096
lines:	.skip	16 * 4096
