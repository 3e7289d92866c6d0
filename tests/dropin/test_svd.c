/* The drop-in's singular values: LAPACK's and LAPACKE's symbols, workspace queries, refused arguments. Residuals, and values of
 * both drivers. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tap.h"

typedef double _Complex zed;
enum { M = 37, N = 29, LD = 40, WORK = 8 * M * M + 200 * M };

void dgesdd_(const char *, const int *, const int *, double *, const int *, double *, double *, const int *, double *, const int *, double *, const int *, int *, int *);
void dgesdd_64_(const char *, const int64_t *, const int64_t *, double *, const int64_t *, double *, double *, const int64_t *, double *, const int64_t *, double *,
                const int64_t *, int64_t *, int64_t *);
void zgesdd_(const char *, const int *, const int *, zed *, const int *, double *, zed *, const int *, zed *, const int *, zed *, const int *, double *, int *, int *);
void dgesvd_(const char *, const char *, const int *, const int *, double *, const int *, double *, double *, const int *, double *, const int *, double *, const int *,
             int *);
void zgesvd_(const char *, const char *, const int *, const int *, zed *, const int *, double *, zed *, const int *, zed *, const int *, zed *, const int *, double *,
             int *);
void dbdsdc_(const char *, const char *, const int *, double *, double *, double *, const int *, double *, const int *, double *, int *, double *, int *, int *);
void dbdsqr_(const char *, const int *, const int *, const int *, const int *, double *, double *, double *, const int *, double *, const int *, double *, const int *,
             double *, int *);
void zbdsqr_(const char *, const int *, const int *, const int *, const int *, double *, double *, zed *, const int *, zed *, const int *, zed *, const int *,
             double *, int *);
void dgebrd_(const int *, const int *, double *, const int *, double *, double *, double *, double *, double *, const int *, int *);
void zgebrd_(const int *, const int *, zed *, const int *, double *, double *, zed *, zed *, zed *, const int *, int *);
void dorgbr_(const char *, const int *, const int *, const int *, double *, const int *, const double *, double *, const int *, int *);
void zungbr_(const char *, const int *, const int *, const int *, zed *, const int *, const zed *, zed *, const int *, int *);
void dormbr_(const char *, const char *, const char *, const int *, const int *, const int *, const double *, const int *, const double *, double *, const int *, double *,
             const int *, int *);
int LAPACKE_dgesvd(int, char, char, int, int, double *, int, double *, double *, int, double *, int, double *);
int LAPACKE_zgesvd(int, char, char, int, int, zed *, int, double *, zed *, int, zed *, int, double *);
int LAPACKE_dgebrd(int, int, int, double *, int, double *, double *, double *, double *);
int LAPACKE_dorgbr(int, char, int, int, int, double *, int, const double *);
int LAPACKE_dbdsqr(int, char, int, int, int, int, double *, double *, double *, int, double *, int, double *, int);
int LAPACKE_dgesdd(int, char, int, int, double *, int, double *, double *, int, double *, int);

int LAPACKE_sgesdd(int, char, int, int, float *, int, float *, float *, int, float *, int);
int LAPACKE_cgesdd(int, char, int, int, float _Complex *, int, float *, float _Complex *, int, float _Complex *, int);
int LAPACKE_zgesdd(int, char, int, int, zed *, int, double *, zed *, int, zed *, int);
int LAPACKE_dgesdd_work(int, char, int, int, double *, int, double *, double *, int, double *, int, double *, int, int *);
void sgesvd_(const char *, const char *, const int *, const int *, float *, const int *, float *, float *, const int *, float *, const int *, float *, const int *, int *);
void cgesvd_(const char *, const char *, const int *, const int *, float _Complex *, const int *, float *, float _Complex *, const int *, float _Complex *, const int *,
             float _Complex *, const int *, float *, int *);

static int complaints, complained;
__attribute__((visibility("default"))) void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name, (void)length;
    complaints++, complained = *argument;
}

static double full[LD * LD], a[LD * LD], u[LD * LD], vt[LD * LD], s[N], s0[N], work[WORK], rwork[WORK];
static zed zfull[LD * LD], za[LD * LD], zu[LD * LD], zvt[LD * LD], zwork[WORK];
static int iwork[8 * N];
static int64_t iwork64[8 * N];
static const int m = M, n = N, ld = LD, lwork = WORK, query = -1, one = 1;

static double number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)(1ll << 52) - 1;
}

/* |A - U S VT| beside |A| M eps; by rows: matrices of LAPACKE's are stored so */
static double off(const double *U, const double *VT, int by_rows)
{
    double most = 0, size = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double x = full[i + j * LD];
            size = tsl_larger(size, fabs(x));
            for (int k = 0; k < N; k++) x -= (by_rows ? U[i * LD + k] : U[i + k * LD]) * s[k] * (by_rows ? VT[k * LD + j] : VT[k + j * LD]);
            most = tsl_larger(most, isnan(x) ? INFINITY : fabs(x));
        }
    return most / (size * M * DBL_EPSILON);
}

