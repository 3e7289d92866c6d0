/* cuSOLVER's Cholesky on the problem's device matrix, on the context's own stream. */
#include <cusolverDn.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rival.h"

/* In the order of `symbols`. */
typedef struct functions {
    typeof(&cusolverDnCreate) create;
    typeof(&cusolverDnDestroy) destroy;
    typeof(&cusolverDnSetStream) set_stream;
    typeof(&cusolverDnCreateParams) create_params;
    typeof(&cusolverDnDestroyParams) destroy_params;
    typeof(&cusolverDnXpotrf_bufferSize) buffer_size;
    typeof(&cusolverDnXpotrf) potrf;
} functions;

static const char *const symbols[] = {
    "cusolverDnCreate",        "cusolverDnDestroy",           "cusolverDnSetStream", "cusolverDnCreateParams",
    "cusolverDnDestroyParams", "cusolverDnXpotrf_bufferSize", "cusolverDnXpotrf",    NULL,
};

static const char *const libraries[] = {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so", NULL};

static const cudaDataType types[4] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};

typedef struct solver {
    functions f;
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
    tsl_matrix *info, *workspace; /* device */
    size_t device_bytes, host_bytes;
    void *host;
} solver;

static void close_it(void *state)
{
    solver *s = state;
    if (!s)
        return;
    tsl_matrix_free(s->workspace);
    tsl_matrix_free(s->info);
    free(s->host);
    if (s->params)
        s->f.destroy_params(s->params);
    if (s->handle)
        s->f.destroy(s->handle);
    free(s);
}

static bool open_it(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    _Static_assert(sizeof(functions) == sizeof symbols - sizeof *symbols, "a place per symbol");
    void *table[sizeof symbols / sizeof *symbols];
    *state = NULL;
    if (!bench_cuda_load(ctx, libraries, symbols, table, line))
        return false;
    solver *s = calloc(1, sizeof *s);
    if (s)
        memcpy(&s->f, table, sizeof s->f);
    if (!s || s->f.create(&s->handle) || s->f.set_stream(s->handle, tsl_stream(ctx)) || s->f.create_params(&s->params) ||
        tsl_matrix_create(ctx, TSL_Z, 1, 1, &s->info)) {
        close_it(s);
        strcpy(line, "cuSOLVER gives no handle");
        return false;
    }
    *state = s;
    return true;
}

static cublasFillMode_t uplo_of(const bench_problem *p)
{
    return p->c.flag[BENCH_UPLO] == 'L' ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}

static bool prepare(void *state, bench_problem *p)
{
    solver *s = state;
    cudaDataType t = types[p->c.type];
    if (s->f.buffer_size(s->handle, s->params, uplo_of(p), p->c.n, t, bench_data(p, 0, BENCH_DEVICE),
                         bench_ld(p, 0, BENCH_DEVICE), t, &s->device_bytes, &s->host_bytes))
        return false;
    tsl_matrix_free(s->workspace);
    free(s->host);
    s->workspace = NULL;
    s->host = malloc(s->host_bytes + 1);
    int64_t elements = (int64_t)(s->device_bytes / tsl_type_size(TSL_Z)) + 1;
    return s->host && !tsl_matrix_create(p->ctx, TSL_Z, elements, 1, &s->workspace);
}

static bool run(void *state, bench_problem *p)
{
    solver *s = state;
    cudaDataType t = types[p->c.type];
    return !s->f.potrf(s->handle, s->params, uplo_of(p), p->c.n, t, bench_data(p, 0, BENCH_DEVICE),
                       bench_ld(p, 0, BENCH_DEVICE), t, tsl_matrix_data(s->workspace), s->device_bytes, s->host, s->host_bytes,
                       tsl_matrix_data(s->info));
}

const bench_rival bench_cusolver = {"cusolver", BENCH_DEVICE, BENCH_CUSOLVER_ROUTINES, open_it, close_it, prepare, run};
