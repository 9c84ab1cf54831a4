// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl exporter against a kernel of paper: labels, limits, files of events, what a page says of
 * what was counted, clients that are slow or want something else, and files that cannot be written.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "tests/unit/tools/run.h"
#include "tools/exporter/exporter.h"

/* ---- labels -------------------------------------------------------------------------------- */

static void label_is(const char *value, const char *expected)
{
	char *text = NULL, wanted[128];
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool first = true;

	put_label(f, &first, "a", value);
	put_label(f, &first, "b", "");
	fclose(f);
	snprintf(wanted, sizeof(wanted), "a=\"%s\",b=\"\"", expected);
	assert_string_equal(text, wanted);
	free(text);
}

static void labels_are_escaped(void **state)
{
	(void)state;
	label_is("/system.slice/a.service", "/system.slice/a.service");
	label_is("a\"b\\c\nd", "a\\\"b\\\\c\\nd");
	label_is("fe\\x2d1", "fe\\\\x2d1");
	label_is("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7");
	/* Alone, cut off, longer than it needs to be, half of a pair, beyond the last one. */
	label_is("\xff", "\\\\xff");
	label_is("\xe2\x82", "\\\\xe2\\\\x82");
	label_is("\xc0\xaf", "\\\\xc0\\\\xaf");
	label_is("\xe0\x9f\xbf", "\\\\xe0\\\\x9f\\\\xbf");
	label_is("\xed\xa0\x80", "\\\\xed\\\\xa0\\\\x80");
	label_is("\xf4\x90\x80\x80", "\\\\xf4\\\\x90\\\\x80\\\\x80");
	label_is("\xc3(", "\\\\xc3(");
}

/* ---- how many there may be ----------------------------------------------------------------- */

static void series_are_limited(void **state)
{
	struct places all = { .events = 2, .limit = 10 };
	struct place *first, *second, *third;

	(void)state;
	/* Two events and the time: three places have room. */
	assert_int_equal(places_series(&all), 3);
	first = places_get(&all, SCOPE_CGROUP, "cgroup=\"/a\"");
	second = places_get(&all, SCOPE_CORE, "core=\"0\"");
	third = places_get(&all, SCOPE_CGROUP, "core=\"0\"");
	assert_non_null(first);
	assert_true(second && third && second != third);
	first->targets = second->targets = third->targets = 1;
	assert_ptr_equal(places_get(&all, SCOPE_CORE, "core=\"0\""), second);
	/* Threads of one core are one place, in or out. */
	assert_null(places_get(&all, SCOPE_CORE, "core=\"1\""));
	assert_null(places_get(&all, SCOPE_CORE, "core=\"1\""));
	assert_null(places_get(&all, SCOPE_CORE, "core=\"2\""));
	assert_int_equal(all.nr_left, 2);
	places_ask_anew(&all);
	assert_int_equal(all.nr_left, 0);

	/* Who has gone first makes room, and nobody else does. */
	first->targets = third->targets = 0;
	first->left_ns = 200;
	third->left_ns = 100;
	assert_non_null(places_get(&all, SCOPE_CORE, "core=\"1\""));
	assert_int_equal(all.count, 3);
	assert_ptr_equal(places_get(&all, SCOPE_CGROUP, "cgroup=\"/a\""), first);
	places_forget(&all, 200);
	assert_int_equal(all.count, 2);
	assert_ptr_equal(all.list[0], first);
	places_forget(&all, 201);
	assert_int_equal(all.count, 1);
	assert_ptr_equal(all.list[0], second);
	places_free(&all);
}

/* ---- files of events ----------------------------------------------------------------------- */

static char path[] = "/tmp/exporter-XXXXXX";

static void put_file(const char *text, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, text, size), size);
	close(fd);
}

static void lines_are(const char *text, const char *expected)
{
	struct event_lines lines = { .list = NULL };
	char got[256] = "";
	size_t i, at = 0;

	put_file(text, strlen(text));
	assert_int_equal(event_lines_read(&lines, path), 0);
	for (i = 0; i < lines.count; i++)
		at += (size_t)snprintf(got + at, sizeof(got) - at, "%s:%s;", lines.list[i].group,
				       lines.list[i].text);
	assert_string_equal(got, expected);
	event_lines_free(&lines);
}

/* The command says so, and which line it is. */
static void file_is_bad(const char *text, size_t size, const char *why)
{
	char line[128];

	put_file(text, size);
	snprintf(line, sizeof(line), "exporter --events-file %s", path);
	RUN_HAS(line, 129, why);
}

