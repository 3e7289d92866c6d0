/* One description per routine gives its correctness sweep (tests/calls/test_sweep.c) and its timing (`tesela bench`). */
#ifndef BENCH_H
#define BENCH_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tesela.h"

enum { BENCH_OPERANDS = 5, BENCH_RESULTS = 9 };

/* A scaled residual below OK is right; between OK and SUSPECT it deserves a look; above, it is wrong. */
#define BENCH_OK 30.0
#define BENCH_SUSPECT 100.0

/* The letters a routine may take. Values are BLAS's letters; of the ops, 'J' conjugates without transposing: only views have
 * it. */
typedef enum bench_flag { BENCH_SIDE, BENCH_UPLO, BENCH_TRANS, BENCH_TRANSB, BENCH_DIAG, BENCH_NORM, BENCH_JOBZ, BENCH_FLAGS } bench_flag;

/* One instance of a routine. A flag the routine does not have is 0. Each operand is the block at (row0, col0) of a larger
 * array, with `pad` more rows below it. */
typedef struct bench_case {
    tsl_type type;
    int64_t m, n, k;
    int64_t count; /* of a batch: its problems; 0: one */
    char flag[BENCH_FLAGS];
    tsl_scalar alpha, beta;
    int64_t row0, col0, pad;
    uint64_t seed;
    bool dominant; /* of LU: the matrix needs no exchanges of rows */
} bench_case;

typedef enum bench_fill {
    BENCH_RANDOM,   /* entries uniform in [-1,1], real and imaginary part */
    BENCH_SOLVABLE, /* a triangle whose inverse has a norm of order 1 */
    BENCH_FACTOR,   /* the same with a positive diagonal, as a Cholesky factor */
    BENCH_POSITIVE, /* Hermitian positive definite */
    BENCH_DOMINANT, /* the diagonal exceeds the sums of rows and of columns */
    BENCH_PIVOTS,   /* exchanges of rows: indices (TSL_INDEX) as LU leaves them */
    BENCH_FOR_PIVOTS, /* an array for these, not read */
    BENCH_FREE,     /* zeros: indices of columns, none of which is fixed */
    BENCH_REFLECTING, /* factors 2 / |v|^2 of reflectors, which are in the operand before it (of the first, after it) below the diagonal, and
                         have a one on it */
    BENCH_SMALL,    /* random, and a tenth of what makes the norm 1 */
    /* a Schur form: upper triangular with eigenvalues to the right of 1, of real elements every other pair of them complex */
    BENCH_SCHUR,
    BENCH_NOT_READ, /* NaN: the operation must not look at it */
} bench_fill;

/* How a matrix of level 2 lies in its array: as it is, by its diagonals, or a triangle column by column in one vector. */
typedef enum bench_storage { BENCH_DENSE, BENCH_BAND, BENCH_PACKED } bench_storage;

typedef struct bench_shape {
    int64_t rows, cols; /* of the array's block */
    bench_storage storage;
    /* not dense: the matrix's rows and columns, and diagonals on either side, or on one of a triangle */
    int64_t height, order, k;
    tsl_uplo triangle;        /* and which triangle it is; the block itself is referenced whole */
    tsl_uplo part; /* the triangle that is referenced */
    tsl_diag diag;
    bench_fill fill;
    bool real; /* of the real type, whatever the problem's */
    bool wide; /* of double precision and real, whatever the problem's */
    int64_t problems; /* of a batch: so many such blocks side by side; 0: it is no batch */
} bench_shape;

/* An operand in its array of ld x width elements. What the operation may not reference holds NaNs with a known bit pattern. */
typedef struct bench_array {
    tsl_type type;
    bench_shape is;
    int64_t row0, col0, ld, width;
    void *first;                          /* host: as generated */
    void *work;                           /* host: what host runs work on, and where results are fetched to */
    tsl_matrix *source, *result, *device; /* first, work, and the copy on the context's first device (NULL: not asked for) */
    tsl_matrix *kept;                     /* of a batch on the device: another copy there, which `device` is restored from */
    bool stale[2];                        /* by bench_place: generated anew since that copy was made */
} bench_array;

