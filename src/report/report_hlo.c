/* report_hlo.c - writes facts about HLO text, as text and JSON. */
#include "hlo/hlo.h"
#include "report/report.h"

/* ---- text ------------------------------------------------------------------- */

static void text_bytes(writer *w, const char *what, int64_t bytes)
{
	put_f(w, "%-16s ", what);
	put_bytes(w, (double)bytes);
	put_c(w, '\n');
}

static void text_number(writer *w, const char *what, double n)
{
	put_f(w, "%-16s %.15g\n", what, n);
}

static void text_opcodes(writer *w, const hlo_stats *s)
{
	put_lit(w, "\nopcode                       count  bytes of results\n");
	for (int i = 0; i < s->opcodes.len; i++) {
		const hlo_opcode_count *c = &s->opcodes.ptr[i];
		put_f(w, "%-26s %7" PRId64 "  ", c->opcode, c->n);
		put_bytes(w, (double)c->bytes);
		put_c(w, '\n');
	}
}

static void text_groups(writer *w, const hlo_collective *c)
{
	if (c->group_size > 0)
		put_f(w, "%" PRId64 " x %" PRId64, c->n_groups, c->group_size);
	else if (c->group_size < 0)
		put_f(w, "%" PRId64 " of different sizes", c->n_groups);
	else
		put_lit(w, "all");
}

static void text_collectives(writer *w, const hlo_stats *s)
{
	if (!s->collectives.len)
		return;
	put_lit(w, "\ncollectives\n");
	for (int i = 0; i < s->collectives.len; i++) {
		const hlo_collective *c = &s->collectives.ptr[i];
		put_f(w, "  %s %s: groups ", c->opcode, value_given_name(result(c->o, 0))->s);
		text_groups(w, c);
		put_lit(w, ", in ");
		put_bytes(w, (double)c->bytes);
		put_lit(w, ", out ");
		put_bytes(w, (double)c->result_bytes);
		if (c->times != 1)
			put_f(w, ", %.15g times", c->times);
		if (c->op_name.len)
			put_f(w, "\n    of %.*s", STR_ARG(c->op_name));
		put_c(w, '\n');
	}
}

void report_hlo_text(const hlo_stats *s, writer *w)
{
	text_number(w, "computations", (double)s->n_computations);
	text_number(w, "instructions", (double)s->n_instructions);
	text_bytes(w, "arguments", s->argument_bytes);
	text_bytes(w, "results", s->result_bytes);
	text_bytes(w, "constants", s->constant_bytes);
	text_number(w, "operations", s->cost.flops);
	text_number(w, "transcendentals", s->cost.transcendentals);
	text_bytes(w, "bytes accessed", (int64_t)s->cost.bytes);
	if (s->unknown_loops)
		text_number(w, "loops whose trip count is not known", s->unknown_loops);
	text_opcodes(w, s);
	text_collectives(w, s);
}

/* ---- JSON --------------------------------------------------------------------- */

static void json_opcodes(json *j, const hlo_stats *s)
{
	json_key_obj(j, "opcodes");
	for (int i = 0; i < s->opcodes.len; i++) {
		json_key_obj(j, s->opcodes.ptr[i].opcode);
		json_key_int(j, "count", s->opcodes.ptr[i].n);
		json_key_int(j, "result_bytes", s->opcodes.ptr[i].bytes);
		json_end(j);
	}
	json_end(j);
}

static void json_collective(json *j, const hlo_collective *c)
{
	json_obj(j);
	json_key_z(j, "opcode", c->opcode);
	json_key_z(j, "name", value_given_name(result(c->o, 0))->s);
	json_key_z(j, "computation", c->computation->s);
	json_key_str(j, "groups", c->groups);
	json_key_int(j, "group_count", c->n_groups);
	json_key_int(j, "group_size", c->group_size);
	json_key_int(j, "operand_bytes", c->bytes);
	json_key_int(j, "result_bytes", c->result_bytes);
	json_key_int(j, "channel", c->channel);
	json_key_num(j, "times", c->times);
	json_key_str(j, "op_name", c->op_name);
	json_end(j);
}

void report_hlo_json(const hlo_stats *s, writer *w)
{
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	json_key_int(&j, "computations", s->n_computations);
	json_key_int(&j, "instructions", s->n_instructions);
	json_key_int(&j, "argument_bytes", s->argument_bytes);
	json_key_int(&j, "result_bytes", s->result_bytes);
	json_key_int(&j, "constant_bytes", s->constant_bytes);
	json_key_num(&j, "flops", s->cost.flops);
	json_key_num(&j, "transcendentals", s->cost.transcendentals);
	json_key_num(&j, "bytes_accessed", s->cost.bytes);
	json_key_int(&j, "unknown_loops", s->unknown_loops);
	json_opcodes(&j, s);
	json_key_arr(&j, "collectives");
	for (int i = 0; i < s->collectives.len; i++)
		json_collective(&j, &s->collectives.ptr[i]);
	json_end(&j);
	json_end(&j);
	put_c(w, '\n');
}