static void files_of_events(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	lines_are("cycles", ":cycles;");
	lines_are("# all\ncycles, instructions # two\r\n\n[mem]\n\tllc-loads\t\n[a-b.c_1]\n{x,y}:u\n",
		  ":cycles, instructions;mem:llc-loads;a-b.c_1:{x,y}:u;");
	file_is_bad("", 0, "there is no event in it");
	file_is_bad("[a]\n", 4, "there is no event in it");
	file_is_bad("cycles\n[a\n", 10, ":2: '[a': a group begins with its name in brackets");
	file_is_bad("[]\n", 3, ":1: '[]': a group begins");
	file_is_bad("[a b]\n", 6, ":1: '[a b]': the name of a group has letters");
	file_is_bad("cycles\n\n{a,b\n", 13, ":3: '{a,b'");
	file_is_bad("cycles\n\0\n", 9, ":2: a byte of 0");
	file_is_bad("cycles,cycles\n", 14, "event 'cycles' is there twice: it would be one series");
	file_is_bad("[a]\ncycles\ncycles\n", 18, "'cycles' is there twice, in group a");
	file_is_bad("nosuch\n", 7, "event 'nosuch': no such event");
	unlink(path);
	RUN_HAS("exporter --events-file /nowhere/x", 255, "cannot read /nowhere/x: No such file");
}

/* ---- the command line ---------------------------------------------------------------------- */

static void usage_is_checked(void **state)
{
	(void)state;
	RUN_HAS("exporter true", 129, "'true': it takes no argument\nusage: pmuctl exporter");
	RUN_HAS("exporter -e", 129, "needs a value");
	RUN_HAS("exporter -e nosuch", 129, "event 'nosuch': no such event");
	RUN_HAS("exporter -e cycles,cycles", 129, "event 'cycles' is there twice: it would be");
	RUN_HAS("exporter --by cgroup", 129, "--by 'cgroup': it is cpu, core, package, machine or");
	RUN_HAS("exporter --by none", 129, "--by none counts no CPU: it goes with -G or --unit");
	RUN_HAS("exporter -I 1000", 129, "-I is the time between two files of --textfile");
	RUN_HAS("exporter --textfile /nowhere/x -I 99", 129, "-I '99': not a number from 100 to");
	RUN_HAS("exporter --textfile /nowhere/x", 255, "--textfile /nowhere/x: No such file");
	RUN_HAS("exporter --listen 9976", 129, "--listen '9976': it is an address and a port, like");
	RUN_HAS("exporter --listen 127.0.0.1:65536", 129, "port of --listen '65536': not a number");
	RUN_HAS("exporter --listen localhost:9976", 255, "it takes an address in numbers");
	RUN_HAS("exporter --max-series 4", 129, "--max-series 4: one place alone has 5 series");
	RUN_HAS("exporter --topdown --by cpu -G a", 129, "of CPUs and of control groups at once: not yet");
	RUN_HAS("exporter -e cycles:u,r01c4,r02c4,r03c4,r04c4,r05c4,r06c4,r07c4,r08c4,r09c4", 255,
		"do not fit into the counters of this processor at once");
}

static void split_is(const char *text, const char *address, const char *port)
{
	char a[32] = "", p[8] = "";

	assert_int_equal(http_split(text, a, sizeof(a), p, sizeof(p)), address != NULL);
	if (address) {
		assert_string_equal(a, address);
		assert_string_equal(p, port);
	}
}

static void addresses(void **state)
{
	(void)state;
	split_is("127.0.0.1:9976", "127.0.0.1", "9976");
	split_is("[::1]:80", "::1", "80");
	split_is("::1:80", NULL, NULL);
	split_is(":80", NULL, NULL);
	split_is("[]:80", NULL, NULL);
	split_is("127.0.0.1", NULL, NULL);
	split_is("127.0.0.1:", NULL, NULL);
	split_is("127.0.0.1:123456789", NULL, NULL);
	split_is("0123456789012345678901234567890123456789:1", NULL, NULL);
}

