# SPDX-License-Identifier: GPL-2.0-only
# The module's own code in user space: the backend against the PMU model, and
# the assignment of counters.

KMOD_UNIT := $(O)/tests/unit
KMOD_SHIM := -isystem tests/unit/shim
KMOD_UNIT_HEADERS := $(wildcard kmod/*.h kmod/uapi/*.h tests/unit/shim/linux/*.h)

UNIT_TESTS += $(KMOD_UNIT)/perfmon_test $(KMOD_UNIT)/assign_test

$(KMOD_UNIT)/perfmon_test: tests/unit/perfmon_test.c kmod/perfmon.c \
		tests/unit/model_host.h $(KMOD_UNIT_HEADERS) \
		$(addprefix tests/box/model/,$(shell cat tests/box/model/sources)) \
		$(wildcard tests/box/model/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(KMOD_SHIM) -Itests/box/model -o $@ $< kmod/perfmon.c \
		$(addprefix tests/box/model/,$(shell cat tests/box/model/sources)) -lcmocka

$(KMOD_UNIT)/assign_test: tests/unit/assign_test.c kmod/assign.c $(KMOD_UNIT_HEADERS)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(KMOD_SHIM) -o $@ $< kmod/assign.c -lcmocka
