# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of the library and the command; the top-level Makefile includes it.

LIB_UNIT := $(O)/tests/unit
# Everything but the connection to the kernel, which fake_kernel.c replaces.
LIB_UNIT_OBJS := $(filter-out %/lib/wire.o,$(LIB_SRCS:%.c=$(LIB_UNIT)/obj/%.o)) \
		 $(LIB_UNIT)/obj/tests/unit/fake_kernel.o
TOOLS_UNIT_OBJS := $(filter-out %/tools/pmuctl.o,$(TOOLS_SRCS:%.c=$(LIB_UNIT)/obj/%.o)) \
		   $(LIB_UNIT)/obj/tools/pmuctl-as-test.o
LIB_TESTS := $(LIB_UNIT)/lib_talk_test $(LIB_UNIT)/lib_session_test \
	     $(LIB_UNIT)/lib_event_skylake_test $(LIB_UNIT)/lib_event_core2_test
TOOLS_TESTS := $(LIB_UNIT)/tools_text_test $(LIB_UNIT)/tools_writer_test \
	       $(LIB_UNIT)/tools_stat_test
LIB_UNIT_CFLAGS := $(CFLAGS_UNIT) -D_GNU_SOURCE $(shell pkg-config --cflags libnl-genl-3.0 jansson)

UNIT_TESTS += $(LIB_TESTS) $(TOOLS_TESTS)

# main() belongs to the test.
$(LIB_UNIT)/obj/tools/pmuctl-as-test.o: tools/pmuctl.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(LIB_UNIT_CFLAGS) -Dmain=pmuctl_main -MMD -MP -c -o $@ $<

$(LIB_UNIT)/obj/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(LIB_UNIT_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB_UNIT)/obj/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(LIB_UNIT_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB_UNIT)/obj/tests/unit/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(LIB_UNIT_CFLAGS) -MMD -MP -c -o $@ $<

.SECONDARY: $(LIB_UNIT_OBJS) $(TOOLS_UNIT_OBJS)

$(LIB_TESTS): $(LIB_UNIT)/%: $(LIB_UNIT)/obj/tests/unit/%.o $(LIB_UNIT_OBJS)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) -lcmocka

$(TOOLS_TESTS): $(LIB_UNIT)/%: $(LIB_UNIT)/obj/tests/unit/%.o $(TOOLS_UNIT_OBJS) $(LIB_UNIT_OBJS)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) $(TOOLS_LIBS) -lcmocka

-include $(wildcard $(LIB_UNIT)/obj/*/*.d $(LIB_UNIT)/obj/tests/unit/*.d)
