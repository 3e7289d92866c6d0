/* Solutions of systems: by L D L^H, by LU with other pivots, with bounds of their errors, in mixed precision; and conditions. */
#ifndef FUZZ_CALLS_SOLVE_H
#define FUZZ_CALLS_SOLVE_H

#include "calls_qr.h"

static inline void solves(call *c, const char *what, plain A, plain X, plain B)
{
    double size = (plain_size(&A) * plain_size(&X) * (double)(A.n + 1) + plain_size(&B)) * (1 + 0.1 * (double)A.n);
    same_(c, what, times_(c, A, X), B, size);
}

static inline plain inverse_of(call *c, plain A)
{
    plain X = eye_(c, A.m, A.n);
    plain_solve(&A, &X);
    return X;
}

/* sytrf and then sytrs or sytri, or both at once: sysv */
static inline void sytrf_call(call *c)
{
    int64_t n = order_of(c), k = order_of(c), what = below(c->w, 3);
    tsl_uplo uplo = any_uplo(c);
    bool herm = may(c, 2), lower = uplo == TSL_LOWER;
    draw_family(c, "gloz");
    plain A = hermitian_of(c, n, herm), B = numbers_of(c, c->t, n, k, c->by);
    c->typed &= !herm || tsl_is_complex(c->t);
    char u = letter_of(uplo);
#define LDL(name, ...) (!herm ? BY_TYPE(c, sy##name, __VA_ARGS__) : c->t == TSL_C ? tsl_che##name(__VA_ARGS__) : tsl_zhe##name(__VA_ARGS__))
    operand *a = updates(c, A), *p = indices(c, n), *b = what ? NULL : updates(c, B);
    begin(c, what ? "sytrf" : "sysv");
    if (!what) {
        c->st = c->typed ? LDL(sv, c->x, u, n, k, P_(a), LD_(a), P_(p), P_(b), LD_(b), &c->info)
                         : (herm ? tsl_hesv : tsl_sysv)(c->x, half_view(a, uplo), view(p), view(b), &c->info);
        if (!judge(c)) return;
        none_of_it(c);
        solves(c, "A X - B", A, result(c, b), B);
        return;
    }
    c->st = c->typed ? LDL(trf, c->x, u, n, P_(a), LD_(a), P_(p), &c->info) : (herm ? tsl_hetrf : tsl_sytrf)(c->x, half_view(a, uplo), view(p), &c->info);
    if (!judge(c)) return;
    none_of_it(c);
    plain F = result(c, a);
    same_(c, "the other triangle", from_(c, F, lower ? 1 : -1, !lower), from_(c, A, lower ? 1 : -1, !lower), 0);
    go_on(c);
    if (what == 1) {
        operand *x = updates(c, B);
        begin(c, "sytrs");
        c->st = c->typed ? LDL(trs, c->x, u, n, k, P_(a), LD_(a), P_(p), P_(x), LD_(x), &c->info) : (herm ? tsl_hetrs : tsl_sytrs)(c->x, half_view(a, uplo), view(p), view(x));
        if (judge(c)) solves(c, "A X - B", A, result(c, x), B);
        return;
    }
    a->usage = WRITTEN;
    begin(c, "sytri");
    c->st = c->typed ? LDL(tri, c->x, u, n, P_(a), LD_(a), P_(p), &c->info) : (herm ? tsl_hetri : tsl_sytri)(c->x, half_view(a, uplo), view(p), &c->info);
    if (!judge(c)) return;
    none_of_it(c);
    plain got = result(c, a), X = keep(c, plain_whole(&got, herm ? HERMITIAN : SYMMETRIC, uplo, TSL_NONUNIT));
    same_(c, "A inv(A) - I", times_(c, A, X), eye_(c, n, n), 1 + plain_size(&A) * plain_size(&X) * (double)n);
#undef LDL
}

