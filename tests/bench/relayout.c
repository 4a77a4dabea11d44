/* relayout.c - how fast 64 MB move from one layout into another, beside memcpy.
 *
 * Every pair is run several times, memcpy in between; the best of each counts.  Copies
 * keep the order of elements within lines, transpositions do not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/shape.h>
#include <time.h>

enum { TURNS = 9 };

typedef struct pair {
	const char *what, *from, *to;
	bool transposes;
} pair;

static const pair pairs[] = {
	{"f32, same layout", "f32[4096,4096]{1,0}", "f32[4096,4096]{1,0}", false},
	{"f32, rows to rows of tiles", "f32[4096,4096]{1,0}", "f32[4096,4096]{1,0:T(8,128)}", false},
	{"f32, rows of tiles to rows", "f32[4096,4096]{1,0:T(8,128)}", "f32[4096,4096]{1,0}", false},
	{"f32, ragged, to tiles", "f32[4001,4093]{1,0}", "f32[4001,4093]{1,0:T(8,128)}", false},
	{"f32, ragged, from tiles", "f32[4001,4093]{1,0:T(8,128)}", "f32[4001,4093]{1,0}", false},
	{"f32, major dimensions swapped", "f32[64,64,4096]{2,1,0}", "f32[64,64,4096]{2,0,1}", false},
	{"f32, rows to columns", "f32[4096,4096]{1,0}", "f32[4096,4096]{0,1}", true},
	{"f32, columns to rows", "f32[4096,4096]{0,1}", "f32[4096,4096]{1,0}", true},
	{"f32, ragged, rows to columns", "f32[4001,4093]{1,0}", "f32[4001,4093]{0,1}", true},
	{"f32, columns to tiles", "f32[4096,4096]{0,1}", "f32[4096,4096]{1,0:T(8,128)}", true},
	{"f32, tiles to columns", "f32[4096,4096]{1,0:T(8,128)}", "f32[4096,4096]{0,1}", true},
	{"f32, batch of matrices", "f32[256,256,256]{2,1,0}", "f32[256,256,256]{1,2,0}", true},
	{"f32, all dimensions turned", "f32[256,256,256]{2,1,0}", "f32[256,256,256]{0,1,2}", true},
	{"f64, rows to columns", "f64[2048,4096]{1,0}", "f64[2048,4096]{0,1}", true},
	{"bf16, rows to columns", "bf16[8192,4096]{1,0}", "bf16[8192,4096]{0,1}", true},
	{"bf16, rows to pairs in tiles", "bf16[8192,4096]{1,0}", "bf16[8192,4096]{1,0:T(8,128)(2,1)}", true},
	{"bf16, pairs in tiles to rows", "bf16[8192,4096]{1,0:T(8,128)(2,1)}", "bf16[8192,4096]{1,0}", true},
	{"s8, rows to columns", "s8[8192,8192]{1,0}", "s8[8192,8192]{0,1}", true},
	{"s8, rows to fours in tiles", "s8[8192,8192]{1,0}", "s8[8192,8192]{1,0:T(8,128)(4,1)}", true},
	{"c64, rows to columns", "c64[2048,4096]{1,0}", "c64[2048,4096]{0,1}", true},
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The ratio of memcpy's time to that of relayout; negative if it is refused. */
static double measure(tess_ctx *ctx, const pair *p, double *gigabytes)
{
	const tess_shape *from = tess_shape_parse(ctx, (tess_str){p->from, strlen(p->from)});
	const tess_shape *to = tess_shape_parse(ctx, (tess_str){p->to, strlen(p->to)});
	size_t n = (size_t)tess_shape_bytes(from, TESS_SIZE_PADDED);
	size_t m = (size_t)tess_shape_bytes(to, TESS_SIZE_PADDED), most = n > m ? n : m;
	size_t data = (size_t)tess_shape_bytes(from, TESS_SIZE_DATA);
	char *src = malloc(most), *dst = malloc(most);
	double best = 1e9, best_copy = 1e9;
	memset(src, 1, most);
	memset(dst, 2, most);
	for (int i = 0; i < TURNS; i++) {
		double start = now();
		memcpy(dst, src, data);
		double copied = now();
		if (tess_relayout(from, src, n, to, dst, m) != TESS_OK)
			best = -1;
		double moved = now();
		best_copy = copied - start < best_copy ? copied - start : best_copy;
		best = moved - copied < best ? moved - copied : best;
	}
	*gigabytes = (double)data / best / 1e9;
	free(src);
	free(dst);
	return best_copy / best;
}

int main(void)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	printf("%-34s %9s %15s %8s\n", "relayout of 64 MB", "GB/s", "of memcpy", "wanted");
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		double speed, ratio = measure(ctx, &pairs[i], &speed);
		printf("%-34s %9.2f %14.2f%% %8s\n", pairs[i].what, speed, 100 * ratio,
		       pairs[i].transposes ? "33%" : "50%");
	}
	tess_ctx_free(ctx);
	return 0;
}
