// SPDX-License-Identifier: GPL-2.0-only
/*
 * Describes instructions by their bytes: uops, what executes them, which registers
 * they need and make.  Descriptions are kept for ever, each once.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <Zydis/Zydis.h>
#include "code.h"
#include "code_counts.h"
#include "code_facts.h"

#define VECTORS UINT64_C(0xffff0000)
#define BIT(n) (UINT64_C(1) << (n))
#define LOCK_UOPS 6
#define MEMORY (PMU_CODE_LOADS | PMU_CODE_STORES)
#define REPEATED (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)

struct insn {
	ZydisDecodedInstruction all;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

/* --- registers --- */

static uint64_t reg_mask(ZydisRegister reg)
{
	unsigned int id = (unsigned int)ZydisRegisterGetId(reg);

	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		reg = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
		return BIT((unsigned int)ZydisRegisterGetId(reg) & 15);
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM:
		return BIT(PMU_REG_VECTOR + (id & 15));
	case ZYDIS_REGCLASS_X87:
	case ZYDIS_REGCLASS_MMX:
		return BIT(PMU_REG_X87);
	case ZYDIS_REGCLASS_FLAGS:
		return BIT(PMU_REG_FLAGS);
	case ZYDIS_REGCLASS_MASK:
	case ZYDIS_REGCLASS_BOUND:
		return BIT(PMU_REG_OTHER);
	default:
		return 0;
	}
}

/* A write of 8 or 16 bits leaves the rest of its register as it was. */
static bool merges(ZydisRegister reg)
{
	ZydisRegisterClass class = ZydisRegisterGetClass(reg);

	return class == ZYDIS_REGCLASS_GPR8 || class == ZYDIS_REGCLASS_GPR16;
}

static void add_register(struct pmu_code *code, const ZydisDecodedOperand *op)
{
	uint64_t mask = reg_mask(op->reg.value);
	bool partial = op->actions & ZYDIS_OPERAND_ACTION_CONDWRITE;

	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) {
		code->writes |= mask;
		partial |= merges(op->reg.value);
	} else {
		partial = false;
	}
	if (partial || (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ))
		code->reads |= mask;
}

static void add_memory(struct pmu_code *code, const ZydisDecodedOperand *op)
{
	uint64_t mask = reg_mask(op->mem.base) | reg_mask(op->mem.index);

	if (op->mem.type == ZYDIS_MEMOP_TYPE_AGEN || op->mem.type == ZYDIS_MEMOP_TYPE_MIB) {
		code->reads |= mask;
		return;
	}
	code->address_regs |= mask;
	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		code->flags |= PMU_CODE_LOADS;
	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		code->flags |= PMU_CODE_STORES;
}

static bool uses_stack(const ZydisDecodedInstruction *all)
{
	switch (all->meta.category) {
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
		return true;
	default:
		return false;
	}
}

/* Where the stack is the front end keeps track of. */
static bool is_stack_engine(const struct insn *insn, const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	       reg_mask(op->reg.value) == reg_mask(ZYDIS_REGISTER_RSP) && uses_stack(&insn->all);
}

static void add_operands(struct pmu_code *code, const struct insn *insn)
{
	for (unsigned int i = 0; i < insn->all.operand_count; i++) {
		const ZydisDecodedOperand *op = &insn->operand[i];

		if (op->type == ZYDIS_OPERAND_TYPE_MEMORY)
			add_memory(code, op);
		else if (op->type == ZYDIS_OPERAND_TYPE_REGISTER && !is_stack_engine(insn, op))
			add_register(code, op);
	}
	/* INC and DEC leave the carry alone; cores rename it apart. */
	if (!insn->all.cpu_flags || !insn->all.cpu_flags->tested)
		code->reads &= ~BIT(PMU_REG_FLAGS);
}

/* --- kinds --- */

