# SPDX-License-Identifier: GPL-2.0-only
# The module's own code in user space: the backend against the PMU model, and
# the assignment of counters.

KMOD_UNIT := $(O)/tests/unit/kmod
KMOD_UNIT_CFLAGS := $(CFLAGS_UNIT) -Wno-unused-parameter -isystem tests/unit/kmod/shim -MMD -MP

# Each file is compiled once for all tests of a kind, by itself, so that ccache has it: backends
# with the model...
KMOD_MODEL_OBJ := $(KMOD_UNIT)/with-model
# ... what is above them with a kernel that is played; and links of tasks with a little more.
KMOD_CORE_OBJ := $(KMOD_UNIT)/with-kernel
KMOD_LINKS_OBJ := $(KMOD_UNIT)/with-links

$(KMOD_MODEL_OBJ)/%.o: KMOD_MORE = -Itests/box/model
$(KMOD_CORE_OBJ)/%.o: KMOD_MORE = -Wno-sign-compare -isystem $(KMOD_UNIT)/kernel \
	-include tests/unit/kmod/core_kernel.h
$(KMOD_LINKS_OBJ)/%.o: KMOD_MORE = -isystem $(KMOD_UNIT)/kernel \
	-include tests/unit/cmocka_all.h -include tests/unit/kmod/links_kernel.h

define kmod_unit_object
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(KMOD_UNIT_CFLAGS) $(KMOD_MORE) -c -o $@ $<
endef

$(KMOD_MODEL_OBJ)/%.o: %.c
	$(kmod_unit_object)
$(KMOD_CORE_OBJ)/%.o: %.c | kmod-unit-headers
	$(kmod_unit_object)
$(KMOD_LINKS_OBJ)/%.o: %.c | kmod-unit-headers
	$(kmod_unit_object)

# $(1): test, $(2): where its objects are, $(3): what it tests, $(4): other objects
define kmod_unit_test
UNIT_TESTS += $(KMOD_UNIT)/$(1)
$(KMOD_UNIT)/$(1): $(patsubst %.c,$(2)/%.o,tests/unit/kmod/$(1).c $(3)) $(4)
	@mkdir -p $$(@D)
	@echo "  LD      $$@"
	$$(Q)$$(CC) $$(CFLAGS_UNIT) -o $$@ $$^ -lcmocka
endef

# $(1): tests, $(2): what they test
kmod_model_tests = $(foreach test,$(1),$(eval $(call kmod_unit_test,$(test),\
	$(KMOD_MODEL_OBJ),$(2),$(MODEL_OBJS))))
kmod_core_tests = $(foreach test,$(1),$(eval $(call kmod_unit_test,$(test),\
	$(KMOD_CORE_OBJ),$(2))))

KMOD_PERFMON := kmod/perfmon/perfmon.c kmod/perfmon/facts.c kmod/perfmon/events.c \
	kmod/perfmon/disturbed.c kmod/perfmon/tries.c kmod/perfmon/errata.c \
	kmod/perfmon/before.c kmod/perfmon/mended.c kmod/perfmon/verbs.c kmod/pmu/twins.c \
	kmod/perfmon/extra.c kmod/perfmon/pebs.c kmod/perfmon/pebs_index.c \
	kmod/perfmon/leaves.c \
	kmod/pmu/pebs_records.c \
	kmod/pmu/pebs_fixup.c kmod/pmu/lbr.c kmod/pmu/models.c kmod/pmu/alike.c \
	kmod/pmu/kinds.c kmod/base/counters_text.c

$(call kmod_model_tests,perfmon_test perfmon_found_test perfmon_events_test perfmon_kinds_test \
	perfmon_pebs_test perfmon_lbr_test perfmon_index_test perfmon_silicon_test \
	perfmon_errata_test,$(KMOD_PERFMON))
$(call kmod_model_tests,p6_test,kmod/perfmon/p6.c $(KMOD_PERFMON))
$(call kmod_model_tests,p5_test,kmod/perfmon/p5.c)
$(call kmod_model_tests,assign_test,kmod/plan/assign.c)
$(call kmod_model_tests,counters_test,kmod/base/counters_text.c)
$(call kmod_model_tests,pebs_fragments_test,kmod/pmu/pebs_records.c)

# Features of the processor, against the model's registers.
$(call kmod_model_tests,features_test,\
	kmod/features/rows.c kmod/features/field.c kmod/features/cached.c)

KMOD_P4 := kmod/p4/p4.c kmod/p4/seats.c kmod/p4/events.c kmod/p4/facts.c \
	kmod/p4/pebs.c kmod/p4/cascade.c kmod/pmu/pebs_records.c kmod/base/counters_text.c

$(call kmod_model_tests,p4_test p4_seats_test p4_counting_test p4_pebs_test,$(KMOD_P4))

# What happens on a CPU, with a backend that is played; how many samples it takes.
KMOD_CORE := kmod/state/slot.c kmod/cpu/run.c kmod/cpu/metrics.c kmod/cpu/overflow.c \
	kmod/cpu/along.c kmod/cpu/self.c \
	kmod/sample/period.c kmod/sample/pebs_arm.c kmod/sample/pebs_drain.c \
	kmod/hold/pebs_hold.c kmod/hold/pmi.c kmod/pmu/twins.c \
	kmod/pmu/pebs_records.c kmod/pmu/pebs_fixup.c
# And from there to a record in a ring, as tasks come and go.
KMOD_WHOLE := kmod/cpu/switch.c kmod/cpu/timer.c kmod/sample/throttle.c \
	kmod/sample/branches.c kmod/sample/sample.c kmod/sample/user.c

$(call kmod_core_tests,core_sets_test core_pmi_test core_pebs_test,$(KMOD_CORE))
$(call kmod_core_tests,$(patsubst %,core_%_test,switch rates foreign ledger turns stack),\
	$(KMOD_CORE) $(KMOD_WHOLE))
# It has that file in itself.
$(call kmod_core_tests,throttle_test,)

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

# Links of tasks and sessions.
LINKS_EMPTY := $(addprefix $(KMOD_UNIT)/kernel/,linux/capability.h linux/hash.h linux/overflow.h \
	linux/rculist.h linux/rcupdate.h linux/spinlock.h)

$(LINKS_EMPTY):
	@mkdir -p $(@D)
	@: >$@

$(eval $(call kmod_unit_test,links_test,$(KMOD_LINKS_OBJ),kmod/session/links.c))

.PHONY: kmod-unit-headers
kmod-unit-headers: $(CORE_EMPTY) $(LINKS_EMPTY)

KMOD_UNIT_DEPS := $(wildcard $(KMOD_UNIT)/with-*/*/*/*.d $(KMOD_UNIT)/with-*/*/*/*/*.d)
-include $(KMOD_UNIT_DEPS)
