/* Batches: each operation on problems in several layouts, against its definition, problem by problem: residuals, infos of
 * problems that fail beside others that do not, NaN, nothing touched around them; on one device, several, and with little
 * memory. */
#include <stdio.h>

#include "batch.h"
#include "context.h"
#include "extent.h"

static const char *where;
static tsl_context *ctx;
static const double BOUND = 60; /* times eps and the order */

static void gemm_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t k, char ta, char tb, int64_t count)
{
    stack A = random_stack(t, how, ta == 'N' ? m : k, ta == 'N' ? k : m, count), B = random_stack(t, how, tb == 'N' ? k : n, tb == 'N' ? n : k, count);
    stack C = random_stack(t, how, m, n, count), was = stack_copy(&C);
    tsl_scalar alpha = tsl_type_size(t) && (t == TSL_C || t == TSL_Z) ? CMPLX(0.5, -1) : 0.5, beta = m % 3 ? -2 : 0;
    if (beta == 0)
        for (int64_t p = 0; p < count; p++) stack_set(&C, p, 0, 0, NAN);
    tsl_status st = batch_of[t].gemm(ctx, ta, tb, m, n, k, alpha, &A, &B, beta, &C);
    double worst = 0;
    for (int64_t p = 0; p < count; p++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++) {
                tsl_scalar sum = beta == 0 ? 0 : beta * stack_get(&was, p, i, j);
                for (int64_t l = 0; l < k; l++) sum += alpha * seen(&A, p, ta, i, l) * seen(&B, p, tb, l, j);
                double off = cabs(stack_get(&C, p, i, j) - sum);
                worst = worse(worst, off);
            }
    check(!st && worst <= BOUND * eps(t) * (double)(k + 1) && stack_intact(&C, &was), "%s %c gemm %c%c %d x %d x %d, layout %d: off by %g, %s", where, tsl_type_letter(t), ta,
          tb, (int)m, (int)n, (int)k, how, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&B), stack_free(&C), stack_free(&was);
}

static void trsm_case(tsl_type t, layout how, int64_t m, int64_t n, char side, char uplo, char ta, char diag, int64_t count)
{
    int64_t order = side == 'L' ? m : n;
    stack A = random_stack(t, how, order, order, count), B = random_stack(t, how, m, n, count), X, was = stack_copy(&B);
    for (int64_t p = 0; p < count; p++)
        for (int64_t j = 0; j < order; j++)
            for (int64_t i = 0; i < order; i++) { /* what is not to be read is NaN */
                int read = uplo == 'L' ? i > j : i < j;
                stack_set(&A, p, i, j, i == j ? (diag == 'U' ? NAN : 2 + 2.0 * (double)order) : read ? stack_get(&A, p, i, j) * (diag == 'U' ? 0.5 / (double)order : 1) : NAN);
            }
    tsl_status st = batch_of[t].trsm(ctx, side, uplo, ta, diag, m, n, 2, &A, &B);
    X = stack_copy(&B);
    double worst = 0;
    for (int64_t p = 0; p < count; p++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++) {
                tsl_scalar r = -2 * stack_get(&was, p, i, j);
                double scale = cabs(r);
                for (int64_t l = 0; l < order; l++) {
                    int64_t a = side == 'L' ? i : l, b = side == 'L' ? l : j; /* element (a,b) of op(A) */
                    int64_t row = ta == 'N' ? a : b, col = ta == 'N' ? b : a;
                    if (uplo == 'L' ? row < col : row > col) continue;
                    tsl_scalar e = row == col && diag == 'U' ? 1 : stack_get(&A, p, row, col), q;
                    if (ta == 'C') e = conj(e);
                    q = e * (side == 'L' ? stack_get(&X, p, l, j) : stack_get(&X, p, i, l));
                    r += q;
                    scale += cabs(q);
                }
                worst = worse(worst, isnan(cabs(r)) ? INFINITY : cabs(r) / (1 + scale));
            }
    check(!st && worst <= BOUND * eps(t) * (double)(order + 1) && stack_intact(&B, &was), "%s %c trsm %c%c%c%c %d x %d, layout %d: %g, %s", where, tsl_type_letter(t), side, uplo, ta,
          diag, (int)m, (int)n, how, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&B), stack_free(&X), stack_free(&was);
}