static bool is_same_register(const struct insn *insn, unsigned int a, unsigned int b)
{
	const ZydisDecodedOperand *op = insn->operand;

	return insn->all.operand_count_visible > b && op[a].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       op[b].type == ZYDIS_OPERAND_TYPE_REGISTER && op[a].reg.value == op[b].reg.value;
}

/* The result is zero whatever the registers hold. */
static bool is_zeroing(const struct insn *insn)
{
	bool three = insn->all.operand_count_visible == 3;

	switch (insn->all.mnemonic) {
	case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_SUB:
		return is_same_register(insn, 0, 1) && insn->operand[0].size >= 32;
	case ZYDIS_MNEMONIC_PXOR:
	case ZYDIS_MNEMONIC_XORPS:
	case ZYDIS_MNEMONIC_XORPD:
	case ZYDIS_MNEMONIC_PSUBB:
	case ZYDIS_MNEMONIC_PSUBW:
	case ZYDIS_MNEMONIC_PSUBD:
	case ZYDIS_MNEMONIC_PSUBQ:
	case ZYDIS_MNEMONIC_PCMPGTB:
	case ZYDIS_MNEMONIC_PCMPGTW:
	case ZYDIS_MNEMONIC_PCMPGTD:
		return is_same_register(insn, 0, 1);
	case ZYDIS_MNEMONIC_VPXOR:
	case ZYDIS_MNEMONIC_VXORPS:
	case ZYDIS_MNEMONIC_VXORPD:
		return three && is_same_register(insn, 1, 2);
	default:
		return false;
	}
}

