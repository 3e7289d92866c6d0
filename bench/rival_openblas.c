/* OpenBLAS, called directly on the problem's host arrays. */
#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>
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

enum { GETRI_BLOCK = 64 };

/* Memory that stays from call to call and grows: its allocation is not what is timed. */
typedef struct kept {
    void *p;
    size_t bytes;
} kept;

static kept workspace, pivots_here;

static void *grown(kept *k, size_t bytes)
{
    if (bytes > k->bytes || !k->p) {
        free(k->p);
        k->bytes = bytes;
        k->p = malloc(bytes + 1);
    }
    return k->p;
}

/* LAPACK has left its pivots in the front of the operand: they become wide from the last one on. */
static void widen(const bench_problem *p, int operand)
{
    char *pivots = DATA(operand);
    for (int64_t i = p->a[operand].is.rows; i-- > 0;) {
        lapack_int narrow;
        memcpy(&narrow, pivots + (size_t)i * sizeof narrow, sizeof narrow);
        memcpy(pivots + (size_t)i * sizeof(int64_t), &(int64_t){narrow}, sizeof(int64_t));
    }
}

/* The pivots as LAPACK has them */
static const lapack_int *narrow(const bench_problem *p, int operand)
{
    const int64_t *wide = DATA(operand);
    int64_t count = p->a[operand].is.rows;
    lapack_int *pivots = grown(&pivots_here, (size_t)count * sizeof *pivots);
    for (int64_t i = 0; pivots && i < count; i++)
        pivots[i] = (lapack_int)wide[i];
    return pivots;
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
    BENCH_BLAS(ENTRY) BENCH_LAPACK(ENTRY) BENCH_LU(ENTRY)
#undef ENTRY
};

static bool open_it(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    (void)line;
    *state = NULL;
    return ctx != NULL;
}

static void close_it(void *state)
{
    (void)state;
    free(workspace.p), free(pivots_here.p);
    workspace = pivots_here = (kept){0};
}

static bool run(void *state, bench_problem *p)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(calls[i].name, bench_as(p->routine)))
            return calls[i].call[p->c.type](p);
    return bench_openblas_vectors(p);
}

const bench_rival bench_openblas = {"openblas", BENCH_HOST,         BENCH_BLAS(BENCH_NAME) BENCH_LAPACK(BENCH_NAME) BENCH_LU(BENCH_NAME) BENCH_VECTORS(BENCH_NAME),
                                    open_it,    close_it,           bench_rival_always,
                                    run};