/* |A - L L^H| of problem k, by the triangle that holds the factor */
static double cholesky_residual(const stack *A, const stack *F, char uplo, int64_t k, int64_t n)
{
    double worst = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            tsl_scalar r = -stack_get(A, k, i, j);
            for (int64_t l = 0; l <= j; l++)
                r += uplo == 'L' ? stack_get(F, k, i, l) * conj(stack_get(F, k, j, l)) : conj(stack_get(F, k, l, i)) * stack_get(F, k, l, j);
            worst = worse(worst, cabs(r));
        }
    return worst / (4.0 * (double)n * eps(A->t) * (double)(n + 1));
}

static void definite_case(tsl_type t, layout how, int64_t n, int64_t nrhs, char uplo, int64_t count)
{
    stack A = definite_stack(t, how, n, count), given, B = random_stack(t, how, n, nrhs, count), was = stack_copy(&B), X, S;
    int64_t *info = malloc((size_t)(count + 1) * sizeof *info);
    for (int64_t k = 0; k <= count; k++) info[k] = -77;
    for (int64_t k = 0; k < count; k++)
        if (has_nan(k)) stack_set(&A, k, n - 1, n - 1, NAN);
    given = stack_copy(&A);
    X = stack_copy(&B), S = stack_copy(&A);
    tsl_status st = batch_of[t].potrf(ctx, uplo, n, &A, info);
    double worst = 0;
    int infos = info[count] == -77, other = 1;
    for (int64_t k = 0; k < count; k++) {
        int64_t want = is_bad(k) ? bad_column(n) + 1 : has_nan(k) ? n : 0;
        infos &= info[k] == want;
        if (!want) worst = worse(worst, cholesky_residual(&given, &A, uplo, k, n));
        for (int64_t j = 0; j < n; j++) /* the other triangle is not touched */
            for (int64_t i = 0; i < n; i++)
                if (uplo == 'L' ? i < j : i > j) other &= !memcmp(stack_at(&A, k, i, j), stack_at(&given, k, i, j), element_size(t));
    }
    check(!st && infos && other && worst < BOUND && stack_intact(&A, &given), "%s %c potrf %c %d x %d, layout %d: infos %d, other %d, %g, %s", where, tsl_type_letter(t), uplo, (int)n,
          (int)count, how, infos, other, worst, tsl_error(ctx));
    st = batch_of[t].potrs(ctx, uplo, n, nrhs, &A, &X);
    worst = 0;
    for (int64_t k = 0; k < count; k++)
        if (!is_bad(k) && !has_nan(k)) worst = worse(worst, residual(&given, 'N', &X, &was, k, n, n, nrhs));
    check(!st && worst < BOUND && stack_intact(&X, &was), "%s %c potrs %c %d, layout %d: %g, %s", where, tsl_type_letter(t), uplo, (int)n, how, worst, tsl_error(ctx));
    for (int64_t k = 0; k < count; k++) info[k] = -77;
    st = batch_of[t].posv(ctx, uplo, n, nrhs, &S, &B, info);
    worst = 0, infos = 1, other = 1;
    for (int64_t k = 0; k < count; k++) {
        int64_t want = is_bad(k) ? bad_column(n) + 1 : has_nan(k) ? n : 0;
        infos &= info[k] == want;
        if (want) other &= stack_untouched(&B, &was, k);
        else worst = worse(worst, residual(&given, 'N', &B, &was, k, n, n, nrhs));
    }
    check(!st && infos && other && worst < BOUND, "%s %c posv %c %d x %d, layout %d: infos %d, B %d, %g, %s", where, tsl_type_letter(t), uplo, (int)n, (int)nrhs, how, infos, other,
          worst, tsl_error(ctx));
    stack_free(&A), stack_free(&given), stack_free(&B), stack_free(&was), stack_free(&X), stack_free(&S), free(info);
}

