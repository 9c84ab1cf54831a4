// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl report and script on a file whose rows are known.
 */
#include "tests/unit/lib/data_file.h"
#include "tools/report/run.h"
#include "tests/unit/tools/run.h"

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN | \
	      PERF_SAMPLE_CPU)

static struct data_file file;

static const struct perf_event_attr attr = {
	.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS,
	.sample_period = 100, .sample_type = TYPE, .precise_ip = 2,
};

static void put_sample_on(uint64_t cpu, uint32_t tid, uint64_t ip, const uint64_t *chain,
			  uint64_t count)
{
	size_t at = begin_record(&file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_EXACT_IP |
				 (ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER));

	put_u64(&file, ip);
	put_u64(&file, 7 | (uint64_t)tid << 32);
	put_u64(&file, 5000000001);
	put_u64(&file, cpu);
	put_u64(&file, count);
	put(&file, chain, count * sizeof(*chain));
	end_record(&file, at);
}

static void put_sample(uint32_t tid, uint64_t ip, const uint64_t *chain, uint64_t count)
{
	put_sample_on(1, tid, ip, chain, count);
}

#define PROCESS (7 | 7ULL << 32)

static void put_comm(uint16_t misc, const char *name)
{
	size_t at = begin_record(&file, PERF_RECORD_COMM, PERF_RECORD_MISC_USER | misc);

	put_u64(&file, PROCESS);
	put_text(&file, name);
	end_record(&file, at);
}

static void put_map(uint64_t task, uint16_t misc, uint64_t start, uint64_t size, uint64_t offset,
		    const char *name)
{
	size_t at = begin_record(&file, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER | misc);

	put_u64(&file, task);
	put_u64(&file, start);
	put_u64(&file, size);
	put_u64(&file, offset);
	put_text(&file, name);
	end_record(&file, at);
}

static void put_program(uint64_t start, const char *name)
{
	put_map(PROCESS, 0, start, 0x10000, 0, name);
}

/* Three samples at 0x1010, one of them called from 0x1020, which called itself; one elsewhere. */
static int make_file(void **state)
{
	static const uint64_t chain[] = {
		PERF_CONTEXT_USER, 0x401010, 0x401021, 0x401021,
	};

	setup(state);
	begin_file(&file, &attr, 1);
	put_comm(0, "two, words");
	put_program(0x400000, "/no/such/program");
	put_sample(7, 0x401010, chain, 4);
	put_sample(7, 0x401010, NULL, 0);
	put_sample(7, 0x401010, NULL, 0);
	put_sample(8, 0x900000, NULL, 0);
	end_file(&file);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	remove_file(&file);
	return 0;
}

/* The file by a name that its descriptor keeps in the child. */
static int run_on_file(const char *before, const char *behind)
{
	char line[256], path[64] = "/tmp/pmuctl-report-XXXXXX";
	int fd = mkstemp(path), code;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, file.bytes, file.size), file.size);
	close(fd);
	snprintf(line, sizeof(line), "%s -i %s%s", before, path, behind);
	code = run(line);
	unlink(path);
	return code;
}

static void expect(const char *text)
{
	if (!count_text(out, text))
		fail_msg("no '%s' in:\n%s", text, out);
}

