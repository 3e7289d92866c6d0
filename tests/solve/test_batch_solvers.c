/* Typed calls on batches of inverses, L D L^T, products with Q, QR with pivoting, and least squares of any rank. Each problem
 * is judged by residuals; problems that are singular have an info, and do not touch others. */
#include "batch_orders.h"

static stack one_each(int64_t count) { return stack_make(TSL_INDEX, DENSE, 1, 1, count); }

/* A inv(A) - I; every fourth problem is exactly singular */
static int is_singular(int64_t k) { return k % 4 == 1; }

static void inverse_case(tsl_type t, layout how, int64_t n, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), p = stack_make(TSL_INDEX, how, n, 1, count);
    int64_t *info = calloc((size_t)count, sizeof *info), *inverted = calloc((size_t)count, sizeof *info);
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < n; j++) {
            if (is_singular(k))
                stack_set(&A, k, j, n / 2, 0);
            else
                stack_set(&A, k, j, j, stack_get(&A, k, j, j) + 2.0 * (double)n);
        }
    stack given = stack_copy(&A);
    double worst = 0;
    int infos = 1;
#define GETRF(M, V) n, n, M(A), V(p), count, info
#define GETRI(M, V) n, M(A), V(p), count, inverted
    tsl_status st = BY_FORM(t, how, getrf, getrf, GETRF);
    stack factors = stack_copy(&A);
    if (!st)
        st = BY_FORM(t, how, getri, getri, GETRI);
    for (int64_t k = 0; k < count && !st; k++) {
        infos &= (info[k] != 0) == is_singular(k) && inverted[k] == info[k];
        if (info[k])
            infos &= stack_untouched(&A, &factors, k);
        if (info[k])
            continue;
        dense a = dense_of(&given, k), x = dense_of(&A, k), unit = dense_unit(n);
        worst = worse(worst, dense_error(t, 'N', &a, 'N', &x, &unit));
        dense_free(&a), dense_free(&x), dense_free(&unit);
    }
    check(!st && infos && worst < BOUND && stack_intact(&A, &given), "%s %c getri %d, layout %d: infos %d, %g, %s", where,
          tsl_type_letter(t), (int)n, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&p), stack_free(&given), stack_free(&factors), free(info), free(inverted);
}

static void triangle_case(tsl_type t, layout how, int64_t n, char uplo, char diag, int64_t count)
{
    stack A = definite_stack(t, how, n, count), L = stack_copy(&A);
    int64_t *info = calloc((size_t)count, sizeof *info), *second = calloc((size_t)count, sizeof *info);
    for (int64_t k = 0; k < count; k++)
        if (is_singular(k) && diag == 'N')
            stack_set(&L, k, n / 2, n / 2, 0);
    stack given = stack_copy(&L), definite = stack_copy(&A);
    double worst = 0, inverse = 0;
    int infos = 1;
#define TRTRI(M, V) uplo, diag, n, M(L), count, info
    tsl_status st = BY_FORM(t, how, trtri, trtri, TRTRI);
    for (int64_t k = 0; k < count && !st; k++) {
        int singular = is_singular(k) && diag == 'N';
        infos &= info[k] == (singular ? n / 2 + 1 : 0);
        if (singular)
            continue;
        dense a = dense_half(&given, k, uplo, 'T'), x = dense_half(&L, k, uplo, 'T'), unit = dense_unit(n);
        for (int64_t i = 0; i < n && diag == 'U'; i++)
            *dense_at(&a, i, i) = *dense_at(&x, i, i) = 1;
        worst = worse(worst, dense_error(t, 'N', &a, 'N', &x, &unit) / (double)n);
        dense_free(&a), dense_free(&x), dense_free(&unit);
    }
#define POTRF(M, V) uplo, n, M(A), count, info
#define POTRI(M, V) uplo, n, M(A), count, second
    if (!st)
        st = BY_FORM(t, how, potrf, potrf, POTRF);
    if (!st)
        st = BY_FORM(t, how, potri, potri, POTRI);
    for (int64_t k = 0; k < count && !st; k++) {
        infos &= (info[k] != 0) == is_bad(k);
        if (info[k])
            continue;
        dense a = dense_half(&definite, k, uplo, 'H'), x = dense_half(&A, k, uplo, 'H'), unit = dense_unit(n);
        infos &= second[k] == 0;
        inverse = worse(inverse, dense_error(t, 'N', &a, 'N', &x, &unit));
        dense_free(&a), dense_free(&x), dense_free(&unit);
    }
    check(!st && infos && worst < BOUND && inverse < BOUND, "%s %c trtri %c%c, potri %d, layout %d: infos %d, %g, %g, %s",
          where, tsl_type_letter(t), uplo, diag, (int)n, how, infos, worst, inverse, tsl_error(ctx));
    stack_free(&A), stack_free(&L), stack_free(&given), stack_free(&definite), free(info), free(second);
}