/* |P A - L U| of problem k */
static double lu_residual(const stack *A, const stack *F, const stack *p, int64_t k, int64_t m, int64_t n)
{
    int64_t d = m < n ? m : n, *row = malloc((size_t)m * sizeof *row);
    double worst = 0;
    for (int64_t i = 0; i < m; i++) row[i] = i;
    for (int64_t i = 0; i < d; i++) {
        int64_t with = (int64_t)creal(stack_get(p, k, i, 0)) - 1, was = row[i];
        if (with < i || with >= m) return free(row), INFINITY;
        row[i] = row[with], row[with] = was;
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar r = -stack_get(A, k, row[i], j);
            for (int64_t l = 0; l < d && l <= i && l <= j; l++) r += (l == i ? 1 : stack_get(F, k, i, l)) * stack_get(F, k, l, j);
            worst = worse(worst, cabs(r));
        }
    free(row);
    return worst / (4 * eps(A->t) * (double)(m + n));
}

static void lu_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    stack A = random_stack(t, how, m, n, count), p = stack_make(TSL_INDEX, how == POINTERS ? POINTERS : DENSE, m < n ? m : n, 1, count), given;
    int64_t *info = malloc((size_t)(count + 1) * sizeof *info), d = m < n ? m : n, zero = d / 2;
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; is_bad(k) && i < m; i++) stack_set(&A, k, i, zero, 0); /* a column of zeros */
    given = stack_copy(&A);
    tsl_status st = batch_of[t].getrf(ctx, m, n, &A, &p, info);
    double worst = 0;
    int infos = 1;
    for (int64_t k = 0; k < count; k++) {
        infos &= info[k] == (is_bad(k) && d ? zero + 1 : 0);
        worst = worse(worst, lu_residual(&given, &A, &p, k, m, n));
    }
    check(!st && infos && worst < BOUND && stack_intact(&A, &given), "%s %c getrf %d x %d, layout %d: infos %d, %g, %s", where, tsl_type_letter(t), (int)m, (int)n, how, infos, worst,
          tsl_error(ctx));
    stack_free(&A), stack_free(&p), stack_free(&given), free(info);
}

static void general_case(tsl_type t, layout how, int64_t n, int64_t nrhs, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), p = stack_make(TSL_INDEX, how == POINTERS ? POINTERS : DENSE, n, 1, count), given, B = random_stack(t, how, n, nrhs, count);
    stack was = stack_copy(&B), X = stack_copy(&B);
    int64_t *info = malloc((size_t)(count + 1) * sizeof *info);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < n; i++) stack_set(&A, k, i, i, is_bad(k) && i == n - 1 ? 0 : stack_get(&A, k, i, i) + 2.0 * (double)n);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; is_bad(k) && i < n; i++) stack_set(&A, k, i, n - 1, 0);
    given = stack_copy(&A);
    tsl_status st = batch_of[t].gesv(ctx, n, nrhs, &A, &p, &B, info);
    double worst = 0;
    int infos = 1, other = 1;
    for (int64_t k = 0; k < count; k++) {
        if (info[k] != (is_bad(k) ? n : 0) && infos) printf("# gesv %d: info of problem %d is %d\n", (int)n, (int)k, (int)info[k]);
        infos &= info[k] == (is_bad(k) ? n : 0);
        if (is_bad(k)) other &= stack_untouched(&B, &was, k);
        else worst = worse(worst, residual(&given, 'N', &B, &was, k, n, n, nrhs));
    }
    check(!st && infos && other && worst < BOUND && stack_intact(&B, &was), "%s %c gesv %d, layout %d: infos %d, B %d, %g, %s", where, tsl_type_letter(t), (int)n, how, infos, other, worst,
          tsl_error(ctx));
    for (const char *op = "NTC"; *op; op++) {
        for (int64_t k = 0; k < count; k++)
            for (int64_t j = 0; j < nrhs; j++)
                for (int64_t i = 0; i < n; i++) stack_set(&X, k, i, j, stack_get(&was, k, i, j));
        st = batch_of[t].getrs(ctx, *op, n, nrhs, &A, &p, &X);
        worst = 0;
        for (int64_t k = 0; k < count; k++)
            if (!is_bad(k)) worst = worse(worst, residual(&given, *op, &X, &was, k, n, n, nrhs));
        check(!st && worst < BOUND && stack_intact(&X, &was), "%s %c getrs %c %d, layout %d: %g, %s", where, tsl_type_letter(t), *op, (int)n, how, worst, tsl_error(ctx));
    }
    stack_free(&A), stack_free(&p), stack_free(&given), stack_free(&B), stack_free(&was), stack_free(&X), free(info);
}

