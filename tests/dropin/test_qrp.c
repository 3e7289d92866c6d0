/* The drop-in's QR with column pivoting and least squares of any rank: LAPACK's and LAPACKE's symbols, workspace queries,
 * refused arguments. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tap.h"

typedef double _Complex zed;
enum { M = 37, N = 29, RANK = 17, K = 2, LD = 40, WORK = 20000 };

void dgeqp3_(const int *, const int *, double *, const int *, int *, double *, double *, const int *, int *);
void dgeqp3_64_(const int64_t *, const int64_t *, double *, const int64_t *, int64_t *, double *, double *, const int64_t *, int64_t *);
void zgeqp3_(const int *, const int *, zed *, const int *, int *, zed *, zed *, const int *, double *, int *);
void dgelsy_(const int *, const int *, const int *, double *, const int *, double *, const int *, int *, const double *, int *, double *, const int *, int *);
void dgelsd_(const int *, const int *, const int *, double *, const int *, double *, const int *, double *, const double *, int *, double *, const int *, int *, int *);
void zgelsd_(const int *, const int *, const int *, zed *, const int *, zed *, const int *, double *, const double *, int *, zed *, const int *, double *, int *, int *);
int LAPACKE_dgeqp3(int, int, int, double *, int, int *, double *);
int LAPACKE_dgelsy(int, int, int, int, double *, int, double *, int, int *, double, int *);
int LAPACKE_zgelsd(int, int, int, int, zed *, int, zed *, int, double *, double, int *);

static int complaints, complained;
__attribute__((visibility("default"))) void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name, (void)length;
    complaints++, complained = *argument;
}

static double full[LD * LD], a[LD * LD], b[LD * K], b0[LD * K], x0[LD * K], s[N], tau[N], work[WORK], rwork[WORK];
static zed zfull[LD * LD], za[LD * LD], zb[LD * K], ztau[N], zwork[WORK];
static int p[N], iwork[WORK];
static int64_t p64[N];
static const int m = M, n = N, k = K, ld = LD, lwork = WORK, query = -1, one = 1;
static const double rcond = 1e-10;

static double number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)(1ll << 52) - 1;
}

/* |A^T A - P R^T R P^T| beside |A|^2: Q is orthogonal */
static double off(int by_rows)
{
    double most = 0, size = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double x = 0;
            for (int r = 0; r < M; r++) x += full[r + (p[i] - 1) * LD] * full[r + (p[j] - 1) * LD];
            size = tsl_larger(size, fabs(x));
            for (int r = 0; r <= (i < j ? i : j); r++) x -= by_rows ? a[r * LD + i] * a[r * LD + j] : a[r + i * LD] * a[r + j * LD];
            most = tsl_larger(most, isnan(x) ? INFINITY : fabs(x));
        }
    return most / (size * M * DBL_EPSILON);
}

static double far(const double *x)
{
    double most = 0, size = 0;
    for (int j = 0; j < K; j++)
        for (int i = 0; i < N; i++) most = worse(most, fabs(x[i + j * LD] - x0[i + j * LD])), size = tsl_larger(size, fabs(x0[i + j * LD]));
    return most / size;
}

static void anew(void) { memcpy(a, full, sizeof a), memcpy(b, b0, sizeof b), memset(p, 0, sizeof p); }

