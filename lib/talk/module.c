// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Loading and unloading the kernel module, by way of libkmod.
 *
 * libkmod brings a cryptographic library and two decompressors along, so it
 * is loaded for these two functions alone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libkmod.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/base/private.h"

#define KMOD_SONAME "libkmod.so.2"
#define MODULE_NAME "pmuctl"

struct kmod {
	void *handle;
	struct kmod_ctx *ctx;
	__typeof__(&kmod_new) new;
	__typeof__(&kmod_unref) unref;
	__typeof__(&kmod_set_log_fn) set_log_fn;
	__typeof__(&kmod_module_new_from_name) from_name;
	__typeof__(&kmod_module_new_from_path) from_path;
	__typeof__(&kmod_module_get_path) get_path;
	__typeof__(&kmod_module_get_initstate) get_initstate;
	__typeof__(&kmod_module_insert_module) insert;
	__typeof__(&kmod_module_remove_module) remove;
	__typeof__(&kmod_module_unref) module_unref;
};

static bool load_symbols(struct kmod *k)
{
	return LOAD(k->handle, k->new, "kmod_new") && LOAD(k->handle, k->unref, "kmod_unref") &&
	       LOAD(k->handle, k->set_log_fn, "kmod_set_log_fn") &&
	       LOAD(k->handle, k->from_name, "kmod_module_new_from_name") &&
	       LOAD(k->handle, k->from_path, "kmod_module_new_from_path") &&
	       LOAD(k->handle, k->get_path, "kmod_module_get_path") &&
	       LOAD(k->handle, k->get_initstate, "kmod_module_get_initstate") &&
	       LOAD(k->handle, k->insert, "kmod_module_insert_module") &&
	       LOAD(k->handle, k->remove, "kmod_module_remove_module") &&
	       LOAD(k->handle, k->module_unref, "kmod_module_unref");
}

static void kmod_stop(struct kmod *k)
{
	if (k->ctx)
		k->unref(k->ctx);
	if (k->handle)
		dlclose(k->handle);
}

/* libkmod would print what our caller is told in words anyway. */
static void no_log(void *data, int priority, const char *file, int line, const char *fn,
		   const char *format, va_list args)
{
	(void)data;
	(void)priority;
	(void)file;
	(void)line;
	(void)fn;
	(void)format;
	(void)args;
}

static int kmod_start(struct pmuctl *ctx, struct kmod *k)
{
	k->handle = dlopen(KMOD_SONAME, RTLD_LAZY | RTLD_LOCAL);
	if (k->handle && load_symbols(k))
		k->ctx = k->new(NULL, NULL);
	if (k->ctx) {
		k->set_log_fn(k->ctx, no_log, NULL);
		return 0;
	}
	kmod_stop(k);
	fail(ctx, -ENOSYS, "cannot load %s; install it (Debian: libkmod2)", KMOD_SONAME);
	return -ENOSYS;
}

static bool is_loaded(const struct kmod *k, const struct kmod_module *mod)
{
	int state = k->get_initstate(mod);

	return state == KMOD_MODULE_LIVE || state == KMOD_MODULE_BUILTIN;
}

struct reason {
	int err;
	const char *text;
};

static const struct reason load_reasons[] = {
	{ EPERM, "the kernel refuses; it takes CAP_SYS_MODULE (root), and a machine under "
		 "lockdown takes signed modules only" },
	{ EACCES, "the kernel refuses; it takes CAP_SYS_MODULE (root)" },
	{ ENOEXEC, "it was not built for this kernel; the kernel log says what differs" },
	{ EKEYREJECTED, "its signature is not accepted; this machine takes signed modules only" },
	{ ENOKEY, "it has no signature; this machine takes signed modules only" },
	{ ENODEV, "the module refused this machine; the kernel log says why" },
	{ EOPNOTSUPP, "the module refused this machine; the kernel log says why" },
	{ EBUSY, "the module refused; the kernel log says why" },
};

static int load_failed(struct pmuctl *ctx, int err)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(load_reasons); i++)
		if (load_reasons[i].err == -err)
			return fail(ctx, err, "%s", load_reasons[i].text);
	return fail(ctx, err, "%s; the kernel log may say more", strerror(-err));
}

static int not_installed(struct pmuctl *ctx)
{
	struct utsname name = { .release = "" };

	uname(&name);
	return fail(ctx, -ENOENT,
		    "no module pmuctl in /lib/modules/%s; install it (`make install`), or name "
		    "the file: `pmuctl load ./pmuctl.ko`",
		    name.release);
}

/* depmod's list may be older than the directory. */
static bool is_there(const char *path)
{
	return path && !access(path, F_OK);
}

static int insert(struct pmuctl *ctx, const struct kmod *k, const char *path)
{
	struct kmod_module *mod = NULL;
	int err;

	err = path ? k->from_path(k->ctx, path, &mod) : k->from_name(k->ctx, MODULE_NAME, &mod);
	if (err < 0)
		return fail(ctx, err, "%s", strerror(-err));
	if (is_loaded(k, mod))
		err = fail(ctx, -EALREADY, "the module is loaded already");
	else if (!is_there(k->get_path(mod)))
		err = not_installed(ctx);
	else
		err = k->insert(mod, 0, NULL);
	k->module_unref(mod);
	if (err == -EEXIST)
		return fail(ctx, -EALREADY, "the module is loaded already");
	return err && !ctx->error[0] ? load_failed(ctx, err) : err;
}

int pmuctl_module_load(struct pmuctl *ctx, const char *path)
{
	struct kmod k = { .handle = NULL };
	int err;

	ctx->error[0] = '\0';
	err = kmod_start(ctx, &k);
	if (err)
		return err;
	err = insert(ctx, &k, path);
	kmod_stop(&k);
	return err;
}

static int remove_failed(struct pmuctl *ctx, int err)
{
	switch (err) {
	case -ENOENT:
		return fail(ctx, err, "the module is not loaded");
	case -EAGAIN:
	case -EBUSY:
		return fail(ctx, -EBUSY, "the module is in use");
	case -EPERM:
		return fail(ctx, err, "the kernel refuses; it takes CAP_SYS_MODULE (root)");
	default:
		return fail(ctx, err, "%s; the kernel log may say more", strerror(-err));
	}
}

int pmuctl_module_unload(struct pmuctl *ctx)
{
	struct kmod_module *mod = NULL;
	struct kmod k = { .handle = NULL };
	int err = kmod_start(ctx, &k);

	if (err)
		return err;
	/* Our own socket must not be what keeps it busy. */
	talk_close(ctx);
	err = k.from_name(k.ctx, MODULE_NAME, &mod);
	if (!err)
		err = is_loaded(&k, mod) ? k.remove(mod, O_NONBLOCK) : -ENOENT;
	if (mod)
		k.module_unref(mod);
	kmod_stop(&k);
	return err ? remove_failed(ctx, err) : 0;
}
