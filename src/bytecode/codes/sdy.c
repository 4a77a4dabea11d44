/* sdy.c - converts between meshes, shardings and rules and their fields.
 *
 * In bytecode, axes, dimensions and mappings are attributes of their own; in the IR they are not.
 * While a program is read or written, they are represented as the structs "sdy.axis", "sdy.dim", …
 * of codes.def. */
#include "bytecode/codes/make.h"


static const attr *part(coder *c, const char *name, const char *const *names,
                        const attr *const *values, int n)
{
	const struct name *interned[4];
	for (int i = 0; i < n; i++)
		interned[i] = name_of_z(c->ctx, names[i]);
	return attr_of(c->ctx, &(attr){.kind = AT_STRUCT,
	                               .text = name_of_z(c->ctx, name),
	                               .list = values,
	                               .names = interned,
	                               .n = n});
}

/* ---- axes --------------------------------------------------------------------------- */

static bool code_axes_of(coder *c, const attr *const *list, int64_t n, axis_list *out)
{
	axis_ref *axes = NEW_N(c->mem, axis_ref, n);
	for (int64_t i = 0; i < n; i++) {
		if (!attr_is(c, list[i], AT_STRUCT, "sdy.axis"))
			return false;
		axes[i] = axis_full(list[i]->list[0]->text);
		if (list[i]->n < 2)
			continue;
		if (!attr_is(c, list[i]->list[1], AT_STRUCT, "sdy.sub_axis"))
			return false;
		axes[i].pre = struct_int(list[i]->list[1], 0);
		axes[i].size = struct_int(list[i]->list[1], 1);
	}
	*out = (axis_list){axes, (int)n};
	return true;
}

static const attr *code_axis_part(coder *c, axis_ref x)
{
	static const char *const names[] = {"name", "sub_axis"}, *const sizes[] = {"pre_size", "size"};
	const attr *values[2] = {attr_string(c->ctx, x.axis)};
	if (axis_is_full(x))
		return part(c, "sdy.axis", names, values, 1);
	const attr *numbers[2] = {attr_i64(c->ctx, x.pre), attr_i64(c->ctx, x.size)};
	values[1] = part(c, "sdy.sub_axis", sizes, numbers, 2);
	return part(c, "sdy.axis", names, values, 2);
}

static field axis_parts(coder *c, const axis_ref *axes, int n)
{
	const attr **list = NEW_N(c->mem, const attr *, n);
	for (int i = 0; i < n; i++)
		list[i] = code_axis_part(c, axes[i]);
	return field_list(list, n);
}

const attr *codes_make_axes(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	axis_list l;
	return code_axes_of(c, f[0].list, f[0].n, &l) ? attr_axes(c->ctx, l.ptr, l.n) : NULL;
}

bool codes_take_axes(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(row);
	f[0] = axis_parts(c, a->axes, a->n);
	return true;
}

const attr *codes_make_axes_list(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	if (!list_is(c, &f[0], AT_AXES, NULL))
		return NULL;
	return attr_of(c->ctx,
	               &(attr){.kind = AT_AXES_LIST, .list = f[0].list, .n = (int)f[0].n});
}

bool codes_take_axes_list(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_list(a->list, a->n);
	return true;
}

const attr *codes_make_manual_axes(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	if (!list_is(c, &f[0], AT_STRING, NULL))
		return NULL;
	return attr_of(c->ctx,
	               &(attr){.kind = AT_MANUAL_AXES, .list = f[0].list, .n = (int)f[0].n});
}

bool codes_take_manual_axes(coder *c, const code_row *row, const attr *a, field *f)
{
	return codes_take_axes_list(c, row, a, f);
}