int main(void)
{
    int info = 0, rank = -7;
    double best = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) full[i + j * LD] = j < RANK ? number() : full[i + (j - RANK) * LD] * 2;
    for (int i = 0; i < LD * K; i++) b0[i] = number();
    anew(), p[5] = p[20] = 1;
    dgeqp3_(&m, &n, a, &ld, p, tau, &best, &query, &info);
    check(!info && best >= N && best <= WORK, "dgeqp3 asks for %g", best);
    dgeqp3_(&m, &n, a, &ld, p, tau, work, &lwork, &info);
    check(!info && off(0) < 30 && p[0] == 6 && p[1] == 21, "dgeqp3: info %d, off %g, first %d %d", info, off(0), p[0], p[1]);
    int64_t m64 = M, n64 = N, ld64 = LD, lwork64 = WORK, info64 = -7;
    anew(), p64[5] = p64[20] = 1;
    dgeqp3_64_(&m64, &n64, a, &ld64, p64, tau, work, &lwork64, &info64);
    for (int j = 0; j < N; j++) p[j] = (int)p64[j];
    check(!info64 && off(0) < 30 && p[0] == 6 && p[1] == 21, "dgeqp3_64: info %d, off %g", (int)info64, off(0));
    anew();
    dgelsy_(&m, &n, &k, a, &ld, b, &ld, p, &rcond, &rank, work, &lwork, &info);
    memcpy(x0, b, sizeof x0);
    check(!info && rank == RANK, "dgelsy: info %d, rank %d", info, rank);
    anew();
    dgelsd_(&m, &n, &k, a, &ld, b, &ld, s, &rcond, &rank, &best, &query, iwork, &info);
    check(!info && best >= N && best <= WORK, "dgelsd asks for %g", best);
    dgelsd_(&m, &n, &k, a, &ld, b, &ld, s, &rcond, &rank, work, &lwork, iwork, &info);
    check(!info && rank == RANK && far(b) < 1e-10 && s[RANK] < 1e-12 * s[0], "dgelsd: info %d, rank %d, x off %g", info, rank, far(b));
    checked("real");
    for (int i = 0; i < LD * LD; i++) zfull[i] = full[i] * I;
    memcpy(za, zfull, sizeof za), memset(p, 0, sizeof p);
    zgeqp3_(&m, &n, za, &ld, p, ztau, zwork, &lwork, rwork, &info);
    for (int i = 0; i < LD * LD; i++) a[i] = cabs(za[i]);
    check(!info && fabs(a[0] - a[0]) == 0 && p[0] > 0, "zgeqp3: info %d", info);
    memcpy(za, zfull, sizeof za);
    for (int i = 0; i < LD * K; i++) zb[i] = b0[i] * I;
    zgelsd_(&m, &n, &k, za, &ld, zb, &ld, s, &rcond, &rank, zwork, &lwork, rwork, iwork, &info);
    for (int i = 0; i < LD * K; i++) b[i] = creal(zb[i]);
    check(!info && rank == RANK && far(b) < 1e-10, "zgelsd: info %d, rank %d, x off %g", info, rank, far(b));
    memcpy(za, zfull, sizeof za);
    for (int i = 0; i < LD * K; i++) zb[i] = b0[i] * I;
    info = LAPACKE_zgelsd(102, M, N, K, za, LD, zb, LD, s, rcond, &rank);
    for (int i = 0; i < LD * K; i++) b[i] = creal(zb[i]);
    check(!info && rank == RANK && far(b) < 1e-10, "LAPACKE_zgelsd: %d, rank %d, x off %g", info, rank, far(b));
    checked("complex");
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) a[i * LD + j] = full[i + j * LD];
    memset(p, 0, sizeof p), p[3] = 1;
    info = LAPACKE_dgeqp3(101, M, N, a, LD, p, tau);
    check(!info && off(1) < 30 && p[0] == 4, "LAPACKE_dgeqp3 by rows: %d, off %g", info, off(1));
    anew();
    info = LAPACKE_dgelsy(102, M, N, K, a, LD, b, LD, p, rcond, &rank);
    check(!info && rank == RANK && far(b) < 1e-10, "LAPACKE_dgelsy: %d, rank %d, x off %g", info, rank, far(b));
    anew(), a[0] = NAN;
    check(LAPACKE_dgelsy(102, M, N, K, a, LD, b, LD, p, rcond, &rank) == -5, "a NaN in argument 5");
    checked("LAPACKE");
    for (int wide = 0; wide < 2; wide++) { /* of an empty matrix LAPACK leaves the right-hand sides alone */
        const int none = 0, some = 4;
        anew(), rank = -7;
        dgelsd_(wide ? &none : &some, wide ? &some : &none, &k, a, &ld, b, &ld, s, &rcond, &rank, work, &lwork, iwork, &info);
        check(!info && rank == 0 && !memcmp(b, b0, sizeof b), "dgelsd of an empty matrix: info %d, rank %d, b %g", info, rank, b[0]);
        anew(), rank = -7;
        dgelsy_(wide ? &none : &some, wide ? &some : &none, &k, a, &ld, b, &ld, p, &rcond, &rank, work, &lwork, &info);
        check(!info && rank == 0 && !memcmp(b, b0, sizeof b), "dgelsy of an empty matrix: info %d, rank %d, b %g", info, rank, b[0]);
    }
    checked("empty matrices");
    complaints = 0;
    dgeqp3_(&m, &n, a, &one, p, tau, work, &lwork, &info);
    check(info == -4 && complaints == 1 && complained == 4, "lda: info %d, told %d times of %d", info, complaints, complained);
    dgeqp3_(&m, &n, a, &ld, p, tau, work, &one, &info);
    check(info == -8 && complained == 8, "little workspace: info %d", info);
    dgelsy_(&m, &n, &k, a, &ld, b, &one, p, &rcond, &rank, work, &lwork, &info);
    check(info == -7 && complained == 7, "ldb: info %d", info);
    checked("what is refused");
    return tap_done();
}
