/* donation.c - which results of a program reuse the memory of which arguments.
 *
 * A donor may be named with its result: by tf.aliasing_output on the argument or, in programs from
 * HLO, by the module's mhlo.input_output_alias, which goes first. jax.buffer_donor leaves the
 * result open; XLA chooses it after partitioning (its pass optimize-input-output-buffer-alias), and
 * so do we: donors and results that are still free are sorted by size, largest first and otherwise
 * in program order, and those of equal size in the same memory are paired in that order. */
#include "op/op.h"

#include <stdlib.h>

bool attrs_on_host(const attr_list *l)
{
	const attr *a = attrs_get(l, N_mhlo_memory_kind);
	return a && a->kind == AT_STRING &&
	       (str_is(name_str(a->text), "pinned_host") ||
	        str_is(name_str(a->text), "unpinned_host"));
}

typedef struct donation {
	const op *f;
	int *donor; /* [n results] the argument, or -1 */
	bool *used; /* [n arguments] */
} donation;

static const type *donor_type(const donation *d, int arg) { return op_body(d->f)->args[arg]->type; }
static const type *donee_type(const donation *d, int i) { return op_func(d->f)->type->out[i]; }

/* Donor and result must have the same size on each device, and be in the same memory. */
static void pair_named(donation *d, int64_t arg, int64_t to)
{
	const func *f = op_func(d->f);
	if (arg < 0 || arg >= op_body(d->f)->n_args || to < 0 || to >= f->type->n_out ||
	    d->used[arg] || d->donor[to] >= 0)
		return;
	int64_t bytes = type_packed_bytes(donor_type(d, (int)arg));
	if (bytes < 0 || bytes != type_packed_bytes(donee_type(d, (int)to)) ||
	    attrs_on_host(&f->arg_attrs[arg]) != attrs_on_host(&f->result_attrs[to]))
		return;
	d->donor[to] = (int)arg;
	d->used[arg] = true;
}

bool module_alias(const module *m, const op *f, int i, func_alias *out)
{
	tess_ctx *ctx = m->ctx;
	const attr *list = op_attr(m->top, N_mhlo_input_output_alias);
	const attr *pair = list && list->kind == AT_ARRAY && i < list->n ? list->list[i] : NULL;
	if (!pair || pair->kind != AT_DICT)
		return false;
	const attr *alias = attr_get_named(pair, name_of_z(ctx, "alias"));
	const attr *to = attr_get_named(pair, name_of_z(ctx, "output_index"));
	*out = (func_alias){.arg = -1, .result = -1};
	if (!alias || alias->kind != AT_DICT || !to)
		return true;
	const attr *number = attr_get_named(alias, name_of_z(ctx, "parameter_number"));
	const attr *index = attr_get_named(alias, name_of_z(ctx, "parameter_index"));
	const attr *kind = attr_get_named(alias, name_of_z(ctx, "kind"));
	int n_index = 0, n_to;
	const int64_t *at = attr_ints(ctx, to, &n_to);
	if (index)
		attr_ints(ctx, index, &n_index);
	/* Parts of tuples have become arguments of their own, with other numbers. */
	if (number && number->kind == AT_INT && n_index == 0)
		out->arg = number->i;
	if (n_to == 1 || (n_to == 0 && op_func(f)->type->n_out == 1))
		out->result = n_to ? at[0] : 0;
	out->must = kind && kind->kind == AT_STRING && str_is(name_str(kind->text), "must_alias");
	return true;
}

static void pair_all_named(donation *d, const module *m)
{
	func_alias alias;
	for (int i = 0; d->f == module_main(m) && module_alias(m, d->f, i, &alias); i++)
		pair_named(d, alias.arg, alias.result);
	for (int i = 0; i < op_body(d->f)->n_args; i++) {
		const attr *a = attrs_get(&op_func(d->f)->arg_attrs[i], N_tf_aliasing_output);
		if (a && a->kind == AT_INT)
			pair_named(d, i, a->i);
	}
}

typedef struct donated_size {
	int64_t bytes;
	int number;
} donated_size;

static int by_donated_size(const void *a, const void *b)
{
	const donated_size *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static bool is_donor(const donation *d, int arg)
{
	const attr *a = attrs_get(&op_func(d->f)->arg_attrs[arg], N_jax_buffer_donor);
	return a && !d->used[arg] && !(a->kind == AT_BOOL && !a->i);
}

static int free_donors(const donation *d, bool host, donated_size *out)
{
	int n = 0;
	for (int i = 0; i < op_body(d->f)->n_args; i++) {
		int64_t bytes = type_packed_bytes(donor_type(d, i));
		if (is_donor(d, i) && bytes >= 0 &&
		    attrs_on_host(&op_func(d->f)->arg_attrs[i]) == host)
			out[n++] = (donated_size){bytes, i};
	}
	return n;
}

static int free_donees(const donation *d, bool host, donated_size *out)
{
	int n = 0;
	for (int i = 0; i < op_func(d->f)->type->n_out; i++) {
		int64_t bytes = type_packed_bytes(donee_type(d, i));
		if (d->donor[i] < 0 && bytes >= 0 &&
		    attrs_on_host(&op_func(d->f)->result_attrs[i]) == host)
			out[n++] = (donated_size){bytes, i};
	}
	return n;
}

static void pair_free(donation *d, bool host, arena *mem)
{
	donated_size *from = NEW_N(mem, donated_size, op_body(d->f)->n_args + 1);
	donated_size *to = NEW_N(mem, donated_size, op_func(d->f)->type->n_out + 1);
	int n_from = free_donors(d, host, from), n_to = free_donees(d, host, to);
	qsort(from, (size_t)n_from, sizeof *from, by_donated_size);
	qsort(to, (size_t)n_to, sizeof *to, by_donated_size);
	for (int i = 0, k = 0; i < n_from && k < n_to;) {
		if (from[i].bytes > to[k].bytes) {
			i++;
		} else if (from[i].bytes < to[k].bytes) {
			k++;
		} else {
			d->donor[to[k].number] = from[i].number;
			d->used[from[i].number] = true;
			i++, k++;
		}
	}
}

const int *func_donors(const module *m, const op *f, arena *mem)
{
	int n = op_func(f)->type->n_out;
	donation d = {f, NEW_N(mem, int, n + 1), NEW_N(mem, bool, op_body(f)->n_args + 1)};
	for (int i = 0; i < n; i++)
		d.donor[i] = -1;
	pair_all_named(&d, m);
	pair_free(&d, false, mem);
	pair_free(&d, true, mem);
	return d.donor;
}
