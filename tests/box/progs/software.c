// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What Linux counts itself, so many times:
 *	software touch PAGES	first accesses to pages, a fault each
 *	software write TIMES	write(2)
 *	software sleep TIMES	lets go of the CPU; prints how often getrusage() saw it do so
 *	software migrate TIMES	goes to CPU 1 and back by turns
 *	software threads PAGES	a byte of standard input each starts one of three threads, which
 *				touches so many and ends
 *	software forks PAGES	two children, one after the other, touch so many each
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define THREADS 3

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void touch(long pages)
{
	volatile char *area = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long i;

	if (area == MAP_FAILED || madvise((void *)area, (size_t)pages * PAGE, MADV_NOHUGEPAGE))
		die("mmap");
	for (i = 0; i < pages; i++)
		area[i * PAGE] = 1;
}

static void writes(long times)
{
	int fd = open("/dev/null", O_WRONLY);

	while (times--)
		if (write(fd, "", 1) != 1)
			die("write");
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void sleeps(long times)
{
	const struct timespec one = { .tv_nsec = 1000000 };
	long before = switches();

	while (times--)
		nanosleep(&one, NULL);
	printf("%ld\n", switches() - before);
}

static void migrate(long times)
{
	cpu_set_t set;
	long i;

	for (i = 0; i <= times; i++) {
		CPU_ZERO(&set);
		CPU_SET(i % 2, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			die("sched_setaffinity");
	}
}

static void *run_thread(void *pages)
{
	char byte;

	if (read(STDIN_FILENO, &byte, 1) == 1)
		touch((long)pages);
	return NULL;
}

static void threads(long pages)
{
	pthread_t thread[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run_thread, (void *)pages))
			die("pthread_create");
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void forks(long pages)
{
	int i;

	for (i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (!pid) {
			touch(pages);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(long times);
	} modes[] = {
		{ "touch", touch }, { "write", writes }, { "sleep", sleeps },
		{ "migrate", migrate }, { "threads", threads }, { "forks", forks },
	};
	size_t i;

	for (i = 0; argc == 3 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].run(atol(argv[2]));
			return 0;
		}
	return 2;
}