static double zoff(const zed *U, const zed *VT)
{
    double most = 0, size = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            zed x = zfull[i + j * LD];
            size = tsl_larger(size, cabs(x));
            for (int k = 0; k < N; k++) x -= U[i + k * LD] * s[k] * VT[k + j * LD];
            most = worse(most, cabs(x));
        }
    return most / (size * M * DBL_EPSILON);
}

static double apart(void)
{
    double most = 0;
    for (int i = 0; i < N; i++) most = worse(most, fabs(s[i] - s0[i]));
    return most / (s0[0] * M * DBL_EPSILON);
}

/* A, and back, in single precision */
static float fa[LD * LD], fu[LD * LD], fvt[LD * LD], fs[N], fwork[WORK], frwork[WORK];
static float _Complex ca[LD * LD], cu[LD * LD], cvt[LD * LD], cwork[WORK];
static const double coarse = FLT_EPSILON / DBL_EPSILON;

static void narrow(void)
{
    for (int i = 0; i < LD * LD; i++) fa[i] = (float)full[i], ca[i] = (float _Complex)zfull[i];
}

static void widen(void)
{
    for (int i = 0; i < LD * LD; i++) u[i] = (double)fu[i], vt[i] = (double)fvt[i], zu[i] = cu[i], zvt[i] = cvt[i];
    for (int i = 0; i < N; i++) s[i] = (double)fs[i];
}

static void other_types(void)
{
    int info;
    narrow();
    sgesvd_("S", "S", &m, &n, fa, &ld, fs, fu, &ld, fvt, &ld, fwork, &lwork, &info);
    widen();
    check(!info && off(u, vt, 0) < 30 * coarse, "sgesvd: info %d, residual %g", info, off(u, vt, 0) / coarse);
    cgesvd_("S", "S", &m, &n, ca, &ld, fs, cu, &ld, cvt, &ld, cwork, &lwork, frwork, &info);
    widen();
    check(!info && zoff(zu, zvt) < 30 * coarse, "cgesvd: info %d, residual %g", info, zoff(zu, zvt) / coarse);
    narrow();
    info = LAPACKE_sgesdd(102, 'S', M, N, fa, LD, fs, fu, LD, fvt, LD);
    widen();
    check(!info && off(u, vt, 0) < 30 * coarse, "LAPACKE_sgesdd: info %d, residual %g", info, off(u, vt, 0) / coarse);
    info = LAPACKE_cgesdd(102, 'S', M, N, ca, LD, fs, cu, LD, cvt, LD);
    widen();
    check(!info && zoff(zu, zvt) < 30 * coarse, "LAPACKE_cgesdd: info %d, residual %g", info, zoff(zu, zvt) / coarse);
    memcpy(za, zfull, sizeof za);
    info = LAPACKE_zgesdd(102, 'A', M, N, za, LD, s, zu, LD, zvt, LD);
    check(!info && zoff(zu, zvt) < 30, "LAPACKE_zgesdd: info %d, residual %g", info, zoff(zu, zvt));
    memcpy(a, full, sizeof a);
    info = LAPACKE_dgesdd_work(102, 'S', M, N, a, LD, s, u, LD, vt, LD, work, WORK, iwork);
    check(!info && off(u, vt, 0) < 30, "LAPACKE_dgesdd_work: info %d, residual %g", info, off(u, vt, 0));
    checked("other types, and LAPACKE's");
}

