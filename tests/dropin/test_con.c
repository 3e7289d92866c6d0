/* The drop-in's conditions, scalings and bounds: LAPACK's and LAPACKE's symbols beside each other and beside what is known. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

typedef double _Complex zed;
enum { N = 20, LD = 23, K = 2 };

void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dgetrs_(const char *, const int *, const int *, const double *, const int *, const int *, double *, const int *, int *);
void dgecon_(const char *, const int *, const double *, const int *, const double *, double *, double *, int *, int *);
void dgecon_64_(const char *, const int64_t *, const double *, const int64_t *, const double *, double *, double *, int64_t *, int64_t *);
void dtrcon_(const char *, const char *, const char *, const int *, const double *, const int *, double *, double *, int *, int *);
void zgetrf_(const int *, const int *, zed *, const int *, int *, int *);
void zhecon_(const char *, const int *, const zed *, const int *, const int *, const double *, double *, zed *, int *);
void zgecon_(const char *, const int *, const zed *, const int *, const double *, double *, zed *, double *, int *);
void dgeequ_(const int *, const int *, const double *, const int *, double *, double *, double *, double *, double *, int *);
void dgerfs_(const char *, const int *, const int *, const double *, const int *, const double *, const int *, const int *, const double *, const int *, double *, const int *, double *,
             double *, double *, int *, int *);
void dgesvx_(const char *, const char *, const int *, const int *, double *, const int *, double *, const int *, int *, char *, double *, double *, double *, const int *, double *, const int *,
             double *, double *, double *, double *, int *, int *);
void dgesvx_64_(const char *, const char *, const int64_t *, const int64_t *, double *, const int64_t *, double *, const int64_t *, int64_t *, char *, double *, double *, double *,
                const int64_t *, double *, const int64_t *, double *, double *, double *, double *, int64_t *, int64_t *);
void dposvx_(const char *, const char *, const int *, const int *, double *, const int *, double *, const int *, char *, double *, double *, const int *, double *, const int *, double *, double *,
             double *, double *, int *, int *);
int LAPACKE_dgecon(int, char, int, const double *, int, double, double *);
int LAPACKE_dgeequ(int, int, int, const double *, int, double *, double *, double *, double *, double *);

static int complaints, complained;
__attribute__((visibility("default"))) void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name, (void)length;
    complaints++, complained = *argument;
}

static double a[LD * N], f[LD * N], b[LD * K], x[LD * K], r[N], c[N], work[4 * N], ferr[K], berr[K];
static zed za[LD * N], zwork[2 * N];
static double rwork[2 * N];
static int ipiv[N], iwork[N];
static int64_t iwork64[N];
static const int n = N, ld = LD, k = K;

static double residual(const double *A, const double *B)
{
    double off = 0;
    for (int j = 0; j < K; j++)
        for (int i = 0; i < N; i++) {
            double sum = -B[i + j * LD];
            for (int l = 0; l < N; l++) sum += A[i + l * LD] * x[l + j * LD];
            off = worse(off, fabs(sum));
        }
    return off;
}

/* The expert drivers: scaled and factored, then with the factors */
static void drivers(void)
{
    double g[LD * N], h[LD * K], whole[LD * N], rcond = -1, growth;
    int info = -7;
    int64_t n64 = N, ld64 = LD, k64 = K, ipiv64[N] = {0}, info64 = -7;
    char equed = '?';
    memcpy(whole, a, sizeof whole);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) whole[i + j * LD] *= exp2(i % 4 * 10);
    memcpy(g, whole, sizeof g), memcpy(h, b, sizeof h), memset(x, 0, sizeof x);
    dgesvx_("E", "N", &n, &k, g, &ld, f, &ld, ipiv, &equed, r, c, h, &ld, x, &ld, &rcond, ferr, berr, work, iwork, &info);
    growth = work[0];
    ok(info == 0 && equed == 'R' && rcond > 0.1 && growth > 0.5 && growth < 2 && residual(whole, b) < 1e-8 && berr[1] < 1e-14, "dgesvx: info %d, equed %c, rcond %g, growth %g, %g", info, equed, rcond,
       growth, residual(whole, b));
    memcpy(h, b, sizeof h), memset(x, 0, sizeof x);
    dgesvx_("F", "N", &n, &k, g, &ld, f, &ld, ipiv, &equed, r, c, h, &ld, x, &ld, &rcond, ferr, berr, work, iwork, &info);
    ok(info == 0 && equed == 'R' && residual(whole, b) < 1e-8, "dgesvx with factors: info %d, %g", info, residual(whole, b));
    memcpy(g, whole, sizeof g), memcpy(h, b, sizeof h), memset(x, 0, sizeof x);
    dgesvx_64_("N", "N", &n64, &k64, g, &ld64, f, &ld64, ipiv64, &equed, r, c, h, &ld64, x, &ld64, &rcond, ferr, berr, work, iwork64, &info64);
    ok(info64 == 0 && equed == 'N' && residual(whole, b) < 1e-8, "dgesvx_64: info %d, equed %c, %g", (int)info64, equed, residual(whole, b));
    memcpy(g, whole, sizeof g), memcpy(h, b, sizeof h), memset(x, 0, sizeof x);
    dgesvx_64_("F", "N", &n64, &k64, g, &ld64, f, &ld64, ipiv64, &equed, r, c, h, &ld64, x, &ld64, &rcond, ferr, berr, work, iwork64, &info64);
    ok(info64 == 0 && residual(whole, b) < 1e-8, "dgesvx_64 with factors: info %d, %g", (int)info64, residual(whole, b));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) whole[i + j * LD] = (i == j ? N : 0) + 1.0 / (1 + abs(i - j));
    memcpy(g, whole, sizeof g), memcpy(h, b, sizeof h), memset(x, 0, sizeof x);
    dposvx_("E", "U", &n, &k, g, &ld, f, &ld, &equed, r, h, &ld, x, &ld, &rcond, ferr, berr, work, iwork, &info);
    ok(info == 0 && equed == 'N' && rcond > 0.1 && residual(whole, b) < 1e-12, "dposvx: info %d, equed %c, rcond %g, %g", info, equed, rcond, residual(whole, b));
    int before = complaints;
    dgesvx_("X", "N", &n, &k, g, &ld, f, &ld, ipiv, &equed, r, c, h, &ld, x, &ld, &rcond, ferr, berr, work, iwork, &info);
    ok(info == -1 && complaints == before + 1, "a bad letter: info %d", info);
}