typedef enum bench_place { BENCH_HOST, BENCH_DEVICE } bench_place;
typedef enum bench_interface { BENCH_TYPED, BENCH_VIEWS } bench_interface;

typedef struct bench_routine bench_routine;
struct bench_cuda;
struct bench_blacs;

/* The last operand is the one the routine writes, and its result. */
typedef struct bench_problem {
    const bench_routine *routine;
    bench_case c;
    tsl_context *ctx;
    bench_place place; /* where the runs' operands are */
    bool pinned;       /* the host's copies are page-locked */
    int count;
    bench_array a[BENCH_OPERANDS];
    tsl_scalar out[BENCH_RESULTS]; /* numbers the routine gives back in host memory */
} bench_problem;

typedef tsl_status (*bench_call)(bench_problem *p);

/* How rivals do a routine. OpenBLAS is linked: a function per type. The others' functions are found at run time, when a problem
 * is prepared: these are their names for real and for complex types, where ? stands for the type's letter, ! for the same in
 * lower case and @ for its real type's letter; then what calls them (rival.h has what that is given), and, each NULL where
 * there is nothing to do, what asks how much workspace that takes, what is written there before the calls, and what brings
 * results to the operands that the calls leave elsewhere. */
enum { BENCH_SYMBOLS = 3 };
typedef bool (*bench_linked)(bench_problem *p);
typedef struct bench_by_cuda {
    const char *name[2][BENCH_SYMBOLS];
    bool (*run)(struct bench_cuda *cuda, bench_problem *p), (*size)(struct bench_cuda *cuda, bench_problem *p);
    bool (*ready)(struct bench_cuda *cuda, bench_problem *p), (*finish)(struct bench_cuda *cuda, bench_problem *p);
    bool (*takes)(const bench_case *c); /* NULL: every problem */
    bool unlike; /* it computes something else, or leaves it in another form: its time counts, its result is not looked at */
} bench_by_cuda;
typedef struct bench_by_scalapack {
    const char *name[2];
    bool (*run)(struct bench_blacs *s, bench_problem *p);
} bench_by_scalapack;

/* One routine, all of it: bench/routine/ has a file per family of them. */
struct bench_routine {
    const char *name;
    /* the routine that does one of its problems: shapes, counts of work and residuals are that one's; NULL: no batch */
    const char *batch_of;
    const char *operation; /* whose variants it takes; NULL: that of its own name */
    const char *types; /* which of "sdcz" it has; NULL: all */
    const char *sizes; /* which of "mnk" it has */
    const char *flags[2][BENCH_FLAGS]; /* the typed calls' legal letters, for real and complex types; NULL: no such flag,
                                          "": an op that only views have */
    bool has_info;
    bool has_infos;  /* a batch: its first operand is the infos, one of each problem */
    int64_t (*infos)(const bench_case *c); /* what they must be; NULL: 0 */
    bool banded;     /* k is the number of diagonals on a side */
    bool writes_all; /* not only the last operand */
    bool steady;     /* its result is as good an input as the one it had: a call may follow the same call. Updates let it grow by
                        steps of the same size; solves with a BENCH_SOLVABLE triangle change its size by a factor of order 1. */
    bool real_alpha, real_beta;                         /* real for complex types too */
    bool by_bytes;                                      /* bound by memory: rated in GB/s */
    tsl_scalar alpha, beta;                             /* what is timed */
    int (*shape)(const bench_case *c, bench_shape *is); /* its operands; returns how many */
    double (*elements)(const bench_case *c);            /* reads and writes that no algorithm can avoid */
    double (*flops)(const bench_case *c);               /* of real numbers; NULL: what tsl_flops says of its typed call */
    bench_call typed[4];                                /* by tsl_type; NULL entry: views only */
    bench_call views;                                   /* NULL: it has no such form */
    double (*residual)(const bench_problem *p);
    /* the expected result, dense, and the size its rounding errors are measured against; NULL: the residual is all there is */
    double (*reference)(const bench_problem *p, tsl_scalar *expected);
    /* the worst error of some elements of the result, each in roundoffs of the sizes that it is a sum of; NULL: not known */
    double (*accuracy)(const bench_problem *p);
    bench_linked openblas[4]; /* by tsl_type; NULL entries of a routine no rival has, and of types the routine has not */
    bench_by_cuda cublas, cublasxt, cusolver, cusolver_mixed, cusolver_jacobi;
    bench_by_scalapack scalapack;
};