static inline void incpiv_call(call *c)
{
    int64_t n = order_of(c), k = order_of(c), nb = 4 + below(c->w, 12), ib = 1 + below(c->w, nb), t = (n + nb - 1) / nb, pairs = t * (t + 1) / 2;
    bool whole = may(c, 2);
    draw_family(c, "glozithn");
    plain A = dominant(c, n, false), B = numbers_of(c, c->t, n, k, 1);
    c->typed &= whole;
    operand *a = updates(c, A), *b, *L, *p;
    if (whole) {
        b = updates(c, B);
        begin(c, "gesv_incpiv");
        c->st = c->typed ? BY_TYPE(c, gesv_incpiv, c->x, n, k, P_(a), LD_(a), P_(b), LD_(b), &c->info) : tsl_gesv_incpiv(c->x, view(a), view(b), &c->info);
        if (!judge(c)) return;
        none_of_it(c);
        solves(c, "A X - B", A, result(c, b), B);
        return;
    }
    L = writes(c, ib, nb * pairs), p = operand_of(c, TSL_INDEX, nb, pairs, WRITTEN, NULL);
    begin(c, "getrf_incpiv");
    c->st = tsl_getrf_incpiv(c->x, view(a), view(L), view(p), &c->info);
    if (!judge(c)) return;
    none_of_it(c);
    go_on(c);
    b = updates(c, B);
    begin(c, "getrs_incpiv");
    c->st = tsl_getrs_incpiv(c->x, view(a), view(L), view(p), view(b));
    if (judge(c)) solves(c, "A X - B", A, result(c, b), B);
}

static inline void laswp_call(call *c)
{
    int64_t m = 1 + order_of(c), n = order_of(c), k = below(c->w, m + 1);
    bool back = may(c, 2);
    draw_family(c, "");
    plain A = general(c, m, n), q = keep(c, plain_make(k, 1)), R = keep(c, plain_copy(&A));
    c->bad = false; /* elements only move */
    for (int64_t i = 0; i < k; i++) q.a[i] = (double)(i + 1 + below(c->w, m - i));
    for (int64_t s = 0; s < k; s++) {
        int64_t i = back ? k - 1 - s : s, with = (int64_t)creal(q.a[i]) - 1;
        for (int64_t j = 0; j < n && with != i; j++) {
            tsl_scalar v = *plain_at(&R, i, j);
            *plain_at(&R, i, j) = *plain_at(&R, with, j), *plain_at(&R, with, j) = v;
        }
    }
    operand *a = updates(c, A), *p = operand_of(c, TSL_INDEX, k, 1, READ, &q);
    begin(c, "laswp");
    c->st = c->typed ? BY_TYPE(c, laswp, c->x, n, P_(a), LD_(a), 1, k, P_(p), back ? -1 : 1) : tsl_laswp(c->x, view(a), view(p), back);
    if (!judge(c)) return;
    plain got = result(c, a);
    if (memcmp(got.a, R.a, (size_t)(m * n) * sizeof *R.a) && plain_finite(&A)) complain(c->w, "rows are elsewhere");
}

/* Factors, of any numbers, taken apart: all elements are known. */
static inline void plu_call(call *c)
{
    int64_t m = 1 + order_of(c), n = order_of(c), d = tsl_min(m, n);
    c->typed = false;
    draw_family(c, "");
    plain A = general(c, m, n), q = keep(c, plain_make(d, 1)), E = eye_(c, m, m);
    plain L = keep(c, plain_make(m, d)), U = keep(c, plain_make(d, n));
    bool alone = may(c, 3); /* L and U */
    c->bad = false;         /* elements only move */
    for (int64_t k = 0; k < d; k++) {
        int64_t with = k + below(c->w, m - k);
        q.a[k] = (double)(with + 1);
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar v = *plain_at(&E, i, k);
            *plain_at(&E, i, k) = *plain_at(&E, i, with), *plain_at(&E, i, with) = v;
        }
    }
    for (int64_t j = 0; j < d; j++)
        for (int64_t i = 0; i < m; i++) *plain_at(&L, i, j) = i > j ? *plain_at(&A, i, j) : i == j;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < d; i++) *plain_at(&U, i, j) = i > j ? 0 : *plain_at(&A, i, j);
    operand *a = reads(c, A), *p = operand_of(c, TSL_INDEX, d, 1, READ, &q), *P = alone ? NULL : writes(c, m, m);
    operand *l = writes(c, m, d), *u = writes(c, d, n);
    begin(c, "plu");
    c->st = tsl_plu(c->x, view(a), view(p), alone ? (tsl_view){0} : view(P), view(l), view(u));
    if (!judge(c) || !plain_finite(&A)) return;
    bool same = !memcmp(result(c, l).a, L.a, (size_t)(m * d) * sizeof *L.a);
    same &= !memcmp(result(c, u).a, U.a, (size_t)(d * n) * sizeof *U.a);
    if (!same || (!alone && memcmp(result(c, P).a, E.a, (size_t)(m * m) * sizeof *E.a))) complain(c->w, "other elements");
}

