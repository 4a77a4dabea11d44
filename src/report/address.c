/* address.c - finds the values that a text names.
 *
 * The program, JAX, and the libraries above it name the same value in many ways: %arg3, arg:3,
 * params['layers'][0]['w'], params/layers/0/w, params.layers[0].w.value. Paths are compared part by
 * part from the end, so that leading parts may be left out. */
#include "report/address.h"

#include "report/words.h"

/* ---- names in the program text -------------------------------------------------------------- */

/* Parses a number at `at`; returns -1 if there is none. */
static int64_t number_at(tess_str s, size_t at)
{
	int64_t v = at < s.len ? 0 : -1;
	for (; at < s.len && v >= 0; at++) {
		int digit = s.ptr[at] - '0';
		v = digit < 0 || digit > 9 || v > INT32_MAX ? -1 : v * 10 + digit;
	}
	return v;
}

/* Values have no names in bytecode and HLO. There they are called as put_value() writes them: %v12,
 * by the id, and %arg0. */
static bool is_named(const value *v, tess_str text)
{
	tess_str name = value_name(v);
	if (name.len)
		return str_eq(name, text);
	return value_def(v) ? str_starts(text, "v") && number_at(text, strlen("v")) == v->id
	                    : str_starts(text, "arg") && number_at(text, strlen("arg")) == v->index;
}

/* Finds %name#index among an op's results; each result name may stand for several results. */
static const value *find_in_results(const op *o, tess_str text, uint32_t index)
{
	for (int i = 0, n; i < o->n_results; i += n) {
		const value *first = value_namesakes(&o->results[i], &n);
		if (is_named(first, text))
			return index < (uint32_t)n ? first + index : NULL;
	}
	return NULL;
}

/* The body of a called function has its own names; it is searched only if `called`. */
static const value *find_in_block(const block *b, tess_str text, uint32_t index, bool called)
{
	for (int i = 0; i < b->n_args; i++)
		if (is_named(b->args[i], text))
			return b->args[i];
	for (const op *o = b->first; o; o = o->next) {
		const value *v = find_in_results(o, text, index);
		bool look = called || o->kind != OP_SDY_NAMED_COMPUTATION;
		for (int r = 0; look && r < op_n_regions(o); r++)
			for (const block *inner = op_region(o, r)->first; !v && inner;
			     inner = inner->next)
				v = find_in_block(inner, text, index, called);
		if (v)
			return v;
	}
	return NULL;
}

/* Finds the argument whose location has this name, as JAX writes it: "params['w']". */
static const value *find_by_location(const block *b, tess_str text)
{
	for (int i = 0; i < b->n_args; i++) {
		const attr *loc = value_loc(b->args[i]);
		if (loc && loc->kind == AT_LOC_NAME && str_eq(name_str(loc->text), text))
			return b->args[i];
	}
	return NULL;
}

static const value *find_result(const block *b, tess_str text)
{
	const op *end = block_terminator(b);
	int64_t i = str_starts(text, "result:") ? number_at(text, strlen("result:"))
	            : str_starts(text, "out")    ? number_at(text, strlen("out"))
	                                         : -1;
	return i >= 0 && end && i < end->n_operands ? operand(end, (int)i) : NULL;
}

static const value *find_argument(const block *b, tess_str text)
{
	int64_t i = str_starts(text, "arg:") ? number_at(text, strlen("arg:")) : -1;
	return i >= 0 && i < b->n_args ? b->args[i] : NULL;
}

/* %name#index; the '%' is optional. */
typedef struct spoken_name {
	tess_str name;
	uint32_t index; /* UINT32_MAX: the index is not a number */
	bool percent;
} spoken_name;

static spoken_name read_name(tess_str text)
{
	spoken_name n = {.name = text, .percent = text.len && text.ptr[0] == '%'};
	if (n.percent)
		n.name = (tess_str){text.ptr + 1, text.len - 1};
	const char *hash = memchr(n.name.ptr, '#', n.name.len);
	if (hash) {
		size_t at = (size_t)(hash - n.name.ptr);
		int64_t index = number_at(n.name, at + 1);
		n.index = index < 0 ? UINT32_MAX : (uint32_t)index;
		n.name.len = at;
	}
	return n;
}

