// SPDX-License-Identifier: GPL-2.0-only
/*
 * Refusals with a text: extack messages made at run time, on any kernel.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cred.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uidgid.h>

#include "kmod/base/why.h"

/*
 * The kernel reads the text when it sends the acknowledgement, after doit has
 * returned; 6.1 has no room for it in the extack and 6.12 has 80 characters.
 * A task is in one request at a time and has been answered when it comes with
 * the next one, whatever its socket, so a text is a task's.  It is nobody's
 * when the socket is closed that the task asked through last.
 *
 * There are so many and no more, whoever asks with however many tasks.  When
 * a user's share is used up, or all are taken, the one written longest ago is
 * used again, but none that may just be read: a text that grew meanwhile would
 * not fit into its acknowledgement, which the kernel warns of.  So a user who
 * floods the module is refused without words, and others are told.
 */
struct text {
	struct list_head node;
	const struct task_struct *task;	/* NULL: nobody's */
	struct pmuctl_socket socket;	/* held, unless nobody's */
	kuid_t uid;
	unsigned long written;		/* jiffies */
	char line[512];
};

#define TEXTS_MAX	512
#define TEXTS_OF_USER	128
/* Longer than an acknowledgement takes, even on an overloaded machine. */
#define IN_USE		(5 * HZ)

/* Nobody's first, then those written longest ago. */
static LIST_HEAD(texts);
static unsigned int nr_texts;
static DEFINE_MUTEX(texts_lock);

static struct text *text_alloc(void)
{
	struct text *text = kzalloc(sizeof(*text), GFP_KERNEL);

	if (!text)
		return NULL;
	list_add(&text->node, &texts);
	nr_texts++;
	return text;
}

static struct text *text_to_reuse(struct text *text)
{
	return time_after(jiffies, text->written + IN_USE) ? text : NULL;
}

static struct text *text_find(void)
{
	struct text *text, *oldest = NULL;
	unsigned int n = 0;

	list_for_each_entry(text, &texts, node) {
		if (text->task == current)
			return text;
		if (!text->task || !uid_eq(text->uid, current_uid()))
			continue;
		if (!n++)
			oldest = text;
	}
	if (n >= TEXTS_OF_USER)
		return text_to_reuse(oldest);
	text = list_first_entry_or_null(&texts, struct text, node);
	if (text && !text->task)
		return text;
	return nr_texts < TEXTS_MAX ? text_alloc() : text_to_reuse(text);
}

static void text_drop(struct text *text)
{
	if (!text->task)
		return;
	pmuctl_socket_put(&text->socket, PMUCTL_OWNED_TEXT);
	text->task = NULL;
	list_move(&text->node, &texts);
}

static struct text *text_of_caller(const struct pmuctl_socket *socket)
{
	struct text *text = text_find();
	int err;

	if (!text)
		return NULL;
	/* Before the last is let go: mostly it is the same socket. */
	err = pmuctl_socket_hold(socket, PMUCTL_OWNED_TEXT);
	text_drop(text);
	if (err)
		return NULL;
	text->task = current;
	text->socket = *socket;
	text->uid = current_uid();
	text->written = jiffies;
	list_move_tail(&text->node, &texts);
	return text;
}

static void why_tell(const struct pmuctl_why *why, struct va_format *vaf)
{
	struct text *text;

	if (!why) {
		pr_err("%pV\n", vaf);
		return;
	}
	mutex_lock(&texts_lock);
	text = text_of_caller(&why->socket);
	mutex_unlock(&texts_lock);
	if (!text) {
		NL_SET_ERR_MSG(why->extack,
			       "refused, and no room left to say why: ask with fewer tasks, or again later");
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
	why_tell(why, &vaf);
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
	why_tell(why, &vaf);
	va_end(args);
	if (why && why->extack)
		NL_SET_BAD_ATTR(why->extack, attr);
	return err;
}

int pmuctl_why_unloading(const struct pmuctl_why *why)
{
	return pmuctl_why(why, -ENODEV,
			  "the module is being unloaded: load it again");
}

void pmuctl_why_forget_closed(u32 portid)
{
	struct text *text, *next;

	if (!pmuctl_socket_owns(portid, PMUCTL_OWNED_TEXT))
		return;
	mutex_lock(&texts_lock);
	list_for_each_entry_safe(text, next, &texts, node)
		if (text->task && text->socket.portid == portid &&
		    pmuctl_socket_closed(&text->socket))
			text_drop(text);
	mutex_unlock(&texts_lock);
}

/* No request is under way. */
void pmuctl_why_exit(void)
{
	struct text *text, *next;

	list_for_each_entry_safe(text, next, &texts, node) {
		text_drop(text);
		list_del(&text->node);
		kfree(text);
	}
}
