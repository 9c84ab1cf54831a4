# SPDX-License-Identifier: GPL-2.0-only
# The module's own code in user space: the backend against the PMU model, and
# the assignment of counters.

KMOD_UNIT := $(O)/tests/unit
KMOD_SHIM := -isystem tests/unit/shim
KMOD_UNIT_HEADERS := $(wildcard kmod/*.h kmod/uapi/*.h tests/unit/shim/linux/*.h)

UNIT_TESTS += $(KMOD_UNIT)/perfmon_test $(KMOD_UNIT)/perfmon_events_test
UNIT_TESTS += $(KMOD_UNIT)/perfmon_pebs_test
UNIT_TESTS += $(KMOD_UNIT)/assign_test $(KMOD_UNIT)/counters_test $(KMOD_UNIT)/p6_test

KMOD_PERFMON := kmod/perfmon.c kmod/perfmon_facts.c kmod/perfmon_events.c \
	kmod/perfmon_extra.c kmod/perfmon_pebs.c kmod/pebs_records.c \
	kmod/pebs_fixup.c kmod/lbr.c kmod/models.c kmod/counters.c

$(KMOD_UNIT)/perfmon%test: tests/unit/perfmon%test.c $(KMOD_PERFMON) \
		tests/unit/perfmon_host.h tests/unit/why_host.h tests/unit/model_host.h \
		$(KMOD_UNIT_HEADERS) \
		$(MODEL_OBJS) $(wildcard tests/box/model/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(KMOD_SHIM) -Itests/box/model -o $@ $< $(KMOD_PERFMON) \
		$(MODEL_OBJS) -lcmocka

$(KMOD_UNIT)/assign_test $(KMOD_UNIT)/counters_test: $(KMOD_UNIT)/%_test: tests/unit/%_test.c \
		kmod/%.c $(KMOD_UNIT_HEADERS)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(KMOD_SHIM) -o $@ $< kmod/$*.c -lcmocka

$(KMOD_UNIT)/p6_test: tests/unit/p6_test.c kmod/p6.c $(KMOD_PERFMON) tests/unit/why_host.h \
		tests/unit/model_host.h $(KMOD_UNIT_HEADERS) \
		$(MODEL_OBJS) $(wildcard tests/box/model/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter $(KMOD_SHIM) -Itests/box/model -o $@ $< \
		kmod/p6.c $(KMOD_PERFMON) $(MODEL_OBJS) -lcmocka

UNIT_TESTS += $(KMOD_UNIT)/p4_test $(KMOD_UNIT)/p4_seats_test
UNIT_TESTS += $(KMOD_UNIT)/p4_counting_test $(KMOD_UNIT)/p4_pebs_test

KMOD_P4 := kmod/p4.c kmod/p4_assign.c kmod/p4_events.c kmod/p4_facts.c \
	kmod/p4_pebs.c kmod/p4_cascade.c kmod/pebs_records.c kmod/counters.c

$(KMOD_UNIT)/p4%test: tests/unit/p4%test.c $(KMOD_P4) tests/unit/p4_host.h \
		tests/unit/why_host.h tests/unit/ds_host.h tests/unit/model_p4_host.h \
		tests/unit/model_host.h $(KMOD_UNIT_HEADERS) \
		$(MODEL_OBJS) $(wildcard tests/box/model/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter $(KMOD_SHIM) -Itests/box/model -o $@ $< \
		$(KMOD_P4) $(MODEL_OBJS) -lcmocka

# What happens on a CPU, with a backend that is played; how many samples it takes.
UNIT_TESTS += $(addprefix $(KMOD_UNIT)/,core_sets_test core_pmi_test core_pebs_test throttle_test)

KMOD_CORE := kmod/run.c kmod/metrics.c kmod/overflow.c kmod/period.c kmod/pebs.c kmod/pmi.c \
	kmod/pebs_records.c kmod/pebs_fixup.c

# Headers of the kernel's that core_kernel.h stands for.
CORE_EMPTY := $(addprefix $(KMOD_UNIT)/kernel/,asm/barrier.h asm/intel_ds.h \
	asm/irq_regs.h asm/nmi.h asm/tsc.h linux/atomic.h linux/cache.h linux/cpumask.h \
	linux/hrtimer.h linux/irq_work.h linux/jiffies.h linux/list.h linux/log2.h \
	linux/math64.h linux/minmax.h linux/moduleparam.h linux/percpu.h linux/ptrace.h \
	linux/random.h linux/sched.h linux/sched/clock.h linux/sched/task_stack.h \
	linux/seqlock.h linux/static_call.h linux/time64.h linux/timekeeping.h \
	linux/uaccess.h linux/uidgid.h)

$(CORE_EMPTY):
	@mkdir -p $(@D)
	@: >$@

$(KMOD_UNIT)/core_%_test: tests/unit/core_%_test.c $(wildcard tests/unit/core_*.h) \
		$(KMOD_CORE) $(KMOD_UNIT_HEADERS) $(CORE_EMPTY)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter -Wno-sign-compare \
		$(KMOD_SHIM) -isystem $(KMOD_UNIT)/kernel -Itests/unit \
		-include tests/unit/core_kernel.h -o $@ $< $(KMOD_CORE) -lcmocka

$(KMOD_UNIT)/throttle_test: tests/unit/throttle_test.c tests/unit/core_kernel.h kmod/throttle.c \
		$(KMOD_UNIT_HEADERS) $(CORE_EMPTY)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter \
		$(KMOD_SHIM) -isystem $(KMOD_UNIT)/kernel -Itests/unit \
		-include tests/unit/core_kernel.h -o $@ $< -lcmocka
