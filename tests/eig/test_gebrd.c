/* Reduction to bidiagonal form, A = Q B P^H, products with Q and P, and these themselves: matrices of every shape and kind, on
 * views and by typed calls. Residuals are by reflectors in double complex; d and e are beside LAPACK's. What is not a number,
 * and what is refused. */
#include "eig.h"

#define BOUND 30.0

/* 1 on the diagonal but for rounding: rows that are left are rounding errors alone */
enum { CLUSTERED = QR_KINDS, KINDS };

typedef struct reduced {
    dense was, A, d, e, tauq, taup;
    char who[96];
} reduced;

static tsl_matrix *wrap(tsl_context *x, const dense *A)
{
    tsl_matrix *w = NULL;
    if (tsl_matrix_wrap(x, A->t, A->m, A->n, A->data, A->ld, &w)) abort();
    return w;
}

/* A call on views of dense matrices, or on their arrays */
static tsl_status gebrd(tsl_context *x, bool typed, const reduced *r)
{
    int64_t m = r->A.m, n = r->A.n, lda = r->A.ld, info = -77;
    void *a = r->A.data, *d = r->d.data, *e = r->e.data, *q = r->tauq.data, *p = r->taup.data;
    tsl_status st;
    if (!typed) {
        const dense *of[] = {&r->A, &r->d, &r->e, &r->tauq, &r->taup};
        tsl_matrix *w[5];
        tsl_view v[5];
        for (int i = 0; i < 5; i++) w[i] = wrap(x, of[i]), v[i] = tsl_whole(w[i]);
        st = tsl_gebrd(x, v[0], v[1], v[2], v[3], v[4]);
        for (int i = 0; i < 5; i++) tsl_matrix_free(w[i]);
        return st;
    }
    switch (r->A.t) {
    case TSL_S: st = tsl_sgebrd(x, m, n, a, lda, d, e, q, p, &info); break;
    case TSL_D: st = tsl_dgebrd(x, m, n, a, lda, d, e, q, p, &info); break;
    case TSL_C: st = tsl_cgebrd(x, m, n, a, lda, d, e, q, p, &info); break;
    default: st = tsl_zgebrd(x, m, n, a, lda, d, e, q, p, &info);
    }
    check(info == 0, "%s: info %d", r->who, (int)info);
    return st;
}

static tsl_status ormbr(tsl_context *x, bool typed, const dense *A, const dense *tau, bool p, bool right, bool inverse, const dense *C)
{
    int64_t k = p ? A->m : A->n, lda = A->ld, ldc = C->ld, info = -77;
    void *array = A->data, *factors = tau->data, *other = C->data;
    char vect = p ? 'P' : 'Q', side = right ? 'R' : 'L', trans = !inverse ? 'N' : tsl_is_complex(A->t) ? 'C' : 'T';
    tsl_status st;
    if (!typed) {
        tsl_matrix *a = wrap(x, A), *t = wrap(x, tau), *c = wrap(x, C);
        st = tsl_ormbr(x, p ? TSL_RIGHT : TSL_LEFT, right ? TSL_RIGHT : TSL_LEFT, inverse ? qr_herm(A->t) : TSL_NOTRANS, tsl_whole(a), tsl_whole(t), tsl_whole(c));
        tsl_matrix_free(a), tsl_matrix_free(t), tsl_matrix_free(c);
        return st;
    }
    switch (A->t) {
    case TSL_S: st = tsl_sormbr(x, vect, side, trans, C->m, C->n, k, array, lda, factors, other, ldc, &info); break;
    case TSL_D: st = tsl_dormbr(x, vect, side, trans, C->m, C->n, k, array, lda, factors, other, ldc, &info); break;
    case TSL_C: st = tsl_cunmbr(x, vect, side, trans, C->m, C->n, k, array, lda, factors, other, ldc, &info); break;
    default: st = tsl_zunmbr(x, vect, side, trans, C->m, C->n, k, array, lda, factors, other, ldc, &info);
    }
    return st ? st : info == 0 ? TSL_OK : TSL_ERR_SIZE;
}

