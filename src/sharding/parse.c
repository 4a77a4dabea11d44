/* parse.c - meshes, shardings and axis lists from text.
 *
 *   mesh      ::= '<' '[' (axis (',' axis)*)? ']' (',' device_ids)? '>'
 *   axis      ::= string '=' integer
 *   device_ids::= 'device_ids' '=' '[' integer (',' integer)* ']'
 *   sharding  ::= '<' mesh_ref ',' dims extra* '>'
 *   mesh_ref  ::= '@' name | 'mesh' mesh
 *   dims      ::= '[' (dim (',' dim)*)? ']'
 *   dim       ::= '{' (axis_ref (',' axis_ref)* (',' '?')? | '?')? '}' priority?
 *   axis_ref  ::= string (':' '(' integer ')' integer)?
 *   priority  ::= 'p' digits, without leading zeros
 *   extra     ::= ',' 'replicated' '=' axes
 *               | ',' 'unreduced' ('=' ('sum' | 'max' | 'min')?)? axes
 *   axes      ::= '{' axis_ref (',' axis_ref)* '}'
 *
 * As sdy_opt reads them: replicated and unreduced come in any order, each at most once, and are not
 * empty; the '=' after unreduced may be missing, and then there is no operator. */
#include "base/scan.h"
#include "sharding/sharding.h"

/* A sharding while it is read. Dimensions refer to their axes by index because the arrays may
 * move. */
typedef struct parts {
	scan s;
	arena *mem;
	bool want_places;
	axes_vec axes; /* of the dimensions, then replicated, then unreduced */
	VEC(place) axis_places, dim_places;
	VEC(dim_sharding) dims;
	int replicated, n_replicated, unreduced, n_unreduced;
	reduction reduction;
} parts;

static void parts_of(parts *p, const scan *s, bool want_places)
{
	*p = (parts){.s = *s, .mem = &s->ctx->scratch, .want_places = want_places};
	vec_reserve(p->mem, &p->axes, 8);
}

static void parts_begin(parts *p, tess_ctx *ctx, source *src, uint32_t begin, bool want_places)
{
	scan s;
	scan_begin(&s, ctx, src, begin);
	parts_of(p, &s, want_places);
}

/* ---- meshes -------------------------------------------------------------- */

typedef struct mesh_parts {
	VEC(mesh_axis) axes;
	VEC(int64_t) ids;
	VEC(place) axis_places, id_places;
} mesh_parts;

static void parse_mesh_axis(scan *s, mesh_parts *p, bool bare_names)
{
	arena *mem = &s->ctx->scratch;
	uint32_t begin = scan_here(s);
	mesh_axis axis = {0};
	tess_str bare = bare_names ? scan_word(s) : (tess_str){0};
	axis.name = bare.len ? name_of(s->ctx, bare) : scan_string(s, "the name of an axis, \"x\"");
	scan_expect(s, '=');
	axis.size = scan_integer(s);
	vec_push(mem, &p->axes, axis);
	vec_push(mem, &p->axis_places, scan_since(s, begin));
}

static void parse_device_ids(scan *s, mesh_parts *p)
{
	arena *mem = &s->ctx->scratch;
	scan_expect(s, '=');
	scan_expect(s, '[');
	do {
		uint32_t begin = scan_here(s);
		vec_push(mem, &p->ids, scan_integer(s));
		vec_push(mem, &p->id_places, scan_since(s, begin));
	} while (scan_accept(s, ','));
	scan_expect(s, ']');
}

static const mesh *mesh_finish(scan *s, const mesh_parts *p, uint32_t begin)
{
	if (s->failed)
		return NULL;
	const mesh *m = mesh_of(s->ctx, p->axes.ptr, p->axes.len, p->ids.ptr, p->ids.len);
	mesh_places at = {scan_since(s, begin), p->axis_places.ptr, p->id_places.ptr};
	return mesh_verify_at(s->ctx, m, &at) ? m : NULL;
}

