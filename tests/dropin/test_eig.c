/* The drop-in's eigenproblems: LAPACK's and LAPACKE's symbols, workspace queries, refused arguments. Residuals, and the host
 * library's eigenvalues. */
#define _GNU_SOURCE
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

typedef double _Complex zed;
enum { N = 37, LD = 40, WORK = 4 * N * N + 200 * N };

void dsyevd_(const char *, const char *, const int *, double *, const int *, double *, double *, const int *, int *, const int *, int *);
void dsyevd_64_(const char *, const char *, const int64_t *, double *, const int64_t *, double *, double *, const int64_t *, int64_t *, const int64_t *, int64_t *);
void dsyev_(const char *, const char *, const int *, double *, const int *, double *, double *, const int *, int *);
void zheev_(const char *, const char *, const int *, zed *, const int *, double *, zed *, const int *, double *, int *);
void zheevd_(const char *, const char *, const int *, zed *, const int *, double *, zed *, const int *, double *, const int *, int *, const int *, int *);
void dsyevx_(const char *, const char *, const char *, const int *, double *, const int *, const double *, const double *, const int *, const int *, const double *,
             int *, double *, double *, const int *, double *, const int *, int *, int *, int *);
void zheevr_(const char *, const char *, const char *, const int *, zed *, const int *, const double *, const double *, const int *, const int *, const double *,
             int *, double *, zed *, const int *, int *, zed *, const int *, double *, const int *, int *, const int *, int *);
void dsygst_(const int *, const char *, const int *, double *, const int *, const double *, const int *, int *);
void dsygvx_(const int *, const char *, const char *, const char *, const int *, double *, const int *, double *, const int *, const double *, const double *,
             const int *, const int *, const double *, int *, double *, double *, const int *, double *, const int *, int *, int *, int *);
void zhegvd_(const int *, const char *, const char *, const int *, zed *, const int *, zed *, const int *, double *, zed *, const int *, double *, const int *,
             int *, const int *, int *);
void dstedc_(const char *, const int *, double *, double *, double *, const int *, double *, const int *, int *, const int *, int *);
void zsteqr_(const char *, const int *, double *, double *, zed *, const int *, double *, int *);
void dsterf_(const int *, double *, double *, int *);
int LAPACKE_dsyevd(int, char, char, int, double *, int, double *);
int LAPACKE_zheevx(int, char, char, char, int, zed *, int, double, double, int, int, double, int *, double *, zed *, int, int *);
int LAPACKE_dstedc(int, char, int, double *, double *, double *, int);
int LAPACKE_dsygv(int, int, char, char, int, double *, int, double *, int, double *);

static int complaints, complained;
__attribute__((visibility("default"))) void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name, (void)length;
    complaints++, complained = *argument;
}

static double number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)(1ll << 52) - 1;
}

static double full[N * LD];
static zed zfull[N * LD];
static double w0[N], z0[N]; /* eigenvalues by implicit QR */
static double work[WORK], rwork[WORK];
static zed zwork[WORK];
static int iwork[64 * N];
static const int n = N, ld = LD, lwork = WORK, liwork = 64 * N, one = 1;
static const double nothing = 0;

static void make(void)
{
    for (int j = 0; j < N; ++j)
        for (int i = j; i < N; ++i) {
            full[i + j * LD] = full[j + i * LD] = number();
            zfull[i + j * LD] = i == j ? number() : number() + I * number();
            zfull[j + i * LD] = conj(zfull[i + j * LD]);
        }
}

/* max |A V - V L| / (n^2 eps), k columns */
static double off_d(const double *v, int ldv, const double *w, int k)
{
    double most = 0;
    for (int j = 0; j < k; ++j)
        for (int i = 0; i < N; ++i) {
            double sum = -w[j] * v[i + j * ldv];
            for (int l = 0; l < N; ++l) sum += full[i + l * LD] * v[l + j * ldv];
            most = worse(most, fabs(sum));
        }
    return most / (N * N * DBL_EPSILON);
}

