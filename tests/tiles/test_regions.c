/* Regions of dependent calls on tiled matrices, and what calls report in them: info and numbers. */
#include "matrices.h"

/* X := inv(S) B by Cholesky, then R := B - S X, on tiles; in a region all of it is one graph. The solution goes to `out`. */
static double solve(tsl_context *x, tsl_type t, bool region, const dense *S, const dense *B, dense *out)
{
    dense R = dense_copy(B);
    tsl_matrix *s = wrap(x, S, NB), *b = wrap(x, B, NB), *r = wrap(x, &R, NB), *to = wrap(x, out, NB);
    tsl_matrix *l = create(x, t, N, N, NB), *y = create(x, t, N, B->n, NB);
    tsl_view L = tsl_lower(tsl_whole(l)), Y = tsl_whole(y);
    int64_t info = -1;
    if (region) check(!tsl_begin(x), "begin");
    check(!tsl_copy(x, tsl_whole(s), tsl_whole(l)) && !tsl_copy(x, tsl_whole(b), Y), "copies: %s", tsl_error(x));
    check(!tsl_potrf(x, L, NULL), "potrf: %s", tsl_error(x));
    check(!tsl_trsm(x, TSL_LEFT, 1, L, Y) && !tsl_trsm(x, TSL_LEFT, 1, tsl_herm(L), Y), "trsm: %s", tsl_error(x));
    check(!tsl_hemm(x, TSL_LEFT, -1, tsl_lower(tsl_whole(s)), Y, 1, tsl_whole(r)), "hemm: %s", tsl_error(x));
    check(!tsl_copy(x, Y, tsl_whole(to)), "copy: %s", tsl_error(x));
    if (region) check(!tsl_wait(x), "wait: %s", tsl_error(x));
    check(!tsl_info(x, &info) && info == 0, "info %d", (int)info);
    double worst = 0;
    for (int64_t j = 0; j < R.n; j++)
        for (int64_t i = 0; i < R.m; i++) worst = worse(worst, cabs(dense_get(&R, i, j)));
    tsl_matrix_free(s), tsl_matrix_free(b), tsl_matrix_free(r), tsl_matrix_free(to), tsl_matrix_free(l), tsl_matrix_free(y);
    dense_free(&R);
    return worst;
}

static void test_regions(void)
{
    static const char *const devices[] = {"host:1", "host:2", "host:3,mem=40K", "host:4", "host:7,mem=36K", "host"};
    for (int t = TSL_S; t <= TSL_Z; t++) {
        dense S = dense_make((tsl_type)t, N, N, CANARY_NAN), B = dense_make((tsl_type)t, N, 37, CANARY_FINITE);
        dense first = dense_make((tsl_type)t, N, 37, CANARY_FINITE);
        bool have = false;
        dense_dominant(&S, 1), dense_random(&B, 2);
        for (int d = 0; d < 6; d++) {
            tsl_context *x = make(devices[d]);
            for (int round = 0; round < 6; round++) {
                dense out = dense_make((tsl_type)t, N, 37, CANARY_FINITE);
                check(!tsl_set(x, "policy", policies[round % 5]) && !tsl_set(x, "diag-on", d < 5 && round % 2 ? "host" : "device"), "set");
                double r = solve(x, (tsl_type)t, round > 0, &S, &B, &out);
                check(r <= 40 * N * tsl_type_eps((tsl_type)t), "%s %s: residual %g", devices[d], policies[round % 5], r);
                if (have && d < 5) check(dense_same(&out, &first), "%s %s: other bits", devices[d], policies[round % 5]);
                if (!have) memcpy(first.data, out.data, out.bytes), have = true;
                dense_free(&out);
            }
            tsl_context_destroy(x);
        }
        dense_free(&S), dense_free(&B), dense_free(&first);
        checked("%c: a solver in one region, on all devices and policies", tsl_type_letter((tsl_type)t));
    }
}

