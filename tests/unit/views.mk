# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of annotate and mem, on a perf.data file of paper.

VIEWS_UNIT := $(O)/tests/unit
VIEWS_UNIT_OBJS := $(addprefix $(VIEWS_UNIT)/obj/,tools/table.o tools/writer.o tools/output.o \
	tools/source_text.o tools/annotate_hits.o tools/annotate_print.o tools/mem_address.o \
	tools/mem_sums.o tools/mem_fold.o tools/mem_object.o tools/mem_source.o tools/mem_sets.o \
	tools/mem_verdict.o tools/mem_loads.o tools/place_text.o tools/mem_print.o tools/clean.o \
	lib/insn.o lib/insn_address.o lib/sized.o tests/unit/paper_data.o)

VIEWS_TESTS := $(addprefix $(VIEWS_UNIT)/,tools_annotate_test tools_mem_test tools_table_test)

UNIT_TESTS += $(VIEWS_TESTS)

$(VIEWS_TESTS): $(VIEWS_UNIT)/%: $(VIEWS_UNIT)/obj/tests/unit/%.o $(VIEWS_UNIT_OBJS)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(TOOLS_LIBS) -ldl -lcmocka
