/* products.c - in which order products of matrices read their operands. */
#include "cost/cluster.h"

/* True if the dimensions follow each other in the order of the list, not counting those of size
 * 1. */
static bool in_order(const int64_t *list, int n)
{
	for (int i = 1; i < n; i++)
		if (list[i] < list[i - 1])
			return false;
	return true;
}

bool product_keeps_nothing(const op *o, int k, const dot_dims *d)
{
	const type *t = operand(o, k)->type;
	for (int i = 0; i < t->rank; i++)
		if (t->dims[i] != 1 && !dim_listed(k ? d->rhs_batch : d->lhs_batch, d->n_batch, i) &&
		    !dim_listed(k ? d->rhs_contract : d->lhs_contract, d->n_contract, i))
			return false;
	return true;
}

static bool lies_as_read(const fusing *f, const op *o, const dot_dims *d, int k)
{
	const type *t = operand(o, k)->type;
	const int64_t *batch = k ? d->rhs_batch : d->lhs_batch;
	const int64_t *sums = k ? d->rhs_contract : d->lhs_contract;
	int changes = 0, before = -1, first = 0, kept = 0;
	for (int i = 0; i < t->rank; i++) {
		if (t->dims[i] == 1)
			continue;
		int now = dim_listed(batch, d->n_batch, i)     ? 0
		          : dim_listed(sums, d->n_contract, i) ? 1
		                                               : 2;
		if (now == 0 && before > 0)
			return false;
		changes += before > 0 && now != before;
		first = first ? first : now;
		kept += now == 2;
		before = now;
	}
	if (f->cpu && d->n_batch && kept > 1 && changes && first != (k ? 1 : 2))
		return false; /* several matrices, each with several dimensions that are kept,
			       * are read in one order only */
	return changes <= 1 && in_order(batch, d->n_batch) && in_order(sums, d->n_contract);
}

unsigned operands_as_they_lie(const fusing *f, const op *o)
{
	enum { BOTH = 1 << 0 | 1 << 1 };
	dot_dims d;
	if (!op_dot_dims(f->m, o, &d))
		return BOTH;
	int vectors = product_keeps_nothing(o, 0, &d) + product_keeps_nothing(o, 1, &d);
	if (vectors > f->cpu)
		return BOTH; /* it is a reduction of products */
	return (unsigned)lies_as_read(f, o, &d, 0) | (unsigned)lies_as_read(f, o, &d, 1) << 1;
}
