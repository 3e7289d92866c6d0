/* The drop-in's nonsymmetric eigenproblems: LAPACK's and LAPACKE's symbols, workspace queries, refused arguments. Residuals. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tap.h"

typedef double _Complex zed;
enum { N = 37, LD = 40, WORK = 200 * N };

void dgeev_(const char *, const char *, const int *, double *, const int *, double *, double *, double *, const int *, double *, const int *, double *, const int *, int *);
void dgeev_64_(const char *, const char *, const int64_t *, double *, const int64_t *, double *, double *, double *, const int64_t *, double *, const int64_t *, double *, const int64_t *,
               int64_t *);
void zgeev_(const char *, const char *, const int *, zed *, const int *, zed *, zed *, const int *, zed *, const int *, zed *, const int *, double *, int *);
void dgehrd_(const int *, const int *, const int *, double *, const int *, double *, double *, const int *, int *);
void dorghr_(const int *, const int *, const int *, double *, const int *, const double *, double *, const int *, int *);
void dormhr_(const char *, const char *, const int *, const int *, const int *, const int *, const double *, const int *, const double *, double *, const int *, double *, const int *, int *);
void dhseqr_(const char *, const char *, const int *, const int *, const int *, double *, const int *, double *, double *, double *, const int *, double *, const int *, int *);
int LAPACKE_dgeev(int, char, char, int, double *, int, double *, double *, double *, int, double *, int);

static int complaints, complained;
__attribute__((visibility("default"))) void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name, (void)length;
    complaints++, complained = *argument;
}

static double full[LD * LD], a[LD * LD], v[LD * LD], q[LD * LD], h[LD * LD], wr[N], wi[N], tau[N], work[WORK], rwork[WORK];
static zed zfull[LD * LD], za[LD * LD], zv[LD * LD], zw[N], zwork[WORK];
static const int n = N, ld = LD, lwork = WORK, query = -1, one = 1;

static double number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)(1ll << 52) - 1;
}

/* |A v - l v| of all pairs beside N^2 eps; by rows: matrices of LAPACKE's are stored so */
static double off(int by_rows)
{
    double most = 0;
    for (int j = 0; j < N; j++) {
        int first = wi[j] < 0 ? j - 1 : j;
        zed l = CMPLX(wr[j], wi[j]);
        for (int i = 0; i < N; i++) {
            zed x = 0;
            for (int k = 0; k <= N; k++) {
                int r = k < N ? k : i;
                double re = by_rows ? v[r * LD + first] : v[r + first * LD], im = wi[j] == 0 ? 0 : by_rows ? v[r * LD + first + 1] : v[r + (first + 1) * LD];
                zed e = CMPLX(re, wi[j] < 0 ? -im : im);
                x += k < N ? full[i + k * LD] * e : -l * e;
            }
            most = worse(most, cabs(x));
        }
    }
    return most / (N * N * DBL_EPSILON);
}

static double zoff(void)
{
    double most = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            zed x = -zw[j] * zv[i + j * LD];
            for (int k = 0; k < N; k++) x += zfull[i + k * LD] * zv[k + j * LD];
            most = worse(most, cabs(x));
        }
    return most / (N * N * DBL_EPSILON);
}

/* |A Q - Q H| */
static double off_schur(void)
{
    double most = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double x = 0;
            for (int k = 0; k < N; k++) x += full[i + k * LD] * q[k + j * LD] - q[i + k * LD] * h[k + j * LD];
            most = tsl_larger(most, isnan(x) ? INFINITY : fabs(x));
        }
    return most / (N * N * DBL_EPSILON);
}

int main(void)
{
    int info = 0;
    double best = 0;
    for (int i = 0; i < LD * LD; i++) full[i] = number(), zfull[i] = CMPLX(number(), number());
    memcpy(a, full, sizeof a);
    dgeev_("N", "V", &n, a, &ld, wr, wi, NULL, &one, v, &ld, &best, &query, &info);
    check(!info && best >= 4 * N && best <= WORK, "dgeev asks for %g", best);
    dgeev_("N", "V", &n, a, &ld, wr, wi, NULL, &one, v, &ld, work, &lwork, &info);
    check(!info && off(0) < 30, "dgeev: info %d, residual %g", info, off(0));
    int64_t n64 = N, ld64 = LD, lwork64 = WORK, one64 = 1, info64 = -7;
    memcpy(a, full, sizeof a);
    dgeev_64_("N", "V", &n64, a, &ld64, wr, wi, NULL, &one64, v, &ld64, work, &lwork64, &info64);
    check(!info64 && off(0) < 30, "dgeev_64: info %d, residual %g", (int)info64, off(0));
    memcpy(a, full, sizeof a), memcpy(h, full, sizeof h);
    dgehrd_(&n, &one, &n, a, &ld, tau, work, &lwork, &info);
    check(!info, "dgehrd: info %d", info);
    memcpy(q, a, sizeof q);
    dorghr_(&n, &one, &n, q, &ld, tau, work, &lwork, &info);
    check(!info, "dorghr: info %d", info);
    dormhr_("L", "T", &n, &n, &one, &n, a, &ld, tau, h, &ld, work, &lwork, &info);
    dormhr_("R", "N", &n, &n, &one, &n, a, &ld, tau, h, &ld, work, &lwork, &info);
    check(!info && off_schur() < 30, "dormhr: info %d, residual %g", info, off_schur());
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) h[i + j * LD] = i > j + 1 ? 0 : a[i + j * LD];
    dhseqr_("S", "V", &n, &one, &n, h, &ld, wr, wi, q, &ld, work, &lwork, &info);
    check(!info && off_schur() < 30, "dhseqr: info %d, residual %g", info, off_schur());
    checked("real");
    memcpy(za, zfull, sizeof za);
    zgeev_("N", "V", &n, za, &ld, zw, NULL, &one, zv, &ld, zwork, &lwork, rwork, &info);
    check(!info && zoff() < 30, "zgeev: info %d, residual %g", info, zoff());
    checked("complex");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i * LD + j] = full[i + j * LD];
    info = LAPACKE_dgeev(101, 'N', 'V', N, a, LD, wr, wi, NULL, N, v, LD);
    check(!info && off(1) < 30, "LAPACKE_dgeev by rows: %d, residual %g", info, off(1));
    a[0] = NAN;
    check(LAPACKE_dgeev(102, 'N', 'V', N, a, LD, wr, wi, NULL, N, v, LD) == -5, "a NaN in argument 5");
    checked("LAPACKE");
    complaints = 0;
    dgeev_("N", "V", &n, a, &one, wr, wi, NULL, &one, v, &ld, work, &lwork, &info);
    check(info == -5 && complaints == 1 && complained == 5, "lda: info %d, told %d times of %d", info, complaints, complained);
    dgehrd_(&n, &n, &one, a, &ld, tau, work, &lwork, &info);
    check(info == -3 && complained == 3, "ihi: info %d", info);
    checked("what is refused");
    return tap_done();
}
