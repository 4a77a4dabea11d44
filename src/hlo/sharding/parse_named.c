/* parse_named.c - parses HloShardings with axes (V3).
 *
 *   named ::= mesh ids? ',' (simple | dims extra*) | 'maximal_mesh[device_id=' INT ']'
 *   mesh  ::= 'mesh[' ('x'=INT (',' 'y'=INT)*)? ']'
 *   ids   ::= ',' 'device_ids=(' (INT,… | '[' INT,… ']' 'T(' INT,… ')') ')'
 *   simple::= 'replicated' | 'manual' | 'unreduced'
 *   dims  ::= '[' (dim (',' dim)*)? ']'      dim ::= '{' (axis,…)? ('?' after a ',')? '}'
 *   axis  ::= 'x' (':(' INT ')' INT)?
 *   extra ::= ',' ('replicated' | 'unreduced' | 'manual') '={' axis,… '}' | metadata
 *
 * Metadata may also follow the simple ones; it is dropped, as in XLA.
 *
 * XLA crashes on axes that are unknown, overlap, or occur twice. The rules are those of sdy
 * shardings, and the same check is used. */
#include "hlo/sharding/scan.h"

typedef VEC(int64_t) i64_vec;

typedef struct axes_run {
	int first, n;
} axes_run;

typedef struct named_parts {
	bool iota; /* the mesh's ids were written as an iota */
	VEC(dim_sharding) dims;
	axes_vec axes; /* of the dimensions, then of the extras, in text order */
	axes_run replicated, unreduced, manual;
} named_parts;

static const name *parse_quoted(scan *s)
{
	if (scan_peek(s) != '\'') {
		scan_error(s, "the name of an axis, 'x'");
		return NULL;
	}
	const char *from = s->at + 1, *to = memchr(from, '\'', (size_t)(s->end - from));
	if (!to) {
		scan_error(s, "a name with a quote at its end");
		return NULL;
	}
	s->at = to;
	scan_accept(s, '\'');
	return name_of(s->ctx, (tess_str){from, (size_t)(to - from)});
}

/* ---- meshes ----------------------------------------------------------------- */

static bool ids_in_order(const int64_t *ids, int n)
{
	for (int i = 0; i < n; i++)
		if (ids[i] != i)
			return false;
	return true;
}

/* Reads '(' INT,… ')' into *v. */
static void parse_v3_numbers(scan *s, i64_vec *v, char open, char close)
{
	scan_expect(s, open);
	do
		vec_push(&s->ctx->scratch, v, scan_natural(s));
	while (scan_accept(s, ','));
	scan_expect(s, close);
}

/* Reads the ids of an iota, such as [2,4]T(1,0). */
static void parse_v3_iota(scan *s, i64_vec *ids)
{
	i64_vec dims = {0}, order = {0};
	int perm[ASSIGN_MAX];
	int64_t n = 1;
	uint32_t begin = scan_here(s);
	device_array d;
	parse_v3_numbers(s, &dims, '[', ']');
	if (dims.len == 1)
		scan_error(s, "several dimensions: an iota of one is the order itself, which "
		              "is not written");
	if (!scan_accept_word(s, "T"))
		scan_error(s, "'T(', the order in which the dimensions are taken");
	parse_v3_numbers(s, &order, '(', ')');
	bool fits = dims.len == order.len && dims.len <= ASSIGN_MAX;
	uint64_t seen = 0;
	for (int i = 0; fits && i < dims.len; i++) {
		int64_t k = order.ptr[i];
		fits = dims.ptr[i] > 0 && mul_ok(n, dims.ptr[i], &n) && k < dims.len &&
		       !(seen >> k & 1);
		seen |= fits ? (uint64_t)1 << k : 0;
		perm[i] = (int)k;
	}
	if (!s->failed && (!fits || !hlo_sharding_can_list(s->ctx, scan_since(s, begin), n)))
		scan_fail(s, scan_since(s, begin), E_HLO_SHARDING_IOTA, "this is not an iota of devices",
		          STR(""));
	if (s->failed)
		return;
	device_array_iota(&d, dims.ptr, perm, dims.len);
	for (int64_t i = 0; i < n; i++)
		vec_push(&s->ctx->scratch, ids, device_array_at(&d, i));
}

