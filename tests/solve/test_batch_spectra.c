/* Typed calls on batches of spectra: eigenpairs of symmetric matrices, alone, by index and of pairs, singular values, polar
 * decompositions, pseudo-inverses. Each problem is judged by residuals; problems with a NaN have an info, and do not touch
 * others. */
#include "batch_orders.h"

/* A V = V W, V orthonormal, W ascending */
static double pairs_error(const dense *A, const stack *V, const stack *w, int64_t k, int64_t pairs)
{
    dense v = dense_of(V, k);
    v.n = pairs;
    dense vw = dense_scaled(&v, w, k);
    double worst = worse(dense_error(V->t, 'N', A, 'N', &v, &vw), dense_unitary(V->t, &v));
    for (int64_t i = 1; i < pairs; i++)
        if (!(creal(stack_get(w, k, i - 1, 0)) <= creal(stack_get(w, k, i, 0))))
            worst = INFINITY;
    dense_free(&v), dense_free(&vw);
    return worst;
}

static void symmetric_case(tsl_type t, layout how, int64_t n, char uplo, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), w = stack_make(real_of(t), how, n, 1, count), x = stack_copy(&w), Z;
    spoil(&A);
    stack given = stack_copy(&A), values = stack_copy(&A), some = stack_copy(&A), w0 = stack_copy(&w);
    int64_t *info = calloc((size_t)count, sizeof *info), il = (n + 2) / 3, iu = tsl_larger(il, n - n / 4), pairs = iu - il + 1;
    Z = stack_make(t, how, n, pairs, count);
    char job = 'V';
    double worst = 0, apart = 0, chosen = 0;
#define SYEV(M, V) job, uplo, n, M(A), V(w), count, info
    tsl_status st = BY_FORM(t, how, syev, heev, SYEV);
    int infos = infos_right(info, count);
#undef SYEV
#define SYEV(M, V) 'N', uplo, n, M(values), V(x), count, info
    if (!st)
        st = BY_FORM(t, how, syev, heev, SYEV);
#undef SYEV
    infos &= infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        dense full = dense_half(&given, k, uplo, 'H');
        double size = dense_size(&full) * (double)n;
        if (is_spoiled(k))
            infos &= all_nan(&A, k) && all_nan(&w, k) && all_nan(&x, k);
        else
            worst = worse(worst, pairs_error(&full, &A, &w, k, n));
        for (int64_t i = 0; i < n && !is_spoiled(k); i++)
            apart = worse(apart, cabs(stack_get(&w, k, i, 0) - stack_get(&x, k, i, 0)) / (size * eps(t)));
        dense_free(&full);
    }
    check(!st && infos && worst < BOUND && apart < BOUND && stack_intact(&A, &given) && stack_intact(&w, &w0),
          "%s %c syev %c %d, layout %d: infos %d, %g, %g, %s", where, tsl_type_letter(t), uplo, (int)n, how, infos, worst,
          apart, tsl_error(ctx));
    stack z0 = stack_copy(&Z);
#define SYEVX(M, V) 'V', uplo, n, M(some), il, iu, V(x), M(Z), count, info
    if (!st)
        st = BY_FORM(t, how, syevx, heevx, SYEVX);
    for (int64_t k = 0; k < count && !st; k++) {
        dense full = dense_half(&given, k, uplo, 'H');
        double size = dense_size(&full) * (double)n;
        if (is_spoiled(k))
            infos &= info[k] != 0;
        else
            chosen = worse(chosen, pairs_error(&full, &Z, &x, k, pairs));
        for (int64_t i = 0; i < pairs && !is_spoiled(k); i++)
            chosen = worse(chosen, cabs(stack_get(&w, k, il - 1 + i, 0) - stack_get(&x, k, i, 0)) / (size * eps(t)));
        dense_free(&full);
    }
    check(!st && infos && chosen < BOUND && stack_intact(&Z, &z0), "%s %c syevx %c %d, layout %d: infos %d, %g, %s", where,
          tsl_type_letter(t), uplo, (int)n, how, infos, chosen, tsl_error(ctx));
    stack_free(&A), stack_free(&w), stack_free(&x), stack_free(&given), stack_free(&values), stack_free(&some), stack_free(&Z),
        stack_free(&z0), stack_free(&w0), free(info);
}

/* A x = w B x, A B x = w x or B A x = w x */
static void generalized_case(tsl_type t, layout how, int64_t n, char uplo, int64_t itype, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), B = definite_stack(t, how, n, count),
          w = stack_make(real_of(t), how, n, 1, count);
    stack a = stack_copy(&A), b = stack_copy(&B);
    int64_t *info = calloc((size_t)count, sizeof *info);
    double worst = 0;
    int infos = 1;
