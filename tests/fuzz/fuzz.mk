# SPDX-License-Identifier: GPL-2.0-or-later
# libFuzzer programs over what the library reads from others: each of tests/fuzz/
# NAME.c with all of the library, and what they start from.

FUZZ_CC ?= clang
FUZZ := $(O)/fuzz
FUZZERS := $(addprefix $(FUZZ)/,perfdata records insn metrics formula events unwind jitdump)
FUZZ_CFLAGS := -std=gnu11 -g -O1 -D_GNU_SOURCE -Wall -fsanitize=address,undefined \
	       -fno-sanitize-recover=all $(shell pkg-config --cflags libnl-genl-3.0 jansson)
FUZZ_OBJS := $(LIB_SRCS:%.c=$(FUZZ)/obj/%.o)

.PHONY: fuzzers
fuzzers: $(FUZZERS) $(FUZZ)/seeds

$(FUZZ)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CLANG   $@"
	$(Q)$(FUZZ_CC) $(CPPFLAGS) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

# What the command cuts by itself.
FUZZ_EVENTS := $(addprefix $(FUZZ)/obj/tools/,run/event_text.o base/clean.o)

.SECONDARY: $(FUZZ_OBJS) $(FUZZ_EVENTS)

$(FUZZ)/events: $(FUZZ_EVENTS)
$(FUZZERS): $(FUZZ)/%: $(FUZZ)/obj/tests/fuzz/%.o $(FUZZ_OBJS)
	@echo "  LD      $@"
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIB_LIBS) $(LIB_PARTS)

$(FUZZ)/seeds: tests/fuzz/seeds.c tests/fuzz/seeds_perfdata.c tests/fuzz/seeds.h \
		kmod/uapi/pmuctl.h lib/unwind/unwind.h lib/code/rules.h
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_UNIT) -o $@ $(filter %.c,$^)

-include $(FUZZ_OBJS:.o=.d) $(wildcard $(FUZZ)/obj/tools/*/*.d $(FUZZ)/obj/tests/fuzz/*.d)