/* B = U S VT of a lower bidiagonal B, U and VT by bdsdc, and units times them by bdsqr: residual beside the largest element, N
 * eps */
static double f[N];
static double off_lower(const double *U, const double *VT, int by_rows)
{
    double most = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double x = i == j ? 1 + i : i == j + 1 ? -0.5 * i : 0;
            for (int k = 0; k < N; k++) x -= (by_rows ? U[i * LD + k] : U[i + k * LD]) * s[k] * (by_rows ? VT[k * LD + j] : VT[k + j * LD]);
            most = tsl_larger(most, isnan(x) ? INFINITY : fabs(x));
        }
    return most / (N * N * DBL_EPSILON);
}

static void set_lower(void)
{
    for (int i = 0; i < N; i++) s[i] = 1 + i, f[i] = -0.5 * (i + 1);
    memset(u, 0, sizeof u), memset(vt, 0, sizeof vt), memset(zu, 0, sizeof zu), memset(zvt, 0, sizeof zvt);
    for (int i = 0; i < N; i++) u[i + i * LD] = vt[i + i * LD] = 1, zu[i + i * LD] = zvt[i + i * LD] = 1;
}

static void bidiagonal(void)
{
    static int iq[8 * N];
    const int none = 0;
    int info = -7;
    set_lower();
    dbdsdc_("L", "I", &n, s, f, u, &ld, vt, &ld, rwork, iq, work, iwork, &info);
    check(!info && off_lower(u, vt, 0) < 30, "dbdsdc: info %d, residual %g", info, off_lower(u, vt, 0));
    memcpy(s0, s, sizeof s0);
    set_lower();
    dbdsdc_("L", "N", &n, s, f, NULL, &one, NULL, &one, rwork, iq, work, iwork, &info);
    check(!info && apart() < 30, "dbdsdc, values: info %d, off by %g", info, apart());
    set_lower();
    dbdsdc_("L", "P", &n, s, f, NULL, &one, NULL, &one, rwork, iq, work, iwork, &info);
    check(!info && apart() < 30, "dbdsdc, compact: info %d, off by %g", info, apart());
    set_lower();
    dbdsqr_("L", &n, &n, &n, &none, s, f, vt, &ld, u, &ld, a, &one, rwork, &info);
    check(!info && off_lower(u, vt, 0) < 30 && apart() < 30, "dbdsqr: info %d, residual %g", info, off_lower(u, vt, 0));
    set_lower();
    zbdsqr_("L", &n, &n, &n, &none, s, f, zvt, &ld, zu, &ld, za, &one, rwork, &info);
    for (int i = 0; i < LD * LD; i++) u[i] = creal(zu[i]), vt[i] = creal(zvt[i]);
    check(!info && off_lower(u, vt, 0) < 30 && apart() < 30, "zbdsqr: info %d, residual %g", info, off_lower(u, vt, 0));
    set_lower();
    info = LAPACKE_dbdsqr(101, 'L', N, N, N, 0, s, f, vt, LD, u, LD, a, 1);
    check(!info && off_lower(u, vt, 1) < 30, "LAPACKE_dbdsqr by rows: %d, residual %g", info, off_lower(u, vt, 1));
    dbdsqr_("X", &n, &n, &n, &none, s, f, vt, &ld, u, &ld, a, &one, rwork, &info);
    check(info == -1 && complained == 1, "uplo: info %d", info);
    checked("bidiagonal");
}

static double tauq[N], taup[N];
static zed ztauq[N], ztaup[N];

