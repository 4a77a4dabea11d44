/* again.c - searches again, within a limit that the best plan exceeds.
 *
 * What a limit forbids may lead to what it allows: the plans that a search finds within the memory of
 * the machine are changed step by step, and some on the way take less memory. So there are two
 * searches. The first one does not know the limit. The second one does, and finds other plans, since it
 * changes those that fit. Then it goes on with all plans of both. */
#include "plan/search.h"

void search_anew(plan_search *w)
{
	w->earlier.len = w->earlier_scales.len = 0;
	for (int i = 0; i < w->trials.len; i++)
		vec_push(w->mem, &w->earlier, w->trials.ptr[i]);
	for (int i = 0; i < w->scales.len; i++)
		vec_push(w->mem, &w->earlier_scales, w->scales.ptr[i]);
	w->earlier_known = w->known;
	w->known = (ptr_map){0};
	w->trials.len = w->wholes.len = w->twins.len = w->scales.len = 0;
	w->best = NULL;
	w->smallest = false;
}

static plan_trial *trial_of_key(const ptr_map *known, uint64_t key)
{
	return ptr_map_get(known, (const void *)(uintptr_t)key);
}

const plan_trial *search_recall_all(plan_search *w, const plan_trial *one)
{
	search_take_scales(w);
	for (int i = 0; i < w->earlier.len; i++) {
		plan_trial *n = w->earlier.ptr[i], *same = trial_of_key(&w->known, n->key);
		if (!same) {
			search_rescale(w, n);
			search_add(w, n);
		} else if (n->at_last && !same->at_last) {
			same->at_last = n->at_last;
			vec_push(w->mem, &w->wholes, same);
		}
	}
	search_judge_all(w);
	return trial_of_key(&w->known, one->key);
}
