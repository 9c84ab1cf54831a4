// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jit: makes code as a just-in-time compiler does and says so in jit-PID.dump in its folder: "hot",
 * of 6,000,000 branches, then at its address "cold", of 2,000,000, which then runs once more from
 * where it was moved to.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* dec %rdi; jnz -5; ret */
static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
static int dump;
static uint64_t next_index;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void put(const void *data, size_t size)
{
	if (write(dump, data, size) != (ssize_t)size)
		err(1, "jit-PID.dump");
}

static void put_head(uint32_t what, size_t size)
{
	uint32_t pid = (uint32_t)getpid(), tid = (uint32_t)gettid();
	struct { uint32_t what, size; uint64_t time; uint32_t pid, tid; } head = {
		what, (uint32_t)(sizeof(head) + size), now(), pid, tid,
	};

	put(&head, sizeof(head));
}

static void say_line(uint64_t address, uint32_t line)
{
	struct { uint32_t what, size; uint64_t time, address, entries, at; uint32_t line, unused; }
	record = { 2, sizeof(record) + sizeof("hot.js"), now(), address, 1, address, line, 0 };

	put(&record, sizeof(record));
	put("hot.js", sizeof("hot.js"));
}

static void load(const char *name, void *at, uint32_t line)
{
	uint64_t place[] = { (uintptr_t)at, (uintptr_t)at, sizeof(code), next_index++ };

	memcpy(at, code, sizeof(code));
	say_line((uintptr_t)at, line);
	put_head(0, sizeof(place) + strlen(name) + 1 + sizeof(code));
	put(place, sizeof(place));
	put(name, strlen(name) + 1);
	put(code, sizeof(code));
}

static void move(void *from, void *to)
{
	uint64_t place[] = {
		(uintptr_t)to, (uintptr_t)from, (uintptr_t)to, sizeof(code), next_index - 1,
	};

	memcpy(to, from, sizeof(code));
	put_head(1, sizeof(place));
	put(place, sizeof(place));
}

static void run(void *at, uint64_t branches)
{
	((void (*)(uint64_t))at)(branches);
}

int main(void)
{
	struct { uint32_t magic, version, size, machine, unused, pid; uint64_t time, flags; }
	header = { 0x4a695444, 1, sizeof(header), 62, 0, (uint32_t)getpid(), now(), 0 };
	char name[64], *memory;

	snprintf(name, sizeof(name), "jit-%d.dump", getpid());
	dump = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (dump < 0)
		err(1, "%s", name);
	put(&header, sizeof(header));
	memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* By which those who record notice it. */
	if (memory == MAP_FAILED ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) == MAP_FAILED)
		err(1, "mmap");
	load("hot", memory + 64, 11);
	run(memory + 64, 6000000);
	load("cold", memory + 64, 22);
	run(memory + 64, 2000000);
	move(memory + 64, memory + 4096);
	memset(memory + 64, 0xcc, sizeof(code));
	run(memory + 4096, 2000000);
	return 0;
}
