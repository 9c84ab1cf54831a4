# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds libpmuctl, shared and static; the top-level Makefile includes it.

LIB_SRCS := lib/context.c lib/sized.c lib/wire.c lib/talk.c lib/cpu.c lib/info.c lib/sessions.c \
	    lib/module.c \
	    lib/session.c lib/create.c lib/plan.c lib/pack.c lib/match.c lib/extra.c lib/counts.c \
	    lib/models.c lib/constraints.c lib/event.c lib/event_text.c lib/event_near.c \
	    lib/event_fields.c lib/event_foreign.c \
	    lib/event_portable.c lib/event_raw.c lib/event_mended.c lib/event_pfm.c \
	    lib/event_intel.c lib/intel_files.c lib/intel_json.c lib/intel_events.c \
	    lib/intel_metrics.c lib/intel_line.c \
	    lib/insn.c lib/insn_address.c lib/cache.c \
	    lib/formula.c lib/formula_evaluate.c lib/metric.c lib/metric_names.c \
	    lib/metric_parts.c lib/metric_portable.c lib/metric_threshold.c lib/event_metric.c
# Top-Down: its tables, and plans by them.
LIB_SRCS += lib/tma_formulas.c lib/tma_helpers.c lib/tma_nodes.c lib/tma_advice.c \
	    lib/tma_expand.c lib/classical_formulas.c lib/classical_nodes.c \
	    lib/pipeline_formulas.c lib/metric_tma.c lib/topdown.c lib/topdown_nodes.c \
	    lib/topdown_plan.c lib/topdown_homes.c lib/topdown_tally.c lib/topdown_error.c \
	    lib/topdown_flags.c
# The Pentium 4, and the P6 family.
LIB_SRCS += lib/p4_events.c lib/p4_metrics.c lib/p4_tables.c lib/p4_parse.c lib/p4_tags.c \
	    lib/p4_raw.c lib/p4_plan.c lib/p4_fit.c lib/registers.c lib/event_p6.c
# Files of perf.data, and what their addresses mean.
LIB_SRCS += lib/data.c lib/data_header.c lib/data_names.c lib/data_features.c lib/data_ids.c \
	    lib/data_records.c lib/data_sample.c lib/data_sideband.c lib/data_values.c \
	    lib/data_object.c \
	    lib/strings.c lib/maps.c lib/comms.c lib/dsos.c lib/symbol_table.c \
	    lib/symbols_kernel.c lib/kernel_text.c lib/symbols_made.c lib/object.c \
	    lib/object_symbols.c lib/object_stubs.c lib/object_lines.c lib/elfutils.c \
	    lib/demangle.c
# Samples: asked for, taken and written.
LIB_SRCS += lib/sample.c lib/sample_pebs.c lib/sample_drain.c lib/dump.c lib/dump_attr.c \
	    lib/dump_buffer.c lib/dump_certain.c lib/dump_features.c lib/dump_files.c \
	    lib/dump_header.c lib/dump_kernel.c lib/dump_poll.c lib/dump_record.c lib/dump_synth.c \
	    lib/sideband.c lib/data_source.c lib/build_id.c
LIB_OBJS := $(LIB_SRCS:%.c=$(O)/%.o)
LIB_CFLAGS := -D_GNU_SOURCE -fPIC -fvisibility=hidden \
	      $(shell pkg-config --cflags libnl-genl-3.0 jansson)
# libpfm4, jansson, libkmod, Zydis and elfutils are not here: they are loaded when something needs
# them.
LIB_LIBS := $(shell pkg-config --libs libnl-genl-3.0) -ldl
# There is no shared one: what is needed of it becomes a part of the library.
LIB_PARTS := -liberty
LIB_SONAME := libpmuctl.so.0
OBJCOPY ?= objcopy

lib: $(O)/$(LIB_SONAME) $(O)/libpmuctl.a

$(LIB_OBJS): $(O)/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LIB_CFLAGS) -MMD -MP -c -o $@ $<

# One object with its inner names made local, so that they clash with nobody's.
$(O)/lib/libpmuctl.o: $(LIB_OBJS)
	@echo "  LD      $@"
	$(Q)$(CC) -r -nostdlib -o $@ $^ $(LIB_PARTS)
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='pmuctl_*' $@

$(O)/libpmuctl.a: $(O)/lib/libpmuctl.o
	@echo "  AR      $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(O)/$(LIB_SONAME): $(LIB_OBJS) lib/libpmuctl.map
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(LIB_SONAME) \
		-Wl,--version-script=lib/libpmuctl.map -Wl,-z,defs -Wl,--as-needed \
		-o $@ $(LIB_OBJS) $(LIB_PARTS) $(LIB_LIBS)
	$(Q)ln -sf $(LIB_SONAME) $(O)/libpmuctl.so

.PHONY: lib
-include $(LIB_OBJS:.o=.d)
