# SPDX-License-Identifier: GPL-2.0-only
# The programs that checks put into the guest ("# programs:"), each of one file.

BOX_PROGS := $(O)/box/progs
BOX_PROGS_MK := tests/box/progs/progs.mk
# What unwinds by registered tables registers them at the start of a static program, which since
# gcc 13 sorts them first: 125,000 instructions that no check has asked for.
BOX_PROG_CFLAGS := -O1 -g -Wall -Wextra -static -pthread -fno-omit-frame-pointer \
		   -fno-optimize-sibling-calls $(SAME_PATHS) \
		   -Wl,--wrap=__register_frame_info,--wrap=__deregister_frame_info

$(BOX_PROGS)/%: tests/box/progs/%.c \
		$(wildcard tests/box/progs/*.h tests/box/guest/mark.h) kmod/uapi/pmuctl.h \
		$(BOX_PROGS_MK)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BOX_PROG_CFLAGS) -o $@ $<

# Without a C library, so that every instruction is known.
$(BOX_PROGS)/%: tests/box/progs/%.S $(BOX_PROGS_MK)
	@mkdir -p $(@D)
	$(Q)$(CC) -nostdlib -static -no-pie $(BOX_PROG_FLAGS) -o $@ $<

# Unwound by their tables alone, which static programs have no index of by themselves.
$(BOX_PROGS)/bare: BOX_PROG_CFLAGS += -fomit-frame-pointer -Wl,--eh-frame-hdr
$(BOX_PROGS)/narrow: BOX_PROG_FLAGS := -m32 -Wl,--eh-frame-hdr
$(BOX_PROGS)/waits: BOX_PROG_CFLAGS += -Wl,--eh-frame-hdr
$(BOX_PROGS)/one-miss: BOX_PROG_FLAGS := -DROUNDS=100000 -Wl,-z,noseparate-code

# Where functions are, for guests without nm.
$(BOX_PROGS)/%.symbols: $(BOX_PROGS)/%
	$(Q)nm $< >$@

$(BOX_PROGS)/odd-cases: tests/box/progs/odd-cases.c tests/box/progs/odd-cases.S
	@mkdir -p $(@D)
	$(Q)$(CC) $(BOX_PROG_CFLAGS) -o $@ $^

# As distributions build: no frame pointers, and calls inlined.
$(BOX_PROGS)/stacks: tests/box/progs/stacks.c $(BOX_PROGS_MK)
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -Wall -Wextra -pthread \
		$(SAME_PATHS) -o $@ $<

# Builds of one program, to be compared.
$(BOX_PROGS)/walk-O0: BUILD := -O0
$(BOX_PROGS)/walk-O2: BUILD := -O2
$(BOX_PROGS)/walk-ahead: BUILD := -O2 -DAHEAD=16
$(BOX_PROGS)/walk-O0 $(BOX_PROGS)/walk-O2 $(BOX_PROGS)/walk-ahead: tests/box/progs/walk.c \
		$(BOX_PROGS_MK)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BOX_PROG_CFLAGS) $(BUILD) -o $@ $<

# A program with the phases of another one, and a build-id of its own.
$(BOX_PROGS)/phases-other: tests/box/progs/phases.c $(BOX_PROGS)/phases
	$(Q)$(CC) -O2 -Wall -Wextra -Ilib $(SAME_PATHS) -o $@ $< \
		-L$(O) -Wl,-rpath-link=$(O) -lpmuctl

# Against the library, whose API they are to use.
$(BOX_PROGS)/drains $(BOX_PROGS)/kernel-mark $(BOX_PROGS)/myself $(BOX_PROGS)/p4-rings \
		$(BOX_PROGS)/phases $(BOX_PROGS)/withdraw: \
		$(BOX_PROGS)/%: tests/box/progs/%.c $(O)/libpmuctl.so.0
	@mkdir -p $(@D)
	$(Q)$(CC) -O1 -Wall -Wextra -pthread -Ilib -I. $(SAME_PATHS) -o $@ $< \
		-L$(O) -Wl,-rpath-link=$(O) -lpmuctl

# As those who do not know the library: it comes to them by the loader.
$(BOX_PROGS)/marked: tests/box/progs/marked.c lib/pmuctl-region.h $(BOX_PROGS_MK)
	@mkdir -p $(@D)
	$(Q)$(CC) -O1 -Wall -Wextra -pthread -Ilib -I. $(SAME_PATHS) -o $@ $<

# Of Debian's, which brings ten others with it: not in every guest.
$(BOX_PROGS)/libmicrohttpd.so.12: $(wildcard /usr/lib/x86_64-linux-gnu/libmicrohttpd.so.12)
	@mkdir -p $(@D)
	$(Q)cp -L /usr/lib/x86_64-linux-gnu/libmicrohttpd.so.12 $@

.PHONY: box-progs
box-progs: $(addprefix $(BOX_PROGS)/,$(sort $(shell \
	sed -n 's/^\# programs: //p' tests/box/tests/*.guest | sed 's/:[^ ]*//g')))
.SECONDARY: $(BOX_PROGS)/branches $(BOX_PROGS)/missload
