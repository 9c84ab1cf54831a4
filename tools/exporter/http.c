// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages by HTTP, of one thread: libmicrohttpd is given time when its descriptor has something, and
 * never waits.
 *
 * Each connection is one request.  It has some seconds for it, and where there are many the oldest
 * one goes for the next: whoever holds connections open keeps nobody else from a page.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/exporter/exporter.h"
#include "tools/exporter/mhd.h"

#define CONNECTIONS 64
/* So many stay free for who comes next. */
#define SPARE 16
#define PATIENCE_NS (10 * 1000000000ull)
/* Of a connection's requests and headers, in bytes. */
#define CONNECTION_MEMORY (16 * 1024)

#define TEXT_TYPE "text/plain; version=0.0.4; charset=utf-8"
#define OPENMETRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

struct connection {
	int fd;			/* -1: none */
	bool cut;
	uint64_t since_ns;
};

struct http {
	struct http_options options;
	struct mhd mhd;
	struct MHD_Daemon *daemon;
	int fd;			/* its epoll's */
	struct connection connections[CONNECTIONS];
	unsigned int count;
};

bool mhd_load(struct mhd *mhd)
{
	/* It stays: what it allocates belongs to the process. */
	void *handle = dlopen(MHD_SONAME, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	bool all = handle;

#define LOAD(name)								\
	all = all && (mhd->name = (__typeof__(mhd->name))(uintptr_t)dlsym(handle, "MHD_" #name));
	MHD_FUNCTIONS(LOAD)
#undef LOAD
	return all;
}

/* ---- where it listens ---------------------------------------------------------------------- */

bool http_split(const char *text, char *address, size_t size, char *port, size_t port_size)
{
	const char *colon = strrchr(text, ':'), *end = colon;

	if (!colon || colon == text || !colon[1] || strlen(colon + 1) >= port_size)
		return false;
	if (*text == '[' && colon[-1] == ']') {
		text++;
		end--;
	} else if (memchr(text, ':', (size_t)(colon - text))) {
		return false;
	}
	if (end <= text || (size_t)(end - text) >= size)
		return false;
	snprintf(address, size, "%.*s", (int)(end - text), text);
	snprintf(port, port_size, "%s", colon + 1);
	return true;
}

static bool is_loopback(const struct sockaddr *address)
{
	const unsigned char *bytes;

	if (address->sa_family == AF_INET) {
		bytes = (const unsigned char *)&((const struct sockaddr_in *)address)->sin_addr;
		return bytes[0] == 127;
	}
	return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static int cannot_listen(const char *listen, int err)
{
	return complain("exporter", EXIT_FAILED, "--listen %s: %s%s", listen, strerror(err),
			err == EADDRINUSE ? "; `ss -ltnp` says who has the port" : "");
}

/* A socket, or -1 after a complaint. */
static int open_socket(const char *text, const struct addrinfo *found)
{
	int on = 1, fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0) {
		cannot_listen(text, errno);
		return -1;
	}
	/* Connections of the exporter before this one may still fade away. */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (found->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (!bind(fd, found->ai_addr, found->ai_addrlen) && !listen(fd, SOMAXCONN)) {
		if (!is_loopback(found->ai_addr))
			complain("exporter", 0, "warning: --listen %s: whoever reaches this address reads the "
				 "counts; TLS and passwords are a reverse proxy's", text);
		return fd;
	}
	cannot_listen(text, errno);
	close(fd);
	return -1;
}

static int listen_at(const char *text)
{
	const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *found = NULL;
	char address[64], port[8];
	int err, fd;

	http_split(text, address, sizeof(address), port, sizeof(port));
	err = getaddrinfo(address, port, &hints, &found);
	if (err) {
		complain("exporter", 0, "--listen %s: %s: it takes an address in numbers", text,
			 gai_strerror(err));
		return -1;
	}
	fd = open_socket(text, found);
	freeaddrinfo(found);
	return fd;
}

/* ---- what a client wants ------------------------------------------------------------------- */

/* "q=0.5" among the parameters of a media type; 1 without it. */
static double quality(const char *parameters, size_t length)
{
	const char *at = parameters, *end = parameters + length;

	while (at < end && (at = memchr(at, ';', (size_t)(end - at)))) {
		at++;
		while (at < end && isspace((unsigned char)*at))
			at++;
		if (end - at > 2 && tolower((unsigned char)at[0]) == 'q' && at[1] == '=')
			return strtod(at + 2, NULL);
	}
	return 1;
}

static bool is_type(const char *range, size_t length, const char *type)
{
	size_t name = strcspn(range, ";, \t");

	return name <= length && name == strlen(type) && !strncasecmp(range, type, name);
}

/* By name: who takes anything gets what everybody understands. */
bool http_wants_openmetrics(const char *accept)
{
	double ours = 0, plain = 0, q;
	size_t length;

	for (; accept && *accept; accept += length + !!accept[length]) {
		accept += strspn(accept, " \t");
		length = strcspn(accept, ",");
		q = quality(accept, length);
		if (is_type(accept, length, "application/openmetrics-text") && q > ours)
			ours = q;
		else if (is_type(accept, length, "text/plain") && q > plain)
			plain = q;
	}
	return ours > 0 && ours >= plain;
}

/* ---- answers ------------------------------------------------------------------------------- */

/* text becomes the library's. */
static enum MHD_Result answer(struct http *http, struct MHD_Connection *connection,
			      unsigned int code, const char *type, char *text, size_t size)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	response = http->mhd.create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
	if (!response) {
		free(text);
		return MHD_NO;
	}
	http->mhd.add_response_header(response, "Content-Type", type);
	http->mhd.add_response_header(response, "Connection", "close");
	if (code == MHD_HTTP_METHOD_NOT_ALLOWED)
		http->mhd.add_response_header(response, "Allow", "GET, HEAD");
	result = http->mhd.queue_response(connection, code, response);
	http->mhd.destroy_response(response);
	return result;
}

static enum MHD_Result answer_in_words(struct http *http, struct MHD_Connection *connection,
				       unsigned int code, const char *words)
{
	char *text = strdup(words);

	http->options.own->refused += code != MHD_HTTP_OK;
	return text ? answer(http, connection, code, "text/plain; charset=utf-8", text,
			     strlen(text)) : MHD_NO;
}

static enum MHD_Result answer_page(struct http *http, struct MHD_Connection *connection)
{
	bool openmetrics = http_wants_openmetrics(http->mhd.lookup_connection_value(connection,
						  MHD_HEADER_KIND, "Accept"));
	char *text;
	size_t size;

	if (http->options.page(http->options.data, openmetrics, &text, &size))
		return answer_in_words(http, connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
				       "out of memory\n");
	return answer(http, connection, MHD_HTTP_OK, openmetrics ? OPENMETRICS_TYPE : TEXT_TYPE,
		      text, size);
}

/* What a client sends behind its headers is not waited for. */
static enum MHD_Result on_request(void *data, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *upload,
				  size_t *upload_size, void **request)
{
	struct http *http = data;

	(void)version;
	(void)upload;
	*upload_size = 0;
	*request = http;
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return answer_in_words(http, connection, MHD_HTTP_METHOD_NOT_ALLOWED,
				       "GET /metrics is all there is\n");
	if (!strcmp(url, "/metrics"))
		return answer_page(http, connection);
	if (!strcmp(url, "/"))
		return answer_in_words(http, connection, MHD_HTTP_OK,
				       "pmuctl exporter: /metrics has the counts\n");
	return answer_in_words(http, connection, MHD_HTTP_NOT_FOUND, "there is /metrics alone\n");
}

/* ---- who is too slow, or too many ---------------------------------------------------------- */

/* The library sees the end of it, and closes it. */
static void cut(struct http *http, struct connection *c)
{
	if (c->fd < 0 || c->cut)
		return;
	c->cut = true;
	http->options.own->cut++;
	shutdown(c->fd, SHUT_RDWR);
}

static struct connection *oldest(struct http *http)
{
	struct connection *first = NULL, *c;

	for (c = http->connections; c < http->connections + CONNECTIONS; c++)
		if (c->fd >= 0 && !c->cut && (!first || c->since_ns < first->since_ns))
			first = c;
	return first;
}

static struct connection *free_connection(struct http *http)
{
	struct connection *c;

	for (c = http->connections; c < http->connections + CONNECTIONS; c++)
		if (c->fd < 0)
			return c;
	return NULL;
}

static void on_connection(void *data, struct MHD_Connection *connection, void **own,
			  enum MHD_ConnectionNotificationCode what)
{
	const union MHD_ConnectionInfo *info;
	struct http *http = data;
	struct connection *c;

	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		c = *own;
		if (c) {
			c->fd = -1;
			http->count--;
		}
		return;
	}
	info = http->mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	c = free_connection(http);
	*own = c;
	if (!c || !info)
		return;
	*c = (struct connection){ .fd = info->connect_fd, .since_ns = now_ns() };
	if (++http->count > CONNECTIONS - SPARE)
		cut(http, oldest(http));
}

static void cut_slow(struct http *http, uint64_t *deadline_ns)
{
	uint64_t now = now_ns();
	struct connection *c;

	for (c = http->connections; c < http->connections + CONNECTIONS; c++) {
		if (c->fd < 0 || c->cut)
			continue;
		if (now >= c->since_ns + PATIENCE_NS)
			cut(http, c);
		else if (!*deadline_ns || c->since_ns + PATIENCE_NS < *deadline_ns)
			*deadline_ns = c->since_ns + PATIENCE_NS;
	}
}

/* ---- from its begin to its end ------------------------------------------------------------- */

/* Of what clients do wrong there is nothing to say: they are told. */
__attribute__((format(printf, 2, 0)))
static void say_nothing(void *data, const char *fmt, va_list ap)
{
	(void)data;
	(void)fmt;
	(void)ap;
}

static bool start_daemon(struct http *http, int socket)
{
	const union MHD_DaemonInfo *info;

	http->daemon = http->mhd.start_daemon(MHD_USE_EPOLL | MHD_USE_ERROR_LOG, 0, NULL, NULL,
		on_request, http, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
		MHD_OPTION_LISTEN_SOCKET, socket,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CONNECTIONS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, http, MHD_OPTION_END);
	if (!http->daemon)
		return false;
	info = http->mhd.get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	if (!info)
		return false;
	http->fd = info->epoll_fd;
	return true;
}

int http_open(const struct http_options *options, struct http **opened)
{
	struct http *http = calloc(1, sizeof(*http));
	int socket;
	size_t i;

	if (!http)
		return complain("exporter", EXIT_FAILED, "out of memory");
	http->options = *options;
	for (i = 0; i < CONNECTIONS; i++)
		http->connections[i].fd = -1;
	if (!mhd_load(&http->mhd)) {
		free(http);
		return complain("exporter", EXIT_FAILED, "--listen %s: " MHD_SONAME " cannot be loaded; "
				"install libmicrohttpd12, or write files by --textfile", options->listen);
	}
	socket = listen_at(options->listen);
	if (socket < 0) {
		free(http);
		return EXIT_FAILED;
	}
	*opened = http;
	if (start_daemon(http, socket))
		return 0;
	if (!http->daemon)
		close(socket);
	return complain("exporter", EXIT_FAILED, "--listen %s: libmicrohttpd does not start",
			options->listen);
}

int http_fd(const struct http *http)
{
	return http->fd;
}

void http_run(struct http *http, uint64_t *deadline_ns)
{
	unsigned long long ms;

	*deadline_ns = 0;
	cut_slow(http, deadline_ns);
	http->mhd.run(http->daemon);
	if (http->mhd.get_timeout(http->daemon, &ms) == MHD_YES &&
	    (!*deadline_ns || now_ns() + ms * 1000000 < *deadline_ns))
		*deadline_ns = now_ns() + ms * 1000000;
	/* Who came just now has a deadline as well. */
	cut_slow(http, deadline_ns);
}

void http_close(struct http *http)
{
	if (!http)
		return;
	if (http->daemon)
		http->mhd.stop_daemon(http->daemon);
	free(http);
}
