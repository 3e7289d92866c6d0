/* Symmetric and Hermitian eigenproblems, and the forms on the way. */
#ifndef FUZZ_CALLS_EIG_H
#define FUZZ_CALLS_EIG_H

#include "call.h"

/* Q of sytrd's reflectors: lower H(1) H(2) .., upper H(n-1) .. H(1), their ones in row i, and what is above that in column i + 1 */
static inline plain tridiagonal_q(call *c, plain A, plain tau, tsl_uplo uplo)
{
    int64_t n = A.n;
    if (uplo == TSL_LOWER) return keep(c, plain_reflectors(&A, &tau, 1, n));
    plain Q = eye_(c, n, n), v = keep(c, plain_make(n, 1));
    for (int64_t i = 0; i + 1 < n; i++) {
        for (int64_t r = 0; r < n; r++) v.a[r] = r < i ? *plain_at(&A, r, i + 1) : r == i;
        for (int64_t j = 0; j < n; j++) {
            tsl_scalar sum = 0;
            for (int64_t r = 0; r <= i; r++) sum += conj(v.a[r]) * *plain_at(&Q, r, j);
            for (int64_t r = 0; r <= i; r++) *plain_at(&Q, r, j) -= tau.a[i] * v.a[r] * sum;
        }
    }
    return Q;
}

static inline plain tridiagonal(call *c, plain d, plain e)
{
    plain T = keep(c, plain_diagonal(&d, d.m, d.m));
    for (int64_t i = 0; i + 1 < d.m; i++) *plain_at(&T, i, i + 1) = *plain_at(&T, i + 1, i) = e.a[i];
    return T;
}

/* Products with a Q that is known: from either side, or its conjugate transpose */
static inline plain q_times(call *c, plain Q, plain C, tsl_side side, bool herm)
{
    plain q = herm ? herm_(c, Q) : Q;
    return side == TSL_LEFT ? times_(c, q, C) : times_(c, C, q);
}
static inline tsl_op herm_op(call *c, bool herm) { return !herm ? TSL_NOTRANS : tsl_is_complex(c->t) || may(c, 2) ? TSL_HERM : TSL_TRANS; }
static inline char herm_letter(call *c, bool herm) { return !herm ? 'N' : tsl_is_complex(c->t) ? 'C' : 'T'; }

static inline void sytrd_call(call *c)
{
    int64_t n = order_of(c), less = tsl_max(0, n - 1), k = order_of(c);
    tsl_uplo uplo = any_uplo(c);
    bool herm = may(c, 2);
    tsl_side side = (tsl_side)below(c->w, 2);
    draw_family(c, "");
    plain A = hermitian_of(c, n, true), C = numbers_of(c, c->t, side == TSL_LEFT ? n : k, side == TSL_LEFT ? k : n, 1);
    operand *a = updates(c, A), *d = reals(c, n), *e = reals(c, less), *tau = writes(c, less, 1);
    begin(c, "sytrd");
    c->st = c->typed ? BY_SYMMETRY(c, trd, c->x, letter_of(uplo), n, P_(a), LD_(a), P_(d), P_(e), P_(tau), &c->info) : tsl_sytrd(c->x, half_view(a, uplo), view(d), view(e), view(tau));
    if (!judge(c)) return;
    plain V = result(c, a), t = result(c, tau), Q = tridiagonal_q(c, V, t, uplo), T = tridiagonal(c, result(c, d), result(c, e));
    same_(c, "A - Q T Q^H", A, times_(c, times_(c, Q, T), herm_(c, Q)), plain_size(&A) * (1 + 0.1 * (double)n));
    orthonormal(c, "Q", Q);
    if (*c->w->wrong) return;
    go_on(c);
    if (may(c, 2)) {
        operand *o = updates(c, C);
        begin(c, "ormtr");
        c->st = c->typed ? BY_Q(c, mtr, c->x, side == TSL_LEFT ? 'L' : 'R', letter_of(uplo), herm_letter(c, herm), C.m, C.n, P_(a), LD_(a), P_(tau), P_(o), LD_(o), &c->info)
                         : tsl_ormtr(c->x, side, herm_op(c, herm), half_view(a, uplo), view(tau), view(o));
        if (judge(c)) same_(c, "ormtr", result(c, o), q_times(c, Q, C, side, herm), 1 + (double)n);
    } else {
        a->usage = WRITTEN;
        begin(c, "orgtr");
        c->st = c->typed ? BY_Q(c, gtr, c->x, letter_of(uplo), n, P_(a), LD_(a), P_(tau), &c->info) : tsl_orgtr(c->x, half_view(a, uplo), view(tau));
        if (judge(c)) same_(c, "orgtr", result(c, a), Q, 1);
    }
}

