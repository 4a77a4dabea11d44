/* explain_out.c - an explanation as text and as JSON. */
#include "report/explain.h"
#include "report/words.h"

/* Edges are invisible: they stand for what flows into them. */
static const value *shown(const value *v)
{
	while (v->def && (v->def->kind == OP_SDY_DATA_FLOW_EDGE || v->def->kind == OP_SDY_FUNC_DATA_FLOW_EDGE))
		v = operand(v->def, 0);
	return v;
}

static void put_shown(writer *w, const value *v)
{
	put_value(w, shown(v));
}

/* " [model.py:31]" */
static void put_origin(writer *w, const attr *loc)
{
	size_t at = w->len;
	put_lit(w, " [");
	if (put_source_line(w, loc))
		put_c(w, ']');
	else
		w->len = at;
}

static void put_through(writer *w, const op *o)
{
	put_z(w, op_short_name(o));
	put_origin(w, o->loc);
}

static void put_step(writer *w, const why_step *s)
{
	switch (s->cause) {
	case WHY_ANNOTATED:
		put_shown(w, s->v);
		put_f(w, " dim %d: annotated in the program", s->dim);
		if (!shown(s->v)->def)
			put_f(w, ", argument %u", shown(s->v)->index);
		put_origin(w, shown(s->v)->def ? shown(s->v)->def->loc : shown(s->v)->loc);
		return;
	case WHY_OP:
		put_shown(w, s->v);
		put_f(w, " dim %d: from ", s->dim);
		if (s->from)
			put_shown(w, s->from);
		if (s->from_dim >= 0)
			put_f(w, " dim %d", s->from_dim);
		put_lit(w, " through ");
		put_through(w, s->through);
		return;
	case WHY_RESULT:
		put_shown(w, s->v);
		put_f(w, " dim %d: annotated on the result that it becomes", s->dim);
		return;
	case WHY_GROUP:
		put_shown(w, s->v);
		put_f(w, " dim %d: from ", s->dim);
		if (s->from)
			put_shown(w, s->from);
		put_lit(w, ", a member of its sharding group");
		return;
	case WHY_LOST:
		put_shown(w, s->v);
		put_f(w, " dim %d: the trail does not say", s->dim);
		return;
	}
}

static void put_refusal(writer *w, const why_not *n)
{
	put_lit(w, "not ");
	axis_print(w, n->axis);
	put_lit(w, ", which ");
	put_shown(w, n->neighbour);
	put_f(w, " dim %d has, beside it in ", n->neighbour_dim);
	put_through(w, n->through);
	put_lit(w, ": ");
	switch (n->reason) {
	case WHY_NOT_CLOSED: put_lit(w, "the annotation closes the dimension"); return;
	case WHY_NOT_USED: put_f(w, "it shards dim %d already", n->other_dim); return;
	case WHY_NOT_REPLICATED: put_lit(w, "the annotation keeps the axis replicated"); return;
	case WHY_NOT_WHOLE: put_lit(w, "the operation needs the dimension whole"); return;
	case WHY_NOT_ROOM: put_lit(w, "the dimension has no room for it"); return;
	case WHY_NOT_PROPAGATED: put_lit(w, "the operation does not pass it on this way"); return;
	case WHY_NOT_CONFLICT:
		put_shown(w, n->other);
		put_lit(w, " is sharded differently there");
		return;
	}
}

static const char *reason_word(enum why_not_reason r)
{
	switch (r) {
	case WHY_NOT_CLOSED: return "closed";
	case WHY_NOT_USED: return "used";
	case WHY_NOT_REPLICATED: return "replicated";
	case WHY_NOT_WHOLE: return "whole";
	case WHY_NOT_CONFLICT: return "conflict";
	case WHY_NOT_ROOM: return "room";
	case WHY_NOT_PROPAGATED: return "not propagated";
	}
	return "";
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
	put_f(w, color ? "\n\033[1mdim %d, size %" PRId64 "\033[0m" : "\ndim %d, size %" PRId64, dim,
	      e->v->type->dims[dim]);
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
			put_step(w, &a->steps.ptr[k]);
			put_c(w, '\n');
		}
	}
	if (!any)
		put_lit(w, "\n  not sharded\n");
	for (int i = 0; i < e->refused.len; i++)
		if (e->refused.ptr[i].dim == dim) {
			put_lit(w, "    ");
			put_refusal(w, &e->refused.ptr[i]);
			put_c(w, '\n');
		}
}

