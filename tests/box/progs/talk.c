// SPDX-License-Identifier: GPL-2.0-only
/*
 * Talks to the module in plain netlink, without the library: one socket, and
 * on it one request after the other as the arguments say.  Prints what comes
 * back, refusals word for word.
 *
 * talk REQUEST [, REQUEST]...
 *	info | sessions
 *	new FLAGS [pid=N] [tid=N] [cpu=N] [kind=N] [beside=N] [child] [self] [interval=NS]
 *	    [ring=N] [mark=N] [EVENT]...	beside=0: the session made last
 *	    EVENT: ev=FLAGS:EVTSEL:COUNTERS[:SET[:GROUP]][,REG:INDEX:VALUE]...
 *		[@period=N] [@freq=N] [@random=N] [@precise=N] [@content=X] [@stack=N]
 *		or cesr=... of the first Pentium, or
 *		escr=... of a Pentium 4, with 7:0:CCCR behind it; or
 *		metric=... with a field of PERF_METRICS instead of EVTSEL
 *	samples ID [cpu=N] [flush[=N]] [quiet]	takes records and prints them, or
 *				their sums by event and thread
 *	ledger ID
 *	poll MS			the last session's descriptor
 *	finish ID		ends it, whosever it is
 *	flight			hands the socket to nobody: it is on its way, and a
 *				process that has nothing else of ours would get it
 *	hold [cpu=N]... FEATURE=VALUE...	features of the processor, by number
 *	release			the last hold
 *	start ID | stop ID | del ID | count ID | counts ID | reset ID
 *	raw CMD [DUMP] [attr=TYPE:u32:N | attr=TYPE:u64:N | attr=TYPE:bytes:N |
 *		attr=TYPE:hex:DIGITS | cut=N | tail=N]
 *		DIGITS are the bytes; tail has N zero bytes more in the message,
 *		cut N less
 *	fork PROGRAM [ARG]...	makes the child that waits to exec PROGRAM
 *	go			lets it, and waits for its end
 *	end			lets it, and leaves it a zombie
 *	switches		how often its CPU was given to others, once it has ended
 *	confine			itself, by Landlock: it may look into nobody outside
 *	become UID		from here on, on the socket that is open
 *	sleep MS | pause | mark LABEL | cpu N 0|1 (offline or online)
 *	flood N			N more sockets, each with a request that is refused
 *	crowd N			the same, each by a thread of its own
 *	stall			a thread reads the last session's descriptor (flag 8)
 *				into a page that nobody provides, and stays there
 *	until FILE		all of it once more, until there is that file
 * ID 0: the session made last.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/landlock.h>
#include <linux/netlink.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../guest/mark.h"
#include "talk-replies.h"
#include "talk-request.h"

static pid_t child;
static int gate[2];

static void put_hex(unsigned int type, const char *digits)
{
	static unsigned char bytes[4096];
	int n = 0;

	for (; n < (int)sizeof(bytes) && sscanf(digits, "%2hhx", &bytes[n]) == 1; n++)
		digits += 2;
	put(type, bytes, n);
}

static void put_raw(const char *text)
{
	static char zeroes[4096];
	unsigned int type;
	char kind[8] = "";
	unsigned long long value;
	int start = 0;

	if (sscanf(text, "%u:hex:%n", &type, &start) == 1 && start) {
		put_hex(type, text + start);
		return;
	}
	if (sscanf(text, "%u:%7[^:]:%lli", &type, kind, (long long *)&value) != 3)
		die("attr");
	if (!strcmp(kind, "u32"))
		put_u32(type, value);
	else if (!strcmp(kind, "u64"))
		put_u64(type, value);
	else
		put(type, zeroes, value);
}

/* Sends, and prints until the acknowledgement or the end of the dump. */
static int talk(const char *name)
{
	static char buffer[65536];

	if (send(sock, &msg, msg.nl.nlmsg_len, 0) < 0)
		die("send");
	for (;;) {
		int len = recv(sock, buffer, sizeof(buffer), 0);
		struct nlmsghdr *nl = (void *)buffer;

		if (len < 0)
			die("recv");
		for (; NLMSG_OK(nl, len); nl = NLMSG_NEXT(nl, len)) {
			if (nl->nlmsg_type == NLMSG_ERROR)
				return print_error(name, nl);
			if (nl->nlmsg_type == NLMSG_DONE)
				return print_done(name, nl);
			if (nl->nlmsg_type == family)
				print_reply(name, nl);
			else if (!family)
				family = get(nl, CTRL_ATTR_FAMILY_ID);
		}
	}
}

