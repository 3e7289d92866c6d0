/* Singular values, the bidiagonal form, polar decompositions and pseudo-inverses. */
#ifndef FUZZ_CALLS_SVD_H
#define FUZZ_CALLS_SVD_H

#include "calls_eig.h"

/* A matrix with the diagonals d and e, above or below */
static inline plain bidiagonal(call *c, plain d, plain e, int64_t m, int64_t n, bool upper)
{
    plain B = keep(c, plain_diagonal(&d, m, n));
    for (int64_t i = 0; i < e.m * e.n && i + 1 < d.m; i++) *plain_at(&B, upper ? i : i + 1, upper ? i + 1 : i) = e.a[i];
    return B;
}

/* Q and P of gebrd: of A^H with their names exchanged if m < n */
static inline void bidiagonal_qp(call *c, plain F, plain tauq, plain taup, plain *Q, plain *P)
{
    bool tall = F.m >= F.n;
    plain rows = herm_(c, F); /* reflectors of P are conjugated rows */
    *Q = keep(c, plain_reflectors(&F, &tauq, tall ? 0 : 1, F.m));
    *P = keep(c, plain_reflectors(&rows, &taup, tall ? 1 : 0, F.n));
}

static inline void gebrd_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c), d = tsl_min(m, n), k = order_of(c);
    tsl_side which = (tsl_side)below(c->w, 2), side = (tsl_side)below(c->w, 2);
    bool herm = may(c, 2);
    draw_family(c, "");
    plain A = general(c, m, n), Q, P;
    operand *a = updates(c, A), *od = reals(c, d), *oe = reals(c, tsl_max(0, d - 1)), *q = writes(c, d, 1), *p = writes(c, d, 1);
    begin(c, "gebrd");
    c->st = c->typed ? BY_TYPE(c, gebrd, c->x, m, n, P_(a), LD_(a), P_(od), P_(oe), P_(q), P_(p), &c->info) : tsl_gebrd(c->x, view(a), view(od), view(oe), view(q), view(p));
    if (!judge(c)) return;
    plain F = result(c, a), tauq = result(c, q), taup = result(c, p);
    bidiagonal_qp(c, F, tauq, taup, &Q, &P);
    plain B = bidiagonal(c, result(c, od), result(c, oe), m, n, m >= n);
    orthonormal(c, "Q", Q), orthonormal(c, "P", P);
    same_(c, "A - Q B P^H", A, times_(c, times_(c, Q, B), herm_(c, P)), plain_size(&A) * (1 + 0.1 * (double)(m + n)));
    if (*c->w->wrong) return;
    go_on(c);
    plain X = which == TSL_LEFT ? Q : P;
    operand *tau = which == TSL_LEFT ? q : p;
    if (may(c, 2)) {
        plain C = numbers_of(c, c->t, side == TSL_LEFT ? X.m : k, side == TSL_LEFT ? k : X.m, 1);
        operand *o = updates(c, C);
        begin(c, "ormbr");
        c->st = c->typed ? BY_Q(c, mbr, c->x, which == TSL_LEFT ? 'Q' : 'P', side == TSL_LEFT ? 'L' : 'R', herm_letter(c, herm), C.m, C.n, which == TSL_LEFT ? n : m, P_(a), LD_(a),
                                P_(tau), P_(o), LD_(o), &c->info)
                         : tsl_ormbr(c->x, which, side, herm_op(c, herm), view(a), view(tau), view(o));
        if (judge(c)) same_(c, "ormbr", result(c, o), q_times(c, X, C, side, herm), 1 + (double)X.m);
        return;
    }
    int64_t rows = which == TSL_LEFT ? m : d, cols = which == TSL_LEFT ? d : n, inner = which == TSL_LEFT ? n : m;
    operand *f = updates(c, block_(c, F, 0, 0, rows, cols));
    begin(c, "orgbr");
    c->st = c->typed ? BY_Q(c, gbr, c->x, which == TSL_LEFT ? 'Q' : 'P', rows, cols, inner, P_(f), LD_(f), P_(tau), &c->info) : tsl_orgbr(c->x, which, inner, view(f), view(tau));
    if (judge(c)) same_(c, "orgbr", result(c, f), which == TSL_LEFT ? block_(c, Q, 0, 0, m, d) : block_(c, herm_(c, P), 0, 0, d, n), 1);
}