static const mesh *parse_mesh(scan *s)
{
	mesh_parts p = {0};
	uint32_t begin = scan_here(s);
	scan_expect(s, '<');
	scan_expect(s, '[');
	if (!scan_accept(s, ']')) {
		do
			parse_mesh_axis(s, &p, false);
		while (scan_accept(s, ','));
		scan_expect(s, ']');
	}
	if (scan_accept(s, ',')) {
		if (scan_accept_word(s, "device_ids"))
			parse_device_ids(s, &p);
		else
			scan_error(s, "device_ids");
	}
	scan_expect(s, '>');
	const mesh *m = mesh_finish(s, &p, begin);
	if (!m)
		scan_stop(s);
	return m;
}

static const mesh *parse_short_mesh(scan *s)
{
	mesh_parts p = {0};
	uint32_t begin = scan_here(s);
	do {
		if (p.axes.len && scan_accept_word(s, "device_ids")) {
			parse_device_ids(s, &p);
			break;
		}
		parse_mesh_axis(s, &p, true);
	} while (scan_accept(s, ','));
	return mesh_finish(s, &p, begin);
}

/* ---- axes ---------------------------------------------------------------- */

/* A size that axis_ref cannot hold is an error of the text; whether a sub-axis fits its axis is
 * checked by sharding_verify(), when the mesh is known. */
static void parse_sub_axis(scan *s, axis_ref *a, uint32_t begin)
{
	int64_t end;
	scan_expect(s, '(');
	a->pre = scan_integer(s);
	scan_expect(s, ')');
	a->size = scan_integer(s);
	if (s->failed)
		return;
	if (!a->size)
		scan_fail(s, scan_since(s, begin), E_SUB_AXIS_SIZE,
		          "the size of a sub-axis must be greater than 1, not 0", STR(""));
	else if (!mul_ok(a->pre, a->size, &end))
		scan_fail(s, scan_since(s, begin), E_SHARDING_NUMBER,
		          "the sizes of the sub-axis do not fit 63 bits", STR(""));
}

static void parse_axis_ref(parts *p)
{
	scan *s = &p->s;
	uint32_t begin = scan_here(s);
	axis_ref a = axis_full(scan_string(s, "the name of an axis, \"x\""));
	if (scan_accept(s, ':'))
		parse_sub_axis(s, &a, begin);
	if (s->failed)
		return;
	vec_push(p->mem, &p->axes, a);
	if (p->want_places)
		vec_push(p->mem, &p->axis_places, scan_since(s, begin));
}

/* Reads axes after a '{' up to the '}'; returns how many. */
static int parse_axes_until_brace(parts *p)
{
	int before = p->axes.len;
	do
		parse_axis_ref(p);
	while (scan_accept(&p->s, ','));
	scan_expect(&p->s, '}');
	return p->axes.len - before;
}

/* axes: at least one */
static int parse_axes(parts *p)
{
	scan_expect(&p->s, '{');
	return parse_axes_until_brace(p);
}

/* axes, or {} */
static int parse_axes_or_none(parts *p)
{
	scan_expect(&p->s, '{');
	return scan_accept(&p->s, '}') ? 0 : parse_axes_until_brace(p);
}

/* ---- dimensions ---------------------------------------------------------- */

static bool priority_of(tess_str digits, int64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < digits.len; i++)
		if (!mul_ok(*out, 10, out) || !add_ok(*out, digits.ptr[i] - '0', out))
			return false;
	return true;
}

static int64_t parse_priority(scan *s)
{
	uint32_t begin = scan_here(s);
	tess_str word = scan_word(s);
	if (!word.len)
		return PRIORITY_NONE;
	int64_t priority = PRIORITY_NONE;
	tess_str digits = {word.ptr + 1, word.len - 1};
	bool number = word.ptr[0] == 'p' && digits.len;
	for (size_t i = 0; i < digits.len; i++)
		number &= digits.ptr[i] >= '0' && digits.ptr[i] <= '9';
	place at = scan_since(s, begin);
	if (!number)
		scan_fail(s, at, E_PRIORITY_SYNTAX, "a priority is p and a number, as p1, not ",
		          word);
	else if (digits.ptr[0] == '0' && digits.len > 1)
		scan_fail(s, at, E_PRIORITY_SYNTAX, "a priority has no leading zeros: ", word);
	else if (!priority_of(digits, &priority))
		scan_fail(s, at, E_SHARDING_NUMBER, "this priority does not fit 63 bits: ", word);
	return priority;
}

