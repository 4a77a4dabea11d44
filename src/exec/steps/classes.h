/* classes.h - which devices have the same instance of a value.
 *
 * In a program that all devices run in lockstep, most values do not differ on every device: a
 * parameter replicated over the data axis is the same along it. A `classes` object is a partition
 * of the devices into classes that provably have equal values. Classes are numbered by their first
 * device, so equal partitions are equal arrays; they are interned, and equality is ==.
 *
 * A value is stored and computed once for each class. The result of an elementwise op has the
 * common refinement of its operands' partitions (classes_join). partition_id has the identity, and
 * a collective's result is as uniform as its groups' members allow (exec/steps/groups.c). */
#ifndef TESS_EXEC_STEPS_CLASSES_H
#define TESS_EXEC_STEPS_CLASSES_H

#include "base/base.h"

typedef struct classes {
	int n;                /* classes */
	uint32_t id;          /* dense in the table */
	const int32_t *of;    /* [n_devices]: the class of a device */
	const int32_t *first; /* [n]: the first device of a class */
	uint64_t hash;
	/* [n]: the index of a class's memory on this rank: its position among the classes with
	 * devices here, or -1. NULL: there are no other ranks. */
	const int32_t *here;
	int n_here; /* classes stored on this rank */
} classes;

typedef struct class_table {
	arena *mem;
	int n_devices;
	bool faithful; /* every partition is the identity */
	const bool *own; /* [n_devices]: devices of this rank; NULL: all are */
	cons_tab all;
	uint32_t n_ids;
	cons_tab joins, projections; /* memo of the functions below */
	const classes *uniform, *identity;
	int32_t *scratch;
} class_table;

/* `own`: the devices of this rank; NULL: all are. */
void class_table_init(class_table *t, arena *mem, int n_devices, const bool *own, bool faithful);
/* Devices with equal keys are in one class. */
const classes *classes_of_keys(class_table *t, const int32_t *keys);
/* Devices are in one class if they are in both partitions. */
const classes *classes_join(class_table *t, const classes *a, const classes *b);
/* For each class of `fine` the class of `coarse` that contains it; NULL for the identity, which
 * occurs only if fine == coarse. */
const int32_t *classes_project(class_table *t, const classes *fine, const classes *coarse);
static inline bool class_is_here(const classes *c, int32_t cls)
{
	return !c->here || c->here[cls] >= 0;
}
static inline bool classes_is_uniform(const classes *c) { return c->n == 1; }

#endif
