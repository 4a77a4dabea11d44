/* explain_out.c - writes an explanation as text and as JSON. */
#include "report/explain.h"
#include "report/words.h"

/* Follows edges, which are internal, to the value that flows into them. */
static const value *shown(const value *v)
{
	while (value_def_has(v, EDGE))
		v = operand(value_def(v), 0);
	return v;
}

static const op *shown_op(const op *o) { return op_has(o, EDGE) ? value_op(operand(o, 0)) : o; }

static void put_shown(writer *w, const value *v)
{
	put_value(w, shown(v));
}

/* Writes a value with its function, "%0 of @relu": names are per function. */
static void put_placed(writer *w, const value *v)
{
	put_shown(w, v);
	put_function_around(w, shown(v));
}

typedef bool put_fn(writer *w, const attr *loc);

/* Writes `before`, what `put` writes for the location, and `after`; or nothing if it does not. */
static void put_around(writer *w, const char *before, put_fn *put, const attr *loc, const char *after)
{
	size_t at = w->len;
	put_z(w, before);
	if (put(w, loc))
		put_z(w, after);
	else
		w->len = at;
}

/* Writes " [model.py:31]". */
static void put_origin(writer *w, const attr *loc) { put_around(w, " [", put_source_line, loc, "]"); }

/* Writes the calling frames on a line of their own. */
static void put_calls(writer *w, const attr *loc)
{
	put_around(w, "  calls, the innermost first: ", put_stack, loc, "\n");
}

static void put_through(writer *w, const op *o)
{
	const name *called = op_computation_name(o);
	if (called) {
		put_lit(w, "the call of ");
		put_symbol(w, name_str(called));
	} else {
		put_z(w, op_short_name(o));
	}
	put_origin(w, op_loc(o));
}

/* Returns the place of the annotation of the value, or of the function result. */
static place annotation_place(const module *m, const why_step *s)
{
	const value *v = shown(s->v);
	if (s->cause == WHY_RESULT)
		return op_place(m, s->through);
	if (value_def(v))
		return op_place(m, value_def(v));
	uint32_t at = value_arg(v)->at;
	return m->src && at ? (place){m->src, at, at + 1} : NOWHERE;
}

/* Writes the annotation's line in the model's source, or else in the program text. Returns false if
 * neither is known. */
static bool put_annotation_line(writer *w, const module *m, const why_step *s)
{
	const value *v = shown(s->v);
	uint32_t line, col;
	if (s->cause == WHY_ANNOTATED && put_source_line(w, value_loc(v)))
		return true;
	place at = annotation_place(m, s);
	if (!at.src || at.src->binary)
		return false;
	const char *slash = strrchr(at.src->name, '/');
	place_line_col(m->ctx, at, &line, &col);
	put_f(w, "%s:%u", slash ? slash + 1 : at.src->name, line);
	return true;
}

static void put_annotation(writer *w, const module *m, const why_step *s)
{
	size_t at = w->len;
	put_lit(w, " [");
	if (put_annotation_line(w, m, s))
		put_c(w, ']');
	else
		w->len = at;
}

static void put_step(writer *w, const module *m, const why_step *s)
{
	switch (s->cause) {
	case WHY_ANNOTATED:
		put_placed(w, s->v);
		put_f(w, " dim %d: annotated in the program", s->dim);
		if (!value_def(shown(s->v)))
			put_f(w, ", argument %u", shown(s->v)->index);
		put_annotation(w, m, s);
		return;
	case WHY_OP:
		put_placed(w, s->v);
		put_f(w, " dim %d: from ", s->dim);
		if (s->from)
			put_placed(w, s->from);
		if (s->from_dim >= 0)
			put_f(w, " dim %d", s->from_dim);
		put_lit(w, " through ");
		put_through(w, shown_op(s->through));
		return;
	case WHY_RESULT:
		put_placed(w, s->v);
		put_f(w, " dim %d: annotated on the result that it becomes", s->dim);
		put_annotation(w, m, s);
		return;
	case WHY_GROUP:
		put_placed(w, s->v);
		put_f(w, " dim %d: from ", s->dim);
		if (s->from)
			put_placed(w, s->from);
		put_lit(w, ", a member of its sharding group");
		return;
	case WHY_LOST:
		put_placed(w, s->v);
		put_f(w, " dim %d: the record does not say why", s->dim);
		return;
	}
}