/* Mixed precision, and the determinant */
static inline void solve_call(call *c)
{
    int64_t n = order_of(c), k = order_of(c);
    static const tsl_precision lowest[] = {TSL_AUTO, TSL_FP64, TSL_FP32, TSL_BF16};
    tsl_solve_options options = {.lowest = ONE_OF(c->w, lowest)};
    tsl_solution how = {0};
    bool definite = may(c, 2);
    tsl_uplo uplo = any_uplo(c);
    c->typed = false;
    draw_family(c, "glozithn");
    plain A = dominant(c, n, definite), B = numbers_of(c, c->t, n, k, 1);
    operand *a = reads(c, A), *b = reads(c, B), *x = writes(c, n, k);
    begin(c, NULL);
    c->st = tsl_solve(c->x, definite ? half_view(a, uplo) : view(a), view(b), view(x), &options, &how);
    if (!judge(c)) return;
    c->info = how.info, none_of_it(c);
    solves(c, "A X - B", A, result(c, x), B);
    if (how.singular || !(how.backward_error <= 100 * (double)(n + 10) * tsl_type_eps(c->t))) complain(c->w, "a backward error of %g", how.backward_error);
}

static inline double norm_one(plain A)
{
    double most = 0;
    for (int64_t j = 0; j < A.n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < A.m; i++) sum += cabs(*plain_at(&A, i, j));
        most = sum > most ? sum : most;
    }
    return most;
}

static inline double typed_number(call *c, const double *room) { return real_of(c->t) == TSL_S ? *(const float *)room : *room; }

/* Conditions, by factors of the library's own */
static inline void gecon_call(call *c)
{
    int64_t n = order_of(c), what = below(c->w, 4); /* LU, Cholesky, L D L^H, a triangle */
    tsl_uplo uplo = any_uplo(c);
    bool herm = what == 1 || (what == 2 && tsl_is_complex(c->t) && may(c, 2)), inf = (what == 0 || what == 3) && may(c, 2);
    char norm = inf ? 'I' : '1', u = letter_of(uplo);
    double room = 0, rcond = -1;
    draw_family(c, "gloz");
    if (c->family == BAD) c->family = RANDOM;
    plain A = what == 1 ? dominant(c, n, true) : what == 2 ? hermitian_of(c, n, herm) : general(c, n, n);
    if (what == 3) {
        for (int64_t i = 0; i < n; i++) *plain_at(&A, i, i) = rounded(c->t, c->by * (double)(n + 1));
        A = from_(c, A, 0, uplo == TSL_LOWER);
    }
    plain S = inf ? herm_(c, A) : A;
    double anorm = norm_one(S);
    operand *a = what == 3 ? reads(c, A) : updates(c, A), *p = what == 0 || what == 2 ? indices(c, n) : NULL;
    begin(c, NULL);
    c->st = what == 0 ? tsl_getrf(c->x, view(a), view(p), &c->info) : what == 1 ? tsl_potrf(c->x, half_view(a, uplo), &c->info) :
            what == 2 ? (herm ? tsl_hetrf : tsl_sytrf)(c->x, half_view(a, uplo), view(p), &c->info) : TSL_OK;
    if (!judge(c) || c->info > 0) return;
    go_on(c);
    begin(c, what == 0 ? "gecon" : what == 1 ? "pocon" : what == 2 ? "sycon" : "trcon");
    if (c->typed) {
        c->st = what == 0 ? BY_TYPE(c, gecon, c->x, norm, n, P_(a), LD_(a), anorm, (void *)&room, &c->info)
              : what == 1 ? BY_TYPE(c, pocon, c->x, u, n, P_(a), LD_(a), anorm, (void *)&room, &c->info)
              : what == 3 ? BY_TYPE(c, trcon, c->x, norm, u, 'N', n, P_(a), LD_(a), (void *)&room, &c->info)
              : !herm     ? BY_TYPE(c, sycon, c->x, u, n, P_(a), LD_(a), P_(p), anorm, (void *)&room, &c->info)
              : c->t == TSL_C ? tsl_checon(c->x, u, n, P_(a), LD_(a), P_(p), (float)anorm, (void *)&room, &c->info)
                              : tsl_zhecon(c->x, u, n, P_(a), LD_(a), P_(p), anorm, &room, &c->info);
        rcond = typed_number(c, &room);
    } else {
        tsl_norm_kind kind = inf ? TSL_NORM_INF : TSL_NORM_ONE;
        c->st = what == 0 ? tsl_gecon(c->x, kind, view(a), anorm, &rcond) : what == 1 ? tsl_pocon(c->x, half_view(a, uplo), anorm, &rcond) :
                what == 3 ? tsl_trcon(c->x, kind, half_view(a, uplo), &rcond) : (herm ? tsl_hecon : tsl_sycon)(c->x, half_view(a, uplo), view(p), anorm, &rcond);
    }
    if (!judge(c)) return;
    double right = n ? 1 / (anorm * norm_one(inverse_of(c, S))) : 1;
    if (right < 1e3 * tsl_type_eps(c->t)) return; /* as good as singular */
    if (!(rcond >= 0.9 * right && rcond <= 10 * right)) complain(c->w, "rcond %g, not %g", rcond, right);
}