static inline void ge2gb_call(call *c)
{
    int64_t n = order_of(c), m = n + (may(c, 2) ? 0 : below(c->w, 20)), kd = 1 + below(c->w, 8);
    c->typed = false;
    draw_family(c, "thn");
    plain A = general(c, m, n), B = keep(c, plain_make(m, n));
    operand *a = updates(c, A), *ab = writes(c, kd + 1, n), *q = writes(c, n, 1), *p = writes(c, n, 1);
    begin(c, "ge2gb");
    c->st = tsl_ge2gb(c->x, view(a), view(ab), view(q), view(p));
    if (!judge(c)) return;
    plain F = result(c, a), rows = herm_(c, F), tq = result(c, q), tp = block_(c, result(c, p), 0, 0, tsl_max(0, n - kd), 1), band = result(c, ab);
    plain Q = keep(c, plain_reflectors(&F, &tq, 0, m)), P = keep(c, plain_reflectors(&rows, &tp, kd, n));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= kd && i + j < n; i++) *plain_at(&B, j, i + j) = conj(*plain_at(&band, i, j));
    orthonormal(c, "Q", Q), orthonormal(c, "P", P);
    same_(c, "A - Q B P^H", A, times_(c, times_(c, Q, B), herm_(c, P)), plain_size(&A) * (1 + 0.1 * (double)(m + n)));
}

static inline double *singular_values(plain A)
{
    double *s = calloc((size_t)tsl_min(A.m, A.n) + 1, sizeof *s);
    if (!s) abort();
    if (plain_finite(&A)) plain_singular_values(&A, s);
    return s;
}

/* A = U diag(s) VT, with as many columns and rows as are there */
static inline void decomposes(call *c, plain A, plain s, plain U, plain VT)
{
    orthonormal(c, "U", U), orthonormal(c, "V", herm_(c, VT));
    same_(c, "A - U S V^H", A, times_(c, times_(c, U, keep(c, plain_diagonal(&s, U.n, VT.m))), VT), plain_size(&A) * (1 + 0.1 * (double)(A.m + A.n)));
}

static inline void bdsdc_call(call *c)
{
    int64_t n = order_of(c);
    tsl_uplo uplo = any_uplo(c);
    bool vectors = may(c, 2), qr = may(c, 2);
    plain d, e;
    draw_family(c, "");
    c->typed &= qr || !tsl_is_complex(c->t);
    diagonals(c, n, &d, &e);
    plain B = bidiagonal(c, d, e, n, n, uplo == TSL_UPPER);
    double *right = singular_values(B);
    operand *od = real_operand(c, d), *oe = real_operand(c, e), *u = NULL, *v = NULL;
    if (vectors && qr) u = updates(c, eye_(c, n, n)), v = updates(c, eye_(c, n, n));
    else if (vectors) u = writes(c, n, n), v = writes(c, n, n);
    begin(c, qr ? "bdsqr" : "bdsdc");
    if (qr)
        c->st = c->typed ? BY_TYPE(c, bdsqr, c->x, letter_of(uplo), n, vectors ? n : 0, vectors ? n : 0, 0, P_(od), P_(oe), v ? P_(v) : NULL, v ? LD_(v) : 1, u ? P_(u) : NULL,
                                   u ? LD_(u) : tsl_max(1, n), NULL, 1, &c->info)
                         : tsl_bdsqr(c->x, uplo, view(od), view(oe), u ? view(u) : no_view(), v ? view(v) : no_view(), no_view(), &c->info);
    else if (c->typed)
        c->st = (c->t == TSL_S ? tsl_sbdsdc(c->x, letter_of(uplo), vectors ? 'I' : 'N', n, P_(od), P_(oe), u ? P_(u) : NULL, u ? LD_(u) : 1, v ? P_(v) : NULL, v ? LD_(v) : 1, &c->info)
                               : tsl_dbdsdc(c->x, letter_of(uplo), vectors ? 'I' : 'N', n, P_(od), P_(oe), u ? P_(u) : NULL, u ? LD_(u) : 1, v ? P_(v) : NULL, v ? LD_(v) : 1, &c->info));
    else
        c->st = tsl_bdsdc(c->x, uplo, view(od), view(oe), u ? view(u) : no_view(), v ? view(v) : no_view(), &c->info);
    if (judge(c)) {
        none_of_it(c);
        plain s = result(c, od);
        values_are(c, "singular values", s, right, 0, n, plain_size(&B) * (1 + 0.1 * (double)n));
        if (vectors) decomposes(c, B, s, result(c, u), result(c, v));
    }
    free(right);
}

