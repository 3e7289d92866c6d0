/* Cholesky, LU, QR and gesv with all products by residues: backward errors of ill-conditioned and graded matrices are at most
 * twice the worst of those with native products. Of L L^H and L U they are taken element by element, of Q R column by column,
 * and of a solution beside |L| |U| |x|: these do not depend on how rows and columns are scaled. */
#include <float.h>

#include "context.h"
#include "dense.h"
#include "typed.h"

enum { N = 60, RHS = 3, TILE = 20 };

typedef enum kind { RANDOM, HILBERT, KAHAN, ROWS, COLUMNS, POWERS, KINDS } kind;
static const char *const kind_name[] = {"random", "Hilbert", "Kahan", "graded rows", "graded columns", "Toeplitz of powers"};

static bool single(tsl_type t) { return t == TSL_S || t == TSL_C; }

/* Row or column i of N as a power of two: together they span most of the range, and quotients of any two are normal numbers. */
static int grade(tsl_type t, int64_t i) { return (int)((2 * i - N) * (single(t) ? 55 : 490) / N); }

/* ---- matrices ----------------------------------------------------------------------------------------------------------- */

static double plain(kind k, int64_t i, int64_t j)
{
    switch (k) {
    case HILBERT: return 1. / (double)(i + j + 1);
    case KAHAN: return j > i ? 0 : (i == j ? 1 : -0.3) * pow(0.95, (double)j); /* transposed, so that LU has work to do */
    default: return i >= j ? pow(0.9, (double)(i - j)) : pow(-0.6, (double)(j - i));
    }
}

/* Of complex types rows are turned by one angle each, and columns by another. */
static tsl_scalar turned(tsl_type t, double v, double by) { return tsl_is_complex(t) ? CMPLX(v * cos(by), v * sin(by)) : v; }

static dense general(tsl_type t, kind k)
{
    dense A = dense_make(t, N, N, CANARY_FINITE);
    dense_random(&A, 5);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) {
            tsl_scalar v = dense_get(&A, i, j);
            if (k == ROWS) v *= ldexp(1, grade(t, i));
            if (k == COLUMNS) v *= ldexp(1, grade(t, j));
            if (k == HILBERT || k == KAHAN || k == POWERS) v = turned(t, plain(k, i, j), (double)(i * i % 7 + 3 * j));
            dense_put(&A, i, j, v);
        }
    return A;
}

/* Hermitian, and positive definite after rounding: by a shift where the least eigenvalues are below that */
static dense definite(tsl_type t, kind k)
{
    dense A = dense_make(t, N, N, CANARY_FINITE), G = general(t, k == ROWS || k == COLUMNS ? RANDOM : k);
    double shift = k == RANDOM || k == ROWS || k == COLUMNS ? 1 : 8 * N * tsl_type_eps(t);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = j; i < N; i++) {
            tsl_scalar v = 0;
            if (k == HILBERT) v = turned(t, plain(k, i, j), (double)(i * i % 7 - j * j % 7));
            else if (k == POWERS) v = turned(t, pow(0.9, (double)(i - j)), (double)(i - j));
            else
                for (int64_t h = 0; h < N; h++) v += dense_get(&G, i, h) * conj(dense_get(&G, j, h));
            if (i == j) v = creal(v) + shift;
            int e = grade(t, i) / 2 + grade(t, j) / 2; /* D A D, its smallest elements first, or its largest */
            if (k == ROWS) v *= ldexp(1, e);
            if (k == COLUMNS) v *= ldexp(1, -e);
            dense_put(&A, i, j, v), dense_put(&A, j, i, conj(v));
        }
    dense_free(&G);
    return A;
}

/* ---- residuals ---------------------------------------------------------------------------------------------------------- */

typedef struct number { long double re, im, size; } number;

static number *numbers(const dense *A)
{
    number *a = malloc((size_t)(A->m * A->n) * sizeof *a);
    if (!a) abort();
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) {
            tsl_scalar v = dense_get(A, i, j);
            a[i + j * A->m] = (number){creal(v), cimag(v), hypotl(creal(v), cimag(v))};
        }
    return a;
}