static inline double size_of(tsl_scalar v) { return fabs(creal(v)) + fabs(cimag(v)); }

static inline void geequ_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c), zero = 0;
    bool definite = may(c, 3);
    double cond[3] = {-1, -1, -1}, room[3] = {0};
    if (definite) m = n;
    draw_family(c, "ln");
    if (definite && c->family == ZERO) c->family = RANDOM;
    plain A = definite ? dominant(c, n, true) : general(c, m, n);
    operand *a = reads(c, A), *r = definite ? NULL : reals(c, m), *s = reals(c, n);
    begin(c, definite ? "poequ" : "geequ");
    if (c->typed) {
        c->st = definite ? BY_TYPE(c, poequ, c->x, n, P_(a), LD_(a), P_(s), (void *)&room[0], (void *)&room[2], &c->info)
                         : BY_TYPE(c, geequ, c->x, m, n, P_(a), LD_(a), P_(r), P_(s), (void *)&room[0], (void *)&room[1], (void *)&room[2], &c->info);
        for (int i = 0; i < 3; i++) cond[i] = typed_number(c, &room[i]);
    } else {
        c->st = definite ? tsl_poequ(c->x, view(a), view(s), &cond[0], &cond[2], &c->info) : tsl_geequ(c->x, view(a), view(r), view(s), &cond[0], &cond[1], &cond[2], &c->info);
    }
    for (int64_t i = 0; i < m && !zero && !definite; i++) {
        double most = 0;
        for (int64_t j = 0; j < n; j++) most = tsl_larger(most, size_of(*plain_at(&A, i, j)));
        if (most == 0) zero = i + 1;
    }
    for (int64_t j = 0; j < n && !zero && !definite; j++) {
        double most = 0;
        for (int64_t i = 0; i < m; i++) most = tsl_larger(most, size_of(*plain_at(&A, i, j)));
        if (most == 0) zero = m + j + 1;
    }
    if (!judge(c)) return;
    if (m == 0 || n == 0) return;
    if (c->info != zero) complain(c->w, "info %lld, not %lld", (long long)c->info, (long long)zero);
    if (c->info) return;
    plain R = definite ? result(c, s) : result(c, r), S = result(c, s);
    for (int64_t j = 0; j < n; j++) {
        double most = 0;
        for (int64_t i = 0; i < m; i++) {
            double v = creal(R.a[i]) * size_of(*plain_at(&A, i, j)) * creal(S.a[j]);
            if (definite && i == j) near_(c, "a diagonal element", fabs(creal(R.a[i]) * creal(S.a[i]) * creal(*plain_at(&A, i, i)) - 1), 1, 1);
            most = tsl_larger(most, v);
        }
        if (!definite && c->family != TINY && c->family != HUGE_ && !(most <= 1.01 && most >= 0.99)) complain(c->w, "column %lld is scaled to %g", (long long)j, most);
    }
}

