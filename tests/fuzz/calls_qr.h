/* QR, with pivots or by pairs of tiles, and least squares. */
#ifndef FUZZ_CALLS_QR_H
#define FUZZ_CALLS_QR_H

#include "calls_eig.h"

static inline void geqrf_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c), d = tsl_min(m, n), k = order_of(c);
    tsl_side side = (tsl_side)below(c->w, 2);
    bool herm = may(c, 2);
    draw_family(c, "");
    plain A = general(c, m, n);
    operand *a = updates(c, A), *tau = writes(c, d, 1);
    begin(c, "geqrf");
    c->st = c->typed ? BY_TYPE(c, geqrf, c->x, m, n, P_(a), LD_(a), P_(tau), &c->info) : tsl_geqrf(c->x, view(a), view(tau));
    if (!judge(c)) return;
    plain F = result(c, a), t = result(c, tau), Q = keep(c, plain_reflectors(&F, &t, 0, m)), R = from_(c, F, 0, false);
    orthonormal(c, "Q", Q);
    same_(c, "A - Q R", A, times_(c, Q, R), plain_size(&A) * (1 + 0.1 * (double)(m + n)));
    if (*c->w->wrong) return;
    go_on(c);
    if (may(c, 2)) {
        plain C = numbers_of(c, c->t, side == TSL_LEFT ? m : k, side == TSL_LEFT ? k : m, 1);
        operand *o = updates(c, C);
        begin(c, "ormqr");
        tsl_view factors = tsl_sub(view(a), 0, 0, m, d);
        c->st = c->typed ? BY_Q(c, mqr, c->x, side == TSL_LEFT ? 'L' : 'R', herm_letter(c, herm), C.m, C.n, d, P_(a), LD_(a), P_(tau), P_(o), LD_(o), &c->info)
                         : tsl_ormqr(c->x, side, herm_op(c, herm), factors, view(tau), view(o));
        if (judge(c)) same_(c, "ormqr", result(c, o), q_times(c, Q, C, side, herm), 1 + (double)m);
    } else {
        operand *f = updates(c, block_(c, F, 0, 0, m, d));
        begin(c, "orgqr");
        c->st = c->typed ? BY_Q(c, gqr, c->x, m, d, d, P_(f), LD_(f), P_(tau), &c->info) : tsl_orgqr(c->x, view(f), view(tau));
        if (judge(c)) same_(c, "orgqr", result(c, f), block_(c, Q, 0, 0, m, d), 1);
    }
}

/* m >= n: A^H (A X - B) = 0; m < n: A X = B, and X = A^H Y */
static inline void least_squares(call *c, plain A, plain X, plain B)
{
    plain AH = herm_(c, A), R = times_(c, A, X);
    double size = (plain_size(&A) * plain_size(&X) * (double)(A.n + 1) + plain_size(&B)) * (1 + 0.1 * (double)(A.m + A.n));
    for (int64_t k = 0; k < R.m * R.n; k++) R.a[k] -= B.a[k];
    plain G = A.m >= A.n ? times_(c, AH, R) : R;
    near_(c, A.m >= A.n ? "A^H (A X - B)" : "A X - B", plain_size(&G), A.m >= A.n ? size * plain_size(&A) * (double)(A.m + 1) : size, A.m + A.n);
    if (A.m >= A.n || A.m == 0) return;
    plain Y = times_(c, A, X), AAH = times_(c, A, AH); /* (A A^H) Y = A X */
    plain_solve(&AAH, &Y);
    same_(c, "X - A^H Y", X, times_(c, AH, Y), plain_size(&X) * 10 * (1 + 0.1 * (double)(A.m + A.n)));
}

/* Of full rank, and well conditioned */
static inline plain full_rank(call *c, int64_t m, int64_t n)
{
    plain A = general(c, m, n);
    for (int64_t i = 0; i < tsl_min(m, n); i++) *plain_at(&A, i, i) = rounded(c->t, *plain_at(&A, i, i) + c->by * (double)(m + n + 1));
    return A;
}

static inline plain on_top(call *c, plain B, int64_t m)
{
    plain T = keep(c, plain_make(m, B.n));
    for (int64_t j = 0; j < B.n; j++)
        for (int64_t i = 0; i < B.m; i++) *plain_at(&T, i, j) = *plain_at(&B, i, j);
    return T;
}

