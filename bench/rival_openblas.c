/* OpenBLAS, called directly on the problem's host arrays. */
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "bench/rival.h"

typedef void symv_call(const char *uplo, const int *n, const void *alpha, const void *A, const int *lda, const void *x,
                       const int *incx, const void *beta, void *y, const int *incy);
extern symv_call ssymv_, dsymv_, csymv_, zsymv_;

#define DATA(i) bench_data(p, i, BENCH_HOST)
#define LD(i) (int)bench_ld(p, i, BENCH_HOST)

static CBLAS_UPLO uplo_of(const bench_case *c) { return c->flag[BENCH_UPLO] == 'L' ? CblasLower : CblasUpper; }

static CBLAS_SIDE side_of(const bench_case *c) { return c->flag[BENCH_SIDE] == 'L' ? CblasLeft : CblasRight; }

static CBLAS_TRANSPOSE trans_of(char letter)
{
    return letter == 'N' ? CblasNoTrans : letter == 'T' ? CblasTrans : CblasConjTrans;
}

#define T float
#define R float
#define FN(name) s_##name
#define CBLAS(name) cblas_s##name
#define LAPACK(name) LAPACKE_s##name
#define FORTRAN(name) s##name##_
#define SCALAR(x) x
#define HERMITIAN(sy, he) cblas_s##sy
#include "bench/openblas.inc"

#define T double
#define R double
#define FN(name) d_##name
#define CBLAS(name) cblas_d##name
#define LAPACK(name) LAPACKE_d##name
#define FORTRAN(name) d##name##_
#define SCALAR(x) x
#define HERMITIAN(sy, he) cblas_d##sy
#include "bench/openblas.inc"

#define T tsl_cfloat
#define R float
#define FN(name) c_##name
#define CBLAS(name) cblas_c##name
#define LAPACK(name) LAPACKE_c##name
#define FORTRAN(name) c##name##_
#define SCALAR(x) &x
#define HERMITIAN(sy, he) cblas_c##he
#include "bench/openblas.inc"

#define T tsl_cdouble
#define R double
#define FN(name) z_##name
#define CBLAS(name) cblas_z##name
#define LAPACK(name) LAPACKE_z##name
#define FORTRAN(name) z##name##_
#define SCALAR(x) &x
#define HERMITIAN(sy, he) cblas_z##he
#include "bench/openblas.inc"

static const struct {
    const char *name;
    bool (*call[4])(const bench_problem *p); /* by tsl_type */
} calls[] = {
#define ENTRY(name) {#name, {s_##name, d_##name, c_##name, z_##name}},
    BENCH_BLAS(ENTRY) BENCH_LAPACK(ENTRY)
#undef ENTRY
};

static bool open_it(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    (void)line;
    *state = NULL;
    return ctx != NULL;
}

static void close_it(void *state) { (void)state; }

static bool run(void *state, bench_problem *p)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(calls[i].name, bench_as(p->routine)))
            return calls[i].call[p->c.type](p);
    return bench_openblas_vectors(p);
}

const bench_rival bench_openblas = {"openblas", BENCH_HOST,         BENCH_BLAS(BENCH_NAME) BENCH_LAPACK(BENCH_NAME) BENCH_VECTORS(BENCH_NAME),
                                    open_it,    close_it,           bench_rival_always,
                                    run};
