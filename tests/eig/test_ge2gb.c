/* A matrix to an upper band, A = Q1 B P1^H, and the band to bidiagonal form, B = Q2 C P2^H: residuals by products with the
 * reflectors. On GPUs both shapes of the kernel. */
#include "ops/ops.h"
#include "qr.h"

#define BOUND 30.0

static tsl_type real_of(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }

typedef struct held {
    dense d;
    tsl_matrix *m;
} held;

static held hold(tsl_context *x, dense d)
{
    held h = {d, NULL};
    if (d.m && d.n && tsl_matrix_wrap(x, d.t, d.m, d.n, d.data, d.ld, &h.m)) abort();
    return h;
}

static void drop(held *h) { tsl_matrix_free(h->m), dense_free(&h->d); }
static tsl_view block_of(const held *h, tsl_view other) { return h->m ? tsl_whole(h->m) : tsl_sub(other, 0, 0, 0, 0); }

static dense zeros(tsl_type t, int64_t m, int64_t n)
{
    dense A = dense_make(t, m, n, CANARY_FINITE);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) dense_put(&A, i, j, 0);
    return A;
}

/* |X - A| / (|A| n eps) */
static double off(const dense *X, const dense *A)
{
    double size = 0, most = 0;
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) {
            double e = cabs(dense_get(X, i, j) - dense_get(A, i, j));
            size = tsl_larger(size, cabs(dense_get(A, i, j))), most = isnan(e) ? INFINITY : fmax(most, e);
        }
    return most == 0 ? 0 : most / ((size > 0 ? size : 1) * (double)A->m * tsl_type_eps(A->t));
}

static tsl_status back(tsl_context *x, int64_t kd, tsl_view V, tsl_view tau, tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMTR_SB2ST, .k = kd, .v = {V, tau, C}});
}

/* B = Q2 C P2^H of the band AB, all of which is B */
static void chase(tsl_context *x, const char *who, const dense *AB, const dense *B)
{
    int64_t n = AB->n, kd = AB->m - 1, chunks = (n - 1 + kd - 1) / kd;
    tsl_type t = AB->t;
    held a = hold(x, dense_copy(AB)), d = hold(x, zeros(real_of(t), n, 1)), e = hold(x, zeros(real_of(t), n > 1 ? n - 1 : 0, 1)), d2 = hold(x, zeros(real_of(t), n, 1));
    held r[4], X = hold(x, zeros(t, n, n)), Y = hold(x, zeros(t, n, n));
    for (int i = 0; i < 4; i++) r[i] = hold(x, dense_make(t, i % 2 ? (chunks > 0 ? chunks : 1) : n, n, CANARY_NAN));
    tsl_view none = tsl_sub(tsl_whole(a.m), 0, 0, 0, 0), E = e.m ? tsl_whole(e.m) : tsl_sub(tsl_whole(d.m), 0, 0, 0, 1);
    tsl_status st = tsl_execute(x, &(tsl_call){.op = TSL_OP_GB2BD, .v = {tsl_whole(a.m), tsl_whole(d2.m), E, none, none, none, none}});
    if (!st) st = tsl_execute(x, &(tsl_call){.op = TSL_OP_GB2BD, .v = {tsl_whole(a.m), tsl_whole(d.m), E, block_of(&r[0], none), block_of(&r[1], none), block_of(&r[2], none), block_of(&r[3], none)}});
    check(!st && off(&a.d, AB) == 0 && off(&d.d, &d2.d) == 0, "%s: gb2bd: %s; other values without reflectors %g", who, tsl_error(x), off(&d.d, &d2.d));
    for (int64_t i = 0; i < n; i++) {
        dense_put(&X.d, i, i, dense_get(&d.d, i, 0));
        if (i + 1 < n) dense_put(&X.d, i, i + 1, dense_get(&e.d, i, 0));
    }
    if (!st && n > 1) st = back(x, kd, tsl_whole(r[0].m), tsl_whole(r[1].m), tsl_whole(X.m));
    if (!st) st = tsl_copy(x, tsl_herm(tsl_whole(X.m)), tsl_whole(Y.m));
    if (!st && n > 1) st = back(x, kd, tsl_whole(r[2].m), tsl_whole(r[3].m), tsl_whole(Y.m));
    if (!st) st = tsl_copy(x, tsl_herm(tsl_whole(Y.m)), tsl_whole(X.m));
    check(!st && off(&X.d, B) < BOUND, "%s: gb2bd: %s, residual %g", who, tsl_error(x), off(&X.d, B));
    drop(&a), drop(&d), drop(&e), drop(&d2), drop(&X), drop(&Y);
    for (int i = 0; i < 4; i++) drop(&r[i]);
}