static const char *reason_text(refusal r)
{
	switch (r) {
	case REFUSED_NOT: return "nothing stands against it";
	case REFUSED_CLOSED: return "the annotation closes the dimension";
	case REFUSED_REPLICATED: return "the annotation keeps the axes replicated";
	case REFUSED_UNREDUCED: return "the value is a pending reduction over the axes";
	case REFUSED_USED: return "an axis shards the value already, in dim";
	case REFUSED_DIVISION: return "the axes do not divide this part of the dimension";
	case REFUSED_OVERFLOW: return "axes that do not divide it shard the dimension already";
	case REFUSED_SUB_AXIS: return "conservative propagation makes no sub-axes";
	case REFUSED_CONFLICT: return "operands and results are sharded differently there";
	case REFUSED_RESULT: return "the result is not sharded so, and the operand follows it";
	case REFUSED_STRIDE: return "a major part of the dimension is not sharded";
	case REFUSED_DIRECTION: return "the operation does not pass it on this way";
	case REFUSED_RULE: return "how its dimensions belong together is not known";
	case REFUSED_MESH: return "it is on another mesh";
	case REFUSED_DEVICE: return "it is on one device";
	}
	return "";
}

static const char *reason_word(refusal r)
{
	static const char *const words[] = {
	    [REFUSED_NOT] = "none",          [REFUSED_CLOSED] = "closed",
	    [REFUSED_REPLICATED] = "replicated", [REFUSED_UNREDUCED] = "unreduced",
	    [REFUSED_USED] = "used",         [REFUSED_DIVISION] = "division",
	    [REFUSED_OVERFLOW] = "overflow", [REFUSED_SUB_AXIS] = "sub-axis",
	    [REFUSED_CONFLICT] = "conflict", [REFUSED_RESULT] = "result",
	    [REFUSED_STRIDE] = "stride",     [REFUSED_DIRECTION] = "direction",
	    [REFUSED_RULE] = "no rule",      [REFUSED_MESH] = "mesh",
	    [REFUSED_DEVICE] = "device"};
	return words[r];
}

static void put_neighbour(writer *w, const obstacle *o)
{
	if (o->from)
		put_placed(w, o->from);
	else
		put_f(w, "result %d of the function", o->result);
}

static void put_refusal(writer *w, const obstacle *o)
{
	if (o->dim >= 0) {
		put_lit(w, "not ");
		axes_print(w, o->axes);
		put_lit(w, ", which ");
		put_neighbour(w, o);
		put_f(w, " dim %d has, beside it in ", o->from_dim);
	} else {
		put_lit(w, "nothing from ");
		put_neighbour(w, o);
		put_lit(w, " through ");
	}
	put_through(w, shown_op(o->op));
	put_lit(w, ": ");
	put_z(w, reason_text(o->why));
	if (o->why == REFUSED_USED && o->used_by >= 0)
		put_f(w, " %d", o->used_by);
}

static const char *cause_word(enum why_cause c)
{
	switch (c) {
	case WHY_ANNOTATED: return "annotated";
	case WHY_OP: return "operation";
	case WHY_RESULT: return "result";
	case WHY_GROUP: return "group";
	case WHY_LOST: return "unknown";
	}
	return "";
}

/* ---- text -------------------------------------------------------------------------- */

static void text_dim(const explanation *e, int dim, writer *w, bool color)
{
	bool any = false;
	put_f(w, color ? "\n\033[1mdim %d, size %" PRId64 "\033[0m" : "\ndim %d, size %" PRId64,
	      dim, e->v->type->dims[dim]);
	for (int i = 0; i < e->axes.len; i++) {
		const why_axis *a = &e->axes.ptr[i];
		if (a->dim != dim)
			continue;
		any = true;
		put_lit(w, "\n  over ");
		axis_print(w, a->axis);
		put_c(w, '\n');
		for (int k = 0; k < a->steps.len; k++) {
			put_lit(w, "    ");
			put_step(w, e->m, &a->steps.ptr[k]);
			put_c(w, '\n');
		}
	}
	if (!any)
		put_lit(w, "\n  not sharded\n");
	for (int i = 0; i < e->refused.len; i++) {
		any = any || e->refused.ptr[i].dim < 0;
		if (e->refused.ptr[i].dim != dim)
			continue;
		any = true;
		put_lit(w, "    ");
		put_refusal(w, &e->refused.ptr[i]);
		put_c(w, '\n');
	}
	if (!any)
		put_lit(w, "    nothing beside it is sharded there\n");
}

void explain_text(const explanation *e, writer *w, bool color)
{
	put_placed(w, e->v);
	put_c(w, ' ');
	put_type_short(w, e->v->type);
	put_c(w, ' ');
	if (e->sharding) /* after propagation, open dimensions stay as they are */
		sharding_print(w, sharding_closed(e->m->ctx, e->sharding));
	else
		put_lit(w, "has no sharding: it is whole on every device");
	put_c(w, '\n');
	put_calls(w, value_loc(e->v));
	for (int d = 0; e->v->type->kind == TY_TENSOR && d < e->v->type->rank; d++)
		if (e->dim < 0 || d == e->dim)
			text_dim(e, d, w, color);
	for (int i = 0; i < e->refused.len; i++)
		if (e->refused.ptr[i].dim < 0) {
			put_lit(w, "\n  ");
			put_refusal(w, &e->refused.ptr[i]);
			put_c(w, '\n');
		}
}