static void parse_dim(parts *p)
{
	scan *s = &p->s;
	uint32_t begin = scan_here(s);
	dim_sharding dim = {.n_axes = p->axes.len};
	scan_expect(s, '{');
	if (!scan_accept(s, '}')) {
		do {
			if ((dim.open = scan_accept(s, '?')))
				break;
			parse_axis_ref(p);
		} while (scan_accept(s, ','));
		scan_expect(s, '}');
	}
	dim.n_axes = p->axes.len - dim.n_axes;
	dim.priority = parse_priority(s);
	vec_push(p->mem, &p->dims, dim);
	if (p->want_places)
		vec_push(p->mem, &p->dim_places, scan_since(s, begin));
}

static void parse_dims(parts *p)
{
	scan_expect(&p->s, '[');
	if (scan_accept(&p->s, ']'))
		return;
	do
		parse_dim(p);
	while (scan_accept(&p->s, ','));
	scan_expect(&p->s, ']');
}

/* ---- replicated and unreduced -------------------------------------------- */

static reduction parse_reduction(scan *s)
{
	if (scan_accept_word(s, "max"))
		return RED_MAX;
	if (scan_accept_word(s, "min"))
		return RED_MIN;
	scan_accept_word(s, "sum");
	return RED_SUM;
}

static void parse_extra(parts *p)
{
	scan *s = &p->s;
	uint32_t begin = scan_here(s);
	bool replicated = scan_accept_word(s, "replicated");
	if (!replicated && !scan_accept_word(s, "unreduced")) {
		scan_error(s, "replicated={…} or unreduced={…}");
		return;
	}
	if (replicated ? p->n_replicated : p->n_unreduced) {
		scan_fail(s, scan_since(s, begin), E_SHARDING_LIST_TWICE, "a second list of ",
		          replicated ? STR("replicated axes") : STR("unreduced axes"));
		return;
	}
	if (replicated) {
		scan_expect(s, '=');
		p->replicated = p->axes.len;
		p->n_replicated = parse_axes(p);
	} else {
		if (scan_accept(s, '='))
			p->reduction = parse_reduction(s);
		p->unreduced = p->axes.len;
		p->n_unreduced = parse_axes(p);
	}
}

/* ---- shardings ----------------------------------------------------------- */

static void parse_mesh_ref(scan *s, mesh_ref *m)
{
	if (scan_accept_word(s, "mesh"))
		m->inlined = parse_mesh(s);
	else
		m->symbol = scan_symbol(s);
}

static void fill_places(const parts *p, sharding_places *out)
{
	const place *axes = p->axis_places.ptr;
	out->dims = p->dim_places.ptr;
	out->axes = axes;
	out->replicated = p->n_replicated ? axes + p->replicated : NULL;
	out->unreduced = p->n_unreduced ? axes + p->unreduced : NULL;
}

static const sharding *parts_finish(parts *p, mesh_ref m)
{
	if (p->s.failed)
		return NULL;
	const axis_ref *at = p->axes.ptr;
	for (int d = 0; d < p->dims.len; d++) {
		p->dims.ptr[d].axes = at;
		at += p->dims.ptr[d].n_axes;
	}
	sharding s = {.mesh = m, .rank = p->dims.len, .dims = p->dims.ptr,
	              .n_replicated = p->n_replicated, .n_unreduced = p->n_unreduced,
	              .replicated = p->axes.ptr + p->replicated,
	              .unreduced = p->axes.ptr + p->unreduced, .reduction = p->reduction};
	return sharding_of(p->s.ctx, &s);
}