/* sytrf and sytrs, and sysv; of complex types hetrf and its kin too. Zero problems have an info. */
static void indefinite_case(tsl_type t, layout how, int64_t n, int64_t nrhs, char uplo, int hermitian, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), B = random_stack(t, how, n, nrhs, count),
          p = stack_make(TSL_INDEX, how, n, 1, count);
    int64_t *info = calloc((size_t)count, sizeof *info);
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < n && is_singular(k); j++)
            for (int64_t i = 0; i < n; i++)
                stack_set(&A, k, i, j, 0);
    stack given = stack_copy(&A), again = stack_copy(&A), b = stack_copy(&B), C = stack_copy(&B), q = stack_copy(&p);
    double worst = 0, apart = 0;
    int infos = 1;
#define SYTRF(M, V) uplo, n, M(A), V(p), count, info
#define SYTRS(M, V) uplo, n, nrhs, M(A), V(p), M(B), count
#define SYSV(M, V) uplo, n, nrhs, M(again), V(q), M(C), count, info
    tsl_status st = hermitian ? BY_FORM(t, how, sytrf, hetrf, SYTRF) : BY_FORM(t, how, sytrf, sytrf, SYTRF);
    for (int64_t k = 0; k < count; k++)
        infos &= (info[k] != 0) == is_singular(k);
    if (!st)
        st = hermitian ? BY_FORM(t, how, sytrs, hetrs, SYTRS) : BY_FORM(t, how, sytrs, sytrs, SYTRS);
    if (!st)
        st = hermitian ? BY_FORM(t, how, sysv, hesv, SYSV) : BY_FORM(t, how, sysv, sysv, SYSV);
    for (int64_t k = 0; k < count && !st; k++) {
        infos &= (info[k] != 0) == is_singular(k);
        if (is_singular(k)) {
            infos &= stack_untouched(&C, &b, k);
            continue;
        }
        dense a = dense_half(&given, k, uplo, hermitian ? 'H' : 'S'), x = dense_of(&B, k), y = dense_of(&C, k),
              r = dense_of(&b, k);
        worst = worse(worst, dense_error(t, 'N', &a, 'N', &x, &r));
        apart = worse(apart, dense_error(t, 'N', &a, 'N', &y, &r));
        dense_free(&a), dense_free(&x), dense_free(&y), dense_free(&r);
    }
    check(!st && infos && worst < BOUND && apart < BOUND && stack_intact(&A, &given) && stack_intact(&C, &b),
          "%s %c %s %c %d, layout %d: infos %d, %g, %g, %s", where, tsl_type_letter(t), hermitian ? "hetrf" : "sytrf", uplo,
          (int)n, how, infos, worst, apart, tsl_error(ctx));
    stack_free(&A), stack_free(&B), stack_free(&p), stack_free(&given), stack_free(&again), stack_free(&b), stack_free(&C),
        stack_free(&q), free(info);
}

