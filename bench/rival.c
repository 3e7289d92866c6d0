#include "bench/rival.h"

#include <stdio.h>
#include <string.h>

#ifndef TSL_WITH_CUDA
static bool not_built(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    (void)ctx;
    *state = NULL;
    snprintf(line, BENCH_LINE, "this program was built without CUDA");
    return false;
}

const bench_rival bench_cublas = {"cublas", BENCH_DEVICE, BENCH_CUBLAS_ROUTINES, .open = not_built};
const bench_rival bench_cublasxt = {"cublasxt", BENCH_HOST, BENCH_CUBLASXT_ROUTINES, .open = not_built};
const bench_rival bench_cusolver = {"cusolver", BENCH_DEVICE, BENCH_CUSOLVER_ROUTINES, .open = not_built};

bool bench_pin(void *p, size_t bytes)
{
    (void)p, (void)bytes;
    return false;
}

void bench_unpin(void *p) { (void)p; }
#endif

static const bench_rival *const rivals[BENCH_RIVALS] = {&bench_openblas, &bench_cublas, &bench_cublasxt, &bench_cusolver,
                                                        &bench_scalapack};

const bench_rival *bench_rival_find(const char *name, size_t length)
{
    for (int i = 0; i < BENCH_RIVALS; i++)
        if (strlen(rivals[i]->name) == length && !memcmp(rivals[i]->name, name, length))
            return rivals[i];
    return NULL;
}

const char *bench_rival_names(void) { return "openblas, cublas, cublasxt, cusolver, scalapack"; }

bool bench_rival_offers(const bench_rival *rival, const bench_routine *r)
{
    size_t length = strlen(bench_as(r));
    for (const char *at = rival->routines; (at = strstr(at, bench_as(r))); at += length)
        if ((at == rival->routines || at[-1] == ',') && (!at[length] || at[length] == ','))
            return true;
    return false;
}

bool bench_rival_always(void *state, bench_problem *p) { return state || p; }