/* Two events, of which the second says neither when nor where nor whose; and one unheard of. */
static void make_unlike(void)
{
	struct perf_event_attr attrs[] = { attr, attr };
	static const uint64_t ids[] = { 100, 101, 999 };
	size_t i, at;

	attrs[0].sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME;
	attrs[1].sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
	begin_file(&file, attrs, 2);
	for (i = 0; i < 3; i++) {
		at = begin_record(&file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		put_u64(&file, ids[i]);
		put_u64(&file, 0x401010);
		if (!i) {
			put_u64(&file, PROCESS);
			put_u64(&file, 5000000001);
		}
		end_record(&file, at);
	}
	end_file(&file);
}

/* Its events are called so, as recorders that are killed say it. */
static void put_name(uint64_t id, const char *name)
{
	size_t at = begin_record(&file, 78, 0);

	put_u64(&file, 2);
	put_u64(&file, id);
	put_text(&file, name);
	end_record(&file, at);
}

static void put_wait(uint64_t id, uint64_t ns)
{
	size_t at = begin_record(&file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	put_u64(&file, id);
	put_u64(&file, 0x401010);
	put_u64(&file, PROCESS);
	put_u64(&file, 5000000001);
	put_u64(&file, ns);
	end_record(&file, at);
}

static void test_off_cpu(void **state)
{
	struct perf_event_attr attrs[2] = { attr, { .type = PERF_TYPE_SOFTWARE, .config = 3 } };

	(void)state;
	attrs[0].sample_type = attrs[1].sample_type =
		PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		PERF_SAMPLE_PERIOD;
	begin_file(&file, attrs, 2);
	put_name(101, "offcpu-time");
	put_wait(101, 2000000000);
	put_wait(100, 77);
	put_wait(101, 345678901);
	end_file(&file);
	assert_int_equal(run_on_file("report", ""), 0);
	expect("# Samples: 1 of event 'instructions'\n# Event count (approx.): 77\n");
	expect("# Samples: 2 of event 'offcpu-time'\n# Off-CPU time: 2.345678901 s in 2 waits\n");
	assert_int_equal(run_on_file("report -e offcpu-time", ""), 0);
	expect("# Off-CPU time: 2.345678901 s in 2 waits\n");
	assert_null(strstr(out, "instructions"));
	assert_int_equal(run_on_file("report -j", ""), 0);
	expect("\"total_events\": 2345678901, \"uncertain\": 0, \"period\": 0, \"unit\": \"ns\"}");
	assert_int_equal(count_text(out, "unit"), 1);
	assert_int_equal(run_on_file("report -e offcpu", ""), 129);
	assert_non_null(strstr(err, "has no event 'offcpu'; it has:\n  instructions\n  offcpu-time\n"));
}

static void test_text(void **state)
{
	(void)state;
	assert_int_equal(run_on_file("report", " --no-children -n"), 0);
	expect("# Samples produced: 4 = 4 written + 0 lost\n");
	expect("# Samples: 4 of event 'instructions'\n");
	expect("# Event count (approx.): 400\n");
	expect("# Uncertain: 0 samples");
	expect("   75.00%             3  two, words  program        [.] 0x0000000000001010\n");
	expect("   25.00%             1  :8          [unknown]      [.] 0x0000000000900000\n");
}

/* A call ends before where it returns to, and one that is in a chain twice counts once. */
static void test_children(void **state)
{
	(void)state;
	assert_int_equal(run_on_file("report", " -s address"), 0);
	expect("   75.00%    75.00%  0x1010\n");
	expect("   25.00%     0.00%  0x1020\n");
	assert_int_equal(run_on_file("report", " -s symbol -g --no-children"), 0);
	expect("   75.00%  [.] 0x0000000000001010\n"
	       "              <- 25.00%  0x0000000000001020\n"
	       "                <- 25.00%  0x0000000000001020\n");
}

/* perf's words behind -g: the same chains the other way round, shares of shares, fewer lines. */
static const struct {
	const char *options, *has, *lacks;
} call_graphs[] = {
	{ "-g caller --no-children", "   75.00%  0x1010\n"
	  "              -> 25.00%  0x0000000000001020\n"
	  "                -> 25.00%  0x0000000000001020\n"
	  "    25.00%  0x900000\n", NULL },
	{ "-gcaller", "   25.00%     0.00%  0x1020\n"
	  "              -> 25.00%  0x0000000000001020\n"
	  "                -> 25.00%  0x0000000000001010\n", NULL },
	{ "--call-graph=fractal --no-children", "   75.00%  0x1010\n"
	  "              <- 33.33%  0x0000000000001020\n"
	  "                <- 100.00%  0x0000000000001020\n", NULL },
	{ "-g graph,25.1 --no-children", NULL, "<-" },
	{ "-g none --no-children", NULL, "<-" },
	{ "-g 0,1,caller,function,percent -j",
	  "\"callees\": [{\"depth\": 1, \"overhead\": 25.0, \"samples\": 1, \"events\": 100, "
	  "\"callee\": \"0x0000000000001020\"}, ", NULL },
	{ "-g caller -g 1 --no-children", "-> 25.00%  0x0000000000001020\n", NULL },
	{ "-g none -g 30 -g fractal --no-children", "<- 33.33%  0x0000000000001020\n", NULL },
	/* Each chain once, whole: the row has 100 events of one, and its own entry is no line. */
	{ "-g flat --no-children", "   75.00%  0x1010\n"
	  "              <- 25.00%\n"
	  "                 0x0000000000001020\n"
	  "                 0x0000000000001020\n", NULL },
	{ "-g folded,caller,count --no-children",
	  "              -> 1  0x0000000000001020;0x0000000000001020\n", NULL },
	{ "-g period --no-children", "              <- 100  0x0000000000001020\n", NULL },
	{ "-g folded,0 --no-children", NULL, "<-  0.00%" },
	{ "-g folded,25.1 --no-children", NULL, "<-" },
	{ "-g folded --no-children -j",
	  "\"callers\": [{\"overhead\": 25.0, \"samples\": 1, \"events\": 100, "
	  "\"chain\": \"0x0000000000001020;0x0000000000001020\"}]", NULL },
};

static void test_call_graph(void **state)
{
	char options[96];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(call_graphs); i++) {
		snprintf(options, sizeof(options), " -s address %s", call_graphs[i].options);
		assert_int_equal(run_on_file("report", options), 0);
		if (call_graphs[i].has)
			expect(call_graphs[i].has);
		else
			assert_null(strstr(out, call_graphs[i].lacks));
	}
	make_unlike();
	assert_int_equal(run_on_file("report", " -g"), 255);
	assert_non_null(strstr(err, "has no call chains: record with -g"));
	assert_int_equal(run_on_file("report", " -g none"), 0);
}

static void test_csv_and_json(void **state)
{
	(void)state;
	assert_int_equal(run_on_file("report", " --no-children -s task,dso,address -x ,"), 0);
	expect("# event,overhead,samples,events,comm,dso,address\n"
	       "instructions,75.00,3,300,\"two, words\",/no/such/program,0x1010\n"
	       "instructions,25.00,1,100,:8,[unknown],0x900000\n");
	assert_int_equal(run_on_file("report", " --no-children -s tid -j"), 0);
	expect("\"written\": 4, \"lost\": 0, \"produced\": 4, \"throttled\": 0, \"cut\": false, "
	       "\"undescribed\": 0}\n");
	expect("\"total_samples\": 4, \"total_events\": 400,");
	expect("\"overhead\": 75.0, \"samples\": 3, \"events\": 300, \"tid\": 7}\n");
}

static void test_filters(void **state)
{
	(void)state;
	assert_int_equal(run_on_file("report", " --no-children -d program -s dso -x ,"), 0);
	expect("instructions,75.00,3,300,/no/such/program\n");
	assert_null(strstr(out, "unknown"));
	assert_int_equal(run_on_file("report", " --no-children --tid 8 -s dso -x ,"), 0);
	expect("instructions,25.00,1,100,[unknown]\n");
	assert_null(strstr(out, "program"));
	assert_int_equal(run_on_file("report", " --no-children --tid 007,008 -s tid -x ,"), 0);
	expect("75.00,3,300,7\n");
	expect("25.00,1,100,8\n");
	assert_int_equal(run_on_file("report", " --no-children --percent-limit 30 -s dso -x ,"), 0);
	assert_null(strstr(out, "unknown"));
}

/* A name is the whole name, a process no thread, and the limit itself is no less. */
static void test_filters_to_the_letter(void **state)
{
	(void)state;
	assert_int_equal(run_on_file("report", " --no-children -d programs -s dso -x ,"), 1);
	assert_null(strstr(out, "instructions,75"));
	assert_non_null(strstr(err, "-d: no sample is in a DSO named 'programs'"));
	assert_int_equal(run_on_file("report", " --no-children -d progra -s dso -x ,"), 1);
	assert_null(strstr(out, "instructions,75"));
	assert_int_equal(run_on_file("report", " --no-children -d program,progra -s dso -x ,"), 0);
	assert_non_null(strstr(err, "'progra'\n"));
	assert_null(strstr(err, "'program'"));
	assert_int_equal(run_on_file("report", " --no-children -c :80 -s tid -x ,"), 1);
	assert_null(strstr(out, "instructions,25"));
	assert_non_null(strstr(err, "-c: no sample is of a task named ':80'"));
	assert_int_equal(run_on_file("report", " --no-children -c :8 -s tid -x ,"), 0);
	expect("instructions,25.00,1,100,8\n");
	assert_int_equal(run_on_file("report", " --no-children --pid 8 -s tid -x ,"), 1);
	assert_null(strstr(out, "instructions,25"));
	assert_non_null(strstr(err, "--pid 8: no sample is of these processes"));
	assert_int_equal(run_on_file("report", " --no-children --pid 7 -s tid -x ,"), 0);
	expect("instructions,75.00,3,300,7\n");
	expect("instructions,25.00,1,100,8\n");
	assert_int_equal(run_on_file("report", " --no-children --percent-limit 25 -s tid -x ,"), 0);
	expect("instructions,25.00,1,100,8\n");
	assert_int_equal(run_on_file("report", " --no-children --percent-limit 25.01 -s tid -x ,"),
			 0);
	assert_null(strstr(out, "instructions,25"));
}

/* As in perf: what other CPUs did is not there, while other tasks and DSOs are parts of all. */
static void test_cpus(void **state)
{
	(void)state;
	put_sample_on(2, 7, 0x401010, NULL, 0);
	end_file(&file);
	assert_int_equal(run_on_file("report", " --no-children -C 1 -s dso -x ,"), 0);
	expect("# Samples: 4 of event 'instructions'\n# Event count (approx.): 400\n");
	expect("instructions,75.00,3,300,/no/such/program\n");
	assert_int_equal(run_on_file("report", " --no-children -C 2 -s dso -j"), 0);
	expect("\"written\": 5, ");
	expect("\"total_samples\": 1, \"total_events\": 100, ");
	expect("\"overhead\": 100.0, \"samples\": 1, \"events\": 100, ");
	assert_int_equal(run_on_file("report", " --no-children -C 0 -s dso -x ,"), 1);
	assert_null(strstr(out, "100,"));
	assert_non_null(strstr(err, "-C: no sample is of these CPUs"));
}

/* Samples in the kernel's boot code, in a module and in memory that is no code. */
static void test_no_program(void **state)
{
	(void)state;
	put_map(UINT64_MAX, 0, 0xffffffff81000000, 0x1000, 0xffffffff81000000,
		"[kernel.kallsyms]_text");
	put_map(UINT64_MAX, 0, 0xffffffffa0000000, 0x1000, 0,
		"/lib/modules/6.1/kernel/fs/none.ko.xz");
	put_map(PROCESS, PERF_RECORD_MISC_MMAP_DATA, 0x800000, 0x1000, 0, "//anon");
	put_map(PROCESS, 0, 0x900000, 0x1000, 0, "//anon");
	put_sample(7, 0xffffffff83784000, NULL, 0);
	put_sample(7, 0xffffffffa0000010, NULL, 0);
	put_sample(7, 0xffffffffc0000010, NULL, 0);
	put_sample(7, 0x800010, NULL, 0);
	put_sample(7, 0x900010, NULL, 0);
	end_file(&file);
	assert_int_equal(run_on_file("report", " --no-children -s dso,address -x ;"), 0);
	expect(";[kernel.kallsyms];0xffffffff83784000\n");
	expect(";/lib/modules/6.1/kernel/fs/none.ko.xz;0x10\n");
	expect(";[unknown];0xffffffffc0000010\n");
	expect(";//anon;0x800010\n");
	expect(";/tmp/perf-7.map;0x900010\n");
	assert_int_equal(run_on_file("report", " --no-children -s dso -d [none],anon -n"), 0);
	expect("   11.11%             1  [none]\n");
	expect("   11.11%             1  anon\n");
	assert_int_equal(count_text(out, "11.11%"), 2);
}

/* Whoever shows a file says what of the recording is not in it. */
static void test_lost_and_cut(void **state)
{
	static const char *const lines[] = {
		"script", "annotate", "mem", "export --folded", "export --pprof", "report --svg -",
	};
	size_t i, at = begin_record(&file, PERF_RECORD_LOST, 0);

	(void)state;
	put_u64(&file, 0);
	put_u64(&file, 17);
	end_record(&file, at);
	end_file(&file);
	file_header(&file)->data.size += 8;
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		run_on_file(lines[i], "");
		if (!strstr(err, ": 17 samples were lost when /tmp/") ||
		    !strstr(err, " was cut or not closed: these are its whole records\n"))
			fail_msg("%s: %s", lines[i], err);
	}
	assert_int_equal(run_on_file("report", ""), 0);
	assert_non_null(strstr(err, "3 of 4 samples have no function's name: 3 in /no/such/program "
				    "(No such file or directory)"));
	expect("# Samples produced: 21 = 4 written + 17 lost\n");
	expect("# The file was cut or not closed: these are its whole records\n");
	assert_int_equal(run_on_file("report", " -j"), 0);
	expect("\"produced\": 21");
	expect("\"lost\": 17");
}