static inline void sy2sb_call(call *c)
{
    int64_t n = order_of(c), kd = 1 + below(c->w, 8);
    c->typed = false;
    draw_family(c, "thn"); /* whose squares leave the range is the caller's to scale */
    plain A = hermitian_of(c, n, true), B = keep(c, plain_make(n, n));
    operand *a = updates(c, A), *ab = writes(c, kd + 1, n), *T = writes(c, kd, n);
    begin(c, "sy2sb");
    c->st = tsl_sy2sb(c->x, half_view(a, TSL_LOWER), view(ab), view(T));
    if (!judge(c)) return;
    plain band = result(c, ab);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= kd; i++) {
            tsl_scalar v = *plain_at(&band, i, j);
            if (i + j >= n) {
                if (v != 0) complain(c->w, "AB has an element that is none of B's");
                continue;
            }
            *plain_at(&B, i + j, j) = v, *plain_at(&B, j, i + j) = conj(v);
        }
    go_on(c);
    operand *q = updates(c, eye_(c, n, n));
    begin(c, "ormtr_sy2sb");
    c->st = tsl_ormtr_sy2sb(c->x, TSL_LEFT, TSL_NOTRANS, half_view(a, TSL_LOWER), view(T), view(q));
    if (!judge(c)) return;
    plain Q = result(c, q);
    orthonormal(c, "Q of sy2sb", Q);
    same_(c, "A - Q B Q^H", A, times_(c, times_(c, Q, B), herm_(c, Q)), plain_size(&A) * (1 + 0.1 * (double)n));
}

/* Diagonals of a tridiagonal matrix */
static inline void diagonals(call *c, int64_t n, plain *d, plain *e)
{
    tsl_type t = c->t;
    c->t = real_of(t);
    plain A = hermitian_of(c, n, true);
    c->t = t;
    *d = keep(c, plain_make(n, 1)), *e = keep(c, plain_make(tsl_max(0, n - 1), 1));
    c->bad = false;
    for (int64_t i = 0; i < n; i++) d->a[i] = *plain_at(&A, i, i), c->bad |= !isfinite(creal(d->a[i]));
    for (int64_t i = 0; i + 1 < n; i++) e->a[i] = *plain_at(&A, i + 1, i), c->bad |= !isfinite(creal(e->a[i]));
}
static inline operand *real_operand(call *c, plain d) { return operand_of(c, real_of(c->t), d.m, 1, WRITTEN, &d); }

static inline void pairs_are(call *c, plain T, plain w, plain Z, const double *right, int64_t first, int64_t count, bool vectors)
{
    double size = plain_size(&T) * (1 + 0.1 * (double)T.n);
    values_are(c, "eigenvalues", w, right, first, count, size);
    if (!vectors) return;
    plain V = block_(c, Z, 0, 0, T.n, count), W = keep(c, plain_diagonal(&w, count, count));
    orthonormal(c, "eigenvectors", V);
    same_(c, "T Z - Z W", times_(c, T, V), times_(c, V, W), size);
}

