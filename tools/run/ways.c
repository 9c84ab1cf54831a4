// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * l3-ways=N: how many ways of the last-level cache a command, or CPUs, may fill.  The kernel gives
 * them to a group of resctrl; no register is written behind it.
 *
 * A keeper makes the group and removes it, so that it goes whatever ends us.  It mounts resctrl
 * where that is not mounted.  A file says that one of us did, and what the default group had then:
 * the last of us unmounts it, if there are no groups of others and the default one is as it was,
 * for that gives all ways to everybody.
 */
#include <cpuid.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/keeper.h"
#include "tools/run/resctrl.h"
#include "tools/run/ways.h"

#define MOUNT_POINT "/sys/fs/resctrl"
#define STATE_PATH "/run/pmuctl-resctrl"
#define SCHEMATA_ROOM 8192
#define ROOT_ROOM 256
#define WAYS_MOST 64

/* ---- the setting ---------------------------------------------------------------------------- */

bool ways_is_named(const char *text)
{
	return !strncmp(text, WAYS_NAME, strlen(WAYS_NAME)) &&
	       (text[strlen(WAYS_NAME)] == '=' || !text[strlen(WAYS_NAME)]);
}

/* The number behind '=', to the end or a comma; 0 if it is none. */
static unsigned int take_number(const char *text)
{
	unsigned long number;
	char *end;

	if (*text != '=' || !isdigit((unsigned char)text[1]))
		return 0;
	number = strtoul(text + 1, &end, 10);
	return (!*end || *end == ',') && number <= WAYS_MOST ? (unsigned int)number : 0;
}

const char *ways_take(char *text, unsigned int *ways)
{
	char *from = text, *to = text;
	bool more = true, kept = false;
	size_t len;

	*ways = 0;
	/* What is empty stays: whoever reads the rest complains of it. */
	while (more) {
		len = strcspn(from, ",");
		more = from[len] == ',';
		if (!strncmp(from, WAYS_NAME, strlen(WAYS_NAME)) &&
		    strcspn(from, "=,") == strlen(WAYS_NAME)) {
			*ways = take_number(from + strlen(WAYS_NAME));
			if (!*ways)
				return "feature '" WAYS_NAME "': its value is a number of ways, from "
				       "1 to what the last-level cache has";
		} else {
			if (kept)
				*to++ = ',';
			kept = true;
			memmove(to, from, len);
			to += len;
		}
		from += len + more;
	}
	*to = '\0';
	return NULL;
}

/* ---- what there is -------------------------------------------------------------------------- */

/* Ways of the last level by CPUID, 0 without cache allocation of it. */
static unsigned int ways_by_cpuid(void)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(ebx & 1u << 15))
		return 0;
	if (!__get_cpuid_count(0x10, 0, &eax, &ebx, &ecx, &edx) || !(ebx & 1u << 1))
		return 0;
	return __get_cpuid_count(0x10, 1, &eax, &ebx, &ecx, &edx) ? (eax & 0x1f) + 1 : 0;
}

/* The kernel registers it only where the processor has something to be divided. */
static bool kernel_has_resctrl(void)
{
	char line[64];
	FILE *file = fopen("/proc/filesystems", "re");
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, "\tresctrl\n") != NULL;
	if (file)
		fclose(file);
	return found;
}

/* NULL, or why nothing can be had. */
static const char *why_none(void)
{
	if (kernel_has_resctrl())
		return NULL;
	if (!ways_by_cpuid())
		return "this processor has no cache allocation of the last level (CAT, CPUID leaf 10H)";
	return "the kernel has no resctrl: it takes one with CONFIG_X86_CPU_RESCTRL, and no "
	       "rdt=!l3cat among its arguments";
}

