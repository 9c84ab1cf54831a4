# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds libpmuctl, shared and static; the top-level Makefile includes it.

LIB_SRCS := $(sort $(wildcard lib/*.c lib/*/*.c))
LIB_OBJS := $(LIB_SRCS:%.c=$(O)/%.o)
LIB_CFLAGS := -D_GNU_SOURCE -fPIC -fvisibility=hidden \
	      $(shell pkg-config --cflags libnl-genl-3.0 jansson)
# libpfm4, jansson, libkmod, Zydis, elfutils, liblzma, libzstd and libdebuginfod are not here: they
# are loaded when something needs them.
LIB_LIBS := $(shell pkg-config --libs libnl-genl-3.0) -ldl
# There is no shared one: what is needed of it becomes a part of the library.
LIB_PARTS := -liberty
LIB_SONAME := libpmuctl.so.0
OBJCOPY ?= objcopy

lib: $(O)/$(LIB_SONAME) $(O)/libpmuctl.a

$(LIB_OBJS): $(O)/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LIB_CFLAGS) -MMD -MP -c -o $@ $<

# One object with its inner names made local, so that they clash with nobody's.
$(O)/lib/libpmuctl.o: $(LIB_OBJS)
	@echo "  LD      $@"
	$(Q)$(CC) -r -nostdlib -o $@ $^ $(LIB_PARTS)
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='pmuctl_*' $@

$(O)/libpmuctl.a: $(O)/lib/libpmuctl.o
	@echo "  AR      $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(O)/$(LIB_SONAME): $(LIB_OBJS) lib/libpmuctl.map
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(LIB_SONAME) \
		-Wl,--version-script=lib/libpmuctl.map -Wl,-z,defs -Wl,--as-needed \
		-o $@ $(LIB_OBJS) $(LIB_PARTS) $(LIB_LIBS)
	$(Q)ln -sf $(LIB_SONAME) $(O)/libpmuctl.so

.PHONY: lib
-include $(LIB_OBJS:.o=.d)