static void connect_family(void)
{
	int one = 1;

	sock = generic_socket();
	if (sock < 0)
		die("socket");
	setsockopt(sock, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	begin(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	put(CTRL_ATTR_FAMILY_NAME, PMUCTL_FAMILY_NAME, sizeof(PMUCTL_FAMILY_NAME));
	if (talk("family") || !family)
		exit(2);
}

static void do_new(char **argv)
{
	begin(family, PMUCTL_CMD_SESSION_NEW, 0);
	put_u64(PMUCTL_A_SESSION_FLAGS, strtoull(*argv++, NULL, 16));
	for (; *argv; argv++) {
		if (!strncmp(*argv, "pid=", 4))
			put_u32(PMUCTL_A_SESSION_PID, atoi(*argv + 4));
		else if (!strncmp(*argv, "tid=", 4))
			put_u32(PMUCTL_A_SESSION_TID, atoi(*argv + 4));
		else if (!strncmp(*argv, "cpu=", 4))
			put_u32(PMUCTL_A_SESSION_CPU, atoi(*argv + 4));
		else if (!strncmp(*argv, "kind=", 5))
			put_u32(PMUCTL_A_SESSION_KIND, strtoul(*argv + 5, NULL, 0));
		else if (!strncmp(*argv, "beside=", 7))
			put_u32(PMUCTL_A_SESSION_BESIDE,
				atoi(*argv + 7) ? strtoul(*argv + 7, NULL, 0) : last_id);
		else if (!strncmp(*argv, "places=", 7))
			put_u32(PMUCTL_A_SESSION_PLACES, strtoul(*argv + 7, NULL, 0));
		else if (!strncmp(*argv, "cgroup=", 7))
			put_u32(PMUCTL_A_SESSION_CGROUP, open(*argv + 7, O_RDONLY | O_CLOEXEC));
		else if (!strcmp(*argv, "child"))
			put_u32(PMUCTL_A_SESSION_PID, child);
		else if (!strcmp(*argv, "self"))
			put_u32(PMUCTL_A_SESSION_PID, getpid());
		else if (!strncmp(*argv, "interval=", 9))
			put_u64(PMUCTL_A_SESSION_INTERVAL, strtoull(*argv + 9, NULL, 0));
		else if (!strncmp(*argv, "ring=", 5))
			put_u32(PMUCTL_A_SESSION_RING, strtoul(*argv + 5, NULL, 0));
		else if (!strncmp(*argv, "mark=", 5))
			put_u32(PMUCTL_A_SESSION_WATERMARK, strtoul(*argv + 5, NULL, 0));
		else if (!strncmp(*argv, "ev=", 3))
			put_event(*argv + 3, PMUCTL_REG_EVTSEL);
		else if (!strncmp(*argv, "escr=", 5))
			put_event(*argv + 5, PMUCTL_REG_ESCR);
		else if (!strncmp(*argv, "cesr=", 5))
			put_event(*argv + 5, PMUCTL_REG_CESR);
		else if (!strncmp(*argv, "metric=", 7))
			put_event(*argv + 7, PMUCTL_REG_METRIC);
	}
	talk("new");
}

static void do_hold(char **argv)
{
	struct pmuctl_feature_value values[8];
	int n = 0;

	begin(family, PMUCTL_CMD_FEATURE_HOLD, 0);
	for (; *argv; argv++) {
		unsigned int id;
		unsigned long long value;

		if (!strncmp(*argv, "cpu=", 4))
			put_u32(PMUCTL_A_SESSION_CPU, atoi(*argv + 4));
		else if (n < 8 && sscanf(*argv, "%u=%llu", &id, &value) == 2)
			values[n++] = (struct pmuctl_feature_value){ id, 0, value };
	}
	put(PMUCTL_A_SESSION_FEATURES, values, n * sizeof(values[0]));
	talk("hold");
}

static void do_release(void)
{
	begin(family, PMUCTL_CMD_FEATURE_RELEASE, 0);
	put_u32(PMUCTL_A_SESSION_HOLD, last_hold);
	talk("release");
}

static void do_raw(char **argv)
{
	int cmd = atoi(*argv++), dump = 0;

	if (*argv && !strcmp(*argv, "DUMP")) {
		dump = NLM_F_DUMP;
		argv++;
	}
	begin(family, cmd, dump);
	for (; *argv; argv++) {
		if (!strncmp(*argv, "tail=", 5))
			msg.nl.nlmsg_len += atoi(*argv + 5);
		else if (!strncmp(*argv, "cut=", 4))
			msg.nl.nlmsg_len -= atoi(*argv + 4);
		else
			put_raw(*argv + strlen("attr="));
	}
	talk("raw");
}

static void do_fork(char **argv)
{
	char byte;

	if (pipe(gate))
		die("pipe");
	child = fork();
	if (child < 0)
		die("fork");
	if (child)
		return;
	/* Or the session would outlive its owner until this child's end. */
	close(sock);
	close(gate[1]);
	if (read(gate[0], &byte, 1) == 1) {
		close(gate[0]);
		execvp(argv[0], argv);
	}
	_exit(127);
}

static void do_go(void)
{
	int status;

	fflush(stdout);
	if (write(gate[1], "g", 1) != 1 || waitpid(child, &status, 0) < 0)
		die("go");
	if (status) {
		printf("go: status %x\n", status);
		failures++;
	}
}

/* What it forbids does not matter; that it is a domain of its own does. */
static void do_confine(void)
{
	const struct landlock_ruleset_attr rules = {
		.handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_BLOCK,
	};
	int fd = syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);

	if (fd < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_landlock_restrict_self, fd, 0))
		die("confine");
	close(fd);
}

