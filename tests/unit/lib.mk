# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of the library and the command; the top-level Makefile includes it.

LIB_UNIT := $(O)/tests/unit
# Everything but the outside world, which fake_kernel.c replaces.
LIB_UNIT_OBJS := $(filter-out %/lib/wire.o,$(LIB_SRCS:%.c=$(LIB_UNIT)/obj/%.o)) \
		 $(LIB_UNIT)/obj/tests/unit/fake_kernel.o
TOOLS_UNIT_OBJS := $(filter-out %/tools/pmuctl.o,$(TOOLS_SRCS:%.c=$(LIB_UNIT)/obj/%.o)) \
		   $(LIB_UNIT)/obj/tools/pmuctl-as-test.o
LIB_TESTS := $(LIB_UNIT)/lib_talk_test $(LIB_UNIT)/lib_session_test $(LIB_UNIT)/lib_sets_test \
	     $(LIB_UNIT)/lib_estimate_test $(LIB_UNIT)/lib_event_skylake_test \
	     $(LIB_UNIT)/lib_event_core2_test $(LIB_UNIT)/lib_models_test \
	     $(LIB_UNIT)/lib_event_p4_test $(LIB_UNIT)/lib_event_p6_test \
	     $(LIB_UNIT)/lib_session_p4_test $(LIB_UNIT)/lib_pfm_p4_test $(LIB_UNIT)/lib_pfm_test \
	     $(LIB_UNIT)/lib_intel_test $(LIB_UNIT)/lib_facts_test \
	     $(LIB_UNIT)/lib_sample_test $(LIB_UNIT)/lib_dump_test $(LIB_UNIT)/lib_insn_test \
	     $(LIB_UNIT)/lib_formula_test $(LIB_UNIT)/lib_metric_test \
	     $(LIB_UNIT)/lib_topdown_test $(LIB_UNIT)/lib_topdown_tally_test \
	     $(LIB_UNIT)/lib_topdown_cover_test $(LIB_UNIT)/lib_topdown_users_test
TOOLS_TESTS := $(LIB_UNIT)/tools_text_test $(LIB_UNIT)/tools_writer_test \
	       $(LIB_UNIT)/tools_stat_test $(LIB_UNIT)/tools_record_test \
	       $(LIB_UNIT)/tools_commands_test $(LIB_UNIT)/tools_p4_test
LIB_UNIT_CFLAGS := $(CFLAGS_UNIT) -D_GNU_SOURCE $(shell pkg-config --cflags libnl-genl-3.0 jansson)

LIB_TESTS += $(LIB_UNIT)/lib_data_test $(LIB_UNIT)/lib_data_broken_test $(LIB_UNIT)/lib_symbols_test

TOOLS_TESTS += $(LIB_UNIT)/tools_report_test $(LIB_UNIT)/tools_analyze_test
TOOLS_TESTS += $(LIB_UNIT)/tools_topdown_test $(LIB_UNIT)/tools_wait_test

UNIT_TESTS += $(LIB_TESTS) $(TOOLS_TESTS)

# main() belongs to the test.
$(LIB_UNIT)/obj/tools/pmuctl-as-test.o: tools/pmuctl.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(LIB_UNIT_CFLAGS) -Dmain=pmuctl_main -MMD -MP -c -o $@ $<

$(LIB_UNIT)/obj/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(LIB_UNIT_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB_UNIT)/obj/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(LIB_UNIT_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB_UNIT)/obj/tests/unit/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(LIB_UNIT_CFLAGS) -MMD -MP -c -o $@ $<

.SECONDARY: $(LIB_UNIT_OBJS) $(TOOLS_UNIT_OBJS)

$(LIB_TESTS): $(LIB_UNIT)/%: $(LIB_UNIT)/obj/tests/unit/%.o $(LIB_UNIT_OBJS)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(LIB_PARTS) $(LIB_LIBS) -lcmocka

# Itself, beside ours.
$(LIB_UNIT)/lib_pfm_p4_test $(LIB_UNIT)/lib_pfm_test: LIB_LIBS += -lpfm

$(TOOLS_TESTS): $(LIB_UNIT)/%: $(LIB_UNIT)/obj/tests/unit/%.o $(TOOLS_UNIT_OBJS) $(LIB_UNIT_OBJS)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(LIB_PARTS) $(LIB_LIBS) $(TOOLS_LIBS) -lcmocka

-include $(wildcard $(LIB_UNIT)/obj/*/*.d $(LIB_UNIT)/obj/tests/unit/*.d)