/* Finds "%0 of @relu", as put_function_around() writes: in the first call that has such a value. */
static const value *find_in_function(const op *main, tess_str text)
{
	static const char of[] = " of @";
	const char *split = text.len ? memmem(text.ptr, text.len, of, strlen(of)) : NULL;
	if (!split)
		return NULL;
	spoken_name n = read_name((tess_str){text.ptr, (size_t)(split - text.ptr)});
	const char *begin = split + strlen(of);
	tess_str function = {begin, (size_t)(text.ptr + text.len - begin)};
	const value *v = NULL;
	for (const op *o = main; o && !v; o = op_next(o, main)) {
		const name *called = op_computation_name(o);
		if (called && str_eq(name_str(called), function))
			v = find_in_block(op_body(o), n.name, n.index, false);
	}
	const op *f = v ? NULL : module_lookup(op_module(main), name_of(op_module(main)->ctx, function));
	if (f && op_func(f) && op_body(f)) /* if calls have not been inlined yet */
		v = find_in_block(op_body(f), n.name, n.index, false);
	return v;
}

/* Finds a value by one of the names that only one value has. */
static value *find_one(const module *m, tess_str text)
{
	const op *main = module_main(m);
	if (!main || func_is_declaration(main))
		return NULL;
	const block *body = op_body(main);
	const value *v = find_by_location(body, text);
	spoken_name n = read_name(text);
	if (!v)
		v = find_in_block(body, n.name, n.index, false);
	if (!v)
		v = find_in_block(body, n.name, n.index, true);
	if (!v && !n.percent)
		v = find_argument(body, text);
	if (!v && !n.percent)
		v = find_result(body, text);
	if (!v)
		v = find_in_function(main, text);
	return (value *)(uintptr_t)v;
}

/* ---- paths ------------------------------------------------------------------------------- */

tess_str argument_path(const block *b, int i)
{
	const attr *loc = value_loc(b->args[i]);
	return loc && loc->kind == AT_LOC_NAME ? name_str(loc->text) : (tess_str){0};
}

tess_str result_path(const op *main, int i)
{
	const attr *info = attrs_get(&op_func(main)->result_attrs[i], N_jax_result_info);
	return info && info->kind == AT_STRING ? name_str(info->text) : (tess_str){0};
}

/* Calls `visit` for each argument, or for each result, with the value that is returned for it. */
typedef void path_visit(void *user, value *v, tess_str path);

static void argument_paths(const op *main, path_visit *visit, void *user)
{
	const block *b = op_body(main);
	for (int i = 0; i < b->n_args; i++)
		visit(user, b->args[i], argument_path(b, i));
}

static void result_paths(const op *main, path_visit *visit, void *user)
{
	const op *end = block_terminator(op_body(main));
	for (int i = 0; end && i < end->n_operands && i < op_func(main)->type->n_out; i++)
		visit(user, operand(end, i), result_path(main, i));
}

typedef struct address_search {
	path asked;
	arena *mem;
	value_list *whole, *ends, *parameters; /* parameters: the matches in `ends` that are not in
	                                        * an optimizer's tree */
} address_search;

static void search_path(void *user, value *v, tess_str text)
{
	address_search *s = user;
	path p = path_of(text);
	path_fit fit = path_fits(&s->asked, &p);
	if (fit != FITS_NOT)
		vec_push(s->mem, fit == FITS_WHOLE ? s->whole : s->ends, v);
	if (fit == FITS_END && !path_of_optimizer(&p))
		vec_push(s->mem, s->parameters, v);
}

/* Optimizer state has the same paths as the parameters, inside trees of its own: if exactly one
 * match is not in such a tree, it is meant. Arguments take precedence: a result of a training step
 * has the path of the argument that it replaces. */
