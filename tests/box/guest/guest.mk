# SPDX-License-Identifier: GPL-2.0-only
# What the guest runs: its init, and the module for its kernel.

INIT_SRCS := $(wildcard tests/box/guest/*.c)

$(O)/box/init: $(INIT_SRCS) $(wildcard tests/box/guest/*.h)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) -std=gnu11 -O2 -Wall -Wextra -static -o $@ $(INIT_SRCS)

# $(1) as $(2), without debug information: the guest would copy it at each boot and does
# not read it.
box_strip = mkdir -p $(dir $(2)) && strip --strip-debug -o $(2) $(1)

$(O)/box/pmuctl: $(O)/pmuctl
	$(Q)$(call box_strip,$<,$@)

$(O)/box/libpmuctl.so.0: $(O)/libpmuctl.so.0
	$(Q)$(call box_strip,$<,$@)

# $(1): series of the kernel, $(2): where its headers are, as the shell sees it, $(3): what make
# is told besides
define box_kernel
.PHONY: box-$(1) box-kmod-$(1)
box-$(1): $(O)/box/init $(O)/box/pmuctl $(O)/box/libpmuctl.so.0 box-kmod-$(1)

box-kmod-$(1): $(O)/box/kmod-$(1).stamp

# The stamp also depends on which headers are installed.
$(O)/box/kmod-$(1).stamp: $$(KMOD_SRCS) Makefile tests/box/guest/guest.mk \
		$$(wildcard /usr/src/linux-headers-*-amd64) tests/box/module
	@mkdir -p $$(@D)
	@echo "  KMOD    $(1)"
	+$$(Q)release=$$$$(tests/box/kernel --release $(1)) && \
		O=$(O) MAKE="$$(MAKE)" tests/box/module "$$$$release" $(2) \
			$(O)/box/kmod-$$$$release/pmuctl.ko $(3)
	@touch $$@
endef

# One that is not this machine's has a compiler and tools of its own, in the root of its headers.
box_root = $$$$(tests/box/kernel --root $(1))
box_headers = $(call box_root,$(1))/usr/src/linux-headers-$$$$release
$(foreach series,6.1 6.12 7.x,$(eval $(call \
	box_kernel,$(series),$(call box_headers,$(series)),KROOT=$(call box_root,$(series)))))
$(O)/box/kmod-7.x.stamp: tests/box/newest-kernel
$(O)/box/kmod-6.1.stamp $(O)/box/kmod-7.x.stamp: tests/box/debian
$(eval $(call box_kernel,debug,$$$$(tests/box/kernel debug)/build))
$(O)/box/kmod-debug.stamp: tests/box/debug-kernel tests/box/debug-kernel.config