static double off_z(const zed *v, int ldv, const double *w, int k)
{
    double most = 0;
    for (int j = 0; j < k; ++j)
        for (int i = 0; i < N; ++i) {
            zed sum = -w[j] * v[i + j * ldv];
            for (int l = 0; l < N; ++l) sum += zfull[i + l * LD] * v[l + j * ldv];
            most = worse(most, cabs(sum));
        }
    return most / (N * N * DBL_EPSILON);
}

static double apart(const double *x, const double *y, int k)
{
    double most = 0;
    for (int i = 0; i < k; ++i)
        most = worse(most, fabs(x[i] - y[i]));
    return most / (N * N * DBL_EPSILON);
}

static void all_pairs(void)
{
    static double a[N * LD], w[N];
    static zed z[N * LD];
    int info, query = -1, best[1];
    double wants[1];
    memcpy(a, full, sizeof a), memcpy(z, zfull, sizeof z);
    dsyev_("N", "L", &n, a, &ld, w0, work, &lwork, &info);
    zheev_("N", "U", &n, z, &ld, z0, zwork, &lwork, rwork, &info);
    for (int u = 0; u < 2; ++u) {
        memcpy(a, full, sizeof a), memcpy(z, zfull, sizeof z);
        dsyevd_("V", &"LU"[u], &n, a, &ld, w, wants, &query, best, &query, &info);
        check(info == 0 && wants[0] >= 1 + 6 * N + 2 * N * N && best[0] >= 3 + 5 * N && !memcmp(a, full, sizeof a), "workspace: %g, %d", wants[0], best[0]);
        dsyevd_("V", &"LU"[u], &n, a, &ld, w, work, &lwork, iwork, &liwork, &info);
        check(info == 0 && off_d(a, LD, w, N) < 30 && apart(w, w0, N) < 30, "dsyevd: info %d, residual %g", info, off_d(a, LD, w, N));
        zheevd_("V", &"LU"[u], &n, z, &ld, w, zwork, &lwork, rwork, &lwork, iwork, &liwork, &info);
        check(info == 0 && off_z(z, LD, w, N) < 30 && apart(w, z0, N) < 30, "zheevd: info %d, residual %g", info, off_z(z, LD, w, N));
    }
    static int64_t iwork64[64 * N];
    int64_t n64 = N, ld64 = LD, lwork64 = WORK, liwork64 = 64 * N, info64 = -7, query64 = -1;
    memcpy(a, full, sizeof a);
    dsyevd_64_("V", "L", &n64, a, &ld64, w, work, &query64, iwork64, &query64, &info64);
    check(info64 == 0 && iwork64[0] >= 3 + 5 * N && iwork64[0] < 1000 * N, "workspace, 64 bits: %lld", (long long)iwork64[0]);
    dsyevd_64_("V", "L", &n64, a, &ld64, w, work, &lwork64, iwork64, &liwork64, &info64);
    check(info64 == 0 && off_d(a, LD, w, N) < 30, "dsyevd_64: info %d, residual %g", (int)info64, off_d(a, LD, w, N));
    checked("all pairs");
}