static void find_by_path(const op *main, tess_str text, arena *mem, value_list *out)
{
	value_list ends = {0}, parameters = {0};
	address_search s = {path_of(text), mem, out, &ends, &parameters};
	argument_paths(main, search_path, &s);
	if (!out->len && !ends.len)
		result_paths(main, search_path, &s);
	if (!out->len)
		*out = parameters.len == 1 && !has_wildcard(text) ? parameters : ends;
}

/* ---- source lines --------------------------------------------------------------------------- */

/* A source line, "train.py:26"; leading folders may be left out. */
typedef struct source_line {
	tess_str file;
	int64_t line; /* -1: the text is not a source line */
} source_line;

static source_line line_of(tess_str text)
{
	source_line l = {.line = -1};
	size_t at = text.len;
	while (at > 0 && text.ptr[at - 1] != ':')
		at--;
	if (at < 2 || at == text.len)
		return l;
	l.file = (tess_str){text.ptr, at - 1};
	l.line = number_at(text, at);
	return l;
}

static bool is_file(tess_str path, tess_str file)
{
	if (path.len < file.len || memcmp(path.ptr + path.len - file.len, file.ptr, file.len) != 0)
		return false;
	return path.len == file.len || path.ptr[path.len - file.len - 1] == '/';
}

/* True if one of the frames of a location is on that line. */
static bool from_line(const attr *loc, const source_line *l)
{
	if (!loc)
		return false;
	if (loc->kind == AT_LOC_FILE)
		return loc->ints[0] == l->line && is_file(name_str(loc->text), l->file);
	for (int i = 0; i < loc->n; i++)
		if (from_line(loc->list[i], l))
			return true;
	return false;
}

static void find_by_line(const op *main, const source_line *l, arena *mem, value_list *out)
{
	for (op *o = (op *)(uintptr_t)main; o; o = op_next(o, main))
		if (o->n_results && from_line(op_loc(o), l))
			for (int i = 0; i < o->n_results; i++)
				vec_push(mem, out, result(o, i));
}

/* ---- suggesting similar names --------------------------------------------------------------- */

enum { MOST_NEAR = 3, LONGEST_NEAR = 64 };

typedef struct near_names {
	arena *mem;
	path asked_path;
	tess_str asked; /* the parts of the text, joined by a single separator */
	int n;
	struct {
		tess_str name;
		int distance;
		bool value; /* a value's name, to be printed with '%' */
	} best[MOST_NEAR];
} near_names;

/* The edit distance: how many letters to change, insert or delete. */
static int distance(tess_str a, tess_str b)
{
	int row[LONGEST_NEAR + 1];
	for (size_t j = 0; j <= b.len; j++)
		row[j] = (int)j;
	for (size_t i = 0; i < a.len; i++) {
		int corner = row[0];
		row[0] = (int)i + 1;
		for (size_t j = 0; j < b.len; j++) {
			int cost = corner + (a.ptr[i] != b.ptr[j]);
			corner = row[j + 1];
			int other = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
			row[j + 1] = cost < other ? cost : other;
		}
	}
	return row[b.len];
}

/* Compares `like` with the text; the suggestion is `name`. */
static void near_add(near_names *l, tess_str like, tess_str name, bool is_value)
{
	int limit = (int)l->asked.len / 3, d, at = l->n;
	if (!like.len || like.len > LONGEST_NEAR || l->asked.len > LONGEST_NEAR)
		return;
	if (limit < 1 || (d = distance(l->asked, like)) > limit)
		return;
	for (int i = 0; i < l->n; i++)
		if (str_eq(l->best[i].name, name))
			return;
	while (at > 0 && l->best[at - 1].distance > d)
		at--;
	if (at == MOST_NEAR)
		return;
	int last = l->n < MOST_NEAR ? l->n++ : MOST_NEAR - 1;
	memmove(&l->best[at + 1], &l->best[at], sizeof l->best[0] * (size_t)(last - at));
	l->best[at].name = name;
	l->best[at].distance = d;
	l->best[at].value = is_value;
}