const attr *codes_make_params(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const attr **list = NEW_N(c->mem, const attr *, f[0].n);
	int64_t *ints = NEW_N(c->mem, int64_t, 2 * f[0].n);
	for (int64_t i = 0; i < f[0].n; i++) {
		const attr *p = f[0].list[i];
		axis_list l;
		if (!attr_is(c, p, AT_STRUCT, "sdy.param") ||
		    !code_axes_of(c, p->list[0]->list, p->list[0]->n, &l))
			return NULL;
		list[i] = attr_axes(c->ctx, l.ptr, l.n);
		ints[2 * i] = struct_int(p, 1);
		ints[2 * i + 1] = struct_int(p, 2);
	}
	return attr_of(c->ctx, &(attr){.kind = AT_ALL_TO_ALL,
	                               .list = list,
	                               .n = (int)f[0].n,
	                               .ints = ints,
	                               .n_ints = 2 * (int)f[0].n});
}

bool codes_take_params(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(row);
	static const char *const names[] = {"axes", "from", "to"};
	const attr **list = NEW_N(c->mem, const attr *, a->n);
	for (int i = 0; i < a->n; i++) {
		field axes = axis_parts(c, a->list[i]->axes, a->list[i]->n);
		const attr *values[3] = {attr_array(c->ctx, axes.list, (int)axes.n),
		                         attr_i64(c->ctx, a->ints[2 * i]),
		                         attr_i64(c->ctx, a->ints[2 * i + 1])};
		list[i] = part(c, "sdy.param", names, values, 3);
	}
	f[0] = field_list(list, a->n);
	return true;
}

/* ---- meshes --------------------------------------------------------------------------- */

const attr *codes_make_mesh(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	mesh_axis *axes = NEW_N(c->mem, mesh_axis, f[0].n);
	for (int64_t i = 0; i < f[0].n; i++) {
		if (!attr_is(c, f[0].list[i], AT_STRUCT, "sdy.mesh_axis"))
			return NULL;
		axes[i] = (mesh_axis){f[0].list[i]->list[0]->text, struct_int(f[0].list[i], 1)};
	}
	const mesh *m = mesh_of(c->ctx, axes, (int)f[0].n, f[1].ints, f[1].n);
	return mesh_verify(c->ctx, m, NOWHERE) ? attr_mesh(c->ctx, m)
	                                       : (c->fail(c, "a mesh is wrong"), NULL);
}

bool codes_take_mesh(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(row);
	static const char *const names[] = {"name", "size"};
	const mesh *m = a->mesh;
	const attr **list = NEW_N(c->mem, const attr *, m->n_axes);
	for (int i = 0; i < m->n_axes; i++) {
		const attr *values[2] = {attr_string(c->ctx, m->axes[i].name),
		                         attr_i64(c->ctx, m->axes[i].size)};
		list[i] = part(c, "sdy.mesh_axis", names, values, 2);
	}
	f[0] = field_list(list, m->n_axes);
	f[1] = field_ints(m->device_ids, m->n_device_ids);
	return true;
}

/* ---- shardings ------------------------------------------------------------------------- */

static bool code_dim_of(coder *c, const attr *a, dim_sharding *out)
{
	axis_list l;
	if (!attr_is(c, a, AT_STRUCT, "sdy.dim") || !code_axes_of(c, a->list[0]->list, a->list[0]->n, &l))
		return false;
	*out = (dim_sharding){.axes = l.ptr,
	                      .n_axes = l.n,
	                      .open = !a->list[1]->i,
	                      .priority = a->n > 2 ? struct_int(a, 2) : PRIORITY_NONE};
	return true;
}

