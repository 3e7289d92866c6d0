/* cuSOLVER's Cholesky and LU and what follows them, on the problem's device matrices, on the context's own stream. */
#include <cusolverDn.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rival.h"

/* The four types' functions differ only in what their pointers point to. The size of the workspace is in elements. */
typedef cusolverStatus_t (*size_call)(cusolverDnHandle_t, cublasFillMode_t, int, void *, int, int *);
typedef cusolverStatus_t (*triangle_call)(cusolverDnHandle_t, cublasFillMode_t, int, void *, int, void *, int, int *);

/* In the order of `symbols`. */
typedef struct functions {
    typeof(&cusolverDnCreate) create;
    typeof(&cusolverDnDestroy) destroy;
    typeof(&cusolverDnSetStream) set_stream;
    typeof(&cusolverDnCreateParams) create_params;
    typeof(&cusolverDnDestroyParams) destroy_params;
    typeof(&cusolverDnXpotrf_bufferSize) potrf_size;
    typeof(&cusolverDnXpotrf) potrf;
    typeof(&cusolverDnXpotrs) potrs;
    typeof(&cusolverDnXtrtri_bufferSize) trtri_size;
    typeof(&cusolverDnXtrtri) trtri;
    typeof(&cusolverDnXgetrf_bufferSize) getrf_size;
    typeof(&cusolverDnXgetrf) getrf;
    typeof(&cusolverDnXgetrs) getrs;
    size_call potri_size[4];
    triangle_call potri[4];
    size_call lauum_size[4];
    triangle_call lauum[4];
} functions;

#define ALL(name) "cusolverDnS" #name, "cusolverDnD" #name, "cusolverDnC" #name, "cusolverDnZ" #name