/* What a file of bench/routine/ gives; families.def lists them. */
typedef struct bench_family {
    const bench_routine *routine;
    int count;
} bench_family;

/* routines.c */
const bench_routine *bench_routine_at(int i); /* NULL: there are no more */
/* The name of the routine's variant i; NULL: there is none. One that is others in a row has theirs. */
const char *bench_variant(const bench_routine *r, int i);
bool bench_takes_variants(const bench_routine *r); /* of its operation, or of those it is in a row */
/* Has the variant other pivots than the rest, so that speed does not decide for it? and does it need a matrix without
 * exchanges? */
bool bench_other_pivots(const char *variant);
bool bench_no_pivots(const char *variant);
const char *bench_usual_type(const char *routine); /* "d", or "z" where there is no d */
const char *bench_names(void); /* "gemm, trsm, ...": all of them */
const bench_routine *bench_find(const char *name, size_t length); /* NULL: none of that name */
bool bench_has_type(const bench_routine *r, tsl_type t);
int bench_shapes(const bench_routine *r, const bench_case *c, bench_shape *is); /* of its operands; returns how many */
/* problems of which no operand takes more bytes */
int64_t bench_usual_count(const bench_routine *r, const bench_case *c, int64_t bytes);
/* legal letters of a flag, "" if the routine has no such flag; every op is legal in a view */
const char *bench_letters(const bench_routine *r, tsl_type t, bench_flag f, bench_interface by);
tsl_op bench_op(char letter);
double bench_flops(const bench_routine *r, const bench_case *c); /* real operations, by tsl_flops */
double bench_bytes(const bench_routine *r, const bench_case *c);
static inline bool bench_is_complex(tsl_type t) { return t == TSL_C || t == TSL_Z; }

/* The op's letter of a factor; a routine with one letter for two factors means both. */
static inline char bench_trans(const bench_case *c, int operand)
{
    return operand == 1 && c->flag[BENCH_TRANSB] ? c->flag[BENCH_TRANSB] : c->flag[BENCH_TRANS];
}

static inline bool bench_writes(const bench_problem *p, int operand)
{
    return operand == p->count - 1 || p->routine->writes_all;
}

/* A batch's first problem, as a problem of the routine it is a batch of; and the one so many further. What is theirs is still
 * the batch's. */
bench_problem bench_first(const bench_problem *p);
void bench_further(bench_problem *one, int64_t by);

/* problem.c. A failing call leaves nothing allocated. */
tsl_status bench_open(tsl_context *ctx, const bench_routine *r, const bench_case *c, bench_place place, bench_problem *p);
void bench_close(bench_problem *p);
void bench_generate(bench_problem *p, uint64_t seed);          /* new data in `first` */
bool bench_pin_all(bench_problem *p);                          /* page-locks the host's copies; false: it cannot be done */
tsl_status bench_restore(bench_problem *p, bench_place place); /* the copies there become `first` again */
void bench_keep(bench_problem *p); /* from now on by copies on the device, where there is memory for them */
tsl_status bench_fetch(bench_problem *p, int operand);         /* the device's copy into `work`; nothing to do on the host */
tsl_status bench_run(bench_problem *p, bench_interface by);
const char *
bench_trespass(const bench_problem *p); /* which operand has changed where it must not; NULL: none; after fetching all */
double bench_deviation(const bench_problem *p); /* worst error against the reference, scaled by eps; after bench_fetch */
double bench_residual(bench_problem *p);        /* after bench_fetch; infinite when info says that the routine failed */

/* problem/storage.c: the stored rows [from, to) of a matrix's column, one after the other from element `at` of the block on. */
typedef struct bench_segment {
    int64_t at, from, to;
} bench_segment;
bench_segment bench_segment_of(const bench_array *a, int64_t j);

/* Where a run's operand is. */
void *bench_data(const bench_problem *p, int operand, bench_place place);
int64_t bench_ld(const bench_problem *p, int operand, bench_place place);
tsl_view bench_view(const bench_problem *p, int operand, char trans);

#endif