/* R := A - X Y, its sizes those of |X| |Y| */
static number *residual(const dense *A, const dense *X, const dense *Y)
{
    number *R = numbers(A), *x = numbers(X), *y = numbers(Y);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) {
            number *r = &R[i + j * A->m];
            r->size = 0;
            for (int64_t h = 0; h < X->n; h++) {
                number a = x[i + h * X->m], b = y[h + j * Y->m];
                r->re -= a.re * b.re - a.im * b.im, r->im -= a.re * b.im + a.im * b.re, r->size += a.size * b.size;
            }
        }
    free(x), free(y);
    return R;
}

static double in_eps(tsl_type t, long double error, long double beside)
{
    long double least = single(t) ? FLT_MIN : DBL_MIN; /* what underflows is lost */
    return (double)(error / (tsl_type_eps(t) * (beside + least)));
}

static double by_elements(const dense *A, const dense *X, const dense *Y)
{
    number *R = residual(A, X, Y);
    double most = 0;
    for (int64_t i = 0; i < A->m * A->n; i++) most = worse(most, in_eps(A->t, hypotl(R[i].re, R[i].im), R[i].size));
    free(R);
    return most;
}

/* Beside the norms of A's columns */
static double by_columns(const dense *A, const dense *X, const dense *Y)
{
    number *R = residual(A, X, Y), *a = numbers(A);
    double most = 0;
    for (int64_t j = 0; j < A->n; j++) {
        long double error = 0, norm = 0;
        for (int64_t i = 0; i < A->m; i++) {
            const number *r = &R[i + j * A->m];
            error = hypotl(error, hypotl(r->re, r->im)), norm = hypotl(norm, a[i + j * A->m].size);
        }
        most = worse(most, in_eps(A->t, error, norm));
    }
    free(R), free(a);
    return most;
}

/* ---- factors ------------------------------------------------------------------------------------------------------------ */

static dense part(const dense *F, bool lower, bool unit)
{
    dense P = dense_make(F->t, N, N, CANARY_FINITE);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) {
            bool inside = lower ? i >= j : i <= j;
            dense_put(&P, i, j, !inside ? 0 : unit && i == j ? 1 : dense_get(F, i, j));
        }
    return P;
}

static dense adjoint(const dense *A)
{
    dense B = dense_make(A->t, A->n, A->m, CANARY_FINITE);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) dense_put(&B, j, i, conj(dense_get(A, i, j)));
    return B;
}

static void exchange(const dense *A, const int64_t *pivot)
{
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < A->n; j++) {
            tsl_scalar v = dense_get(A, i, j);
            dense_put(A, i, j, dense_get(A, pivot[i] - 1, j)), dense_put(A, pivot[i] - 1, j, v);
        }
}

/* Each gives what it has computed, for a look at its bits. */
static double cholesky(tsl_context *x, tsl_type t, kind k, dense *F)
{
    dense A = definite(t, k);
    int64_t info = -1;
    *F = dense_copy(&A);
    check(!typed_for(t)->potrf(x, 'L', N, F->data, F->ld, &info) && info == 0, "potrf: %s, info %d", tsl_error(x), (int)info);
    dense L = part(F, true, false), LH = adjoint(&L);
    double error = by_elements(&A, &L, &LH);
    dense_free(&A), dense_free(&L), dense_free(&LH);
    return error;
}

static double lu(tsl_context *x, tsl_type t, kind k, dense *F)
{
    dense A = general(t, k);
    int64_t info = -1, pivot[N];
    *F = dense_copy(&A);
    check(!typed_for(t)->getrf(x, N, N, F->data, F->ld, pivot, &info) && info == 0, "getrf: %s", tsl_error(x));
    dense L = part(F, true, true), U = part(F, false, false);
    exchange(&A, pivot);
    double error = by_elements(&A, &L, &U);
    dense_free(&A), dense_free(&L), dense_free(&U);
    return error;
}

static double qr(tsl_context *x, tsl_type t, kind k, dense *F)
{
    dense A = general(t, k), tau = dense_make(t, N, 1, CANARY_FINITE), one = dense_make(t, N, N, CANARY_FINITE);
    int64_t info = -1;
    *F = dense_copy(&A);
    check(!typed_for(t)->geqrf(x, N, N, F->data, F->ld, tau.data, &info) && info == 0, "geqrf: %s", tsl_error(x));
    dense R = part(F, false, false), Q = dense_copy(F);
    check(!typed_for(t)->gqr(x, N, N, N, Q.data, Q.ld, tau.data, &info) && info == 0, "orgqr: %s", tsl_error(x));
    dense QH = adjoint(&Q);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) dense_put(&one, i, j, i == j);
    double error = worse(by_columns(&A, &Q, &R), by_columns(&one, &QH, &Q));
    dense_free(&A), dense_free(&tau), dense_free(&one), dense_free(&R), dense_free(&Q), dense_free(&QH);
    return error;
}