static void near_path(void *user, value *v, tess_str text)
{
	near_names *l = user;
	path p = path_of(text);
	UNUSED(v);
	near_add(l, path_end(l->mem, &p, l->asked_path.n), text, false);
}

/* The number of a layer may be part of a name, layers_3, or a part of its own, layers.3. */
static void near_module(void *user, const path *p)
{
	near_names *l = user;
	int n = l->asked_path.n;
	for (int k = n > 1 ? n - 1 : 1; k <= n + 1 && k <= p->n; k++) {
		tess_str end = path_end(l->mem, p, k);
		near_add(l, end, end, false);
	}
}

static void near_value(near_names *l, tess_str name) { near_add(l, name, name, true); }

static void near_values(near_names *l, const op *main)
{
	for (const op *o = main; o; o = op_next((op *)(uintptr_t)o, main))
		for (int i = 0, n; i < o->n_results; i += n)
			near_value(l, value_name(value_namesakes(&o->results[i], &n)));
}

static void tell_none(const module *m, const char *text)
{
	tess_ctx *ctx = m->ctx;
	const op *main = module_main(m);
	near_names l = {.mem = &ctx->scratch, .asked_path = path_of(str_of(text))};
	writer w;
	writer_init(&w, &ctx->scratch);
	l.asked = path_end(l.mem, &l.asked_path, l.asked_path.n);
	if (main && !func_is_declaration(main)) {
		argument_paths(main, near_path, &l);
		result_paths(main, near_path, &l);
		each_module(main, l.mem, near_module, &l);
		l.asked = read_name(str_of(text)).name;
		near_values(&l, main);
	}
	for (int i = 0; i < l.n; i++)
		put_f(&w, "%s%s%.*s", i ? i == l.n - 1 ? " or " : ", " : "",
		      l.best[i].value ? "%" : "", STR_ARG(l.best[i].name));
	if (l.n)
		diag_error(ctx, NOWHERE, E_NO_VALUE,
		           "there is no value '%s' in @main; did you mean %s?", text,
		           writer_z(&w));
	else
		diag_error(ctx, NOWHERE, E_NO_VALUE,
		           "there is no value '%s' in @main; name one as the text does, or arg:0, arg:1, … "
		           "and result:0, result:1, … for what it takes and returns, a parameter by its "
		           "path (params/w), what a line of the source made (train.py:26), or a module "
		           "(layers/3/attention)",
		           text);
}

/* ---- finding by any kind of name ------------------------------------------------------------ */

/* Reports an ambiguous name. Only a * or a source line may name several values. */
static bool tell_several(const module *m, const char *text, const value_list *l)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	for (int i = 0; i < l->len && i < MOST_NEAR; i++) {
		const attr *loc = value_loc(l->ptr[i]);
		put_z(&w, i ? ", " : "");
		if (value_def(l->ptr[i]) || !loc || loc->kind != AT_LOC_NAME)
			put_value(&w, l->ptr[i]);
		else
			put_str(&w, name_str(loc->text));
	}
	return diag_error(m->ctx, NOWHERE, E_NO_VALUE,
	                  "'%s' may be any of %d values: %s%s; say more of its path", text, l->len,
	                  writer_z(&w), l->len > MOST_NEAR ? ", …" : "");
}

bool address_values(module *m, const char *text, arena *mem, value_list *out)
{
	const op *main = module_main(m);
	tess_str s = str_of(text);
	source_line l = line_of(s);
	bool many = has_wildcard(s);
	*out = (value_list){0};
	value *v = many ? NULL : find_one(m, s);
	if (v)
		vec_push(mem, out, v);
	else if (main && !func_is_declaration(main) && s.len && s.ptr[0] != '%')
		find_by_path(main, s, mem, out);
	if (!out->len && main && l.line >= 0) {
		find_by_line(main, &l, mem, out);
		many = true;
	}
	if (!out->len && main && s.len && s.ptr[0] != '%') {
		find_by_module(main, s, mem, out);
		many = true;
	}
	if (!out->len)
		tell_none(m, text);
	return out->len == 1 || (out->len && (many || tell_several(m, text, out)));
}
