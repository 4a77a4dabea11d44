/* version.c - what this build is. */
#include <tessera/core.h>

const char *tess_version(void) { return TESS_VERSION; }

#ifdef TESS_HAVE_ZLIB
#define ZLIB_FEATURE "zlib   yes\n"
#else
#define ZLIB_FEATURE "zlib   no\n"
#endif
#ifdef TESS_HAVE_BLAS
#define BLAS_FEATURE "blas   " TESS_BLAS_SONAME " (when needed)\n"
#else
#define BLAS_FEATURE "blas   no\n"
#endif
#ifdef TESS_HAVE_ONEDNN
#define ONEDNN_FEATURE "onednn " TESS_ONEDNN_SONAME " (when needed)\n"
#else
#define ONEDNN_FEATURE "onednn no\n"
#endif
#ifdef TESS_HAVE_MPI
#define MPI_FEATURE "mpi    tessera_mpi.so (when needed)\n"
#else
#define MPI_FEATURE "mpi    no\n"
#endif

const char *tess_features(void) { return ZLIB_FEATURE BLAS_FEATURE ONEDNN_FEATURE MPI_FEATURE; }
