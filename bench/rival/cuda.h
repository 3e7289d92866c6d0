/* What the rivals out of CUDA's libraries share. These are found at run time, so that the program also starts where they are
 * not. */
#ifndef BENCH_RIVAL_CUDA_H
#define BENCH_RIVAL_CUDA_H

#include "bench/rival/rival.h"

extern const char *const bench_cublas_libraries[];

/* Makes the context's first GPU current, loads the first library of a NULL-ended list that has all the symbols of another, and
 * stores these in `table`, in order. NULL with a line: no GPU in this context, or no library. */
bench_cuda *bench_cuda_open(tsl_context *ctx, const char *const *libraries, const char *const *symbols, void *table, char line[BENCH_LINE]);

/* The routine's functions and workspace; false: there are none */
bool bench_cuda_prepare(bench_cuda *cuda, const bench_by_cuda *by, bench_problem *p);
void bench_cuda_close(bench_cuda *cuda);

#endif
