# SPDX-License-Identifier: GPL-2.0-only
# The PMU model's own unit tests: the model and a host that is a loop.

MODEL_DIR := tests/box/model
MODEL_SOURCES := $(addprefix $(MODEL_DIR)/,$(shell cat $(MODEL_DIR)/sources))
MODEL_TESTS := $(addprefix $(O)/tests/unit/,model_test model_regs_test model_truth_test)

UNIT_TESTS += $(MODEL_TESTS)

$(MODEL_TESTS): $(O)/tests/unit/%: tests/unit/%.c tests/unit/model_host.h \
		$(MODEL_SOURCES) $(wildcard $(MODEL_DIR)/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -I$(MODEL_DIR) -o $@ $< $(MODEL_SOURCES) -lcmocka