/* What a row is measured by, and which part of all that is. */
static void test_amounts(void **state)
{
	const struct report_weight w = { .samples = 3, .events = 700 };

	(void)state;
	assert_int_equal(report_amount(&w, false), 700);
	assert_int_equal(report_amount(&w, true), 3);
	assert_true(report_percent(3, 4) == 75);
	assert_true(report_percent(0, 0) == 0);
}

/* What a file does not say is neither CPU 0 nor a place in it. */
static void test_missing(void **state)
{
	(void)state;
	make_unlike();
	assert_int_equal(run_on_file("report", " -s cpu,tid -x ,"), 0);
	expect("100.00,1,100,-1,7\n");
	expect("100.00,1,100,-1,-1\n");
	expect("# Left out: 1 samples of events that the file does not describe\n");
	assert_int_equal(run_on_file("report", " -C 0"), 255);
	assert_non_null(strstr(err, "does not say on which CPUs its samples were"));
	assert_int_equal(run_on_file("report", " --tid 7 -s tid -x ,"), 0);
	assert_int_equal(run_on_file("script", " -x ,"), 0);
	expect(":7,7,5.000000001,100,instructions,0x401010,");
	expect("-,-,-,100,instructions,0x401010,");
	assert_non_null(strstr(err, "1 samples are left out: "));
	assert_int_equal(run_on_file("script", " -j -F time,cpu"), 0);
	expect("{\"cpu\": null, \"time\": \"5.000000001\"}\n{\"cpu\": null, \"time\": null}\n");
}

