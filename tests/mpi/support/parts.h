/* Matrices distributed as ScaLAPACK does, for tests of its symbols, preloaded: the same calls by these and by the ScaLAPACK
 * underneath. */
#ifndef TEST_PARTS_H
#define TEST_PARTS_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "dense.h"
#include "grid.h"

extern void Cblacs_get(int, int, int *), Cblacs_gridinit(int *, const char *, int, int),
    Cblacs_gridinfo(int, int *, int *, int *, int *), Cblacs_gridexit(int);
extern int numroc_(const int *, const int *, const int *, const int *, const int *);
typedef void any(void);

enum { N = 41 };

static int context, shape[4]; /* BLACS: grid and place in it */
static void *real;            /* the ScaLAPACK underneath */

/* A matrix of N x N and this process's part of it. */
typedef struct part {
    tsl_type t;
    int desc[9];
    dense d; /* local */
} part;

static inline dense part_whole(tsl_type t, uint64_t seed, int dominant)
{
    dense all = dense_make(t, N, N, 0);
    if (dominant) dense_dominant(&all, seed);
    else dense_random(&all, seed);
    return all;
}

static inline part part_of(const dense *all, int mb, int nb, int rsrc, int csrc)
{
    int n = N;
    part p = {.t = all->t};
    p.d = dense_make(p.t, numroc_(&n, &mb, &shape[2], &rsrc, &shape[0]), numroc_(&n, &nb, &shape[3], &csrc, &shape[1]), CANARY_FINITE);
    memcpy(p.desc, (int[9]){1, context, N, N, mb, nb, rsrc, csrc, (int)p.d.ld}, sizeof p.desc);
    for (int64_t j = 0, lj = 0; j < N; j++) {
        if ((j / nb + csrc) % shape[1] != shape[3]) continue;
        for (int64_t i = 0, li = 0; i < N; i++)
            if ((i / mb + rsrc) % shape[0] == shape[2]) dense_put(&p.d, li++, lj, dense_get(all, i, j));
        lj++;
    }
    return p;
}

static inline part part_make(tsl_type t, int mb, int nb, int rsrc, int csrc, uint64_t seed, int dominant)
{
    dense all = part_whole(t, seed, dominant);
    part p = part_of(&all, mb, nb, rsrc, csrc);
    dense_free(&all);
    return p;
}

/* Largest difference, in units of eps times `size`; infinite if the margins differ. */
static inline double apart(const part *a, const part *b, double size)
{
    double worst = 0;
    for (int64_t j = 0; j < a->d.n; j++)
        for (int64_t i = 0; i < a->d.m; i++) worst = worse(worst, cabs(dense_get(&a->d, i, j) - dense_get(&b->d, i, j)));
    for (int64_t j = 0; j < a->d.cols; j++)
        if (memcmp(dense_at(&a->d, j < a->d.n ? a->d.m : 0, j), dense_at(&b->d, j < a->d.n ? a->d.m : 0, j),
                   (size_t)(a->d.ld - (j < a->d.n ? a->d.m : 0)) * tsl_type_size(a->t)))
            worst = INFINITY;
    return isfinite(worst) ? worst / (tsl_type_eps(a->t) * size) : INFINITY;
}

/* Is the symbol, as the program finds it, the preloaded one? */
static inline int preloaded(any *symbol)
{
    Dl_info where = {0};
    return dladdr((void *)symbol, &where) && where.dli_fname && strstr(where.dli_fname, "tesela_scalapack");
}

static inline int find_real(void)
{
    static const char *const names[] = {"libscalapack-openmpi.so.2.2", "libscalapack-openmpi.so.2.1", "libscalapack.so"};
    for (int i = 0; i < 3 && !real; i++) real = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
    return real != NULL;
}

static inline void open_grid(const char *order, int rows, int cols)
{
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, order, rows, cols);
    Cblacs_gridinfo(context, &shape[0], &shape[1], &shape[2], &shape[3]);
}

/* m x n of its elements from (i0, j0) on, on every process */
static inline dense part_together(const part *p, int64_t i0, int64_t j0, int64_t m, int64_t n)
{
    static tsl_scalar mine[N * N], all[N * N];
    memset(mine, 0, sizeof mine);
    for (int64_t j = 0, lj = 0; j < N; j++) {
        if ((j / p->desc[5] + p->desc[7]) % shape[1] != shape[3]) continue;
        for (int64_t i = 0, li = 0; i < N; i++)
            if ((i / p->desc[4] + p->desc[6]) % shape[0] == shape[2]) mine[i + j * N] = dense_get(&p->d, li++, lj);
        lj++;
    }
    MPI_Allreduce(mine, all, 2 * N * N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    dense d = dense_make(p->t, m, n, CANARY_FINITE);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) dense_put(&d, i, j, all[i0 + i + (j0 + j) * N]);
    return d;
}

/* A subroutine of pointers alone, and of lengths of letters, which are 1 */
enum { FORTRAN_MOST = 40 };
#define FORTRAN_LENGTHS (void *)1, (void *)1, (void *)1

static inline void call_fortran(any *fn, void *const a[FORTRAN_MOST])
{
    typedef void *p;
    ((void (*)(p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p,
               p, p))fn)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15],
                      a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30],
                      a[31], a[32], a[33], a[34], a[35], a[36], a[37], a[38], a[39]);
}

/* "p?NAME_" of a type; underneath: of the ScaLAPACK there */
static inline any *part_symbol(int underneath, tsl_type type, const char *name, char text[20])
{
    snprintf(text, 20, "p%c%s_", tsl_type_letter(type), name);
    return (any *)dlsym(underneath ? real : RTLD_DEFAULT, text);
}

#endif
