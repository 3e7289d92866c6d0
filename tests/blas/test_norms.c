/* Matrices of tiny normal numbers, and such whose columns are far apart in size, by what LAPACK computes with norms of its own:
 * residuals beside the numbers they are of. Some host libraries have norms that are zero or NaN there; tests/hostlib/norms.c
 * makes any so. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

enum { N = 24, GLUED = 609 };
#define BOUND (30 * N * 0x1p-52)

static double numbers[N * N];

/* Column j is of size 2^(scale + j step). */
static double *made(int scale, int step, bool symmetric)
{
    double *A = malloc(sizeof numbers);
    for (int j = 0; A && j < N; ++j)
        for (int i = 0; i < N; ++i) A[i + j * N] = ldexp(symmetric && i < j ? numbers[j + i * N] : numbers[i + j * N], scale + j * step);
    return A;
}

/* The most of |A - X Y| in a column, beside that column of A; with Y's as Y^T: X Y^T */
static double apart(const double *A, const double *X, const double *Y, bool turned, const int64_t *order, int scale, int step)
{
    double worst = 0;
    for (int j = 0; j < N; ++j) {
        int at = order ? (int)order[j] - 1 : j, up = -(scale + at * step);
        double size = 0, off = 0;
        for (int i = 0; i < N; ++i) {
            double a = ldexp(A[i + at * N], up), sum = 0;
            for (int k = 0; k < N; ++k) sum += X[i + k * N] * ldexp(turned ? Y[j + k * N] : Y[k + j * N], up);
            size += a * a, off += (a - sum) * (a - sum);
        }
        double here = sqrt(off / size);
        worst = here > worst || isnan(here) ? here : worst;
    }
    return worst;
}

static void upper(double *R, int below)
{
    for (int j = 0; j < N; ++j)
        for (int i = j + 1 + below; i < N; ++i) R[i + j * N] = 0;
}

/* A P = Q R, column by column */
static void triangular(tsl_context *x, int scale, int step, bool pivoted)
{
    double *A = made(scale, step, false), *Q = made(scale, step, false), R[N * N], tau[N];
    int64_t order[N] = {0}, info = -1;
    tsl_status st = pivoted ? tsl_dgeqp3(x, N, N, Q, N, order, tau, &info) : tsl_dgeqrf(x, N, N, Q, N, tau, &info);
    memcpy(R, Q, sizeof R), upper(R, 0);
    if (!st) st = tsl_dorgqr(x, N, N, N, Q, N, tau, &info);
    double off = apart(A, Q, R, false, pivoted ? order : NULL, scale, step);
    check(!st && off < BOUND, "%s of 2^%d, step %d: status %d, residual %g", pivoted ? "geqp3" : "geqrf", scale, step, (int)st, off);
    free(A), free(Q);
}

/* A = Q H Q^T */
static void hessenberg(tsl_context *x, int scale)
{
    double *A = made(scale, 0, false), *Q = made(scale, 0, false), H[N * N], QH[N * N] = {0}, tau[N];
    int64_t info = -1;
    tsl_status st = tsl_dgehrd(x, N, 1, N, Q, N, tau, &info);
    memcpy(H, Q, sizeof H), upper(H, 1);
    if (!st) st = tsl_dorghr(x, N, 1, N, Q, N, tau, &info);
    for (int j = 0; j < N; ++j)
        for (int k = 0; k < N; ++k)
            for (int i = 0; i < N; ++i) QH[i + j * N] += Q[i + k * N] * ldexp(H[k + j * N], -scale);
    for (int i = 0; i < N * N; ++i) A[i] = ldexp(A[i], -scale);
    double off = apart(A, QH, Q, true, NULL, 0, 0);
    check(!st && off < BOUND, "gehrd of 2^%d: status %d, residual %g", scale, (int)st, off);
    free(A), free(Q);
}

/* A = U S V^T, or V L V^T */
static void singular(tsl_context *x, int scale, bool symmetric)
{
    double *A = made(scale, 0, symmetric), *U = made(scale, 0, symmetric), s[N], left[N * N], V[N * N];
    int64_t info = -1;
    tsl_status st = symmetric ? tsl_dsyevd(x, 'V', 'L', N, U, N, s, &info) : tsl_dgesdd(x, 'S', N, N, U, N, s, left, N, V, N, &info);
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i) A[i + j * N] = ldexp(A[i + j * N], -scale), left[i + j * N] = (symmetric ? U : left)[i + j * N] * ldexp(s[j], -scale);
    double off = apart(A, left, symmetric ? U : V, symmetric, NULL, 0, 0);
    check(!st && !info && off < 4 * BOUND, "%s of 2^%d: status %d, residual %g", symmetric ? "syevd" : "gesdd", scale, (int)st, off);
    free(A), free(U);
}

/* Wilkinson's matrices in a chain: the trace and the sum of squares are those of the eigenvalues. */
static void glued(tsl_context *x)
{
    static double A[GLUED * GLUED], w[GLUED];
    double trace = 0, squares = 0, sum = 0, sum_of_squares = 0;
    int64_t info = -1;
    memset(A, 0, sizeof A);
    for (int j = 0; j < GLUED; ++j) {
        double d = fabs((double)(j % 21) - 10), e = (j + 1) % 21 ? 1 : 1e-4;
        A[j + j * GLUED] = d, trace += d, squares += d * d;
        if (j + 1 < GLUED) A[j + 1 + j * GLUED] = e, squares += 2 * e * e;
    }
    tsl_status st = tsl_dsyevd(x, 'V', 'L', GLUED, A, GLUED, w, &info);
    for (int j = 0; j < GLUED; ++j) sum += w[j], sum_of_squares += w[j] * w[j];
    check(!st && !info && fabs(sum - trace) < 1e-12 * squares && fabs(sum_of_squares - squares) < 1e-12 * squares && isfinite(A[GLUED * GLUED - 1]),
          "glued: status %d, off by %g and %g", (int)st, sum - trace, sum_of_squares - squares);
    checked("glued Wilkinson matrices of order %d", GLUED);
}

static void all(const char *devices)
{
    static const int scales[] = {0, -300, -900, -960, -970, -980, -990, -1000};
    tsl_context *x = context_on(devices);
    if (!x) return;
    for (int k = 0; k < 8; ++k) {
        for (int pivoted = 0; pivoted < 2; ++pivoted) triangular(x, scales[k], 0, pivoted);
        hessenberg(x, scales[k]);
        for (int symmetric = 0; symmetric < 2; ++symmetric) singular(x, scales[k], symmetric);
    }
    checked("%s: tiny numbers", devices);
    for (int step = -43; step <= 43; step += 86) triangular(x, step < 0 ? 0 : -1000, step, false);
    triangular(x, 0, -43, true);
    checked("%s: columns far apart", devices);
    glued(x);
    tsl_context_destroy(x);
}

int main(void)
{
    uint64_t state = 1;
    for (int i = 0; i < N * N; ++i) numbers[i] = (double)((state = state * 6364136223846793005u + 1442695040888963407u) >> 11) * 0x1p-52 - 1;
    all("host");
    all("cuda:0");
    return tap_done();
}