#define SYGV(M, V) itype, 'V', uplo, n, M(A), M(B), V(w), count, info
    tsl_status st = BY_FORM(t, how, sygv, hegv, SYGV);
    for (int64_t k = 0; k < count && !st; k++) {
        infos &= is_bad(k) ? info[k] == n + bad_column(n) + 1 : info[k] == 0;
        if (info[k])
            continue;
        dense S = dense_half(&a, k, uplo, 'H'), D = dense_half(&b, k, uplo, 'H'), V = dense_of(&A, k),
              VW = dense_scaled(&V, &w, k), l, r;
        dense inner = itype == 1 ? dense_unit(0) : dense_times('N', itype == 2 ? &D : &S, 'N', &V);
        r = itype == 1 ? dense_times('N', &D, 'N', &VW) : VW;
        l = itype == 1 ? S : itype == 2 ? S : D;
        double e = dense_error(t, 'N', &l, 'N', itype == 1 ? &V : &inner, &r);
        worst = worse(worst, e);
        if (itype == 1)
            dense_free(&r);
        dense_free(&S), dense_free(&D), dense_free(&V), dense_free(&VW), dense_free(&inner);
    }
    check(!st && infos && worst < BOUND, "%s %c sygv %d %c %d, layout %d: infos %d, %g, %s", where, tsl_type_letter(t),
          (int)itype, uplo, (int)n, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&B), stack_free(&w), stack_free(&a), stack_free(&b), free(info);
}

static void singular_case(tsl_type t, layout how, int64_t m, int64_t n, char job, int64_t count)
{
    int64_t d = m < n ? m : n, *info = calloc((size_t)count, sizeof *info);
    stack A = random_stack(t, how, m, n, count), s = stack_make(real_of(t), how, d, 1, count), x = stack_copy(&s);
    stack U = stack_make(t, how, m, job == 'A' ? m : d, count), VT = stack_make(t, how, job == 'A' ? n : d, n, count);
    spoil(&A);
    stack given = stack_copy(&A), values = stack_copy(&A), u0 = stack_copy(&U), v0 = stack_copy(&VT);
    double worst = 0, apart = 0;
#define GESVD(M, V) job, job, m, n, M(A), V(s), M(U), M(VT), count, info
    tsl_status st = BY_FORM(t, how, gesvd, gesvd, GESVD);
    int infos = infos_right(info, count);
#undef GESVD
#define GESVD(M, V) 'N', 'N', m, n, M(values), V(x), NULL, NONE(M) NULL, NONE(M) count, info
#define NONE(M) NONE_##M
#define NONE_STRIDED_M 1, 0,
#define NONE_POINTERS_M 1,
    if (!st)
        st = BY_FORM(t, how, gesvd, gesvd, GESVD);
    infos &= infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        dense a = dense_of(&given, k), u = dense_of(&U, k), vt = dense_of(&VT, k);
        double size = dense_size(&a) * (double)(m + n), before = INFINITY;
        if (is_spoiled(k))
            infos &= all_nan(&U, k) && all_nan(&s, k) && all_nan(&x, k) && all_nan(&VT, k);
        else {
            dense i = dense_unit(vt.m);
            worst = worse(worst, worse(dense_unitary(t, &u), dense_error(t, 'N', &vt, 'C', &vt, &i)));
            dense_free(&i);
            u.n = d;
            dense us = dense_scaled(&u, &s, k), top = dense_make(d, n);
            for (int64_t j = 0; j < n; j++)
                for (int64_t r = 0; r < d; r++)
                    *dense_at(&top, r, j) = *dense_at(&vt, r, j);
            worst = worse(worst, dense_error(t, 'N', &us, 'N', &top, &a));
            dense_free(&us), dense_free(&top);
        }
        for (int64_t i = 0; i < d && !is_spoiled(k); i++) {
            double value = creal(stack_get(&s, k, i, 0));
            apart = worse(apart, cabs(value - stack_get(&x, k, i, 0)) / (size * eps(t)));
            if (!(value >= 0 && value <= before))
                worst = INFINITY;
            before = value;
        }
        dense_free(&a), dense_free(&u), dense_free(&vt);
    }
    check(!st && infos && worst < BOUND && apart < BOUND && stack_intact(&U, &u0) && stack_intact(&VT, &v0),
          "%s %c gesvd %c %d x %d, layout %d: infos %d, %g, %g, %s", where, tsl_type_letter(t), job, (int)m, (int)n, how, infos,
          worst, apart, tsl_error(ctx));
    stack_free(&A), stack_free(&s), stack_free(&x), stack_free(&U), stack_free(&VT), stack_free(&given), stack_free(&values),
        stack_free(&u0), stack_free(&v0), free(info);
}

/* A = U H, U orthonormal, H Hermitian with no negative diagonal */
static void polar_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    stack A = random_stack(t, how, m, n, count), H = stack_make(t, how, n, n, count);
    spoil(&A);
    stack given = stack_copy(&A);
    int64_t *info = calloc((size_t)count, sizeof *info);
    double worst = 0;
