/* window.h - what reduce_window and select_and_scatter share. */
#ifndef TESS_EXEC_KERNEL_WINDOW_H
#define TESS_EXEC_KERNEL_WINDOW_H

#include "exec/kernel.h"

typedef struct window_plan {
	int rank;
	int64_t size[MAX_RANK], stride[MAX_RANK], low[MAX_RANK], base[MAX_RANK], dilation[MAX_RANK];
	int64_t n_window;
	const body *body;   /* reduce_window: the reducer; select_and_scatter: scatter */
	const body *select;
	int scan_dim;       /* -1: none */
	bool scan_back;     /* the window reaches to the end instead of the beginning */
	int n;              /* operands */
	/* rows of features (pool.c) */
	int line;           /* the last dimension that the window moves along */
	int64_t row;        /* elements behind it, contiguous, each a window of its own */
	vec_fn *apply;
} window_plan;

/* Kernels for windows over rows of contiguous elements that are windows of their own, as in
 * pooling.  @return false if the window is not of this kind. */
/* Scans by one operation, several lines at a time (scan.c). */
bool scan_reduce(exec_plan *p, step *s, window_plan *k);
bool pool_reduce(exec_plan *p, step *s, window_plan *k);
bool pool_scatter(exec_plan *p, step *s, window_plan *k);

#endif
