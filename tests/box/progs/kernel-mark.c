// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts instructions:k between two marks on the first CPUS CPUs while a command runs,
 * again and again: kernel-mark LABEL CPUS ROUNDS COMMAND...
 * A command's words are one argument; its name in the output is its second word.
 *
 * Each CPU has a session of its own, which a thread on that CPU reads before and
 * behind: what the difference of the counts has beyond the truth is that thread's way
 * out of the first read and into the second, and no waiting for other CPUs.  Of each
 * round and CPU there are four marks: before and behind the first read, before and
 * behind the second.
 *
 * Not from start to stop: those are messages, and allocating their buffers seems to
 * take two instructions more or less, before or behind the point where counting starts.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmuctl.h>

#include "../guest/mark.h"
#include "pin.h"

#define MAX_CPUS 8

static struct cpu {
	unsigned int number, label;
	struct pmuctl *ctx;
	struct pmuctl_session *session;
	uint64_t value, before, after;
	unsigned int flags;
	pthread_t thread;
	int go[2], done[2];	/* pipes: whose turn it is */
} cpus[MAX_CPUS];

static void need(const struct cpu *cpu, int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "kernel-mark: CPU %u: %s: %s\n", cpu->number, what,
		cpu->ctx ? pmuctl_error(cpu->ctx) : "");
	exit(1);
}

static int on_value(void *data, const struct pmuctl_value *value)
{
	struct cpu *cpu = data;

	cpu->value = value->value;
	cpu->flags = value->flags;
	return 0;
}

static void make_session(struct cpu *cpu)
{
	struct pmuctl_event *event;

	need(cpu, pmuctl_open(NULL, &cpu->ctx), "open");
	need(cpu, pmuctl_session_new(cpu->ctx, &cpu->session), "session");
	need(cpu, pmuctl_event_parse(cpu->ctx, "instructions:k", &event), "event");
	need(cpu, pmuctl_session_add_event(cpu->session, event), "event");
	pmuctl_event_free(event);
	need(cpu, pmuctl_session_add_cpu(cpu->session, cpu->number), "CPU");
	need(cpu, pmuctl_session_create(cpu->session, 0), "create");
	need(cpu, pmuctl_session_start(cpu->session), "start");
	/* Once before it counts. */
	need(cpu, pmuctl_session_read(cpu->session, on_value, cpu), "read");
}

static void await(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		exit(1);
}

static void tell(int fd)
{
	if (write(fd, "", 1) != 1)
		exit(1);
}

static void one_round(struct cpu *cpu)
{
	int err;

	await(cpu->go[0]);
	/* Again: a CPU that was offline has lost its threads. */
	if (pin((int)cpu->number))
		exit(1);
	pmubox_mark(cpu->label);
	err = pmuctl_session_read(cpu->session, on_value, cpu);
	pmubox_mark(cpu->label + 1);
	need(cpu, err, "read");
	cpu->before = cpu->value;
	tell(cpu->done[1]);
	await(cpu->go[0]);
	pmubox_mark(cpu->label + 2);
	err = pmuctl_session_read(cpu->session, on_value, cpu);
	pmubox_mark(cpu->label + 3);
	need(cpu, err, "read");
	cpu->after = cpu->value;
	tell(cpu->done[1]);
}

static void *attend(void *arg)
{
	struct cpu *cpu = arg;

	for (;;)
		one_round(cpu);
	return NULL;
}

/* One after the other: they would only disturb each other. */
static void turn(int count)
{
	for (int i = 0; i < count; i++) {
		tell(cpus[i].go[1]);
		await(cpus[i].done[0]);
	}
}

static int run(const char *command)
{
	char *words = strdup(command), *argv[16];
	int count = 0, status = -1;
	pid_t pid;

	for (char *word = strtok(words, " "); word && count < 15; word = strtok(NULL, " "))
		argv[count++] = word;
	argv[count] = NULL;
	pid = fork();
	if (!pid) {
		execv(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	free(words);
	return status;
}

static int round_of(const char *command, unsigned int label, int count)
{
	char name[32] = "";
	int status, i;

	sscanf(command, "%*s %31s", name);
	for (i = 0; i < count; i++)
		cpus[i].label = label + 4 * i;
	turn(count);
	status = run(command);
	turn(count);
	for (i = 0; i < count; i++)
		printf("%s %u %d %lu %u\n", name, cpus[i].label, i,
		       cpus[i].after - cpus[i].before, cpus[i].flags);
	fflush(stdout);
	return status;
}

static void begin(struct cpu *cpu, unsigned int number)
{
	cpu->number = number;
	if (pipe(cpu->go) || pipe(cpu->done))
		exit(1);
	make_session(cpu);
	if (pthread_create(&cpu->thread, NULL, attend, cpu))
		exit(1);
}

int main(int argc, char **argv)
{
	unsigned int label;
	int count, rounds, status = 0;

	if (argc < 5)
		return 2;
	label = atoi(argv[1]);
	count = atoi(argv[2]);
	rounds = atoi(argv[3]);
	if (count > MAX_CPUS)
		return 2;
	for (int i = 0; i < count; i++)
		begin(&cpus[i], i);
	for (int c = 4; c < argc; c++)
		for (int i = 0; i < rounds; i++, label += 4 * MAX_CPUS)
			status |= round_of(argv[c], label, count);
	return status ? 1 : 0;
}