#define POLAR(M, V) m, n, M(A), M(H), count, info
    tsl_status st = BY_FORM(t, how, polar, polar, POLAR);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            continue;
        dense a = dense_of(&given, k), u = dense_of(&A, k), h = dense_of(&H, k), i = dense_unit(n);
        worst = worse(worst, worse(dense_unitary(t, &u), dense_error(t, 'N', &u, 'N', &h, &a)));
        worst = worse(worst, dense_error(t, 'C', &h, 'N', &i, &h));
        for (int64_t j = 0; j < n; j++)
            if (!(creal(*dense_at(&h, j, j)) >= 0))
                worst = INFINITY;
        dense_free(&a), dense_free(&u), dense_free(&h), dense_free(&i);
    }
    check(!st && infos && worst < BOUND && stack_intact(&A, &given), "%s %c polar %d x %d, layout %d: infos %d, %g, %s", where,
          tsl_type_letter(t), (int)m, (int)n, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&H), stack_free(&given), free(info);
}

/* A P A = A, P A P = P, both products Hermitian; every third problem has two equal columns, and one problem is zero */
static void inverse_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    int64_t d = m < n ? m : n, *info = calloc((size_t)count, sizeof *info), *rank = calloc((size_t)count, sizeof *rank);
    stack A = random_stack(t, how, m, n, count), P = stack_make(t, how, n, m, count);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++) {
                if (k == 2)
                    stack_set(&A, k, i, j, 0);
                else if (k % 3 == 0 && n > 1 && j == n - 1)
                    stack_set(&A, k, i, j, stack_get(&A, k, i, 0));
                else if (i == j)
                    stack_set(&A, k, i, j, stack_get(&A, k, i, j) + 3 * sqrt((double)d));
            }
    spoil(&A);
    stack given = stack_copy(&A), again = stack_copy(&A), p0 = stack_copy(&P);
    double worst = 0;
#define PINV(M, V) m, n, M(A), -1, M(P), rank, count, info
    tsl_status st = BY_FORM(t, how, pinv, pinv, PINV);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            infos &= all_nan(&P, k);
        if (is_spoiled(k))
            continue;
        infos &= rank[k] == (k == 2 ? 0 : k % 3 == 0 && n > 1 && n <= m ? d - 1 : d);
        dense a = dense_of(&given, k), x = dense_of(&P, k), ax = dense_times('N', &a, 'N', &x),
              xa = dense_times('N', &x, 'N', &a), im = dense_unit(m), in = dense_unit(n);
        worst = worse(worst, worse(dense_error(t, 'N', &ax, 'N', &a, &a), dense_error(t, 'N', &xa, 'N', &x, &x)));
        worst = worse(worst, worse(dense_error(t, 'C', &ax, 'N', &im, &ax), dense_error(t, 'C', &xa, 'N', &in, &xa)));
        dense_free(&a), dense_free(&x), dense_free(&ax), dense_free(&xa), dense_free(&im), dense_free(&in);
    }
    int64_t *ranks = calloc((size_t)count, sizeof *ranks);
#define RANK(M, V) m, n, M(again), -1, NULL, NONE(M) ranks, count, info
    if (!st)
        st = BY_FORM(t, how, pinv, pinv, RANK);
    for (int64_t k = 0; k < count && !st; k++)
        infos &= is_spoiled(k) || ranks[k] == rank[k];
    check(!st && infos && worst < BOUND * (double)(m + n) && stack_intact(&P, &p0),
          "%s %c pinv %d x %d, layout %d: infos, ranks %d, %g, %s", where, tsl_type_letter(t), (int)m, (int)n, how, infos,
          worst, tsl_error(ctx));
    stack_free(&A), stack_free(&P), stack_free(&given), stack_free(&again), stack_free(&p0), free(info), free(rank),
        free(ranks);
}

static void of_order(tsl_type t, layout how, int64_t n, int turn, int64_t count)
{
    bool odd = turn % 2;
    char up = ((int)how + turn) % 2 ? 'U' : 'L';
    symmetric_case(t, how, n, up, count);
    generalized_case(t, how, n, up, 1 + (turn + (int)how) % 3, count);
    singular_case(t, how, n, n, 'S', count);
    singular_case(t, how, n + 6, n, odd ? 'A' : 'S', count);
    singular_case(t, how, n, n + 4, odd ? 'S' : 'A', count);
    polar_case(t, how, odd ? n + 4 : n, n, count);
    inverse_case(t, how, n + 3, n, count);
    inverse_case(t, how, n, n + 2, count);
}

static void of_type(tsl_type t, int64_t largest)
{
    if (t == TSL_D && largest >= 97)
        inverse_case(t, DENSE, 257, 256, 1); /* one that all cores have together */
}

int main(void) { return run(of_order, of_type, "symmetric eigenproblems, singular values"); }