/* |i - j| small numbers, and a diagonal: conditions are known, but for a factor of 3 */
static void fill(void)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) a[i + j * LD] = i == j ? (double)(i + 1) : 0.01 / (double)(1 + i + 2 * j), za[i + j * LD] = a[i + j * LD] * (0.6 + 0.8 * I);
    memcpy(f, a, sizeof f);
}

int main(void)
{
    double anorm = 0, rcond = -1, again = -1, row, col, most;
    int info = -7;
    fill();
    for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int i = 0; i < N; i++) sum += fabs(a[i + j * LD]);
        anorm = tsl_larger(anorm, sum);
    }
    dgetrf_(&n, &n, f, &ld, ipiv, &info);
    dgecon_("1", &n, f, &ld, &anorm, &rcond, work, iwork, &info);
    ok(info == 0 && rcond > 0.04 && rcond < 0.06, "dgecon: %g", rcond); /* about 1 / N */
    int64_t n64 = N, ld64 = LD, info64 = -7;
    dgecon_64_("1", &n64, f, &ld64, &anorm, &again, work, iwork64, &info64);
    ok(info64 == 0 && fabs(again - rcond) < 1e-12, "dgecon_64: %g", again);
    ok(LAPACKE_dgecon(102, '1', N, f, LD, anorm, &again) == 0 && fabs(again - rcond) < 1e-12, "LAPACKE_dgecon: %g", again);
    dtrcon_("I", "U", "N", &n, f, &ld, &rcond, work, iwork, &info);
    ok(info == 0 && rcond > 0.04 && rcond < 0.06, "dtrcon: %g", rcond);
    zgetrf_(&n, &n, za, &ld, ipiv, &info);
    zgecon_("O", &n, za, &ld, &anorm, &rcond, zwork, rwork, &info);
    ok(info == 0 && rcond > 0.04 && rcond < 0.06, "zgecon: %g", rcond);
    for (int i = 0; i < N; i++) ipiv[i] = i + 1;
    za[LD + 1] = NAN;
    zhecon_("U", &n, za, &ld, ipiv, &anorm, &rcond, zwork, &info);
    ok(info == 0, "zhecon of NaN: %g, info %d", rcond, info); /* as LAPACK's: solve of SciPy takes another for a singular matrix */
    dgecon_("X", &n, f, &ld, &anorm, &rcond, work, iwork, &info);
    ok(info == -1 && complaints == 1 && complained == 1, "a bad letter: info %d, %d complaints", info, complaints);

    dgeequ_(&n, &n, a, &ld, r, c, &row, &col, &most, &info);
    bool good = info == 0 && most == N;
    for (int i = 0; i < N; i++) good &= fabs(r[i] * (i + 1) - 1) < 1e-14 && fabs(c[i] - 1) < 1e-14;
    ok(good && fabs(row - 1.0 / N) < 1e-14, "dgeequ: %g %g %g", row, col, most);
    ok(LAPACKE_dgeequ(101, N, N, a, LD, r, c, &row, &col, &most) == 0 && fabs(row - 1.0 / N) < 1e-14, "LAPACKE_dgeequ by rows: %g", row);

    dgetrf_(&n, &n, memcpy(f, a, sizeof f), &ld, ipiv, &info);
    for (int j = 0; j < K; j++)
        for (int i = 0; i < N; i++) b[i + j * LD] = x[i + j * LD] = 1 + i % 3 + j;
    dgetrs_("N", &n, &k, f, &ld, ipiv, x, &ld, &info);
    for (int i = 0; i < LD * K; i++) x[i] *= 1 + (i % 2 ? 1e-4 : -1e-4);
    dgerfs_("N", &n, &k, a, &ld, f, &ld, ipiv, b, &ld, x, &ld, ferr, berr, work, iwork, &info);
    double off = residual(a, b);
    ok(info == 0 && off < 1e-13 && berr[0] < 1e-14 && berr[1] < 1e-14 && ferr[0] < 1e-10 && ferr[0] > 0, "dgerfs: residual %g, %g %g", off, ferr[0], berr[0]);
    drivers();
    return tap_done();
}