/* Who calls from a guest is in no map either. */
static void test_guest_callers(void **state)
{
	static const uint64_t chain[] = {
		PERF_CONTEXT_GUEST_USER, 0x401010, 0x401021, PERF_CONTEXT_USER, 0x401050,
	};

	(void)state;
	put_sample(7, 0xffffffff81000010, chain, 5);
	end_file(&file);
	assert_int_equal(run_on_file("report", " -s dso,address -x ;"), 0);
	expect(";[unknown];0x401010\n");
	expect(";[unknown];0x401021\n");
	expect(";/no/such/program;0x1050\n");
}

/* Events of one name are one to who asks for it: annotate and mem take both, too. */
static void test_namesakes(void **state)
{
	(void)state;
	make_unlike();
	assert_int_equal(run_on_file("export", " --folded"), 0);
	expect(":7;[unknown] 100\n");
	expect(":-1;[unknown] 100\n");
	assert_null(strstr(err, "another"));
	assert_int_equal(run_on_file("export", " --folded -e instructions"), 0);
	expect(":7;[unknown] 100\n");
	expect(":-1;[unknown] 100\n");
}

static void test_traces(void **state)
{
	size_t at;

	(void)state;
	begin_file(&file, &attr, 1);
	at = begin_record(&file, 71, 0);
	put_u64(&file, 4096);
	put_u64(&file, 0);
	end_record(&file, at);
	file.size += 4096;
	end_file(&file);
	assert_int_equal(run_on_file("report", ""), 0);
	assert_non_null(strstr(err, "has 4096 bytes of processor traces, which are not decoded"));
}