/* By gebrd, orgbr and bdsqr, as gesvd does it; by rows too */
static void to_bidiagonal(void)
{
    int info = 0;
    const int none = 0;
    double best = 0, most = 0;
    memcpy(a, full, sizeof a);
    dgebrd_(&m, &n, a, &ld, s, f, tauq, taup, &best, &query, &info);
    check(!info && best >= M && best <= WORK, "dgebrd asks for %g", best);
    dgebrd_(&m, &n, a, &ld, s, f, tauq, taup, work, &lwork, &info);
    check(!info && a[0] == s[0] && a[LD] == f[0], "dgebrd: info %d", info);
    memcpy(u, a, sizeof u), memcpy(vt, a, sizeof vt);
    dorgbr_("Q", &m, &n, &n, u, &ld, tauq, work, &lwork, &info);
    check(!info, "dorgbr, Q: info %d", info);
    dorgbr_("P", &n, &n, &m, vt, &ld, taup, work, &lwork, &info);
    check(!info, "dorgbr, P: info %d", info);
    double p[LD * N] = {0};
    for (int i = 0; i < N; i++) p[i + i * LD] = 1;
    dormbr_("P", "R", "T", &n, &n, &m, a, &ld, taup, p, &ld, work, &lwork, &info);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) most = worse(most, fabs(p[i + j * LD] - vt[i + j * LD]));
    check(!info && most < 30 * N * DBL_EPSILON, "dormbr, P: info %d, off %g", info, most);
    dbdsqr_("U", &n, &n, &m, &none, s, f, vt, &ld, u, &ld, NULL, &one, work, &info);
    check(!info && off(u, vt, 0) < 30, "by dgebrd: info %d, residual %g", info, off(u, vt, 0));
    memcpy(za, zfull, sizeof za);
    zgebrd_(&m, &n, za, &ld, s, f, ztauq, ztaup, zwork, &lwork, &info);
    memcpy(zu, za, sizeof zu), memcpy(zvt, za, sizeof zvt);
    zungbr_("Q", &m, &n, &n, zu, &ld, ztauq, zwork, &lwork, &info);
    zungbr_("P", &n, &n, &m, zvt, &ld, ztaup, zwork, &lwork, &info);
    zbdsqr_("U", &n, &n, &m, &none, s, f, zvt, &ld, zu, &ld, NULL, &one, rwork, &info);
    check(!info && zoff(zu, zvt) < 30, "by zgebrd: info %d, residual %g", info, zoff(zu, zvt));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) a[i * LD + j] = full[i + j * LD];
    info = LAPACKE_dgebrd(101, M, N, a, LD, s, f, tauq, taup);
    memcpy(u, a, sizeof u), memcpy(vt, a, sizeof vt);
    if (!info) info = LAPACKE_dorgbr(101, 'Q', M, N, N, u, LD, tauq);
    if (!info) info = LAPACKE_dorgbr(101, 'P', N, N, M, vt, LD, taup);
    if (!info) info = LAPACKE_dbdsqr(101, 'U', N, N, M, 0, s, f, vt, LD, u, LD, NULL, 1);
    check(!info && off(u, vt, 1) < 30, "by LAPACKE_dgebrd: info %d, residual %g", info, off(u, vt, 1));
    complaints = 0;
    dgebrd_(&m, &n, a, &one, s, f, tauq, taup, work, &lwork, &info);
    check(info == -4 && complained == 4, "lda of dgebrd: info %d", info);
    dorgbr_("Q", &n, &m, &n, u, &ld, tauq, work, &lwork, &info);
    check(info == -3 && complained == 3, "more columns than rows: info %d", info);
    checked("to bidiagonal form");
}

