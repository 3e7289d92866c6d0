/* cuBLAS on the problem's device matrices, on the context's own stream. */
#include <stdlib.h>
#include <string.h>

#include "bench/rival_cublas.h"

/* The four types' functions differ only in what their pointers point to. */
typedef cublasStatus_t (*gemm_call)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t, int64_t, int64_t,
                                    const void *, const void *, int64_t, const void *, int64_t, const void *, void *, int64_t);
typedef cublasStatus_t (*symm_call)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int64_t, int64_t, const void *,
                                    const void *, int64_t, const void *, int64_t, const void *, void *, int64_t);
typedef cublasStatus_t (*rank_k_call)(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t, const void *,
                                      const void *, int64_t, const void *, void *, int64_t);
typedef cublasStatus_t (*rank_2k_call)(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t, int64_t, const void *,
                                       const void *, int64_t, const void *, int64_t, const void *, void *, int64_t);
typedef cublasStatus_t (*trmm_call)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                                    int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t, void *,
                                    int64_t);
typedef cublasStatus_t (*trsm_call)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                                    int64_t, int64_t, const void *, const void *, int64_t, void *, int64_t);

typedef cublasStatus_t (*gemv_call)(cublasHandle_t, cublasOperation_t, int64_t, int64_t, const void *, const void *, int64_t,
                                    const void *, int64_t, const void *, void *, int64_t);
typedef cublasStatus_t (*symv_call)(cublasHandle_t, cublasFillMode_t, int64_t, const void *, const void *, int64_t,
                                    const void *, int64_t, const void *, void *, int64_t);
typedef cublasStatus_t (*ger_call)(cublasHandle_t, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t,
                                   void *, int64_t);
typedef cublasStatus_t (*trsv_call)(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t,
                                    const void *, int64_t, void *, int64_t);

/* In the order of `symbols`. */
typedef struct functions {
    typeof(&cublasCreate_v2) create;
    typeof(&cublasDestroy_v2) destroy;
    typeof(&cublasSetStream_v2) set_stream;
    gemm_call gemm[4];
    symm_call symm[4], hemm[4];
    rank_k_call syrk[4], herk[4];
    rank_2k_call syr2k[4], her2k[4];
    trmm_call trmm[4];
    trsm_call trsm[4];
    gemv_call gemv[4];
    symv_call symv[4], hemv[4];
    ger_call ger[4];
    trsv_call trsv[4];
} functions;

/* The Hermitian routines of real types are the symmetric ones. */
#define HERMITIAN(sy, he) "cublasS" #sy "_v2_64", "cublasD" #sy "_v2_64", "cublasC" #he "_v2_64", "cublasZ" #he "_v2_64"
#define ALL(name) HERMITIAN(name, name)

static const char *const symbols[] = {
    "cublasCreate_v2",
    "cublasDestroy_v2",
    "cublasSetStream_v2",
    ALL(gemm),
    ALL(symm),
    HERMITIAN(symm, hemm),
    ALL(syrk),
    HERMITIAN(syrk, herk),
    ALL(syr2k),
    HERMITIAN(syr2k, her2k),
    ALL(trmm),
    ALL(trsm),
    ALL(gemv),
    ALL(symv),
    HERMITIAN(symv, hemv),
    HERMITIAN(ger, geru),
    ALL(trsv),
    NULL,
};

typedef struct blas {
    functions f;
    const struct cublas_vectors *vectors;
    cublasHandle_t handle;
} blas;

static void close_it(void *state)
{
    blas *b = state;
    if (b && b->handle)
        b->f.destroy(b->handle);
    free(b);
}

static bool open_it(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    _Static_assert(sizeof(functions) == sizeof symbols - sizeof *symbols, "a place per symbol");
    void *table[sizeof symbols / sizeof *symbols];
    *state = NULL;
    const struct cublas_vectors *vectors = bench_cublas_vectors_load(ctx, line);
    if (!vectors || !bench_cuda_load(ctx, cublas_libraries, symbols, table, line))
        return false;
    blas *b = calloc(1, sizeof *b);
    if (b) {
        memcpy(&b->f, table, sizeof b->f);
        b->vectors = vectors;
    }
    if (!b || b->f.create(&b->handle) || b->f.set_stream(b->handle, tsl_stream(ctx))) {
        close_it(b);
        strcpy(line, "cuBLAS gives no handle");
        return false;
    }
    *state = b;
    return true;
}

