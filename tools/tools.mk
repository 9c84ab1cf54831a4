# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the command; the top-level Makefile includes it after lib/lib.mk.

TOOLS_SRCS := $(sort $(wildcard tools/*.c tools/*/*.c))
TOOLS_OBJS := $(TOOLS_SRCS:%.c=$(O)/%.o)
TOOLS_CFLAGS := -D_GNU_SOURCE $(shell pkg-config --cflags jansson)
# What the library has for itself and does not offer: we take the objects.
TOOLS_PARTS := $(O)/lib/base/statistics.o $(O)/lib/base/regular.o $(O)/lib/base/build_id.o
# zlib is small, and only one subcommand needs it: nobody waits for it to be loaded.  Debian
# wants the shared one in its packages.
ZLIB ?= -l:libz.a
TOOLS_LIBS := $(shell pkg-config --libs jansson) $(ZLIB)

tools: $(O)/pmuctl

$(TOOLS_OBJS): $(O)/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(TOOLS_CFLAGS) -MMD -MP -c -o $@ $<

# Which the compiler does not see.
$(O)/tools/export/flame.o: tools/export/flame.js
$(O)/tools/html/page.o: tools/html/page.css tools/html/page.js
$(O)/tools/machine/cmd_completion.o: $(wildcard tools/machine/completion.*)

# Loading a shared library costs each start some 200,000 instructions; what there is an archive of
# becomes a part of the command.  Debian wants shared ones in its packages.
archive_of = $(if $(filter /%,$(shell $(CC) -print-file-name=lib$(1).a)),-l:lib$(1).a,-l$(1))
LINKED ?= $(foreach name,nl-genl-3 nl-3 jansson,$(call archive_of,$(name)))

# Linked statically to our own library: it starts faster, and it runs where it was built.
$(O)/pmuctl: $(TOOLS_OBJS) $(TOOLS_PARTS) $(O)/libpmuctl.a
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--as-needed -o $@ $^ $(LINKED) $(ZLIB) -ldl

.PHONY: tools
-include $(TOOLS_OBJS:.o=.d)