static void put_value_line(const module *m, const value *v, writer *w)
{
	const sharding *s = value_sharding(m, v);
	put_lit(w, "  ");
	put_placed(w, v);
	put_c(w, ' ');
	put_type_short(w, v->type);
	put_lit(w, "  ");
	if (s)
		put_partition_spec(w, s);
	else
		put_lit(w, "no sharding");
	if (value_def(v))
		put_f(w, "  %s", op_short_name(value_def(v)));
	put_c(w, '\n');
}

int explain_list_text(const module *m, value *const *values, int n, writer *w)
{
	int largest = 0;
	for (int i = 1; i < n; i++)
		if (type_bytes(values[i]->type) > type_bytes(values[largest]->type))
			largest = i;
	for (int i = 0; i < n; i++)
		put_value_line(m, values[i], w);
	put_f(w, "%d values; this is the largest, and the name of another explains that one:\n\n", n);
	return largest;
}

/* ---- JSON ---------------------------------------------------------------------------- */

/* Adds a member whose text is written by `put`. */
#define JSON_TEXT(j, mem, key, ...)                                                                \
	do {                                                                                       \
		writer t;                                                                          \
		writer_init(&t, mem);                                                              \
		__VA_ARGS__;                                                                       \
		json_key_str(j, key, writer_str(&t));                                              \
	} while (0)

static void json_through(json *j, arena *mem, const op *o)
{
	json_key_str(j, "operation", str_of(op_name(o)));
	JSON_TEXT(j, mem, "source", put_source(&t, op_loc(o)));
}

static void json_step(json *j, arena *mem, const module *m, const why_step *s)
{
	json_obj(j);
	json_key_z(j, "cause", cause_word(s->cause));
	JSON_TEXT(j, mem, "value", put_shown(&t, s->v));
	json_key_int(j, "dim", s->dim);
	if (s->from) {
		JSON_TEXT(j, mem, "from", put_shown(&t, s->from));
		json_key_int(j, "from_dim", s->from_dim);
	}
	if (s->through) {
		json_key_str(j, "operation", str_of(op_name(s->through)));
		json_key_int(j, "round", s->round);
		json_key_int(j, "priority", s->priority);
	}
	if (s->cause == WHY_ANNOTATED || s->cause == WHY_RESULT)
		JSON_TEXT(j, mem, "source", put_annotation_line(&t, m, s));
	else if (s->through)
		JSON_TEXT(j, mem, "source", put_source(&t, op_loc(s->through)));
	json_end(j);
}

static void json_axis(json *j, arena *mem, const module *m, const why_axis *a)
{
	json_obj(j);
	json_key_int(j, "dim", a->dim);
	JSON_TEXT(j, mem, "axis", axis_print(&t, a->axis));
	json_key_arr(j, "steps");
	for (int i = 0; i < a->steps.len; i++)
		json_step(j, mem, m, &a->steps.ptr[i]);
	json_end(j);
	json_end(j);
}

static void json_axes(json *j, arena *mem, axis_list l)
{
	json_key_arr(j, "axes");
	for (int i = 0; i < l.n; i++) {
		writer t;
		writer_init(&t, mem);
		axis_print(&t, l.ptr[i]);
		json_str(j, writer_str(&t));
	}
	json_end(j);
}

static void json_refusal(json *j, arena *mem, const obstacle *o)
{
	json_obj(j);
	json_key_int(j, "dim", o->dim);
	json_axes(j, mem, o->axes);
	json_key_z(j, "reason", reason_word(o->why));
	JSON_TEXT(j, mem, "neighbour", put_neighbour(&t, o));
	json_key_int(j, "neighbour_dim", o->from_dim);
	json_through(j, mem, shown_op(o->op));
	if (o->used_by >= 0) {
		json_key_int(j, "used_by", o->used_by);
	}
	json_end(j);
}

void explain_object(const explanation *e, arena *mem, json *j)
{
	json_obj(j);
	JSON_TEXT(j, mem, "value", put_shown(&t, e->v));
	JSON_TEXT(j, mem, "type", put_type_short(&t, e->v->type));
	JSON_TEXT(j, mem, "source", put_source(&t, value_loc(e->v)));
	JSON_TEXT(j, mem, "stack", put_stack(&t, value_loc(e->v)));
	if (e->sharding)
		JSON_TEXT(j, mem, "sharding", sharding_print(&t, e->sharding));
	json_key_arr(j, "axes");
	for (int i = 0; i < e->axes.len; i++)
		json_axis(j, mem, e->m, &e->axes.ptr[i]);
	json_end(j);
	json_key_arr(j, "refused");
	for (int i = 0; i < e->refused.len; i++)
		json_refusal(j, mem, &e->refused.ptr[i]);
	json_end(j);
	json_end(j);
}

void explain_json(const explanation *e, arena *mem, writer *w)
{
	json j;
	json_init(&j, w, true);
	explain_object(e, mem, &j);
	put_c(w, '\n');
}