#define DATA(i) bench_data(p, i, BENCH_DEVICE)
#define LD(i) bench_ld(p, i, BENCH_DEVICE)

static bool run(void *state, bench_problem *p)
{
    blas *b = state;
    const functions *f = &b->f;
    const bench_case *c = &p->c;
    const bench_routine *r = p->routine;
    tsl_type t = c->type;
    cublasSideMode_t side = c->flag[BENCH_SIDE] == 'L' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    cublasFillMode_t uplo = c->flag[BENCH_UPLO] == 'L' ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    cublasDiagType_t diag = c->flag[BENCH_DIAG] == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    cublasOperation_t op = op_of(c->flag[BENCH_TRANS]);
    typed_scalar alpha = scalar(r->real_alpha ? cublas_real(t) : t, c->alpha),
                 beta = scalar(r->real_beta ? cublas_real(t) : t, c->beta);
    const char *name = bench_as(r);
    bool hermitian = name[0] == 'h';
    if (!strcmp(name, "gemv"))
        return !f->gemv[t](b->handle, op, c->m, c->n, &alpha, DATA(0), LD(0), DATA(1), 1, &beta, DATA(2), 1);
    if (!strcmp(name, "symv") || !strcmp(name, "hemv"))
        return !(hermitian ? f->hemv : f->symv)[t](b->handle, uplo, c->n, &alpha, DATA(0), LD(0), DATA(1), 1, &beta, DATA(2), 1);
    if (!strcmp(name, "ger"))
        return !f->ger[t](b->handle, c->m, c->n, &alpha, DATA(0), 1, DATA(1), 1, DATA(2), LD(2));
    if (!strcmp(name, "trsv"))
        return !f->trsv[t](b->handle, uplo, op, diag, c->n, DATA(0), LD(0), DATA(1), 1);
    if (!strcmp(name, "gemm"))
        return !f->gemm[t](b->handle, op, op_of(c->flag[BENCH_TRANSB]), c->m, c->n, c->k, &alpha, DATA(0), LD(0), DATA(1),
                           LD(1), &beta, DATA(2), LD(2));
    if (!strcmp(name, "trmm")) /* out of place, unless its output is B */
        return !f->trmm[t](b->handle, side, uplo, op, diag, c->m, c->n, &alpha, DATA(0), LD(0), DATA(1), LD(1), DATA(1), LD(1));
    if (!strcmp(name, "trsm"))
        return !f->trsm[t](b->handle, side, uplo, op, diag, c->m, c->n, &alpha, DATA(0), LD(0), DATA(1), LD(1));
    if (!strcmp(name, "syrk") || !strcmp(name, "herk"))
        return !(hermitian ? f->herk : f->syrk)[t](b->handle, uplo, op, c->n, c->k, &alpha, DATA(0), LD(0), &beta, DATA(1),
                                                   LD(1));
    if (!strcmp(name, "syr2k") || !strcmp(name, "her2k"))
        return !(hermitian ? f->her2k : f->syr2k)[t](b->handle, uplo, op, c->n, c->k, &alpha, DATA(0), LD(0), DATA(1), LD(1),
                                                     &beta, DATA(2), LD(2));
    if (!strcmp(name, "symm") || !strcmp(name, "hemm"))
        return !(hermitian ? f->hemm : f->symm)[t](b->handle, side, uplo, c->m, c->n, &alpha, DATA(0), LD(0), DATA(1), LD(1), &beta,
                                                   DATA(2), LD(2));
    return bench_cublas_vectors_run(b->vectors, b->handle, p);
}

const bench_rival bench_cublas = {"cublas", BENCH_DEVICE, BENCH_CUBLAS_ROUTINES, open_it, close_it, bench_rival_always, run};
