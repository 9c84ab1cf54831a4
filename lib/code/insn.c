// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Instructions: decoded by Zydis, told in the terms of a sample's registers.
 *
 * Zydis is loaded with the first instruction: its 2,500 relocations are nothing
 * that a short count should pay for.
 */
#include <Zydis/Zydis.h>
#include <asm/perf_regs.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/private.h"

struct zydis {
	__typeof__(&ZydisDecoderInit) init_decoder;
	__typeof__(&ZydisDecoderDecodeInstruction) decode_length;
	__typeof__(&ZydisDecoderDecodeFull) decode;
	__typeof__(&ZydisFormatterInit) init_formatter;
	__typeof__(&ZydisFormatterSetProperty) set_property;
	__typeof__(&ZydisFormatterFormatInstruction) format;
	__typeof__(&ZydisRegisterGetLargestEnclosing) enclosing;
	ZydisDecoder decoder, narrow;	/* of 64 and of 32 bits */
	ZydisFormatter formatters[2];	/* by syntax */
	bool usable;
};

/* Never changes once it is loaded, and belongs to no context: there is none here. */
static struct zydis zydis;
static pthread_once_t zydis_once = PTHREAD_ONCE_INIT;

static bool load_symbols(struct zydis *z, void *handle)
{
	return LOAD(handle, z->init_decoder, "ZydisDecoderInit") &&
	       LOAD(handle, z->decode_length, "ZydisDecoderDecodeInstruction") &&
	       LOAD(handle, z->decode, "ZydisDecoderDecodeFull") &&
	       LOAD(handle, z->init_formatter, "ZydisFormatterInit") &&
	       LOAD(handle, z->set_property, "ZydisFormatterSetProperty") &&
	       LOAD(handle, z->format, "ZydisFormatterFormatInstruction") &&
	       LOAD(handle, z->enclosing, "ZydisRegisterGetLargestEnclosing");
}

/* As objdump writes: no zeros in front, small letters, %rip by its distance. */
static bool init_formatter(struct zydis *z, enum pmuctl_syntax syntax)
{
	ZydisFormatter *formatter = &z->formatters[syntax];
	static const struct {
		ZydisFormatterProperty property;
		ZyanUPointer value;
	} settings[] = {
		{ ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE },
		{ ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE },
		{ ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED },
	};
	bool ok = ZYAN_SUCCESS(z->init_formatter(formatter, syntax == PMUCTL_SYNTAX_INTEL ?
							    ZYDIS_FORMATTER_STYLE_INTEL :
							    ZYDIS_FORMATTER_STYLE_ATT));
	size_t i;

	for (i = 0; ok && i < ARRAY_SIZE(settings); i++)
		ok = ZYAN_SUCCESS(z->set_property(formatter, settings[i].property,
						  settings[i].value));
	return ok;
}

