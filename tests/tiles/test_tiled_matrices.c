/* Tiled matrices as the caller meets them: copies between layouts, owners of the caller's choice, a device too small, bands and
 * packed triangles, and bad arguments. */
#include "matrices.h"
#include "runtime/runtime.h"

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
    for (int64_t nb = 4; nb < 80; nb += 13)
        test_storage("host:1", nb), test_storage("host:3,mem=40K", nb), test_storage("host", nb);
    test_copies();
    test_place();
    test_asked_once();
    test_on_device();
    test_too_small();
    return tap_done();
}