/* LAPACK's info on tiles: of a call, of a view that begins inside a tile, of the first failure in a region. */
static void test_info(const char *devices)
{
    tsl_context *x = make(devices);
    for (int bad = 0; bad < N; bad += 23)
        for (int p = 0; p < 5; p++) {
            dense A = dense_make(TSL_D, N, N, CANARY_FINITE), G = dense_make(TSL_D, N, N, CANARY_FINITE);
            dense_dominant(&A, 6), dense_dominant(&G, 7);
            dense_put(&A, bad, bad, -1);
            dense sub = dense_copy(&A), E = dense_copy(&G);
            dense_put(&E, 2, 2, 0);
            tsl_matrix *a = wrap(x, &A, NB), *g = wrap(x, &G, NB), *s = wrap(x, &sub, NB), *e = wrap(x, &E, NB);
            int64_t info = -1;
            check(!tsl_set(x, "policy", policies[p]), "set");
            if (bad >= 5) {
                tsl_view v = tsl_sub(tsl_whole(s), 5, 5, N - 5, N - 5);
                check(!tsl_potrf(x, tsl_upper(v), &info) && info == bad + 1 - 5, "%s: a view's info %d", policies[p], (int)info);
            }
            check(!tsl_begin(x) && !tsl_potrf(x, tsl_lower(tsl_whole(g)), NULL) && !tsl_potrf(x, tsl_lower(tsl_whole(a)), NULL) &&
                      !tsl_potrf(x, tsl_lower(tsl_whole(e)), NULL) && !tsl_wait(x), "%s: region: %s", policies[p], tsl_error(x));
            check(!tsl_info(x, &info) && info == bad + 1, "%s: of a region, info %d, not %d", policies[p], (int)info, bad + 1);
            dense_dominant(&G, 7);
            check(!tsl_potrf(x, tsl_lower(tsl_whole(g)), &info) && info == 0, "%s: afterwards, info %d", policies[p], (int)info);
            tsl_matrix_free(a), tsl_matrix_free(g), tsl_matrix_free(s), tsl_matrix_free(e);
            dense_free(&A), dense_free(&G), dense_free(&sub), dense_free(&E);
        }
    tsl_context_destroy(x);
    checked("%s: info", devices);
}

/* Options set inside a region: it goes on, and so does the account of its outcomes. */
static void test_set_inside(const char *devices)
{
    tsl_context *x = make(devices);
    dense A[4];
    tsl_matrix *a[4];
    tsl_counters n;
    int64_t info = -1;
    for (int i = 0; i < 4; i++) {
        A[i] = dense_make(TSL_D, N, N, CANARY_FINITE);
        dense_dominant(&A[i], 6);
        if (i % 2) dense_put(&A[i], 10 * i, 10 * i, -1);
        a[i] = wrap(x, &A[i], NB);
    }
    tsl_view last = tsl_lower(tsl_whole(a[0]));
    check(!tsl_begin(x) && !tsl_potrf(x, tsl_lower(tsl_whole(a[1])), NULL), "begin: %s", tsl_error(x));
    check(!tsl_set(x, "policy", "cache") && !tsl_set(x, "dist", "rows") && !tsl_set(x, "diag-on", "host"), "set: %s", tsl_error(x));
    check(tsl_set(x, "policy", "none") == TSL_ERR_OPTION, "a value that is none");
    check(!tsl_potrf(x, tsl_lower(tsl_whole(a[3])), NULL), "potrf: %s", tsl_error(x));
    check(!tsl_counters_get(x, &n) && n.tasks > 0 && !tsl_counters_reset(x), "the first call has run");
    for (int i = 0; i < 200; i++) check(!tsl_scale(x, i % 2 ? 0.5 : 2, last), "scale: %s", tsl_error(x));
    check(!tsl_potrf(x, last, NULL), "potrf: %s", tsl_error(x));
    check(!tsl_counters_get(x, &n) && n.tasks < 200 * 15, "the region is still open: %d tasks have run", (int)n.tasks);
    check(!tsl_wait(x) && !tsl_info(x, &info) && info == 11, "info %d is not the first call's", (int)info);
    dense want = dense_make(TSL_D, N, N, CANARY_FINITE);
    dense_dominant(&want, 6);
    tsl_matrix *w = wrap(x, &want, NB);
    check(!tsl_potrf(x, tsl_lower(tsl_whole(w)), &info) && info == 0 && dense_same(&want, &A[0]), "the region's other calls, info %d", (int)info);
    for (int i = 0; i < 4; i++) tsl_matrix_free(a[i]), dense_free(&A[i]);
    tsl_matrix_free(w), dense_free(&want);
    tsl_context_destroy(x);
    checked("%s: options set inside a region", devices);
}