/* MOVSS and MOVSD of registers leave the upper part alone. */
static bool is_part_move(const struct insn *insn)
{
	return (insn->all.mnemonic == ZYDIS_MNEMONIC_MOVSD ||
		insn->all.mnemonic == ZYDIS_MNEMONIC_MOVSS) &&
	       insn->operand[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       insn->operand[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
}

/* A register that another one becomes the name of. */
static bool is_move_between_registers(const struct insn *insn)
{
	const ZydisDecodedOperand *op = insn->operand;

	return insn->all.meta.category == ZYDIS_CATEGORY_DATAXFER && !is_part_move(insn) &&
	       insn->all.operand_count_visible == 2 && op[0].size >= 32 &&
	       op[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       op[1].type == ZYDIS_OPERAND_TYPE_REGISTER && op[0].size == op[1].size &&
	       ZydisRegisterGetClass(op[0].reg.value) == ZydisRegisterGetClass(op[1].reg.value);
}

static bool is_vector(const struct insn *insn)
{
	for (unsigned int i = 0; i < insn->all.operand_count_visible; i++) {
		const ZydisDecodedOperand *op = &insn->operand[i];

		if (op->type == ZYDIS_OPERAND_TYPE_REGISTER && (reg_mask(op->reg.value) & VECTORS))
			return true;
	}
	return false;
}

static bool is_indirect(const struct insn *insn)
{
	return insn->operand[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

static bool is_far(const struct insn *insn)
{
	return insn->all.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
}

static bool is_near_return(const struct insn *insn)
{
	return insn->all.mnemonic == ZYDIS_MNEMONIC_RET && !is_far(insn);
}

/* Control, debug and segment registers. */
static bool is_system_move(const struct insn *insn)
{
	for (unsigned int i = 0; i < insn->all.operand_count_visible; i++) {
		const ZydisDecodedOperand *op = &insn->operand[i];
		ZydisRegisterClass class = op->type == ZYDIS_OPERAND_TYPE_REGISTER ?
					   ZydisRegisterGetClass(op->reg.value) :
					   ZYDIS_REGCLASS_INVALID;

		if (class == ZYDIS_REGCLASS_CONTROL || class == ZYDIS_REGCLASS_DEBUG ||
		    class == ZYDIS_REGCLASS_SEGMENT)
			return true;
	}
	return false;
}

/* What its category says of an instruction; -1: nothing. */
static int kind_of_category(const struct insn *insn)
{
	switch (insn->all.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return PMU_CODE_JCC;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return is_far(insn) ? PMU_CODE_FAR :
		       is_indirect(insn) ? PMU_CODE_INDIRECT : PMU_CODE_JMP;
	case ZYDIS_CATEGORY_CALL:
		return is_far(insn) ? PMU_CODE_FAR :
		       is_indirect(insn) ? PMU_CODE_INDIRECT : PMU_CODE_CALL;
	case ZYDIS_CATEGORY_RET:
		return is_near_return(insn) ? PMU_CODE_RET : PMU_CODE_FAR;
	case ZYDIS_CATEGORY_STRINGOP:
	case ZYDIS_CATEGORY_IOSTRINGOP:
		return PMU_CODE_STRING;
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
		return PMU_CODE_NOP;
	default:
		return -1;
	}
}

/* Hints that are not taken. */
static void forget_operands(struct pmu_code *code)
{
	code->flags = 0;
	code->address_regs = 0;
	code->reads = 0;
	code->writes = 0;
}

/* Loads and stores of memory as it is; MOVZX loads as well. */
static bool is_plain_move(const struct pmu_code *code, const struct insn *insn)
{
	ZydisInstructionCategory category = insn->all.meta.category;

	/* What goes into a part of a register is merged with the rest. */
	if (!(code->flags & MEMORY) || (code->reads & code->writes))
		return false;
	return category == ZYDIS_CATEGORY_DATAXFER || category == ZYDIS_CATEGORY_PUSH ||
	       category == ZYDIS_CATEGORY_POP || category == ZYDIS_CATEGORY_BROADCAST ||
	       insn->all.mnemonic == ZYDIS_MNEMONIC_FLD ||
	       insn->all.mnemonic == ZYDIS_MNEMONIC_FSTP ||
	       insn->all.mnemonic == ZYDIS_MNEMONIC_FST;
}

static bool is_between_files(const struct insn *insn)
{
	return insn->all.meta.category == ZYDIS_CATEGORY_DATAXFER &&
	       insn->operand[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       insn->operand[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       !(reg_mask(insn->operand[0].reg.value) & VECTORS) !=
	       !(reg_mask(insn->operand[1].reg.value) & VECTORS);
}

static uint8_t plain_kind(const struct pmu_code *code, const struct insn *insn)
{
	ZydisInstructionCategory category = insn->all.meta.category;

	if (is_plain_move(code, insn))
		return PMU_CODE_NONE;
	if ((code->writes | code->reads) & BIT(PMU_REG_X87))
		return PMU_CODE_X87;
	if (is_between_files(insn))
		return PMU_CODE_TO_VEC;
	if (is_vector(insn))
		return PMU_CODE_VEC_ALU;
	if (category == ZYDIS_CATEGORY_SHIFT || category == ZYDIS_CATEGORY_ROTATE)
		return PMU_CODE_SHIFT;
	return PMU_CODE_ALU;
}

/* Base, index and displacement. */
static bool is_slow_lea(const struct insn *insn)
{
	const ZydisDecodedOperand *op = &insn->operand[1];

	return op->mem.base != ZYDIS_REGISTER_NONE && op->mem.index != ZYDIS_REGISTER_NONE &&
	       op->mem.disp.has_displacement;
}

static void set_kind(struct pmu_code *code, const struct insn *insn, const struct code_fact *fact)
{
	int kind = kind_of_category(insn);

	if (kind >= 0)
		code->kind = (uint8_t)kind;
	else if (is_zeroing(insn))
		code->kind = PMU_CODE_ZEROING;
	else if (fact)
		code->kind = fact->kind;
	else if (is_system_move(insn))
		code->kind = PMU_CODE_SYSTEM;
	else if (is_move_between_registers(insn))
		code->kind = PMU_CODE_MOVE;
	else
		code->kind = plain_kind(code, insn);
	if (code->kind == PMU_CODE_ZEROING)
		code->reads = 0;
	if (code->kind == PMU_CODE_NOP)
		forget_operands(code);
	if (code->kind == PMU_CODE_LEA && is_slow_lea(insn))
		code->kind = PMU_CODE_LEA_SLOW;
	if (is_part_move(insn))
		code->reads |= code->writes;
}

/* --- uops --- */

static bool is_string(const struct insn *insn)
{
	return insn->all.meta.category == ZYDIS_CATEGORY_STRINGOP ||
	       insn->all.meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
}

/* Such a register is read in one uop, but written in many. */
static unsigned int uops_of_system_move(const struct pmu_code *code)
{
	return code->writes || (code->flags & PMU_CODE_STORES) ? 1 : 20;
}

/* Those whose number depends on their operands; 0: others. */
static unsigned int uops_of_category(const struct pmu_code *code, const struct insn *insn)
{
	bool memory = insn->operand[0].type == ZYDIS_OPERAND_TYPE_MEMORY;

	switch (insn->all.meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return memory ? 3 : 2;
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
		return memory ? 2 : 1;
	case ZYDIS_CATEGORY_STRINGOP:
		return (code->flags & MEMORY) == MEMORY ||
		       (code->writes & BIT(PMU_REG_FLAGS)) ? 3 : 2;
	case ZYDIS_CATEGORY_IOSTRINGOP:
		return 40;
	case ZYDIS_CATEGORY_SHIFT:
	case ZYDIS_CATEGORY_ROTATE:
		return insn->operand[1].type == ZYDIS_OPERAND_TYPE_REGISTER ? 2 : 1;
	case ZYDIS_CATEGORY_DATAXFER:
		return is_system_move(insn) ? uops_of_system_move(code) : 1;
	default:
		return 0;
	}
}

static void set_uops(struct pmu_code *code, const struct insn *insn, const struct code_fact *fact)
{
	bool memory = code->flags & MEMORY;
	unsigned int uops = 0;

	if (fact && !is_string(insn))
		uops = memory ? fact->memory_uops : fact->uops;
	if (!uops)
		uops = uops_of_category(code, insn);
	if (!uops)
		uops = 1;
	if ((code->flags & MEMORY) == MEMORY && uops == 1)
		uops = 2;
	if (is_far(insn))
		uops = 40;
	if (insn->all.attributes & ZYDIS_ATTRIB_HAS_LOCK)
		uops += LOCK_UOPS;
	code->uops = (uint8_t)uops;
}

static bool is_lcp(const struct insn *insn)
{
	return (insn->all.attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE) &&
	       insn->all.raw.imm[0].size == 16 && insn->all.mnemonic != ZYDIS_MNEMONIC_MOV;
}

static bool is_locked(const struct insn *insn)
{
	return (insn->all.attributes & ZYDIS_ATTRIB_HAS_LOCK) ||
	       (insn->all.mnemonic == ZYDIS_MNEMONIC_XCHG &&
		(insn->operand[0].type == ZYDIS_OPERAND_TYPE_MEMORY ||
		 insn->operand[1].type == ZYDIS_OPERAND_TYPE_MEMORY));
}

/* CMP and TEST of memory and a constant do not fuse, nor what writes memory. */
static bool may_fuse(const struct pmu_code *code, const struct insn *insn)
{
	if (code->flags & PMU_CODE_STORES)
		return false;
	return !(code->flags & PMU_CODE_LOADS) || !insn->all.raw.imm[0].size;
}

static void set_flags(struct pmu_code *code, const struct insn *insn, const struct code_fact *fact)
{
	if (fact && code->kind == fact->kind)
		code->flags |= fact->flags & (uint16_t)~PMU_CODE_FUSES;
	if (fact && (fact->flags & PMU_CODE_FUSES) && may_fuse(code, insn))
		code->flags |= PMU_CODE_FUSES;
	if (is_locked(insn))
		code->flags |= PMU_CODE_LOCK;
	if (is_lcp(insn))
		code->flags |= PMU_CODE_LCP;
	if (code->kind == PMU_CODE_SYSTEM && is_system_move(insn) && code->uops > 4)
		code->flags |= PMU_CODE_SERIALIZING;
	if (code->uops > 4 || (insn->all.attributes & REPEATED))
		code->flags |= PMU_CODE_MICROCODE;
	else
		code->flags &= (uint16_t)~PMU_CODE_MICROCODE;
}

/* --- all of it --- */

static unsigned int width_of(const struct insn *insn)
{
	unsigned int size = insn->all.operand_count_visible ? insn->operand[0].size : 0;

	return size < UINT8_MAX ? size : UINT8_MAX;
}

static const ZydisDecoder *decoder_of(unsigned int bits)
{
	static ZydisDecoder decoders[3];
	static bool ready;

	if (!ready) {
		ZydisDecoderInit(&decoders[0], ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16);
		ZydisDecoderInit(&decoders[1], ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
		ZydisDecoderInit(&decoders[2], ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
		ready = true;
	}
	return &decoders[bits == 64 ? 2 : bits == 32 ? 1 : 0];
}

static const struct code_fact *fact_of(ZydisMnemonic mnemonic)
{
	static const struct code_fact *facts[ZYDIS_MNEMONIC_MAX_VALUE + 1];
	static bool ready;

	if (!ready) {
		for (int i = 0; i <= ZYDIS_MNEMONIC_MAX_VALUE; i++)
			facts[i] = code_fact_find(ZydisMnemonicGetString(i));
		ready = true;
	}
	return facts[mnemonic];
}

static void describe(struct pmu_code *code, const struct insn *insn)
{
	const struct code_fact *fact = fact_of(insn->all.mnemonic);

	code->bits = (uint8_t)width_of(insn);
	add_operands(code, insn);
	set_kind(code, insn, fact);
	set_uops(code, insn, fact);
	set_flags(code, insn, fact);
	code_count(code, ZydisMnemonicGetString(insn->all.mnemonic),
		   insn->all.meta.isa_ext == ZYDIS_ISA_EXT_X87);
}

/* --- each once --- */

#define BUCKETS 4096

struct kept {
	struct kept *next;
	struct pmu_code code;
};

static unsigned int hash(const struct pmu_code *code)
{
	uint64_t h = code->reads * 3 ^ code->writes * 5 ^ code->address_regs * 7 ^ code->flags;

	h = (h << 24 ^ (uint64_t)code->length << 16 ^ (uint64_t)code->uops << 8 ^ code->kind) + h;
	return (unsigned int)(h * UINT64_C(0x9e3779b97f4a7c15) >> 52);
}

/* All of it is compared, so that padding has to be zero. */
static const struct pmu_code *keep(const struct pmu_code *code)
{
	static struct kept *bucket[BUCKETS];
	struct kept **to = &bucket[hash(code)], *k;

	for (k = *to; k; k = k->next)
		if (!memcmp(&k->code, code, sizeof(*code)))
			return &k->code;
	k = malloc(sizeof(*k));
	if (!k)
		abort();
	memcpy(&k->code, code, sizeof(*code));
	k->next = *to;
	*to = k;
	return &k->code;
}

const struct pmu_code *pmu_describe(const uint8_t *bytes, unsigned int length, unsigned int bits)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const struct pmu_code *kept;
	struct pmu_code code;
	struct insn insn;

	memset(&code, 0, sizeof(code));
	code.length = (uint8_t)length;
	code.uops = 1;
	code.kind = PMU_CODE_ALU;
	pthread_mutex_lock(&lock);
	if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder_of(bits), bytes, length, &insn.all,
						insn.operand)))
		describe(&code, &insn);
	kept = keep(&code);
	pthread_mutex_unlock(&lock);
	return kept;
}