static tsl_status orgbr(tsl_context *x, bool typed, bool p, int64_t k, const dense *A, const dense *tau)
{
    int64_t lda = A->ld, info = -77;
    void *array = A->data, *factors = tau->data;
    char vect = p ? 'P' : 'Q';
    tsl_status st;
    if (!typed) {
        tsl_matrix *a = wrap(x, A), *t = wrap(x, tau);
        st = tsl_orgbr(x, p ? TSL_RIGHT : TSL_LEFT, k, tsl_whole(a), tsl_sub(tsl_whole(t), 0, 0, qr_min(p ? A->n : A->m, k), 1));
        tsl_matrix_free(a), tsl_matrix_free(t);
        return st;
    }
    switch (A->t) {
    case TSL_S: st = tsl_sorgbr(x, vect, A->m, A->n, k, array, lda, factors, &info); break;
    case TSL_D: st = tsl_dorgbr(x, vect, A->m, A->n, k, array, lda, factors, &info); break;
    case TSL_C: st = tsl_cungbr(x, vect, A->m, A->n, k, array, lda, factors, &info); break;
    default: st = tsl_zungbr(x, vect, A->m, A->n, k, array, lda, factors, &info);
    }
    return st ? st : info == 0 ? TSL_OK : TSL_ERR_SIZE;
}

/* X, of as many rows as Q, or P, := that times X, or its inverse times X, by the reflectors in A */
static void reflect(const dense *A, const dense *tau, bool p, bool inverse, tsl_scalar *X, int64_t cols)
{
    int64_t rows = p ? A->n : A->m, aside = p ? A->m >= A->n : A->m < A->n, count = tau->m - (aside && tau->m == rows), below = rows - aside;
    if (count <= 0) return;
    dense V = dense_make(TSL_Z, below, count, CANARY_FINITE), t = dense_make(TSL_Z, count, 1, CANARY_FINITE);
    tsl_scalar *Y = qr_room(below, cols);
    for (int64_t j = 0; j < count; j++) {
        dense_put(&t, j, 0, dense_get(tau, j, 0));
        for (int64_t i = j + 1; i < below; i++) dense_put(&V, i, j, p ? conj(dense_get(A, j, i + aside)) : dense_get(A, i + aside, j));
    }
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < below; i++) Y[i + j * below] = X[i + aside + j * rows];
    qr_reflect(&(operand){.d = &V}, &t, inverse, Y, cols);
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < below; i++) X[i + aside + j * rows] = Y[i + j * below];
    dense_free(&V), dense_free(&t), free(Y);
}

static tsl_scalar *turned(const tsl_scalar *X, int64_t m, int64_t n)
{
    tsl_scalar *Y = qr_room(n, m);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) Y[j + i * n] = conj(X[i + j * m]);
    return Y;
}

/* |A - Q B P^H| / (|A| max(m,n) eps) */
static double residual(const reduced *r)
{
    int64_t m = r->A.m, n = r->A.n, d = r->d.m;
    double most = 0, by = 1;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) most = tsl_larger(most, cabs(dense_get(&r->was, i, j)));
    if (most > 0) by = most < 1e-100 ? 0x1p900 : most > 1e100 ? 0x1p-900 : 1;
    tsl_scalar *X = qr_room(m, n), *A = qr_room(n, m);
    for (int64_t i = 0; i < d; i++) {
        X[i + i * m] = by * dense_get(&r->d, i, 0);
        if (i + 1 < d) X[m >= n ? i + (i + 1) * m : i + 1 + i * m] = by * dense_get(&r->e, i, 0);
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) A[j + i * n] = by * conj(dense_get(&r->was, i, j));
    reflect(&r->A, &r->tauq, false, false, X, n);
    tsl_scalar *Y = turned(X, m, n);
    reflect(&r->A, &r->taup, true, false, Y, m);
    double size = qr_norm(A, n, m);
    for (int64_t i = 0; i < m * n; i++) Y[i] -= A[i];
    double off = qr_norm(Y, n, m);
    free(X), free(Y), free(A);
    return off == 0 ? 0 : off / size / ((double)qr_max(m, n) * tsl_type_eps(r->A.t));
}