static const char *const symbols[] = {
    "cusolverDnCreate",
    "cusolverDnDestroy",
    "cusolverDnSetStream",
    "cusolverDnCreateParams",
    "cusolverDnDestroyParams",
    "cusolverDnXpotrf_bufferSize",
    "cusolverDnXpotrf",
    "cusolverDnXpotrs",
    "cusolverDnXtrtri_bufferSize",
    "cusolverDnXtrtri",
    "cusolverDnXgetrf_bufferSize",
    "cusolverDnXgetrf",
    "cusolverDnXgetrs",
    ALL(potri_bufferSize),
    ALL(potri),
    ALL(lauum_bufferSize),
    ALL(lauum),
    NULL,
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

#define DATA(i) bench_data(p, i, BENCH_DEVICE)
#define LD(i) bench_ld(p, i, BENCH_DEVICE)

static bool size_of_potrf(solver *s, bench_problem *p)
{
    cudaDataType t = types[p->c.type];
    return !s->f.potrf_size(s->handle, s->params, uplo_of(p), p->c.n, t, DATA(0), LD(0), t, &s->device_bytes, &s->host_bytes);
}

static bool potrf(solver *s, bench_problem *p)
{
    cudaDataType t = types[p->c.type];
    return !s->f.potrf(s->handle, s->params, uplo_of(p), p->c.n, t, DATA(0), LD(0), t, tsl_matrix_data(s->workspace),
                       s->device_bytes, s->host, s->host_bytes, tsl_matrix_data(s->info));
}

static cublasDiagType_t diag_of(const bench_problem *p)
{
    return p->c.flag[BENCH_DIAG] == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}

static bool size_of_trtri(solver *s, bench_problem *p)
{
    return !s->f.trtri_size(s->handle, uplo_of(p), diag_of(p), p->c.n, types[p->c.type], DATA(0), LD(0), &s->device_bytes,
                            &s->host_bytes);
}

static bool trtri(solver *s, bench_problem *p)
{
    return !s->f.trtri(s->handle, uplo_of(p), diag_of(p), p->c.n, types[p->c.type], DATA(0), LD(0),
                       tsl_matrix_data(s->workspace), s->device_bytes, s->host, s->host_bytes, tsl_matrix_data(s->info));
}

static bool size_by_elements(solver *s, bench_problem *p, const size_call *size)
{
    int elements = 0;
    if (size[p->c.type](s->handle, uplo_of(p), (int)p->c.n, DATA(0), (int)LD(0), &elements))
        return false;
    s->device_bytes = (size_t)elements * tsl_type_size(p->c.type);
    return true;
}

static bool on_triangle(solver *s, bench_problem *p, const triangle_call *call)
{
    return !call[p->c.type](s->handle, uplo_of(p), (int)p->c.n, DATA(0), (int)LD(0), tsl_matrix_data(s->workspace),
                            (int)(s->device_bytes / tsl_type_size(p->c.type)), tsl_matrix_data(s->info));
}

static bool size_of_potri(solver *s, bench_problem *p) { return size_by_elements(s, p, s->f.potri_size); }
static bool potri(solver *s, bench_problem *p) { return on_triangle(s, p, s->f.potri); }
static bool size_of_lauum(solver *s, bench_problem *p) { return size_by_elements(s, p, s->f.lauum_size); }
static bool lauum(solver *s, bench_problem *p) { return on_triangle(s, p, s->f.lauum); }

static bool no_workspace(solver *s, bench_problem *p) { return s && p; }

static bool potrs(solver *s, bench_problem *p)
{
    cudaDataType t = types[p->c.type];
    return !s->f.potrs(s->handle, s->params, uplo_of(p), p->c.n, p->c.k, t, DATA(0), LD(0), t, DATA(1), LD(1),
                       tsl_matrix_data(s->info));
}

static bool posv(solver *s, bench_problem *p) { return potrf(s, p) && potrs(s, p); }

/* The result of getrf comes after its pivots, the matrix of gesv before. */
static bool size_of_lu(solver *s, bench_problem *p, int A, int64_t m)
{
    cudaDataType t = types[p->c.type];
    return !s->f.getrf_size(s->handle, s->params, m, p->c.n, t, DATA(A), LD(A), t, &s->device_bytes, &s->host_bytes);
}

static bool lu(solver *s, bench_problem *p, int A, int pivots, int64_t m)
{
    cudaDataType t = types[p->c.type];
    return !s->f.getrf(s->handle, s->params, m, p->c.n, t, DATA(A), LD(A), DATA(pivots), t, tsl_matrix_data(s->workspace), s->device_bytes,
                       s->host, s->host_bytes, tsl_matrix_data(s->info));
}

static bool size_of_getrf(solver *s, bench_problem *p) { return size_of_lu(s, p, 1, p->c.m); }
static bool getrf(solver *s, bench_problem *p) { return lu(s, p, 1, 0, p->c.m); }

static bool solve(solver *s, bench_problem *p, cublasOperation_t op)
{
    cudaDataType t = types[p->c.type];
    return !s->f.getrs(s->handle, s->params, op, p->c.n, p->c.k, t, DATA(0), LD(0), DATA(1), t, DATA(2), LD(2), tsl_matrix_data(s->info));
}

static bool getrs(solver *s, bench_problem *p)
{
    char letter = p->c.flag[BENCH_TRANS];
    return solve(s, p, letter == 'N' ? CUBLAS_OP_N : letter == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C);
}

static bool size_of_gesv(solver *s, bench_problem *p) { return size_of_lu(s, p, 0, p->c.n); }
static bool gesv(solver *s, bench_problem *p) { return lu(s, p, 0, 1, p->c.n) && solve(s, p, CUBLAS_OP_N); }

static const struct call {
    const char *name;
    bool (*size)(solver *s, bench_problem *p), (*run)(solver *s, bench_problem *p);
} calls[] = {
    {"potrf", size_of_potrf, potrf}, {"trtri", size_of_trtri, trtri}, {"lauum", size_of_lauum, lauum},
    {"potri", size_of_potri, potri}, {"potrs", no_workspace, potrs},  {"posv", size_of_potrf, posv},
    {"getrf", size_of_getrf, getrf}, {"getrs", no_workspace, getrs},  {"gesv", size_of_gesv, gesv},
};

static const struct call *call_for(const bench_problem *p)
{
    const struct call *c = calls;
    while (strcmp(c->name, p->routine->name)) /* what it offers is in the table */
        c++;
    return c;
}

static bool prepare(void *state, bench_problem *p)
{
    solver *s = state;
    s->device_bytes = s->host_bytes = 0;
    if (!call_for(p)->size(s, p))
        return false;
    tsl_matrix_free(s->workspace);
    free(s->host);
    s->workspace = NULL;
    s->host = malloc(s->host_bytes + 1);
    int64_t elements = (int64_t)(s->device_bytes / tsl_type_size(TSL_Z)) + 1;
    return s->host && !tsl_matrix_create(p->ctx, TSL_Z, elements, 1, &s->workspace);
}

static bool run(void *state, bench_problem *p) { return call_for(p)->run(state, p); }

const bench_rival bench_cusolver = {"cusolver", BENCH_DEVICE, BENCH_CUSOLVER_ROUTINES, open_it, close_it, prepare, run};
