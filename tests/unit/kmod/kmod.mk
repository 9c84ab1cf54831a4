# SPDX-License-Identifier: GPL-2.0-only
# The module's own code in user space: the backend against the PMU model, and
# the assignment of counters.

KMOD_UNIT := $(O)/tests/unit/kmod
KMOD_SHIM := -isystem tests/unit/kmod/shim
KMOD_UNIT_HEADERS := $(wildcard kmod/*/*.h tests/unit/kmod/shim/*/*.h)

UNIT_TESTS += $(KMOD_UNIT)/perfmon_test $(KMOD_UNIT)/perfmon_found_test
UNIT_TESTS += $(KMOD_UNIT)/perfmon_events_test $(KMOD_UNIT)/perfmon_kinds_test
UNIT_TESTS += $(KMOD_UNIT)/perfmon_pebs_test $(KMOD_UNIT)/perfmon_lbr_test \
	$(KMOD_UNIT)/perfmon_index_test
UNIT_TESTS += $(KMOD_UNIT)/perfmon_silicon_test $(KMOD_UNIT)/perfmon_errata_test
UNIT_TESTS += $(KMOD_UNIT)/assign_test $(KMOD_UNIT)/counters_test $(KMOD_UNIT)/p6_test \
	$(KMOD_UNIT)/p5_test
UNIT_TESTS += $(KMOD_UNIT)/pebs_fragments_test

KMOD_PERFMON := kmod/perfmon/perfmon.c kmod/perfmon/facts.c kmod/perfmon/events.c \
	kmod/perfmon/disturbed.c kmod/perfmon/tries.c kmod/perfmon/errata.c \
	kmod/perfmon/before.c kmod/perfmon/mended.c kmod/perfmon/verbs.c kmod/pmu/twins.c \
	kmod/perfmon/extra.c kmod/perfmon/pebs.c kmod/perfmon/pebs_index.c \
	kmod/perfmon/leaves.c \
	kmod/pmu/pebs_records.c \
	kmod/pmu/pebs_fixup.c kmod/pmu/lbr.c kmod/pmu/models.c kmod/pmu/alike.c \
	kmod/pmu/kinds.c kmod/base/counters_text.c