static void one(tsl_context *x, tsl_type t, int64_t m, int64_t n, int64_t kd, qr_kind kind, bool real_diagonal)
{
    char who[96];
    snprintf(who, sizeof who, "%c %d x %d, kd %d, kind %d", tsl_type_letter(t), (int)m, (int)n, (int)kd, (int)kind);
    dense A = qr_matrix(t, m, n, kind, (uint64_t)(m + 3 * n + kd));
    held a = hold(x, dense_copy(&A)), b = hold(x, dense_make(t, kd + 1, n, CANARY_NAN)), q = hold(x, dense_make(t, n, 1, CANARY_NAN)), p = hold(x, dense_make(t, n, 1, CANARY_NAN));
    held X = hold(x, zeros(t, m, n));
    tsl_status st = tsl_ge2gb(x, tsl_whole(a.m), tsl_whole(b.m), tsl_whole(q.m), tsl_whole(p.m));
    dense B = zeros(t, n, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k <= kd; k++) {
            tsl_scalar v = conj(dense_get(&b.d, k, i));
            if (i + k < n) dense_put(&B, i, i + k, v), dense_put(&X.d, i, i + k, v);
            else check(v == 0, "%s: a number beyond the band", who);
        }
    tsl_view C = tsl_whole(X.m);
    if (!st) st = tsl_ormqr(x, TSL_LEFT, TSL_NOTRANS, tsl_whole(a.m), tsl_whole(q.m), C);
    if (!st && n > kd)
        st = tsl_ormqr(x, TSL_RIGHT, TSL_HERM, tsl_herm(tsl_sub(tsl_whole(a.m), 0, kd, n - kd, n - kd)), tsl_sub(tsl_whole(p.m), 0, 0, n - kd, 1), tsl_sub(C, 0, kd, m, n - kd));
    check(!st && off(&X.d, &A) < BOUND, "%s: ge2gb: %s, residual %g", who, tsl_error(x), off(&X.d, &A));
    if (!st && real_diagonal) chase(x, who, &b.d, &B);
    drop(&a), drop(&b), drop(&q), drop(&p), drop(&X), dense_free(&A), dense_free(&B);
}

/* A random band is singular to exponentially many digits: numbers vanish towards its end. */
static void one_band(tsl_context *x, tsl_type t, int64_t n, int64_t kd)
{
    char who[96];
    snprintf(who, sizeof who, "%c %d, random band, kd %d", tsl_type_letter(t), (int)n, (int)kd);
    dense AB = zeros(t, kd + 1, n), B = zeros(t, n, n);
    dense_random(&AB, (uint64_t)(n + kd));
    for (int64_t i = 0; i < n; i++) {
        dense_put(&AB, 0, i, creal(dense_get(&AB, 0, i)));
        for (int64_t k = 0; k <= kd; k++)
            if (i + k < n) dense_put(&B, i, i + k, conj(dense_get(&AB, k, i)));
    }
    chase(x, who, &AB, &B);
    dense_free(&AB), dense_free(&B);
}

static void refusals(tsl_context *x)
{
    tsl_matrix *A, *AB, *tau;
    if (tsl_matrix_create(x, TSL_D, 6, 8, &A) || tsl_matrix_create(x, TSL_D, 3, 8, &AB) || tsl_matrix_create(x, TSL_D, 8, 2, &tau)) abort();
    tsl_view q = tsl_sub(tsl_whole(tau), 0, 0, 6, 1), p = tsl_sub(tsl_whole(tau), 0, 1, 6, 1), a = tsl_sub(tsl_whole(A), 0, 0, 6, 6), b = tsl_sub(tsl_whole(AB), 0, 0, 3, 6);
    check(tsl_ge2gb(x, tsl_whole(A), tsl_whole(AB), tsl_sub(tsl_whole(tau), 0, 0, 8, 1), tsl_sub(tsl_whole(tau), 0, 1, 8, 1)) == TSL_ERR_SHAPE, "more columns: %s", tsl_error(x));
    check(tsl_ge2gb(x, tsl_trans(a), b, q, p) == TSL_ERR_FLAG, "transposed: %s", tsl_error(x));
    check(tsl_ge2gb(x, a, tsl_sub(b, 0, 0, 1, 6), q, p) == TSL_ERR_SHAPE, "no room for the band: %s", tsl_error(x));
    check(tsl_ge2gb(x, a, b, q, tsl_sub(p, 0, 0, 5, 1)) == TSL_ERR_SHAPE, "taup: %s", tsl_error(x));
    checked("what is refused");
    tsl_matrix_free(A), tsl_matrix_free(AB), tsl_matrix_free(tau);
}

int main(void)
{
    static const char *const where[] = {"host", "cuda"};
    static const int64_t shape[][3] = {{1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {5, 3, 2}, {9, 9, 3}, {17, 17, 4}, {20, 13, 5}, {33, 33, 8}, {40, 40, 7}, {37, 30, 29}, {30, 30, 40}};
    static const qr_kind kinds[] = {RANDOM, DEFICIENT, ZEROS, GRADED, ZERO_COLUMN};
    for (int w = 0; w < 2; w++) {
        tsl_context *x = context_on(where[w]);
        if (!x) continue;
        for (int i = 0; i < 4; i++) {
            for (int shapes = 0; shapes < (w ? 3 : 1); shapes++) {
                if (w) check(!tsl_set(x, "shape", shapes == 1 ? "1" : shapes ? "2" : "0"), "%s", tsl_error(x));
                for (int k = 0; k < 11; k++)
                    for (int kind = 0; kind < 5; kind++) one(x, all_types[i], shape[k][0], shape[k][1], shape[k][2], kinds[kind], true);
            }
            one_band(x, all_types[i], 65, 3), one_band(x, all_types[i], 130, 5);
            if (w) one(x, all_types[i], 700, 650, 64, RANDOM, true), one(x, all_types[i], 300, 300, 33, RANDOM, true);
            checked("%s: %c: to a band, and to bidiagonal form", where[w], tsl_type_letter(all_types[i]));
        }
        if (!w) refusals(x);
        tsl_context_destroy(x);
    }
    return tap_done();
}
