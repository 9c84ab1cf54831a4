# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the command; the top-level Makefile includes it after lib/lib.mk.

TOOLS_SRCS := tools/pmuctl.c tools/common.c tools/names.c tools/writer.c tools/events.c \
	      tools/cpulist.c tools/holders.c tools/diagnose.c tools/child.c tools/signals.c \
	      tools/fit.c tools/report.c tools/stat_args.c tools/stat_print.c \
	      tools/cmd_explain.c tools/cmd_info.c tools/cmd_list.c tools/cmd_load.c \
	      tools/cmd_stat.c tools/cmd_unload.c
TOOLS_OBJS := $(TOOLS_SRCS:%.c=$(O)/%.o)
TOOLS_CFLAGS := -D_GNU_SOURCE $(shell pkg-config --cflags jansson)
TOOLS_LIBS := $(shell pkg-config --libs jansson)

tools: $(O)/pmuctl

$(TOOLS_OBJS): $(O)/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(TOOLS_CFLAGS) -MMD -MP -c -o $@ $<

# Linked statically to our own library: it starts faster, and it runs where it was built.
$(O)/pmuctl: $(TOOLS_OBJS) $(O)/libpmuctl.a
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--as-needed -o $@ $^ $(LIB_LIBS) $(TOOLS_LIBS)

.PHONY: tools
-include $(TOOLS_OBJS:.o=.d)
