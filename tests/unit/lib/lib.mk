# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of the library; the top-level Makefile includes it.

UNIT_OBJ := $(O)/tests/unit/obj
UNIT_OBJ_CFLAGS := $(CFLAGS_UNIT) -D_GNU_SOURCE $(shell pkg-config --cflags libnl-genl-3.0 jansson)
# Everything but the outside world, which fake_kernel.c replaces.
LIB_UNIT_OBJS := $(filter-out %/lib/talk/wire.o,$(LIB_SRCS:%.c=$(UNIT_OBJ)/%.o)) \
		 $(UNIT_OBJ)/tests/unit/lib/fake_kernel.o
LIB_TESTS := $(patsubst %.c,$(O)/%,$(wildcard tests/unit/lib/*_test.c))

UNIT_TESTS += $(LIB_TESTS)

$(UNIT_OBJ)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(UNIT_OBJ_CFLAGS) -MMD -MP -c -o $@ $<

.SECONDARY: $(LIB_UNIT_OBJS)

$(LIB_TESTS): $(O)/%: $(UNIT_OBJ)/%.o $(LIB_UNIT_OBJS)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS_UNIT) $(LDFLAGS) -o $@ $^ $(LIB_PARTS) $(LIB_LIBS) -lcmocka

# Itself, beside ours.
$(O)/tests/unit/lib/pfm_p4_test $(O)/tests/unit/lib/pfm_test: LIB_LIBS += -lpfm
# Student's distribution.
$(O)/tests/unit/lib/error_test $(O)/tests/unit/lib/statistics_test: LIB_LIBS += -lm

-include $(LIB_UNIT_OBJS:.o=.d) $(LIB_TESTS:$(O)/%=$(UNIT_OBJ)/%.d)
