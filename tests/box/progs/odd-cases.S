/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that are hard to count, each case a function with the number of
 * instructions and branches that it retires, its RET left out.
 *
 * Registers: rdi a page of zeros that was written, rsi one never touched, rdx
 * one with a page behind it that was never touched, rcx one that may be executed.
 */
	.intel_syntax noprefix

	.macro begin name
	.text
	.p2align 4
case_\name:
	.endm

	.macro end name insns branches
	ret
	.section .rodata
name_\name:
	.asciz "\name"
	.data
	.quad name_\name, case_\name, \insns, \branches
	.endm

	.data
	.globl cases
	.p2align 3
cases:

begin	nothing
end	nothing, 0, 0

begin	nops
	.rept 10
	nop
	.endr
end	nops, 10, 0

begin	jumps
	jmp 1f			# short
1:	xor eax, eax
	jz 2f
	ud2
2:	jnz 3f			# not taken
3:	.byte 0xe9		# near
	.long 0
	lea rax, [rip + 4f]
	jmp rax
4:	call 5f
5:	add rsp, 8
	lea rax, [rip + 6f]
	call rax
6:	add rsp, 8
	call nearby
end	jumps, 14, 9

begin	loops
	mov ecx, 5
1:	loop 1b
	jrcxz 2f
	ud2
2:	inc ecx
	jrcxz 3f
3:
end	loops, 9, 7

begin	syscall
	mov eax, 110		# getppid
	syscall
end	syscall, 2, 1

begin	cpuid
	push rbx
	xor eax, eax
	cpuid
	pop rbx
end	cpuid, 4, 0

begin	clocks
	rdtsc
	pause
	lfence
end	clocks, 3, 0

begin	x87
	fld1
	fsin
	fldpi
	fmulp
	fstp qword ptr [rdi]
end	x87, 5, 0

begin	fxsave
	fxsave [rdi]
	fxrstor [rdi]
end	fxsave, 2, 0

begin	locked
	lock add qword ptr [rdi], 1
	lock xadd [rdi], rax
	xchg [rdi], rax
	lock bts qword ptr [rdi], 3
	lock not qword ptr [rdi]
	lock inc dword ptr [rdi]
end	locked, 6, 0

begin	locked_across_lines
	lock add qword ptr [rdi + 60], 1
	lock xadd [rdi + 124], rax
end	locked_across_lines, 2, 0

begin	locked_across_pages
	mov qword ptr [rdx + 4096], 0
	lock add qword ptr [rdx + 4092], 1
end	locked_across_pages, 2, 0

begin	cmpxchg16b
	push rbx
	xor eax, eax
	xor edx, edx
	xor ebx, ebx
	xor ecx, ecx
	lock cmpxchg16b [rdi]
	cmpxchg16b [rdi]
	pop rbx
end	cmpxchg16b, 8, 0

/* An addend in front of it that would be TF, NT and AC must not become the flags. */
begin	cmpxchg_flags
	.irp	insn, cmpxchg8b, cmpxchg16b
	pushf
	popf
	mov eax, 0x44100
	add r8, rax
	lock \insn [rdi]
	pushf
	pop rax
	test eax, 0x44100
	jz 1f
	ud2
1:
	.endr
end	cmpxchg_flags, 18, 2

begin	fault_load
	mov rax, [rsi]
end	fault_load, 1, 0

begin	fault_store_second_page
	mov [rdx + 4092], rax
end	fault_store_second_page, 1, 0

begin	fault_read_modify_write
	add qword ptr [rsi], 1
end	fault_read_modify_write, 1, 0

begin	fault_pop
	push rax
	pop qword ptr [rsi]
end	fault_pop, 2, 0

begin	fault_movs
	mov rax, rdi
	mov rdi, rsi
	mov rsi, rax
	movsq
end	fault_movs, 4, 0

begin	rep_stos_over_faults
	mov rdi, rsi
	mov ecx, 5000
	rep stosb
end	rep_stos_over_faults, 3, 0

begin	rep_movs
	lea rsi, [rdi + 64]
	mov ecx, 64
	rep movsq
end	rep_movs, 3, 0

begin	rep_nothing
	xor ecx, ecx
	rep movsb
	repne scasb
end	rep_nothing, 3, 0

begin	repe_cmps
	mov rsi, rdi
	mov ecx, 100
	repe cmpsb
end	repe_cmps, 3, 0

begin	repne_scas
	mov eax, 1
	mov ecx, 100
	mov qword ptr [rdi], 0
	mov byte ptr [rdi + 7], 1
	repne scasb
end	repne_scas, 5, 0

begin	fault_fetch
	call far_away
end	fault_fetch, 2, 2

begin	move_to_ss
	mov eax, ss
	mov ss, eax
	nop
end	move_to_ss, 3, 0

begin	far_return
	mov eax, cs
	push rax
	lea rax, [rip + 1f]
	push rax
	.byte 0x48, 0xcb	# retfq
1:
end	far_return, 5, 1

begin	iret
	mov eax, ss
	push rax
	lea rax, [rsp + 8]
	push rax
	pushfq
	mov eax, cs
	push rax
	lea rax, [rip + 1f]
	push rax
	iretq
1:
end	iret, 10, 1

/*
 * From here on signals: the handler that skips two bytes retires 4 instructions
 * and 2 branches with the C library's return, the other one 3 and 2.
 */
begin	ud2
	ud2
end	ud2, 4, 2

begin	ud2_behind_nops
	nop
	nop
	ud2
	nop
end	ud2_behind_nops, 7, 2

begin	divide_by_zero
	xor ecx, ecx
	div ecx
end	divide_by_zero, 5, 2

begin	privileged
	mov r8d, 1
	hlt
	nop
end	privileged, 5, 2

begin	read_counter_refused
	xor ecx, ecx
	rdpmc
end	read_counter_refused, 5, 2

begin	int_refused
	int 0x50
end	int_refused, 4, 2

begin	int3
	int3
end	int3, 4, 3

begin	single_step
	pushfq
	or qword ptr [rsp], 0x100
	popfq
	nop			# traps, as do the four behind it
	jmp 1f
1:	pushfq
	and qword ptr [rsp], ~0x100
	popfq
end	single_step, 23, 11

begin	self_modifying
	mov byte ptr [rcx], 0x90		# nop, nop, ret
	mov word ptr [rcx + 1], 0xc390
	call rcx
	mov byte ptr [rcx + 1], 0xc3		# nop, ret
	call rcx
end	self_modifying, 10, 4

/* An instruction that overwrites the one behind it. */
begin	self_modifying_at_once
	mov dword ptr [rcx], 0x900441c6		# mov byte ptr [rcx + 4], 0x90
	mov dword ptr [rcx + 4], 0xc3c3		# ret, which becomes nop; ret
	call rcx
end	self_modifying_at_once, 6, 2

	.data
	.quad 0, 0, 0, 0

	.text
nearby:
	ret

/* Signal handlers; RIP is at 168 in the context, the third argument. */
	.globl skip_two, stay
skip_two:
	add qword ptr [rdx + 168], 2
	ret

stay:
	ret

/* A page of its own, which nobody has run before the case does. */
	.p2align 12
far_away:
	ret
	.p2align 12

	.section .note.GNU-stack, "", @progbits
