// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has each allocation of a request fail in turn, by the debug kernel's fault injection: the
 * answer is that there is no memory (or that there is none to answer with), nothing is left
 * behind by it, and without a failure the request is granted.  The same with a followed
 * task's fork, whose session then says that its counts are incomplete.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "talk-request.h"

/* More allocations than any request has. */
#define MOST 2000

static int nth_fd;
static unsigned int count_flags;	/* of the last count that was answered */

static void arm(unsigned int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(nth_fd, text, len, 0) != len)
		die("fail-nth");
}

/* Did it come so far as to fail? */
static bool disarm(void)
{
	char text[16] = "";

	if (pread(nth_fd, text, sizeof(text) - 1, 0) <= 0)
		die("fail-nth");
	arm(0);
	return !atoi(text);
}

static void open_socket(void)
{
	struct timeval limit = { .tv_sec = 20 };

	sock = generic_socket();
	if (sock < 0)
		die("socket");
	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

/* Sends the message; the answer's error. */
static int answer(void)
{
	static char buffer[65536];
	const struct nlmsghdr *nl;
	const void *data;
	int len, err;

	if (send(sock, &msg, msg.nl.nlmsg_len, 0) < 0)
		return -errno;
	for (;;) {
		len = (int)recv(sock, buffer, sizeof(buffer), 0);
		if (len < 0)
			return -errno;
		for (nl = (void *)buffer; NLMSG_OK(nl, len); nl = NLMSG_NEXT(nl, len)) {
			if (nl->nlmsg_type == NLMSG_ERROR || nl->nlmsg_type == NLMSG_DONE) {
				memcpy(&err, NLMSG_DATA(nl), sizeof(err));
				return err;
			}
			data = find(nl, GENL_HDRLEN, nl->nlmsg_type == GENL_ID_CTRL ?
				    CTRL_ATTR_FAMILY_ID : PMUCTL_A_SESSION_ID, NULL);
			if (data && nl->nlmsg_type == GENL_ID_CTRL)
				family = *(const uint16_t *)data;
			else if (data)
				memcpy(&last_id, data, sizeof(last_id));
			data = find(nl, GENL_HDRLEN, PMUCTL_A_SESSION_COUNTS, NULL);
			if (data && nl->nlmsg_type == family)
				count_flags = ((const struct pmuctl_count *)data)->flags;
		}
	}
}

static void begin_new(uint64_t flags)
{
	begin(family, PMUCTL_CMD_SESSION_NEW, 0);
	put_u64(PMUCTL_A_SESSION_FLAGS, flags);
}

static void of_cpus(void)
{
	begin_new(PMUCTL_SESSION_FD);
	put_u32(PMUCTL_A_SESSION_CPU, 0);
	put_u32(PMUCTL_A_SESSION_CPU, 1);
	put_event("3:c0:1", PMUCTL_REG_EVTSEL);
	put_event("3:c4:2", PMUCTL_REG_EVTSEL);
}

static void of_this_task(void)
{
	begin_new(PMUCTL_SESSION_INHERIT);
	put_u32(PMUCTL_A_SESSION_PID, getpid());
	put_event("1:c0:1", PMUCTL_REG_EVTSEL);
}

static void of_sets(void)
{
	begin_new(PMUCTL_SESSION_INHERIT);
	put_u32(PMUCTL_A_SESSION_PID, getpid());
	put_event("1:c0:f:0", PMUCTL_REG_EVTSEL);
	put_event("1:c4:f:1", PMUCTL_REG_EVTSEL);
	put_event("1:c5:f:2", PMUCTL_REG_EVTSEL);
}

static void of_samples(void)
{
	begin_new(PMUCTL_SESSION_FD);
	put_u32(PMUCTL_A_SESSION_CPU, 0);
	put_u32(PMUCTL_A_SESSION_CPU, 1);
	put_u32(PMUCTL_A_SESSION_RING, 16384);
	put_event("3:c0:1@period=100003", PMUCTL_REG_EVTSEL);
}

static void of_pebs(void)
{
	begin_new(PMUCTL_SESSION_FD);
	put_u32(PMUCTL_A_SESSION_CPU, 0);
	put_u32(PMUCTL_A_SESSION_CPU, 1);
	put_u32(PMUCTL_A_SESSION_RING, 16384);
	put_event("3:c0:1@period=100003@precise=2", PMUCTL_REG_EVTSEL);
}

static void by_id(int cmd, int flags)
{
	begin(family, cmd, flags);
	put_u32(PMUCTL_A_SESSION_ID, last_id);
}

static void info(void)
{
	begin(family, PMUCTL_CMD_INFO_GET, 0);
}

static void sessions(void)
{
	begin(family, PMUCTL_CMD_SESSION_GET, NLM_F_DUMP);
}

static void count(void)
{
	by_id(PMUCTL_CMD_COUNT_GET, 0);
}

static void counts(void)
{
	by_id(PMUCTL_CMD_COUNT_GET, NLM_F_DUMP);
}

static void reset(void)
{
	by_id(PMUCTL_CMD_COUNT_RESET, 0);
}

static void samples(void)
{
	by_id(PMUCTL_CMD_SAMPLE_GET, NLM_F_DUMP);
	put_u32(PMUCTL_A_SESSION_FLUSH, 1);
}

static void ledger(void)
{
	by_id(PMUCTL_CMD_LEDGER_GET, NLM_F_DUMP);
}

static void complain(const char *name, const char *what, unsigned int nth, int err)
{
	printf("%s: %s (allocation %u failed): error %d\n", name, what, nth, -err);
	failures++;
}

static void granted(const char *name, void (*make)(void))
{
	int err;

	make();
	err = answer();
	if (err)
		complain(name, "refused", 0, err);
}

/*
 * A dump that netlink could not begin for want of memory is still under way to it, and the
 * next one of the socket is refused, until something was received and so made it go on.
 */
static void end_dump(void)
{
	static char buffer[65536];

	info();
	if (send(sock, &msg, msg.nl.nlmsg_len, 0) < 0)
		die("info");
	while (recv(sock, buffer, sizeof(buffer), MSG_DONTWAIT) > 0)
		;
}

/* Each allocation fails in turn, until there was none left to fail: then it is granted. */
static void each_fails(const char *name, void (*make)(void), bool of_a_session)
{
	uint32_t id = last_id;
	unsigned int nth;
	bool failed;
	int err;

	for (nth = 1; nth < MOST; nth++) {
		/* Its sessions end with it. */
		if (!of_a_session)
			open_socket();
		last_id = id;
		make();
		arm(nth);
		err = answer();
		failed = disarm();
		if (!of_a_session)
			close(sock);
		else
			end_dump();
		if (!failed)
			break;
		if (err && err != -ENOMEM && err != -ENOBUFS)
			complain(name, "neither granted nor out of memory", nth, err);
	}
	last_id = id;
	if (err || nth == MOST)
		complain(name, "not granted without a failure", nth, err);
	printf("%s: %u allocations\n", name, nth - 1);
}

static void of_session(const char *name, void (*make)(void))
{
	open_socket();
	granted(name, make);
	by_id(PMUCTL_CMD_SESSION_START, 0);
	if (answer())
		complain(name, "not started", 0, 0);
	each_fails("  count", count, true);
	each_fails("  counts", counts, true);
	each_fails("  reset", reset, true);
	if (make == of_samples || make == of_pebs) {
		each_fails("  samples", samples, true);
		each_fails("  ledger", ledger, true);
	}
	close(sock);
}

static bool incomplete(void)
{
	count_flags = 0;
	granted("fork: count", count);
	return count_flags & PMUCTL_COUNT_INCOMPLETE;
}

/* So many of a fork's allocations failed, one fork each. */
static unsigned int each_fork(void)
{
	unsigned int nth;
	bool failed = true;
	pid_t pid;

	for (nth = 0; failed && nth < MOST; ) {
		arm(++nth);
		pid = fork();
		if (!pid)
			_exit(0);
		failed = disarm();
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
	return nth - 1;
}

/*
 * A child that cannot be followed is not refused: its parent is told.  A fork has not always
 * as many allocations in front of the module's, so that one turn may step over it.
 */
static void forks(void)
{
	unsigned int turns = 0, tried = 0;

	open_socket();
	granted("fork", of_this_task);
	by_id(PMUCTL_CMD_SESSION_START, 0);
	if (answer())
		complain("fork", "not started", 0, 0);
	if (incomplete())
		complain("fork", "incomplete before it", 0, 0);
	while (turns++ < 20 && !incomplete())
		tried += each_fork();
	if (!incomplete())
		complain("fork", "nothing is said of the child that was not followed", 0, 0);
	close(sock);
	printf("fork: %u allocations in %u turns\n", tried, turns - 1);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*make)(void);
	} kinds[] = {
		{ "session on CPUs", of_cpus }, { "session on a task", of_this_task },
		{ "session of sets", of_sets }, { "session with samples", of_samples },
		{ "session with PEBS", of_pebs },
	};

	nth_fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth_fd < 0)
		die("/proc/thread-self/fail-nth");
	open_socket();
	begin(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	put(CTRL_ATTR_FAMILY_NAME, PMUCTL_FAMILY_NAME, sizeof(PMUCTL_FAMILY_NAME));
	if (answer() || !family)
		die("family");
	close(sock);
	each_fails("info", info, false);
	each_fails("sessions", sessions, false);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		each_fails(kinds[i].name, kinds[i].make, false);
		of_session(kinds[i].name, kinds[i].make);
	}
	forks();
	return failures != 0;
}
