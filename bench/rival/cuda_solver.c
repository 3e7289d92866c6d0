/* cuSOLVER on the problem's device matrices, on the context's own stream. */
#include <cusolverDn.h>
#include <string.h>

#include "bench/rival/cuda_words.h"
#include "bench/rival/cuda.h"

_Static_assert((int)CUDA_FLOAT == CUDA_R_32F && (int)CUDA_DOUBLE == CUDA_R_64F && (int)CUDA_COMPLEX_FLOAT == CUDA_C_32F &&
                   (int)CUDA_COMPLEX_DOUBLE == CUDA_C_64F, "CUDA's types");
_Static_assert((int)CUDA_VALUES == CUSOLVER_EIG_MODE_NOVECTOR && (int)CUDA_VECTORS == CUSOLVER_EIG_MODE_VECTOR && (int)CUDA_BY_INDEX == CUSOLVER_EIG_RANGE_I &&
                   CUSOLVER_EIG_TYPE_1 == 1, "of eigenproblems");
_Static_assert(sizeof(cudaDataType) == sizeof(int) && sizeof(cusolverStatus_t) == sizeof(int) && CUSOLVER_STATUS_SUCCESS == 0, "numbers");

/* In the order of `symbols`. */
typedef struct functions {
    typeof(&cusolverDnCreate) create;
    typeof(&cusolverDnDestroy) destroy;
    typeof(&cusolverDnSetStream) set_stream;
    typeof(&cusolverDnCreateParams) create_params;
    typeof(&cusolverDnDestroyParams) destroy_params;
    typeof(&cusolverDnIRSParamsCreate) create_refinement;
    typeof(&cusolverDnIRSParamsDestroy) destroy_refinement;
    typeof(&cusolverDnIRSParamsSetSolverPrecisions) set_precisions;
    typeof(&cusolverDnIRSParamsSetRefinementSolver) set_solver;
    typeof(&cusolverDnIRSInfosCreate) create_history;
    typeof(&cusolverDnIRSInfosDestroy) destroy_history;
} functions;

static const char *const symbols[] = {"cusolverDnCreate",
                                      "cusolverDnDestroy",
                                      "cusolverDnSetStream",
                                      "cusolverDnCreateParams",
                                      "cusolverDnDestroyParams",
                                      "cusolverDnIRSParamsCreate",
                                      "cusolverDnIRSParamsDestroy",
                                      "cusolverDnIRSParamsSetSolverPrecisions",
                                      "cusolverDnIRSParamsSetRefinementSolver",
                                      "cusolverDnIRSInfosCreate",
                                      "cusolverDnIRSInfosDestroy",
                                      NULL};
static const char *const libraries[] = {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so", NULL};
static functions f;

static void close_it(void *state)
{
    bench_cuda *s = state;
    if (s->history)
        f.destroy_history(s->history);
    if (s->refinement)
        f.destroy_refinement(s->refinement);
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
        f.create_params((cusolverDnParams_t *)&s->params) || f.create_refinement((cusolverDnIRSParams_t *)&s->refinement) ||
        f.create_history((cusolverDnIRSInfos_t *)&s->history) || tsl_matrix_create(ctx, TSL_Z, 1, 1, &s->holds_info)) {
        close_it(s);
        strcpy(line, "cuSOLVER gives no handle");
        return false;
    }
    s->info = tsl_matrix_data(s->holds_info);
    *state = s;
    return true;
}

/* One way of it after the other: its usual functions; those that refine solutions of single precision; those by Jacobi's
 * method. */
static bool takes_by(const bench_by_cuda *by, const bench_problem *p) { return !by->takes || by->takes(&p->c); }
static bool finish_by(const bench_by_cuda *by, void *state, bench_problem *p) { return !by->finish || by->finish(state, p); }

static bool takes(const bench_problem *p) { return takes_by(&p->routine->cusolver, p); }
static bool prepare(void *state, bench_problem *p) { return bench_cuda_prepare(state, &p->routine->cusolver, p); }
static bool run(void *state, bench_problem *p) { return p->routine->cusolver.run(state, p); }
static bool finish(void *state, bench_problem *p) { return finish_by(&p->routine->cusolver, state, p); }

static bool takes_jacobi(const bench_problem *p) { return takes_by(&p->routine->cusolver_jacobi, p); }
static bool prepare_jacobi(void *state, bench_problem *p) { return bench_cuda_prepare(state, &p->routine->cusolver_jacobi, p); }
static bool run_jacobi(void *state, bench_problem *p) { return p->routine->cusolver_jacobi.run(state, p); }
static bool finish_jacobi(void *state, bench_problem *p) { return finish_by(&p->routine->cusolver_jacobi, state, p); }

/* Factors of single precision and classical refinement: of all it offers the fastest on an H200 (halves, bfloat16, tf32;
 * GMRES), that of its one-call form included. */
static bool prepare_mixed(void *state, bench_problem *p)
{
    bench_cuda *s = state;
    const bool is_complex = bench_is_complex(p->c.type);
    return !f.set_precisions(s->refinement, is_complex ? CUSOLVER_C_64F : CUSOLVER_R_64F, is_complex ? CUSOLVER_C_32F : CUSOLVER_R_32F) &&
           !f.set_solver(s->refinement, CUSOLVER_IRS_REFINE_CLASSICAL) && bench_cuda_prepare(s, &p->routine->cusolver_mixed, p);
}

static bool run_mixed(void *state, bench_problem *p) { return p->routine->cusolver_mixed.run(state, p); }

const bench_rival bench_cusolver = {"cusolver", BENCH_DEVICE, bench_cusolver_offers, takes, open_it, close_it,
                                    prepare, run, finish};
const bench_rival bench_cusolver_mixed = {
    "cusolver-mixed", BENCH_DEVICE, bench_cusolver_mixed_offers, NULL, open_it, close_it, prepare_mixed, run_mixed, NULL};
const bench_rival bench_cusolver_jacobi = {"cusolver-jacobi", BENCH_DEVICE, bench_cusolver_jacobi_offers, takes_jacobi, open_it,
                                           close_it, prepare_jacobi, run_jacobi, finish_jacobi};
