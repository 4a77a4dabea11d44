/* devices.c - arrays of devices: an iota, transposed, or a list.
 *
 * The i-th device of an iota has the digits of i in another order. With i written in the mixed
 * radix of the transposed dimensions, digit k contributes k * unit to the device; (size, unit) is a
 * level. [8]<=[4,2]T(1,0) has the levels (2, 1), (4, 2): device = i / 4 * 1 + i % 4 * 2.
 *
 * A list has levels, too, if it is regular; so the permutations that meshes produce are recognized
 * in V1 lists. */
#include "hlo/sharding/sharding.h"

/* ---- levels --------------------------------------------------------------- */

static int iota_levels(const device_array *d, level *out)
{
	int64_t unit[ASSIGN_MAX], u = 1;
	int n = 0;
	for (int i = d->n_iota - 1; i >= 0; i--) {
		unit[i] = u;
		u *= d->iota[i];
	}
	for (int i = 0; i < d->n_iota; i++)
		if (d->iota[d->perm[i]] != 1)
			out[n++] = (level){d->iota[d->perm[i]], unit[d->perm[i]]};
	return n;
}

/* The first `done` devices are regular; returns how many times they repeat, `step` apart. Levels
 * are found starting at the minor end. */
static int64_t count_repeats(const int64_t *list, int64_t n, int64_t done, int64_t step)
{
	int64_t turns = 1;
	while ((turns + 1) * done <= n) {
		for (int64_t i = 0; i < done; i++)
			if (list[turns * done + i] != list[i] + turns * step)
				return turns;
		turns++;
	}
	return turns;
}

static int list_levels(const device_array *d, level *out)
{
	level minor[ASSIGN_MAX];
	int n = 0;
	int64_t done = 1;
	if (d->n < 1 || d->list[0] != 0)
		return -1;
	while (done < d->n) {
		int64_t step = d->list[done];
		int64_t turns = count_repeats(d->list, d->n, done, step);
		while (turns > 1 && d->n % (done * turns) != 0)
			turns--;
		if (turns < 2 || step < 1 || n == ASSIGN_MAX)
			return -1;
		minor[n++] = (level){turns, step};
		done *= turns;
	}
	for (int i = 0; i < n; i++)
		out[i] = minor[n - 1 - i];
	return n;
}

int device_array_levels(const device_array *d, level *out)
{
	return d->n_iota ? iota_levels(d, out) : list_levels(d, out);
}

int levels_split(const level *in, int n, const int64_t *dims, int rank, level *out, int *counts)
{
	int at = 0, n_out = 0;
	int64_t left = n ? in[0].size : 1; /* of the current level */
	for (int i = 0; i < rank; i++) {
		int64_t need = dims[i];
		counts[i] = 0;
		while (need > 1) {
			if (at == n || n_out == ASSIGN_MAX)
				return -1;
			int64_t take = need % left == 0 ? left : need;
			if (left % take != 0)
				return -1;
			left /= take;
			need /= take;
			out[n_out++] = (level){take, in[at].unit * left};
			counts[i]++;
			if (left == 1 && ++at < n)
				left = in[at].size;
		}
	}
	return at == n ? n_out : -1;
}

bool device_array_of_levels(device_array *d, const level *l, int n)
{
	int order[ASSIGN_MAX], perm[ASSIGN_MAX];
	int64_t dims[ASSIGN_MAX], unit = 1;
	for (int i = 0; i < n; i++) { /* by decreasing unit */
		int k = i;
		for (; k > 0 && l[order[k - 1]].unit < l[i].unit; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (int i = n - 1; i >= 0; i--) {
		if (l[order[i]].unit != unit)
			return false;
		unit *= l[order[i]].size;
	}
	for (int i = 0; i < n; i++) {
		dims[i] = l[order[i]].size;
		perm[order[i]] = i;
	}
	device_array_iota(d, dims, perm, n);
	return true;
}

/* ---- arrays ----------------------------------------------------------------- */

/* Drops dimensions of size 1, and merges neighbors that remain neighbors. */
void device_array_iota(device_array *d, const int64_t *dims, const int *perm, int n)
{
	int64_t unit[ASSIGN_MAX], u = 1;
	level merged[ASSIGN_MAX];
	int n_merged = 0, number[ASSIGN_MAX];
	for (int i = n - 1; i >= 0; i--) {
		unit[i] = u;
		u *= dims[i];
	}
	for (int i = 0; i < n; i++) {
		level l = {dims[perm[i]], unit[perm[i]]};
		level *before = n_merged ? &merged[n_merged - 1] : NULL;
		if (l.size == 1)
			continue;
		if (before && before->unit == l.unit * l.size)
			*before = (level){before->size * l.size, l.unit};
		else
			merged[n_merged++] = l;
	}
	*d = (device_array){.n = u, .n_iota = n_merged ? n_merged : 1, .iota = {1}};
	for (int i = 0; i < n_merged; i++) { /* count those with a larger unit */
		number[i] = 0;
		for (int k = 0; k < n_merged; k++)
			number[i] += merged[k].unit > merged[i].unit;
		d->iota[number[i]] = merged[i].size;
		d->perm[i] = number[i];
	}
}

void device_array_list(device_array *d, const int64_t *list, int64_t n)
{
	*d = (device_array){.n = n, .list = list};
}

int64_t device_array_at(const device_array *d, int64_t position)
{
	level l[ASSIGN_MAX];
	int64_t device = 0;
	if (!d->n_iota)
		return d->list[position];
	for (int i = iota_levels(d, l) - 1; i >= 0; i--) {
		device += position % l[i].size * l[i].unit;
		position /= l[i].size;
	}
	return device;
}

int64_t device_array_find(const device_array *d, int64_t device)
{
	level l[ASSIGN_MAX];
	int64_t position = 0;
	if (d->n_iota) {
		int n = iota_levels(d, l);
		if (device < 0 || device >= d->n)
			return -1;
		for (int i = 0; i < n; i++)
			position = position * l[i].size + device / l[i].unit % l[i].size;
		return position;
	}
	for (int64_t i = 0; i < d->n; i++)
		if (d->list[i] == device)
			return i;
	return -1;
}

static bool same_iota(const device_array *a, const device_array *b)
{
	if (a->n_iota != b->n_iota)
		return false;
	for (int i = 0; i < a->n_iota; i++)
		if (a->iota[i] != b->iota[i] || a->perm[i] != b->perm[i])
			return false;
	return true;
}

/* The canonical form of an iota is unique, so two iotas are compared directly. */
bool device_array_eq(const device_array *a, const device_array *b)
{
	if (a->n != b->n)
		return false;
	if (a->n_iota && b->n_iota)
		return same_iota(a, b);
	for (int64_t i = 0; i < a->n; i++)
		if (device_array_at(a, i) != device_array_at(b, i))
			return false;
	return true;
}