/* More calls in a region than there are places for their outcomes; after a failed one the others are computed all the same. */
static void test_many_infos(const char *devices)
{
    enum { CALLS = 80, SMALL = 20 };
    tsl_context *x = make(devices);
    dense A[CALLS], good = dense_make(TSL_D, SMALL, SMALL, CANARY_FINITE);
    tsl_matrix *a[CALLS], *g;
    int64_t info = -1;
    for (int i = 0; i < CALLS; i++) {
        A[i] = dense_make(TSL_D, SMALL, SMALL, CANARY_FINITE);
        dense_dominant(&A[i], 9);
        if (i >= 7 && i % 2) dense_put(&A[i], 11 - i % 9, 11 - i % 9, -1);
        a[i] = wrap(x, &A[i], 8);
    }
    dense_dominant(&good, 9);
    g = wrap(x, &good, 8);
    check(!tsl_potrf(x, tsl_lower(tsl_whole(g)), &info) && info == 0, "potrf: %s", tsl_error(x));
    check(!tsl_begin(x), "begin");
    for (int i = 0; i < CALLS; i++) check(!tsl_potrf(x, tsl_lower(tsl_whole(a[i])), NULL), "call %d: %s", i, tsl_error(x));
    check(!tsl_wait(x) && !tsl_info(x, &info) && info == 11 - 7 + 1, "info %d is not that of the first", (int)info);
    for (int i = 0; i < CALLS; i += 2) check(dense_same(&A[i], &good), "call %d, a good one, was spoilt", i);
    for (int i = 0; i < CALLS; i++) tsl_matrix_free(a[i]), dense_free(&A[i]);
    tsl_matrix_free(g);
    tsl_context_destroy(x);
    dense_free(&good);
    checked("%s: info of many calls", devices);
}

/* Numbers that a call gives back are there when it returns, in a region too. */
static void test_numbers(const char *spec)
{
    enum { ORDER = 9, RANK = 5 };
    tsl_context *x = make(spec);
    dense A = dense_make(TSL_D, ORDER, ORDER, CANARY_FINITE), P = dense_make(TSL_D, ORDER, ORDER, CANARY_FINITE);
    for (int64_t nb = 16; nb > 3; nb -= 12) {
        tsl_matrix *a = wrap(x, &A, nb), *p = wrap(x, &P, nb);
        int64_t rank = -1;
        for (int only = 0; only < 2; only++) {
            for (int64_t k = 0; k < ORDER * ORDER; k++)
                dense_put(&A, k % ORDER, k / ORDER, k % ORDER == k / ORDER && k / ORDER < RANK ? 1 + (double)(k / ORDER) : 0);
            check(!tsl_begin(x), "begin");
            tsl_status st = only ? tsl_matrix_rank(x, tsl_whole(a), -1, &rank, NULL) : tsl_pinv(x, tsl_whole(a), -1,
                tsl_whole(p), &rank, NULL);
            check(!st && rank == RANK, "%s: tiles of %d: rank %d %s", spec, (int)nb, (int)rank, tsl_error(x));
            check(!tsl_wait(x), "wait: %s", tsl_error(x));
            rank = -1;
        }
        check(fabs(creal(dense_get(&P, 1, 1)) - 0.5) < 1e-15, "%s: P", spec);
        tsl_matrix_free(a), tsl_matrix_free(p);
    }
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&P);
    checked("%s: a rank in a region", spec);
}

int main(void)
{
    test_numbers("host:1"), test_numbers("host:3"), test_numbers("host");
    test_info("host:1");
    test_info("host:4");
    test_set_inside("host:1");
    test_set_inside("host:3");
    test_many_infos("host:1");
    test_many_infos("host:3");
    test_many_infos("host");
    test_regions();
    return tap_done();
}
