# SPDX-License-Identifier: GPL-2.0-or-later
# Builds, tests and installs pmuctl; make help lists what it can do.

VERSION	:= 0.1
O	?= build
PREFIX	?= /usr/local
T	?=

# One name for one place, or what was built by one would be stale to the other.
override O := $(patsubst $(CURDIR)/%,%,$(abspath $(O)))

ifeq ($(V),1)
Q :=
else
Q := @
MAKEFLAGS += --no-print-directory
endif

export PMUCTL_CACHE := $(abspath $(or $(PMUCTL_CACHE),$(or $(XDG_CACHE_HOME),$(or \
	$(HOME),/root)/.cache)/pmuctl))

# The same sources make the same files, wherever the checkout stands.
SAME_PATHS := -ffile-prefix-map=$(CURDIR)=.

# Commands with a pkg-config, compiler or header of their own come after
# tests/setup, in a make of their own: on a fresh machine nothing is there yet.
OUTER := setup check check-full check-debug check-hotspot demo lint bench fuzz mutants metal
OUTER += clean help dist deb
inner := $(filter-out $(OUTER),$(or $(MAKECMDGOALS),all))

.DEFAULT_GOAL := all

ifneq ($(inner),)

ifneq ($(shell pkg-config --exists libnl-genl-3.0 jansson libmicrohttpd && echo y),y)
$(error libnl-genl-3-dev, libjansson-dev, libmicrohttpd-dev or pkg-config is missing; \
	tests/setup installs all)
endif

# What was compiled before, in whichever checkout, is not compiled again.
CCACHE	:= $(if $(shell command -v ccache),ccache)
export CCACHE_DIR := $(PMUCTL_CACHE)/ccache
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
export CCACHE_MAXSIZE := 1G
CC	:= $(if $(filter default,$(origin CC)),$(strip $(CCACHE) gcc),$(CC))
CFLAGS	?= -O2 -g
CFLAGS	+= -std=gnu11 -Wall -Wextra -Wno-unused-parameter
CFLAGS	+= $(SAME_PATHS)
CPPFLAGS += -I. -DPMUCTL_VERSION='"$(VERSION)"'
CFLAGS_UNIT := -I. -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined \
	       -fno-sanitize-recover=all
UNIT_TESTS :=

# Before those whose rules have them as prerequisites.
KMOD_SRCS := $(wildcard Kbuild kmod/*.[ch] kmod/*/*.[ch])

include lib/lib.mk
include tools/tools.mk
include tests/unit/model/model.mk tests/unit/kmod/kmod.mk tests/unit/lib/lib.mk
include tests/unit/tools/tools.mk
include tests/box/guest/guest.mk
include tests/box/progs/progs.mk
include tests/fuzz/fuzz.mk
include tests/metal/metal.mk

endif

.PHONY: all setup check check-full check-debug check-hotspot demo lint bench fuzz mutants clean
.PHONY: help unit dist deb
.PHONY: kmod install uninstall metal

all: lib tools $(O)/libpmuctl.pc kmod-native

setup:
	$(Q)tests/setup

# The module --------------------------------------------------------------
# Built in a directory of links, one a kernel, so that kmod/ stays clean and
# two kernels do not get into each other's way.