/* The process that keeps both ends gets neither the socket nor what it was about. */
static void do_flight(void)
{
	char byte = 0, control[CMSG_SPACE(sizeof(sock))] = "";
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
	pid_t keeper;
	int way[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, way))
		die("socketpair");
	*rights = (struct cmsghdr){ CMSG_LEN(sizeof(sock)), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(rights), &sock, sizeof(sock));
	if (sendmsg(way[1], &message, 0) != 1)
		die("sendmsg");
	keeper = fork();
	if (!keeper) {
		close(sock);
		freopen("/dev/null", "w", stdout);
		for (;;)
			pause();
	}
	printf("flight: kept by %d\n", keeper);
}

static void do_end(void)
{
	siginfo_t info;

	if (write(gate[1], "g", 1) != 1 || waitid(P_PID, child, &info, WEXITED | WNOWAIT))
		die("end");
}

static void do_switches(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage))
		die("getrusage");
	printf("switches: %ld\n", usage.ru_nvcsw + usage.ru_nivcsw);
}

static void do_cpu(char **argv)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", atoi(argv[0]));
	file = fopen(path, "w");
	if (!file || fputs(argv[1], file) < 0 || fclose(file))
		die(path);
}

/* By a socket of its own. */
static void ask_in_vain(void)
{
	int more = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

	begin(family, PMUCTL_CMD_INFO_GET, 0);
	put_u32(PMUCTL_A_SESSION_ID, 0);
	if (more < 0 || send(more, &msg, msg.nl.nlmsg_len, 0) < 0)
		die("flood");
}

static void do_flood(int n)
{
	while (n--)
		ask_in_vain();
}

static int turns[2], asked[2];

static void *ask_in_turn(void *none)
{
	char byte;

	if (read(turns[0], &byte, 1) != 1)
		die("crowd");
	ask_in_vain();
	if (write(asked[1], "", 1) == 1)
		pause();
	return none;
}

/*
 * One after the other within less than the module keeps a text: the debug kernel takes
 * long over a task, so all are there before the first one asks.
 */
static void do_crowd(int n)
{
	pthread_attr_t small;
	pthread_t thread;
	char byte;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	if (pipe(turns) || pipe(asked))
		die("pipe");
	for (int i = 0; i < n; i++) {
		if (pthread_create(&thread, &small, ask_in_turn, NULL))
			die("crowd");
	}
	while (n--) {
		if (write(turns[1], "", 1) != 1 || read(asked[0], &byte, 1) != 1)
			die("crowd");
	}
}

static void *read_into(void *page)
{
	ssize_t size = pread(last_fd, page, 4096, 0);

	printf("stall: read %zd: %s\n", size, strerror(errno));
	return NULL;
}