static void parse_body(parts *p)
{
	parse_dims(p);
	while (scan_accept(&p->s, ','))
		parse_extra(p);
}

static const sharding *parse_sharding(parts *p, sharding_places *places)
{
	scan *s = &p->s;
	mesh_ref m = {0};
	uint32_t begin = scan_here(s);
	scan_expect(s, '<');
	uint32_t mesh_begin = scan_here(s);
	parse_mesh_ref(s, &m);
	place mesh_at = scan_since(s, mesh_begin);
	scan_expect(s, ',');
	parse_body(p);
	scan_expect(s, '>');
	const sharding *out = parts_finish(p, m);
	if (places) {
		*places = (sharding_places){.all = scan_since(s, begin), .mesh = mesh_at};
		fill_places(p, places);
	}
	return out;
}

/* ---- entry points --------------------------------------------------------------------------- */

static const mesh *parse_mesh_as(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                                 const mesh *(*parse)(scan *))
{
	arena_mark mark = arena_here(&ctx->scratch);
	scan s;
	scan_begin(&s, ctx, src, begin);
	const mesh *m = parse(&s);
	*end = s.last;
	arena_back(&ctx->scratch, mark);
	return m;
}

const mesh *mesh_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end)
{
	return parse_mesh_as(ctx, src, begin, end, parse_mesh);
}

const mesh *mesh_parse_short(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end)
{
	return parse_mesh_as(ctx, src, begin, end, parse_short_mesh);
}

const sharding *sharding_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                               sharding_places *places)
{
	arena_mark mark = arena_here(&ctx->scratch);
	parts p;
	parts_begin(&p, ctx, src, begin, places != NULL);
	const sharding *out = parse_sharding(&p, places);
	*end = p.s.last;
	if (!places)
		arena_back(&ctx->scratch, mark);
	return out;
}

const sharding *sharding_parse_on(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                                  mesh_ref m, sharding_places *places)
{
	arena_mark mark = arena_here(&ctx->scratch);
	parts p;
	parts_begin(&p, ctx, src, begin, places != NULL);
	uint32_t first = scan_here(&p.s);
	parse_body(&p);
	*end = p.s.last;
	const sharding *out = parts_finish(&p, m);
	if (places) {
		*places = (sharding_places){.all = scan_since(&p.s, first)};
		fill_places(&p, places);
	} else {
		arena_back(&ctx->scratch, mark);
	}
	return out;
}

/* Reads the shardings of a list, from '[' to ']'. */
static void parse_sharding_list(scan *s, sharding_list *out, sharding_places **places)
{
	arena *mem = &s->ctx->scratch;
	VEC(const sharding *) list = {0};
	VEC(sharding_places) where = {0};
	scan_expect(s, '[');
	bool more = !s->failed && !scan_accept(s, ']');
	while (more) {
		parts p;
		sharding_places at;
		parts_of(&p, s, places != NULL);
		vec_push(mem, &list, parse_sharding(&p, places ? &at : NULL));
		if (places)
			vec_push(mem, &where, at);
		*s = p.s;
		more = scan_accept(s, ',');
		if (!more)
			scan_expect(s, ']');
	}
	*out = (sharding_list){list.ptr, list.len};
	if (places)
		*places = where.ptr;
}

bool sharding_per_value_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                              sharding_list *out, sharding_places **places)
{
	scan s;
	scan_begin(&s, ctx, src, begin);
	scan_expect(&s, '<');
	parse_sharding_list(&s, out, places);
	scan_expect(&s, '>');
	*end = s.last;
	return !s.failed;
}

bool axis_list_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end, axis_list *out,
                     const place **places)
{
	parts p;
	parts_begin(&p, ctx, src, begin, places != NULL);
	parse_axes_or_none(&p);
	*out = (axis_list){p.axes.ptr, p.axes.len};
	if (places)
		*places = p.axis_places.ptr;
	*end = p.s.last;
	return !p.s.failed;
}