static tsl_scalar *q_of(const dense *A, const dense *tau, bool p)
{
    int64_t order = p ? A->n : A->m;
    tsl_scalar *Q = qr_room(order, order);
    for (int64_t i = 0; i < order; i++) Q[i + i * order] = 1;
    reflect(A, tau, p, false, Q, order);
    return Q;
}

static double apart(const reduced *r, bool p)
{
    int64_t order = p ? r->A.n : r->A.m;
    tsl_scalar *Q = q_of(&r->A, p ? &r->taup : &r->tauq, p);
    double off = order ? qr_apart(Q, order, order, r->A.t) : 0;
    free(Q);
    return off;
}

static dense matrix(tsl_type t, int64_t m, int64_t n, int kind)
{
    dense A = qr_matrix(t, m, n, kind == CLUSTERED ? RANDOM : (qr_kind)kind, (uint64_t)(3 * m + n));
    for (int64_t j = 0; j < n && kind == CLUSTERED; j++)
        for (int64_t i = 0; i < m; i++) dense_put(&A, i, j, (i == j) + tsl_type_eps(t) * dense_get(&A, i, j));
    return A;
}

static reduced reduce(tsl_context *x, bool typed, tsl_type t, int64_t m, int64_t n, int kind)
{
    int64_t d = qr_min(m, n);
    reduced r = {.A = matrix(t, m, n, kind)};
    snprintf(r.who, sizeof r.who, "%c %d x %d, %s%s", tsl_type_letter(t), (int)m, (int)n, kind == CLUSTERED ? "clustered" : qr_kind_name[kind], typed ? ", typed" : "");
    r.was = dense_copy(&r.A);
    r.d = dense_make(eig_real(t), d, 1, CANARY_FINITE), r.e = dense_make(eig_real(t), qr_max(0, d - 1), 1, CANARY_FINITE);
    r.tauq = dense_make(t, d, 1, CANARY_FINITE), r.taup = dense_make(t, d, 1, CANARY_FINITE);
    tsl_status st = gebrd(x, typed, &r);
    check(!st, "%s: %s %s", r.who, tsl_status_name(st), tsl_error(x));
    return r;
}

static void done(reduced *r) { dense_free(&r->was), dense_free(&r->A), dense_free(&r->d), dense_free(&r->e), dense_free(&r->tauq), dense_free(&r->taup); }

/* B is where LAPACK has it, too, and nothing beside the operands was written. */
static bool holds_b(const reduced *r)
{
    bool same = !dense_strays(&r->A, &r->was, TSL_GENERAL), tall = r->A.m >= r->A.n;
    for (int64_t i = 0; i < r->d.m; i++) {
        same &= dense_get(&r->A, i, i) == dense_get(&r->d, i, 0);
        if (i + 1 < r->d.m) same &= dense_get(&r->A, i + !tall, i + tall) == dense_get(&r->e, i, 0);
    }
    return same;
}

static double beside_lapack(const reduced *r)
{
    dense A = dense_copy(&r->was), d = dense_copy(&r->d), e = dense_copy(&r->e), q = dense_copy(&r->tauq), p = dense_copy(&r->taup);
    lapack_int m = (lapack_int)A.m, n = (lapack_int)A.n, ld = (lapack_int)A.ld;
    void *a = A.data, *di = d.data, *ei = e.data, *tq = q.data, *tp = p.data;
    switch (A.t) {
    case TSL_S: LAPACKE_sgebrd(LAPACK_COL_MAJOR, m, n, a, ld, di, ei, tq, tp); break;
    case TSL_D: LAPACKE_dgebrd(LAPACK_COL_MAJOR, m, n, a, ld, di, ei, tq, tp); break;
    case TSL_C: LAPACKE_cgebrd(LAPACK_COL_MAJOR, m, n, a, ld, di, ei, tq, tp); break;
    default: LAPACKE_zgebrd(LAPACK_COL_MAJOR, m, n, a, ld, di, ei, tq, tp);
    }
    double most = 0;
    for (int64_t i = 0; i < d.m; i++) {
        most = worse(most, fabs(creal(dense_get(&d, i, 0)) - creal(dense_get(&r->d, i, 0))));
        if (i + 1 < d.m) most = worse(most, fabs(creal(dense_get(&e, i, 0)) - creal(dense_get(&r->e, i, 0))));
    }
    dense_free(&A), dense_free(&d), dense_free(&e), dense_free(&q), dense_free(&p);
    return most;
}

