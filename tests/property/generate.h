/* generate.h - random programs with random shardings, as MLIR text. */
#ifndef TEST_GENERATE_H
#define TEST_GENERATE_H

#include <stdint.h>

/* The program of a seed, to be freed. */
char *generate_program(uint64_t seed);
uint64_t random_next(uint64_t *state);

#endif