static void test_script(void **state)
{
	(void)state;
	assert_int_equal(run_on_file("script", ""), 0);
	expect("      two, words       7 [001] 5.000000001:        100 instructions:           401010 "
	       "[unknown] (/no/such/program)\n");
	assert_int_equal(run_on_file("script", " -F ip,callchain,addr -x ;"), 0);
	expect("-;0x401010;0x401010 <- 0x401021 <- 0x401021\n");
	assert_int_equal(run_on_file("script", " -j -F tid,addr,ip"), 0);
	expect("{\"tid\": 7, \"addr\": null, \"ip\": \"0x401010\"}\n");
	assert_int_equal(run_on_file("script", " -j -F pid,tid"), 0);
	expect("{\"pid\": 7, \"tid\": 8}\n");
	assert_int_equal(run_on_file("script", " -F -dso,-sym,-symoff,+pid"), 0);
	expect("7/7       [001] 5.000000001:");
	assert_null(strstr(out, "program"));
	assert_int_equal(run_on_file("script", " -j -F tid -F +pid -F +ip,-tid"), 0);
	expect("{\"pid\": 7, \"ip\": \"0x401010\"}\n");
}

/*
 * While an exec goes on the kernel was entered from the program before; what its stack has,
 * and what is on that of the new one, is none of its addresses.
 */
