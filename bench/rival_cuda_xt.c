/* cuBLASXt on the problem's host arrays, on the context's first GPU. */
#include <cublasXt.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/rival_cublas.h"

/* In the order of `symbols`. */
typedef struct functions {
    typeof(&cublasXtCreate) create;
    typeof(&cublasXtDestroy) destroy;
    typeof(&cublasXtDeviceSelect) select;
    typeof(&cublasXtDgemm) gemm[4]; /* the four types differ only in what their pointers point to */
} functions;

static const char *const symbols[] = {"cublasXtCreate", "cublasXtDestroy", "cublasXtDeviceSelect", "cublasXtSgemm",
                                      "cublasXtDgemm",  "cublasXtCgemm",   "cublasXtZgemm",        NULL};

typedef struct state {
    functions f;
    cublasXtHandle_t handle;
} state;

static void close_it(void *opened)
{
    state *s = opened;
    if (s->handle)
        s->f.destroy(s->handle);
    free(s);
}

static bool open_it(tsl_context *ctx, void **out, char line[BENCH_LINE])
{
    tsl_device_info device;
    state *s = calloc(1, sizeof *s);
    if (!s || !bench_cuda_load(ctx, cublas_libraries, symbols, (void **)&s->f, line)) {
        free(s);
        return false;
    }
    int ordinal = tsl_device_query(ctx, 0, &device) ? 0 : device.ordinal;
    if (s->f.create(&s->handle) || s->f.select(s->handle, 1, &ordinal)) {
        snprintf(line, BENCH_LINE, "cublasXtCreate failed");
        close_it(s);
        return false;
    }
    *out = s;
    return true;
}

static bool run(void *opened, bench_problem *p)
{
    state *s = opened;
    const bench_case *c = &p->c;
    typed_scalar alpha = scalar(c->type, c->alpha), beta = scalar(c->type, c->beta);
    return !s->f.gemm[c->type](s->handle, op_of(c->flag[BENCH_TRANS]), op_of(c->flag[BENCH_TRANSB]), (size_t)c->m, (size_t)c->n, (size_t)c->k,
                               (const double *)&alpha, bench_data(p, 0, BENCH_HOST), (size_t)bench_ld(p, 0, BENCH_HOST),
                               bench_data(p, 1, BENCH_HOST), (size_t)bench_ld(p, 1, BENCH_HOST), (const double *)&beta,
                               bench_data(p, 2, BENCH_HOST), (size_t)bench_ld(p, 2, BENCH_HOST));
}

const bench_rival bench_cublasxt = {"cublasxt", BENCH_HOST, BENCH_CUBLASXT_ROUTINES, open_it, close_it, bench_rival_always, run};
