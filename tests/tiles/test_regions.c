/* Tiled matrices as the caller meets them: regions of dependent calls, copies between layouts, info, owners of the caller's choice,
 * a device too small, bands and packed triangles, and bad arguments. */
#include "dense.h"
#include "runtime/runtime.h"
#include "tiled.h"

enum { N = 70, NB = 16 };

static tsl_matrix *wrap(tsl_context *x, const dense *d, int64_t nb)
{
    tsl_matrix *A = NULL;
    tsl_status st = nb ? tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, nb, &A) : tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &A);
    check(!st && A, "wrap: %s", tsl_error(x));
    return A;
}

static tsl_matrix *create(tsl_context *x, tsl_type t, int64_t m, int64_t n, int64_t nb)
{
    tsl_matrix *A = NULL;
    check(!tsl_tiled_create(x, t, m, n, nb, &A) && A, "create: %s", tsl_error(x));
    return A;
}

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

/* Flat to tiles of one size, to tiles of another through views that begin inside a tile, turned, and back. */
static void test_copies(void)
{
    static const int64_t tiles[] = {1, 7, 16, 33, 200};
    tsl_context *x = make("host:3");
    dense A = dense_make(TSL_C, 50, 41, CANARY_NAN);
    dense_random(&A, 4);
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++) {
            dense out = dense_make(TSL_C, 50, 41, CANARY_FINITE), was = dense_copy(&out);
            tsl_matrix *flat = wrap(x, &A, 0), *back = wrap(x, &out, 0);
            tsl_matrix *P = create(x, TSL_C, 60, 50, tiles[a]), *Q = create(x, TSL_C, 45, 55, tiles[b]);
            tsl_view p = tsl_sub(tsl_whole(P), 9, 5, 50, 41), q = tsl_sub(tsl_whole(Q), 3, 2, 41, 50);
            check(!tsl_copy(x, tsl_whole(flat), p) && !tsl_copy(x, tsl_herm(p), q), "copy: %s", tsl_error(x));
            check(!tsl_scale(x, 2, q) && !tsl_copy(x, tsl_herm(q), tsl_whole(back)), "copy back: %s", tsl_error(x));
            bool same = true;
            for (int64_t j = 0; j < 41; j++)
                for (int64_t i = 0; i < 50; i++) same = same && dense_get(&out, i, j) == 2 * dense_get(&A, i, j);
            check(same && dense_strays(&out, &was, TSL_GENERAL) == 0, "tiles of %d and %d", (int)tiles[a], (int)tiles[b]);
            tsl_matrix_free(flat), tsl_matrix_free(back), tsl_matrix_free(P), tsl_matrix_free(Q);
            dense_free(&out), dense_free(&was);
        }
    tsl_context_destroy(x);
    dense_free(&A);
    checked("copies between flat matrices and tiles of all sizes");
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

/* All tiles to the device the caller names: only that one computes. */
static int to_device(void *user, int64_t i, int64_t j) { return i < 0 || j < 0 ? -1 : *(int *)user; }

/* Another answer each time it is asked for the same tile. */
typedef struct moody {
    int asked[8][8];
    bool valid;
} moody;

static int fickle(void *user, int64_t i, int64_t j)
{
    moody *m = user;
    return m->asked[i][j]++ ? 1000000 : m->valid || i + j < 6 ? (int)(i + j) % 3 : -1;
}