static void some_pairs(void)
{
    static double a[N * LD], w[N], v[N * LD];
    static zed z[N * LD], x[N * LD];
    int info, m, ifail[N], support[2 * N], il = 4, iu = 20;
    double vl = (w0[4] + w0[5]) / 2, vu = (w0[29] + w0[30]) / 2;
    memcpy(a, full, sizeof a), memcpy(z, zfull, sizeof z);
    dsyevx_("V", "V", "L", &n, a, &ld, &vl, &vu, &one, &one, &nothing, &m, w, v, &ld, work, &lwork, iwork, ifail, &info);
    check(info == 0 && m == 25 && off_d(v, LD, w, m) < 30 && apart(w, w0 + 5, m) < 30 && ifail[0] == 0, "dsyevx by value: info %d, %d found", info, m);
    memcpy(a, full, sizeof a);
    dsyevx_("N", "I", "U", &n, a, &ld, &vl, &vu, &il, &iu, &nothing, &m, w, NULL, &one, work, &lwork, iwork, NULL, &info);
    check(info == 0 && m == 17 && apart(w, w0 + 3, m) < 30, "dsyevx, values by index: info %d, %d found", info, m);
    zheevr_("V", "I", "U", &n, z, &ld, &vl, &vu, &il, &iu, &nothing, &m, w, x, &ld, support, zwork, &lwork, rwork, &lwork, iwork, &liwork, &info);
    check(info == 0 && m == 17 && off_z(x, LD, w, m) < 30 && apart(w, z0 + 3, m) < 30, "zheevr by index: info %d, %d found", info, m);
    memcpy(z, zfull, sizeof z);
    zheevr_("V", "A", "L", &n, z, &ld, &vl, &vu, &il, &iu, &nothing, &m, w, x, &ld, support, zwork, &lwork, rwork, &lwork, iwork, &liwork, &info);
    check(info == 0 && m == N && off_z(x, LD, w, m) < 30 && support[0] >= 1 && support[2 * N - 1] <= N, "zheevr, all: info %d, %d found", info, m);
    checked("some pairs");
}

/* B = 8 I + A / 8, which has A's vectors: A x = l B x has the eigenvalues w / (8 + w / 8) */
static void two_matrices(void)
{
    static double a[N * LD], b[N * LD], w[N], v[N * LD];
    static zed z[N * LD], y[N * LD];
    int info, m, ifail[N], il = 2, iu = N;
    for (int i = 0; i < N * LD; ++i) b[i] = full[i] / 8 + (i % (LD + 1) == 0 ? 8 : 0), y[i] = zfull[i] / 8 + (i % (LD + 1) == 0 ? 8 : 0);
    memcpy(a, full, sizeof a), memcpy(z, zfull, sizeof z);
    dsygvx_(&one, "V", "I", "L", &n, a, &ld, b, &ld, &nothing, &nothing, &il, &iu, &nothing, &m, w, v, &ld, work, &lwork, iwork, ifail, &info);
    for (int i = 0; i < m; ++i) w[i] = 8 * w[i] / (1 - w[i] / 8);
    check(info == 0 && m == N - 1 && apart(w, w0 + 1, m) < 300 && off_d(v, LD, w, m) < 300, "dsygvx: info %d, %d found, off %g", info, m, apart(w, w0 + 1, m));
    zhegvd_(&one, "V", "U", &n, z, &ld, y, &ld, w, zwork, &lwork, rwork, &lwork, iwork, &liwork, &info);
    for (int i = 0; i < N; ++i) w[i] = 8 * w[i] / (1 - w[i] / 8);
    check(info == 0 && apart(w, z0, N) < 300 && off_z(z, LD, w, N) < 300, "zhegvd: info %d, off %g", info, apart(w, z0, N));
    memcpy(a, full, sizeof a);
    dsygst_(&one, "L", &n, a, &ld, b, &ld, &info);
    dsyev_("N", "L", &n, a, &ld, w, work, &lwork, &info);
    for (int i = 0; i < N; ++i) w[i] = 8 * w[i] / (1 - w[i] / 8);
    check(info == 0 && apart(w, w0, N) < 300, "dsygst: off %g", apart(w, w0, N));
    b[3 * (LD + 1)] = -1;
    check((LAPACKE_dsygv(102, 1, 'V', 'L', N, a, LD, b, LD, w)) == N + 4, "B is not definite");
    checked("two matrices");
}