/* |R^H R - A^H A|, which does not know Q, and |Q^H A - R| by the reflectors one after the other */
static double qr_residual(const stack *A, const stack *F, const stack *tau, int64_t k, int64_t m, int64_t n)
{
    int64_t d = m < n ? m : n;
    tsl_scalar *W = malloc((size_t)(m * n + 1) * sizeof *W);
    double worst = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) W[i + j * m] = stack_get(A, k, i, j);
    for (int64_t s = 0; s < d; s++)
        for (int64_t j = 0; j < n; j++) {
            tsl_scalar w = W[s + j * m];
            for (int64_t i = s + 1; i < m; i++) w += conj(stack_get(F, k, i, s)) * W[i + j * m];
            w *= conj(stack_get(tau, k, s, 0));
            W[s + j * m] -= w;
            for (int64_t i = s + 1; i < m; i++) W[i + j * m] -= stack_get(F, k, i, s) * w;
        }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            double off = cabs(W[i + j * m] - (i <= j ? stack_get(F, k, i, j) : 0));
            worst = worse(worst, off);
        }
    free(W);
    return worst / (4 * eps(A->t) * (double)(m + n));
}

static void qr_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    stack A = random_stack(t, how, m, n, count), tau = stack_make(t, how == POINTERS ? POINTERS : DENSE, m < n ? m : n, 1, count), given = stack_copy(&A);
    tsl_status st = batch_of[t].geqrf(ctx, m, n, &A, &tau);
    double worst = 0;
    for (int64_t k = 0; k < count; k++) worst = worse(worst, qr_residual(&given, &A, &tau, k, m, n));
    check(!st && worst < BOUND && stack_intact(&A, &given), "%s %c geqrf %d x %d, layout %d: %g, %s", where, tsl_type_letter(t), (int)m, (int)n, how, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&tau), stack_free(&given);
}

/* More rows than a kernel for panels of batches has room for, where workspace holds numbers of another call. */
static void tall_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    stack A = random_stack(t, how, 2 * m, n, count), tau = stack_make(t, how == POINTERS ? POINTERS : DENSE, n, 1, count);
    for (int64_t k = 0; k < count; k++) stack_set(&A, k, 0, 0, NAN);
    tsl_status st = batch_of[t].geqrf(ctx, 2 * m, n, &A, &tau);
    check(!st, "%s", tsl_error(ctx));
    stack_free(&A), stack_free(&tau);
    qr_case(t, how, m, n, count);
}

/* The residual of a solution by least squares is orthogonal to A's columns; of too few equations it is zero. */
static void least_squares_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t nrhs, char trans, int64_t count)
{
    int64_t rows = trans == 'N' ? m : n, cols = trans == 'N' ? n : m, longest = m > n ? m : n;
    stack A = random_stack(t, how, m, n, count), B = random_stack(t, how, longest, nrhs, count), was = stack_copy(&B), given;
    int64_t *info = malloc((size_t)(count + 1) * sizeof *info);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < m && i < n; i++) stack_set(&A, k, i, i, stack_get(&A, k, i, i) + 3.0 * (double)n);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; is_bad(k) && i < longest; i++) /* of rank one too few */
            if (m >= n) { if (i < m) stack_set(&A, k, i, n - 1, 0); }
            else if (i < n) stack_set(&A, k, m - 1, i, 0);
    given = stack_copy(&A);
    tsl_status st = batch_of[t].gels(ctx, trans, m, n, nrhs, &A, &B, info);
    double worst = 0;
    int infos = 1;
    for (int64_t k = 0; k < count; k++) {
        int64_t d = m < n ? m : n;
        infos &= info[k] == (is_bad(k) && d > 1 ? d : 0); /* zeros have a solution: zero */
        for (int64_t j = 0; j < nrhs && !is_bad(k); j++) {
            double size = 1;
            tsl_scalar *r = malloc((size_t)(rows + 1) * sizeof *r);
            for (int64_t i = 0; i < rows; i++) {
                r[i] = stack_get(&was, k, i, j);
                for (int64_t l = 0; l < cols; l++) r[i] -= seen(&given, k, trans, i, l) * stack_get(&B, k, l, j);
                size = tsl_larger(size, cabs(stack_get(&was, k, i, j)));
            }
            for (int64_t l = 0; l < cols && rows >= cols; l++) {
                tsl_scalar dot = 0;
                for (int64_t i = 0; i < rows; i++) dot += conj(seen(&given, k, trans, i, l)) * r[i];
                worst = worse(worst, isnan(cabs(dot)) ? INFINITY : cabs(dot) / (3.0 * (double)(n + 1) * size));
            }
            for (int64_t i = 0; i < rows && rows < cols; i++) worst = worse(worst, isnan(cabs(r[i])) ? INFINITY : cabs(r[i]) / size);
            free(r);
        }
    }
    check(!st && infos && worst < BOUND * eps(t) * (double)(m + n) && stack_intact(&B, &was), "%s %c gels %c %d x %d, layout %d: infos %d, %g, %s", where, tsl_type_letter(t), trans, (int)m,
          (int)n, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&B), stack_free(&was), stack_free(&given), free(info);
}