const attr *codes_make_sharding(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	sharding s = {.rank = (int)f[1].n};
	dim_sharding *dims = NEW_N(c->mem, dim_sharding, f[1].n);
	axis_list replicated, unreduced = {0};
	if (f[0].a->kind == AT_MESH)
		s.mesh.inlined = f[0].a->mesh;
	else if (attr_is(c, f[0].a, AT_SYMBOL, NULL))
		s.mesh.symbol = f[0].a->text;
	else
		return NULL;
	for (int64_t i = 0; i < f[1].n; i++)
		if (!code_dim_of(c, f[1].list[i], &dims[i]))
			return NULL;
	if (!code_axes_of(c, f[2].list, f[2].n, &replicated) ||
	    (f[3].present && !code_axes_of(c, f[3].list, f[3].n, &unreduced)))
		return NULL;
	if (f[4].present && (f[4].i < RED_SUM || f[4].i > RED_MIN))
		return c->fail(c, "no reduction has the number %" PRId64, f[4].i), NULL;
	s.dims = dims;
	s.replicated = replicated.ptr;
	s.n_replicated = replicated.n;
	s.unreduced = unreduced.ptr;
	s.n_unreduced = unreduced.n;
	s.reduction = f[4].present ? (reduction)f[4].i : RED_SUM;
	return attr_sharding(c->ctx, sharding_of(c->ctx, &s));
}

static const attr *dim_part(coder *c, const dim_sharding *d)
{
	static const char *const names[] = {"axes", "closed", "priority"};
	field axes = axis_parts(c, d->axes, d->n_axes);
	bool has_priority = d->priority != PRIORITY_NONE;
	const attr *values[3] = {attr_array(c->ctx, axes.list, (int)axes.n),
	                         attr_bool(c->ctx, !d->open),
	                         has_priority ? attr_i64(c->ctx, d->priority) : NULL};
	return part(c, "sdy.dim", names, values, 2 + has_priority);
}

/* There are three rows: no unreduced axes, unreduced axes with a sum, with another reduction. */
bool codes_take_sharding(coder *c, const code_row *row, const attr *a, field *f)
{
	const sharding *s = a->sharding;
	size_t fields = !s->n_unreduced ? 3 : s->reduction == RED_SUM ? 4 : 5;
	if (strlen(row->fields) != fields)
		return false;
	const attr **dims = NEW_N(c->mem, const attr *, s->rank);
	for (int i = 0; i < s->rank; i++)
		dims[i] = dim_part(c, &s->dims[i]);
	f[0] = field_attr(s->mesh.inlined ? attr_mesh(c->ctx, s->mesh.inlined)
	                                  : attr_symbol(c->ctx, s->mesh.symbol));
	f[1] = field_list(dims, s->rank);
	f[2] = axis_parts(c, s->replicated, s->n_replicated);
	f[3] = axis_parts(c, s->unreduced, s->n_unreduced);
	f[4] = field_int(s->reduction);
	return true;
}

const attr *codes_make_shardings(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	if (!list_is(c, &f[0], AT_SHARDING, NULL))
		return NULL;
	const sharding **list = NEW_N(c->mem, const sharding *, f[0].n);
	for (int64_t i = 0; i < f[0].n; i++)
		list[i] = f[0].list[i]->sharding;
	return attr_shardings(c->ctx, list, (int)f[0].n);
}

/* There are two rows, named after the rows of the items. */
bool codes_take_shardings(coder *c, const code_row *row, const attr *a, field *f)
{
	bool unreduced = false;
	const attr **list = NEW_N(c->mem, const attr *, a->n);
	for (int i = 0; i < a->n; i++) {
		if (!a->shardings[i])
			return false;
		list[i] = attr_sharding(c->ctx, a->shardings[i]);
		unreduced |= a->shardings[i]->n_unreduced > 0;
	}
	f[0] = field_list(list, a->n);
	return unreduced == !strcmp(row->name1, "15");
}

/* ---- rules ------------------------------------------------------------------------------- */

static bool factors_of(coder *c, const int64_t *v, int64_t n, int n_factors, const int **out)
{
	int *factors = NEW_N(c->mem, int, n);
	for (int64_t i = 0; i < n; i++) {
		if (v[i] < 0 || v[i] >= n_factors)
			return c->fail(c, "a rule names factor %" PRId64 " and has %d", v[i], n_factors);
		factors[i] = (int)v[i];
	}
	*out = factors;
	return true;
}

