# SPDX-License-Identifier: GPL-2.0-only
# The PMU model's own unit tests: the model and a host that is a loop.

MODEL_DIR := tests/box/model
# Compiled once, for these and for the tests of the module's backends.
MODEL_UNIT := $(O)/tests/unit/obj/$(MODEL_DIR)
MODEL_OBJS := $(patsubst %.c,$(MODEL_UNIT)/%.o,$(shell cat $(MODEL_DIR)/sources))
MODEL_TESTS := $(patsubst %.c,$(O)/%,$(filter-out %/box_code_test.c,\
	$(wildcard tests/unit/model/*_test.c)))

UNIT_TESTS += $(MODEL_TESTS)

$(MODEL_OBJS): $(MODEL_UNIT)/%.o: $(MODEL_DIR)/%.c $(wildcard $(MODEL_DIR)/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -c -o $@ $<

# By themselves, so that ccache has them.
MODEL_TEST_OBJS := $(MODEL_TESTS:$(O)/%=$(O)/tests/unit/obj/%.o)

$(MODEL_TEST_OBJS): $(O)/tests/unit/obj/%.o: %.c $(wildcard tests/unit/model/*.h) \
		tests/unit/kmod/ds_host.h $(wildcard $(MODEL_DIR)/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -I$(MODEL_DIR) -c -o $@ $<

.SECONDARY: $(MODEL_TEST_OBJS)

$(MODEL_TESTS): $(O)/%: $(O)/tests/unit/obj/%.o $(MODEL_OBJS)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -o $@ $^ -pthread -lcmocka

# What QEMU's side tells the model of instructions needs none of QEMU.
BOX_CODE := $(addprefix tests/box/qemu/glue/,code.c code_facts.c code_counts.c)

UNIT_TESTS += $(O)/tests/unit/model/box_code_test

$(O)/tests/unit/model/box_code_test: tests/unit/model/box_code_test.c $(BOX_CODE) \
		$(wildcard $(MODEL_DIR)/*.h tests/box/qemu/glue/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -I$(MODEL_DIR) -Itests/box/qemu/glue -o $@ $< $(BOX_CODE) \
		-lZydis -pthread -lcmocka
