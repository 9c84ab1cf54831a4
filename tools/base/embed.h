/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are part of the command: what others run or show (a shell, a browser) is best
 * written as what it is.
 */
#ifndef PMUCTL_EMBED_H
#define PMUCTL_EMBED_H

/* `extern const char symbol[]` is the file's text; tools.mk has to say that it is needed. */
#define EMBED(symbol, path)			\
	extern const char symbol[];		\
	__asm__(".pushsection .rodata\n"	\
		"\t.globl " #symbol "\n"	\
		#symbol ":\n"			\
		"\t.incbin \"" path "\"\n"	\
		"\t.byte 0\n"			\
		".popsection")

#endif
