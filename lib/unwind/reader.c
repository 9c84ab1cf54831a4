// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The process that reads CFI.  elfutils takes much of a file on trust: who dies of one that is
 * damaged, or never comes to an end with it, is this child and nobody else.
 *
 * A question is an address and its answer a row of rules.  Stacks stay where they are: what is
 * asked once is asked of no other sample, and so one child is enough for all of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/private.h"
#include "lib/code/code.h"
#include "lib/unwind/unwind.h"

/* An index of the largest file takes less. */
#define ANSWER_MS	10000
/* Files that kill it; one more is not tried. */
#define DEATHS_MAX	4

struct question {
	uint64_t address;
	uint32_t dso;
	uint32_t debug;
};

size_t rule_row_size(const struct rule_row *row)
{
	return offsetof(struct rule_row, ops) + row->ops_count * sizeof(row->ops[0]);
}

/* ---- the child ------------------------------------------------------------------------------ */

static void answer(struct pmuctl_data *data, const struct question *q, struct rule_row *row)
{
	const struct dso *dso = dsos_get(data->dsos, q->dso);

	*row = (struct rule_row){ .state = ROW_NONE };
	if (dso->object)
		object_rules(dso->object, q->address, q->debug, row);
}

/* What is to be said its parent says; and it is to leave nothing behind. */
static void be_quiet(struct pmuctl_data *data)
{
	static const int deadly[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	size_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	for (i = 0; i < ARRAY_SIZE(deadly); i++)
		signal(deadly[i], SIG_DFL);
	/* ^C is for its parent, whose end is its own. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	data->ctx->log = NULL;
	data->where.progress = NULL;
	data->where.reading = NULL;
}

__attribute__((noreturn)) static void serve(struct pmuctl_data *data, int fd)
{
	struct question question;
	struct rule_row row;

	be_quiet(data);
	while (recv(fd, &question, sizeof(question), 0) == sizeof(question)) {
		answer(data, &question, &row);
		if (send(fd, &row, rule_row_size(&row), MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}

/* ---- its parent ----------------------------------------------------------------------------- */

static int start(struct rule_reader *r, struct pmuctl_data *data)
{
	int fds[2], err = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -errno;
	r->pid = fork();
	if (!r->pid) {
		close(fds[0]);
		serve(data, fds[1]);
	}
	if (r->pid < 0) {
		err = -errno;
		close(fds[0]);
		r->pid = 0;
	}
	close(fds[1]);
	r->fd = fds[0];
	return err;
}

void rule_reader_end(struct rule_reader *r)
{
	if (!r->pid)
		return;
	close(r->fd);
	kill(r->pid, SIGKILL);
	while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
		;
	r->pid = 0;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool wait_for_answer(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t until = now_ms() + ANSWER_MS, left;
	int ready;

	do {
		left = until - now_ms();
		ready = poll(&p, 1, left > 0 ? (int)left : 0);
	} while (ready < 0 && errno == EINTR);
	return ready > 0;
}

static bool take_answer(int fd, struct rule_row *row)
{
	ssize_t size;

	if (!wait_for_answer(fd))
		return false;
	size = recv(fd, row, sizeof(*row), 0);
	return size >= (ssize_t)offsetof(struct rule_row, ops) && row->ops_count <= RULE_OPS &&
	       (size_t)size == rule_row_size(row);
}

int rule_reader_ask(struct rule_reader *r, struct pmuctl_data *data, uint32_t dso,
		    uint64_t address, bool debug, struct rule_row *row)
{
	const struct question question = { address, dso, debug };
	int err;

	if (r->deaths >= DEATHS_MAX)
		return 0;
	err = r->pid ? 0 : start(r, data);
	if (err)
		return fail(data->ctx, err, "%s: no process can be started to unwind its stacks: %s",
			    data->path, strerror(-err));
	if (send(r->fd, &question, sizeof(question), MSG_NOSIGNAL) == sizeof(question) &&
	    take_answer(r->fd, row))
		return 1;
	rule_reader_end(r);
	r->deaths++;
	return 0;
}
