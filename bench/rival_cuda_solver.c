/* cuSOLVER on the problem's device matrices, on the context's own stream. */
#include <cusolverDn.h>
#include <string.h>

#include "bench/cuda_words.h"
#include "bench/rival_cuda.h"

_Static_assert((int)CUDA_FLOAT == CUDA_R_32F && (int)CUDA_DOUBLE == CUDA_R_64F && (int)CUDA_COMPLEX_FLOAT == CUDA_C_32F &&
                   (int)CUDA_COMPLEX_DOUBLE == CUDA_C_64F, "CUDA's types");
_Static_assert(sizeof(cudaDataType) == sizeof(int) && sizeof(cusolverStatus_t) == sizeof(int) && CUSOLVER_STATUS_SUCCESS == 0, "numbers");

/* In the order of `symbols`. */
typedef struct functions {
    typeof(&cusolverDnCreate) create;
    typeof(&cusolverDnDestroy) destroy;
    typeof(&cusolverDnSetStream) set_stream;
    typeof(&cusolverDnCreateParams) create_params;
    typeof(&cusolverDnDestroyParams) destroy_params;
} functions;

static const char *const symbols[] = {"cusolverDnCreate",       "cusolverDnDestroy",       "cusolverDnSetStream",
                                      "cusolverDnCreateParams", "cusolverDnDestroyParams", NULL};
static const char *const libraries[] = {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so", NULL};
static functions f;

static void close_it(void *state)
{
    bench_cuda *s = state;
    if (s->params)
        f.destroy_params(s->params);
    if (s->handle)
        f.destroy(s->handle);
    bench_cuda_close(s);
}

static bool open_it(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    _Static_assert(sizeof f == sizeof symbols - sizeof *symbols, "a place per symbol");
    bench_cuda *s = bench_cuda_open(ctx, libraries, symbols, &f, line);
    *state = NULL;
    if (!s)
        return false;
    if (f.create((cusolverDnHandle_t *)&s->handle) || f.set_stream(s->handle, tsl_stream(ctx)) ||
        f.create_params((cusolverDnParams_t *)&s->params) || tsl_matrix_create(ctx, TSL_Z, 1, 1, &s->holds_info)) {
        close_it(s);
        strcpy(line, "cuSOLVER gives no handle");
        return false;
    }
    s->info = tsl_matrix_data(s->holds_info);
    *state = s;
    return true;
}

static bool prepare(void *state, bench_problem *p) { return bench_cuda_prepare(state, &p->routine->cusolver, p); }
static bool run(void *state, bench_problem *p) { return p->routine->cusolver.run(state, p); }
static bool prepare_mixed(void *state, bench_problem *p) { return bench_cuda_prepare(state, &p->routine->cusolver_mixed, p); }
static bool run_mixed(void *state, bench_problem *p) { return p->routine->cusolver_mixed.run(state, p); }

const bench_rival bench_cusolver = {"cusolver", BENCH_DEVICE, bench_cusolver_offers, open_it, close_it, prepare, run};
const bench_rival bench_cusolver_mixed = {"cusolver-mixed", BENCH_DEVICE, bench_cusolver_mixed_offers, open_it, close_it, prepare_mixed, run_mixed};
