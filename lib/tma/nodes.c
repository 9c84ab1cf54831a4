// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The tree of TMA 5.2, levels 1 to 3: what each node means, and from which share on
 * it is worth a look.
 */
#include "lib/tma/tma.h"

#define LEVEL1(name_, threshold_, flags_, text_, hint_)				\
	{ .name = (name_), .unit = "Slots", .threshold = (threshold_), .flags = (flags_), \
	  .text = (text_), .hint = (hint_), .needs = "" }
#define NODE(name_, parent_, unit_, threshold_, flags_, needs_, text_, hint_)	\
	{ .name = (name_), .parent = (parent_), .unit = (unit_), .threshold = (threshold_), \
	  .flags = (flags_), .needs = (needs_), .text = (text_), .hint = (hint_) }

static const struct tma_node nodes[] = {
	LEVEL1("Frontend_Bound", 15, 0,
	       "slots that stayed empty because no uops came, though the back end would have "
	       "taken them", "smaller or better laid out code: profile-guided optimization"),
	NODE("Fetch_Latency", "Frontend_Bound", "Slots", 10, TMA_AND_PARENT, "",
	     "slots of cycles in which the front end delivered nothing at all",
	     "see below which wait it was"),
	NODE("ICache_Misses", "Fetch_Latency", "Clocks", 5, TMA_AND_PARENT,
	     "ICACHE.IFETCH_STALL or its successors",
	     "cycles in which fetch waited for code from beyond the first-level cache",
	     "keep hot code together and small; large pages do not help here, layout does"),
	NODE("ITLB_Misses", "Fetch_Latency", "Clocks", 5, TMA_AND_PARENT, "",
	     "cycles in which fetch waited for an address translation",
	     "keep hot code on few pages, or map it with large ones"),
	{ .name = "Branch_Resteers", .parent = "Fetch_Latency", .unit = "Clocks", .threshold = 5,
	  .flags = TMA_AND_PARENT, .needs = "", .cause = "Branch_Mispredicts",
	  .text = "cycles in which fetch began anew elsewhere, after a mispredicted or unknown "
		  "branch or a machine clear",
	  .hint = "see Bad_Speculation; fewer taken branches help as well" },
	NODE("MS_Switches", "Fetch_Latency", "Clocks_Estimated", 5, TMA_AND_PARENT, "",
	     "cycles lost on switching to the microcode sequencer",
	     "avoid instructions that microcode does, and denormal numbers"),
	NODE("LCP", "Fetch_Latency", "Clocks", 5, TMA_AND_PARENT, "",
	     "cycles in which the decoder stumbled over prefixes that change an instruction's "
	     "length", "no 16-bit immediates; let the compiler tune for this processor"),
	NODE("DSB_Switches", "Fetch_Latency", "Clocks", 5, TMA_AND_PARENT, "",
	     "cycles lost on switching from the uop cache to the decoders",
	     "let hot code fit the uop cache; align its loops"),
	NODE("Fetch_Bandwidth", "Frontend_Bound", "Slots", 20, 0, "",
	     "slots of cycles in which the front end delivered some uops, and fewer than fit",
	     "see below which source was slow"),
	NODE("MITE", "Fetch_Bandwidth", "Slots_Estimated", 10, TMA_AND_PARENT,
	     "IDQ.ALL_MITE_CYCLES_ANY_UOPS or its successors",
	     "cycles in which the decoders delivered less than they could",
	     "let hot code fit the uop cache, so that it is not decoded again"),
	NODE("DSB", "Fetch_Bandwidth", "Slots_Estimated", 15, TMA_AND_PARENT,
	     "IDQ.ALL_DSB_CYCLES_ANY_UOPS or its successors",
	     "cycles in which the uop cache delivered less than it could",
	     "align loops; fewer jumps into the middle of lines"),
	NODE("LSD", "Fetch_Bandwidth", "Slots_Estimated", 15, TMA_AND_PARENT,
	     "LSD.CYCLES_ACTIVE with a loop stream detector that is on",
	     "cycles in which the loop stream detector delivered less than it could",
	     "unroll very short loops"),
	NODE("MS", "Fetch_Bandwidth", "Slots_Estimated", 5, TMA_AND_PARENT,
	     "cycles of the microcode sequencer (from Ice Lake on)",
	     "cycles in which the microcode sequencer delivered less than fit",
	     "avoid instructions that microcode does"),

	LEVEL1("Bad_Speculation", 15, 0,
	       "slots of uops that never retired, and of recovering from having issued them",
	       "see below whether it was branches"),
	NODE("Branch_Mispredicts", "Bad_Speculation", "Slots", 10, TMA_AND_PARENT, "",
	     "slots that were lost by mispredicted branches",
	     "make the branch predictable (sort the data), or replace it by a conditional move or "
	     "arithmetic"),
	NODE("Machine_Clears", "Bad_Speculation", "Slots", 10, TMA_AND_PARENT, "",
	     "slots that were lost by clearing the pipeline: memory ordering, self-modifying code, "
	     "assists", "no data beside code; no lines that threads write in turns"),

	LEVEL1("Backend_Bound", 20, 0,
	       "slots that stayed empty because the back end had no room for more uops",
	       "see below whether it was memory or execution"),
	NODE("Memory_Bound", "Backend_Bound", "Slots", 20, TMA_AND_PARENT, "",
	     "slots that stayed empty while loads or stores were waited for",
	     "see below for which level; `pmuctl mem` shows which data"),
	NODE("L1_Bound", "Memory_Bound", "Stalls", 10, TMA_AND_PARENT,
	     "CYCLE_ACTIVITY.STALLS_LDM_PENDING or its successors",
	     "cycles without execution that waited for loads which hit the first-level cache, or "
	     "for the TLB", "loads too soon behind stores to the same place, splits, TLB misses, "
	     "or one load's address depending on another"),
	NODE("L2_Bound", "Memory_Bound", "Stalls", 5, TMA_AND_PARENT,
	     "CYCLE_ACTIVITY.STALLS_L2_PENDING beside STALLS_L1D_PENDING in the same meaning",
	     "cycles without execution that waited for the second-level cache",
	     "keep what is used together close together; block loops for the first level"),
	NODE("L3_Bound", "Memory_Bound", "Stalls", 5, TMA_AND_PARENT, "",
	     "cycles without execution that waited for the last-level cache, or another core's",
	     "block loops for the second level; no lines that several cores write"),
	NODE("L3_Miss_Bound", "Memory_Bound", "Stalls", 10, TMA_AND_PARENT, "",
	     "cycles without execution that waited for loads from memory (DRAM)",
	     "smaller data, block loops for the caches, prefetch, or other work in between"),
	NODE("Store_Bound", "Memory_Bound", "Stalls", 20, TMA_AND_PARENT, "",
	     "cycles that waited because the store buffer was full",
	     "write whole lines in order; non-temporal stores for what is not read again"),
	NODE("Core_Bound", "Backend_Bound", "Slots", 10, TMA_AND_PARENT, "",
	     "slots that stayed empty while execution, not memory, was waited for",
	     "see below: the divider, dependencies or ports"),
	NODE("Divider", "Core_Bound", "Clocks", 20, TMA_AND_PARENT, "",
	     "cycles in which the divider was busy",
	     "multiply by the reciprocal; divide narrower numbers, or fewer of them"),
	NODE("Serializing_Operation", "Core_Bound", "Clocks", 10, TMA_AND_PARENT,
	     "PARTIAL_RAT_STALLS.SCOREBOARD or its successors",
	     "cycles in which issue waited for a serializing operation",
	     "fewer CPUID, PAUSE, fences and the like in hot code"),
	NODE("AMX_Busy", "Core_Bound", "Core_Clocks", 50, TMA_AND_PARENT, "EXE.AMX_BUSY",
	     "cycles in which the matrix unit was busy", "it is used well; feed it from the caches"),
	NODE("Ports_Utilization", "Core_Bound", "Clocks", 15, TMA_AND_PARENT | TMA_REST, "",
	     "cycles that were slow for dependencies between instructions or for busy ports",
	     "break dependency chains (several accumulators), vectorize"),

	LEVEL1("Retiring", 70, TMA_OR_HEAVY,
	       "slots of uops that retired: the useful work",
	       "the pipeline is well used: do less work, by a better algorithm or by vectors"),
	NODE("Light_Operations", "Retiring", "Slots", 60, 0, "",
	     "retired slots of instructions that are one uop, or few",
	     "fewer instructions for the same result: vectorize, simplify"),
	NODE("Heavy_Operations", "Retiring", "Slots", 10, 0, "",
	     "retired slots of instructions of several uops or of microcode",
	     "replace them by simpler ones"),
	NODE("Microcode_Sequencer", "Heavy_Operations", "Slots", 5, TMA_AND_PARENT, "",
	     "retired slots of uops that the microcode sequencer delivered",
	     "avoid long string moves for little data, CPUID, denormal numbers and the like"),
};

const struct tma_nodes tma_nodes = { nodes, ARRAY_SIZE(nodes) };