static inline void gels_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c), k = order_of(c);
    bool inc = may(c, 3), herm = !inc && may(c, 3); /* of A^H, which is n x m then */
    draw_family(c, "glozithn");
    if (inc && m < n) m = n;
    if (inc && m < n + 1) m = n;
    plain A = full_rank(c, herm ? n : m, herm ? m : n), S = herm ? herm_(c, A) : A, B = numbers_of(c, c->t, m, k, 1);
    operand *a = updates(c, A), *b = updates(c, on_top(c, B, inc ? m : tsl_max(m, n)));
    begin(c, inc ? "gels_inc" : "gels");
    if (inc) c->st = c->typed ? BY_TYPE(c, gels_inc, c->x, m, n, k, P_(a), LD_(a), P_(b), LD_(b), &c->info) : tsl_gels_inc(c->x, view(a), view(b), &c->info);
    else c->st = c->typed ? BY_TYPE(c, gels, c->x, herm_letter(c, herm), A.m, A.n, k, P_(a), LD_(a), P_(b), LD_(b), &c->info)
                          : tsl_gels(c->x, herm ? tsl_herm(view(a)) : view(a), view(b), &c->info);
    if (!judge(c)) return;
    none_of_it(c);
    if (tsl_min(m, n) == 0) return;
    least_squares(c, S, block_(c, result(c, b), 0, 0, n, k), B);
}

static inline void geqp3_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c), d = tsl_min(m, n), rank = -1, fixed = 0;
    bool random = may(c, 2);
    draw_family(c, "");
    plain A = general(c, m, n), first = keep(c, plain_make(n, 1)), AP = keep(c, plain_make(m, n)), seen = keep(c, plain_make(n, 1));
    for (int64_t i = 0; i < n && !random; i++) first.a[i] = may(c, 12), fixed += creal(first.a[i]) != 0;
    operand *a = updates(c, A), *p = operand_of(c, TSL_INDEX, n, 1, WRITTEN, &first), *tau = writes(c, d, 1);
    begin(c, random ? "geqp3_random" : "geqp3");
    if (random) c->st = c->typed ? BY_TYPE(c, geqp3_random, c->x, m, n, P_(a), LD_(a), P_(p), P_(tau), d, 0, 7, &rank, &c->info)
                                 : tsl_geqp3_random(c->x, view(a), view(p), view(tau), d, 0, 7, &rank);
    else c->st = c->typed ? BY_TYPE(c, geqp3, c->x, m, n, P_(a), LD_(a), P_(p), P_(tau), &c->info) : tsl_geqp3(c->x, view(a), view(p), view(tau));
    if (!judge(c)) return;
    plain F = result(c, a), t = result(c, tau), pivots = result(c, p);
    for (int64_t j = 0; j < n; j++) {
        int64_t from = (int64_t)creal(pivots.a[j]) - 1;
        if (from < 0 || from >= n || seen.a[from] != 0) {
            complain(c->w, "pivot %lld is %lld", (long long)j, (long long)from + 1);
            return;
        }
        seen.a[from] = 1;
        for (int64_t i = 0; i < m; i++) *plain_at(&AP, i, j) = *plain_at(&A, i, from);
        if (m > 0 && j < fixed && first.a[from] == 0) complain(c->w, "column %lld was to come first", (long long)from + 1);
    }
    plain Q = keep(c, plain_reflectors(&F, &t, 0, m)), R = from_(c, F, 0, false);
    orthonormal(c, "Q", Q);
    same_(c, "A P - Q R", AP, times_(c, Q, R), plain_size(&A) * (1 + 0.1 * (double)(m + n)));
    for (int64_t i = fixed; i + 1 < d && !random; i++) { /* what is left of a column is no longer than the pivot's */
        double length = 0, bound = cabs(*plain_at(&R, i, i)) * (1 + 1e-2) + 100 * (double)(m + n) * tsl_type_eps(c->t) * plain_size(&A);
        for (int64_t r = i; r <= i + 1; r++) length = hypot(length, cabs(*plain_at(&R, r, i + 1)));
        if (!(length <= bound)) complain(c->w, "column %lld is longer than its pivot: %g, %g", (long long)i + 1, length, bound);
    }
}

