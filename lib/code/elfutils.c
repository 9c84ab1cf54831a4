// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Loading elfutils.  It stays for as long as the process does.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/library.h"
#include "lib/code/elfutils.h"

/* It brings libelf along. */
#define SONAME "libdw.so.1"

static struct elfutils loaded;
static bool there;

static const struct library_function functions[] = {
#define FUNCTION(member, name) { name, &loaded.member }
	FUNCTION(version, "elf_version"),
	FUNCTION(memory, "elf_memory"),
	FUNCTION(end, "elf_end"),
	FUNCTION(rawfile, "elf_rawfile"),
	FUNCTION(getehdr, "gelf_getehdr"),
	FUNCTION(getphdrnum, "elf_getphdrnum"),
	FUNCTION(getphdr, "gelf_getphdr"),
	FUNCTION(nextscn, "elf_nextscn"),
	FUNCTION(getscn, "elf_getscn"),
	FUNCTION(ndxscn, "elf_ndxscn"),
	FUNCTION(getshdr, "gelf_getshdr"),
	FUNCTION(getshdrstrndx, "elf_getshdrstrndx"),
	FUNCTION(strptr, "elf_strptr"),
	FUNCTION(getdata, "elf_getdata"),
	FUNCTION(getsym, "gelf_getsym"),
	FUNCTION(getrel, "gelf_getrel"),
	FUNCTION(getrela, "gelf_getrela"),
	FUNCTION(build_id, "dwelf_elf_gnu_build_id"),
	FUNCTION(debuglink, "dwelf_elf_gnu_debuglink"),
	FUNCTION(dwarf_begin, "dwarf_begin_elf"),
	FUNCTION(dwarf_end, "dwarf_end"),
	FUNCTION(get_units, "dwarf_get_units"),
	FUNCTION(ranges, "dwarf_ranges"),
	FUNCTION(dieoffset, "dwarf_dieoffset"),
	FUNCTION(offdie, "dwarf_offdie"),
	FUNCTION(getsrc, "dwarf_getsrc_die"),
	FUNCTION(lineno, "dwarf_lineno"),
	FUNCTION(linesrc, "dwarf_linesrc"),
	FUNCTION(child, "dwarf_child"),
	FUNCTION(siblingof, "dwarf_siblingof"),
	FUNCTION(tag, "dwarf_tag"),
	FUNCTION(haspc, "dwarf_haspc"),
	FUNCTION(attr, "dwarf_attr"),
	FUNCTION(attr_integrate, "dwarf_attr_integrate"),
	FUNCTION(formstring, "dwarf_formstring"),
	FUNCTION(formudata, "dwarf_formudata"),
	FUNCTION(formref_die, "dwarf_formref_die"),
	FUNCTION(formaddr, "dwarf_formaddr"),
	FUNCTION(getlocation, "dwarf_getlocation"),
	FUNCTION(getlocation_attr, "dwarf_getlocation_attr"),
	FUNCTION(diename, "dwarf_diename"),
	FUNCTION(getsrcfiles, "dwarf_getsrcfiles"),
	FUNCTION(filesrc, "dwarf_filesrc"),
	FUNCTION(getcfi, "dwarf_getcfi"),
	FUNCTION(getcfi_elf, "dwarf_getcfi_elf"),
	FUNCTION(cfi_end, "dwarf_cfi_end"),
	FUNCTION(cfi_addrframe, "dwarf_cfi_addrframe"),
	FUNCTION(frame_info, "dwarf_frame_info"),
	FUNCTION(frame_cfa, "dwarf_frame_cfa"),
	FUNCTION(frame_register, "dwarf_frame_register"),
#undef FUNCTION
};

static void load(void)
{
	there = library_load(SONAME, functions, sizeof(functions) / sizeof(functions[0])) &&
		loaded.version(EV_CURRENT) != EV_NONE;
}

const struct elfutils *elfutils(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return there ? &loaded : NULL;
}
