/* cuBLAS on the problem's device matrices, on the context's own stream. */
#include <cublas_v2.h>
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

const bench_rival bench_cublas = {"cublas", BENCH_DEVICE, bench_cublas_offers, NULL, open_it, close_it, prepare, run, finish};
