// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the command says and asks for on a Pentium 4, against the kernel of paper.
 */
#include <errno.h>

#include "tests/unit/tools/run.h"

static int p4(void **state)
{
	static struct pmuctl_count counts[sizeof(fake.counts) / sizeof(fake.counts[0])];

	/* Another CPU, and the same counts. */
	setup(state);
	memcpy(counts, fake.counts, sizeof(counts));
	fake_p4(FAKE_PRESCOTT);
	memcpy(fake.counts, counts, sizeof(counts));
	return 0;
}

/* The manual's eight steps, with the names and values of the registers. */
static void explain(void **state)
{
	(void)state;
	assert_int_equal(run("explain 1stL_cache_load_miss_retired:u"), 0);
	assert_non_null(strstr(out, "source     Intel: 1stL_cache_load_miss_retired"));
	assert_non_null(strstr(out, "ESCR 0x12000200: event 0x09, mask 0x0001, tag 0x0, tag "
				    "enable 0"));
	assert_non_null(strstr(out, "CCCR 0x0000a000: ESCR select 5, compare 0"));
	assert_non_null(strstr(out, "allowed    gp12-17"));
	assert_non_null(strstr(out, "assigned   gp17 (MSR_IQ_COUNTER5)"));
	assert_non_null(strstr(out, "register   IA32_PEBS_ENABLE = 0x1"));
	assert_non_null(strstr(out, "2. ESCR: MSR_CRU_ESCR3"));
	assert_non_null(strstr(out, "3. counter: MSR_IQ_COUNTER5 of the IQ group, whose "
				    "MSR_IQ_CCCR5 reaches MSR_CRU_ESCR3 by ESCR select 5"));
	assert_non_null(strstr(out, "4. write MSR_CRU_ESCR3 = 0x1200020c"));
	assert_non_null(strstr(out, "8. write MSR_IQ_COUNTER5, then MSR_IQ_CCCR5 = 0x0003b000"));
	assert_int_equal(count_text(out, "write MSR_PEBS_MATRIX_VERT = 0x1"), 1);
}

static void explain_upstream(void **state)
{
	(void)state;
	assert_int_equal(run("explain packed_SP_retired"), 0);
	assert_non_null(strstr(out, "upstream   packed_SP_uop tags what it counts: ESCR "
				    "0x11000030"));
	assert_int_equal(count_text(out, "in the manual's order"), 2);
	assert_non_null(strstr(out, "MSR_FLAME_COUNTER3"));
	assert_int_equal(run("explain -j packed_SP_retired"), 0);
	assert_non_null(strstr(out, "\"upstreams\": [{\"event\": \"packed_SP_uop\""));
	assert_non_null(strstr(out, "\"setup\": [\""));
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EPERM;
	RUN_HAS("explain instructions", 1, "the kernel's half");
	assert_non_null(strstr(out, "4. write MSR_CRU_ESCR1 = 0x04000600"));
	assert_non_null(strstr(out, "(the kernel sets the rings)"));
}

static void wrong_events(void **state)
{
	(void)state;
	RUN_HAS("stat -e instr_retired:NBOGUSTAGS true", 129, "no modifier and no mask");
	RUN_HAS("stat -e replay_event true", 129, "L1_LD_MISS");
	RUN_HAS("stat -e slots true", 129, "no event for slots");
	RUN_HAS("explain r003c", 129, "cpu/escr=");
	RUN_HAS("explain rabbit", 129, "no such event");
}

static void cascades(void **state)
{
	(void)state;
	RUN_HAS("stat --cascade branches:u true", 129, "there is one event");
	RUN_HAS("stat --cascade branches:u,instructions:u true", 129, "no number of events");
	RUN_HAS("stat --cascade branches:u:0,instructions:u true", 129, "no number of events");
	RUN_HAS("stat --cascade branches:5,instructions,cycles true", 129, "more than two");
	RUN_HAS("stat --cascade branches:5, true", 129, "empty");
	RUN_HAS("stat --cascade branchs:5,instructions true", 129, "event 'branchs'");
	RUN_HAS("stat --cascade {branches,cycles}:5,instructions true", 129, "--cascade");
	assert_int_equal(run("stat --cascade branches:u:10000,instructions:u:7 true"), 0);
	assert_non_null(strstr(err, "instructions:u"));
	assert_non_null(strstr(err, "after 10000 of branches:u, 7 wanted: "));
	assert_null(strstr(err, "cycles"));
	/* A metric has a line without an event. */
	assert_int_equal(run("stat -M IPC true"), 0);
	fake_skylake();
	RUN_HAS("stat --cascade branches:5,instructions true", 255, "no counter of this CPU");
}

static void force_ovf(void **state)
{
	(void)state;
	RUN_HAS("record --force-ovf -F 100 true", 129, "leave -F out");
	RUN_HAS("record --force-ovf -c 2 true", 129, "every event");
	fake_sampling(0x40);
	RUN_HAS("record --force-ovf -e l1d-load-misses:pp true", 129, "no :p");
	fake_skylake();
	fake_sampling(3);
	RUN_HAS("record --force-ovf -e cycles true", 255, "FORCE_OVF is the Pentium 4's");
}

static void list(void **state)
{
	(void)state;
	assert_int_equal(run("list retired"), 0);
	assert_non_null(strstr(out, "1stL_cache_load_miss_retired"));
	assert_non_null(strstr(out, "instr_retired:NBOGUSNTAG"));
	assert_non_null(strstr(out, "cpu/escr="));
	assert_null(strstr(out, "rNNNN"));
	assert_int_equal(run("list x87_SIMD"), 0);
	assert_non_null(strstr(out, "x87_SIMD_moves_uop"));
	assert_int_equal(run("info"), 0);
	assert_non_null(strstr(out, "gp0, gp2-17"));
	assert_non_null(strstr(out, "cascade"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(explain, p4),
		cmocka_unit_test_setup(explain_upstream, p4),
		cmocka_unit_test_setup(wrong_events, p4),
		cmocka_unit_test_setup(cascades, p4),
		cmocka_unit_test_setup(force_ovf, p4),
		cmocka_unit_test_setup(list, p4),
	};

	setenv("LIBPFM_FORCE_PMU", "netburst_p", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
