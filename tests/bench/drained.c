// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples itself and takes what waits in the ring, which alone is in the window:
 * drained LABEL SAMPLES.
 */
#include <stdio.h>
#include <stdlib.h>

#include <pmuctl.h>

#include "spin.h"
#include "window.h"

#define RING_SIZE (4 << 20)

static struct pmuctl *ctx;

static void need(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "drained: %s: %s\n", what, pmuctl_error(ctx));
	exit(1);
}

static struct pmuctl_session *sample_self(void)
{
	const struct pmuctl_sampling sampling = { .size = sizeof(sampling), .period = SPIN_PERIOD };
	struct pmuctl_session *session;
	struct pmuctl_event *event;

	need(pmuctl_open(NULL, &ctx), "open");
	need(pmuctl_session_new(ctx, &session), "session");
	need(pmuctl_event_parse(ctx, "instructions:u", &event), "event");
	need(pmuctl_event_sample(event, &sampling), "sampling");
	need(pmuctl_session_add_event(session, event), "event");
	need(pmuctl_session_add_process(session, getpid()), "target");
	need(pmuctl_session_set_ring(session, RING_SIZE, 0), "ring");
	need(pmuctl_session_create(session, 0), "create");
	pmuctl_event_free(event);
	return session;
}

static int on_records(void *data, unsigned int cpu __attribute__((unused)),
		      const void *records __attribute__((unused)), size_t bytes)
{
	size_t *sum = data;

	*sum += bytes;
	return 0;
}

int main(int argc, char **argv)
{
	struct pmuctl_session *session;
	unsigned long times;
	size_t bytes = 0;

	if (argc != 3)
		return 2;
	times = strtoul(argv[2], NULL, 10);
	session = sample_self();
	/* Once before it counts. */
	need(pmuctl_session_drain(ctx, session, -1, false, on_records, &bytes), "drain");
	need(pmuctl_session_start(session), "start");
	spin(times);
	need(pmuctl_session_stop(session), "stop");
	window_open(atoi(argv[1]));
	need(pmuctl_session_drain(ctx, session, -1, false, on_records, &bytes), "drain");
	window_close(atoi(argv[1]), times);
	pmuctl_session_free(session);
	pmuctl_close(ctx);
	return times && !bytes;
}