/* Reads device_ids=(0,2,1,3) or device_ids=([2,2]T(1,0)). */
static void parse_v3_ids(scan *s, i64_vec *ids, bool *iota)
{
	scan_expect(s, '=');
	scan_expect(s, '(');
	*iota = scan_peek(s) == '[';
	if (*iota) {
		parse_v3_iota(s, ids);
		scan_expect(s, ')');
		return;
	}
	do
		vec_push(&s->ctx->scratch, ids, scan_natural(s));
	while (scan_accept(s, ','));
	scan_expect(s, ')');
}

/* After the mesh comes a comma in shardings, nothing in groups. */
static const mesh *parse_v3_mesh(scan *s, uint32_t begin, bool in_groups, bool *iota)
{
	VEC(mesh_axis) axes = {0};
	i64_vec ids = {0};
	*iota = false;
	scan_expect(s, '[');
	if (!scan_accept(s, ']')) {
		do {
			const name *n = parse_quoted(s);
			scan_expect(s, '=');
			vec_push(&s->ctx->scratch, &axes, (mesh_axis){n, scan_natural(s)});
		} while (scan_accept(s, ','));
		scan_expect(s, ']');
	}
	bool comma = scan_accept(s, ',');
	if (comma && scan_accept_word(s, "device_ids")) {
		parse_v3_ids(s, &ids, iota);
		comma = scan_accept(s, ',');
	}
	if (comma == in_groups)
		scan_error(s, in_groups ? "'{'" : "','");
	place at = scan_since(s, begin);
	if (*iota && ids_in_order(ids.ptr, ids.len))
		ids.len = 0; /* XLA drops them */
	if (!s->failed && ids.len && ids_in_order(ids.ptr, ids.len))
		scan_fail(s, at, E_MESH_ID_ORDER, "device ids in their own order are not written",
		          STR(""));
	if (s->failed)
		return NULL;
	const mesh *m = mesh_of(s->ctx, axes.ptr, axes.len, ids.ptr, ids.len);
	if (!mesh_verify(s->ctx, m, at))
		scan_stop(s);
	return s->failed ? NULL : m;
}

/* ---- axes ---------------------------------------------------------------------- */

static void parse_v3_axis(scan *s, named_parts *p)
{
	axis_ref a = axis_full(parse_quoted(s));
	if (scan_accept(s, ':')) {
		scan_expect(s, '(');
		a.pre = scan_natural(s);
		scan_expect(s, ')');
		a.size = scan_natural(s);
		int64_t end;
		if (!s->failed && (!a.size || !mul_ok(a.pre, a.size, &end)))
			scan_error(s, "a sub-axis of another size");
	}
	if (!s->failed)
		vec_push(&s->ctx->scratch, &p->axes, a);
}

/* Reads '{' axis,… '}', with a '?' at the end if `open` is not NULL; returns the number of axes. */
static int parse_v3_axes(scan *s, named_parts *p, bool *open)
{
	int before = p->axes.len;
	scan_expect(s, '{');
	if (scan_accept(s, '}'))
		return 0;
	do {
		if (open && (*open = scan_accept(s, '?')))
			break;
		parse_v3_axis(s, p);
	} while (scan_accept(s, ','));
	scan_expect(s, '}');
	return p->axes.len - before;
}

static void parse_v3_dims(scan *s, named_parts *p)
{
	scan_expect(s, '[');
	if (scan_accept(s, ']'))
		return;
	do {
		dim_sharding d = {.priority = PRIORITY_NONE};
		d.n_axes = parse_v3_axes(s, p, &d.open);
		vec_push(&s->ctx->scratch, &p->dims, d);
	} while (scan_accept(s, ','));
	scan_expect(s, ']');
}

static void parse_v3_extra(scan *s, named_parts *p)
{
	int first = p->axes.len;
	axes_run *run = NULL;
	if (scan_accept_word(s, "metadata")) {
		scan_skip_metadata(s);
		return;
	}
	if (scan_accept_word(s, "replicated"))
		run = &p->replicated;
	else if (scan_accept_word(s, "unreduced"))
		run = &p->unreduced;
	else if (scan_accept_word(s, "manual"))
		run = &p->manual;
	if (!run || run->n) {
		scan_error(s, "replicated=, unreduced= or manual=, each once, or metadata=");
		return;
	}
	scan_expect(s, '=');
	run->first = first;
	run->n = parse_v3_axes(s, p, NULL);
}

/* ---- the whole sharding --------------------------------------------------------------------- */

