// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The classical tree, with the thresholds of its time: 30 % for the front end.
 */
#include "lib/tma/tma.h"

#define NODE(name_, parent_, unit_, threshold_, flags_, needs_, text_, hint_)	\
	{ .name = (name_), .parent = (parent_), .unit = (unit_), .threshold = (threshold_), \
	  .flags = (flags_), .needs = (needs_), .text = (text_), .hint = (hint_) }

static const struct tma_node nodes[] = {
	NODE("Frontend_Bound", NULL, "Slots", 30, 0, "",
	     "slots that stayed empty because no uops came, though the back end would have "
	     "taken them", "smaller or better laid out code: profile-guided optimization"),
	NODE("ICache", "Frontend_Bound", "Clocks", 5, TMA_AND_PARENT,
	     "ICACHE.IFETCH_STALL or its successors",
	     "cycles in which fetch waited for code from beyond the first-level cache",
	     "keep hot code together and small"),
	NODE("DSB_Uops", "Frontend_Bound", "Uops", 70, TMA_AND_PARENT | TMA_ASIDE, "",
	     "uops that came from the uop cache, of all", "align loops; fewer taken branches"),
	NODE("MITE_Uops", "Frontend_Bound", "Uops", 50, TMA_AND_PARENT | TMA_ASIDE, "",
	     "uops that came from the decoders, of all",
	     "let hot code fit the uop cache, so that it is not decoded again"),
	NODE("MS_Uops", "Frontend_Bound", "Uops", 25, TMA_ASIDE, "",
	     "uops that came from the microcode sequencer, of all",
	     "avoid instructions that microcode does, and denormal numbers"),
	NODE("Bad_Speculation", NULL, "Slots", 10, 0, "",
	     "slots of uops that never retired, and of recovering from having issued them",
	     "see below whether it was branches"),
	NODE("Branch_Mispredicts", "Bad_Speculation", "Clocks", 5, TMA_AND_PARENT, "",
	     "cycles that mispredicted branches cost, at 20 each",
	     "make the branch predictable (sort the data), or replace it by a conditional move or "
	     "arithmetic"),
	NODE("Backend_Bound", NULL, "Slots", 20, 0, "",
	     "slots that stayed empty because the back end had no room for more uops",
	     "see below whether it was memory or execution"),
	NODE("Memory_Bound", "Backend_Bound", "Clocks", 20, TMA_AND_PARENT,
	     "CYCLE_ACTIVITY.STALLS_LDM_PENDING or its successors",
	     "cycles without execution while a load was waited for",
	     "see below for which level; `pmuctl mem` shows which data"),
	NODE("L1_Bound", "Memory_Bound", "Clocks", 7, TMA_AND_PARENT,
	     "CYCLE_ACTIVITY.STALLS_LDM_PENDING or its successors",
	     "cycles without execution that waited for loads which hit the first-level cache, or "
	     "for the TLB", "loads too soon behind stores to the same place, splits, TLB misses"),
	NODE("L2_Bound", "Memory_Bound", "Clocks", 5, TMA_AND_PARENT, "",
	     "cycles without execution that waited for the second-level cache",
	     "keep what is used together close together; block loops for the first level"),
	NODE("L3_Bound", "Memory_Bound", "Clocks", 5, TMA_AND_PARENT, "",
	     "cycles without execution that waited for the last-level cache",
	     "block loops for the second level; no lines that several cores write"),
	NODE("DRAM_Bound", "Memory_Bound", "Clocks", 10, TMA_AND_PARENT, "",
	     "cycles without execution that waited for memory",
	     "smaller data, block loops for the caches, prefetch, or other work in between"),
	NODE("Execution_Bound", "Backend_Bound", "Clocks", 10, TMA_AND_PARENT,
	     "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC and CYCLE_ACTIVITY.STALLS_LDM_PENDING",
	     "cycles with no or one uop executed, and no load waited for",
	     "break dependency chains; fewer divisions"),
	NODE("Resource_Stalls", "Backend_Bound", "Clocks", 20, TMA_AND_PARENT | TMA_ASIDE,
	     "RESOURCE_STALLS.ANY", "cycles in which allocation waited for any resource",
	     "see below for which"),
	NODE("RS_Full", "Resource_Stalls", "Clocks", 10, TMA_AND_PARENT, "RESOURCE_STALLS.RS",
	     "cycles in which no scheduler entry was free",
	     "long chains of dependent instructions: break them"),
	NODE("ROB_Full", "Resource_Stalls", "Clocks", 10, TMA_AND_PARENT, "RESOURCE_STALLS.ROB",
	     "cycles in which the reorder buffer was full",
	     "a long wait (mostly a load) with work behind it: prefetch"),
	NODE("Load_Buffer_Full", "Resource_Stalls", "Clocks", 10, TMA_AND_PARENT,
	     "RESOURCE_STALLS.LB", "cycles in which no load buffer was free",
	     "fewer loads in flight: combine them"),
	NODE("Store_Buffer_Full", "Resource_Stalls", "Clocks", 10, TMA_AND_PARENT, "",
	     "cycles in which no store buffer was free",
	     "write whole lines in order; non-temporal stores for what is not read again"),
	NODE("Branch_Buffer_Full", "Resource_Stalls", "Clocks", 10, TMA_AND_PARENT,
	     "RESOURCE_STALLS2.BOB_FULL", "cycles in which no entry for a branch was free",
	     "fewer branches in flight"),
	NODE("Retiring", NULL, "Slots", 70, 0, "",
	     "slots of uops that retired: the useful work",
	     "the pipeline is well used: do less work, by a better algorithm or by vectors"),
};

const struct tma_nodes classical_nodes = { nodes, ARRAY_SIZE(nodes) };
