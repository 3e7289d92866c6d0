/* The reduction to tridiagonal form on views: what is refused, and tiled matrices. */
#include "qr.h"

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(void)
{
    enum { N = 6 };
    tsl_context *x = context_on("host");
    tsl_matrix *A, *C, *v, *w, *t;
    if (!x || tsl_matrix_create(x, TSL_Z, N, N, &A) || tsl_matrix_create(x, TSL_Z, N, N, &C) || tsl_matrix_create(x, TSL_D, N, 2, &v) ||
        tsl_matrix_create(x, TSL_Z, N, 2, &w) || tsl_matrix_create(x, TSL_Z, N, N, &t)) {
        ok(false, "operands");
        return;
    }
    tsl_view a = tsl_whole(A), l = tsl_lower(a), c = tsl_whole(C), d = tsl_sub(tsl_whole(v), 0, 0, N, 1), e = tsl_sub(tsl_whole(v), 0, 1, N - 1, 1);
    tsl_view tau = tsl_sub(tsl_whole(w), 0, 0, N - 1, 1), z = tsl_sub(tsl_whole(w), 0, 0, N, 1);
    says(x, tsl_sytrd(x, a, d, e, tau), TSL_ERR_UPLO, "sytrd: A must be a triangle");
    says(x, tsl_sytrd(x, tsl_lower(tsl_sub(a, 0, 0, N, 3)), d, e, tau), TSL_ERR_SHAPE, "must be square");
    says(x, tsl_sytrd(x, tsl_trans(l), d, e, tau), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_sytrd(x, tsl_unit(l), d, e, tau), TSL_ERR_UPLO, "unit diagonal");
    says(x, tsl_sytrd(x, l, z, e, tau), TSL_ERR_TYPE, "d is z, must be the real type of A");
    says(x, tsl_sytrd(x, l, d, tau, tau), TSL_ERR_TYPE, "e is z, must be the real type of A");
    says(x, tsl_sytrd(x, l, d, e, e), TSL_ERR_TYPE, "tau is d");
    says(x, tsl_sytrd(x, l, e, e, tau), TSL_ERR_SHAPE, "d is 5 x 1, must be a column of 6 elements");
    says(x, tsl_sytrd(x, l, d, d, tau), TSL_ERR_SHAPE, "e is 6 x 1, must be a column of 5 elements");
    says(x, tsl_sytrd(x, l, d, e, z), TSL_ERR_SHAPE, "tau is 6 x 1, must be a column of 5 elements");
    says(x, tsl_sytrd(x, l, d, tsl_sub(d, 0, 0, N - 1, 1), tau), TSL_ERR_OVERLAP, "sytrd: e overlaps d");
    says(x, tsl_sytrd(x, l, d, e, tsl_sub(a, 0, N - 1, N - 1, 1)), TSL_ERR_OVERLAP, "sytrd: tau overlaps A");
    says(x, tsl_ormtr(x, TSL_LEFT, TSL_NOTRANS, a, tau, c), TSL_ERR_UPLO, "ormtr: A must be a triangle");
    says(x, tsl_ormtr(x, TSL_LEFT, TSL_TRANS, l, tau, c), TSL_ERR_FLAG, "Q's op is 1");
    says(x, tsl_ormtr(x, (tsl_side)7, TSL_NOTRANS, l, tau, c), TSL_ERR_FLAG, "ormtr: no side 7");
    says(x, tsl_ormtr(x, TSL_LEFT, TSL_NOTRANS, l, z, c), TSL_ERR_SHAPE, "tau is 6 x 1");
    says(x, tsl_ormtr(x, TSL_LEFT, TSL_NOTRANS, l, tau, tsl_sub(c, 0, 0, 5, 6)), TSL_ERR_SHAPE, "as many rows as C");
    says(x, tsl_ormtr(x, TSL_LEFT, TSL_NOTRANS, l, tau, a), TSL_ERR_OVERLAP, "ormtr: C overlaps A");
    says(x, tsl_orgtr(x, a, tau), TSL_ERR_UPLO, "orgtr: A must be a triangle");
    says(x, tsl_orgtr(x, tsl_lower(tsl_sub(a, 0, 0, N, 3)), tau), TSL_ERR_SHAPE, "A must be square");
    says(x, tsl_orgtr(x, tsl_trans(l), tau), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_orgtr(x, l, tsl_sub(a, 0, N - 1, N - 1, 1)), TSL_ERR_OVERLAP, "orgtr: tau overlaps A"); /* in the triangle that is not given */
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(C), tsl_matrix_free(v), tsl_matrix_free(w), tsl_matrix_free(t);
    tsl_context_destroy(x);
}