static void test_asked_once(void)
{
    tsl_context *x = make("host:3");
    dense A = dense_make(TSL_D, N, N, CANARY_FINITE), want = dense_copy(&A);
    moody m = {.valid = true}, bad = {.valid = false};
    dense_dominant(&A, 8), dense_dominant(&want, 8);
    tsl_matrix *a = wrap(x, &A, NB), *w = wrap(x, &want, NB), *empty = create(x, TSL_D, 0, 7, NB);
    check(!tsl_tiled_place(a, fickle, &m) && tsl_tiled_place(a, fickle, &bad) == TSL_ERR_NO_DEVICE, "place: %s", tsl_error(x));
    check(!tsl_tiled_place(empty, fickle, &m), "no tiles: %s", tsl_error(x));
    int64_t tiles = (N + NB - 1) / NB, once = 0;
    for (int64_t k = 0; k < tiles * tiles; k++) {
        once += m.asked[k % tiles][k / tiles] == 1;
        check(a->tiles->tile[k].owner == (k % tiles + k / tiles) % 3, "tile %d is device %d's", (int)k, a->tiles->tile[k].owner);
    }
    check(once == tiles * tiles, "%d tiles asked for once", (int)once);
    check(!tsl_potrf(x, tsl_lower(tsl_whole(a)), NULL) && !tsl_potrf(x, tsl_lower(tsl_whole(w)), NULL) && dense_same(&A, &want), "potrf: %s", tsl_error(x));
    tsl_matrix_free(a), tsl_matrix_free(w), tsl_matrix_free(empty);
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&want);
    checked("owners are asked for once");
}

static void test_place(void)
{
    tsl_context *x = make("host:3");
    dense A = dense_make(TSL_D, N, N, CANARY_FINITE);
    dense_dominant(&A, 8);
    tsl_matrix *a = wrap(x, &A, NB), *flat = wrap(x, &A, 0);
    tsl_device_info d[3];
    int owner = 1;
    check(!tsl_set(x, "policy", "write-back") && !tsl_tiled_place(a, to_device, &owner), "place: %s", tsl_error(x));
    check(!tsl_potrf(x, tsl_lower(tsl_whole(a)), NULL), "potrf: %s", tsl_error(x));
    for (int i = 0; i < 3; i++) check(!tsl_device_query(x, i, &d[i]), "query");
    check(d[1].peak >= 15 * NB * NB * sizeof(double) && d[0].peak < NB * NB * sizeof(double) && d[2].peak < NB * NB * sizeof(double),
          "memory used: %zu %zu %zu", d[0].peak, d[1].peak, d[2].peak);
    owner = 3;
    check(tsl_tiled_place(a, to_device, &owner) == TSL_ERR_NO_DEVICE, "a device that is not there");
    owner = -1;
    check(tsl_tiled_place(a, to_device, &owner) == TSL_ERR_NO_DEVICE, "a negative one");
    check(tsl_tiled_place(a, NULL, &owner) == TSL_ERR_NULL && tsl_tiled_place(NULL, to_device, &owner) == TSL_ERR_NULL, "null");
    check(tsl_tiled_place(flat, to_device, &owner) == TSL_ERR_LAYOUT, "a flat matrix");
    tsl_matrix_free(a), tsl_matrix_free(flat);
    tsl_context_destroy(x);
    dense_free(&A);
    checked("tiles where the caller wants them");
}

/* A flat matrix in a device's memory, computed by tiles in place, also where diagonal blocks or all kinds of tiles are the cores'. */
static void test_on_device(void)
{
    static const char *const devices[] = {"host:2", "host:1+host"};
    for (int d = 0; d < 2; d++)
        for (int p = 0; p < 10; p++) {
            tsl_context *x = make(devices[d]);
            dense A = dense_make(TSL_D, N, N, CANARY_FINITE), L = dense_copy(&A), R = dense_copy(&A);
            tsl_matrix *host = wrap(x, &A, 0), *back = wrap(x, &L, 0), *want = wrap(x, &R, NB), *on = NULL;
            dense_dominant(&A, 5), dense_dominant(&L, 5), dense_dominant(&R, 5);
            check(!tsl_matrix_create(x, TSL_D, N, N, &on) && !tsl_copy(x, tsl_whole(host), tsl_whole(on)), "create: %s", tsl_error(x));
            check(!tsl_set(x, "policy", policies[p % 5]) && !tsl_set(x, "diag-on", p < 5 ? "host" : "device") && !tsl_set(x, "path", "tiles") &&
                      !tsl_set(x, "tile", "16"), "set: %s", tsl_error(x));
            check(!tsl_potrf(x, tsl_lower(tsl_whole(on)), NULL), "%s %s: %s", devices[d], policies[p % 5], tsl_error(x));
            check(!tsl_potrf(x, tsl_lower(tsl_whole(want)), NULL), "%s %s: from host memory: %s", devices[d], policies[p % 5], tsl_error(x));
            check(!tsl_set(x, "path", "one") && !tsl_copy(x, tsl_whole(on), tsl_whole(back)), "copy: %s", tsl_error(x));
            check(dense_same(&L, &R), "%s %s: other bits", devices[d], policies[p % 5]);
            tsl_matrix_free(host), tsl_matrix_free(back), tsl_matrix_free(want), tsl_matrix_free(on);
            tsl_context_destroy(x);
            dense_free(&A), dense_free(&L), dense_free(&R);
        }
    checked("a matrix in a device's memory");
}

