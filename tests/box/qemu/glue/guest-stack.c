// SPDX-License-Identifier: GPL-2.0-only
/*
 * The name of a program from the stack that execve has built: argc, argv, 0,
 * envp, 0, auxiliary vector.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "guest-stack.h"

#define MAX_STRING 4096
#define MAX_WORDS 4096
#define AT_NULL 0
#define AT_EXECFN 31

bool guest_read(CPUX86State *env, uint64_t addr, void *to, unsigned int size)
{
	return cpu_memory_rw_debug(env_cpu(env), addr, to, size, false) == 0;
}

char *guest_string(CPUX86State *env, uint64_t addr)
{
	GString *s = g_string_new(NULL);
	char c = 1;

	while (s->len < MAX_STRING && guest_read(env, addr + s->len, &c, 1) && c)
		g_string_append_c(s, c);
	return g_string_free(s, c != 0);
}

/* A program of 32 bits has words of 4 bytes there. */
static bool read_word(CPUX86State *env, uint64_t *addr, uint64_t *word)
{
	unsigned int size = env->hflags & HF_CS64_MASK ? 8 : 4;
	uint64_t at = *addr;

	*word = 0;
	*addr += size;
	return guest_read(env, at, word, size);
}

static bool skip_to_null(CPUX86State *env, uint64_t *addr)
{
	uint64_t word;
	unsigned int i;

	for (i = 0; i < MAX_WORDS; i++) {
		if (!read_word(env, addr, &word))
			return false;
		if (!word)
			return true;
	}
	return false;
}

char *guest_exec_name(CPUX86State *env, uint64_t rsp)
{
	uint64_t argc, key, value, argv0 = 0;
	unsigned int i;

	if (!read_word(env, &rsp, &argc))
		return NULL;
	value = rsp;
	if (!read_word(env, &value, &argv0) || !skip_to_null(env, &rsp) || !skip_to_null(env, &rsp))
		return NULL;
	for (i = 0; i < MAX_WORDS; i++) {
		if (!read_word(env, &rsp, &key) || !read_word(env, &rsp, &value) || key == AT_NULL)
			break;
		if (key == AT_EXECFN)
			return guest_string(env, value);
	}
	return argv0 ? guest_string(env, argv0) : NULL;
}