/* A = Q T Q^H of a tiled matrix: Q by orgtr, and Q^H A Q by ormtr */
static void tiled(const char *devices)
{
    enum { N = 21 };
    tsl_context *x = context_on(devices);
    if (!x) return; /* context_on has said why */
    for (int i = 0; i < 4; i++) {
        dense A = dense_make(TSL_Z, N, N, CANARY_FINITE), F, C, D = dense_make(TSL_D, N, 1, CANARY_FINITE),
            E = dense_make(TSL_D, N - 1, 1, CANARY_FINITE);
        tsl_matrix *m[5], *tau;
        int64_t nb = i < 2 ? 5 : 8;
        double off = 0;
        dense_dominant(&A, 7);
        F = dense_copy(&A), C = dense_copy(&A);
        const dense *all[] = {&A, &F, &C, &D, &E};
        for (int k = 0; k < 5; k++)
            if (tsl_tiled_wrap(x, all[k]->t, all[k]->m, all[k]->n, all[k]->data, all[k]->ld, nb, &m[k])) abort();
        if (tsl_tiled_create(x, TSL_Z, N - 1, 1, nb, &tau)) abort();
        tsl_view t = tsl_whole(tau), f = i % 2 ? tsl_upper(tsl_whole(m[1])) : tsl_lower(tsl_whole(m[1])), c = tsl_whole(m[2]);
        tsl_status st = tsl_sytrd(x, f, tsl_whole(m[3]), tsl_whole(m[4]), t);
        if (!st) st = tsl_ormtr(x, TSL_LEFT, TSL_HERM, f, t, c);
        if (!st) st = tsl_ormtr(x, TSL_RIGHT, TSL_NOTRANS, f, t, c);
        for (int64_t k = 0; k < N && !st; k++)
            for (int64_t j = 0; j < N; j++) {
                tsl_scalar right = k == j ? dense_get(&D, k, 0) : k == j + 1 ? dense_get(&E, j, 0) : j == k + 1 ? dense_get(&E,
                    k, 0) : 0;
                off = worse(off, cabs(dense_get(&C, k, j) - right));
            }
        for (int64_t k = 0; k < N * N; k++) dense_put(&C, k % N, k / N, k % N == k / N);
        if (!st) st = tsl_ormtr(x, TSL_LEFT, TSL_NOTRANS, f, t, c);
        if (!st) st = tsl_orgtr(x, f, t);
        for (int64_t k = 0; k < N && !st; k++)
            for (int64_t j = 0; j < N; j++) off = worse(off, cabs(dense_get(&C, k, j) - dense_get(&F, k, j)));
        check(!st && off < 1e-12, "%s: tiles of %d: %s %s, off by %g", devices, (int)nb, tsl_status_name(st), tsl_error(x),
              off);
        for (int k = 0; k < 5; k++) tsl_matrix_free(m[k]);
        tsl_matrix_free(tau);
        dense_free(&A), dense_free(&F), dense_free(&C), dense_free(&D), dense_free(&E);
    }
    tsl_context_destroy(x);
    checked("%s: tiled matrices", devices);
}

int main(void)
{
    refusals();
    tiled("host:1"), tiled("host:3,mem=64K"), tiled("host");
    return tap_done();
}