static void test_exec(void **state)
{
	static const uint64_t inside[] = {
		PERF_CONTEXT_KERNEL, 0xffffffff81000010, PERF_CONTEXT_USER, 0x401010, 0x402001,
	}, behind[] = {
		PERF_CONTEXT_USER, 0x800010, 0x403001, 0x800021,
	};

	(void)state;
	remove_file(&file);
	begin_file(&file, &attr, 1);
	put_program(0x400000, "/no/such/program");
	put_comm(PERF_RECORD_MISC_COMM_EXEC, "next");
	put_program(0x800000, "/no/such/next");
	put_sample(7, 0xffffffff81000010, inside, 5);
	put_sample(7, 0x800010, behind, 4);
	end_file(&file);
	assert_int_equal(run_on_file("report", " -s dso,address -x ;"), 0);
	expect(";/no/such/program;0x1010\n");
	expect(";[unknown];0x402001\n");
	expect(";[unknown];0x403001\n");
	expect(";/no/such/next;0x20\n");
	assert_int_equal(run_on_file("export", " --folded"), 0);
	expect("next;[unknown];[program];[unknown]_[k] 100\n");
}

static void test_full_disk(void **state)
{
	(void)state;
	assert_int_equal(run_on_file("report", " -o /dev/full"), 255);
	assert_non_null(strstr(err, "cannot write /dev/full: No space left on device"));
	assert_int_equal(run_on_file("script", " -o /dev/full"), 255);
	assert_non_null(strstr(err, "cannot write /dev/full: No space left on device"));
}