static void all_operations(int64_t largest)
{
    static const int64_t orders[] = {1, 2, 3, 5, 8, 13, 17, 32, 33, 64, 65, 100, 129, 200, 300};
    for (int t = TSL_S; t <= TSL_Z; t++) {
        for (int how = 0; how < LAYOUTS; how++)
            for (size_t o = 0; o < sizeof orders / sizeof *orders && orders[o] <= largest; o++) {
                int64_t n = orders[o], count = n <= 8 ? 67 : n <= 33 ? 23 : n <= 65 ? 7 : 4;
                state = (uint64_t)(t * 1000 + how * 100 + (int)o);
                if (n > 33 && (int)o % LAYOUTS != how && !in_full()) continue;
                char up = how % 2 ? 'U' : 'L';
                gemm_case((tsl_type)t, (layout)how, n, n, n, 'N', "NTC"[o % 3], count);
                gemm_case((tsl_type)t, (layout)how, n, n / 2 + 1, n + 3, "NTC"[(o + 1) % 3], 'N', count);
                trsm_case((tsl_type)t, (layout)how, n, 3, 'L', up, "NTC"[o % 3], o % 2 ? 'U' : 'N', count);
                trsm_case((tsl_type)t, (layout)how, n / 2 + 1, n, 'R', up == 'L' ? 'U' : 'L', "NTC"[(o + how) % 3], o % 2 ? 'N' : 'U', count);
                definite_case((tsl_type)t, (layout)how, n, how == 2 ? 1 : 3, up, count);
                definite_case((tsl_type)t, (layout)how, n, 2, up == 'L' ? 'U' : 'L', count);
                lu_case((tsl_type)t, (layout)how, n, n, count);
                lu_case((tsl_type)t, (layout)how, n + 7, n, count);
                lu_case((tsl_type)t, (layout)how, n, n + 4, count);
                general_case((tsl_type)t, (layout)how, n, how == 2 ? 1 : 3, count);
                qr_case((tsl_type)t, (layout)how, n, n, count);
                qr_case((tsl_type)t, (layout)how, n + 9, n, count);
                qr_case((tsl_type)t, (layout)how, n, n + 2, count);
                least_squares_case((tsl_type)t, (layout)how, n + 5, n, 2, 'N', count);
                least_squares_case((tsl_type)t, (layout)how, n, n + 3, 1, 'N', count);
                least_squares_case((tsl_type)t, (layout)how, n + 2, n, 1, herm((tsl_type)t), count);
            }
        if (largest > 100) {
            layout how = t % 2 ? POINTERS : GAPS;
            tall_case((tsl_type)t, how, t == TSL_Z ? 300 : 600, 70, 3);
            for (int64_t m = 450; m <= 515; m += 65) { /* more than a panel of LU may have: of z, and of any type */
                lu_case((tsl_type)t, how, m, 70, 5);
                general_case((tsl_type)t, how, m, 2, 5);
            }
        }
        checked("%s: %c: all operations", where, tsl_type_letter((tsl_type)t));
    }
}

int main(void)
{
    static const struct { const char *devices; int64_t largest; } on[] = {{"host", 100}, {"host:3", 33}, {"host:1,mem=256K", 17}, {"cuda", 200}};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        where = on[i].devices;
        ctx = context_on(where);
        if (!ctx) continue;
        all_operations(on[i].largest);
        tsl_context_destroy(ctx);
    }
    return tap_done();
}