static inline void stedc_call(call *c)
{
    int64_t n = order_of(c), k = may(c, 2) ? n : below(c->w, n + 1), first = c->typed ? 0 : below(c->w, n - k + 1), what = below(c->w, 3);
    plain d, e;
    draw_family(c, "");
    if (c->typed || what == 2) k = n, first = 0;
    diagonals(c, n, &d, &e);
    plain T = tridiagonal(c, d, e), Z0 = numbers_of(c, c->t, n, n, 1);
    double *right = malloc(sizeof *right * (size_t)(n + 1));
    if (!right) abort();
    if (plain_finite(&T)) plain_eigenvalues(&T, right);
    operand *od = real_operand(c, d), *oe = real_operand(c, e), *z = what == 0 ? writes(c, n, k) : what == 2 ? updates(c, Z0) : NULL;
    begin(c, what == 0 ? "stedc" : what == 1 ? "sterf" : "steqr");
    if (what == 0) c->st = c->typed ? BY_TYPE(c, stedc, c->x, 'I', n, P_(od), P_(oe), P_(z), LD_(z), &c->info) : tsl_stedc(c->x, view(od), view(oe), first, view(z), &c->info);
    else if (what == 1) c->st = !c->typed ? tsl_sterf(c->x, view(od), view(oe), &c->info) : od->t == TSL_S ? tsl_ssterf(c->x, n, P_(od), P_(oe), &c->info) : tsl_dsterf(c->x, n, P_(od), P_(oe), &c->info);
    else c->st = c->typed ? BY_TYPE(c, steqr, c->x, 'V', n, P_(od), P_(oe), P_(z), LD_(z), &c->info) : tsl_steqr(c->x, view(od), view(oe), view(z), &c->info);
    if (judge(c)) {
        none_of_it(c);
        plain w = result(c, od), vectors = z ? result(c, z) : w;
        plain some = block_(c, w, what == 0 ? first : 0, 0, what == 0 ? k : n, 1);
        values_are(c, "eigenvalues", w, right, 0, n, plain_size(&T) * (1 + 0.1 * (double)n));
        if (what == 0) pairs_are(c, T, some, vectors, right, first, k, true);
        if (what == 2) /* Z := Z0 times the vectors: Z0 T = Z W (Z^-1 Z0 ...): so Z W = Z0 T V */
            same_(c, "Z W Z^H - Z0 T Z0^H", times_(c, times_(c, vectors, keep(c, plain_diagonal(&w, n, n))), herm_(c, vectors)), times_(c, times_(c, Z0, T), herm_(c, Z0)),
                  plain_size(&T) * (double)(n + 1));
    }
    free(right);
}

/* All, by number, or by value between two of them */
static inline tsl_selection selection(call *c, int64_t n, const double *right, int64_t *first, int64_t *count)
{
    tsl_selection s = {.range = n > 0 ? (tsl_range)below(c->w, 3) : TSL_RANGE_ALL};
    *first = 0, *count = n;
    if (s.range == TSL_RANGE_INDEX) {
        s.il = 1 + below(c->w, n), s.iu = s.il - 1 + below(c->w, n - s.il + 2);
        *first = s.il - 1, *count = s.iu - s.il + 1;
    } else if (s.range == TSL_RANGE_VALUE) {
        double size = fmax(fabs(right[0]), fabs(right[n - 1])), gap = 1e-3 * size;
        int64_t i = below(c->w, n), j = i + below(c->w, n - i);
        s.vl = right[i] - gap, s.vu = right[j] + gap;
        bool apart = size > 0 && (i == 0 || right[i] - right[i - 1] > 2 * gap) && (j == n - 1 || right[j + 1] - right[j] > 2 * gap);
        if (!apart) return (tsl_selection){.range = TSL_RANGE_ALL};
        *first = i, *count = j - i + 1;
    }
    return s;
}

static inline void rest_is_zero(call *c, const char *what, plain A, int64_t from)
{
    for (int64_t k = from; k < A.m * A.n; k++)
        if (A.a[k] != 0) complain(c->w, "%s: not zero after what was asked for", what);
}

static inline void syev_call(call *c)
{
    int64_t n = order_of(c), first, count, m = -1;
    tsl_uplo uplo = any_uplo(c);
    bool vectors = may(c, 2);
    draw_family(c, "");
    plain A = hermitian_of(c, n, true);
    double *right = calloc((size_t)n + 1, sizeof *right);
    if (!right) abort();
    if (plain_finite(&A)) plain_eigenvalues(&A, right);
    tsl_selection s = selection(c, n, right, &first, &count);
    if (c->typed || c->bad) s = (tsl_selection){0}, first = 0, count = n;
    operand *a = updates(c, A), *w = reals(c, n), *v = c->typed ? a : vectors ? writes(c, n, count + (n > count ? below(c->w, 2) : 0)) : NULL;
    begin(c, "syev");
    c->st = c->typed ? BY_SYMMETRY(c, ev, c->x, vectors ? 'V' : 'N', letter_of(uplo), n, P_(a), LD_(a), P_(w), &c->info)
                     : tsl_syev(c->x, half_view(a, uplo), may(c, 4) && s.range == TSL_RANGE_ALL ? NULL : &s, view(w), vectors ? view(v) : no_view(), &m, &c->info);
    if (judge(c)) {
        none_of_it(c);
        if (!c->typed && m != count) complain(c->w, "%lld pairs, not %lld", (long long)m, (long long)count);
        plain values = result(c, w), V = vectors ? result(c, v) : values;
        rest_is_zero(c, "w", values, count);
        if (vectors && !c->typed) rest_is_zero(c, "V", V, n * count);
        pairs_are(c, A, block_(c, values, 0, 0, count, 1), V, right, first, count, vectors);
    }
    free(right);
}

