# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of the exports and the flame graph, on a perf.data file of paper.

EXPORT_UNIT := $(O)/tests/unit
EXPORT_UNIT_OBJS := $(addprefix $(EXPORT_UNIT)/obj/,tools/stacks.o tools/callers.o \
	tools/index.o tools/clean.o \
	tools/proto.o tools/export_folded.o tools/export_speedscope.o tools/export_pprof.o \
	tools/flame.o tools/svg.o tests/unit/fake_data.o)

UNIT_TESTS += $(EXPORT_UNIT)/tools_export_test

# export_demo is no test of its own: tests/export/*.test open what it writes.
unit: $(EXPORT_UNIT)/export_demo

$(EXPORT_UNIT)/obj/tools/flame.o: tools/flame.js

$(EXPORT_UNIT)/tools_export_test $(EXPORT_UNIT)/export_demo: \
		$(EXPORT_UNIT)/%: $(EXPORT_UNIT)/obj/tests/unit/%.o $(EXPORT_UNIT_OBJS)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(TOOLS_LIBS) -lcmocka