/* Refinement and expert drivers */
static inline void gesvx_call(call *c)
{
    int64_t n = order_of(c), k = order_of(c);
    bool definite = may(c, 2), scaled = may(c, 2) && n > 0;
    tsl_uplo uplo = any_uplo(c);
    char equed = '?', u = letter_of(uplo), fact = scaled ? 'E' : 'N';
    double room[2] = {0}, rcond = -1, growth = -1;
    draw_family(c, "glozithn");
    plain A = dominant(c, n, definite), B = numbers_of(c, c->t, n, k, 1);
    operand *a = updates(c, A), *af = writes(c, n, n), *p = definite ? NULL : indices(c, n), *r = reals(c, n), *s = definite ? NULL : reals(c, n), *b = updates(c, B), *x = writes(c, n, k),
            *f = reals(c, k), *e = reals(c, k);
    begin(c, NULL);
    if (c->typed) {
        c->st = definite ? BY_TYPE(c, posvx, c->x, fact, u, n, k, P_(a), LD_(a), P_(af), LD_(af), &equed, P_(r), P_(b), LD_(b), P_(x), LD_(x), (void *)&room[0], P_(f), P_(e), &c->info)
                         : BY_TYPE(c, gesvx, c->x, fact, 'N', n, k, P_(a), LD_(a), P_(af), LD_(af), P_(p), &equed, P_(r), P_(s), P_(b), LD_(b), P_(x), LD_(x), (void *)&room[0], P_(f), P_(e),
                                   (void *)&room[1], &c->info);
        rcond = typed_number(c, &room[0]);
    } else {
        c->st = definite ? tsl_posvx(c->x, fact, half_view(a, uplo), half_view(af, uplo), &equed, view(r), view(b), view(x), &rcond, view(f), view(e), &c->info)
                         : tsl_gesvx(c->x, fact, view(a), view(af), view(p), &equed, view(r), view(s), view(b), view(x), &rcond, view(f), view(e), &growth, &c->info);
    }
    if (!judge(c)) return;
    none_of_it(c);
    solves(c, "A X - B", A, result(c, x), B);
    double right = n ? 1 / (norm_one(A) * norm_one(inverse_of(c, A))) : 1;
    if (equed == 'N' && n && !(rcond >= 0.3 * right && rcond <= 10 * right)) complain(c->w, "rcond %g, not %g", rcond, right);
    plain berr = result(c, e);
    near_(c, "berr", plain_size(&berr), 1, n);
}

static inline void gerfs_call(call *c)
{
    int64_t n = order_of(c), k = order_of(c), what = below(c->w, 3); /* LU, Cholesky, a triangle */
    tsl_uplo uplo = any_uplo(c);
    char u = letter_of(uplo);
    draw_family(c, "glozithn");
    plain A = dominant(c, n, what == 1);
    if (what == 2) A = from_(c, A, 0, uplo == TSL_LOWER);
    plain B = numbers_of(c, c->t, n, k, 1), X = keep(c, plain_copy(&B));
    plain_solve(&A, &X);
    for (int64_t i = 0; i < n * k; i++) X.a[i] = rounded(c->t, X.a[i] * (what == 2 ? 1 : 1 + 1e-3 * uniform(c))); /* to be mended */
    operand *af = what == 2 ? NULL : updates(c, A), *p = what == 0 ? indices(c, n) : NULL;
    if (af) {
        begin(c, NULL);
        c->st = what == 0 ? tsl_getrf(c->x, view(af), view(p), &c->info) : tsl_potrf(c->x, half_view(af, uplo), &c->info);
        if (!judge(c)) return;
        none_of_it(c);
        go_on(c);
    }
    operand *a = reads(c, A), *b = reads(c, B), *x = what == 2 ? reads(c, X) : updates(c, X), *f = reals(c, k), *e = reals(c, k);
    begin(c, what == 0 ? "gerfs" : what == 1 ? "porfs" : "trrfs");
    if (c->typed)
        c->st = what == 0 ? BY_TYPE(c, gerfs, c->x, 'N', n, k, P_(a), LD_(a), P_(af), LD_(af), P_(p), P_(b), LD_(b), P_(x), LD_(x), P_(f), P_(e), &c->info)
              : what == 1 ? BY_TYPE(c, porfs, c->x, u, n, k, P_(a), LD_(a), P_(af), LD_(af), P_(b), LD_(b), P_(x), LD_(x), P_(f), P_(e), &c->info)
                          : BY_TYPE(c, trrfs, c->x, u, 'N', 'N', n, k, P_(a), LD_(a), P_(b), LD_(b), P_(x), LD_(x), P_(f), P_(e), &c->info);
    else
        c->st = what == 0 ? tsl_gerfs(c->x, view(a), view(af), view(p), view(b), view(x), view(f), view(e))
              : what == 1 ? tsl_porfs(c->x, half_view(a, uplo), half_view(af, uplo), view(b), view(x), view(f), view(e)) : tsl_trrfs(c->x, half_view(a, uplo), view(b), view(x), view(f), view(e));
    if (!judge(c)) return;
    solves(c, "A X - B", A, result(c, x), B);
    plain berr = result(c, e), ferr = result(c, f);
    near_(c, "berr", plain_size(&berr), 1, n);
    if (!(plain_size(&ferr) < 1)) complain(c->w, "ferr %g", plain_size(&ferr));
}

#endif
