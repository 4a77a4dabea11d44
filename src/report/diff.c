/* diff.c - compares two programs, meshes or sets of annotations. */
#include "report/diff.h"

static const char *diff_name(arena *mem, const value *v)
{
	writer w;
	writer_init(&w, mem);
	put_value(&w, v);
	put_c(&w, 0);
	return w.ptr;
}

/* ---- shardings ------------------------------------------------------------------------------ */

static axis_list diff_unreduced(const sharding *s)
{
	return (axis_list){s->unreduced, s->n_unreduced};
}

/* True if equal, or if both have no effect; the meshes may be different but equal objects. */
static bool sharded_alike(const sharding *a, const sharding *b)
{
	if (a == b)
		return true;
	int rank = a ? a->rank : b->rank;
	if (a && b && a->rank != b->rank)
		return false;
	for (int d = 0; d < rank; d++) {
		axis_list x = a ? dim_axes(&a->dims[d]) : (axis_list){0};
		axis_list y = b ? dim_axes(&b->dims[d]) : (axis_list){0};
		if (x.n != y.n || (x.n && !axes_eq(x, y)))
			return false;
	}
	axis_list x = a ? diff_unreduced(a) : (axis_list){0};
	axis_list y = b ? diff_unreduced(b) : (axis_list){0};
	return x.n == y.n && (!x.n || axes_eq(x, y));
}

/* ---- values --------------------------------------------------------------------------------- */

static const op *given_main(const difference *d, int side)
{
	const op *f = d->side[side]->in.given ? module_main(d->side[side]->in.given) : NULL;
	return f && op_body(f) ? f : NULL;
}

static const sharding *given_sharding(const difference *d, int side, const value *v)
{
	const op *f = given_main(d, side);
	const block *b = f ? op_body(f) : NULL;
	return b && (int)v->index < b->n_args ? b->args[v->index]->sharding : NULL;
}

static bool is_argument_of_main(const value *v, const module *m)
{
	const op *f = module_main(m);
	return f && !value_def(v) && value_block(v) == op_body(f);
}

static bool annotated_otherwise(const difference *d, const value_pair *p)
{
	return is_argument_of_main(p->a, d->side[0]->in.global) &&
	       is_argument_of_main(p->b, d->side[1]->in.global) &&
	       !sharded_alike(given_sharding(d, 0, p->a), given_sharding(d, 1, p->b));
}

static void compare_values(arena *mem, difference *d)
{
	value_matches m;
	match_values(d->side[0]->in.global, d->side[1]->in.global, mem, &m);
	memcpy(d->only, m.only, sizeof d->only);
	for (int causes = 1; causes >= 0; causes--)
		for (int i = 0; i < m.pairs.len; i++) {
			const value_pair *p = &m.pairs.ptr[i];
			const sharding *a = value_sharding(d->side[0]->in.global, p->a),
				       *b = value_sharding(d->side[1]->in.global, p->b);
			bool alike = sharded_alike(a, b), annotated = annotated_otherwise(d, p);
			if (!type_is_tensor(p->b->type) || annotated != (causes == 1) ||
			    (alike && !annotated))
				continue;
			if (alike) { /* propagation finds on one side what the other has written */
				a = given_sharding(d, 0, p->a);
				b = given_sharding(d, 1, p->b);
			}
			vec_push(mem, &d->changes,
			         (change){diff_name(mem, p->b), p->b->type, a, b, causes});
			d->n_causes += causes;
			d->n_resharded += !alike;
		}
}

/* ---- results and constraints that are annotated differently --------------------------------- */

static void compare_results(arena *mem, difference *d)
{
	const op *f[2] = {given_main(d, 0), given_main(d, 1)};
	for (int i = 0;
	     f[0] && f[1] && i < op_func(f[0])->type->n_out && i < op_func(f[1])->type->n_out;
	     i++) {
		const sharding *a = op_func(f[0])->result_shardings[i],
			       *b = op_func(f[1])->result_shardings[i];
		if (sharded_alike(a, b))
			continue;
		vec_push(mem, &d->changes,
		         (change){arena_printf(mem, "result:%d", i), op_func(f[1])->type->out[i], a,
		                  b, true});
		d->n_causes++;
	}
}

/* Numbers a value of a given program such that matching values of the two programs have the same
 * number. Values that are not matched, such as those in comparators, correspond if both programs
 * have equally many. */