static bool tensor_of(coder *c, const attr *a, int n_factors, tensor_factors *out)
{
	if (!attr_is(c, a, AT_STRUCT, "sdy.tensor_mapping"))
		return false;
	const attr *list = a->list[0];
	dim_factors *dims = NEW_N(c->mem, dim_factors, list->n);
	for (int i = 0; i < list->n; i++) {
		int n;
		if (!attr_is(c, list->list[i], AT_STRUCT, "sdy.dim_mapping"))
			return false;
		const int64_t *v = attr_ints(c->ctx, list->list[i]->list[0], &n);
		if (!factors_of(c, v, n, n_factors, &dims[i].factors))
			return false;
		dims[i].n = n;
	}
	*out = (tensor_factors){list->n, dims};
	return true;
}

const attr *codes_make_rule(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	enum { MOST = 1 << 24 };
	if (f[0].n > MOST || f[1].n + f[2].n > MOST)
		return c->fail(c, "a rule is too large"), NULL;
	sharding_rule r = {.n_factors = (int)f[0].n,
	                   .sizes = f[0].ints,
	                   .n_operands = (int)f[1].n,
	                   .n_results = (int)f[2].n,
	                   .custom = f[7].i};
	tensor_factors *tensors = NEW_N(c->mem, tensor_factors, f[1].n + f[2].n);
	for (int64_t i = 0; i < f[1].n + f[2].n; i++) {
		const attr *a = i < f[1].n ? f[1].list[i] : f[2].list[i - f[1].n];
		if (!tensor_of(c, a, r.n_factors, &tensors[i]))
			return NULL;
	}
	r.tensors = tensors;
	factor_set *sets[] = {&r.reduction, &r.need_replication, &r.permutation, &r.blocked};
	for (int i = 0; i < COUNT(sets); i++) {
		sets[i]->n = (int)f[3 + i].n;
		if (!factors_of(c, f[3 + i].ints, f[3 + i].n, r.n_factors, &sets[i]->factors))
			return NULL;
	}
	return attr_rule(c->ctx, &r);
}

static const int64_t *wide(coder *c, const int *v, int n)
{
	int64_t *w = NEW_N(c->mem, int64_t, n);
	for (int i = 0; i < n; i++)
		w[i] = v[i];
	return w;
}

static const attr *tensor_part(coder *c, const tensor_factors *t)
{
	static const char *const factors[] = {"factors"}, *const dims[] = {"dims"};
	const attr **list = NEW_N(c->mem, const attr *, t->rank);
	for (int i = 0; i < t->rank; i++) {
		const dim_factors *d = &t->dims[i];
		const attr *v = attr_i64_array(c->ctx, wide(c, d->factors, d->n), d->n);
		list[i] = part(c, "sdy.dim_mapping", factors, &v, 1);
	}
	const attr *all = attr_array(c->ctx, list, t->rank);
	return part(c, "sdy.tensor_mapping", dims, &all, 1);
}

bool codes_take_rule(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(row);
	const sharding_rule *r = a->rule;
	int n = r->n_operands + r->n_results;
	const attr **list = NEW_N(c->mem, const attr *, n);
	for (int i = 0; i < n; i++)
		list[i] = tensor_part(c, &r->tensors[i]);
	f[0] = field_ints(r->sizes, r->n_factors);
	f[1] = field_list(list, r->n_operands);
	f[2] = field_list(list + r->n_operands, r->n_results);
	const factor_set *sets[] = {&r->reduction, &r->need_replication, &r->permutation,
	                            &r->blocked};
	for (int i = 0; i < COUNT(sets); i++)
		f[3 + i] = field_ints(wide(c, sets[i]->factors, sets[i]->n), sets[i]->n);
	f[7] = field_int(r->custom);
	return true;
}
