// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The tree of small cores, levels 1 to 3: what each node means, and from which
 * share on it is worth a look.  All are shares of the slots.
 *
 * Names and thresholds are facts of github.com/intel/perfmon at commit 6dadedf3
 * (E-core_TMA_Metrics.csv), whose Allocation_Restriction is Core_Bound again.
 */
#include "lib/tma/tma.h"

#define LEVEL1(name_, threshold_, text_, hint_)					\
	{ .name = (name_), .unit = "Slots", .threshold = (threshold_), .text = (text_), \
	  .hint = (hint_), .needs = "" }
#define NODE(name_, parent_, threshold_, text_, hint_)				\
	{ .name = (name_), .parent = (parent_), .unit = "Slots", .threshold = (threshold_), \
	  .flags = TMA_AND_PARENT, .needs = "", .text = (text_), .hint = (hint_) }

static const struct tma_node nodes[] = {
	LEVEL1("Frontend_Bound", 20,
	       "slots that stayed empty because no uops came, though the back end would have "
	       "taken them", "smaller or better laid out code: profile-guided optimization"),
	NODE("IFetch_Latency", "Frontend_Bound", 15,
	     "slots that stayed empty while fetch waited, and delivered nothing",
	     "see below which wait it was"),
	NODE("ICache_Misses", "IFetch_Latency", 5,
	     "slots lost while fetch waited for code from beyond the first-level cache",
	     "keep hot code together and small"),
	NODE("ITLB_Misses", "IFetch_Latency", 5,
	     "slots lost while fetch waited for an address translation",
	     "keep hot code on few pages, or map it with large ones"),
	NODE("Branch_Detect", "IFetch_Latency", 5,
	     "slots lost where a branch was found at decoding only, or another target than first "
	     "predicted (BACLEARS)", "fewer branches in hot code; profile-guided optimization"),
	{ .name = "Branch_Resteer", .parent = "IFetch_Latency", .unit = "Slots", .threshold = 5,
	  .flags = TMA_AND_PARENT, .needs = "", .cause = "Branch_Mispredicts",
	  .text = "slots lost while fetch went on at the target of a taken branch (BTCLEARS)",
	  .hint = "fewer taken branches: lay the usual way out in line, unroll" },
	NODE("IFetch_Bandwidth", "Frontend_Bound", 10,
	     "slots that stayed empty while fewer uops came than fit",
	     "see below which part was slow"),
	NODE("Cisc", "IFetch_Bandwidth", 5,
	     "slots lost to the microcode sequencer",
	     "avoid instructions that microcode does, and denormal numbers"),
	NODE("Decode", "IFetch_Bandwidth", 5,
	     "slots lost in the decoders",
	     "simpler and shorter instructions; let the compiler tune for this processor"),
	NODE("Predecode", "IFetch_Bandwidth", 5,
	     "slots lost where the lengths of instructions were guessed wrong",
	     "no data among code; no prefixes that change an instruction's length"),
	NODE("Other_FB", "IFetch_Bandwidth", 5,
	     "slots lost in the front end for none of these reasons", "see what is beside it"),

	LEVEL1("Bad_Speculation", 15,
	       "slots of uops that never retired, and of recovering from having issued them",
	       "see below whether it was branches"),
	NODE("Branch_Mispredicts", "Bad_Speculation", 5,
	     "slots that were lost by mispredicted branches",
	     "make the branch predictable (sort the data), or replace it by a conditional move or "
	     "arithmetic"),
	NODE("Machine_Clears", "Bad_Speculation", 5,
	     "slots that were lost by clearing the pipeline", "see below how it was cleared"),
	NODE("Nuke", "Machine_Clears", 5,
	     "slots lost by clears that microcode does: page faults, assists, self-modifying code",
	     "no data beside code; no denormal numbers"),
	NODE("Fast_Nuke", "Machine_Clears", 5,
	     "slots lost by clears without microcode: memory ordering, disambiguation",
	     "no lines that threads write in turns; no loads soon behind stores whose address "
	     "comes late"),

	LEVEL1("Backend_Bound", 10,
	       "slots that stayed empty because the back end had no room for more uops",
	       "see below what was full"),
	NODE("Core_Bound", "Backend_Bound", 10,
	     "slots lost by restrictions of allocation: uops that cannot go side by side",
	     "mix instructions of several kinds; vectorize"),
	NODE("Resource_Bound", "Backend_Bound", 20,
	     "slots that stayed empty because some buffer of the back end was full",
	     "see below which it was"),
	NODE("Mem_Scheduler", "Resource_Bound", 10,
	     "slots lost because the schedulers of loads and stores were full",
	     "keep what is used together close together; block loops for the caches"),
	NODE("Non_Mem_Scheduler", "Resource_Bound", 10,
	     "slots lost because the schedulers of integers or floating point were full",
	     "break dependency chains (several accumulators); fewer divisions"),
	NODE("Register", "Resource_Bound", 10,
	     "slots lost because no physical register was free",
	     "shorter chains behind slow loads; other work in between"),
	NODE("Reorder_Buffer", "Resource_Bound", 10,
	     "slots lost because the reorder buffer was full, behind something slow",
	     "`pmuctl mem` shows which loads take long; prefetch"),
	NODE("Serialization", "Resource_Bound", 10,
	     "slots lost while a serializing instruction was waited for",
	     "fewer CPUID, PAUSE, fences and the like in hot code"),

	LEVEL1("Retiring", 75,
	       "slots of uops that retired: the useful work",
	       "the pipeline is well used: do less work, by a better algorithm or by vectors"),
};

const struct tma_nodes small_nodes = { nodes, ARRAY_SIZE(nodes) };
