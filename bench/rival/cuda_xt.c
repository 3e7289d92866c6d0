/* cuBLASXt on the problem's host arrays, on the context's first GPU. */
#include <cublasXt.h>
#include <stdio.h>

#include "bench/rival/cuda.h"

/* In the order of `symbols`. */
typedef struct functions {
    typeof(&cublasXtCreate) create;
    typeof(&cublasXtDestroy) destroy;
    typeof(&cublasXtDeviceSelect) select;
} functions;

static const char *const symbols[] = {"cublasXtCreate", "cublasXtDestroy", "cublasXtDeviceSelect", NULL};
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
    tsl_device_info device;
    _Static_assert(sizeof f == sizeof symbols - sizeof *symbols, "a place per symbol");
    bench_cuda *b = bench_cuda_open(ctx, bench_cublas_libraries, symbols, &f, line);
    *state = NULL;
    if (!b)
        return false;
    int ordinal = tsl_device_query(ctx, 0, &device) ? 0 : device.ordinal;
    if (f.create((cublasXtHandle_t *)&b->handle) || f.select(b->handle, 1, &ordinal)) {
        snprintf(line, BENCH_LINE, "cublasXtCreate failed");
        close_it(b);
        return false;
    }
    *state = b;
    return true;
}

static bool prepare(void *state, bench_problem *p) { return bench_cuda_prepare(state, &p->routine->cublasxt, p); }
static bool run(void *state, bench_problem *p) { return p->routine->cublasxt.run(state, p); }

const bench_rival bench_cublasxt = {"cublasxt", BENCH_HOST, bench_cublasxt_offers, NULL, open_it, close_it, prepare, run, NULL};