static void tridiagonal(void)
{
    static double z[N * LD];
    static zed x[N * LD];
    double d[N], e[N], known[N];
    int info;
    for (int i = 0; i < N; ++i) known[i] = 2 - 2 * cos(acos(-1) * (i + 1) / (N + 1));
    for (int k = 0; k < 5; ++k) {
        for (int j = 0; j < N; ++j) d[j] = 2, e[j] = -1;
        for (int i = 0; i < N * LD; ++i) z[i] = x[i] = i % (LD + 1) == 0;
        if (k < 3) dstedc_(&"NIV"[k], &n, d, e, z, &ld, work, &lwork, iwork, &liwork, &info);
        else if (k == 3) zsteqr_("I", &n, d, e, x, &ld, work, &info);
        else dsterf_(&n, d, e, &info);
        double first = k == 3 ? creal(x[0]) : z[0]; /* of the vector of least value: sin(pi / (n + 1)) and its norm */
        check(info == 0 && apart(d, known, N) < 30, "tridiagonal %d: info %d, off %g", k, info, apart(d, known, N));
        if (k > 0 && k < 4) check(fabs(fabs(first) - sqrt(2.0 / (N + 1)) * sin(acos(-1) / (N + 1))) < 1e-13, "tridiagonal %d: a vector", k);
    }
    checked("tridiagonal");
}

static void lapacke(void)
{
    static double a[N * LD], w[N], t[N * LD];
    static zed z[N * LD], x[N * LD];
    int m = 0, ifail[N];
    for (int j = 0; j < N; ++j) /* by rows, lower: the other triangle is not looked at, and written */
        for (int i = 0; i < N; ++i) a[i * LD + j] = i >= j ? full[i + j * LD] : NAN, z[i * LD + j] = i <= j ? zfull[i + j * LD] : NAN;
    int info = LAPACKE_dsyevd(101, 'V', 'L', N, a, LD, w);
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i) t[i + j * LD] = a[i * LD + j];
    check(info == 0 && off_d(t, LD, w, N) < 30, "LAPACKE_dsyevd by rows: %d, residual %g", info, off_d(t, LD, w, N));
    info = LAPACKE_zheevx(101, 'V', 'I', 'U', N, z, LD, 0, 0, 3, 9, 0, &m, w, x, 7, ifail);
    static zed y[N * LD];
    for (int j = 0; j < 7; ++j)
        for (int i = 0; i < N; ++i) y[i + j * LD] = x[i * 7 + j];
    check(info == 0 && m == 7 && off_z(y, LD, w, m) < 30, "LAPACKE_zheevx by rows: %d, %d found, residual %g", info, m, off_z(y, LD, w, m));
    a[0] = NAN;
    check(LAPACKE_dsyevd(102, 'V', 'L', N, a, LD, w) == -5, "a NaN in argument 5");
    double d[3] = {2, 2, 2}, e[2] = {-1, NAN}, v[9];
    check(LAPACKE_dstedc(102, 'I', 3, d, e, v, 3) == -5, "a NaN in e");
    checked("LAPACKE");
}

static void refused(void)
{
    double a[4] = {1, 0, 0, 1}, b[4] = {1, 0, 0, 1}, w[2], v[4];
    int two = 2, zero = 0, m, info = 0, before = complaints;
    dsyevx_("V", "I", "L", &two, a, &two, &nothing, &nothing, &zero, &one, &nothing, &m, w, v, &two, work, &lwork, iwork, iwork, &info);
    check(info == -9 && complaints == before + 1 && complained == 9, "il: info %d", info);
    dsygst_(&zero, "L", &two, a, &two, b, &two, &info);
    check(info == -1 && complaints == before + 2 && complained == 1, "itype: info %d", info);
    dsyevd_("V", "L", &n, full, &ld, w, work, &one, iwork, &liwork, &info);
    check(info == -8 && complaints == before + 3, "too little workspace: info %d", info);
    checked("refused");
}

int main(void)
{
    make();
    all_pairs();
    some_pairs();
    two_matrices();
    tridiagonal();
    lapacke();
    refused();
    return tap_done();
}
