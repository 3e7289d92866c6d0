/* ScaLAPACK on the parts of a distributed problem, found at run time, and its grid of the same shape. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rival.h"

static struct {
    int rows, cols, nb;
} grid;

void bench_scalapack_on(int rows, int cols, int64_t nb)
{
    grid.rows = rows;
    grid.cols = cols;
    grid.nb = (int)nb;
}

typedef struct scalapack {
    void *library;
    int context;
    void (*gridexit)(int context);
    int *pivots; /* its own: narrower than ours */
    int64_t room;
} scalapack;

static const char *const names[] = {"libscalapack-openmpi.so.2.2", "libscalapack-openmpi.so.2.1", "libscalapack-openmpi.so",
                                    "libscalapack-mpich.so.2.2", "libscalapack.so"};

static bool open_it(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    static scalapack s;
    (void)ctx;
    *state = &s;
    if (!grid.rows) {
        snprintf(line, BENCH_LINE, "it needs a process grid (--grid RxC under mpirun)");
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && !s.library; i++)
        s.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    void (*get)(int, int, int *) = s.library ? (void (*)(int, int, int *))dlsym(s.library, "Cblacs_get") : NULL;
    void (*init)(int *, const char *, int, int) =
        s.library ? (void (*)(int *, const char *, int, int))dlsym(s.library, "Cblacs_gridinit") : NULL;
    if (!get || !init) {
        snprintf(line, BENCH_LINE, "no libscalapack with its BLACS was found");
        return false;
    }
    s.gridexit = (void (*)(int))dlsym(s.library, "Cblacs_gridexit");
    get(-1, 0, &s.context);
    init(&s.context, "Row", grid.rows, grid.cols);
    return true;
}

static void close_it(void *state)
{
    scalapack *s = state;
    if (s->gridexit)
        s->gridexit(s->context);
    free(s->pivots);
    s->pivots = NULL, s->room = 0;
}

/* For a matrix of so many rows here, and a block more */
static bool make_room(scalapack *s, int64_t rows)
{
    if (s->room >= rows)
        return true;
    free(s->pivots);
    s->pivots = malloc((size_t)(rows + grid.nb) * sizeof *s->pivots);
    s->room = s->pivots ? rows : 0;
    return s->pivots;
}

/* An operand as ScaLAPACK takes it. */
typedef struct operand {
    void *p;
    int one, desc[9];
} operand;

static operand at(const scalapack *s, const bench_problem *p, int i)
{
    const bench_array *a = &p->a[i];
    return (operand){tsl_matrix_data(a->device), 1,
                     {1, s->context, (int)a->ld, (int)a->width, grid.nb, grid.nb, 0, 0, (int)tsl_matrix_ld(a->device)}};
}

#define OP(o) o.p, &o.one, &o.one, o.desc

typedef void three(const char *, const char *, const int *, const int *, const int *, const void *, const void *, const int *,
                   const int *, const int *, const void *, const int *, const int *, const int *, const void *, void *,
                   const int *, const int *, const int *);
typedef void symmetric(const char *, const char *, const int *, const int *, const void *, const void *, const int *,
                       const int *, const int *, const void *, const int *, const int *, const int *, const void *, void *,
                       const int *, const int *, const int *);
typedef void rank_k(const char *, const char *, const int *, const int *, const void *, const void *, const int *, const int *,
                    const int *, const void *, void *, const int *, const int *, const int *);
typedef void triangular(const char *, const char *, const char *, const char *, const int *, const int *, const void *,
                        const void *, const int *, const int *, const int *, void *, const int *, const int *, const int *);
typedef void lu(const int *, const int *, void *, const int *, const int *, const int *, int *, int *);
typedef void lu_solve(const int *, const int *, void *, const int *, const int *, const int *, int *, void *, const int *, const int *,
                      const int *, int *);
typedef void cholesky(const char *, const int *, void *, const int *, const int *, const int *, int *, size_t);

/* alpha or beta as the type has it */
static const void *scalar(tsl_type t, tsl_scalar v, bool real, double out[2])
{
    float *single = (float *)out;
    bool narrow = t == TSL_S || t == TSL_C;
    if (narrow)
        single[0] = (float)creal(v), single[1] = real ? 0 : (float)cimag(v);
    else
        out[0] = creal(v), out[1] = real ? 0 : cimag(v);
    return out;
}

static bool run(void *state, bench_problem *p)
{
    scalapack *s = state;
    const bench_case *c = &p->c;
    const char *r = p->routine->name, *f = c->flag;
    char symbol[16];
    double alpha[2], beta[2];
    int m = (int)c->m, n = (int)c->n, k = (int)c->k, info = 0;
    snprintf(symbol, sizeof symbol, "p%c%s_", tsl_type_letter(c->type), r);
    if (!bench_is_complex(c->type) && !strncmp(r, "he", 2))
        symbol[2] = 's', symbol[3] = 'y';
    void *fn = dlsym(s->library, symbol);
    operand A = at(s, p, 0), B = at(s, p, p->count > 1 ? 1 : 0), C = at(s, p, p->count - 1);
    scalar(c->type, c->alpha, p->routine->real_alpha, alpha);
    scalar(c->type, c->beta, p->routine->real_beta, beta);
    if (!fn)
        return false;
    if (!strcmp(r, "gemm"))
        ((three *)fn)(&f[BENCH_TRANS], &f[BENCH_TRANSB], &m, &n, &k, alpha, OP(A), OP(B), beta, OP(C));
    else if (!strcmp(r, "symm") || !strcmp(r, "hemm"))
        ((symmetric *)fn)(&f[BENCH_SIDE], &f[BENCH_UPLO], &m, &n, alpha, OP(A), OP(B), beta, OP(C));
    else if (!strcmp(r, "syr2k") || !strcmp(r, "her2k"))
        ((symmetric *)fn)(&f[BENCH_UPLO], &f[BENCH_TRANS], &n, &k, alpha, OP(A), OP(B), beta, OP(C));
    else if (!strcmp(r, "syrk") || !strcmp(r, "herk"))
        ((rank_k *)fn)(&f[BENCH_UPLO], &f[BENCH_TRANS], &n, &k, alpha, OP(A), beta, OP(C));
    else if (!strcmp(r, "trmm") || !strcmp(r, "trsm"))
        ((triangular *)fn)(&f[BENCH_SIDE], &f[BENCH_UPLO], &f[BENCH_TRANS], &f[BENCH_DIAG], &m, &n, alpha, OP(A), OP(B));
    else if (!strcmp(r, "potrf"))
        ((cholesky *)fn)(&f[BENCH_UPLO], &n, OP(A), &info, 1);
    else if (!strcmp(r, "getrf") && make_room(s, C.desc[8]))
        ((lu *)fn)(&m, &n, OP(C), s->pivots, &info);
    else if (!strcmp(r, "gesv") && make_room(s, A.desc[8]))
        ((lu_solve *)fn)(&n, &k, OP(A), s->pivots, OP(C), &info);
    else
        return false;
    return info == 0;
}

const bench_rival bench_scalapack = {"scalapack", BENCH_DEVICE, "gemm,symm,hemm,syrk,herk,syr2k,her2k,trmm,trsm,potrf,getrf,gesv",
                                     open_it,     close_it,     bench_rival_always,
                                     run};
