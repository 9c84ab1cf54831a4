/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * elfutils, loaded when the first file of code is looked into: whoever only
 * counts does without.
 */
#ifndef LIBPMUCTL_ELFUTILS_H
#define LIBPMUCTL_ELFUTILS_H

#include <elfutils/libdw.h>
#include <gelf.h>

struct elfutils {
	__typeof__(elf_version) *version;
	__typeof__(elf_memory) *memory;
	__typeof__(elf_end) *end;
	__typeof__(elf_rawfile) *rawfile;
	__typeof__(gelf_getehdr) *getehdr;
	__typeof__(elf_getphdrnum) *getphdrnum;
	__typeof__(gelf_getphdr) *getphdr;
	__typeof__(elf_nextscn) *nextscn;
	__typeof__(elf_getscn) *getscn;
	__typeof__(elf_ndxscn) *ndxscn;
	__typeof__(gelf_getshdr) *getshdr;
	__typeof__(elf_getshdrstrndx) *getshdrstrndx;
	__typeof__(elf_strptr) *strptr;
	__typeof__(elf_getdata) *getdata;
	__typeof__(gelf_getsym) *getsym;
	__typeof__(gelf_getrel) *getrel;
	__typeof__(gelf_getrela) *getrela;
	ssize_t (*build_id)(Elf *elf, const void **id);
	const char *(*debuglink)(Elf *elf, GElf_Word *crc);
	__typeof__(dwarf_begin_elf) *dwarf_begin;
	__typeof__(dwarf_end) *dwarf_end;
	__typeof__(dwarf_get_units) *get_units;
	__typeof__(dwarf_ranges) *ranges;
	__typeof__(dwarf_dieoffset) *dieoffset;
	__typeof__(dwarf_offdie) *offdie;
	__typeof__(dwarf_getsrc_die) *getsrc;
	__typeof__(dwarf_lineno) *lineno;
	__typeof__(dwarf_linesrc) *linesrc;
	__typeof__(dwarf_child) *child;
	__typeof__(dwarf_siblingof) *siblingof;
	__typeof__(dwarf_tag) *tag;
	__typeof__(dwarf_haspc) *haspc;
	__typeof__(dwarf_attr) *attr;
	__typeof__(dwarf_attr_integrate) *attr_integrate;
	__typeof__(dwarf_formstring) *formstring;
	__typeof__(dwarf_formudata) *formudata;
	__typeof__(dwarf_formref_die) *formref_die;
	__typeof__(dwarf_formaddr) *formaddr;
	__typeof__(dwarf_getlocation) *getlocation;
	__typeof__(dwarf_getlocation_attr) *getlocation_attr;
	__typeof__(dwarf_diename) *diename;
	__typeof__(dwarf_getsrcfiles) *getsrcfiles;
	__typeof__(dwarf_filesrc) *filesrc;
	__typeof__(dwarf_getcfi) *getcfi;
	__typeof__(dwarf_getcfi_elf) *getcfi_elf;
	__typeof__(dwarf_cfi_end) *cfi_end;
	__typeof__(dwarf_cfi_addrframe) *cfi_addrframe;
	__typeof__(dwarf_frame_info) *frame_info;
	__typeof__(dwarf_frame_cfa) *frame_cfa;
	__typeof__(dwarf_frame_register) *frame_register;
};

/* NULL: it is not installed. */
const struct elfutils *elfutils(void);

#endif
