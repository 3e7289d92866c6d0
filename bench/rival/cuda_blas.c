/* cuBLAS on the problem's device matrices, on the context's own stream; and the same with products of double precision by its
 * fixed-point numbers, a mode that it has from 13.0 on. */
#include <cublas_v2.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "bench/rival/cuda_words.h"
#include "bench/rival/cuda.h"

_Static_assert((int)CUDA_NO_TRANS == CUBLAS_OP_N && (int)CUDA_TRANS == CUBLAS_OP_T && (int)CUDA_CONJ_TRANS == CUBLAS_OP_C, "cuBLAS's ops");
_Static_assert((int)CUDA_LOWER == CUBLAS_FILL_MODE_LOWER && (int)CUDA_UPPER == CUBLAS_FILL_MODE_UPPER, "its triangles");
_Static_assert((int)CUDA_LEFT == CUBLAS_SIDE_LEFT && (int)CUDA_RIGHT == CUBLAS_SIDE_RIGHT, "its sides");
_Static_assert((int)CUDA_NON_UNIT == CUBLAS_DIAG_NON_UNIT && (int)CUDA_UNIT == CUBLAS_DIAG_UNIT, "its diagonals");
_Static_assert(sizeof(cublasOperation_t) == sizeof(int) && sizeof(cublasStatus_t) == sizeof(int) && CUBLAS_STATUS_SUCCESS == 0, "numbers");

/* In the order of `symbols`. */
typedef struct functions {
    typeof(&cublasCreate_v2) create;
    typeof(&cublasDestroy_v2) destroy;
    typeof(&cublasSetStream_v2) set_stream;
} functions;

static const char *const symbols[] = {"cublasCreate_v2", "cublasDestroy_v2", "cublasSetStream_v2", NULL};
static functions f;

static void close_it(void *state)
{
    bench_cuda *b = state;
    if (b->handle)
        f.destroy(b->handle);
    bench_cuda_close(b);
}

static bool open_it(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    _Static_assert(sizeof f == sizeof symbols - sizeof *symbols, "a place per symbol");
    bench_cuda *b = bench_cuda_open(ctx, bench_cublas_libraries, symbols, &f, line);
    *state = NULL;
    if (!b)
        return false;
    if (f.create((cublasHandle_t *)&b->handle) || f.set_stream(b->handle, tsl_stream(ctx))) {
        close_it(b);
        strcpy(line, "cuBLAS gives no handle");
        return false;
    }
    *state = b;
    return true;
}

static bool prepare(void *state, bench_problem *p) { return bench_cuda_prepare(state, &p->routine->cublas, p); }
static bool run(void *state, bench_problem *p) { return p->routine->cublas.run(state, p); }
static bool finish(void *state, bench_problem *p) { return !p->routine->cublas.finish || p->routine->cublas.finish(state, p); }

/* Words of cuBLAS 13: the mode; it is taken wherever it can be, not only where it is thought to be faster. */
enum { FIXED_POINT = 8, EAGER = 2 };

typedef cublasStatus_t set_number(cublasHandle_t handle, int number);
typedef cublasStatus_t set_workspace(cublasHandle_t handle, void *p, size_t bytes);
static set_workspace *workspace;

static bool open_fixed(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    if (!open_it(ctx, state, line))
        return false;
    bench_cuda *b = *state;
    set_number *mode = (set_number *)dlsym(b->library, "cublasSetMathMode");
    set_number *strategy = (set_number *)dlsym(b->library, "cublasSetEmulationStrategy");
    workspace = (set_workspace *)dlsym(b->library, "cublasSetWorkspace_v2");
    if (mode && strategy && workspace && !mode(b->handle, FIXED_POINT) && !strategy(b->handle, EAGER))
        return true;
    close_it(b);
    *state = NULL;
    snprintf(line, BENCH_LINE, "this cuBLAS has no fixed-point mode");
    return false;
}

static bool takes_fixed(const bench_problem *p) { return bench_real(p->c.type) == TSL_D; }

/* Room for slices of A and B and sums of their products: it computes natively where it has too little. */
static bool prepare_fixed(void *state, bench_problem *p)
{
    enum { SLICES = 16, UNIT = 16 };
    bench_cuda *b = state;
    const bench_case *c = &p->c;
    if (!prepare(state, p) || f.set_stream(b->handle, tsl_stream(p->ctx))) /* which has its own workspace again */
        return false;
    int64_t parts = bench_is_complex(c->type) ? 2 : 1, k = c->k ? c->k : c->n;
    int64_t units = parts * (SLICES * k * (c->m + c->n) + 8 * c->m * c->n) / UNIT;
    for (; units > 0 && tsl_matrix_create(p->ctx, TSL_Z, units, 1, &b->holds_device); units /= 2)
        b->holds_device = NULL;
    return units == 0 || !workspace(b->handle, tsl_matrix_data(b->holds_device), (size_t)units * UNIT);
}

const bench_rival bench_cublas_fixed = {"cublas-fixed", BENCH_DEVICE, bench_cublas_fixed_offers, takes_fixed, open_fixed,
                                        close_it, prepare_fixed, run, finish};
const bench_rival bench_cublas = {"cublas", BENCH_DEVICE, bench_cublas_offers, NULL, open_it, close_it, prepare, run, finish};