$(KMOD_UNIT)/perfmon%test: tests/unit/kmod/perfmon%test.c $(KMOD_PERFMON) \
		tests/unit/kmod/perfmon_host.h tests/unit/kmod/why_host.h tests/unit/model/host.h \
		$(KMOD_UNIT_HEADERS) \
		$(MODEL_OBJS) $(wildcard tests/box/model/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter $(KMOD_SHIM) -Itests/box/model -o $@ $< \
		$(KMOD_PERFMON) $(MODEL_OBJS) -lcmocka

$(KMOD_UNIT)/assign_test: kmod/plan/assign.c
$(KMOD_UNIT)/counters_test: kmod/base/counters_text.c
$(KMOD_UNIT)/pebs_fragments_test: kmod/pmu/pebs_records.c
$(KMOD_UNIT)/assign_test $(KMOD_UNIT)/counters_test $(KMOD_UNIT)/pebs_fragments_test: \
		$(KMOD_UNIT)/%_test: \
		tests/unit/kmod/%_test.c $(KMOD_UNIT_HEADERS)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(KMOD_SHIM) -o $@ $(filter %.c,$^) -lcmocka

$(KMOD_UNIT)/p6_test: tests/unit/kmod/p6_test.c kmod/perfmon/p6.c $(KMOD_PERFMON) \
		tests/unit/kmod/why_host.h \
		tests/unit/model/host.h $(KMOD_UNIT_HEADERS) \
		$(MODEL_OBJS) $(wildcard tests/box/model/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter $(KMOD_SHIM) -Itests/box/model -o $@ $< \
		kmod/perfmon/p6.c $(KMOD_PERFMON) $(MODEL_OBJS) -lcmocka

$(KMOD_UNIT)/p5_test: tests/unit/kmod/p5_test.c kmod/perfmon/p5.c tests/unit/kmod/why_host.h \
		tests/unit/model/host.h $(KMOD_UNIT_HEADERS) \
		$(MODEL_OBJS) $(wildcard tests/box/model/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter $(KMOD_SHIM) -Itests/box/model -o $@ $< \
		kmod/perfmon/p5.c $(MODEL_OBJS) -lcmocka

# Features of the processor, against the model's registers.
UNIT_TESTS += $(KMOD_UNIT)/features_test
KMOD_FEATURES := kmod/features/rows.c kmod/features/field.c kmod/features/cached.c

$(KMOD_UNIT)/features_test: tests/unit/kmod/features_test.c $(KMOD_FEATURES) \
		tests/unit/model/host.h $(KMOD_UNIT_HEADERS) \
		$(MODEL_OBJS) $(wildcard tests/box/model/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(KMOD_SHIM) -Itests/box/model -o $@ $< \
		$(KMOD_FEATURES) $(MODEL_OBJS) -lcmocka

UNIT_TESTS += $(KMOD_UNIT)/p4_test $(KMOD_UNIT)/p4_seats_test
UNIT_TESTS += $(KMOD_UNIT)/p4_counting_test $(KMOD_UNIT)/p4_pebs_test

KMOD_P4 := kmod/p4/p4.c kmod/p4/seats.c kmod/p4/events.c kmod/p4/facts.c \
	kmod/p4/pebs.c kmod/p4/cascade.c kmod/pmu/pebs_records.c kmod/base/counters_text.c

$(KMOD_UNIT)/p4%test: tests/unit/kmod/p4%test.c $(KMOD_P4) tests/unit/kmod/p4_host.h \
		tests/unit/kmod/why_host.h tests/unit/kmod/ds_host.h tests/unit/model/p4_host.h \
		tests/unit/model/host.h $(KMOD_UNIT_HEADERS) \
		$(MODEL_OBJS) $(wildcard tests/box/model/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter $(KMOD_SHIM) -Itests/box/model -o $@ $< \
		$(KMOD_P4) $(MODEL_OBJS) -lcmocka

# What happens on a CPU, with a backend that is played; how many samples it takes.
UNIT_TESTS += $(addprefix $(KMOD_UNIT)/,core_sets_test core_pmi_test core_pebs_test \
	throttle_test)
WHOLE_TESTS := $(patsubst %,$(KMOD_UNIT)/core_%_test,switch rates foreign ledger turns stack)
UNIT_TESTS += $(WHOLE_TESTS)

KMOD_CORE := kmod/state/slot.c kmod/cpu/run.c kmod/cpu/metrics.c kmod/cpu/overflow.c \
	kmod/cpu/self.c \
	kmod/sample/period.c kmod/sample/pebs_arm.c kmod/sample/pebs_drain.c \
	kmod/hold/pebs_hold.c kmod/hold/pmi.c kmod/pmu/twins.c \
	kmod/pmu/pebs_records.c kmod/pmu/pebs_fixup.c
# And from there to a record in a ring, as tasks come and go.
KMOD_WHOLE := kmod/cpu/switch.c kmod/cpu/timer.c kmod/sample/throttle.c \
	kmod/sample/branches.c kmod/sample/sample.c kmod/sample/user.c

# Headers of the kernel's that core_kernel.h stands for.
CORE_EMPTY := $(addprefix $(KMOD_UNIT)/kernel/,asm/barrier.h asm/irq_regs.h \
	asm/msr.h asm/nmi.h asm/segment.h asm/tsc.h linux/atomic.h linux/cache.h linux/cpumask.h \
	linux/hrtimer.h linux/irq_work.h linux/jiffies.h linux/ktime.h linux/list.h linux/llist.h \
	linux/log2.h linux/math64.h linux/minmax.h linux/moduleparam.h linux/percpu.h \
	linux/pid_namespace.h linux/ptrace.h linux/random.h linux/sched.h linux/sched/clock.h \
	linux/sched/coredump.h linux/sched/task_stack.h linux/seqlock.h linux/slab.h linux/smp.h \
	linux/static_call.h \
	linux/time64.h linux/timekeeping.h linux/uaccess.h linux/uidgid.h net/genetlink.h)

$(CORE_EMPTY):
	@mkdir -p $(@D)
	@: >$@

$(WHOLE_TESTS): KMOD_CORE_MORE := $(KMOD_WHOLE)
$(WHOLE_TESTS): $(KMOD_WHOLE)

$(KMOD_UNIT)/core_%_test: tests/unit/kmod/core_%_test.c $(wildcard tests/unit/kmod/core_*.h) \
		$(KMOD_CORE) $(KMOD_UNIT_HEADERS) $(CORE_EMPTY)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter -Wno-sign-compare \
		$(KMOD_SHIM) -isystem $(KMOD_UNIT)/kernel \
		-include tests/unit/kmod/core_kernel.h -o $@ $< $(KMOD_CORE) \
		$(KMOD_CORE_MORE) -lcmocka

# Links of tasks and sessions.
UNIT_TESTS += $(KMOD_UNIT)/links_test
LINKS_EMPTY := $(addprefix $(KMOD_UNIT)/kernel/,linux/capability.h linux/hash.h linux/overflow.h \
	linux/rculist.h linux/rcupdate.h linux/spinlock.h)

$(LINKS_EMPTY):
	@mkdir -p $(@D)
	@: >$@

$(KMOD_UNIT)/links_test: tests/unit/kmod/links_test.c kmod/session/links.c \
		tests/unit/kmod/core_kernel.h tests/unit/kmod/links_kernel.h \
		$(KMOD_UNIT_HEADERS) $(CORE_EMPTY) $(LINKS_EMPTY)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter \
		$(KMOD_SHIM) -isystem $(KMOD_UNIT)/kernel -include tests/unit/cmocka_all.h \
		-include tests/unit/kmod/links_kernel.h -o $@ $(filter %.c,$^) -lcmocka

$(KMOD_UNIT)/throttle_test: tests/unit/kmod/throttle_test.c tests/unit/kmod/core_kernel.h \
		kmod/sample/throttle.c \
		$(KMOD_UNIT_HEADERS) $(CORE_EMPTY)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) -Wno-unused-parameter \
		$(KMOD_SHIM) -isystem $(KMOD_UNIT)/kernel \
		-include tests/unit/kmod/core_kernel.h -o $@ $< -lcmocka
