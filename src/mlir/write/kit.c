/* kit.c - prints the names of values and blocks, and the attributes of ops. */
#include "mlir/write/write.h"

void write_newline(printer *p)
{
	put_c(p->w, '\n');
	put_spaces(p->w, p->indent);
}

/* ---- values ------------------------------------------------------------------------ */

static void write_label_of(printer *p, const value *v)
{
	const value_label *l = v->id < p->n_labels ? &p->labels[v->id] : NULL;
	put_c(p->w, '%');
	if (l && l->named)
		put_z(p->w, p->names.ptr[l->number]);
	else
		put_uint(p->w, l ? l->number : v->id);
}

static bool named_singly(const printer *p, const op *o)
{
	uint32_t id = o->results[0].id;
	return id < p->n_labels && p->labels[id].single;
}

void write_value(printer *p, const value *v)
{
	if (!value_def(v) || value_def(v)->n_results == 1 || named_singly(p, value_def(v))) {
		write_label_of(p, v);
		return;
	}
	write_label_of(p, result(value_def(v), 0));
	put_c(p->w, '#');
	put_uint(p->w, v->index);
}

void write_operands(printer *p, const op *o, int from, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_value(p, operand(o, from + i));
	}
}

static void write_values(printer *p, const value *v, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_label_of(p, &v[i]);
	}
}

void write_result_names(printer *p, const op *o)
{
	if (!o->n_results)
		return;
	if (named_singly(p, o)) {
		write_values(p, o->results, o->n_results);
	} else {
		write_label_of(p, &o->results[0]);
		if (o->n_results > 1) {
			put_c(p->w, ':');
			put_int(p->w, o->n_results);
		}
	}
	put_lit(p->w, " = ");
}

/* ---- attributes of an op ---------------------------------------------------------------- */

static bool has_result_sharding(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].sharding)
			return true;
	return false;
}

/* Prints the list of all results' shardings; a result without one is fully open, on the mesh of the
 * others. */
static void write_per_value(printer *p, const op *o)
{
	mesh_ref mesh = {0};
	for (int i = 0; i < o->n_results && !mesh.symbol && !mesh.inlined; i++)
		if (o->results[i].sharding)
			mesh = o->results[i].sharding->mesh;
	put_lit(p->w, "#sdy.sharding_per_value<[");
	for (int i = 0; i < o->n_results; i++) {
		const value *v = &o->results[i];
		if (i)
			put_lit(p->w, ", ");
		sharding_print(p->w, v->sharding ? v->sharding
		                                 : sharding_open(p->ctx, mesh, v->type->rank));
	}
	put_lit(p->w, "]>");
}

static void write_sharding_slot(printer *p, const op *o, int known)
{
	put_name(p->w, name_known(p->ctx, known));
	put_lit(p->w, " = ");
	if (known == N_sdy_sharding) {
		write_per_value(p, o);
	} else {
		put_lit(p->w, "#sdy.sharding");
		sharding_print(p->w, o->results[0].sharding);
	}
}

static bool attr_shown(const op *o, const named_attr *a, const attr_filter *f)
{
	if (name_is(a->name, N_empty))
		return false;
	for (const int *h = f->hidden; h && *h; h++)
		if (name_is(a->name, *h))
			return false;
	if (f->choice == ALL_ATTRS && !f->hide_defaults)
		return true;
	const attr_row *row = op_attr_row(o->kind, a->name);
	if (f->choice != ALL_ATTRS)
		return (f->choice == INHERENT) == (row != NULL);
	return !row || !attr_is_fallback(row, a->value);
}

static bool slot_shown(const op *o, const attr_filter *f)
{
	bool inherent = op_sharding_attr(o->kind) != N_sdy_sharding;
	if (!has_result_sharding(o))
		return false;
	return f->choice == ALL_ATTRS ? !inherent : (f->choice == INHERENT) == inherent;
}

/* Prints an attribute, or the results' sharding (value NULL). */
static void write_item(printer *p, const op *o, const name *n, const attr *value)
{
	if (!value) {
		write_sharding_slot(p, o, op_sharding_attr(o->kind));
		return;
	}
	write_keyword_or_string(p, name_str(n));
	if (value->kind == AT_UNIT)
		return;
	put_lit(p->w, " = ");
	write_attr(p, value);
}

/* Adds what is not among the op's attributes but is printed as one: the results' sharding and, in
 * generic form, defaults that MLIR always prints. */
static int extra_items(printer *p, const op *o, const attr_filter *f, named_attr *items, int max)
{
	int n = 0;
	if (slot_shown(o, f))
		items[n++].name = name_known(p->ctx, op_sharding_attr(o->kind));
	if (f->choice != INHERENT)
		return n;
	for (const attr_row *row = op_attr_rows(o->kind); row->kind; row++)
		if (row->always && !op_attr(o, row->name) && n < max)
			items[n++] = (named_attr){name_known(p->ctx, row->name),
			                          attr_fallback_value(p->ctx, row)};
	if (n == 2 && str_cmp(name_str(items[0].name), name_str(items[1].name)) > 0) {
		named_attr first = items[0];
		items[0] = items[1];
		items[1] = first;
	}
	return n;
}

bool write_filtered(printer *p, const op *o, const attr_filter *f, const char *before)
{
	named_attr extra[2] = {{0}};
	int n_extra = extra_items(p, o, f, extra, COUNT(extra)), written = 0;
	for (int i = 0, e = 0; i < o->attrs.n || e < n_extra;) {
		const named_attr *a = i < o->attrs.n ? &o->attrs.ptr[i] : NULL;
		const named_attr *x = e < n_extra ? &extra[e] : NULL;
		bool from_extra = x && (!a || str_cmp(name_str(a->name), name_str(x->name)) > 0);
		if (!from_extra && !attr_shown(o, a, f)) {
			i++;
			continue;
		}
		const named_attr *next = from_extra ? x : a;
		put_z(p->w, written++ ? ", " : before);
		write_item(p, o, next->name, next->value);
		if (from_extra)
			e++;
		else
			i++;
	}
	return written > 0;
}

void write_op_attrs(printer *p, const op *o, const int *hidden, bool with_word)
{
	if (!o->attrs.n && !o->n_results)
		return;
	attr_filter f = {.hidden = hidden, .choice = ALL_ATTRS, .hide_defaults = true};
	if (write_filtered(p, o, &f, with_word ? " attributes {" : " {"))
		put_c(p->w, '}');
}

/* ---- region arguments ----------------------------------------------------------------------- */

void write_region_arg(printer *p, const value *v)
{
	write_value(p, v);
	put_lit(p->w, ": ");
	write_type(p, v->type);
	if (v->sharding) {
		put_lit(p->w, " {sdy.sharding = #sdy.sharding");
		sharding_print(p->w, v->sharding);
		put_c(p->w, '}');
	}
	write_arg_loc(p, v);
}

/* ---- blocks ------------------------------------------------------------------------------- */

uint32_t *block_number(printer *p, const block *b)
{
	if (!p->block_numbers)
		p->block_numbers = NEW_N(p->mem, uint32_t, p->m->n_blocks);
	return &p->block_numbers[b->id];
}

void write_block_name(printer *p, const block *b)
{
	put_f(p->w, "^bb%" PRIu32, *block_number(p, b));
}
