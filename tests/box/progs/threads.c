// SPDX-License-Identifier: GPL-2.0-only
/* A process of two threads, one of which ends when it is told to, by a byte. */
#include <pthread.h>
#include <unistd.h>

static void *run(void *data)
{
	char byte;

	return read(STDIN_FILENO, &byte, 1) == 1 ? data : NULL;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL))
		return 1;
	for (;;)
		pause();
}
