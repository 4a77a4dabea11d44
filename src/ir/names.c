/* names.c - the names of values in the text.
 *
 * A program has as many names as values, and most are numbers that nobody asks for. So they are not
 * stored but read again from the text, where an op and a block argument know their places: "%a,
 * %b:2 = some.op" names three results. Names that are not in the text are in a table of the module,
 * by the values' ids. */
#include "ir/ir_tables.h"

/* ---- reading names from the text ------------------------------------------------------------ */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_value_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '$' || c == '.' || c == '-';
}

/* The name at `at`, without its '%'; ptr NULL if there is none. */
static tess_str name_in_text(tess_str text, size_t at)
{
	size_t begin = at + 1, end = begin;
	if (at >= text.len || text.ptr[at] != '%')
		return (tess_str){0};
	bool number = begin < text.len && is_digit(text.ptr[begin]);
	while (end < text.len && (number ? is_digit : is_value_char)(text.ptr[end]))
		end++;
	return (tess_str){text.ptr + begin, end - begin};
}

/* Skips blanks and comments. */
static size_t skip_text_space(tess_str text, size_t at)
{
	for (bool comment = false; at < text.len; at++) {
		char c = text.ptr[at];
		if (comment)
			comment = c != '\n';
		else if (c == '/' && at + 1 < text.len && text.ptr[at + 1] == '/')
			comment = true;
		else if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
			break;
	}
	return at;
}

/* Reads %a or %a:2 at *at, and the comma after it. @return how many results it names. */
static int next_in_text(tess_str text, size_t *at, tess_str *out)
{
	int n = 0;
	*out = name_in_text(text, *at);
	if (!out->ptr)
		return 0;
	size_t i = skip_text_space(text, (size_t)(out->ptr - text.ptr) + out->len);
	if (i < text.len && text.ptr[i] == ':')
		for (i = skip_text_space(text, i + 1); i < text.len && is_digit(text.ptr[i]); i++)
			n = n > INT32_MAX / 20 ? n : 10 * n + (text.ptr[i] - '0');
	i = skip_text_space(text, i);
	*at = i < text.len && text.ptr[i] == ',' ? skip_text_space(text, i + 1) : text.len;
	return n ? n : 1;
}

/* ---- names from the text or the table ------------------------------------------------------- */

static const name *name_in_table(const module *m, const value *v)
{
	return m && v->id < (uint32_t)m->names.len ? m->names.ptr[v->id] : NULL;
}

const name *value_given_name(const value *v) { return name_in_table(op_module(value_op(v)), v); }

/* The range of results around v that have the same name as v, or likewise none. */
static tess_str namesakes_by_table(const module *m, const value *v, int *first, int *n)
{
	const op *o = value_def(v);
	const name *mine = name_in_table(m, v);
	int begin = (int)v->index, end = begin + 1;
	while (begin > 0 && name_in_table(m, result(o, begin - 1)) == mine)
		begin--;
	while (end < o->n_results && name_in_table(m, result(o, end)) == mine)
		end++;
	*first = begin;
	*n = end - begin;
	return mine && mine->len ? name_str(mine) : (tess_str){0};
}

/* The name of a result, and which of the results share it. */
static tess_str name_of_results(const module *m, const value *v, int *first, int *n)
{
	const op *o = value_def(v);
	tess_str text = m && m->src ? m->src->text : (tess_str){0}, out;
	size_t at = o->name_back ? o->at - o->name_back : text.len;
	*first = 0;
	if (name_in_table(m, v))
		return namesakes_by_table(m, v, first, n);
	for (; (*n = next_in_text(text, &at, &out)); *first += *n)
		if ((int)v->index < *first + *n)
			return out;
	return namesakes_by_table(m, v, first, n);
}

tess_str value_name(const value *v)
{
	const module *m = op_module(value_op(v));
	int first, n;
	if (!v->is_arg)
		return name_of_results(m, v, &first, &n);
	const name *given = name_in_table(m, v);
	if (given)
		return given->len ? name_str(given) : (tess_str){0};
	uint32_t at = ((const block_arg *)v)->at;
	return at && m && m->src && !m->src->binary ? name_in_text(m->src->text, at)
	                                            : (tess_str){0};
}

bool value_is_named(const value *v)
{
	bool in_text = v->is_arg ? ((const block_arg *)v)->at : value_def(v)->name_back;
	return in_text || value_given_name(v);
}

const value *value_namesakes(const value *v, int *n)
{
	int first;
	*n = 1;
	if (v->is_arg)
		return v;
	name_of_results(op_module(value_def(v)), v, &first, n);
	return result(value_def(v), first);
}

void value_set_name(module *m, value *v, const name *n)
{
	while ((uint32_t)m->names.len <= v->id)
		vec_push(&m->mem, &m->names, NULL);
	m->names.ptr[v->id] = n ? n : name_known(m->ctx, N_empty);
}

void value_forget_name(module *m, value *v)
{
	if (name_in_table(m, v))
		m->names.ptr[v->id] = NULL;
	if (v->is_arg)
		value_arg(v)->at = 0;
	else
		value_def(v)->name_back = 0;
}

void value_take_name(module *m, value *v, const value *from)
{
	const module *other = op_module(value_op(from));
	bool same_text = other && other->src == m->src && !name_in_table(other, from);
	if (same_text && v->is_arg && from->is_arg) {
		value_arg(v)->at = ((const block_arg *)from)->at;
	} else if (same_text && !v->is_arg && !from->is_arg && v->index == from->index &&
	           value_def(v)->at == value_def(from)->at) {
		value_def(v)->name_back = value_def(from)->name_back;
	} else {
		tess_str text = value_name(from);
		if (text.len)
			value_set_name(m, v, name_of(m->ctx, text));
	}
}

void value_clone_name(module *m, value *v, const module *other, const value *from)
{
	const name *given = name_in_table(other, from);
	if (given)
		value_set_name(m, v, given);
}
