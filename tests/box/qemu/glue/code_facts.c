// SPDX-License-Identifier: GPL-2.0-only
/*
 * Uops and execution units of instructions that are not one plain uop, roughly as
 * Intel's cores since Sandy Bridge have them, and rounds of those in microcode.
 */
#include <stddef.h>
#include <string.h>
#include "code_facts.h"

#define MICRO PMU_CODE_MICROCODE
#define SERIAL PMU_CODE_SERIALIZING
#define FUSES PMU_CODE_FUSES

static const struct code_fact facts[] = {
	/* Integer. */
	{ PMU_CODE_ALU, 1, 1, FUSES, "cmp test add sub and inc dec" },
	{ PMU_CODE_MUL, 1, 1, 0, "popcnt lzcnt tzcnt bsf bsr crc32 pdep pext" },
	{ PMU_CODE_MUL, 2, 2, 0, "mul mulx" },
	{ PMU_CODE_MUL, 1, 1, 0, "imul" },
	/* 36 of 64 bits before Ice Lake, 4 since then. */
	{ PMU_CODE_DIV, 10, 10, MICRO, "div idiv" },
	{ PMU_CODE_LEA, 1, 1, 0, "lea" },
	{ PMU_CODE_NOP, 1, 1, 0, "nop fnop endbr64 endbr32 prefetch prefetchw prefetchnta"
		" prefetcht0 prefetcht1 prefetcht2" },
	{ PMU_CODE_ALU, 3, 4, 0, "xchg xadd" },
	{ PMU_CODE_ALU, 5, 6, MICRO, "cmpxchg" },
	{ PMU_CODE_ALU, 14, 14, MICRO, "cmpxchg8b" },
	{ PMU_CODE_ALU, 22, 22, MICRO, "cmpxchg16b" },
	{ PMU_CODE_ALU, 2, 2, 0, "bswap cmovbe cmovnbe cwd cqo setbe setnbe" },
	{ PMU_CODE_SHIFT, 8, 10, MICRO, "rcl rcr" },
	{ PMU_CODE_ALU, 1, 2, 0, "bt btc btr bts" },
	{ PMU_CODE_ALU, 3, 3, 0, "cld std lahf sahf xlat leave" },
	{ PMU_CODE_ALU, 4, 4, 0, "pushf pushfd pushfq" },
	{ PMU_CODE_ALU, 9, 9, MICRO, "popf popfd popfq" },
	{ PMU_CODE_ALU, 12, 12, MICRO, "enter pusha pushad popa popad aaa aad aam aas daa das" },
	{ PMU_CODE_ALU, 9, 9, MICRO, "bound lar lsl verr" },

	/* Branches: what they are is known by their category. */
	{ PMU_CODE_ALU, 7, 7, MICRO, "loop loope loopne" },
	{ PMU_CODE_ALU, 2, 2, 0, "jcxz jecxz jrcxz" },

	/* The system's. */
	{ PMU_CODE_SYSTEM, 28, 28, MICRO | SERIAL, "cpuid" },
	{ PMU_CODE_SYSTEM, 20, 20, MICRO, "rdtsc rdtscp rdpid" },
	{ PMU_CODE_SYSTEM, 35, 35, MICRO, "rdpmc" },
	{ PMU_CODE_SYSTEM, 16, 16, MICRO, "rdrand rdseed" },
	{ PMU_CODE_SYSTEM, 80, 80, MICRO, "rdmsr" },
	{ PMU_CODE_SYSTEM, 120, 120, MICRO | SERIAL, "wrmsr" },
	{ PMU_CODE_FAR, 30, 30, MICRO, "syscall sysenter sysret sysexit" },
	{ PMU_CODE_SYSTEM, 6, 6, MICRO, "swapgs" },
	{ PMU_CODE_FAR, 60, 60, MICRO | SERIAL, "iret iretd iretq rsm" },
	{ PMU_CODE_FAR, 60, 60, MICRO, "int int1 int3 into" },
	{ PMU_CODE_SYSTEM, 50, 50, MICRO, "in out" },
	{ PMU_CODE_SYSTEM, 10, 10, MICRO, "hlt" },
	{ PMU_CODE_SYSTEM, 6, 6, MICRO, "cli sti clac stac" },
	{ PMU_CODE_SYSTEM, 30, 30, MICRO | SERIAL, "invlpg invpcid lgdt lidt lldt ltr lmsw wbinvd"
		" invd serialize xsetbv" },
	{ PMU_CODE_SYSTEM, 10, 10, MICRO, "sgdt sidt sldt str smsw clts rdfsbase rdgsbase xgetbv"
		" wrpkru rdpkru" },
	{ PMU_CODE_SYSTEM, 10, 10, MICRO, "wrfsbase wrgsbase verw lfs lgs lss lds les" },
	{ PMU_CODE_SYSTEM, 100, 100, MICRO, "xsave xsavec xsaveopt xsaves xrstor xrstors fxsave"
		" fxsave64 fxrstor fxrstor64 xsave64 xsavec64 xsaveopt64 xsaves64 xrstor64"
		" xrstors64" },
	{ PMU_CODE_SYSTEM, 4, 4, 0, "clflush clflushopt clwb" },
	{ PMU_CODE_SYSTEM, 4, 4, 0, "pause" },
	{ PMU_CODE_SYSTEM, 2, 2, SERIAL, "lfence" },
	{ PMU_CODE_SYSTEM, 4, 4, SERIAL, "mfence" },
	{ PMU_CODE_SYSTEM, 2, 2, 0, "sfence" },

	/* x87. */
	{ PMU_CODE_FP_ADD, 1, 1, 0, "fadd faddp fsub fsubp fsubr fsubrp fcom fcomp fucom fucomp"
		" fcompp fucompp ftst" },
	{ PMU_CODE_X87, 3, 3, 0, "fiadd fisub fisubr ficom ficomp fcomi fcomip fucomi fucomip"
		" fcmovb fcmovbe fcmove fcmovnb fcmovnbe fcmovne fcmovnu fcmovu fist fistp fisttp" },
	{ PMU_CODE_FP_MUL, 1, 1, 0, "fmul fmulp fimul" },
	{ PMU_CODE_FP_DIV, 1, 1, 0, "fdiv fdivp fdivr fdivrp fidiv fidivr" },
	{ PMU_CODE_SQRT, 1, 1, 0, "fsqrt" },
	{ PMU_CODE_X87, 2, 2, 0, "fldcw fnstcw fstcw fnstsw fstsw fldpi fldl2e fldl2t fldlg2"
		" fldln2 fxam" },
	{ PMU_CODE_X87, 70, 70, MICRO, "fsin fcos fsincos fptan fpatan f2xm1 fyl2x fyl2xp1" },
	{ PMU_CODE_X87, 28, 28, MICRO, "fprem fprem1 fscale frndint fxtract" },
	{ PMU_CODE_X87, 100, 100, MICRO, "fbld fbstp fnsave fsave frstor fldenv fnstenv fninit"
		" fnclex emms" },

	/* SSE and AVX; what is not here is one uop that works on integers. */
	{ PMU_CODE_FP_ADD, 1, 1, 0, "addss addsd subss subsd maxss maxsd minss minsd" },
	{ PMU_CODE_FP_ADD, 1, 1, 0, "addps addpd subps subpd addsubps addsubpd maxps maxpd"
		" minps minpd" },
	{ PMU_CODE_FP_ADD, 1, 1, 0, "cmpps cmppd cmpss cmpsd cvtdq2ps cvtps2dq cvttps2dq" },
	{ PMU_CODE_FP_ADD, 2, 2, 0, "comiss comisd ucomiss ucomisd cvtsi2sd cvtsi2ss cvtsd2si"
		" cvttsd2si cvtss2si cvttss2si cvtsd2ss cvtss2sd cvtpd2ps cvtps2pd cvtdq2pd cvtpd2dq"
		" cvttpd2dq roundps roundpd roundss roundsd" },
	{ PMU_CODE_FP_ADD, 3, 4, 0, "haddps haddpd hsubps hsubpd" },
	{ PMU_CODE_FP_MUL, 1, 1, 0, "mulss mulsd rcpss rsqrtss" },
	{ PMU_CODE_FP_MUL, 1, 1, 0, "mulps mulpd rcpps rsqrtps" },
	{ PMU_CODE_FP_MUL, 4, 6, 0, "dpps dppd" },
	{ PMU_CODE_FP_DIV, 1, 1, 0, "divss divsd" },
	{ PMU_CODE_FP_DIV, 1, 1, 0, "divps divpd" },
	{ PMU_CODE_SQRT, 1, 1, 0, "sqrtss sqrtsd" },
	{ PMU_CODE_SQRT, 1, 1, 0, "sqrtps sqrtpd" },
	{ PMU_CODE_FP_FMA, 1, 1, 0, "fmadd132sd fmadd213sd fmadd231sd fmadd132ss fmadd213ss"
		" fmadd231ss fmsub132sd fmsub213sd fmsub231sd fmsub132ss fmsub213ss fmsub231ss"
		" fnmadd132sd fnmadd213sd fnmadd231sd fnmadd132ss fnmadd213ss fnmadd231ss"
		" fnmsub132sd fnmsub213sd fnmsub231sd fnmsub132ss fnmsub213ss fnmsub231ss" },
	{ PMU_CODE_FP_FMA, 1, 1, 0, "fmadd132pd fmadd213pd fmadd231pd fmadd132ps fmadd213ps"
		" fmadd231ps fmsub132pd fmsub213pd fmsub231pd fmsub132ps fmsub213ps fmsub231ps"
		" fnmadd132pd fnmadd213pd fnmadd231pd fnmadd132ps fnmadd213ps fnmadd231ps"
		" fnmsub132pd fnmsub213pd fnmsub231pd fnmsub132ps fnmsub213ps fnmsub231ps" },
	{ PMU_CODE_VEC_MUL, 1, 1, 0, "pmullw pmulhw pmulhuw pmuludq pmuldq pmaddwd pmaddubsw"
		" pmulhrsw psadbw pclmulqdq aesenc aesenclast aesdec aesdeclast" },
	{ PMU_CODE_VEC_MUL, 2, 2, 0, "pmulld aesimc" },
	{ PMU_CODE_TO_VEC, 1, 1, 0, "movd movmskps movmskpd pmovmskb" },
	{ PMU_CODE_SHUFFLE, 1, 1, 0, "pshufb pshufd pshufhw pshuflw shufps shufpd unpcklps unpckhps"
		" unpcklpd unpckhpd punpcklbw punpcklwd punpckldq punpcklqdq punpckhbw punpckhwd"
		" punpckhdq punpckhqdq palignr packsswb packssdw packuswb packusdw pslldq psrldq"
		" permps permd permq permpd perm2f128 perm2i128 broadcastss broadcastsd insertps"
		" pmovzxbw pmovzxwd pmovzxdq pmovsxbw pmovsxwd pmovsxdq extractf128 extracti128" },
	{ PMU_CODE_SHUFFLE, 2, 2, 0, "pinsrb pinsrw pinsrd pinsrq pextrb pextrw pextrd pextrq"
		" extractps ptest pblendvb blendvps blendvpd" },
	{ PMU_CODE_SHUFFLE, 3, 4, 0, "phaddw phaddd phaddsw phsubw phsubd phsubsw mpsadbw" },
	{ PMU_CODE_SHUFFLE, 8, 8, MICRO, "pcmpestri pcmpestrm pcmpistri pcmpistrm" },
	{ PMU_CODE_VEC_ALU, 10, 10, MICRO, "maskmovdqu maskmovq zeroall" },
	{ PMU_CODE_VEC_ALU, 4, 4, 0, "zeroupper" },
	{ PMU_CODE_VEC_ALU, 20, 20, MICRO, "gatherdps gatherdpd gatherqps gatherqpd pgatherdd pgatherdq"
		" pgatherqd pgatherqq" },
};

static bool is_word_of(const char *names, const char *name)
{
	size_t length = strlen(name);
	const char *at = names;

	while ((at = strstr(at, name))) {
		bool begins = at == names || at[-1] == ' ';

		if (begins && (at[length] == ' ' || !at[length]))
			return true;
		at++;
	}
	return false;
}

static const struct code_fact *find(const char *name)
{
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (is_word_of(facts[i].names, name))
			return &facts[i];
	return NULL;
}

const struct code_fact *code_fact_find(const char *name)
{
	const struct code_fact *fact = find(name);

	return fact || *name != 'v' ? fact : find(name + 1);
}