void ways_look(struct ways_facts *facts)
{
	char root[ROOT_ROOM], *schemata = calloc(1, SCHEMATA_ROOM);
	const char *none = why_none();
	struct resctrl_masks masks;
	struct resctrl_l3 l3;

	*facts = (struct ways_facts){ .ways = none ? 0 : ways_by_cpuid() };
	if (!none && schemata && mounted("resctrl", root, sizeof(root))) {
		if (resctrl_read_l3(root, &l3)) {
			resctrl_read(root, "", "schemata", schemata, SCHEMATA_ROOM);
			facts->ways = l3.ways;
			if (resctrl_parse(schemata, l3.names[0], &masks))
				facts->usual = masks.caches[0].mask;
		} else {
			none = "resctrl does not divide the last level here";
		}
	}
	if (none)
		snprintf(facts->why_not, sizeof(facts->why_not), "%s", none);
	free(schemata);
}

/* ---- the keeper ----------------------------------------------------------------------------- */

struct wanted {
	unsigned int ways;
	const unsigned int *cpus;
	size_t nr_cpus;
	char group[32];
};

/* What it says to us. */
struct said {
	bool refused;
	char text[512];
	char root[ROOT_ROOM];
};

struct keeping {
	const struct wanted *wanted;
	struct said said;
	int state;		/* the file, by whose lock only one of us is at it */
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct keeping *k, const char *fmt, ...)
{
	va_list ap;

	k->said.refused = true;
	va_start(ap, fmt);
	vsnprintf(k->said.text, sizeof(k->said.text), fmt, ap);
	va_end(ap);
	return false;
}