static void reduction(tsl_context *x, bool typed, tsl_type t, int64_t m, int64_t n, int kind)
{
    reduced r = reduce(x, typed, t, m, n, kind);
    double off = residual(&r), q = apart(&r, false), p = apart(&r, true);
    check(off < BOUND && q < BOUND && p < BOUND, "%s: residual %g, orthogonality %g and %g", r.who, off, q, p);
    check(holds_b(&r), "%s: B is not in A, or something else was written", r.who);
    if (kind == RANDOM && qr_min(m, n) && qr_max(m, n) <= 40) check(beside_lapack(&r) < 1e3 * (double)qr_max(m, n) * tsl_type_eps(t), "%s: off LAPACK's by %g", r.who, beside_lapack(&r));
    done(&r);
}

static const int64_t shapes[][2] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 4}, {4, 1}, {2, 2}, {3, 2}, {2, 3}, {3, 3}, {5, 4}, {17, 17}, {33, 20}, {20, 33}, {70, 65}, {65, 70}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void reductions(tsl_context *x, const char *name)
{
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < SHAPES; s++)
            for (int kind = 0; kind < KINDS; kind++)
                if (s < 12 || kind % 4 == i || kind == RANDOM || kind == CLUSTERED) reduction(x, (s + kind) % 2, all_types[i], shapes[s][0], shapes[s][1], kind);
        checked("%s: %c reduced", name, tsl_type_letter(all_types[i]));
    }
}

/* Columns as long as kernels of each shape take them, and longer */
static void long_columns(tsl_context *x, const char *name)
{
    static const int64_t rows[] = {2500, 5001, 9000, 20001, 34000};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++)
            for (int wide = 0; wide < 1 + (k == 0); wide++) {
                int64_t n = 34 + k;
                reduced r = reduce(x, k % 2, all_types[i], wide ? n : rows[k], wide ? rows[k] : n, RANDOM);
                double off = residual(&r);
                check(off < BOUND && holds_b(&r), "%s: residual %g, or B is not in A", r.who, off);
                done(&r);
            }
    checked("%s: long columns", name);
}

static double difference(const tsl_scalar *X, const tsl_scalar *Y, int64_t count, int64_t order, tsl_type t)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) {
        double off = cabs(X[i] - Y[i]);
        most = off <= most ? most : isnan(off) ? INFINITY : off;
    }
    return most / ((double)qr_max(1, order) * tsl_type_eps(t));
}

static void product(tsl_context *x, bool typed, const reduced *r, bool p, bool right, bool inverse)
{
    int64_t order = p ? r->A.n : r->A.m, cols = 5;
    const dense *tau = p ? &r->taup : &r->tauq;
    dense C = dense_make(r->A.t, right ? cols : order, right ? order : cols, CANARY_FINITE), A = dense_copy(&r->A);
    dense_random(&C, 5);
    dense was = dense_copy(&C);
    tsl_status st = ormbr(x, typed, &A, tau, p, right, inverse, &C);
    tsl_scalar *X = qr_numbers(&C, right), *Y = qr_numbers(&was, right);
    reflect(&r->A, tau, p, right ? !inverse : inverse, Y, cols);
    double off = difference(X, Y, order * cols, order, r->A.t);
    check(!st && off < BOUND, "%s: %c, right %d, inverse %d, typed %d: %s, off %g %s", r->who, p ? 'P' : 'Q', right, inverse, typed, tsl_status_name(st), off, tsl_error(x));
    check(dense_same(&A, &r->A) && !dense_strays(&C, &was, TSL_GENERAL), "%s: a product wrote elsewhere", r->who);
    dense_free(&C), dense_free(&was), dense_free(&A), free(X), free(Y);
}