/* A of low rank: X is the shortest of those with least |A X - B|: A^H (A X - B) = 0 and X in the range of A^H */
static inline void gelsy_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c), k = order_of(c), rank = -1, r = below(c->w, tsl_min(m, n) + 1);
    bool by_values = may(c, 2);
    draw_family(c, "glozith");
    plain A = full_rank(c, m, n), B = numbers_of(c, c->t, m, k, 1), G = block_(c, A, 0, 0, r, n), zeros = keep(c, plain_make(n, 1));
    if (!c->bad && may(c, 2)) { /* A := F G, G's rows being A's first */
        plain F = on_top(c, eye_(c, r, r), m);
        for (int64_t j = 0; j < r; j++)
            for (int64_t i = r; i < m; i++) *plain_at(&F, i, j) = rounded(c->t, 0.25 * anything(c));
        A = times_(c, F, G);
        for (int64_t e = 0; e < m * n; e++) A.a[e] = rounded(c->t, A.a[e]);
    } else {
        r = tsl_min(m, n);
    }
    double rcond = 1e3 * (double)(m + n) * tsl_type_eps(c->t);
    operand *a = updates(c, A), *p = by_values ? reals(c, tsl_min(m, n)) : operand_of(c, TSL_INDEX, n, 1, WRITTEN, &zeros), *b = updates(c, on_top(c, B, tsl_max(m, n)));
    begin(c, by_values ? "gelsd" : "gelsy");
    if (by_values) c->st = c->typed ? BY_TYPE(c, gelsd, c->x, m, n, k, P_(a), LD_(a), P_(b), LD_(b), P_(p), rcond, &rank, &c->info) : tsl_gelsd(c->x, view(a), view(p), view(b), rcond, &rank, &c->info);
    else c->st = c->typed ? BY_TYPE(c, gelsy, c->x, m, n, k, P_(a), LD_(a), P_(b), LD_(b), P_(p), rcond, &rank, &c->info) : tsl_gelsy(c->x, view(a), view(p), view(b), rcond, &rank);
    if (c->bad && k == 0) c->bad = false, r = -1; /* there is no X that could say so */
    if (!judge(c) || r < 0) return;
    if (by_values || c->typed) none_of_it(c);
    if (k == 0) return; /* as in LAPACK gelsy does nothing then, and the rank is 0 */
    if (rank != r) complain(c->w, "rank %lld, not %lld", (long long)rank, (long long)r);
    plain X = block_(c, result(c, b), 0, 0, n, k), R = times_(c, A, X), AH = herm_(c, A);
    double size = (plain_size(&A) * plain_size(&X) * (double)(n + 1) + plain_size(&B)) * (1 + 0.1 * (double)(m + n));
    for (int64_t e = 0; e < R.m * R.n; e++) R.a[e] -= B.a[e];
    near_(c, "A^H (A X - B)", keep(c, plain_times(&AH, &R)).m ? plain_size(&c->kept[c->plains - 1]) : 0, 10 * size * plain_size(&A) * (double)(m + n + 1), m + n);
    if (r == 0 || r == n) return;
    plain Gr = block_(c, A, 0, 0, r, n), GH = herm_(c, Gr), Y = times_(c, Gr, X), GGH = times_(c, Gr, GH); /* X = G^H Y? */
    plain_solve(&GGH, &Y);
    same_(c, "X is not the shortest", X, times_(c, GH, Y), 100 * plain_size(&X) * (1 + 0.1 * (double)(m + n)));
}

/* The factors by pairs of tiles: Q^H A = R, with R on top of zeros */
static inline void geqrf_inc_call(call *c)
{
    int64_t n = order_of(c), m = n + (may(c, 2) ? 0 : below(c->w, 20)), nb = 4 + below(c->w, 12), ib = 1 + below(c->w, nb), r = (m + nb - 1) / nb, t = (n + nb - 1) / nb;
    int64_t pairs = t * (r - t) + t * (t + 1) / 2;
    c->typed = false;
    draw_family(c, "thn");
    plain A = general(c, m, n), C = keep(c, plain_copy(&A));
    operand *a = updates(c, A), *T = writes(c, ib, nb * pairs), *tau = writes(c, nb, pairs);
    begin(c, "geqrf_inc");
    c->st = tsl_geqrf_inc(c->x, view(a), view(T), view(tau));
    if (!judge(c)) return;
    plain R = from_(c, result(c, a), 0, false);
    go_on(c);
    operand *o = updates(c, C), *back;
    begin(c, "ormqr_inc");
    c->st = tsl_ormqr_inc(c->x, TSL_HERM, view(a), view(T), view(tau), view(o));
    if (!judge(c)) return;
    same_(c, "Q^H A - R", result(c, o), R, plain_size(&A) * (1 + 0.1 * (double)(m + n)));
    go_on(c);
    back = updates(c, eye_(c, m, m));
    begin(c, NULL);
    c->st = tsl_ormqr_inc(c->x, TSL_NOTRANS, view(a), view(T), view(tau), view(back));
    if (judge(c)) orthonormal(c, "Q", result(c, back));
}

#endif
