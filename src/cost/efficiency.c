/* efficiency.c - what share of a machine's rate a product reaches, by its shape. */
#include "cost/cluster.h"

double product_share(const module *m, const target *t, const op *o)
{
	UNUSED(m);
	UNUSED(t);
	UNUSED(o);
	return 1;
}