/* The first columns of Q, or rows of P^H: `count` of them; the place has room for all */
static void formed(tsl_context *x, bool typed, const reduced *r, bool p, int64_t count)
{
    int64_t order = p ? r->A.n : r->A.m, k = p ? r->A.m : r->A.n;
    dense G = dense_make(r->A.t, p ? count : order, p ? order : count, CANARY_FINITE);
    for (int64_t j = 0; j < G.n; j++)
        for (int64_t i = 0; i < G.m; i++) dense_put(&G, i, j, i < r->A.m && j < r->A.n ? dense_get(&r->A, i, j) : 7);
    dense was = dense_copy(&G);
    tsl_status st = orgbr(x, typed, p, k, &G, p ? &r->taup : &r->tauq);
    tsl_scalar *X = qr_numbers(&G, p), *Q = q_of(&r->A, p ? &r->taup : &r->tauq, p);
    double off = difference(X, Q, order * count, order, r->A.t);
    check(!st && off < BOUND && !dense_strays(&G, &was, TSL_GENERAL), "%s: %d of %c, typed %d: %s, off %g %s", r->who, (int)count, p ? 'P' : 'Q', typed, tsl_status_name(st), off, tsl_error(x));
    dense_free(&G), dense_free(&was), free(X), free(Q);
}

static void with_q(tsl_context *x, const char *name)
{
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < SHAPES; s++) {
            reduced r = reduce(x, false, all_types[i], shapes[s][0], shapes[s][1], RANDOM);
            for (int as = 0; as < 16; as++) product(x, as & 8, &r, as & 1, as & 2, as & 4);
            for (int as = 0; as < 8; as++) {
                bool p = as & 1;
                int64_t order = p ? r.A.n : r.A.m;
                formed(x, as & 2, &r, p, as & 4 ? order : r.d.m);
            }
            done(&r);
        }
        checked("%s: %c: products with Q and P, and these", name, tsl_type_letter(all_types[i]));
    }
}

/* One number that is none: no hang, and no B of finite numbers */
static void not_numbers(tsl_context *x, const char *name)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            for (int s = 3; s < SHAPES; s++) {
                int64_t m = shapes[s][0], n = shapes[s][1], d = qr_min(m, n);
                reduced r = reduce(x, false, all_types[i], m, n, RANDOM);
                dense_free(&r.A), r.A = dense_copy(&r.was);
                dense_put(&r.A, m - 1, n - 1, odd[k]);
                tsl_status st = gebrd(x, s % 2, &r);
                int spoiled = 0;
                for (int64_t j = 0; j < d; j++) spoiled += !scalar_finite(dense_get(&r.d, j, 0)) + (j + 1 < d && !scalar_finite(dense_get(&r.e, j, 0)));
                check(!st && spoiled, "%s, %g: %s, %d of B are not finite", r.who, odd[k], tsl_status_name(st), spoiled);
                done(&r);
            }
    checked("%s: NaN and Inf", name);
}

/* Panels of every width, also such as cut the last one short */
static void variants(const char *devices)
{
    static const char *const tiles[] = {"1", "7", "32"};
    tsl_context *x = context_on(devices);
    if (!x) return;
    for (int k = 0; k < 3; k++) {
        check(!tsl_set(x, "variant", "panels") && !tsl_set(x, "tile", tiles[k]), "%s", tsl_error(x));
        for (int i = 0; i < 4; i++)
            for (int s = 3; s < SHAPES; s++) {
                reduction(x, k % 2, all_types[i], shapes[s][0], shapes[s][1], RANDOM);
                reduction(x, k % 2, all_types[i], shapes[s][0], shapes[s][1], s % 2 ? TINY : HUGE_ONES);
                reduced r = reduce(x, false, all_types[i], shapes[s][0], shapes[s][1], GRADED);
                check(!tsl_set(x, "variant", "blocks"), "%s", tsl_error(x));
                for (int as = 0; as < 4; as++) formed(x, false, &r, as & 1, as & 2 ? as & 1 ? r.A.n : r.A.m : r.d.m);
                check(!tsl_set(x, "variant", "panels"), "%s", tsl_error(x));
                done(&r);
            }
    }
    checked("%s: by panels", devices);
    tsl_context_destroy(x);
}

