# SPDX-License-Identifier: GPL-2.0-only
# The kit for machines with a PMU: its programs, and its module for a kernel.

METAL := $(O)/metal
METAL_PROGS := look costs exact-1000 exact-1000000 exact-100000000 faults chain-left chain-right
METAL_FILES := $(addprefix $(METAL)/,$(METAL_PROGS) chain-left.symbols chain-right.symbols)
METAL_MODULE := $(wildcard tests/metal/kit/*)
METAL_S := $(CC) -nostdlib -static -no-pie

$(METAL)/look: tests/metal/progs/look.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -Wall -Wextra -static $(SAME_PATHS) -o $@ $<

$(METAL)/costs: tests/metal/progs/costs.c $(O)/libpmuctl.so.0
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -Wall -Wextra -Ilib $(SAME_PATHS) -o $@ $< \
		-L$(O) -Wl,-rpath-link=$(O) -lpmuctl

$(METAL)/exact-%: tests/metal/progs/exact.S
	@mkdir -p $(@D)
	$(Q)$(METAL_S) -DROUNDS=$* -o $@ $<

$(METAL)/faults: tests/metal/progs/faults.S
	@mkdir -p $(@D)
	$(Q)$(METAL_S) -o $@ $<

$(METAL)/chain-left: METAL_AT := 0x10000000
$(METAL)/chain-right: METAL_AT := 0x20000000
$(METAL)/chain-left $(METAL)/chain-right: tests/metal/progs/chain.S
	@mkdir -p $(@D)
	$(Q)$(METAL_S) -Wl,-Ttext=$(METAL_AT) -o $@ $<

$(METAL)/%.symbols: $(METAL)/%
	$(Q)nm $< >$@

# For the running kernel, as kmod's.
.PHONY: metal-build metal-kmod
metal-build: lib tools kmod metal-kmod $(METAL_FILES)
	$(Q)cp $(O)/pmuctl $(O)/libpmuctl.so.0 $(KMODDIR)/pmuctl.ko $(METAL)

metal-kmod:
	$(Q)tests/metal/build-module $(KDIR) $(abspath $(METAL))

# In the box's guests, with the module for each of its kernels.
METAL_BOX := $(addprefix $(METAL)/pmuctl_kit-,$(addsuffix .ko,6.1 6.12 7.x))

$(METAL)/pmuctl_kit-%.ko: $(METAL_MODULE) tests/metal/build-module
	@echo "  KMOD    kit $*"
	$(Q)tests/metal/build-module --box $* $(abspath $(METAL))

METAL_SCRIPTS := tests/metal/run $(wildcard tests/metal/*.sh)

$(BOX_PROGS)/metal: $(METAL_FILES) $(METAL_BOX) $(METAL_SCRIPTS)
	@mkdir -p $@/built
	$(Q)cp $(METAL_SCRIPTS) $@
	$(Q)cp $(METAL_FILES) $(METAL_BOX) $@/built
	@touch $@