/* |b - A x| beside |L| |U| |x|, rows in the order of pivots */
static double solution(tsl_context *x, tsl_type t, kind k, dense *X)
{
    dense A = general(t, k), F = dense_copy(&A), B = dense_make(t, N, RHS, CANARY_FINITE);
    int64_t info = -1, pivot[N];
    dense_random(&B, 6);
    for (int64_t j = 0; j < RHS && k == ROWS; j++)
        for (int64_t i = 0; i < N; i++) dense_put(&B, i, j, dense_get(&B, i, j) * ldexp(1, grade(t, i)));
    *X = dense_copy(&B);
    tsl_status st = typed_for(t)->gesv(x, N, RHS, F.data, F.ld, pivot, X->data, X->ld, &info);
    check(!st && info == 0, "gesv: %s, info %d", tsl_error(x), (int)info);
    exchange(&A, pivot), exchange(&B, pivot);
    dense L = part(&F, true, true), U = part(&F, false, false);
    number *sizes = residual(&A, &L, &U), *R = residual(&B, &A, X), *a = numbers(X);
    double most = 0;
    for (int64_t j = 0; j < RHS; j++)
        for (int64_t i = 0; i < N; i++) {
            long double beside = 0;
            for (int64_t h = 0; h < N; h++) beside += sizes[i + h * N].size * a[h + j * N].size;
            most = worse(most, in_eps(t, hypotl(R[i + j * N].re, R[i + j * N].im), beside));
        }
    free(sizes), free(R), free(a);
    dense_free(&A), dense_free(&F), dense_free(&B), dense_free(&L), dense_free(&U);
    return most;
}

/* ---- native and by residues ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *variant;
    double (*run)(tsl_context *x, tsl_type t, kind k, dense *F);
} routines[] = {{"Cholesky", "auto", cholesky}, {"Cholesky by halves", "wide", cholesky}, {"LU", "auto", lu},
                {"LU by halves", "wide", lu},   {"QR", "auto", qr},
                {"QR in wide blocks", "wide", qr}, {"gesv", "auto", solution}};
enum { ROUTINES = sizeof routines / sizeof *routines };

static void set(tsl_context *x, const char *option, const char *value)
{
    check(!tsl_set(x, option, value), "%s", tsl_error(x));
}

/* Errors of a few eps differ by chance with the order of sums, from one matrix to the next too. So those by residues are held
 * against the worst of all native ones. Some bits of a random matrix's factors are others by residues: they are what was
 * computed. */
static void compare(tsl_context *x, int r, tsl_type t)
{
    static const char *const way[] = {"native", "emulated"};
    const char *name = routines[r].name;
    double error[KINDS][2], most = 0;
    set(x, "variant", routines[r].variant);
    for (int k = 0; k < KINDS; k++) {
        dense F[2];
        for (int i = 0; i < 2; i++) {
            set(x, "products", way[i]);
            error[k][i] = routines[r].run(x, t, (kind)k, &F[i]);
        }
        most = worse(most, error[k][0]);
        printf("# %s of %c, %s: %.2f eps by residues, %.2f native\n", name, "sdcz"[t], kind_name[k], error[k][1], error[k][0]);
        check(k != RANDOM || !dense_same(&F[0], &F[1]), "%s: no bit differs from native products'", name);
        dense_free(&F[0]), dense_free(&F[1]);
    }
    for (int k = 0; k < KINDS; k++)
        check(error[k][1] <= 2 * most, "%s of %s: %g eps, native at most %g", name, kind_name[k], error[k][1], most);
}

int main(void)
{
    tsl_context *x;
    char tile[8];
    snprintf(tile, sizeof tile, "%d", TILE);
    if (tsl_context_create(NULL, &x)) return puts("Bail out! no context"), 1;
    set(x, "tile", tile);
    for (int r = 0; r < ROUTINES; r++)
        for (int i = 0; i < 4; i++) {
            compare(x, r, all_types[i]);
            checked("%s, %c: backward errors by residues are like native ones", routines[r].name, "sdcz"[all_types[i]]);
        }
    tsl_context_destroy(x);
    return tap_done();
}