static void orthogonal_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    int64_t d = m < n ? m : n;
    stack A = random_stack(t, how, m, n, count), tau = stack_make(t, how, d, 1, count), Q = stack_make(t, how, m, d, count);
    stack C = random_stack(t, how, m, 3, count), D = random_stack(t, how, 2, m, count), given = stack_copy(&A),
          c = stack_copy(&C), e = stack_copy(&D);
    double worst = 0;
    char trans = herm(t);
#define GEQRF(M, V) m, n, M(A), V(tau), count
#define ORGQR(M, V) m, d, d, M(Q), V(tau), count
#define FROM_LEFT(M, V) 'L', trans, m, (int64_t)3, d, M(A), V(tau), M(C), count
#define FROM_RIGHT(M, V) 'R', 'N', (int64_t)2, m, d, M(A), V(tau), M(D), count
    tsl_status st = BY_FORM(t, how, geqrf, geqrf, GEQRF);
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t i = 0; i < m; i++)
                stack_set(&Q, k, i, j, stack_get(&A, k, i, j));
    if (!st)
        st = BY_FORM(t, how, orgqr, ungqr, ORGQR);
    if (!st)
        st = BY_FORM(t, how, ormqr, unmqr, FROM_LEFT);
    if (!st)
        st = BY_FORM(t, how, ormqr, unmqr, FROM_RIGHT);
    for (int64_t k = 0; k < count && !st; k++) {
        dense a = dense_of(&given, k), q = dense_of(&Q, k), r = dense_make(d, n), full = dense_of(&C, k),
              top = dense_make(d, 3), was = dense_of(&c, k);
        dense right = dense_of(&D, k), before = dense_of(&e, k), left = dense_make(2, d);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i <= j && i < d; i++)
                *dense_at(&r, i, j) = stack_get(&A, k, i, j);
        for (int64_t j = 0; j < 3; j++)
            for (int64_t i = 0; i < d; i++)
                *dense_at(&top, i, j) = *dense_at(&full, i, j);
        for (int64_t j = 0; j < d; j++)
            for (int64_t i = 0; i < 2; i++)
                *dense_at(&left, i, j) = *dense_at(&right, i, j);
        worst = worse(worst, worse(dense_unitary(t, &q), dense_error(t, 'N', &q, 'N', &r, &a)));
        worst = worse(worst, worse(dense_error(t, 'C', &q, 'N', &was, &top), dense_error(t, 'N', &before, 'N', &q, &left)));
        dense_free(&a), dense_free(&q), dense_free(&r), dense_free(&full), dense_free(&top), dense_free(&was),
            dense_free(&right), dense_free(&before), dense_free(&left);
    }
    check(!st && worst < BOUND && stack_intact(&C, &c), "%s %c orgqr, ormqr %d x %d, layout %d: %g, %s", where,
          tsl_type_letter(t), (int)m, (int)n, how, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&tau), stack_free(&Q), stack_free(&C), stack_free(&D), stack_free(&given), stack_free(&c),
        stack_free(&e);
}

/* A P = Q R, the diagonal of R descending */
static void pivoted_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    int64_t d = m < n ? m : n;
    stack A = random_stack(t, how, m, n, count), tau = stack_make(t, how, d, 1, count),
          p = stack_make(TSL_INDEX, how, n, 1, count), Q = stack_make(t, how, m, d, count);
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < n; j++)
            stack_set(&p, k, j, 0, 0);
    stack given = stack_copy(&A);
    double worst = 0;
    int right = 1;
