// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/pmuctl_kit: reading it asks all questions on the reader's CPU, and has a line for
 * each: name, yes, no, unknown or absent, and what was seen.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/smp.h>

#include "kit.h"

#define NAME "pmuctl_kit"

module_param_named(rounds, kit_rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "overflows for the question whether interrupts are lost");

/* Without is_own the PMU is held around the question. */
static const struct {
	const char *name;
	void (*ask)(struct kit_answer *answer);
	bool is_own;
} questions[] = {
	{ "pebs-records", kit_ask_records },
	{ "counts-recorded", kit_ask_counts_recorded },
	{ "stays-ready", kit_ask_stays_ready },
	{ "names-ready", kit_ask_names_ready },
	{ "names-none", kit_ask_names_none },
	{ "own-bits", kit_ask_own_bits },
	{ "late-bits", kit_ask_late_bits },
	{ "more-bits", kit_ask_more_bits },
	{ "no-buffer-bit", kit_ask_no_buffer_bit },
	{ "unmasked", kit_ask_unmasked, true },
	{ "lost-pmi", kit_ask_lost_pmi, true },
	{ "lost-carry", kit_ask_lost_carry },
	{ "short-dist", kit_ask_short_dist },
	{ "odd-dist", kit_ask_odd_dist },
};

static const char *const verdicts[] = {
	[KIT_UNKNOWN] = "unknown",
	[KIT_NO] = "no",
	[KIT_YES] = "yes",
	[KIT_ABSENT] = "absent",
};

static DEFINE_MUTEX(lock);

void kit_say(struct kit_answer *answer, enum kit_verdict verdict, const char *format, ...)
{
	va_list args;

	answer->verdict = verdict;
	va_start(args, format);
	vscnprintf(answer->text, sizeof(answer->text), format, args);
	va_end(args);
}

static void ask(struct seq_file *file, unsigned int i)
{
	struct kit_answer answer = { };

	preempt_disable();
	if (!questions[i].is_own && (kit_cpu.p4 || kit_cpu.version >= 2)) {
		kit_take();
		questions[i].ask(&answer);
		kit_give_back();
	} else {
		questions[i].ask(&answer);
	}
	preempt_enable();
	seq_printf(file, "%s %s %s\n", questions[i].name, verdicts[answer.verdict], answer.text);
}

static int show(struct seq_file *file, void *data)
{
	unsigned int i;
	int err;

	err = mutex_lock_interruptible(&lock);
	if (err)
		return err;
	err = kit_reserve();
	for (i = 0; !err && i < ARRAY_SIZE(questions); i++) {
		ask(file, i);
		cond_resched();
	}
	if (!err)
		kit_release();
	mutex_unlock(&lock);
	return err;
}

/* In one piece: with a buffer that grows all would be asked again. */
static int open_answers(struct inode *inode, struct file *file)
{
	return single_open_size(file, show, NULL, SZ_16K);
}

static const struct proc_ops ops = {
	.proc_open = open_answers,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init kit_init(void)
{
	int err;

	kit_look();
	err = kit_pebs_init();
	if (err)
		goto err_pebs;
	err = kit_pmi_init();
	if (err)
		goto err_pebs;
	err = -ENOMEM;
	if (!proc_create(NAME, 0400, NULL, &ops))
		goto err_pmi;
	return 0;

err_pmi:
	kit_pmi_exit();
err_pebs:
	kit_pebs_exit();
	return err;
}

static void __exit kit_exit(void)
{
	remove_proc_entry(NAME, NULL);
	kit_pmi_exit();
	kit_pebs_exit();
}

module_init(kit_init);
module_exit(kit_exit);
MODULE_DESCRIPTION("Asks the PMU what its manual leaves open; for tests/metal/run");
MODULE_LICENSE("GPL");