KDIR	 ?= /lib/modules/$(shell uname -r)/build
KRELEASE  = $(shell sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' \
	      $(KDIR)/include/generated/utsrelease.h 2>/dev/null)
KMODDIR	  = $(abspath $(O))/kmod-$(KRELEASE)
# Our O and other settings mean something else to the kernel's make.  Headers that
# carry BTF make the build run pahole; a module needs none.
# With KROOT the compiler and KDIR are in another root, in which $(CURDIR) is seen.
KRUN	  = $(if $(KROOT),tests/box/debian run $(KROOT) $(CURDIR) $(abspath $(O)) --)
KMAKE	  = env -u MAKEFLAGS -u MFLAGS -u O -u V $(KRUN) $(MAKE) -j$(shell nproc) \
	    -C $(KDIR:$(KROOT)%=%) \
	    M=$(KMODDIR) CONFIG_DEBUG_INFO_BTF_MODULES= \
	    KCFLAGS="$(SAME_PATHS) $(KCFLAGS)" KAFLAGS="$(SAME_PATHS) $(KAFLAGS)" $(KFLAGS)

.PHONY: kmod-native kmod-tree
kmod: kmod-tree
	$(Q)$(KMAKE) $(if $(filter 1,$(V)),V=1,-s) modules

kmod-tree:
	$(Q)if [ -z "$(KRELEASE)" ]; then \
		echo "no kernel headers at $(KDIR): install linux-headers-$$(uname -r) or set KDIR" >&2; \
		exit 1; \
	fi
	$(Q)mkdir -p $(addprefix $(KMODDIR)/,$(sort $(dir $(KMOD_SRCS))))
	$(Q)for f in $(KMOD_SRCS); do ln -sfn $(CURDIR)/$$f $(KMODDIR)/$$f; done

.PHONY: kmod-path kmod-i386
kmod-path:
	@echo $(KMODDIR)/pmuctl.ko

kmod-i386:
	$(Q)kdir=$$(tests/i386/headers) && $(MAKE) kmod KDIR="$$kdir"

ifeq ($(KRELEASE),)
kmod-native:
	@echo "no headers of the running kernel ($$(uname -r)) here, so no module was built"
else
kmod-native: kmod
endif

# Tests -------------------------------------------------------------------

unit: $(UNIT_TESTS)

check: sections := build box tests
check-full: sections := build box tests roots
check-debug: sections := build box debug
lint: sections := build box tests lint
demo bench: sections := build box
check-hotspot: sections := build box hotspot
fuzz: sections := build box tests debug
# Also where no test was run there is a count at the end.
check check-full check-debug: \
	or_count := || { echo "what the tests need is not there"; echo "0 passed, 1 failed"; exit 1; }
# All parts side by side, and then what needs them.
check check-full check-debug check-hotspot demo lint bench fuzz:
	$(Q)tests/setup $(sections) $(or_count)
	$(Q)$(MAKE) $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc)) $@-parts $(or_count)
	$(Q)$(MAKE) $@-run

# Before any test, whose time limits know nothing of a build.
.PHONY: box-qemu
box-qemu:
	$(Q)tests/box/qemu/build >/dev/null
	$(Q)for kernel in 6.1 6.12 7.x; do tests/box/kernel $$kernel >/dev/null || exit 1; done

# For the box: a seed, or a thread a CPU.
export PMUBOX_SEED := $(or $(SEED),$(PMUBOX_SEED))
export PMUBOX_PARALLEL := $(or $(PARALLEL),$(PMUBOX_PARALLEL))

# Where there are none, the test that needs them says so.
.PHONY: i386-headers
i386-headers:
	$(Q)tests/i386/headers >/dev/null 2>&1 || :

.PHONY: check-parts check-full-parts check-debug-parts check-hotspot-parts demo-parts lint-parts
.PHONY: bench-parts fuzz-parts check-run check-full-run check-debug-run check-hotspot-run demo-run
.PHONY: lint-run bench-run fuzz-run
check-parts check-full-parts: all unit box-6.1 box-6.12 box-7.x box-progs box-qemu
check-full-parts: fuzzers i386-headers
check-full-run: tier := --full
check-run check-full-run:
	$(Q)O=$(abspath $(O)) tests/run $(tier) $(if $(T),--only '$(T)') $(UNIT_TESTS)

check-debug-parts: box-debug box-progs box-qemu
check-debug-run:
	$(Q)O=$(abspath $(O)) tests/run --debug $(if $(T),--only '$(T)')

check-hotspot-parts: lib tools box-6.1 box-qemu
check-hotspot-run:
	$(Q)O=$(abspath $(O)) tests/run --full --only hotspot

demo-parts: box-6.1
demo-run:
	$(Q)O=$(abspath $(O)) tests/demo/run

lint-parts:
lint-run:
	$(Q)O=$(abspath $(O)) tests/lint/run

bench-parts: box-6.1
bench-run:
	$(Q)O=$(abspath $(O)) tests/bench/run

fuzz-parts: fuzzers box-debug box-progs box-qemu
fuzz-run:
	$(Q)O=$(abspath $(O)) tests/fuzz/run $(or $(FUZZ_TIME),60)
	$(Q)O=$(abspath $(O)) tests/fuzz/protocol $(or $(MESSAGES),20000) $(SEED)

# Faults planted in a copy, one at a time: do the tests see them?
mutants:
	$(Q)tests/setup build box tests
	$(Q)tests/mutants/run $(addprefix --area ,$(AREA)) $(if $(TIER),--tier $(TIER)) $(M)

# On this very machine, as root; builds by itself.
metal:
	$(Q)tests/metal/run $(KIT)

# Installing --------------------------------------------------------------

