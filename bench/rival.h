/* Other libraries on the same problems. A rival is opened once per context, prepared once per problem, and runs on the
 * problem's own operands in the place it names. */
#ifndef BENCH_RIVAL_H
#define BENCH_RIVAL_H

#include "bench/bench.h"

enum { BENCH_RIVALS = 5, BENCH_LINE = 256 };

typedef struct bench_rival {
    const char *name;
    bench_place place;    /* BENCH_HOST: blocking calls, by the wall clock; BENCH_DEVICE: work on the context's queue */
    const char *routines; /* "gemm,trsm"; it may end in a comma */
    bool (*open)(tsl_context *ctx, void **state, char line[BENCH_LINE]); /* false: `line` says why it is not there */
    void (*close)(void *state);
    bool (*prepare)(void *state, bench_problem *p); /* workspace and the like; not timed */
    bool (*run)(void *state, bench_problem *p);
} bench_rival;

/* rival.c: by name; NULL for no such rival, in any build. In a build without CUDA its rivals exist but cannot be opened. */
const bench_rival *bench_rival_find(const char *name, size_t length);
const char *bench_rival_names(void); /* "openblas, cublas, ..." */
bool bench_rival_offers(const bench_rival *rival, const bench_routine *r);
bool bench_rival_always(void *state, bench_problem *p); /* a `prepare` with nothing to do */

#define BENCH_NAME(name) #name ","
#define BENCH_CUBLAS_ROUTINES BENCH_BLAS(BENCH_NAME) BENCH_LEVEL1(BENCH_NAME) BENCH_UPDATES(BENCH_NAME) BENCH_STORED(BENCH_NAME)
#define BENCH_CUSOLVER_ROUTINES BENCH_LAPACK(BENCH_NAME) BENCH_BY_LU(BENCH_NAME)
#define BENCH_CUBLASXT_ROUTINES "gemm"
extern const bench_rival bench_openblas, bench_cublas, bench_cublasxt, bench_cusolver, bench_scalapack;

/* openblas_vectors.c: a routine of BENCH_VECTORS */
bool bench_openblas_vectors(bench_problem *p);

/* rival_cuda.c: page-locks host memory; false: that cannot be done here */
bool bench_pin(void *p, size_t bytes);
void bench_unpin(void *p);

/* rival_scalapack.c: the grid it is to run on, before it is opened, and the blocks its operands are dealt out in */
void bench_scalapack_on(int rows, int cols, int64_t nb);

#ifdef TSL_WITH_CUDA
/* rival_cuda.c: makes the context's first GPU current, loads the first library of a NULL-ended list that has all the symbols
 * and stores them in `table`, in order. False with a line: no GPU in this context, or no library. */
bool bench_cuda_load(tsl_context *ctx, const char *const *libraries, const char *const *symbols, void **table,
                     char line[BENCH_LINE]);
#endif

#endif
