// SPDX-License-Identifier: GPL-2.0-only
/*
 * Refusals with a text: extack messages made at run time, on any kernel.
 */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "why.h"

/*
 * The kernel reads the text when it sends the acknowledgement, after doit has
 * returned; 6.1 has no room for it in the extack and 6.12 has 80 characters.
 * So a text lives with (socket, task): a task is in one request at a time and
 * keeps its socket open until it has been answered.
 */
struct text {
	struct list_head node;
	const struct task_struct *task;
	u32 portid;
	char line[512];
};

/* What threads of one privileged process may make us keep. */
#define TEXTS_MAX	256

static LIST_HEAD(texts);
static unsigned int nr_texts;
static DEFINE_MUTEX(texts_lock);

static struct text *text_of_caller(u32 portid)
{
	struct text *text;

	list_for_each_entry(text, &texts, node)
		if (text->task == current && text->portid == portid)
			return text;
	if (nr_texts >= TEXTS_MAX)
		return NULL;
	text = kzalloc(sizeof(*text), GFP_KERNEL);
	if (!text)
		return NULL;
	text->task = current;
	text->portid = portid;
	list_add(&text->node, &texts);
	nr_texts++;
	return text;
}

static void tell(const struct pmuctl_why *why, struct va_format *vaf)
{
	struct text *text;

	if (!why) {
		pr_err("pmuctl: %pV\n", vaf);
		return;
	}
	mutex_lock(&texts_lock);
	text = text_of_caller(why->portid);
	mutex_unlock(&texts_lock);
	if (!text) {
		NL_SET_ERR_MSG(why->extack,
			       "refused, and no memory left to say why");
		return;
	}
	scnprintf(text->line, sizeof(text->line), "%pV", vaf);
	if (why->extack)
		why->extack->_msg = text->line;
}

int pmuctl_why(const struct pmuctl_why *why, int err, const char *fmt, ...)
{
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	vaf.va = &args;
	tell(why, &vaf);
	va_end(args);
	return err;
}

int pmuctl_why_attr(const struct pmuctl_why *why, const struct nlattr *attr,
		    int err, const char *fmt, ...)
{
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	vaf.va = &args;
	tell(why, &vaf);
	va_end(args);
	if (why && why->extack)
		NL_SET_BAD_ATTR(why->extack, attr);
	return err;
}

static void forget(struct text *text)
{
	list_del(&text->node);
	kfree(text);
	nr_texts--;
}

void pmuctl_why_forget(u32 portid)
{
	struct text *text, *next;

	mutex_lock(&texts_lock);
	list_for_each_entry_safe(text, next, &texts, node)
		if (text->portid == portid)
			forget(text);
	mutex_unlock(&texts_lock);
}

void pmuctl_why_exit(void)
{
	struct text *text, *next;

	list_for_each_entry_safe(text, next, &texts, node)
		forget(text);
}