void explain_text(const explanation *e, writer *w, bool color)
{
	put_shown(w, e->v);
	put_c(w, ' ');
	put_type_short(w, e->v->type);
	put_c(w, ' ');
	if (e->sharding)
		sharding_print(w, e->sharding);
	else
		put_lit(w, "has no sharding: it is whole on every device");
	put_c(w, '\n');
	for (int d = 0; e->v->type->kind == TY_TENSOR && d < e->v->type->rank; d++)
		text_dim(e, d, w, color);
}

/* ---- JSON ---------------------------------------------------------------------------- */

/* A member whose text is written by `put`. */
#define JSON_TEXT(j, mem, key, ...)                                                                \
	do {                                                                                       \
		writer t;                                                                          \
		writer_init(&t, mem);                                                              \
		__VA_ARGS__;                                                                       \
		json_key(j, key);                                                                  \
		json_str(j, writer_str(&t));                                                       \
	} while (0)

static void json_through(json *j, arena *mem, const op *o)
{
	json_key(j, "operation");
	json_str(j, name_str(o->name));
	JSON_TEXT(j, mem, "source", put_source(&t, o->loc));
}

static void json_step(json *j, arena *mem, const why_step *s)
{
	json_obj(j);
	json_key(j, "cause");
	json_z(j, cause_word(s->cause));
	JSON_TEXT(j, mem, "value", put_shown(&t, s->v));
	json_key(j, "dim");
	json_int(j, s->dim);
	if (s->from) {
		JSON_TEXT(j, mem, "from", put_shown(&t, s->from));
		json_key(j, "from_dim");
		json_int(j, s->from_dim);
	}
	if (s->through) {
		json_through(j, mem, s->through);
		json_key(j, "round");
		json_int(j, s->round);
		json_key(j, "priority");
		json_int(j, s->priority);
	}
	json_end(j);
}

static void json_axis(json *j, arena *mem, const why_axis *a)
{
	json_obj(j);
	json_key(j, "dim");
	json_int(j, a->dim);
	JSON_TEXT(j, mem, "axis", axis_print(&t, a->axis));
	json_key(j, "steps");
	json_arr(j);
	for (int i = 0; i < a->steps.len; i++)
		json_step(j, mem, &a->steps.ptr[i]);
	json_end(j);
	json_end(j);
}

static void json_refusal(json *j, arena *mem, const why_not *n)
{
	json_obj(j);
	json_key(j, "dim");
	json_int(j, n->dim);
	JSON_TEXT(j, mem, "axis", axis_print(&t, n->axis));
	json_key(j, "reason");
	json_z(j, reason_word(n->reason));
	JSON_TEXT(j, mem, "neighbour", put_shown(&t, n->neighbour));
	json_key(j, "neighbour_dim");
	json_int(j, n->neighbour_dim);
	json_through(j, mem, n->through);
	if (n->other)
		JSON_TEXT(j, mem, "other", put_shown(&t, n->other));
	json_end(j);
}

void explain_json(const explanation *e, arena *mem, writer *w)
{
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	JSON_TEXT(&j, mem, "value", put_shown(&t, e->v));
	JSON_TEXT(&j, mem, "type", put_type_short(&t, e->v->type));
	if (e->sharding)
		JSON_TEXT(&j, mem, "sharding", sharding_print(&t, e->sharding));
	json_key(&j, "axes");
	json_arr(&j);
	for (int i = 0; i < e->axes.len; i++)
		json_axis(&j, mem, &e->axes.ptr[i]);
	json_end(&j);
	json_key(&j, "refused");
	json_arr(&j);
	for (int i = 0; i < e->refused.len; i++)
		json_refusal(&j, mem, &e->refused.ptr[i]);
	json_end(&j);
	json_end(&j);
	put_c(w, '\n');
}
