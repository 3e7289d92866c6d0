/* What a routine's rate is compared with: the GPU's data sheet, or on the host what OpenBLAS's gemm reaches here. */
#include <string.h>

#include "bench/measure/measure.h"

enum { GEMM_ORDER = 1024, GEMM_RUNS = 5 };
/* after the first run, which warms up; a machine that takes as long has no more to show */
static const double GEMM_SECONDS = 0.25;

static const struct {
    const char *name; /* part of the device's name */
    double flops[4];  /* by tsl_type, real operations per second */
    double bytes;
} gpus[] = {
    {"H200", {67e12, 67e12, 67e12, 67e12}, 4.8e12},
};

static double openblas_gemm(tsl_context *ctx, tsl_type t)
{
    const bench_routine *gemm = bench_find("gemm", 4);
    bench_case c = {.type = t, .m = GEMM_ORDER, .n = GEMM_ORDER, .k = GEMM_ORDER, .alpha = gemm->alpha, .beta = gemm->beta};
    c.flag[BENCH_TRANS] = c.flag[BENCH_TRANSB] = 'N';
    bench_problem p;
    if (bench_open(ctx, gemm, &c, BENCH_HOST, &p))
        return 0;
    double best = 0, spent = 0;
    for (int i = 0; i < GEMM_RUNS && spent < GEMM_SECONDS && !bench_restore(&p, BENCH_HOST); i++) {
        double start = bench_now();
        bench_openblas.run(NULL, &p);
        double seconds = bench_now() - start, rate = bench_flops(gemm, &c) / seconds;
        best = rate > best ? rate : best;
        spent += i ? seconds : 0;
    }
    bench_close(&p);
    return best;
}

static double look_for(bench_session *s, tsl_type t)
{
    tsl_device_info d;
    if (tsl_device_query(s->ctx, 0, &d))
        return 0;
    if (!strcmp(d.backend, "host"))
        return openblas_gemm(s->ctx, t);
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (strstr(d.name, gpus[i].name)) {
            s->limit_bytes = gpus[i].bytes;
            return gpus[i].flops[t];
        }
    return 0;
}

double bench_limit(bench_session *s, const bench_record *r)
{
    double *limit = &s->limit[r->c.type];
    if (*limit < 0)
        *limit = look_for(s, r->c.type);
    double *bound = r->routine->by_bytes ? &s->limit_bytes : limit;
    if (*bound > 0 && bench_rate(r) > *bound)
        *bound = bench_rate(r); /* what was reached is no less than the limit */
    return *bound;
}
