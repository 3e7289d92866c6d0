/* The preloaded library where not all goes well: a failure is seen by the program, as info or by its end; what was not touched
 * goes to the ScaLAPACK underneath; and small problems cost no more than there. What to try is the second argument. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

#if !WITH_SCALAPACK
int main(void)
{
    skip("no ScaLAPACK was found when this was built");
    return tap_done();
}
#else

extern void Cblacs_get(int, int, int *), Cblacs_gridinit(int *, const char *, int, int), Cblacs_gridinfo(int, int *, int *, int *, int *);
extern int numroc_(const int *, const int *, const int *, const int *, const int *);
extern void pdpotrf_(const char *, const int *, double *, const int *, const int *, const int *, int *, size_t),
    pdpotri_(const char *, const int *, double *, const int *, const int *, const int *, int *, size_t),
    pdtrtri_(const char *, const char *, const int *, double *, const int *, const int *, const int *, int *, size_t, size_t),
    pdpotrs_(const char *, const int *, const int *, double *, const int *, const int *, const int *, double *, const int *, const int *,
             const int *, int *, size_t),
    pdposv_(const char *, const int *, const int *, double *, const int *, const int *, const int *, double *, const int *, const int *,
            const int *, int *, size_t);
typedef void product(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *,
                     const int *, const int *, const double *, const int *, const int *, const int *, const double *, double *,
                     const int *, const int *, const int *);
extern product pdgemm_;

/* Calls of MPI that fail from now on, on one process; 0: none. */
static int failing;

int MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r)
{
    return failing && t != MPI_INT ? MPI_ERR_OTHER : PMPI_Isend(b, n, t, to, tag, c, r); /* one who gives up says so by an int */
}

static const int one = 1;
static int context, shape[4];

/* This process's part of an n x n matrix: n + 1 on the diagonal, 1 / (1 + |i - j|) beside it. */
typedef struct part {
    int desc[9], n, rows, cols;
    double *data;
} part;

static double entry(int n, int i, int j) { return i == j ? n + 1. : 1. / (1 + abs(i - j)); }
static int global(int l, int nb, int d) { return (l / nb * shape[d] + shape[2 + d]) * nb + l % nb; }

static part part_make(int n)
{
    int nb = 8, zero = 0;
    part p = {.n = n, .rows = numroc_(&n, &nb, &shape[2], &zero, &shape[0]), .cols = numroc_(&n, &nb, &shape[3], &zero, &shape[1])};
    int ld = p.rows > 1 ? p.rows : 1;
    memcpy(p.desc, (int[9]){1, context, n, n, nb, nb, 0, 0, ld}, sizeof p.desc);
    p.data = malloc((size_t)ld * (size_t)(p.cols + 1) * sizeof *p.data);
    for (int j = 0; j < p.cols; j++)
        for (int i = 0; i < p.rows; i++) p.data[i + j * ld] = entry(n, global(i, nb, 0), global(j, nb, 1));
    return p;
}

#define P(x) x.data, &one, &one, x.desc

static void multiply(product *fn, const part *A, const part *B, const part *C)
{
    const double alpha = 1, beta = 0;
    fn("N", "N", &A->n, &A->n, &A->n, &alpha, P((*A)), P((*B)), &beta, P((*C)));
}

/* The largest difference between C and the product of the matrix with itself. */
static double off(const part *C)
{
    double worst = 0;
    for (int j = 0; j < C->cols; j++)
        for (int i = 0; i < C->rows; i++) {
            int r = global(i, 8, 0), c = global(j, 8, 1);
            double sum = 0;
            for (int k = 0; k < C->n; k++) sum += entry(C->n, r, k) * entry(C->n, k, c);
            worst = worse(worst, fabs(sum - C->data[i + j * C->desc[8]]) / C->n);
        }
    return worst;
}

enum { N = 61, MPI_FAILED = -10000 - TSL_ERR_MPI };

static void results(const team *t, int n)
{
    part A = part_make(n), C = part_make(n);
    multiply(pdgemm_, &A, &A, &C);
    double far = off(&C);
    all_ok(t, far < 1e-12, "a product of order %d: off by %.2g", n, far);
    int info = 77;
    pdpotrf_("L", &n, P(A), &info, 1);
    all_ok(t, info == 0, "pdpotrf of order %d: info is %d", n, info);
    free(A.data), free(C.data);
}