static inline void gesvd_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c), d = tsl_min(m, n);
    int64_t left = below(c->w, 3), right_ = below(c->w, 3); /* none, those of the rank, all */
    static const char job[] = "NSA";
    tsl_svd_driver driver = (tsl_svd_driver)below(c->w, 4);
    draw_family(c, "");
    plain A = general(c, m, n);
    double *right = singular_values(A);
    operand *a = updates(c, A), *s = reals(c, d), *u = left ? writes(c, m, left == 1 ? d : m) : NULL, *v = right_ ? writes(c, right_ == 1 ? d : n, n) : NULL;
    begin(c, driver == TSL_SVD_AUTO ? "gesvd" : NULL);
    c->st = c->typed ? BY_TYPE(c, gesvd, c->x, job[left], job[right_], m, n, P_(a), LD_(a), P_(s), u ? P_(u) : NULL, u ? LD_(u) : 1, v ? P_(v) : NULL, v ? LD_(v) : 1, &c->info)
                     : tsl_gesvd(c->x, view(a), driver, view(s), u ? view(u) : no_view(), v ? view(v) : no_view(), &c->info);
    if (judge(c)) {
        none_of_it(c);
        plain values = result(c, s);
        values_are(c, "singular values", values, right, 0, d, plain_size(&A) * (1 + 0.1 * (double)(m + n)));
        if (u && v) decomposes(c, A, values, result(c, u), result(c, v));
        else if (u) orthonormal(c, "U", result(c, u));
        else if (v) orthonormal(c, "V", herm_(c, result(c, v)));
    }
    free(right);
}

static inline void polar_call(call *c)
{
    int64_t n = order_of(c), m = n + (may(c, 2) ? 0 : below(c->w, 20));
    bool wanted = may(c, 2);
    draw_family(c, "");
    plain A = general(c, m, n);
    operand *a = updates(c, A), *h = wanted ? writes(c, n, n) : NULL;
    begin(c, "polar");
    c->st = c->typed ? BY_TYPE(c, polar, c->x, m, n, P_(a), LD_(a), h ? P_(h) : NULL, h ? LD_(h) : 1, &c->info) : tsl_polar(c->x, view(a), h ? view(h) : no_view(), &c->info);
    if (!judge(c)) return;
    none_of_it(c);
    plain U = result(c, a);
    orthonormal(c, "U", U);
    if (!wanted) return;
    plain H = result(c, h);
    same_(c, "H - H^H", H, herm_(c, H), plain_size(&A));
    same_(c, "A - U H", A, times_(c, U, H), plain_size(&A) * (1 + 0.2 * (double)(m + n)));
}

static inline void pinv_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c), rank = -1;
    c->typed = false;
    draw_family(c, "gth");
    plain A = general(c, m, n);
    double *s = singular_values(A), tolerance = 1e3 * (double)tsl_max(m, n) * tsl_type_eps(c->t);
    int64_t right = 0;
    bool clear = true; /* none is near where it counts as zero */
    for (int64_t i = 0; i < tsl_min(m, n); i++) {
        right += s[i] > tolerance * s[0] && s[0] > 0;
        clear &= !(s[i] > 1e-2 * tolerance * s[0] && s[i] < 1e2 * tolerance * s[0]);
    }
    bool alone = may(c, 3) && !c->bad; /* the rank alone */
    operand *a = updates(c, A), *p = alone ? NULL : writes(c, n, m);
    begin(c, "pinv");
    c->st = alone ? tsl_matrix_rank(c->x, view(a), tolerance, &rank, &c->info) : tsl_pinv(c->x, view(a), tolerance, view(p), &rank, &c->info);
    if (judge(c) && clear) {
        none_of_it(c);
        if (rank != right) complain(c->w, "rank %lld, not %lld", (long long)rank, (long long)right);
        if (!alone) {
            plain P = result(c, p), AP = times_(c, A, P), PA = times_(c, P, A);
            double size = (1 + plain_size(&A) * plain_size(&P) * (double)(m + n)) * (1 + 0.1 * (double)(m + n));
            same_(c, "A P A - A", times_(c, AP, A), A, plain_size(&A) * size);
            same_(c, "A P - (A P)^H", AP, herm_(c, AP), size);
            same_(c, "P A - (P A)^H", PA, herm_(c, PA), size);
        }
    }
    free(s);
}

#endif