# What packages put elsewhere: libraries, units of systemd, the completion of zsh.
LIBDIR	   ?= $(PREFIX)/lib
UNITDIR	   ?= $(PREFIX)/lib/systemd/system
ZSHDIR	   ?= $(PREFIX)/share/zsh/site-functions

bindir	   := $(PREFIX)/bin
libdir	   := $(LIBDIR)
includedir := $(PREFIX)/include
mandir	   := $(PREFIX)/share/man
# Where shells look for how a command's words are completed.
bash_words := $(PREFIX)/share/bash-completion/completions/pmuctl
zsh_words  := $(ZSHDIR)/_pmuctl
fish_words := $(PREFIX)/share/fish/vendor_completions.d/pmuctl.fish
pcdir	   := $(libdir)/pkgconfig
unitdir	   := $(UNITDIR)
dkmsdir	   := /usr/src/pmuctl-$(VERSION)
MODDIR	   ?= /lib/modules
CONFDIR	   ?= /etc/modprobe.d
MANPAGES   := $(wildcard Documentation/man/*.[1-9])
pc_words   := -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(libdir:$(PREFIX)/%=$${prefix}/%)|' \
	      -e 's|@VERSION@|$(VERSION)|'

$(O)/libpmuctl.pc: lib/libpmuctl.pc.in Makefile
	@mkdir -p $(@D)
	$(Q)sed $(pc_words) $< >$@

.PHONY: install-user install-kmod install-dkms uninstall-dkms
install: install-user install-kmod $(if $(filter 1,$(AUTOLOAD)),install-autoload)

# Not by default: any user could have the module loaded, by opening a socket.
.PHONY: install-autoload
install-autoload:
	install -d $(DESTDIR)$(CONFDIR)
	printf '%s\n' '# pmuctl: load the module when its generic netlink family is asked for.' \
		'alias net-pf-16-proto-16-family-pmuctl pmuctl' \
		>$(DESTDIR)$(CONFDIR)/pmuctl.conf

# Nothing is installed by halves.
install-user: $(if $(filter install,$(MAKECMDGOALS)),module-built) lib tools
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(libdir) $(DESTDIR)$(includedir)
	install -d $(DESTDIR)$(pcdir)
	install -m 755 $(O)/pmuctl $(DESTDIR)$(bindir)/pmuctl
	install -m 755 $(O)/libpmuctl.so.0 $(DESTDIR)$(libdir)/libpmuctl.so.0
	ln -sf libpmuctl.so.0 $(DESTDIR)$(libdir)/libpmuctl.so
	install -m 644 $(O)/libpmuctl.a $(DESTDIR)$(libdir)/libpmuctl.a
	install -m 644 lib/pmuctl.h lib/pmuctl-cost.h lib/pmuctl-data.h lib/pmuctl-dump.h \
		lib/pmuctl-feature.h lib/pmuctl-phase.h lib/pmuctl-region.h \
		lib/pmuctl-self.h lib/pmuctl-topdown.h \
		$(DESTDIR)$(includedir)
	sed $(pc_words) lib/libpmuctl.pc.in >$(DESTDIR)$(pcdir)/libpmuctl.pc
	install -d $(DESTDIR)$(unitdir)
	sed -e 's|@PREFIX@|$(PREFIX)|' tools/exporter/pmuctl-exporter.service.in \
		>$(DESTDIR)$(unitdir)/pmuctl-exporter.service
	set -e; for page in $(MANPAGES); do \
		install -D -m 644 $$page $(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}; \
	done
	install -D -m 644 tools/machine/completion.bash $(DESTDIR)$(bash_words)
	install -D -m 644 tools/machine/completion.zsh $(DESTDIR)$(zsh_words)
	install -D -m 644 tools/machine/completion.fish $(DESTDIR)$(fish_words)
	$(if $(DESTDIR),,ldconfig || :)

# The module for the running kernel, or for that of KDIR; before anything is installed.
.PHONY: module-built
module-built:
	$(Q)[ -e $(KMODDIR)/pmuctl.ko ] || { \
		echo "no module was built for the kernel of $(KDIR), and nothing is installed:" >&2; \
		$(if $(KRELEASE),,echo "its headers are missing (install linux-headers-$$(uname -r)," \
			"or set KDIR)" >&2;) \
		echo "'make kmod KDIR=$(KDIR)' builds it," \
			"'make install-user' installs library and command alone" >&2; \
		exit 1; \
	}

install-kmod: module-built
	install -D -m 644 $(KMODDIR)/pmuctl.ko $(DESTDIR)$(MODDIR)/$(KRELEASE)/extra/pmuctl.ko
	$(if $(DESTDIR),,depmod $(KRELEASE))

# The source, for DKMS to build a module for each kernel.
install-dkms:
	set -e; for file in dkms.conf $(KMOD_SRCS); do \
		install -D -m 644 $$file $(DESTDIR)$(dkmsdir)/$$file; \
	done
	$(if $(DESTDIR),,dkms add pmuctl/$(VERSION) && dkms install pmuctl/$(VERSION))

uninstall:
	rm -f $(DESTDIR)$(bindir)/pmuctl $(DESTDIR)$(includedir)/pmuctl.h \
		$(DESTDIR)$(includedir)/pmuctl-cost.h $(DESTDIR)$(includedir)/pmuctl-data.h \
		$(DESTDIR)$(includedir)/pmuctl-dump.h \
		$(DESTDIR)$(includedir)/pmuctl-feature.h $(DESTDIR)$(includedir)/pmuctl-phase.h \
		$(DESTDIR)$(includedir)/pmuctl-region.h \
		$(DESTDIR)$(includedir)/pmuctl-self.h $(DESTDIR)$(includedir)/pmuctl-topdown.h
	rm -f $(DESTDIR)$(libdir)/libpmuctl.so.0 $(DESTDIR)$(libdir)/libpmuctl.so
	rm -f $(DESTDIR)$(libdir)/libpmuctl.a $(DESTDIR)$(pcdir)/libpmuctl.pc
	set -e; for page in $(MANPAGES); do \
		rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}; \
	done
	rm -f $(addprefix $(DESTDIR),$(bash_words) $(zsh_words) $(fish_words))
	rm -f $(DESTDIR)$(unitdir)/pmuctl-exporter.service
	rm -f $(DESTDIR)$(MODDIR)/*/extra/pmuctl.ko $(DESTDIR)$(CONFDIR)/pmuctl.conf
	$(if $(DESTDIR),,depmod -a || :)

uninstall-dkms:
	$(if $(DESTDIR),,dkms remove pmuctl/$(VERSION) --all || :)
	rm -rf $(DESTDIR)$(dkmsdir)

# Packages ------------------------------------------------------------------

# The sources as a tarball, the same bytes every time.
dist:
	$(Q)tools/packaging/dist $(VERSION) $(abspath $(O))/dist

deb:
	$(Q)tests/setup build deb
	$(Q)tools/packaging/deb $(VERSION) $(abspath $(O))/deb

clean:
	$(Q)rm -rf $(O)

help:
	@echo "all        library, command, and the module for the running kernel if its headers are here"
	@echo "demo       pmuctl counting real programs in the emulated test box"
	@echo "check      the tests (T=PATTERN: those whose name matches; SEED=N: another interleaving"
	@echo "           in the box; PARALLEL=1: real threads in the box)"
	@echo "check-full all of them, those of the box with other seeds and with real threads"
	@echo "check-debug  those for a kernel with KASAN, lockdep and kmemleak"
	@echo "check-hotspot  that hotspot reads our files; installs it, which takes 100 packages"
	@echo "lint       static checks"
	@echo "install    into PREFIX ($(PREFIX)) below DESTDIR; install-dkms: the module through DKMS"
	@echo "           AUTOLOAD=1: the kernel loads the module by itself when pmuctl is used"
	@echo "uninstall  removes that again; uninstall-dkms"
	@echo "dist       the sources as a tarball, below $(O)/dist"
	@echo "deb        Debian's packages of them, below $(O)/deb"
	@echo "bench      speed of the box and cost of the module in it"
	@echo "fuzz       readers of files and messages under libFuzzer, FUZZ_TIME=60 seconds each, and"
	@echo "           the module on the debug kernel, MESSAGES=20000"
	@echo "mutants    plants faults and says which the tests see (AREA=kmod, M=NAME, TIER=full)"
	@echo "metal      on a machine with a PMU, as root: does pmuctl hold there, and what does the"
	@echo "           processor answer where manuals leave it open (KIT='--short --no-hotplug')"
	@echo "kmod       the module for the kernel of KDIR=..."
	@echo "kmod-i386  the module for Debian's i386 kernel, whose headers it fetches"
	@echo "setup      installs the Debian packages that all this needs (tests/packages)"
	@echo "clean      removes the build directory; the cache below ~/.cache/pmuctl stays"
	@echo "V=1 shows commands, O=DIR builds elsewhere"
