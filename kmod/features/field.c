// SPDX-License-Identifier: GPL-2.0-only
/*
 * One field of an MSR on the CPU that runs: read, written and given back, with
 * no other bit of its register touched.
 */
#include <linux/types.h>

#include "kmod/features/field.h"
#include "kmod/features/rows.h"
#include "kmod/pmu/msr.h"

static u64 field_of(const struct pmuctl_feature_row *row, u64 msr)
{
	return (msr & pmuctl_feature_mask(row)) >> row->shift;
}

/* What else is in the register may have changed since it was last looked at. */
static bool field_write(const struct pmuctl_feature_row *row, u64 value)
{
	u64 msr;

	if (!hw_rdmsr_safe(row->msr, &msr))
		return false;
	msr &= ~pmuctl_feature_mask(row);
	return hw_wrmsr_safe(row->msr, msr | value << row->shift);
}

bool pmuctl_field_read(const struct pmuctl_feature_row *row, u64 *value)
{
	u64 msr;

	if (!hw_rdmsr_safe(row->msr, &msr))
		return false;
	*value = field_of(row, msr);
	return true;
}

enum pmuctl_field_trouble
pmuctl_field_find(const struct pmuctl_feature_row *row,
		  struct pmuctl_field *field)
{
	return pmuctl_field_read(row, &field->found) ? PMUCTL_FIELD_SET :
						       PMUCTL_FIELD_MISSING;
}

/*
 * Read back: a hypervisor that has no such register may take any write of it,
 * and one that is not there need not fault.
 */
enum pmuctl_field_trouble
pmuctl_field_hold(const struct pmuctl_feature_row *row, u64 value,
		  struct pmuctl_field *field)
{
	if (!pmuctl_field_read(row, &field->read))
		return PMUCTL_FIELD_MISSING;
	if (field->read != value && !field_write(row, value))
		return PMUCTL_FIELD_FAULTS;
	if (!pmuctl_field_read(row, &field->read) || field->read != value)
		return PMUCTL_FIELD_SWALLOWED;
	field->wrote = value;
	field->held = true;
	return PMUCTL_FIELD_SET;
}

bool pmuctl_field_is_ours(const struct pmuctl_feature_row *row,
			  struct pmuctl_field *field)
{
	return pmuctl_field_read(row, &field->read) &&
	       field->read == field->wrote;
}

void pmuctl_field_give_back(const struct pmuctl_feature_row *row,
			    struct pmuctl_field *field)
{
	field->held = false;
	if (field->found != field->wrote)
		field_write(row, field->found);
}