/* Of the headers' version and no other: its structures have changed from one to the next. */
static void *open_zydis(void)
{
	char soname[32];

	snprintf(soname, sizeof(soname), "libZydis.so.%u.%u",
		 (unsigned int)ZYDIS_VERSION_MAJOR(ZYDIS_VERSION),
		 (unsigned int)ZYDIS_VERSION_MINOR(ZYDIS_VERSION));
	return dlopen(soname, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

static void load(void)
{
	void *handle = open_zydis();

	zydis.usable = handle && load_symbols(&zydis, handle) &&
		       init_formatter(&zydis, PMUCTL_SYNTAX_ATT) &&
		       init_formatter(&zydis, PMUCTL_SYNTAX_INTEL) &&
		       ZYAN_SUCCESS(zydis.init_decoder(&zydis.decoder, ZYDIS_MACHINE_MODE_LONG_64,
						       ZYDIS_STACK_WIDTH_64)) &&
		       ZYAN_SUCCESS(zydis.init_decoder(&zydis.narrow,
						       ZYDIS_MACHINE_MODE_LEGACY_32,
						       ZYDIS_STACK_WIDTH_32));
}

static const struct zydis *get_zydis(void)
{
	pthread_once(&zydis_once, load);
	return zydis.usable ? &zydis : NULL;
}

/* NULL: code of so many bits is not decoded. */
static const ZydisDecoder *decoder_of(const struct zydis *z, unsigned int bits)
{
	return bits == 64 ? &z->decoder : bits == 32 ? &z->narrow : NULL;
}

/* ---- registers ------------------------------------------------------ */

/* The number of the register that it is all or part of. */
static int perf_reg(const struct zydis *z, ZydisRegister reg)
{
	static const signed char general[] = {
		PERF_REG_X86_AX,  PERF_REG_X86_CX,  PERF_REG_X86_DX,  PERF_REG_X86_BX,
		PERF_REG_X86_SP,  PERF_REG_X86_BP,  PERF_REG_X86_SI,  PERF_REG_X86_DI,
		PERF_REG_X86_R8,  PERF_REG_X86_R9,  PERF_REG_X86_R10, PERF_REG_X86_R11,
		PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14, PERF_REG_X86_R15,
	};
	ZydisRegister whole;

	if (reg == ZYDIS_REGISTER_EIP || reg == ZYDIS_REGISTER_RIP)
		return PMUCTL_REG_RIP;
	whole = z->enclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
	if (whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15)
		return general[whole - ZYDIS_REGISTER_RAX];
	return whole == ZYDIS_REGISTER_RFLAGS ? PERF_REG_X86_FLAGS : PMUCTL_NO_REG;
}

static void take_register(const struct zydis *z, const ZydisDecodedOperand *op,
			  struct pmuctl_insn *insn)
{
	int reg = perf_reg(z, op->reg.value);

	if (reg != PMUCTL_NO_REG && reg != PMUCTL_REG_RIP &&
	    (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		insn->writes |= 1ULL << reg;
}

/* ---- memory --------------------------------------------------------- */

enum stack_use {
	STACK_PUSHES,	/* writes below SP, then lowers it */
	STACK_POPS,	/* reads at SP, then raises it */
	STACK_OTHER,	/* or none */
};

static enum stack_use stack_use(const ZydisDecodedInstruction *in)
{
	if (in->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		return STACK_OTHER;
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFD:
	case ZYDIS_MNEMONIC_PUSHFQ:
	case ZYDIS_MNEMONIC_CALL:
		return STACK_PUSHES;
	case ZYDIS_MNEMONIC_POP:
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFD:
	case ZYDIS_MNEMONIC_POPFQ:
	case ZYDIS_MNEMONIC_RET:
		return STACK_POPS;
	default:
		return STACK_OTHER;
	}
}

static bool repeats(const ZydisDecodedInstruction *in)
{
	return in->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
				 ZYDIS_ATTRIB_HAS_REPNE);
}

static bool is_stack_pointer(ZydisRegister reg)
{
	return reg == ZYDIS_REGISTER_RSP || reg == ZYDIS_REGISTER_ESP;
}

/* Registers and a displacement are not all that makes these addresses. */
static bool needs_more(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op)
{
	if (op->mem.type != ZYDIS_MEMOP_TYPE_MEM || repeats(in))
		return true;
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_BT:		/* with a register, the bit may be far away */
	case ZYDIS_MNEMONIC_BTC:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTS:
		return in->operand_count_visible > 1 && !in->raw.imm[0].size;
	case ZYDIS_MNEMONIC_XLAT:	/* AL is its index */
		return true;
	default:
		return op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
		       is_stack_pointer(op->mem.base) && stack_use(in) == STACK_OTHER;
	}
}

/* Behind an instruction that pushes or pops, and before it. */
static int64_t stack_displacement(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op)
{
	enum stack_use use = stack_use(in);
	int64_t bytes = op->size / 8;

	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
		return use == STACK_PUSHES ? -bytes : 0;
	/* `pop 8(%rsp)` takes SP as it is after the pop. */
	return use == STACK_POPS ? bytes : 0;
}

static bool touches(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op)
{
	const ZydisOperandActions any = ZYDIS_OPERAND_ACTION_MASK_READ |
					ZYDIS_OPERAND_ACTION_MASK_WRITE;

	return op->mem.type != ZYDIS_MEMOP_TYPE_AGEN && (op->actions & any) &&
	       in->meta.category != ZYDIS_CATEGORY_NOP &&
	       in->meta.category != ZYDIS_CATEGORY_WIDENOP;
}

static void take_memory(const struct zydis *z, const ZydisDecodedInstruction *in,
			const ZydisDecodedOperand *op, struct pmuctl_insn *insn)
{
	struct pmuctl_memory *m = &insn->memory[insn->memory_count];

	if (!touches(in, op) || insn->memory_count == ARRAY_SIZE(insn->memory))
		return;
	insn->memory_count++;
	m->base = perf_reg(z, op->mem.base);
	m->index = perf_reg(z, op->mem.index);
	m->scale = op->mem.scale;
	m->displacement = op->mem.disp.has_displacement ? op->mem.disp.value : 0;
	if (m->base == PERF_REG_X86_SP)
		m->displacement += stack_displacement(in, op);
	m->segment = op->mem.segment == ZYDIS_REGISTER_FS || op->mem.segment == ZYDIS_REGISTER_GS;
	m->other = needs_more(in, op);
	m->narrow = in->address_width == 32;
	m->bytes = op->size / 8;
	m->reads = op->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	m->writes = op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

/* By how much SP, SI and DI move, where that is a number known beforehand. */
static void take_moves(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *ops,
		       struct pmuctl_insn *insn)
{
	enum stack_use use = stack_use(in);
	int64_t bytes = in->operand_width / 8;

	if (use == STACK_OTHER && in->meta.category != ZYDIS_CATEGORY_STRINGOP)
		return;
	if (in->meta.category == ZYDIS_CATEGORY_STRINGOP) {
		insn->string_step = insn->memory_count && !insn->memory[0].other ?
					    insn->memory[0].bytes : 0;
		return;
	}
	if (in->mnemonic == ZYDIS_MNEMONIC_CALL || in->mnemonic == ZYDIS_MNEMONIC_RET)
		bytes = in->stack_width / 8;
	if (in->mnemonic == ZYDIS_MNEMONIC_RET && in->raw.imm[0].size)
		bytes += (int64_t)ops[0].imm.value.u;
	/* `pop %rsp`: SP is what was read. */
	if (in->mnemonic == ZYDIS_MNEMONIC_POP && ops[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    is_stack_pointer(ops[0].reg.value))
		return;
	insn->stack_step = use == STACK_PUSHES ? -bytes : bytes;
}

/* ---- branches ------------------------------------------------------- */

static bool branches(const ZydisDecodedInstruction *in)
{
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_INTERRUPT:
		return true;
	default:
		return false;
	}
}

static uint64_t direct_target(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *ops,
			      uint64_t ip)
{
	if (!in->operand_count || ops[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
	    !ops[0].imm.is_relative)
		return 0;
	return ip + in->length + ops[0].imm.value.u;
}

/* ---- all of it ------------------------------------------------------ */

static void take_operands(const struct zydis *z, const ZydisDecodedInstruction *in,
			  const ZydisDecodedOperand *ops, struct pmuctl_insn *insn)
{
	unsigned int i;

	for (i = 0; i < in->operand_count; i++) {
		if (ops[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
			take_register(z, &ops[i], insn);
		else if (ops[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			take_memory(z, in, &ops[i], insn);
	}
	take_moves(in, ops, insn);
}

static void take_text(const struct zydis *z, const ZydisDecodedInstruction *in,
		      const ZydisDecodedOperand *ops, uint64_t ip, enum pmuctl_syntax syntax,
		      char *text, size_t size)
{
	if (!ZYAN_SUCCESS(z->format(&z->formatters[syntax], in, ops, in->operand_count_visible,
				    text, size, ip, NULL)))
		snprintf(text, size, "(%u bytes)", in->length);
}

int pmuctl_insn_decode_bits(unsigned int bits, const void *code, size_t size, uint64_t ip,
			    struct pmuctl_insn *insn)
{
	const struct zydis *z = get_zydis();
	const ZydisDecoder *decoder = z ? decoder_of(z, bits) : NULL;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	struct pmuctl_insn out = { .size = sizeof(out) };
	ZydisDecodedInstruction in;

	if (!z)
		return -ENOSYS;
	if (!decoder || check_sized(NULL, insn))
		return -EINVAL;
	if (!ZYAN_SUCCESS(z->decode(decoder, code, size, &in, ops)))
		return -EBADMSG;
	out.length = in.length;
	out.branch = branches(&in);
	out.repeats = repeats(&in);
	out.target = out.branch ? direct_target(&in, ops, ip) : 0;
	if (bits == 32)
		out.target = (uint32_t)out.target;
	take_operands(z, &in, ops, &out);
	take_text(z, &in, ops, ip, PMUCTL_SYNTAX_ATT, out.text, sizeof(out.text));
	return give_sized(NULL, insn, &out, sizeof(out));
}

int pmuctl_insn_text(unsigned int bits, const void *code, size_t size, uint64_t ip,
		     enum pmuctl_syntax syntax, char *text, size_t text_size)
{
	const struct zydis *z = get_zydis();
	const ZydisDecoder *decoder = z ? decoder_of(z, bits) : NULL;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction in;

	if (!z)
		return -ENOSYS;
	if (!decoder || (unsigned int)syntax > PMUCTL_SYNTAX_INTEL)
		return -EINVAL;
	if (!ZYAN_SUCCESS(z->decode(decoder, code, size, &in, ops)))
		return -EBADMSG;
	take_text(z, &in, ops, ip, syntax, text, text_size);
	return 0;
}

int pmuctl_insn_decode(const void *code, size_t size, uint64_t ip, struct pmuctl_insn *insn)
{
	return pmuctl_insn_decode_bits(64, code, size, ip, insn);
}

uint64_t pmuctl_insn_before_bits(unsigned int bits, const void *code, size_t size,
				 uint64_t start, uint64_t ip)
{
	const struct zydis *z = get_zydis();
	const ZydisDecoder *decoder = z ? decoder_of(z, bits) : NULL;
	uint64_t last = 0, offset = 0, end = ip - start;
	ZydisDecodedInstruction in;

	if (!decoder || ip <= start || end > size)
		return 0;
	while (offset < end) {
		last = offset;
		if (!ZYAN_SUCCESS(z->decode_length(decoder, NULL, (const char *)code + offset,
						   size - offset, &in)))
			return 0;
		offset += in.length;
	}
	return offset == end ? start + last : 0;
}

uint64_t pmuctl_insn_before(const void *code, size_t size, uint64_t start, uint64_t ip)
{
	return pmuctl_insn_before_bits(64, code, size, start, ip);
}