/* Too little memory for one task's tiles: refused in time, and smaller tiles work on the same context. */
static void test_too_small(void)
{
    tsl_context *x = make("host:2,mem=10K");
    dense A = dense_make(TSL_D, N, N, CANARY_NAN), C = dense_make(TSL_D, N, N, CANARY_FINITE);
    dense_fill(&A, 1), dense_fill(&C, 0);
    for (int p = 0; p < 5; p++)
        for (int region = 0; region < 2; region++) {
            tsl_matrix *a = wrap(x, &A, 32), *c = wrap(x, &C, 32);
            check(!tsl_set(x, "policy", policies[p]) && (!region || !tsl_begin(x)), "set");
            tsl_status st = tsl_gemm(x, 1, tsl_whole(a), tsl_whole(a), 0, tsl_whole(c)), late = tsl_wait(x);
            check((st ? st : late) == TSL_ERR_DEVICE_MEMORY, "%s: %s %s", policies[p], tsl_status_name(st), tsl_status_name(late));
            tsl_matrix_free(a), tsl_matrix_free(c);
            a = wrap(x, &A, 8), c = wrap(x, &C, 8);
            check(!tsl_gemm(x, 1, tsl_whole(a), tsl_whole(a), 0, tsl_whole(c)), "%s: smaller tiles: %s", policies[p], tsl_error(x));
            check(dense_get(&C, 0, 0) == N && dense_get(&C, N - 1, N - 1) == N, "%s: the product", policies[p]);
            tsl_matrix_free(a), tsl_matrix_free(c);
        }
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&C);
    checked("a device too small for one task");
}

/* Of a matrix stored by bands, or packed, the tiled matrix is the storage: as if that was flat, wherever its tiles end. */
static void test_storage(const char *spec, int64_t nb)
{
    tsl_context *x = make(spec);
    dense A = dense_make(TSL_Z, N, N, CANARY_FINITE), B;
    dense_dominant(&A, 3);
    B = dense_copy(&A);
    for (int tiles = 1; tiles >= 0; tiles--) {
        tsl_matrix *mat = wrap(x, tiles ? &A : &B, tiles ? nb : 0);
        tsl_view a = tsl_whole(mat), v = tsl_sub(a, 0, 0, 30, 1), w = tsl_sub(a, 5, 1, 30, 1), y = tsl_sub(a, 9, 2, 27, 1),
            band = tsl_sub(a, 11, 11, 6, 30);
        tsl_view few = tsl_sub(a, 40, 3, 10, 1), packed = tsl_sub(a, 7, 5, 55, 1), p = tsl_sub(a, 12, 6, 55, 1),
            less = tsl_sub(a, 51, 4, 10, 1);
        check(!tsl_gbmv(x, TSL_NOTRANS, 27, 30, 3, 2, 2, band, v, 0.5, y) &&
              !tsl_gbmv(x, TSL_HERM, 27, 30, 3, 2, 1, band, y, 1, w), "%s: gbmv: %s", spec, tsl_error(x));
        check(!tsl_hbmv(x, TSL_UPPER, 30, 5, 0.5, band, v, 0.5, w), "%s: hbmv: %s", spec, tsl_error(x));
        check(!tsl_tbmv(x, TSL_LOWER, TSL_HERM, TSL_UNIT, 30, 5, band, v) &&
              !tsl_tbsv(x, TSL_UPPER, TSL_NOTRANS, TSL_UNIT, 30, 5, tsl_sub(a, 30, 35, 6, 30), w), "%s: tbsv: %s", spec,
              tsl_error(x));
        check(!tsl_tpmv(x, TSL_LOWER, TSL_TRANS, TSL_NONUNIT, 10, packed, few) &&
              !tsl_tpsv(x, TSL_UPPER, TSL_NOTRANS, TSL_UNIT, 10, packed, few), "%s: tpmv: %s", spec, tsl_error(x));
        check(!tsl_hpmv(x, TSL_LOWER, 10, 1, packed, few, 0.5, less) && !tsl_hpr(x, TSL_UPPER, 10, 2, few, p) &&
              !tsl_hpr2(x, TSL_LOWER, 10, 1, few, less, p), "%s: hpr2: %s", spec,
              tsl_error(x));
        tsl_matrix_free(mat);
    }
    double off = 0;
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++)
            off = worse(off, cabs(dense_get(&A, i, j) - dense_get(&B, i, j)) / (1 + cabs(dense_get(&B, i, j))));
    check(off < 1e-12, "%s: tiles of %d: off by %g", spec, (int)nb, off);
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&B);
    checked("%s: bands and packed triangles in tiles of %d", spec, (int)nb);
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