static inline void stev_call(call *c)
{
    int64_t n = order_of(c), first, count, m = -1;
    bool vectors = may(c, 2);
    plain d, e;
    c->typed = false;
    draw_family(c, "");
    diagonals(c, n, &d, &e);
    plain T = tridiagonal(c, d, e);
    double *right = calloc((size_t)n + 1, sizeof *right);
    if (!right) abort();
    if (plain_finite(&T)) plain_eigenvalues(&T, right);
    tsl_selection s = selection(c, n, right, &first, &count);
    if (c->bad) s = (tsl_selection){0}, first = 0, count = n;
    operand *od = real_operand(c, d), *oe = real_operand(c, e), *w = reals(c, n), *z = vectors ? writes(c, n, count) : NULL;
    begin(c, "stev");
    c->st = tsl_stev(c->x, view(od), view(oe), &s, view(w), vectors ? view(z) : no_view(), &m, &c->info);
    if (judge(c)) {
        none_of_it(c);
        if (m != count) complain(c->w, "%lld pairs, not %lld", (long long)m, (long long)count);
        plain values = result(c, w);
        pairs_are(c, T, block_(c, values, 0, 0, count, 1), vectors ? result(c, z) : values, right, first, count, vectors);
    }
    free(right);
}

/* inv(L) A inv(L)^H, or L^H A L */
static inline plain reduced_pair(call *c, int64_t itype, plain A, plain L)
{
    if (itype != 1) return times_(c, times_(c, herm_(c, L), A), L);
    plain X = keep(c, plain_copy(&A));
    plain_solve(&L, &X);
    plain Y = herm_(c, X);
    plain_solve(&L, &Y);
    return Y;
}

static inline void sygst_call(call *c)
{
    int64_t n = order_of(c), itype = 1 + below(c->w, 3);
    tsl_uplo uplo = any_uplo(c);
    draw_family(c, "glozithn");
    plain A = hermitian_of(c, n, true), L = keep(c, plain_copy(&A));
    L = from_(c, dominant(c, n, true), 0, true);
    operand *a = updates(c, A), *b = reads(c, uplo == TSL_LOWER ? L : herm_(c, L));
    begin(c, "sygst");
    c->st = c->typed ? BY_SYMMETRY(c, gst, c->x, itype, letter_of(uplo), n, P_(a), LD_(a), P_(b), LD_(b), &c->info) : tsl_sygst(c->x, itype, half_view(a, uplo), half_view(b, uplo));
    if (!judge(c)) return;
    plain right = reduced_pair(c, itype, A, L), got = result(c, a);
    bool lower = uplo == TSL_LOWER;
    same_(c, "sygst", from_(c, got, 0, lower), from_(c, right, 0, lower), plain_size(&right) * (double)(n + 1));
}

static inline void sygv_call(call *c)
{
    int64_t n = order_of(c), itype = 1 + below(c->w, 3), m = -1;
    tsl_uplo uplo = any_uplo(c);
    draw_family(c, "gthn");
    plain A = hermitian_of(c, n, true);
    c->family = RANDOM;
    plain B = dominant(c, n, true);
    operand *a = updates(c, A), *b = updates(c, B), *w = reals(c, n), *v = c->typed ? a : writes(c, n, n);
    begin(c, "sygv");
    c->st = c->typed ? BY_SYMMETRY(c, gv, c->x, itype, 'V', letter_of(uplo), n, P_(a), LD_(a), P_(b), LD_(b), P_(w), &c->info)
                     : tsl_sygv(c->x, itype, half_view(a, uplo), half_view(b, uplo), NULL, view(w), view(v), &m, &c->info);
    if (!judge(c)) return;
    none_of_it(c);
    plain W = result(c, w), D = keep(c, plain_diagonal(&W, n, n)), V = result(c, v), VH = herm_(c, V);
    double size = (double)(n + 2) * (double)(n + 2) * plain_size(&A), large = (double)(n + 2) * 10;
    if (itype == 1) same_(c, "A V - B V W", times_(c, A, V), times_(c, times_(c, B, V), D), size);
    if (itype == 2) same_(c, "A B V - V W", times_(c, A, times_(c, B, V)), times_(c, V, D), size);
    if (itype == 3) same_(c, "B A V - V W", times_(c, B, times_(c, A, V)), times_(c, V, D), size * large);
    plain X = keep(c, plain_copy(&V));
    if (itype == 3) plain_solve(&B, &X);
    else X = times_(c, B, V);
    same_(c, "V^H B V", times_(c, VH, X), eye_(c, n, n), large);
}

#endif