/* A file that is broken costs nothing that was written before, and "-" is no file. */
static void test_output(void **state)
{
	char name[] = "/tmp/pmuctl-test-XXXXXX", behind[64], text[64];
	int fd = mkstemp(name);
	size_t at;

	(void)state;
	assert_int_equal(run_on_file("report", " -o - --no-children"), 0);
	expect("Overhead");
	assert_int_equal(run_on_file("script", " -o -"), 0);
	expect("two, words");
	assert_int_equal(run_on_file("export", " --folded -o -"), 0);
	expect("two, words");
	assert_int_equal(run_on_file("report", " --svg -"), 0);
	expect("</svg>");
	assert_int_equal(access("-", F_OK), -1);

	at = begin_record(&file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(&file, 0x401010);
	end_record(&file, at);
	end_file(&file);
	assert_int_equal(write(fd, "old results\n", 12), 12);
	snprintf(behind, sizeof(behind), " -o %s", name);
	assert_int_equal(run_on_file("report", behind), 255);
	slurp(fd, text, sizeof(text));
	unlink(name);
	assert_string_equal(text, "old results\n");
}

/* Tasks and DSOs may be called anything; a terminal obeys nothing of it. */
static void test_names_that_are_orders(void **state)
{
	static const char *const lines[] = {
		"report", "report -x ;", "report -j", "report -g", "script", "script -j",
		"script -F comm,dso,sym,callchain", "export --folded", "export --speedscope",
	};
	const unsigned char *c;
	size_t i;

	(void)state;
	put_comm(0, "\033[31m\x9b\xc2\x9b\x7f\nx");
	put_program(0x400000, "/no/\033[31m\x9b\xc2\x9b\x7f\nx");
	put_sample(7, 0x401010, NULL, 0);
	end_file(&file);
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_int_equal(run_on_file(lines[i], ""), 0);
		for (c = (const unsigned char *)out; *c; c++)
			if ((*c < ' ' && *c != '\n') || *c >= 0x7f)
				fail_msg("%s: byte %#x in '%s'", lines[i], *c, out);
		assert_null(strstr(out, "\nx"));
	}
}

static void expect_complaint(const char *line, int code, const char *words)
{
	assert_int_equal(run(line), code);
	if (!strstr(err, words))
		fail_msg("'%s' does not say '%s'", err, words);
}

static void test_complaints(void **state)
{
	(void)state;
	expect_complaint("report -i /no/such/file", 255, "/no/such/file: No such file");
	expect_complaint("report -i /dev/null", 255, "no regular file and no pipe");
	expect_complaint("report -s colour", 129, "'colour' is none of task");
	expect_complaint("report --percent-limit 101", 129, "not a number from 0 to 100");
	expect_complaint("report -x , -j", 129, "-x or -j, not both");
	expect_complaint("report -g colour", 129, "-g: 'colour' is none of graph, fractal,");
	expect_complaint("report -g caller,branch", 129, "-g branch: callers have no branches");
	expect_complaint("report -g 0.5x", 129, "-g '0.5x': not a share from 0 to 100");
	expect_complaint("report -g 101", 129, "not a share from 0 to 100");
	expect_complaint("report -g 1,1.5", 129, "-g '1.5': not a number from 0");
	expect_complaint("report -g 1,2,3", 129, "'3' is a third number");
	expect_complaint("report -g caller,", 129, "'' is none of");
	expect_complaint("report file", 129, "it takes a file by -i alone");
	expect_complaint("report -C 3-1", 129, "-C '3-1': a range ends before it begins");
	expect_complaint("report -C 3-", 129, "not a list of CPUs");
	expect_complaint("report --pid 7,x", 129, "--pid '7,x': not a list of numbers");
	expect_complaint("report --tid 99999999999", 129, "not a list of numbers");
	expect_complaint("script -F ip,colour", 129, "'colour' is none of comm");
	expect_complaint("script -F ip,+sym", 129, "the first field has no sign");
	expect_complaint("script -F ip,symoff", 129, "it goes with that");
	expect_complaint("script -F ip -F -ip", 129, "no field is left");
	expect_complaint("script -i /no/such/file", 255, "/no/such/file: No such file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_text, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_off_cpu, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_children, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_call_graph, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_csv_and_json, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_filters, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_filters_to_the_letter, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_cpus, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_no_program, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_lost_and_cut, make_file, teardown),
		cmocka_unit_test(test_amounts),
		cmocka_unit_test_setup_teardown(test_missing, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_guest_callers, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_namesakes, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_traces, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_script, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_exec, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_full_disk, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_output, make_file, teardown),
		cmocka_unit_test_setup_teardown(test_names_that_are_orders, make_file, teardown),
		cmocka_unit_test_setup(test_complaints, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
