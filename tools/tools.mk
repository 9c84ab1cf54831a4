# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the command; the top-level Makefile includes it after lib/lib.mk.

TOOLS_SRCS := tools/pmuctl.c tools/help.c tools/common.c tools/names.c tools/near.c tools/writer.c \
	      tools/event_text.c \
	      tools/events.c tools/cpulist.c tools/holders.c tools/diagnose.c tools/child.c \
	      tools/command.c \
	      tools/signals.c tools/waiter.c tools/outlet.c tools/watchdog.c tools/guardian.c \
	      tools/print_command.c \
	      tools/stat_args.c tools/stat_check.c tools/targets.c tools/privilege.c \
	      tools/stat_events.c \
	      tools/stat_cascade.c tools/explain_p4.c \
	      tools/stat_session.c tools/counting.c tools/counting_wait.c \
	      tools/printing.c tools/stat_interval.c tools/stat_repeat.c \
	      tools/stat_print.c tools/stat_metrics.c tools/stat_row.c tools/stat_notes.c \
	      tools/flags.c tools/stat_verbose.c \
	      tools/cmd_record.c tools/record_args.c \
	      tools/record_session.c tools/record_run.c tools/record_wait.c tools/record_summary.c \
	      tools/cmd_explain.c tools/cmd_info.c tools/cmd_list.c tools/cmd_load.c \
	      tools/cmd_selftest.c tools/cmd_stat.c tools/cmd_unload.c tools/selftest.c \
	      tools/info_machine.c tools/info_module.c tools/info_users.c \
	      tools/stacks.c tools/index.c tools/clean.c tools/proto.c tools/output.c \
	      tools/export_folded.c tools/export_speedscope.c tools/export_pprof.c \
	      tools/cmd_export.c tools/flame.c tools/svg.c tools/flame_file.c tools/options.c
# Views of perf.data by instruction and by data.
TOOLS_SRCS += tools/table.c tools/view_args.c tools/source_text.c tools/cmd_annotate.c \
	      tools/annotate_hits.c tools/annotate_print.c tools/cmd_mem.c tools/mem_address.c \
	      tools/mem_sums.c tools/mem_fold.c tools/mem_object.c tools/mem_source.c \
	      tools/mem_cache.c tools/mem_sets.c tools/mem_verdict.c tools/mem_loads.c \
	      tools/mem_print.c tools/memory_file.c tools/cmd_skid.c tools/skid_sample.c \
	      tools/skid_kernel.c tools/place_text.c
# What perf.data says, summed up and line by line.
TOOLS_SRCS += tools/cmd_report.c tools/report_args.c tools/report_graph.c \
	      tools/report_spots.c tools/report_filter.c tools/report_samples.c \
	      tools/report_cells.c tools/report_order.c \
	      tools/report_callers.c tools/report_text.c tools/report_print.c \
	      tools/callers.c tools/cmd_script.c tools/script_args.c tools/script_fields.c \
	      tools/script_lists.c
# Top-Down, then the instructions.
TOOLS_SRCS += tools/cmd_analyze.c tools/analyze_args.c tools/analyze_count.c \
	      tools/analyze_event.c tools/analyze_record.c tools/analyze_hot.c \
	      tools/analyze_reason.c tools/analyze_show.c tools/analyze_print.c tools/wrap.c
# Programs to try it on.
TOOLS_SRCS += tools/cmd_workload.c tools/workload_list.c tools/workload_loops.c \
	      tools/workload_memory.c
# Top-Down.
TOOLS_SRCS += tools/cmd_topdown.c tools/topdown_args.c tools/topdown_run.c tools/topdown_history.c \
	      tools/topdown_tasks.c tools/topdown_follow.c tools/topdown_text.c \
	      tools/topdown_print.c tools/topdown_rough.c tools/topdown_advice.c \
	      tools/topdown_rows.c tools/topdown_svg.c
TOOLS_OBJS := $(TOOLS_SRCS:%.c=$(O)/%.o)
TOOLS_CFLAGS := -D_GNU_SOURCE $(shell pkg-config --cflags jansson)
# zlib is small, and only one subcommand needs it: nobody waits for it to be loaded.
TOOLS_LIBS := $(shell pkg-config --libs jansson) -l:libz.a

tools: $(O)/pmuctl

$(TOOLS_OBJS): $(O)/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(TOOLS_CFLAGS) -MMD -MP -c -o $@ $<

# Which the compiler does not see.
$(O)/tools/flame.o: tools/flame.js

# Linked statically to our own library: it starts faster, and it runs where it was built.
$(O)/pmuctl: $(TOOLS_OBJS) $(O)/libpmuctl.a
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--as-needed -o $@ $^ $(LIB_LIBS) $(TOOLS_LIBS)

.PHONY: tools
-include $(TOOLS_OBJS:.o=.d)
