/* address_path.c - paths, and the modules in JAX's operation names.
 *
 * In a name like jit(step)/jvp(Model)/layers_3/attention/q_proj/dot_general, the transformations
 * are dropped and the last part is the operation. The outputs of a module are the values that it
 * computes in the forward pass and that operations outside use. */
#include "report/address.h"

static void path_add(path *p, const char *from, const char *to)
{
	if (to > from && p->n < MOST_PARTS)
		p->part[p->n++] = (tess_str){from, (size_t)(to - from)};
}

path path_of(tess_str text)
{
	path p = {0};
	if (!text.len)
		return p;
	const char *from = text.ptr, *end = text.ptr + text.len;
	for (const char *c = from; c < end; c++) {
		if ((*c == '\'' || *c == '"') && c == from) {
			const char *close = memchr(c + 1, *c, (size_t)(end - c - 1));
			path_add(&p, c + 1, close ? close : end);
			c = close ? close : end - 1;
			from = c + 1;
		} else if (strchr("./[]", *c)) {
			path_add(&p, from, c);
			from = c + 1;
		}
	}
	path_add(&p, from, end);
	if (p.n > 1 && str_is(p.part[p.n - 1], "value"))
		p.n--;
	return p;
}

bool has_wildcard(tess_str text) { return text.len && memchr(text.ptr, '*', text.len); }

/* True if `s` matches `pattern`, in which * matches any text. */
static bool part_fits(tess_str pattern, tess_str s)
{
	size_t p = 0, i = 0, star = SIZE_MAX, after = 0;
	while (i < s.len) {
		if (p < pattern.len && pattern.ptr[p] == '*') {
			star = p++;
			after = i;
		} else if (p < pattern.len && pattern.ptr[p] == s.ptr[i]) {
			p++;
			i++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			i = ++after;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.ptr[p] == '*')
		p++;
	return p == pattern.len;
}

path_fit path_fits(const path *asked, const path *p)
{
	if (!asked->n || asked->n > p->n)
		return FITS_NOT;
	for (int i = 1; i <= asked->n; i++)
		if (!part_fits(asked->part[asked->n - i], p->part[p->n - i]))
			return FITS_NOT;
	return asked->n == p->n ? FITS_WHOLE : FITS_END;
}

bool path_has_part(const path *p, const char *const *words)
{
	for (int i = 0; i < p->n; i++)
		for (const char *const *w = words; *w; w++)
			if (str_is(p->part[i], *w))
				return true;
	return false;
}

bool path_of_optimizer(const path *p)
{
	static const char *const optimizer_words[] = {
		"opt_state", "opt_states", "optimizer_state", "optimizer", "opt", "optim", "mu", "nu", "exp_avg",
		"exp_avg_sq", "momentum", "velocity", "inner_opt_state", "acc_grads", "v_row", "v_col", NULL,
	};
	return path_has_part(p, optimizer_words);
}

/* True if `asked` matches consecutive parts of `p`, other than its last part. */
static bool path_within(const path *asked, const path *p)
{
	for (int end = asked->n; end < p->n; end++) {
		path head = *p;
		head.n = end;
		if (path_fits(asked, &head) != FITS_NOT)
			return true;
	}
	return false;
}

tess_str path_end(arena *mem, const path *p, int n)
{
	writer w;
	writer_init(&w, mem);
	for (int i = p->n > n ? p->n - n : 0; i < p->n; i++)
		put_f(&w, "%s%.*s", w.len ? "/" : "", STR_ARG(p->part[i]));
	return writer_str(&w);
}

/* ---- modules ------------------------------------------------------------------------------ */

/* Turns "jit(step)/jvp(Model)/layers_3" into "step/Model/layers_3". */
static tess_str without_transformations(arena *mem, const char *name)
{
	writer w;
	writer_init(&w, mem);
	for (const char *at = name, *word = name; *at; at++) {
		if (*at == '(') {
			w.len -= (size_t)(at - word); /* the name of the transformation */
			word = at + 1;
		} else if (*at != ')') {
			put_c(&w, *at);
			if (*at == '/')
				word = at + 1;
		}
	}
	return writer_str(&w);
}

typedef enum module_part { OUTSIDE, INSIDE, BACKWARDS } module_part;

/* If a method calls its parent class's method, the module's name is there twice. */
static void drop_repeated(path *p)
{
	int n = 0;
	for (int i = 0; i < p->n; i++)
		if (!n || !str_eq(p->part[n - 1], p->part[i]))
			p->part[n++] = p->part[i];
	p->n = n;
}

/* Backward and rematerialized operations have the name of the forward operation they belong to. */
static module_part part_of_module(const op *o, const path *asked, arena *mem)
{
	const name *n = source_name(op_loc(o));
	if (!n || !strchr(n->s, '/'))
		return OUTSIDE;
	if (strstr(n->s, "transpose(") || strstr(n->s, "rematted_computation"))
		return BACKWARDS;
	path p = path_of(without_transformations(mem, n->s));
	drop_repeated(&p);
	return path_within(asked, &p) ? INSIDE : OUTSIDE;
}

void each_module(const op *main, arena *mem, module_visit *visit, void *user)
{
	ptr_map seen = {0}; /* names of operations, and paths of modules */
	for (const op *o = main; o; o = op_next((op *)(uintptr_t)o, main)) {
		const name *n = source_name(op_loc(o));
		void **there = n && strchr(n->s, '/') ? ptr_map_at(&seen, mem, n) : NULL;
		if (!there || *there)
			continue;
		*there = (void *)(uintptr_t)n;
		tess_str all = without_transformations(mem, n->s);
		path p = path_of(all);
		drop_repeated(&p);
		for (p.n--; p.n > 0; p.n--) {
			const name *module = name_of(mem->ctx, path_end(mem, &p, p.n));
			there = ptr_map_at(&seen, mem, module);
			if (!*there)
				visit(user, &p);
			*there = (void *)(uintptr_t)module;
		}
	}
}

void find_by_module(const op *main, tess_str text, arena *mem, value_list *out)
{
	path asked = path_of(text);
	const module *m = op_module(main);
	uint8_t *part = NEW_N(mem, uint8_t, m->n_ops + 1);
	for (const op *o = main; o; o = op_next((op *)(uintptr_t)o, main))
		part[o->id] = (uint8_t)part_of_module(o, &asked, mem);
	for (op *o = (op *)(uintptr_t)main; o; o = op_next(o, main))
		for (int i = 0; part[o->id] == INSIDE && i < o->n_results; i++) {
			const use *u = result(o, i)->uses;
			while (u && part[u->owner->id] != OUTSIDE)
				u = u->next;
			if (u)
				vec_push(mem, out, result(o, i));
		}
}