/* Goes on when the fault is there. */
static void do_stall(void)
{
	int watch = syscall(SYS_userfaultfd, 0);
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register region = {
		.range = { (uintptr_t)page, 4096 },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	struct uffd_msg fault;
	pthread_t thread;

	if (watch < 0 || ioctl(watch, UFFDIO_API, &api) || ioctl(watch, UFFDIO_REGISTER, &region) ||
	    pthread_create(&thread, NULL, read_into, page) ||
	    read(watch, &fault, sizeof(fault)) != sizeof(fault))
		die("stall");
}

static void do_id(const char *name, int cmd, int flags, const char *id)
{
	uint32_t number = id ? strtoul(id, NULL, 0) : 0;

	begin(family, cmd, flags);
	put_u32(PMUCTL_A_SESSION_ID, number ? number : last_id);
	talk(name);
}

static void do_samples(char **argv)
{
	uint32_t number = *argv ? strtoul(*argv, NULL, 0) : 0;

	begin(family, PMUCTL_CMD_SAMPLE_GET, NLM_F_DUMP);
	put_u32(PMUCTL_A_SESSION_ID, number ? number : last_id);
	quiet = 0;
	for (argv += !!*argv; *argv; argv++) {
		if (!strncmp(*argv, "cpu=", 4))
			put_u32(PMUCTL_A_SESSION_CPU, atoi(*argv + 4));
		else if (!strncmp(*argv, "flush", 5))
			put_u32(PMUCTL_A_SESSION_FLUSH, (*argv)[5] ? atoi(*argv + 6) : 1);
		else if (!strcmp(*argv, "quiet"))
			quiet = 1;
	}
	memset(sums, 0, sizeof(sums));
	talk("samples");
	print_sums();
}

static void do_poll(int ms)
{
	struct pollfd fd = { .fd = last_fd, .events = POLLIN };
	int n = poll(&fd, 1, ms);

	printf("poll: %d%s%s\n", n, fd.revents & POLLIN ? " in" : "",
	       fd.revents & POLLHUP ? " hup" : "");
}

static const struct {
	const char *name;
	int cmd, flags;
} by_id[] = {
	{ "start", PMUCTL_CMD_SESSION_START, 0 },
	{ "stop", PMUCTL_CMD_SESSION_STOP, 0 },
	{ "del", PMUCTL_CMD_SESSION_DEL, 0 },
	{ "count", PMUCTL_CMD_COUNT_GET, 0 },
	{ "counts", PMUCTL_CMD_COUNT_GET, NLM_F_DUMP },
	{ "reset", PMUCTL_CMD_COUNT_RESET, 0 },
	{ "ledger", PMUCTL_CMD_LEDGER_GET, NLM_F_DUMP },
	{ "finish", PMUCTL_CMD_SESSION_END, 0 },
};

static void do_request(char **argv)
{
	const char *name = *argv++;
	unsigned int i;

	for (i = 0; i < sizeof(by_id) / sizeof(by_id[0]); i++)
		if (!strcmp(name, by_id[i].name)) {
			do_id(name, by_id[i].cmd, by_id[i].flags, *argv);
			return;
		}
	if (!strcmp(name, "info")) {
		begin(family, PMUCTL_CMD_INFO_GET, 0);
		talk(name);
	} else if (!strcmp(name, "sessions")) {
		begin(family, PMUCTL_CMD_SESSION_GET, NLM_F_DUMP);
		talk(name);
	} else if (!strcmp(name, "new")) {
		do_new(argv);
	} else if (!strcmp(name, "hold")) {
		do_hold(argv);
	} else if (!strcmp(name, "release")) {
		do_release();
	} else if (!strcmp(name, "raw")) {
		do_raw(argv);
	} else if (!strcmp(name, "fork")) {
		do_fork(argv);
	} else if (!strcmp(name, "go")) {
		do_go();
	} else if (!strcmp(name, "end")) {
		do_end();
	} else if (!strcmp(name, "confine")) {
		do_confine();
	} else if (!strcmp(name, "flight")) {
		do_flight();
	} else if (!strcmp(name, "switches")) {
		do_switches();
	} else if (!strcmp(name, "become")) {
		if (setreuid(atoi(*argv), atoi(*argv)))
			die("become");
	} else if (!strcmp(name, "sleep")) {
		usleep(1000 * atoi(*argv));
	} else if (!strcmp(name, "cpu")) {
		do_cpu(argv);
	} else if (!strcmp(name, "samples")) {
		do_samples(argv);
	} else if (!strcmp(name, "poll")) {
		do_poll(atoi(*argv));
	} else if (!strcmp(name, "flood")) {
		do_flood(atoi(*argv));
	} else if (!strcmp(name, "crowd")) {
		do_crowd(atoi(*argv));
	} else if (!strcmp(name, "stall")) {
		do_stall();
	} else if (!strcmp(name, "mark")) {
		pmubox_mark(atoi(*argv));
	} else if (!strcmp(name, "pause")) {
		fflush(stdout);
		pause();
	}
}

int main(int argc, char **argv)
{
	int i = 1, first;

	connect_family();
	while (i < argc) {
		for (first = i; i < argc && argv[i] && strcmp(argv[i], ","); i++)
			;
		if (i < argc)
			argv[i++] = NULL;
		if (!strcmp(argv[first], "until") && argv[first + 1]) {
			if (access(argv[first + 1], F_OK))
				i = 1;
			continue;
		}
		do_request(&argv[first]);
		fflush(stdout);
	}
	return failures ? 1 : 0;
}