/* Manual axes follow the same rules as replicated ones: no axis is used twice. */
static bool verify_named(scan *s, const sharding *sdy, axis_list manual, place at)
{
	const mesh *m = sdy->mesh.inlined;
	sharding_places places = {.all = at};
	if (!sharding_verify(s->ctx, sdy, m, -1, &places))
		return false;
	if (!manual.n)
		return true;
	int n = sdy->n_replicated + manual.n;
	axis_ref *all = NEW_N(&s->ctx->scratch, axis_ref, n);
	axes_vec joined = {0}; /* merges consecutive parts of one axis */
	memcpy(all, sdy->replicated, sizeof *all * (size_t)sdy->n_replicated);
	memcpy(all + sdy->n_replicated, manual.ptr, sizeof *all * (size_t)manual.n);
	axes_sort(all, n, m);
	for (int i = 0; i < n; i++)
		axes_append(&joined, &s->ctx->scratch, all[i], m);
	sharding t = *sdy;
	t.replicated = joined.ptr;
	t.n_replicated = joined.len;
	return sharding_verify(s->ctx, sharding_of(s->ctx, &t), m, -1, &places);
}

static const hlo_sharding *finish_named(scan *s, named_parts *p, const mesh *m, place at)
{
	const axis_ref *axes = p->axes.ptr;
	for (int i = 0, first = 0; i < p->dims.len; first += p->dims.ptr[i++].n_axes)
		p->dims.ptr[i].axes = axes + first;
	axis_list manual = {axes + p->manual.first, p->manual.n};
	const sharding *sdy = sharding_of(s->ctx,
	                                  &(sharding){.mesh = {.inlined = m},
	                                              .rank = p->dims.len,
	                                              .dims = p->dims.ptr,
	                                              .n_replicated = p->replicated.n,
	                                              .n_unreduced = p->unreduced.n,
	                                              .replicated = axes + p->replicated.first,
	                                              .unreduced = axes + p->unreduced.first});
	if (!verify_named(s, sdy, manual, at)) {
		scan_stop(s);
		return NULL;
	}
	return hlo_sharding_named_as(s->ctx, m, sdy, manual, p->iota);
}

static void parse_v3_metadata(scan *s)
{
	while (scan_accept(s, ',')) {
		if (!scan_accept_word(s, "metadata"))
			scan_error(s, "metadata=");
		scan_skip_metadata(s);
	}
}

static const hlo_sharding *parse_maximal_mesh(scan *s)
{
	scan_expect(s, '[');
	if (!scan_accept_word(s, "device_id"))
		scan_error(s, "device_id=");
	scan_expect(s, '=');
	int64_t id = scan_natural(s);
	scan_expect(s, ']');
	parse_v3_metadata(s);
	if (s->failed)
		return NULL;
	return hlo_sharding_named(s->ctx, mesh_of(s->ctx, NULL, 0, &id, 1), NULL, (axis_list){0});
}

static const struct {
	const char *word;
	hlo_sharding_kind kind;
} simple_kinds[] = {
	{"replicated", HS_REPLICATED},
	{"manual", HS_MANUAL},
	{"unreduced", HS_UNREDUCED},
};

const hlo_sharding *parse_named_sharding(scan *s)
{
	named_parts p = {0};
	uint32_t begin = scan_here(s);
	if (scan_accept_word(s, "maximal_mesh"))
		return parse_maximal_mesh(s);
	if (!scan_accept_word(s, "mesh"))
		return NULL;
	const mesh *m = parse_v3_mesh(s, begin, false, &p.iota);
	for (int i = 0; i < COUNT(simple_kinds); i++) {
		if (!scan_accept_word(s, simple_kinds[i].word))
			continue;
		parse_v3_metadata(s);
		return s->failed ? NULL : hlo_sharding_named_simple(s->ctx, m, simple_kinds[i].kind,
		                                                    p.iota);
	}
	vec_reserve(&s->ctx->scratch, &p.axes, 8); /* never NULL */
	parse_v3_dims(s, &p);
	while (scan_accept(s, ','))
		parse_v3_extra(s, &p);
	return s->failed ? NULL : finish_named(s, &p, m, scan_since(s, begin));
}

const mesh *parse_mesh_in_groups(scan *s, uint32_t begin, axes_vec *axes, bool *iota)
{
	named_parts p = {0};
	const mesh *m = parse_v3_mesh(s, begin, true, iota);
	parse_v3_axes(s, &p, NULL);
	*axes = p.axes;
	return s->failed ? NULL : m;
}
