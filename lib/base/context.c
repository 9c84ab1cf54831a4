// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The context: what everything else hangs on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"

/* "" says that there is none, whatever the environment has. */
static int take_events_dir(struct pmuctl *c, const char *dir)
{
	if (!dir)
		dir = secure_getenv("PMUCTL_EVENTS_DIR");
	if (!dir || !dir[0])
		return 0;
	c->events_dir = strdup(dir);
	return c->events_dir ? 0 : -ENOMEM;
}

int pmuctl_open(const struct pmuctl_options *options, struct pmuctl **ctx)
{
	struct pmuctl_options own = { .size = sizeof(own) };
	int err = options ? take_sized(NULL, &own, options, sizeof(own)) : 0;
	struct pmuctl *c;

	if (err || !ctx)
		return err ? err : -EINVAL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->log = own.log;
	c->log_data = own.log_data;
	c->alone = own.alone;
	err = take_events_dir(c, own.events_dir);
	if (err)
		free(c);
	else
		*ctx = c;
	return err;
}

uint32_t pmuctl_abi(void)
{
	return PMUCTL_ABI;
}
