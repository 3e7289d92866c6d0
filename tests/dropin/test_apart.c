/* A program with symbols of an OpenBLAS of another kind, here in itself: the host library that is opened beside must not
 * find them. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

#ifdef WIDE
typedef int64_t blas_int;
#else
typedef int blas_int;
#endif

enum { N = 100, LWORK = 64 * N };

void dgemm_(const char *ta, const char *tb, const blas_int *m, const blas_int *n, const blas_int *k, const double *alpha,
            const double *a, const blas_int *lda, const double *b, const blas_int *ldb, const double *beta, double *c,
            const blas_int *ldc);
void dsyev_(const char *job, const char *uplo, const blas_int *n, double *a, const blas_int *lda, double *w, double *work,
            const blas_int *lwork, blas_int *info);
void dgehrd_(const blas_int *n, const blas_int *lo, const blas_int *hi, double *a, const blas_int *lda, double *tau, double *work,
             const blas_int *lwork, blas_int *info);

static void met(const char *name)
{
    fprintf(stderr, "the host library found %s in the program\n", name);
    _exit(3);
}

#define STRANGER(name)                                       \
    __attribute__((visibility("default"))) void name(void); \
    void name(void) { met(#name); }
STRANGER(blas_memory_alloc) STRANGER(blas_memory_free) STRANGER(exec_blas) STRANGER(blas_thread_init) STRANGER(openblas_read_env)
STRANGER(dgemm_nn) STRANGER(dgemm_thread_nn) STRANGER(dsymv_thread_L)

int main(void)
{
    static double a[N * N], b[N * N], c[N * N], w[N], work[LWORK];
    const blas_int n = N, length = LWORK, first = 1;
    const double one = 1, zero = 0;
    double sum = 0, wrong = 0, trace = 0;
    blas_int info = -1;
    for (int i = 0; i < N * N; ++i) a[i] = 1.0 / (1 + i % N + i / N), b[i] = i % (N + 1) ? 0 : 2;
    for (int i = 0; i < N; ++i) trace += a[i * (N + 1)];
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
    for (int i = 0; i < N * N; ++i) wrong = fabs(c[i] - 2 * a[i]) > wrong ? fabs(c[i] - 2 * a[i]) : wrong;
    check(wrong == 0, "dgemm: off by %g", wrong);
    dsyev_("V", "L", &n, c, &n, w, work, &length, &info);
    for (int i = 0; i < N; ++i) sum += w[i];
    check(info == 0 && fabs(sum - 2 * trace) < 1e-13, "dsyev: info %d, eigenvalues off by %g", (int)info, sum - 2 * trace);
    dgehrd_(&n, &first, &n, a, &n, w, work, &length, &info);
    for (int i = 0; i < N; ++i) trace -= a[i * (N + 1)];
    check(info == 0 && fabs(trace) < 1e-13, "dgehrd: info %d, the trace off by %g", (int)info, trace);
    checked("a program with symbols of another OpenBLAS");
    return tap_done();
}