static void formats_by_wish(void **state)
{
	(void)state;
	assert_false(http_wants_openmetrics(NULL));
	assert_false(http_wants_openmetrics(""));
	assert_false(http_wants_openmetrics("*/*"));
	assert_false(http_wants_openmetrics("text/plain"));
	assert_true(http_wants_openmetrics("application/openmetrics-text"));
	/* What Prometheus sends. */
	assert_true(http_wants_openmetrics("application/openmetrics-text;version=1.0.0,"
		"application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
	assert_false(http_wants_openmetrics("application/openmetrics-text; q=0.3, text/plain;q=0.5"));
	assert_false(http_wants_openmetrics("application/openmetrics-text;q=0"));
	assert_false(http_wants_openmetrics("application/openmetrics-texts,,;;,"));
	assert_true(http_wants_openmetrics("text/html, APPLICATION/OpenMetrics-Text ; Q=1"));
}

/* ---- pages --------------------------------------------------------------------------------- */

static char *page;

static const char *make(struct counts *c, struct own_costs *own, bool openmetrics)
{
	size_t size;

	free(page);
	/* It is not to be one of a moment ago. */
	c->read_at_ns = 0;
	assert_int_equal(page_make(c, own, openmetrics, &page, &size), 0);
	assert_int_equal(strlen(page), size);
	return page;
}

static void has(const char *line)
{
	char whole[512];

	snprintf(whole, sizeof(whole), "\n%s\n", line);
	if (!strstr(page, whole))
		fail_msg("no line '%s' in\n%s", line, page);
}

static void has_not(const char *text)
{
	if (strstr(page, text))
		fail_msg("'%s' is in\n%s", text, page);
}

static void begin(struct counts *c, struct exporter_args *args)
{
	assert_int_equal(counts_open(c, args), 0);
	assert_int_equal(counts_turn(c), 0);
}

static size_t online(void)
{
	unsigned int *cpus;
	size_t count;

	assert_int_equal(online_cpus(&cpus, &count), 0);
	free(cpus);
	return count;
}

/* Sums of CPUs, in both formats; what is counted once more is added, whoever held it between. */
static void sums(void **state)
{
	const char *events[] = { "cycles,instructions:u" };
	struct exporter_args args = {
		.events = { events, 1 }, .scope = SCOPE_MACHINE, .max_series = 100,
	};
	struct own_costs own = { .pages = 0 };
	struct counts c;

	(void)state;
	fake.cpus = (unsigned int)online();
	memset(fake.counts, 0, sizeof(fake.counts));
	fake.counts[0].value = 7;
	fake.counts[fake.cpus].value = 11;
	fake.counts[0].running = fake.counts[0].enabled = 1500000000;
	begin(&c, &args);
	make(&c, &own, false);
	has("pmuctl_up 1");
	has("# TYPE pmuctl_machine_events_total counter");
	has("pmuctl_machine_events_total{event=\"cycles\"} 7");
	has("pmuctl_machine_events_total{event=\"instructions:u\"} 11");
	has("pmuctl_machine_counted_seconds_total 1.500000000");
	has("pmuctl_series 3");
	has("# TYPE pmuctl_build_info gauge");
	has_not("# EOF");
	has_not("pmuctl_down_info");

	fake.counts[0].value = 10;
	make(&c, &own, true);
	has("# TYPE pmuctl_machine_events counter");
	has("pmuctl_machine_events_total{event=\"cycles\"} 10");
	has("# UNIT pmuctl_machine_counted_seconds seconds");
	has("# TYPE pmuctl_build info");
	has("pmuctl_exporter_pages_total 1");
	assert_string_equal(page + strlen(page) - 7, "\n# EOF\n");

	/* The session is over, and somebody has the PMU. */
	fake.fd_errno = EIO;
	fake.fail_cmd = PMUCTL_CMD_COUNT_GET;
	fake.fail_errno = -ENOENT;
	fake.extack = "there is no session 1";
	make(&c, &own, false);
	has("pmuctl_up 0");
	has("pmuctl_down_info{reason=\"module\",text=\"there is no session 1\"} 1");
	has_not("pmuctl_machine_events_total{");
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EBUSY;
	fake.extack = "lent to \"somebody\"";
	assert_int_equal(counts_turn(&c), 0);
	make(&c, &own, false);
	has("pmuctl_up 0");
	if (!strstr(page, "reason=\"held\",") || !strstr(page, "text=\"lent to \\\"somebody\\\"\"} 1\n"))
		fail_msg("%s", page);

	/* And back: a new session begins at 0, the sums go on. */
	fake.fail_cmd = fake.fail_errno = fake.fd_errno = 0;
	fake.extack = NULL;
	fake.counts[0].value = 5;
	assert_int_equal(counts_turn(&c), 0);
	make(&c, &own, false);
	has("pmuctl_up 1");
	has("pmuctl_machine_events_total{event=\"cycles\"} 15");
	counts_close(&c);
}

/* A page is made of what was read a moment ago, and not of what is older. */
static void readings_are_not_too_many(void **state)
{
	struct exporter_args args = { .scope = SCOPE_MACHINE, .max_series = 100 };
	struct own_costs own = { .pages = 0 };
	struct counts c;
	uint64_t reads;
	size_t size;
	char *text;

	(void)state;
	fake.cpus = (unsigned int)online();
	memset(fake.counts, 0, sizeof(fake.counts));
	fake.counts[3 * fake.cpus].value = 19;
	begin(&c, &args);
	make(&c, &own, false);
	has("pmuctl_machine_events_total{event=\"branch-misses\"} 19");
	reads = c.reads;
	/* However long this test is held up. */
	c.read_at_ns = now_ns() + 3600 * SECOND;
	assert_int_equal(page_make(&c, &own, false, &text, &size), 0);
	free(text);
	assert_int_equal(c.reads, reads);
	c.read_at_ns = now_ns() - SECOND;
	assert_int_equal(page_make(&c, &own, false, &text, &size), 0);
	free(text);
	assert_int_equal(c.reads, reads + 1);
	counts_close(&c);
}

static void what_is_left_out_is_counted(void **state)
{
	const char *events[] = { "cycles" };
	struct exporter_args args = {
		.events = { events, 1 }, .scope = SCOPE_CPU, .max_series = 2,
	};
	struct own_costs own = { .pages = 0 };
	char line[64];
	struct counts c;

	(void)state;
	fake.cpus = 1;
	begin(&c, &args);
	make(&c, &own, false);
	has("pmuctl_series 2");
	has("pmuctl_series_limit 2");
	make(&c, &own, false);
	snprintf(line, sizeof(line), "pmuctl_series_left_out_total %zu", 2 * 2 * (online() - 1));
	has(line);
	counts_close(&c);
}

/* A module that has just gone is waited for; whoever may not count waits in vain. */
static void module_comes(void **state)
{
	struct exporter_args args = { .scope = SCOPE_MACHINE, .max_series = 100 };
	struct own_costs own = { .pages = 0 };
	struct counts c;

	(void)state;
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -ENOENT;
	begin(&c, &args);
	make(&c, &own, false);
	has("pmuctl_up 0");
	if (!strstr(page, "pmuctl_down_info{reason=\"module\","))
		fail_msg("%s", page);
	fake.fail_cmd = fake.fail_errno = 0;
	fake.cpus = (unsigned int)online();
	assert_int_equal(counts_turn(&c), 0);
	make(&c, &own, false);
	has("pmuctl_up 1");
	counts_close(&c);

	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EPERM;
	assert_int_equal(counts_open(&c, &args), 0);
	assert_int_equal(counts_turn(&c), 255);
	counts_close(&c);
}

/* ---- by http ------------------------------------------------------------------------------- */

static struct own_costs own_costs;

static int small_page(void *data, bool openmetrics, char **text, size_t *size)
{
	(void)data;
	*text = strdup(openmetrics ? "new\n" : "old\n");
	*size = strlen(*text);
	return *text ? 0 : -ENOMEM;
}

static struct sockaddr_in address;

/* A port that was free a moment ago. */
static struct http *serve(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof(address);
	char listen[32];
	const struct http_options options = {
		.listen = listen, .own = &own_costs, .page = small_page,
	};
	struct http *http;

	memset(&own_costs, 0, sizeof(own_costs));
	address = (struct sockaddr_in){ .sin_family = AF_INET };
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	close(fd);
	snprintf(listen, sizeof(listen), "127.0.0.1:%u", ntohs(address.sin_port));
	assert_int_equal(http_open(&options, &http), 0);
	return http;
}

static int client(const char *request)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
	return fd;
}

static void run_for_a_while(struct http *http)
{
	struct pollfd ready = { .fd = http_fd(http), .events = POLLIN };
	uint64_t deadline;

	do
		http_run(http, &deadline);
	while (poll(&ready, 1, 20) > 0);
	http_run(http, &deadline);
}

static const char *answer(struct http *http, int fd)
{
	static char text[4096];
	size_t size = 0;
	ssize_t got;

	run_for_a_while(http);
	while ((got = recv(fd, text + size, sizeof(text) - 1 - size, MSG_DONTWAIT)) > 0)
		size += (size_t)got;
	text[size] = '\0';
	close(fd);
	return text;
}

static void answers(struct http *http, const char *request, const char *code, const char *part)
{
	const char *text = answer(http, client(request));

	if (strncmp(text, code, strlen(code)) != 0 || !strstr(text, part))
		fail_msg("'%s' is answered with '%s'", request, text);
}

static void requests_are_answered(void **state)
{
	struct http *http = serve();

	(void)state;
	answers(http, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 ", "\r\n\r\nold\n");
	answers(http, "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text\r\n\r\n",
		"HTTP/1.1 200 ", "\r\n\r\nnew\n");
	answers(http, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 ",
		"Content-Type: text/plain; version=0.0.4");
	answers(http, "HEAD /metrics HTTP/1.0\r\n\r\n", "HTTP/1.1 200 ", "Content-Length: 4");
	answers(http, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 ", "/metrics has the counts");
	answers(http, "GET /etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 404 ", "/metrics alone");
	answers(http, "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", "HTTP/1.1 405 ",
		"Allow: GET, HEAD");
	assert_int_equal(own_costs.refused, 2);
	/* Whatever is said of garbage, the next one has a page. */
	answer(http, client("\x16\x03\x01 \xff\xff\r\n\r\n"));
	answer(http, client("GET /metrics\r\n"));
	answers(http, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 ", "\r\n\r\nold\n");
	http_close(http);
}

/* Hundreds that say nothing, or half of something, keep nobody from a page. */
static void slow_clients_make_room(void **state)
{
	struct http *http = serve();
	int fds[200];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(fds); i++) {
		fds[i] = client(i % 2 ? "GET /met" : "");
		if (!(i % 20))
			run_for_a_while(http);
	}
	answers(http, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 ", "\r\n\r\nold\n");
	assert_in_range(own_costs.cut, 100, ARRAY_SIZE(fds));
	for (i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[i]);
	http_close(http);
}

static void ports_are_taken(void **state)
{
	/* Where the command finds it as well, or it would be its leak. */
	static struct http *http;
	char line[64];

	(void)state;
	http = serve();
	snprintf(line, sizeof(line), "exporter --listen 127.0.0.1:%u", ntohs(address.sin_port));
	RUN_HAS(line, 255, "Address already in use; `ss -ltnp` says who has the port");
	http_close(http);
}

/* ---- as a file ----------------------------------------------------------------------------- */

static char directory[] = "/tmp/exporter-XXXXXX";

static const char *read_page(void)
{
	static char text[64];
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "%s/" TEXTFILE_NAME, directory);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	slurp(fd, text, sizeof(text));
	return text;
}

static void file_is_whole(void **state)
{
	struct rlimit old, small = { .rlim_cur = 8 };
	struct textfile t, second;
	char name[64];

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_int_equal(textfile_open(&t, directory), 0);
	assert_int_equal(textfile_open(&second, directory), 255);
	assert_int_equal(second.fd, -1);
	assert_true(textfile_write(&t, "first\n", 6));
	assert_string_equal(read_page(), "first\n");

	/* No room for the next one: the first stays, and nothing lies beside it. */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_false(textfile_write(&t, "0123456789\n", 11));
	assert_int_equal(t.err, -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_string_equal(read_page(), "first\n");
	snprintf(name, sizeof(name), "%s/" TEXTFILE_NAME ".tmp", directory);
	assert_int_not_equal(access(name, F_OK), 0);

	assert_true(textfile_write(&t, "second\n", 7));
	assert_string_equal(read_page(), "second\n");
	textfile_close(&t);
	assert_null(read_page());
	assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_are_escaped),
		cmocka_unit_test(series_are_limited),
		cmocka_unit_test_setup(files_of_events, setup),
		cmocka_unit_test_setup(usage_is_checked, setup),
		cmocka_unit_test(addresses),
		cmocka_unit_test(formats_by_wish),
		cmocka_unit_test_setup(sums, setup),
		cmocka_unit_test_setup(readings_are_not_too_many, setup),
		cmocka_unit_test_setup(what_is_left_out_is_counted, setup),
		cmocka_unit_test_setup(module_comes, setup),
		cmocka_unit_test(requests_are_answered),
		cmocka_unit_test(slow_clients_make_room),
		cmocka_unit_test_setup(ports_are_taken, setup),
		cmocka_unit_test(file_is_whole),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(page);
	return failed;
}