#define GEQP3(M, V) m, n, M(A), V(p), V(tau), count
    tsl_status st = BY_FORM(t, how, geqp3, geqp3, GEQP3);
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t i = 0; i < m; i++)
                stack_set(&Q, k, i, j, stack_get(&A, k, i, j));
    if (!st)
        st = BY_FORM(t, how, orgqr, ungqr, ORGQR);
    for (int64_t k = 0; k < count && !st; k++) {
        dense q = dense_of(&Q, k), r = dense_make(d, n), ap = dense_make(m, n);
        for (int64_t j = 0; j < n; j++) {
            int64_t from = (int64_t)creal(stack_get(&p, k, j, 0)) - 1;
            right &= from >= 0 && from < n;
            for (int64_t i = 0; i < m && right; i++)
                *dense_at(&ap, i, j) = stack_get(&given, k, i, from);
            for (int64_t i = 0; i <= j && i < d; i++)
                *dense_at(&r, i, j) = stack_get(&A, k, i, j);
            if (j && j < d)
                right &= cabs(*dense_at(&r, j, j)) <= cabs(*dense_at(&r, j - 1, j - 1)) * (1 + 100 * eps(t));
        }
        worst = worse(worst, dense_error(t, 'N', &q, 'N', &r, &ap));
        dense_free(&q), dense_free(&r), dense_free(&ap);
    }
    check(!st && right && worst < BOUND, "%s %c geqp3 %d x %d, layout %d: %d, %g, %s", where, tsl_type_letter(t), (int)m,
          (int)n, how, right, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&tau), stack_free(&p), stack_free(&Q), stack_free(&given);
}

/* A of rank r, a product of r columns and r rows: A^H (A x - b) = 0, and x is in the row space, so the shortest. by: 'y' or
 * 'd' */
