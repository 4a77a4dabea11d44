/* open.c - opens the LAPACK library when a program needs a routine.
 *
 * The environment variable TESS_LAPACK_LIBRARY names it ("none": use our own routines only);
 * otherwise it is the one that the build found, or one of the usual names. The OpenBLAS inside
 * SciPy's wheels has the same functions under names that start with "scipy_".
 *
 * LAPACK calls xerbla_ on an invalid argument, which in the reference implementation ends the
 * process with status 0. Symbols of a module opened RTLD_GLOBAL take precedence over a library's
 * own; so tessera_xerbla.so is opened that way before LAPACK, and gets the call instead. If the
 * process had loaded LAPACK before, its calls may be bound already: then only the checks of form.c
 * help, which leave LAPACK nothing to reject. */
#include "exec/ranks/beside.h"
#include "exec/linalg/routines.h"

#include <dlfcn.h>
#include <stdlib.h>

/* The library's function of this name, or of the name that it has in SciPy's OpenBLAS. */
static lapack_fn *symbol_of(void *library, const char *name)
{
	void *symbol = library ? dlsym(library, name) : NULL;
	if (library && !symbol) {
		char scipy[64];
		snprintf(scipy, sizeof scipy, "scipy_%s", name);
		symbol = dlsym(library, scipy);
	}
	lapack_fn *fn;
	memcpy(&fn, &symbol, sizeof fn);
	return fn;
}

lapack_hear *lapack_hearing(void)
{
	lapack_hear *hear = NULL;
#ifndef TESS_NO_LAPACK
	void *module = beside_open("xerbla");
	void *symbol = module ? dlsym(module, "tess_xerbla_hear") : NULL;
	memcpy(&hear, &symbol, sizeof hear);
#endif
	return hear;
}

#ifdef TESS_NO_LAPACK
lapack_fn *lapack_symbol(const char *name, lapack_threads *threads, const char **why)
{
	UNUSED(threads);
	*why = NULL;
	return symbol_of(NULL, name);
}
#else
static lapack_threads threads_of(void *library)
{
	lapack_fn *get = symbol_of(library, "openblas_get_num_threads");
	lapack_fn *set = symbol_of(library, "openblas_set_num_threads");
	lapack_threads t;
	memcpy(&t.get, &get, sizeof get);
	memcpy(&t.set, &set, sizeof set);
	return t;
}

lapack_fn *lapack_symbol(const char *name, lapack_threads *threads, const char **why)
{
	static const char *const libraries[] = {
#ifdef TESS_LAPACK_SONAME
		TESS_LAPACK_SONAME,
#endif
		"liblapack.so.3", "libopenblas.so.0", "libblas.so.3"};
	const char *named = getenv("TESS_LAPACK_LIBRARY");
	*why = NULL;
	if (named && *named) {
		if (!strcmp(named, "none"))
			return NULL;
		void *library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
		lapack_fn *fn = symbol_of(library, name);
		*threads = threads_of(library);
		if (!fn)
			*why = library ? "it has no such routine" : "it cannot be opened";
		return fn;
	}
	for (int i = 0; i < COUNT(libraries); i++) {
		void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
		lapack_fn *fn = symbol_of(library, name);
		*threads = threads_of(library);
		if (fn)
			return fn;
	}
	return NULL;
}
#endif
