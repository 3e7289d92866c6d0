/* What the rivals out of cuBLAS's library share. */
#ifndef BENCH_RIVAL_CUBLAS_H
#define BENCH_RIVAL_CUBLAS_H

#include <cublas_v2.h>

#include "bench/rival.h"

static const char *const cublas_libraries[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL};

/* A scalar in the type's own representation. */
typedef union typed_scalar {
    float s;
    double d;
    tsl_cfloat c;
    tsl_cdouble z;
} typed_scalar;

static inline typed_scalar scalar(tsl_type t, tsl_scalar v)
{
    switch (t) {
    case TSL_S:
        return (typed_scalar){.s = (float)creal(v)};
    case TSL_D:
        return (typed_scalar){.d = creal(v)};
    case TSL_C:
        return (typed_scalar){.c = (tsl_cfloat)v};
    default:
        return (typed_scalar){.z = v};
    }
}

static inline tsl_type cublas_real(tsl_type t) { return t == TSL_S || t == TSL_C ? TSL_S : TSL_D; }

/* rival_cuda_vectors.c: the routines of level 1 and those of level 2 that rival_cuda_blas.c has not. NULL: not found, and `line` says why. */
struct cublas_vectors;
const struct cublas_vectors *bench_cublas_vectors_load(tsl_context *ctx, char line[BENCH_LINE]);
bool bench_cublas_vectors_run(const struct cublas_vectors *f, cublasHandle_t handle, bench_problem *p);

static inline cublasOperation_t op_of(char letter)
{
    return letter == 'N' ? CUBLAS_OP_N : letter == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C;
}

#endif