/* By a band: reflectors are found again from Q and P. Wider than a block of columns, and than a band */
static void by_band(const char *devices)
{
    static const int64_t larger[][2] = {{129, 129}, {150, 131}, {67, 140}, {300, 96}};
    tsl_context *x = context_on(devices);
    if (!x) return;
    check(!tsl_set(x, "variant", "two"), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++) {
        for (int s = 3; s < SHAPES + 4; s++)
            for (int kind = 0; kind < KINDS; kind++)
                if (kind % 4 == (i + s) % 4) reduction(x, (s + kind) % 2, all_types[i], s < SHAPES ? shapes[s][0] : larger[s - SHAPES][0], s < SHAPES ? shapes[s][1] : larger[s - SHAPES][1], kind);
        checked("%s: %c by a band", devices, tsl_type_letter(all_types[i]));
    }
    for (int i = 0; i < 4; i++)
        for (int s = 0; s < 2; s++) {
            reduced r = reduce(x, false, all_types[i], larger[s][0], larger[s][1], RANDOM);
            double off = beside_lapack(&r);
            check(off < 1e3 * (double)larger[s][0] * tsl_type_eps(all_types[i]), "%s: off LAPACK's by %g", r.who, off);
            done(&r);
        }
    checked("%s: d and e by a band are LAPACK's", devices);
    not_numbers(x, devices);
    tsl_context_destroy(x);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(tsl_context *x)
{
    tsl_matrix *A, *C, *D, *T;
    int64_t info = 0;
    if (tsl_matrix_create(x, TSL_Z, 6, 4, &A) || tsl_matrix_create(x, TSL_Z, 6, 6, &C) || tsl_matrix_create(x, TSL_D, 4, 2, &D) || tsl_matrix_create(x, TSL_Z, 4, 2, &T)) abort();
    tsl_view a = tsl_whole(A), c = tsl_whole(C), d = tsl_sub(tsl_whole(D), 0, 0, 4, 1), e = tsl_sub(tsl_whole(D), 0, 1, 3, 1);
    tsl_view q = tsl_sub(tsl_whole(T), 0, 0, 4, 1), p = tsl_sub(tsl_whole(T), 0, 1, 4, 1);
    says(x, tsl_gebrd(x, tsl_herm(a), d, e, q, p), TSL_ERR_FLAG, "gebrd: A is seen transposed or conjugated");
    says(x, tsl_gebrd(x, a, q, e, q, p), TSL_ERR_TYPE, "d is z, must be the real type of A");
    says(x, tsl_gebrd(x, a, d, d, q, p), TSL_ERR_SHAPE, "e is 4 x 1, must be a column of 3 elements");
    says(x, tsl_gebrd(x, a, d, e, q, tsl_sub(p, 0, 0, 3, 1)), TSL_ERR_SHAPE, "taup is 3 x 1, must be a column of 4 elements");
    says(x, tsl_gebrd(x, a, d, e, q, q), TSL_ERR_OVERLAP, "gebrd: taup overlaps tauq");
    says(x, tsl_ormbr(x, TSL_LEFT, TSL_LEFT, TSL_TRANS, a, q, c), TSL_ERR_FLAG, "Q's op is 1");
    says(x, tsl_ormbr(x, TSL_RIGHT, TSL_LEFT, TSL_NOTRANS, a, p, c), TSL_ERR_SHAPE, "as many rows as C");
    says(x, tsl_orgbr(x, TSL_LEFT, 2, c, q), TSL_ERR_SHAPE, "tau is 4 x 1, must be a column of 2 elements");
    says(x, tsl_orgbr(x, TSL_RIGHT, 4, a, p), TSL_ERR_SHAPE, "orgbr: Q must not have more columns than rows");
    says(x, tsl_orgbr(x, TSL_LEFT, -1, c, q), TSL_ERR_SHAPE, "orgbr: k is -1");
    double s[16] = {0}, r[4], t[4];
    check(tsl_dgebrd(x, -1, 2, s, 4, r, t, r, t, &info) == TSL_ERR_SIZE && info == -1, "m: info %d", (int)info);
    check(tsl_dgebrd(x, 4, 2, s, 3, r, t, r, t, &info) == TSL_ERR_LD && info == -4, "lda: info %d", (int)info);
    check(tsl_dgebrd(x, 4, 2, s, 4, NULL, t, r, t, &info) == TSL_ERR_NULL && info == -5, "d: info %d", (int)info);
    check(tsl_dormbr(x, 'X', 'L', 'N', 2, 2, 2, s, 4, t, s, 4, &info) == TSL_ERR_FLAG && info == -1, "vect: info %d", (int)info);
    check(tsl_dormbr(x, 'P', 'L', 'N', 2, 2, -1, s, 4, t, s, 4, &info) == TSL_ERR_SIZE && info == -6, "k: info %d", (int)info);
    check(tsl_dormbr(x, 'Q', 'L', 'N', 4, 2, 2, s, 3, t, s, 4, &info) == TSL_ERR_LD && info == -8, "lda: info %d", (int)info);
    check(tsl_dormbr(x, 'Q', 'L', 'N', 4, 2, 2, s, 4, t, s, 3, &info) == TSL_ERR_LD && info == -11, "ldc: info %d", (int)info);
    check(tsl_dorgbr(x, 'Q', 2, 3, 2, s, 4, t, &info) && info == -3, "n > m: info %d", (int)info);
    check(tsl_dorgbr(x, 'Q', 4, 1, 2, s, 4, t, &info) && info == -3, "n < min(m,k): info %d", (int)info);
    check(tsl_dorgbr(x, 'P', 1, 4, 2, s, 4, t, &info) && info == -3, "m < min(n,k): info %d", (int)info);
    check(tsl_dorgbr(x, 'Q', 2, 2, -1, s, 4, t, &info) == TSL_ERR_SIZE && info == -4, "k: info %d", (int)info);
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(C), tsl_matrix_free(D), tsl_matrix_free(T);
}

/* The text for matrices in several pieces: on one, and on tiles; of the widest shapes there are several panels */
static void in_pieces(const char *devices, bool tiles)
{
    tsl_context *x = context_on(devices);
    if (!x) return;
    tsl_status st = tiles ? tsl_set(x, "path", "tiles") : tsl_set(x, "variant", "columns");
    check(!st && !tsl_set(x, "tile", "7"), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++)
        for (int s = 3; s < SHAPES; s++)
            for (int kind = 0; kind < KINDS; kind++)
                if (!tiles || (kind + s) % 4 == i) reduction(x, (s + kind) % 2, all_types[i], shapes[s][0], shapes[s][1], kind);
    checked("%s: A in %s", devices, tiles ? "tiles" : "one piece, as if in several");
    if (!tiles) not_numbers(x, devices);
    tsl_context_destroy(x);
}

int main(void)
{
    static const char *const where[] = {"host", "cuda"};
    for (int k = 0; k < 2; k++) {
        tsl_context *x = context_on(where[k]);
        if (!x) continue;
        reductions(x, where[k]);
        with_q(x, where[k]);
        not_numbers(x, where[k]);
        if (!k) refusals(x);
        else long_columns(x, where[k]);
        tsl_context_destroy(x);
        variants(where[k]);
        by_band(where[k]);
        in_pieces(where[k], false);
    }
    in_pieces("host:2", true);
    return tap_done();
}