static int64_t number_of(const difference *d, const ptr_map *numbers, const value *v, int side)
{
	int64_t n = (intptr_t)ptr_map_get(numbers, v);
	bool alike = d->side[0]->in.given->n_values == d->side[1]->in.given->n_values;
	return n ? n : side && !alike ? -1 - (int64_t)v->id : INT64_MIN + v->id;
}

static const name *constraint_key(const module *m, const op *o, int64_t number, arena *mem)
{
	writer w;
	writer_init(&w, mem);
	put_f(&w, "%" PRId64 " ", number);
	sharding_print(&w, o->results[0].sharding);
	return name_of(m->ctx, writer_str(&w));
}

static void number_values(const difference *d, arena *mem, ptr_map *numbers)
{
	value_matches m;
	match_values(d->side[0]->in.given, d->side[1]->in.given, mem, &m);
	for (int i = 0; i < m.pairs.len; i++) {
		*ptr_map_at(numbers, mem, m.pairs.ptr[i].a) = (void *)(intptr_t)(i + 1);
		*ptr_map_at(numbers, mem, m.pairs.ptr[i].b) = (void *)(intptr_t)(i + 1);
	}
}

/* Records the keys of the constraints of one side in `known`; or, if `lone`, lists those that
 * `known` does not have. */
static void constraints_of(difference *d, int side, const ptr_map *numbers, arena *mem,
                           ptr_map *known, bool lone)
{
	const module *m = d->side[side]->in.given;
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		if (o->kind != OP_SDY_SHARDING_CONSTRAINT)
			continue;
		const value *v = operand(o, 0);
		const name *key = constraint_key(m, o, number_of(d, numbers, v, side), mem);
		if (!lone)
			*ptr_map_at(known, mem, key) = (void *)(uintptr_t)o;
		else if (!ptr_map_get(known, key))
			vec_push(mem, &d->constraints,
			         (lone_constraint){side, diff_name(mem, v),
			                           o->results[0].sharding});
	}
}

static void compare_constraints(arena *mem, difference *d)
{
	ptr_map numbers = {0}, known[2] = {{0}, {0}};
	number_values(d, mem, &numbers);
	for (int s = 0; s < 2; s++)
		constraints_of(d, s, &numbers, mem, &known[s], false);
	for (int s = 0; s < 2; s++)
		constraints_of(d, s, &numbers, mem, &known[!s], true);
}

static bool same_mesh(const mesh *a, const mesh *b, arena *mem)
{
	writer x, y;
	if (!a || !b)
		return a == b;
	writer_init(&x, mem);
	writer_init(&y, mem);
	mesh_print(&x, a);
	mesh_print(&y, b);
	return str_eq(writer_str(&x), writer_str(&y));
}

/* ---- communication -------------------------------------------------------------------------- */

static traffic_kind *traffic_of(arena *mem, difference *d, const collective *c)
{
	for (int i = 0; i < d->traffic.len; i++)
		if (!strcmp(d->traffic.ptr[i].op, op_told_name(c->o)) &&
		    !strcmp(d->traffic.ptr[i].axes, c->axes))
			return &d->traffic.ptr[i];
	vec_push(mem, &d->traffic, (traffic_kind){.op = op_told_name(c->o), .axes = c->axes});
	return &d->traffic.ptr[d->traffic.len - 1];
}

static void compare_traffic(arena *mem, difference *d)
{
	for (int s = 0; s < 2; s++)
		for (int i = 0; i < d->side[s]->costs.collectives.len; i++) {
			const collective *c = &d->side[s]->costs.collectives.ptr[i];
			traffic_kind *t = traffic_of(mem, d, c);
			t->count[s]++;
			t->bytes[s] += c->times * c->wire_bytes;
			t->seconds[s] += c->times * c->seconds;
		}
	int kept = 0;
	for (int i = 0; i < d->traffic.len; i++) {
		const traffic_kind *t = &d->traffic.ptr[i];
		if (t->count[0] != t->count[1] || t->bytes[0] != t->bytes[1])
			d->traffic.ptr[kept++] = *t;
	}
	d->traffic.len = kept;
}

/* ---- quantities ----------------------------------------------------------------------------- */

bool report_diff(const report *a, const report *b, bool as_json, bool color, arena *mem, writer *w)
{
	difference d = {.side = {a, b}};
	d.other_mesh = !same_mesh(a->in.mesh, b->in.mesh, mem);
	compare_results(mem, &d);
	compare_values(mem, &d);
	compare_constraints(mem, &d);
	compare_traffic(mem, &d);
	if (as_json)
		diff_json(&d, mem, w);
	else
		diff_text(&d, w, color);
	return diff_is_none(&d);
}
