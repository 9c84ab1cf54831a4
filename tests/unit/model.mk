# SPDX-License-Identifier: GPL-2.0-only
# The PMU model's own unit tests: the model and a host that is a loop.

MODEL_DIR := tests/box/model
# Compiled once, for these and for the tests of the module's backends.
MODEL_UNIT := $(O)/tests/unit/obj/$(MODEL_DIR)
MODEL_OBJS := $(patsubst %.c,$(MODEL_UNIT)/%.o,$(shell cat $(MODEL_DIR)/sources))
MODEL_TESTS := $(addprefix $(O)/tests/unit/,model_test model_cpuid_test model_regs_test \
	model_truth_test model_compare_test model_core_test model_events_test model_pebs_test \
	model_pebs_record_test model_lbr_test model_p4_test \
	model_metrics_test model_codes_test model_p4_tags_test model_p4_pebs_test \
	model_netburst_test model_pipeline_test model_says_test model_lines_test \
	model_cycles_test model_pages_test)

UNIT_TESTS += $(MODEL_TESTS)

$(MODEL_OBJS): $(MODEL_UNIT)/%.o: $(MODEL_DIR)/%.c $(wildcard $(MODEL_DIR)/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -c -o $@ $<

$(MODEL_TESTS): $(O)/tests/unit/%: tests/unit/%.c tests/unit/model_host.h \
		tests/unit/model_pebs_host.h tests/unit/ds_host.h tests/unit/model_p4_host.h \
		tests/unit/model_pipeline_host.h \
		$(MODEL_OBJS) $(wildcard $(MODEL_DIR)/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -I$(MODEL_DIR) -o $@ $< $(MODEL_OBJS) -pthread -lcmocka

# What QEMU's side tells the model of instructions needs none of QEMU.
BOX_CODE := $(addprefix tests/box/qemu/glue/,code.c code_facts.c code_counts.c)

UNIT_TESTS += $(O)/tests/unit/box_code_test

$(O)/tests/unit/box_code_test: tests/unit/box_code_test.c $(BOX_CODE) \
		$(wildcard $(MODEL_DIR)/*.h tests/box/qemu/glue/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -I$(MODEL_DIR) -Itests/box/qemu/glue -o $@ $< $(BOX_CODE) \
		-lZydis -pthread -lcmocka
