/* beside.h - modules that lie beside the library, opened when they are needed. */
#ifndef TESS_EXEC_BESIDE_H
#define TESS_EXEC_BESIDE_H

/* Opens tessera_KIND.so with its symbols for all; it stays open.  NULL: there is none, and dlerror()
 * says why. */
void *beside_open(const char *kind);

#endif