static void least_squares_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t nrhs, char by, int64_t count)
{
    int64_t d = m < n ? m : n, longest = m > n ? m : n, *info = calloc((size_t)count, sizeof *info);
    stack A = stack_make(t, how, m, n, count), B = random_stack(t, how, longest, nrhs, count),
          p = stack_make(TSL_INDEX, how, n, 1, count), s = stack_make(real_of(t), how, d, 1, count);
    stack rank = one_each(count);
    dense *rows = calloc((size_t)count, sizeof *rows);
    for (int64_t k = 0; k < count; k++) {
        int64_t r = k % 3 == 0 ? (d + 1) / 2 : d;
        dense left = dense_make(m, r);
        rows[k] = dense_make(r, n);
        for (int64_t i = 0; i < m * r; i++)
            left.a[i] = number(t);
        for (int64_t i = 0; i < r * n; i++)
            rows[k].a[i] = number(t);
        for (int64_t i = 0; i < r; i++)
            *dense_at(&left, i, i) += 4 * sqrt((double)r), *dense_at(&rows[k], i, i) += 4 * sqrt((double)r);
        dense a = dense_times('N', &left, 'N', &rows[k]);
        for (int64_t j = 0; j < n; j++) {
            stack_set(&p, k, j, 0, 0);
            for (int64_t i = 0; i < m; i++)
                stack_set(&A, k, i, j, *dense_at(&a, i, j));
        }
        dense_free(&left), dense_free(&a);
    }
    stack given = stack_copy(&A), b = stack_copy(&B);
    double worst = 0, rcond = eps(t) * 50 * (double)longest;
    int ranks = 1;
#define GELSY(M, V) m, n, nrhs, M(A), M(B), V(p), rcond, (void *)rank.data, count
#define GELSD(M, V) m, n, nrhs, M(A), M(B), V(s), rcond, (void *)rank.data, count, info
    tsl_status st = by == 'y' ? BY_FORM(t, how, gelsy, gelsy, GELSY) : BY_FORM(t, how, gelsd, gelsd, GELSD);
    for (int64_t k = 0; k < count && !st; k++) {
        ranks &= (int64_t)creal(stack_get(&rank, k, 0, 0)) == rows[k].m && info[k] == 0;
        dense a = dense_of(&given, k), x = dense_make(n, nrhs), r = dense_make(m, nrhs);
        for (int64_t j = 0; j < nrhs; j++) {
            for (int64_t i = 0; i < n; i++)
                *dense_at(&x, i, j) = stack_get(&B, k, i, j);
            for (int64_t i = 0; i < m; i++)
                *dense_at(&r, i, j) = -stack_get(&b, k, i, j);
        }
        dense ax = dense_times('N', &a, 'N', &x);
        for (int64_t i = 0; i < m * nrhs; i++)
            r.a[i] += ax.a[i];
        dense normal = dense_times('C', &a, 'N', &r), zero = dense_make(n, nrhs);
        worst = worse(worst, dense_size(&normal) / ((dense_size(&a) * (double)(m + n)) *
                                                    (dense_size(&a) * dense_size(&x) * (double)n + dense_size(&r)) * eps(t)));
        /* x - R^H y with y the solution of R R^H y = R x is what is outside of the row space: shorter than |x| only if x is in
         * it */
        dense y = dense_times('N', &rows[k], 'N', &x), gram = dense_times('N', &rows[k], 'C', &rows[k]);
        for (int64_t c = 0; c < gram.m; c++) /* Gauss-Jordan: it is definite */
            for (int64_t i = 0; i < gram.m; i++) {
                tsl_scalar f = *dense_at(&gram, i, c) / *dense_at(&gram, c, c);
                if (i == c)
                    continue;
                for (int64_t j = c; j < gram.m; j++)
                    *dense_at(&gram, i, j) -= f * *dense_at(&gram, c, j);
                for (int64_t j = 0; j < nrhs; j++)
                    *dense_at(&y, i, j) -= f * *dense_at(&y, c, j);
            }
        for (int64_t i = 0; i < gram.m; i++)
            for (int64_t j = 0; j < nrhs; j++)
                *dense_at(&y, i, j) /= *dense_at(&gram, i, i);
        dense inside = dense_times('C', &rows[k], 'N', &y);
        for (int64_t i = 0; i < n * nrhs; i++)
            worst = worse(worst, cabs(inside.a[i] - x.a[i]) /
                                     (eps(t) * (double)(m + n) * (double)(m + n) * (dense_size(&x) + 1e-300)));
        dense_free(&a), dense_free(&x), dense_free(&r), dense_free(&ax), dense_free(&normal), dense_free(&zero), dense_free(&y),
            dense_free(&gram), dense_free(&inside);
        dense_free(&rows[k]);
    }
    check(!st && ranks && worst < BOUND, "%s %c gels%c %d x %d, layout %d: ranks %d, %g, %s", where, tsl_type_letter(t), by,
          (int)m, (int)n, how, ranks, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&B), stack_free(&p), stack_free(&s), stack_free(&rank), stack_free(&given), stack_free(&b),
        free(info), free(rows);
}

static void all_solvers(tsl_type t, layout how, int64_t n, int turn, int64_t count)
{
    char up = (how + turn) % 2 ? 'U' : 'L';
    inverse_case(t, how, n, count);
    triangle_case(t, how, n, up, turn % 2 ? 'U' : 'N', count);
    indefinite_case(t, how, n, 2, up, 0, count);
    indefinite_case(t, how, n, 1, up, 1, count);
    orthogonal_case(t, how, n + 5, n, count);
    orthogonal_case(t, how, n, n + 2, count);
    pivoted_case(t, how, n + 3, n, count);
    pivoted_case(t, how, n, n + 2, count);
    least_squares_case(t, how, n + 4, n, 2, turn % 2 ? 'y' : 'd', count);
    least_squares_case(t, how, n, n + 3, 1, turn % 2 ? 'd' : 'y', count);
}

/* Past what one kernel has room for on a GPU */
static void large(tsl_type t, int64_t largest)
{
    for (int how = 0; how < LAYOUTS && largest >= 97; how += 3) {
        orthogonal_case(t, (layout)how, 150, 141, 3);
        orthogonal_case(t, (layout)how, 141, 150, 3);
    }
}

int main(void) { return run(all_solvers, large, "all solvers"); }
