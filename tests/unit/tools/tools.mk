# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of the command; the top-level Makefile includes it behind the library's.

TOOLS_UNIT := $(O)/tests/unit/tools
TOOLS_UNIT_OBJS := $(filter-out %/tools/main.o,$(TOOLS_SRCS:%.c=$(UNIT_OBJ)/%.o)) \
		   $(UNIT_OBJ)/tools/main-as-test.o
VIEWS_TESTS := $(addprefix $(TOOLS_UNIT)/,advise_test annotate_test mem_test sharing_test \
	table_test)
TOOLS_TESTS := $(filter-out $(VIEWS_TESTS) %/export_test %/diff_test %/cgroups_test,\
	$(patsubst %.c,$(O)/%,$(wildcard tests/unit/tools/*_test.c)))

UNIT_TESTS += $(TOOLS_TESTS) $(VIEWS_TESTS) $(TOOLS_UNIT)/export_test $(TOOLS_UNIT)/diff_test \
	$(TOOLS_UNIT)/cgroups_test

# main() belongs to the test.
$(UNIT_OBJ)/tools/main-as-test.o: tools/main.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(UNIT_OBJ_CFLAGS) -Dmain=pmuctl_main -MMD -MP -c -o $@ $<

.SECONDARY: $(TOOLS_UNIT_OBJS)

# What its arithmetic is held to.
$(addprefix $(TOOLS_UNIT)/,advise_test compare_results_test cost_total_test cpi_test \
		pushout_test tune_test): \
	TOOLS_LIBS += -lm

$(TOOLS_TESTS): $(O)/%: $(UNIT_OBJ)/%.o $(TOOLS_UNIT_OBJS) $(LIB_UNIT_OBJS)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(LIB_PARTS) $(LIB_LIBS) $(TOOLS_LIBS) -lcmocka

# What is mounted where is the test's.
$(TOOLS_UNIT)/cgroups_test: $(O)/%: $(UNIT_OBJ)/%.o $(UNIT_OBJ)/tools/run/cgroups.o
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ -lcmocka

WRITER_OBJS := base/digits.o base/json.o base/writer.o

# Annotate and mem, on a perf.data file of paper.
VIEWS_OBJS := $(addprefix $(UNIT_OBJ)/,$(addprefix tools/,base/table.o $(WRITER_OBJS) \
	base/colour.o base/pager.o base/units.o base/output.o base/clean.o samples/text.o \
	samples/filter.o samples/missing.o samples/inlines.o annotate/hits.o \
	annotate/walk.o annotate/print.o annotate/arrows.o mem/address.o mem/sums.o mem/object.o \
	mem/sets.o mem/verdict.o mem/loads.o mem/print.o \
	mem/sharing.o mem/sharing_verdict.o mem/sharing_print.o advise/addresses.o \
	advise/directions.o advise/loop.o advise/spots.o samples/code_files.o) \
	lib/code/insn.o lib/code/insn_address.o lib/base/sized.o lib/base/regular.o \
	lib/base/statistics.o \
	tests/unit/tools/paper_data.o)

$(VIEWS_TESTS): $(O)/%: $(UNIT_OBJ)/%.o $(VIEWS_OBJS)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(TOOLS_LIBS) -ldl -lcmocka

# The exports and the flame graph, on another.
EXPORT_OBJS := $(addprefix $(UNIT_OBJ)/,$(addprefix tools/,samples/stacks.o samples/callers.o \
	samples/frameless.o samples/missing.o samples/inlines.o samples/filter.o samples/text.o \
	base/index.o base/clean.o base/svg.o $(WRITER_OBJS) base/colour.o base/pager.o \
	base/units.o base/output.o export/proto.o export/folded.o export/speedscope.o \
	export/pprof.o export/flame.o export/flame_stacks.o) lib/base/regular.o \
	tests/unit/tools/fake_data.o)

# diff of two such files.
DIFF_OBJS := $(addprefix $(UNIT_OBJ)/,$(addprefix tools/,diff/side.o diff/functions.o diff/rows.o \
	diff/notes.o diff/print.o diff/align.o samples/missing.o samples/text.o base/index.o \
	base/clean.o base/table.o base/output.o $(WRITER_OBJS) base/colour.o base/pager.o \
	base/units.o) lib/base/statistics.o \
	lib/base/regular.o tests/unit/tools/fake_data.o)

$(TOOLS_UNIT)/diff_test: $(O)/%: $(UNIT_OBJ)/%.o $(DIFF_OBJS)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(TOOLS_LIBS) -lm -lcmocka

# export_demo is no test of its own: tests/export/*.test open what it writes.
unit: $(TOOLS_UNIT)/export_demo

$(UNIT_OBJ)/tools/export/flame.o: tools/export/flame.js
$(UNIT_OBJ)/tools/machine/cmd_completion.o: $(wildcard tools/machine/completion.*)

$(TOOLS_UNIT)/export_test $(TOOLS_UNIT)/export_demo: $(O)/%: $(UNIT_OBJ)/%.o $(EXPORT_OBJS)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(TOOLS_LIBS) -lcmocka

-include $(TOOLS_UNIT_OBJS:.o=.d) $(wildcard $(UNIT_OBJ)/tests/unit/tools/*.d)
