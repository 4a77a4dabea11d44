/* print.c - the entry points of the printer: prints a module, or a single op. */
#include "mlir/write/write.h"

/* Prints { key: { key: "0x…" } }, indented by two more spaces at each level. */
static void write_resource_map(printer *p, const attr *a)
{
	put_lit(p->w, "{");
	p->indent += 2;
	for (int i = 0; i < a->n; i++) {
		if (i)
			put_c(p->w, ',');
		write_newline(p);
		write_keyword_or_string(p, name_str(a->names[i]));
		put_lit(p->w, ": ");
		if (a->list[i]->kind == AT_DICT)
			write_resource_map(p, a->list[i]);
		else
			write_attr(p, a->list[i]);
	}
	p->indent -= 2;
	write_newline(p);
	put_c(p->w, '}');
}

static void write_resources(printer *p, const attr_list *l)
{
	if (!l->n)
		return;
	put_lit(p->w, "\n{-#");
	p->indent += 2;
	for (int i = 0; i < l->n; i++) {
		if (i)
			put_c(p->w, ',');
		write_newline(p);
		put_name(p->w, l->ptr[i].name);
		put_lit(p->w, ": ");
		if (l->ptr[i].value->kind == AT_DICT)
			write_resource_map(p, l->ptr[i].value);
		else
			write_attr(p, l->ptr[i].value);
	}
	p->indent -= 2;
	put_lit(p->w, "\n#-}\n");
}

static printer printer_begin(writer *w, const module *m, const mlir_print_opts *opts)
{
	static const mlir_print_opts usual = MLIR_PRINT_OPTS_INIT;
	return (printer){.w = w, .ctx = m->ctx, .m = m, .opts = opts ? *opts : usual,
	                 .mem = &m->ctx->scratch};
}

void mlir_print(writer *w, const module *m, const mlir_print_opts *opts)
{
	printer p = printer_begin(w, m, opts);
	name_values(&p, m->top);
	if (p.opts.debuginfo && !p.opts.local_scope)
		name_locations(&p, m->top);
	write_loc_aliases(&p, false);
	write_op_body(&p, m->top);
	write_op_loc(&p, m->top);
	put_c(w, '\n');
	write_loc_aliases(&p, true);
	write_resources(&p, &m->resources);
}
