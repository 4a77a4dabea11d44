/* vm.h - programs of elementwise operations over tiles.
 *
 * A fused group of elementwise ops, or the body of a reduction, sort or scatter, is a list of
 * instructions on registers. A register holds a tile of about a thousand elements, so that
 * intermediate values stay in the first-level cache and the cost of dispatch is spread over the
 * tile.
 *
 * Inputs are leaves: dense or strided memory, constants, and iota. Dense memory is read in place,
 * and results are written in place, if the computing type is the type in memory. */
#ifndef TESS_EXEC_STEPS_VM_H
#define TESS_EXEC_STEPS_VM_H

#include "exec/vec/vec.h"

typedef struct vm vm;
typedef struct vm_builder vm_builder;

/* Starts a program over an iteration space of these dimensions, row-major; rank -1: over a plain
 * run of elements, with dense leaves only. */
vm_builder *vm_begin(arena *mem, const int64_t *dims, int rank);
/* Registers are numbered from 0. Functions get a value's dtype along with its register. */
typedef int vm_reg;
/* args[arg], with strides in elements (NULL: dense, row-major). */
vm_reg vm_input(vm_builder *b, int arg, dtype t, const int64_t *strides);
vm_reg vm_const(vm_builder *b, dtype t, const void *element);
vm_reg vm_iota(vm_builder *b, dtype t, int dim);
/* The operation on values of type `in` (for SELECT the type of the second operand), with a result
 * of type `out`. -1: not defined for the type. */
vm_reg vm_apply(vm_builder *b, vec_op op, dtype in, dtype out, vm_reg x, vm_reg y, vm_reg z,
                int64_t imm);
vm_reg vm_convert(vm_builder *b, dtype from, dtype to, vm_reg x);
/* The same bits as another type of the same size. */
vm_reg vm_bitcast(vm_builder *b, dtype from, dtype to, vm_reg x);
/* Writes the value to outs[out], dense. */
void vm_output(vm_builder *b, int out, dtype t, vm_reg x);
const vm *vm_finish(vm_builder *b);

size_t vm_scratch_bytes(const vm *v); /* the scratch of vm_run(), aligned to 64 */
/* Computes elements [begin, end) of the iteration space. */
void vm_run(const vm *v, char *const *args, char *const *outs, int64_t begin, int64_t end,
            void *scratch);
/* True if outs[out] may be the memory of args[arg]. */
bool vm_in_place(const vm *v, int arg, int out);
/* The estimated nanoseconds for one element. */
double vm_cost(const vm *v);

#endif
