/* complaints.c - what LAPACK complains of is heard, and does not end the process.
 *
 *   complaints tessera_xerbla.so
 *
 * Opens the module as the library does, then each LAPACK that the machine has, and calls a routine
 * of LAPACK and one of BLAS with arguments that they refuse. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SKIPPED = 77 };

typedef int hear_fn(bool listen);
typedef void getrf_fn(const int *m, const int *n, float *a, const int *lda, int *pivots, int *info);
typedef void trsm_fn(const char *, const char *, const char *, const char *, const int *,
                     const int *, const float *, const float *, const int *, float *, const int *,
                     size_t, size_t, size_t, size_t);

static bool heard(const char *library, const char *routine, int got, int want)
{
	if (got == want)
		return true;
	printf("%s: of %s argument %d was heard of, not %d\n", library, routine, got, want);
	return false;
}

static bool check(const char *name, void *library, hear_fn *hear)
{
	void *getrf_at = dlsym(library, "sgetrf_"), *trsm_at = dlsym(library, "strsm_");
	getrf_fn *getrf;
	trsm_fn *trsm;
	memcpy(&getrf, &getrf_at, sizeof getrf);
	memcpy(&trsm, &trsm_at, sizeof trsm);
	int two = 2, zero = 0, wrong = -1, pivots[2], info = 0;
	float a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 4}, one = 1;
	bool good = getrf && trsm;

	hear(true);
	if (getrf)
		getrf(&two, &two, a, &zero, pivots, &info);
	good = heard(name, "sgetrf", hear(true), 4) && info == -4 && good;
	if (trsm)
		trsm("L", "L", "N", "N", &wrong, &two, &one, a, &two, b, &two, 1, 1, 1, 1);
	good = heard(name, "strsm", hear(true), 5) && good;
	if (getrf) /* what is right is not complained of */
		getrf(&two, &two, a, &two, pivots, &info);
	return heard(name, "sgetrf", hear(false), 0) && info == 0 && good;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"liblapack.so.3", "libopenblas.so.0"};
	void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
	void *at = module ? dlsym(module, "tess_xerbla_hear") : NULL;
	hear_fn *hear;
	memcpy(&hear, &at, sizeof hear);
	if (!hear) {
		printf("usage: complaints tessera_xerbla.so\n");
		return 2;
	}
	int checked = 0, failed = 0;
	for (int i = 0; i < 2; i++) {
		void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		if (!library)
			continue;
		checked++;
		failed += !check(names[i], library, hear);
	}
	printf("%d of %d libraries are heard\n", checked - failed, checked);
	return failed ? 1 : checked ? 0 : SKIPPED;
}
