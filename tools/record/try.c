// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether an event can be sampled here, before anything runs for it.
 */
#include <unistd.h>

#include "tools/record/record.h"

/* As one of this thread, which nobody starts. */
static int plan(struct pmuctl *ctx, struct pmuctl_event *event)
{
	struct pmuctl_session *session;
	int err = pmuctl_session_new(ctx, &session);

	if (err)
		return err;
	err = pmuctl_session_add_event(session, event);
	if (!err)
		err = pmuctl_session_add_thread(session, gettid());
	if (!err)
		err = pmuctl_session_create(session, PMUCTL_DRY_RUN);
	pmuctl_session_free(session);
	return err;
}

int record_try(struct pmuctl *ctx, const char *text, const struct pmuctl_sampling *sampling)
{
	struct pmuctl_event *event;
	int err = pmuctl_event_parse(ctx, text, &event);

	if (err)
		return err;
	err = pmuctl_event_sample(event, sampling);
	if (!err)
		err = plan(ctx, event);
	pmuctl_event_free(event);
	return err;
}