/* Routines with info: the same negative number on all processes, and of the next call on that grid. A fresh one works. */
static void by_info(const team *t)
{
    static const char *const names[] = {"pdpotrf", "pdpotri", "pdtrtri", "pdpotrs", "pdposv"};
    for (int i = 0; i < 5; i++) {
        part A = part_make(N), B = part_make(N), C = part_make(N);
        int n = N, info = 77;
        Cblacs_get(-1, 0, &context); /* the last grid is broken */
        Cblacs_gridinit(&context, "Row", t->rows, t->cols);
        A.desc[1] = B.desc[1] = C.desc[1] = context;
        multiply(pdgemm_, &A, &A, &C); /* there is a grid, */
        MPI_Barrier(MPI_COMM_WORLD);   /* on all processes */
        failing = t->rank == 1;
        if (i == 0) pdpotrf_("L", &n, P(A), &info, 1);
        if (i == 1) pdpotri_("L", &n, P(A), &info, 1);
        if (i == 2) pdtrtri_("L", "N", &n, P(A), &info, 1, 1);
        if (i == 3) pdpotrs_("L", &n, &n, P(A), P(B), &info, 1);
        if (i == 4) pdposv_("L", &n, &n, P(A), P(B), &info, 1);
        failing = 0;
        all_ok(t, info == MPI_FAILED, "%s: a call of MPI fails: info is %d", names[i], info);
        pdpotrf_("L", &n, P(B), &info, 1);
        all_ok(t, info == MPI_FAILED, "%s: then pdpotrf: info is %d", names[i], info);
        free(A.data), free(B.data), free(C.data);
    }
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", t->rows, t->cols);
    results(t, N);
}

static double quick(double *seconds, int count) /* the quickest tenth */
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && seconds[j] < seconds[j - 1]; j--) {
            double s = seconds[j];
            seconds[j] = seconds[j - 1], seconds[j - 1] = s;
        }
    return seconds[count / 10];
}

/* Through the preloaded symbol and by that underneath, in turn, so that both see the same machine. */
static void speed(const team *t, product *theirs)
{
    enum { TURNS = 400 };
    static double here[TURNS], there[TURNS];
    for (int n = 10; n <= 50; n += 10) {
        part A = part_make(n), C = part_make(n);
        for (int i = -10; i < TURNS; i++)
            for (int ours = 0; ours < 2; ours++) {
                MPI_Barrier(MPI_COMM_WORLD);
                double from = MPI_Wtime();
                multiply(ours ? pdgemm_ : theirs, &A, &A, &C);
                if (i >= 0) (ours ? here : there)[i] = MPI_Wtime() - from;
            }
        double ratio = quick(here, TURNS) / quick(there, TURNS);
        all_ok(t, ratio < 1.3, "pdgemm of order %d takes %.2f of what it takes without us", n, ratio);
        free(A.data), free(C.data);
    }
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    const char *what = argc > 2 ? argv[2] : "";
    static const char *const names[] = {"libscalapack-openmpi.so.2.2", "libscalapack-openmpi.so.2.1", "libscalapack.so"};
    void *real = NULL;
    for (int i = 0; i < 3 && !real; i++) real = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
    product *theirs = real ? (product *)dlsym(real, "pdgemm_") : NULL;
    all_ok(&t, theirs && theirs != pdgemm_, "preloaded, before the ScaLAPACK underneath");
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", t.rows, t.cols);
    Cblacs_gridinfo(context, &shape[0], &shape[1], &shape[2], &shape[3]);
    if (!strcmp(what, "info")) by_info(&t);
    if (!strcmp(what, "speed")) speed(&t, theirs);
    if (!strcmp(what, "results")) results(&t, 20), results(&t, 150);
    if (!strcmp(what, "memory")) { /* on devices with hardly any: local work runs out of it when other work has been done */
        part A = part_make(150), C = part_make(150);
        int info = 77;
        pdpotrf_("L", &A.n, P(A), &info, 1);
        all_ok(&t, info == -10000 - TSL_ERR_DEVICE_MEMORY, "pdpotrf runs out of memory: info is %d", info);
        multiply(pdgemm_, &A, &A, &C);
        all_ok(&t, 0, "a product that ran out of memory has returned");
    }
    if (!strcmp(what, "end")) {
        part A = part_make(N), C = part_make(N);
        multiply(pdgemm_, &A, &A, &C); /* there is a grid, */
        MPI_Barrier(MPI_COMM_WORLD);   /* on all processes */
        failing = t.rank == 1;
        multiply(pdgemm_, &A, &A, &C);
        all_ok(&t, 0, "a product that failed has returned");
    }
    return team_close(&t);
}
#endif