/* What the kernel says of the last thing that it refused. */
static const char *kernel_words(const struct keeping *k, char *text, size_t size)
{
	resctrl_read(k->said.root, "", "info/last_cmd_status", text, size);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static bool mount_number(const char *root, uint64_t *number)
{
	struct statx st;

	if (statx(AT_FDCWD, root, 0, STATX_MNT_ID, &st))
		return false;
	*number = st.stx_mnt_id;
	return true;
}

/* The number of the mount, and what the default group has.  Returns false if that is not noted. */
static bool note_mount(struct keeping *k)
{
	char *text = calloc(1, SCHEMATA_ROOM);
	uint64_t number = 0;
	bool noted = false;
	int used;

	if (text && mount_number(k->said.root, &number)) {
		used = snprintf(text, SCHEMATA_ROOM, "%" PRIu64 "\n", number);
		resctrl_read(k->said.root, "", "schemata", text + used,
			     SCHEMATA_ROOM - (size_t)used);
		noted = !ftruncate(k->state, 0) &&
			pwrite(k->state, text, strlen(text), 0) == (ssize_t)strlen(text);
	}
	free(text);
	return noted;
}

/* One of us mounted it, and the default group is as it was then. */
static bool mount_is_ours(const struct keeping *k)
{
	char *text = calloc(2, SCHEMATA_ROOM), *now = text ? text + SCHEMATA_ROOM : NULL;
	uint64_t number, noted;
	bool ours = false;
	int end = 0;

	if (text && pread(k->state, text, SCHEMATA_ROOM - 1, 0) > 0 &&
	    sscanf(text, "%" SCNu64 "%n", &noted, &end) == 1 && text[end] == '\n' &&
	    mount_number(k->said.root, &number) && number == noted) {
		resctrl_read(k->said.root, "", "schemata", now, SCHEMATA_ROOM);
		ours = !strcmp(text + end + 1, now);
	}
	free(text);
	return ours;
}

static bool find_root(struct keeping *k)
{
	if (mounted("resctrl", k->said.root, sizeof(k->said.root)))
		return true;
	snprintf(k->said.root, sizeof(k->said.root), MOUNT_POINT);
	if (mount("resctrl", MOUNT_POINT, "resctrl", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return refuse(k, "resctrl cannot be mounted at " MOUNT_POINT ": %s", strerror(errno));
	if (note_mount(k))
		return true;
	umount2(MOUNT_POINT, 0);
	return refuse(k, STATE_PATH " cannot be written: %s", strerror(errno));
}

static bool check_ways(struct keeping *k, const struct resctrl_l3 *l3)
{
	char name[300];
	const char *mode;
	uint64_t mask = resctrl_lowest(k->wanted->ways);

	if (k->wanted->ways > l3->ways || k->wanted->ways < l3->least)
		return refuse(k, "the last-level cache has %u ways, of which %u to %u can be given",
			      l3->ways, l3->least ? l3->least : 1, l3->ways);
	if (resctrl_finds_owner(k->said.root, l3, mask, k->wanted->group, name, sizeof(name),
				&mode))
		return refuse(k, "%s of %s has some of the lowest %u ways for itself (its mode is %s)",
			      name, k->said.root, k->wanted->ways, mode);
	return true;
}

/* A group of our number is of a process that is gone, as is its keeper. */
static bool make_group(struct keeping *k, const struct resctrl_l3 *l3)
{
	char path[ROOT_ROOM + 40], words[160];

	snprintf(path, sizeof(path), "%s/%s", k->said.root, k->wanted->group);
	rmdir(path);
	if (!mkdir(path, 0755))
		return true;
	if (errno == ENOSPC)
		return refuse(k, "no group can be made in %s, which has %u classes of service: '%s'; a "
			      "group of others has to go before (rmdir)", k->said.root, l3->classes,
			      kernel_words(k, words, sizeof(words)));
	return refuse(k, "group %s cannot be made: %s", path, strerror(errno));
}

static bool give_ways(struct keeping *k, const struct resctrl_l3 *l3)
{
	char *text = calloc(2, SCHEMATA_ROOM), words[160];
	const char *group = k->wanted->group;
	bool given = false;
	int err;

	if (!text)
		return refuse(k, "out of memory");
	resctrl_read(k->said.root, group, "schemata", text, SCHEMATA_ROOM);
	if (!resctrl_schemata(l3, text, resctrl_lowest(k->wanted->ways), text + SCHEMATA_ROOM,
			      SCHEMATA_ROOM)) {
		refuse(k, "what %s/%s/schemata says is not understood", k->said.root, group);
		goto out;
	}
	err = resctrl_write(k->said.root, group, "schemata", text + SCHEMATA_ROOM);
	given = !err || refuse(k, "%s/%s/schemata: %s (the kernel says '%s')", k->said.root, group,
			       strerror(-err), kernel_words(k, words, sizeof(words)));
out:
	free(text);
	return given;
}

/* A CPU is one group's: those of others stay theirs. */
static bool check_cpus(struct keeping *k)
{
	char text[1024];
	unsigned int *free_ones;
	size_t count, i;
	const char *why;

	resctrl_read(k->said.root, "", "cpus_list", text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	if (parse_cpulist(text, &free_ones, &count, &why))
		return refuse(k, "%s/cpus_list '%s': %s", k->said.root, text, why);
	for (i = 0; i < k->wanted->nr_cpus; i++)
		if (!is_one_of_cpus(k->wanted->cpus[i], free_ones, count))
			break;
	free(free_ones);
	return i == k->wanted->nr_cpus ||
	       refuse(k, "CPU %u is not the default group's of %s: another group has it",
		      k->wanted->cpus[i], k->said.root);
}

static bool give_cpus(struct keeping *k)
{
	char *text;
	size_t i, size = k->wanted->nr_cpus * 12 + 2, used = 0;
	int err;

	if (!k->wanted->nr_cpus)
		return true;
	if (!check_cpus(k))
		return false;
	text = calloc(1, size);
	if (!text)
		return refuse(k, "out of memory");
	for (i = 0; i < k->wanted->nr_cpus; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%u", i ? "," : "",
					 k->wanted->cpus[i]);
	text[used] = '\n';
	err = resctrl_write(k->said.root, k->wanted->group, "cpus_list", text);
	free(text);
	return !err || refuse(k, "%s/%s/cpus_list: %s", k->said.root, k->wanted->group,
			      strerror(-err));
}

static void leave(struct keeping *k)
{
	char path[ROOT_ROOM + 40];

	snprintf(path, sizeof(path), "%s/%s", k->said.root, k->wanted->group);
	rmdir(path);
	if (!resctrl_has_groups(k->said.root) && mount_is_ours(k) && !umount2(k->said.root, 0) &&
	    ftruncate(k->state, 0))
		/* A number that no mount has any more says nothing. */
		return;
}

static void begin(struct keeping *k)
{
	struct resctrl_l3 l3;

	if (!find_root(k))
		return;
	if (!resctrl_read_l3(k->said.root, &l3))
		refuse(k, "resctrl at %s does not divide the last-level cache", k->said.root);
	else if (check_ways(k, &l3) && make_group(k, &l3) && give_ways(k, &l3))
		give_cpus(k);
	if (k->said.refused)
		leave(k);
}

static int keep(int life, int report, void *data)
{
	struct keeping k = { .wanted = data };
	bool told;
	char byte;

	k.state = open(STATE_PATH, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (k.state < 0 || flock(k.state, LOCK_EX)) {
		refuse(&k, STATE_PATH ": %s", strerror(errno));
	} else {
		begin(&k);
		flock(k.state, LOCK_UN);
	}
	/* Nobody reads it if our ward was killed already; then the group goes at once. */
	told = write(report, &k.said, sizeof(k.said)) == sizeof(k.said);
	if (k.said.refused)
		return 1;
	while (told && read(life, &byte, 1) < 0 && errno == EINTR)
		;
	if (flock(k.state, LOCK_EX))
		return 1;
	leave(&k);
	return 0;
}

/* ---- our side of it ------------------------------------------------------------------------- */

static struct {
	bool held;
	struct keeper keeper;
	struct wanted wanted;
	struct said said;
} ours;

int ways_hold(const char *cmd, unsigned int ways, const unsigned int *cpus, size_t count)
{
	const char *none = why_none();
	int err;

	if (none)
		return complain(cmd, EXIT_FAILED, "cannot hold '" WAYS_NAME "=%u': %s", ways, none);
	if (geteuid())
		return complain(cmd, EXIT_FAILED, "cannot hold '" WAYS_NAME "=%u': only root may use "
				"resctrl; run pmuctl as root", ways);
	ours.wanted = (struct wanted){ .ways = ways, .cpus = cpus, .nr_cpus = count };
	snprintf(ours.wanted.group, sizeof(ours.wanted.group), "pmuctl-%d", (int)getpid());
	err = keeper_start(&ours.keeper, keep, &ours.wanted);
	if (err)
		return complain(cmd, EXIT_FAILED, "cannot hold '" WAYS_NAME "=%u': no process to "
				"guard it: %s", ways, strerror(-err));
	if (keeper_report(&ours.keeper, &ours.said, sizeof(ours.said)))
		ours.said = (struct said){ .refused = true, .text = "the guardian process ended" };
	if (!ours.said.refused) {
		ours.held = true;
		return 0;
	}
	keeper_end(&ours.keeper);
	return complain(cmd, EXIT_FAILED, "cannot hold '" WAYS_NAME "=%u': %s", ways, ours.said.text);
}

int ways_enter(pid_t pid)
{
	char text[16];

	if (!ours.held)
		return 0;
	snprintf(text, sizeof(text), "%d\n", (int)pid);
	return resctrl_write(ours.said.root, ours.wanted.group, "tasks", text);
}

void ways_release(const char *cmd)
{
	if (!ours.held)
		return;
	ours.held = false;
	if (keeper_end(&ours.keeper))
		complain(cmd, 0, "warning: group %s/%s could not be removed yet: process %d does it",
			 ours.said.root, ours.wanted.group, (int)ours.keeper.pid);
}
