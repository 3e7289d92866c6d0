/* The drop-in's trsyl: LAPACK's and LAPACKE's symbols, both orders of storage, refused arguments, the scale and the info. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tap.h"

typedef double _Complex zed;
enum { M = 37, N = 29, LD = 40 };

void dtrsyl_(const char *, const char *, const int *, const int *, const int *, const double *, const int *, const double *, const int *, double *, const int *, double *, int *, size_t, size_t);
void dtrsyl_64_(const char *, const char *, const int64_t *, const int64_t *, const int64_t *, const double *, const int64_t *, const double *, const int64_t *, double *, const int64_t *,
                double *, int64_t *, size_t, size_t);
void ztrsyl_(const char *, const char *, const int *, const int *, const int *, const zed *, const int *, const zed *, const int *, zed *, const int *, double *, int *, size_t, size_t);
int LAPACKE_dtrsyl(int, char, char, int, int, int, const double *, int, const double *, int, double *, int, double *);

static int complaints, complained;
__attribute__((visibility("default"))) void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name, (void)length;
    complaints++, complained = *argument;
}

static zed a[LD * LD], b[LD * LD], c[LD * LD], x[LD * LD];
static double ra[LD * LD], rb[LD * LD], rc[LD * LD];

/* Schur forms, of real elements with blocks of order 2; and what the real ones are, by rows or by columns */
static void make(bool real, bool by_rows)
{
    for (int j = 0; j < LD; j++)
        for (int i = 0; i < LD; i++) {
            zed above = (real ? 1 : 1 + 0.5 * I) * sin(i + 3 * j) / N, below = real && i == j + 1 && j % 4 == 1 ? -0.5 : 0;
            a[i + j * LD] = i < j ? above : i == j ? 2 : below;
            b[i + j * LD] = i < j ? -above : i == j ? 1 : below;
            c[i + j * LD] = x[i + j * LD] = cos(2 * i - j);
            int at = by_rows ? i * LD + j : i + j * LD;
            ra[at] = creal(a[i + j * LD]), rb[at] = creal(b[i + j * LD]), rc[at] = creal(c[i + j * LD]);
        }
}

static void take(bool by_rows)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) x[i + j * LD] = rc[by_rows ? i * LD + j : i + j * LD];
}

/* |A^H X - X B - C| / (eps M (|A| + |B|) |X|) */
static double off(void)
{
    double most = 0, size = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            zed r = -c[i + j * LD];
            for (int k = 0; k < M; k++) r += conj(a[k + i * LD]) * x[k + j * LD];
            for (int k = 0; k < N; k++) r -= x[i + k * LD] * b[k + j * LD];
            most = worse(most, cabs(r)), size = tsl_larger(size, cabs(x[i + j * LD]));
        }
    return most / (DBL_EPSILON * M * 3 * size);
}

int main(void)
{
    const int m = M, n = N, ld = LD, minus = -1, bad = 0, few = 3;
    const int64_t m64 = M, n64 = N, ld64 = LD, minus64 = -1;
    double scale = 0;
    int info = -77;
    int64_t info64 = -77;
    make(true, false);
    dtrsyl_("T", "N", &minus, &m, &n, ra, &ld, rb, &ld, rc, &ld, &scale, &info, 1, 1);
    take(false);
    ok(info == 0 && scale == 1 && off() < 30, "dtrsyl_: info %d, residual %g", info, off());
    make(true, false), scale = 0;
    dtrsyl_64_("C", "N", &minus64, &m64, &n64, ra, &ld64, rb, &ld64, rc, &ld64, &scale, &info64, 1, 1);
    take(false);
    ok(info64 == 0 && scale == 1 && off() < 30, "dtrsyl_64_: info %d, residual %g", (int)info64, off());
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        make(true, by_rows), scale = 0;
        info = LAPACKE_dtrsyl(by_rows ? 101 : 102, 'T', 'N', -1, M, N, ra, LD, rb, LD, rc, LD, &scale);
        take(by_rows);
        ok(info == 0 && scale == 1 && off() < 30, "LAPACKE_dtrsyl by %s: info %d, residual %g", by_rows ? "rows" : "columns", info, off());
    }
    make(false, false), scale = 0;
    ztrsyl_("C", "N", &minus, &m, &n, a, &ld, b, &ld, x, &ld, &scale, &info, 1, 1);
    ok(info == 0 && scale == 1 && off() < 30, "ztrsyl_: info %d, residual %g", info, off());
    make(true, false);
    dtrsyl_("N", "N", &minus, &m, &n, ra, &ld, ra, &ld, rc, &ld, &scale, &info, 1, 1);
    ok(info == 1, "equal eigenvalues: info %d", info);
    dtrsyl_("N", "N", &bad, &m, &n, ra, &ld, rb, &ld, rc, &ld, &scale, &info, 1, 1);
    ok(info == -3 && complained == 3, "isgn 0: info %d, xerbla %d", info, complained);
    dtrsyl_("N", "N", &minus, &m, &n, ra, &ld, rb, &few, rc, &ld, &scale, &info, 1, 1);
    ok(info == -9 && complained == 9, "ldb 3: info %d, xerbla %d", info, complained);
    return tap_done();
}