int main(void)
{
    int info = 0;
    double best = 0;
    for (int i = 0; i < LD * LD; i++) full[i] = number(), zfull[i] = CMPLX(number(), number());
    memcpy(a, full, sizeof a);
    dgesdd_("N", &m, &n, a, &ld, s0, NULL, &one, NULL, &one, work, &lwork, iwork, &info);
    check(!info, "dgesdd, values: info %d", info);
    for (const char *job = "SAO"; *job; job++) {
        memcpy(a, full, sizeof a);
        dgesdd_(job, &m, &n, a, &ld, s, u, &ld, vt, &ld, &best, &query, iwork, &info);
        check(!info && best >= N && best <= WORK, "dgesdd, %c: asks for %g", *job, best);
        dgesdd_(job, &m, &n, a, &ld, s, u, &ld, vt, &ld, work, &lwork, iwork, &info);
        check(!info && off(*job == 'O' ? a : u, vt, 0) < 30 && apart() < 30, "dgesdd, %c: info %d, residual %g, values %g", *job, info, off(*job == 'O' ? a : u, vt, 0), apart());
    }
    for (int k = 0; k < 3; k++) {
        memcpy(a, full, sizeof a);
        dgesvd_(&"SOA"[k], &"SAO"[k], &m, &n, a, &ld, s, u, &ld, vt, &ld, work, &lwork, &info);
        check(!info && off(k == 1 ? a : u, k == 2 ? a : vt, 0) < 30 && apart() < 30, "dgesvd, %c%c: info %d, residual %g", "SOA"[k], "SAO"[k], info, off(k == 1 ? a : u, k == 2 ? a : vt, 0));
    }
    int64_t m64 = M, n64 = N, ld64 = LD, lwork64 = WORK, info64 = -7;
    memcpy(a, full, sizeof a);
    dgesdd_64_("S", &m64, &n64, a, &ld64, s, u, &ld64, vt, &ld64, work, &lwork64, iwork64, &info64);
    check(!info64 && off(u, vt, 0) < 30, "dgesdd_64: info %d, residual %g", (int)info64, off(u, vt, 0));
    checked("real");
    memcpy(za, zfull, sizeof za);
    zgesdd_("S", &m, &n, za, &ld, s, zu, &ld, zvt, &ld, zwork, &lwork, rwork, iwork, &info);
    check(!info && zoff(zu, zvt) < 30, "zgesdd: info %d, residual %g", info, zoff(zu, zvt));
    memcpy(za, zfull, sizeof za), memcpy(s0, s, sizeof s0);
    zgesvd_("S", "S", &m, &n, za, &ld, s, zu, &ld, zvt, &ld, zwork, &lwork, rwork, &info);
    check(!info && zoff(zu, zvt) < 30 && apart() < 30, "zgesvd: info %d, residual %g, values %g", info, zoff(zu, zvt), apart());
    checked("complex");
    other_types();
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) a[i * LD + j] = full[i + j * LD];
    info = LAPACKE_dgesdd(101, 'S', M, N, a, LD, s, u, LD, vt, LD);
    check(!info && off(u, vt, 1) < 30, "LAPACKE_dgesdd by rows: %d, residual %g", info, off(u, vt, 1));
    for (int by = 101; by <= 102; by++) {
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) a[by == 101 ? i * LD + j : i + j * LD] = full[i + j * LD];
        info = LAPACKE_dgesvd(by, 'S', 'A', M, N, a, LD, s, u, LD, vt, LD, f);
        check(!info && off(u, vt, by == 101) < 30, "LAPACKE_dgesvd, layout %d: %d, residual %g", by, info, off(u, vt, by == 101));
    }
    memcpy(za, zfull, sizeof za);
    info = LAPACKE_zgesvd(102, 'S', 'S', M, N, za, LD, s, zu, LD, zvt, LD, f);
    check(!info && zoff(zu, zvt) < 30, "LAPACKE_zgesvd: %d, residual %g", info, zoff(zu, zvt));
    check(LAPACKE_dgesvd(101, 'S', 'S', M, N, a, N - 1, s, u, LD, vt, LD, f) == -7, "lda of LAPACKE_dgesvd");
    a[0] = NAN;
    check(LAPACKE_dgesdd(102, 'S', M, N, a, LD, s, u, LD, vt, LD) == -5, "a NaN in argument 5");
    checked("LAPACKE");
    bidiagonal();
    to_bidiagonal();
    complaints = 0;
    dgesdd_("S", &m, &n, a, &one, s, u, &ld, vt, &ld, work, &lwork, iwork, &info);
    check(info == -5 && complaints == 1 && complained == 5, "lda: info %d, told %d times of %d", info, complaints, complained);
    a[0] = NAN, a[1] = 7;
    dgesdd_("S", &m, &n, a, &ld, s, u, &ld, vt, &ld, work, &lwork, iwork, &info);
    check(info == -4 && a[1] == 7, "a NaN: info %d, %g", info, a[1]);
    dgesvd_("O", "O", &m, &n, a, &ld, s, u, &ld, vt, &ld, work, &lwork, &info);
    check(info == -2 && complained == 2, "O twice: info %d", info);
    dgesdd_("S", &m, &n, a, &ld, s, u, &ld, vt, &ld, work, &one, iwork, &info);
    check(info == -12 && complained == 12, "little workspace: info %d", info);
    checked("what is refused");
    return tap_done();
}
