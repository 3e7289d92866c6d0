/* Other libraries on the same problems. A rival is opened once per context, prepared once per problem, and runs on the
 * problem's own operands in the place it names. */
#ifndef BENCH_RIVAL_H
#define BENCH_RIVAL_H

#include "bench/bench.h"

enum { BENCH_RIVALS = 8, BENCH_LINE = 256 };

typedef struct bench_rival {
    const char *name;
    bench_place place; /* BENCH_HOST: blocking calls, by the wall clock; BENCH_DEVICE: work on the context's queue */
    bool (*offers)(const bench_routine *r);
    bool (*takes)(const bench_problem *p); /* of a routine it offers; NULL: every problem */
    bool (*open)(tsl_context *ctx, void **state, char line[BENCH_LINE]); /* false: `line` says why it is not there */
    void (*close)(void *state);
    bool (*prepare)(void *state, bench_problem *p); /* its functions, workspace and the like; not timed */
    bool (*run)(void *state, bench_problem *p);
    /* its results become the operands', where they are elsewhere; NULL: they never are */
    bool (*finish)(void *state, bench_problem *p);
} bench_rival;

extern const bench_rival bench_openblas, bench_cublas, bench_cublas_fixed, bench_cublasxt, bench_cusolver, bench_cusolver_mixed,
    bench_cusolver_jacobi, bench_scalapack;

/* rival.c: by name; NULL for no such rival, in any build. In a build without CUDA its rivals exist but cannot be opened. */
const bench_rival *bench_rival_find(const char *name, size_t length);
const char *bench_rival_names(void); /* "openblas, cublas, ..." */
static inline bool bench_cublas_offers(const bench_routine *r) { return r->cublas.run; }
/* Products, one at a time */
static inline bool bench_cublas_fixed_offers(const bench_routine *r)
{
    return r->cublas.run && !r->cublas.size && !r->by_bytes && !r->batch_of;
}
static inline bool bench_cublasxt_offers(const bench_routine *r) { return r->cublasxt.run; }
static inline bool bench_cusolver_offers(const bench_routine *r) { return r->cusolver.run; }
static inline bool bench_cusolver_mixed_offers(const bench_routine *r) { return r->cusolver_mixed.run; }
static inline bool bench_cusolver_jacobi_offers(const bench_routine *r) { return r->cusolver_jacobi.run; }
static inline bool bench_rival_runs(const bench_rival *r, const bench_problem *p)
{
    return r->offers(p->routine) && (!r->takes || r->takes(p));
}

/* rival.c: the name of a function for a type (bench.h says what its signs stand for), and the function in a library; NULL: it
 * has none */
void *bench_function(void *library, const char *name, tsl_type t);

/* Memory that stays from call to call and grows: its allocation is not what is timed. */
typedef struct bench_room {
    void *p;
    size_t bytes;
} bench_room;
void *bench_room_for(bench_room *room, size_t bytes);
void bench_room_free(bench_room *room);

/* openblas.c: until it is closed */
extern bench_room bench_openblas_work, bench_openblas_indices;

/* What calls of cuBLAS, cuBLASXt and cuSOLVER are given. Handles are pointers, their words are numbers (routine.h). */
typedef struct bench_cuda {
    void *library, *handle, *params;
    void *refinement, *history;      /* of cuSOLVER's mixed precision: what it is asked for, and what it tells of it */
    void *f[BENCH_SYMBOLS];          /* the routine's functions for the problem's type, in the order of their names */
    size_t device_bytes, host_bytes; /* the workspace, as the routine's `size` has found it */
    void *device, *host, *info;
    tsl_matrix *holds_device, *holds_info;
} bench_cuda;

/* What calls of ScaLAPACK are given: the routine's function for the problem's type, and its grid. */
typedef struct bench_blacs {
    void *library, *f;
    int context, nb, cols, col; /* columns of processes, and this one's */
    void (*exit)(int context);
    bench_room pivots; /* narrower than ours */
    bench_room work;
} bench_blacs;

/* A number in the type's own representation. */
typedef union bench_number {
    float s;
    double d;
    tsl_cfloat c;
    tsl_cdouble z;
} bench_number;
bench_number bench_number_of(tsl_type t, tsl_scalar v);
tsl_scalar bench_value_of(tsl_type t, const bench_number *v);
static inline tsl_type bench_real(tsl_type t) { return t == TSL_S || t == TSL_C ? TSL_S : TSL_D; }
static inline bench_number bench_alpha(const bench_problem *p)
{
    return bench_number_of(p->routine->real_alpha ? bench_real(p->c.type) : p->c.type, p->c.alpha);
}
static inline bench_number bench_beta(const bench_problem *p)
{
    return bench_number_of(p->routine->real_beta ? bench_real(p->c.type) : p->c.type, p->c.beta);
}

/* scalapack.c: the grid it is to run on, before it is opened, and the blocks its operands are distributed in */
void bench_scalapack_on(int rows, int cols, int64_t nb);

/* cuda.c: page-locks host memory; false: that cannot be done here */
bool bench_pin(void *p, size_t bytes);
void bench_unpin(void *p);
bool bench_pci(int ordinal, char *out, int size); /* the PCI address of a GPU; false: it is not known */

#endif