static void test_refused(void)
{
    tsl_context *x = make("host:2");
    dense A = dense_make(TSL_D, N, N, CANARY_FINITE), was;
    tsl_matrix *a, *none = NULL;
    dense_random(&A, 3);
    was = dense_copy(&A);
    a = wrap(x, &A, NB);
    check(tsl_tiled_create(x, TSL_D, 4, 4, 2, NULL) == TSL_ERR_NULL, "create: no result");
    check(tsl_tiled_create(x, (tsl_type)9, 4, 4, 2, &none) == TSL_ERR_FLAG, "create: type");
    check(tsl_tiled_create(x, TSL_D, -1, 4, 2, &none) == TSL_ERR_SIZE && tsl_tiled_create(x, TSL_D, 4, 4, 0, &none) == TSL_ERR_SIZE, "sizes");
    check(tsl_tiled_create(x, TSL_D, INT64_MAX, INT64_MAX, 2, &none) == TSL_ERR_OVERFLOW, "create: overflow");
    check(tsl_tiled_wrap(x, TSL_D, 4, 4, NULL, 4, 2, &none) == TSL_ERR_NULL, "wrap: data");
    check(tsl_tiled_wrap(x, TSL_D, 4, 4, A.data, 3, 2, &none) == TSL_ERR_LD && !none, "wrap: ld");
    check(!tsl_tiled_create(x, TSL_D, 3, 3, INT64_MAX, &none), "a tile of any size: %s", tsl_error(x));
    check(!tsl_copy(x, tsl_sub(tsl_whole(a), 20, 20, 3, 3), tsl_whole(none)), "and it works: %s", tsl_error(x));
    tsl_matrix_free(none);
    check(!tsl_tiled_create(x, TSL_D, 0, 5, 4, &none) && !tsl_scale(x, 2, tsl_whole(none)), "no elements: %s", tsl_error(x));
    tsl_matrix_free(none);
    static const char *const options[][2] = {{"policy", "lazy"}, {"dist", "3d"}, {"diag-on", "moon"}, {"path", "none"}, {"policy", ""}};
    for (int i = 0; i < 5; i++) check(tsl_set(x, options[i][0], options[i][1]) == TSL_ERR_OPTION, "%s %s", options[i][0], options[i][1]);
    tsl_context *other = make("host:1");
    check(tsl_scale(other, 2, tsl_whole(a)) == TSL_ERR_CONTEXT, "a tiled matrix of another context");
    check(!tsl_wait(other) && !tsl_begin(other) && !tsl_wait(other), "an empty region");
    tsl_context_destroy(other);
    check(dense_same(&A, &was), "nothing was touched");
    tsl_matrix_free(a);
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&was);
    checked("what is refused");
}

int main(void)
{
    test_refused();
    test_numbers("host:1"), test_numbers("host:3"), test_numbers("host");
    for (int64_t nb = 4; nb < 80; nb += 13)
        test_storage("host:1", nb), test_storage("host:3,mem=40K", nb), test_storage("host", nb);
    test_copies();
    test_place();
    test_asked_once();
    test_on_device();
    test_too_small();
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
