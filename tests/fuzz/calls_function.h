/* Functions of matrices, and rows that are added to a factor or taken from it. */
#ifndef FUZZ_CALLS_FUNCTION_H
#define FUZZ_CALLS_FUNCTION_H

#include "calls_solve.h"

/* exp(A) by Taylor's series of A / 2^s, squared s times */
static inline plain plain_exp(call *c, plain A)
{
    plain X = keep(c, plain_copy(&A)), E = eye_(c, A.m, A.n), term = eye_(c, A.m, A.n);
    int s = 0;
    double norm = norm_one(A);
    while (norm > 0.25) norm /= 2, s++;
    plain_scale(ldexp(1, -s), &X);
    for (int i = 1; i < 18; i++) {
        term = times_(c, term, X);
        plain_scale(1.0 / i, &term);
        for (int64_t k = 0; k < E.m * E.n; k++) E.a[k] += term.a[k];
    }
    for (int i = 0; i < s; i++) E = times_(c, E, E);
    return E;
}

static inline void expm_call(call *c)
{
    int64_t n = order_of(c);
    draw_family(c, "h");
    plain A = general(c, n, n);
    for (int64_t i = 0; i < n * n; i++) A.a[i] = rounded(c->t, A.a[i] / (1 + 0.2 * (double)n));
    operand *a = updates(c, A);
    begin(c, "expm");
    c->st = c->typed ? BY_TYPE(c, expm, c->x, n, P_(a), LD_(a), &c->info) : tsl_expm(c->x, view(a), &c->info);
    if (!judge(c)) return;
    none_of_it(c);
    plain E = plain_exp(c, A);
    same_(c, "exp(A)", result(c, a), E, plain_size(&E) * (1 + norm_one(A)));
}

/* Roots and logarithms of matrices whose eigenvalues are in the right half plane */
static inline void sqrtm_call(call *c)
{
    int64_t n = order_of(c);
    bool root = may(c, 2);
    draw_family(c, "glozith");
    plain A = general(c, n, n);
    for (int64_t i = 0; i < n; i++) *plain_at(&A, i, i) = rounded(c->t, *plain_at(&A, i, i) + (double)(n + 1));
    operand *a = updates(c, A);
    begin(c, root ? "sqrtm" : "logm");
    c->st = c->typed ? (root ? BY_TYPE(c, sqrtm, c->x, n, P_(a), LD_(a), &c->info) : BY_TYPE(c, logm, c->x, n, P_(a), LD_(a), &c->info))
                     : (root ? tsl_sqrtm : tsl_logm)(c->x, view(a), &c->info);
    if (!judge(c)) return;
    none_of_it(c);
    plain X = result(c, a);
    if (root) same_(c, "X X - A", times_(c, X, X), A, plain_size(&A) * (double)(n + 1));
    else same_(c, "exp(X) - A", plain_exp(c, X), A, 10 * plain_size(&A) * (double)(n + 1));
}

/* R^H R + C^H C - D^H D */
static inline void uddate_call(call *c)
{
    int64_t n = order_of(c), p = order_of(c), q = below(c->w, 6), k = below(c->w, 4), what = below(c->w, 3); /* both, added alone, taken alone */
    tsl_uplo uplo = any_uplo(c);
    bool lower = uplo == TSL_LOWER;
    draw_family(c, "glozithn");
    plain M = dominant(c, n, true), R, C = numbers_of(c, c->t, p, n, 1), D = numbers_of(c, c->t, q, n, 0.5);
    if (plain_cholesky(&M)) abort(); /* it is definite */
    R = herm_(c, M);
    for (int64_t i = 0; i < n * n; i++) R.a[i] = rounded(c->t, R.a[i]);
    plain B = numbers_of(c, c->t, n, k, 1), BC = numbers_of(c, c->t, p, k, 1), BD = numbers_of(c, c->t, q, k, 0.5);
    operand *r = updates(c, lower ? herm_(c, R) : R), *oc = what == 2 ? NULL : updates(c, C), *od = what == 1 ? NULL : updates(c, D), *b = NULL, *bc = NULL, *bd = NULL;
    if (what == 0) b = updates(c, B), bc = updates(c, BC), bd = updates(c, BD);
    char u = letter_of(uplo);
    begin(c, "uddate");
    if (c->typed)
        c->st = what == 0 ? BY_TYPE(c, uddate, c->x, u, n, k, p, q, P_(r), LD_(r), P_(b), LD_(b), P_(oc), LD_(oc), P_(bc), LD_(bc), P_(od), LD_(od), P_(bd), LD_(bd), &c->info)
              : what == 1 ? BY_TYPE(c, chud, c->x, u, n, p, P_(r), LD_(r), P_(oc), LD_(oc), &c->info) : BY_TYPE(c, chdd, c->x, u, n, q, P_(r), LD_(r), P_(od), LD_(od), &c->info);
    else
        c->st = what == 0 ? tsl_uddate(c->x, half_view(r, uplo), view(b), view(oc), view(bc), view(od), view(bd), &c->info)
              : what == 1 ? tsl_chud(c->x, half_view(r, uplo), view(oc)) : tsl_chdd(c->x, half_view(r, uplo), view(od), &c->info);
    if (!judge(c)) return;
    if (c->info > 0) { /* what is left is not definite: not of these, in exact arithmetic, but nearly */
        if (what == 1) complain(c->w, "info %lld", (long long)c->info);
        return;
    }
    plain got = result(c, r), T = lower ? herm_(c, from_(c, got, 0, true)) : from_(c, got, 0, false), right = times_(c, herm_(c, R), R);
    if (what != 2) {
        plain CH = herm_(c, C);
        plain_product(1, &CH, &C, &right);
    }
    if (what != 1) {
        plain DH = herm_(c, D);
        plain_product(-1, &DH, &D, &right);
    }
    same_(c, "R'^H R'", times_(c, herm_(c, T), T), right, plain_size(&right) * (1 + 0.1 * (double)(n + p + q)));
    for (int64_t i = 0; i < n; i++)
        if (!(creal(*plain_at(&T, i, i)) > 0)) complain(c->w, "an element of the diagonal is not positive");
    plain before = lower ? herm_(c, R) : R;
    same_(c, "the other triangle", from_(c, got, lower ? 1 : -1, !lower), from_(c, before, lower ? 1 : -1, !lower), 0);
}

#endif
