/* Products by residues by tiles: on one device and on several, with memory for all and for a part, the bits are the same. Of a
 * product whose inner dimension lies in one tile they are those of one device without tiles, however the rest is cut. The same
 * of a batch. */
#include "context.h"
#include "dense.h"
#include "typed.h"

enum { M = 61, N = 53, K = 13 };

static const char *const places[] = {"host:1", "host:2", "host:3", "host:2,mem=104K"};
static const char *const tiles[] = {"16", "23"};
enum { PLACES = sizeof places / sizeof *places, TILES = sizeof tiles / sizeof *tiles };

static void set(tsl_context *x, const char *option, const char *value)
{
    check(!tsl_set(x, option, value), "%s", tsl_error(x));
}

static dense any(tsl_type t, int64_t m, int64_t n, uint64_t seed)
{
    dense d = dense_make(t, m, n, CANARY_FINITE);
    dense_random(&d, seed);
    return d;
}

/* Each is given A, m x n, and leaves a result in it. */
static tsl_status product(tsl_context *x, tsl_type t, dense *C)
{
    dense A = any(t, M, K, 1), B = any(t, N, K, 2);
    tsl_status st = typed_for(t)->gemm(x, 'N', 'C', M, N, K, -2, A.data, A.ld, B.data, B.ld, 0.5, C->data, C->ld);
    dense_free(&A), dense_free(&B);
    return st;
}

static tsl_status cholesky(tsl_context *x, tsl_type t, dense *A)
{
    int64_t info = -1;
    for (int64_t i = 0; i < N; i++) dense_put(A, i, i, 2 * N);
    tsl_status st = typed_for(t)->potrf(x, 'L', N, A->data, A->ld, &info);
    return st || info == 0 ? st : TSL_ERR_SPEC;
}

static tsl_status lu(tsl_context *x, tsl_type t, dense *A)
{
    int64_t info = -1, pivots[N];
    tsl_status st = typed_for(t)->getrf(x, M, N, A->data, A->ld, pivots, &info);
    return st || info == 0 ? st : TSL_ERR_SPEC;
}

static tsl_status qr(tsl_context *x, tsl_type t, dense *A)
{
    int64_t info = -1;
    dense tau = dense_make(t, N, 1, CANARY_FINITE);
    tsl_status st = typed_for(t)->geqrf(x, M, N, A->data, A->ld, tau.data, &info);
    dense_free(&tau);
    return st;
}

/* Problems as wide as three columns of A */
static tsl_status batch(tsl_context *x, tsl_type t, dense *C)
{
    enum { COUNT = N / 3 };
    if (t != TSL_D) return product(x, t, C);
    dense A = any(t, M, 3, 1), B = any(t, 3, 3 * COUNT, 2);
    double *a = (double *)A.data, *b = (double *)B.data, *c = (double *)C->data;
    tsl_status st = tsl_dgemm_batch(x, 'N', 'N', M, 3, 3, -2, a, A.ld, 0, b, B.ld, 3 * B.ld, 0.5, c, C->ld, 3 * C->ld, COUNT);
    dense_free(&A), dense_free(&B);
    return st;
}

static const struct routine {
    const char *name;
    tsl_status (*run)(tsl_context *x, tsl_type t, dense *A);
} routines[] = {{"gemm", product}, {"potrf", cholesky}, {"getrf", lu}, {"geqrf", qr}, {"gemm_batch", batch}};
enum { ROUTINES = sizeof routines / sizeof *routines };

static dense result(tsl_context *x, const struct routine *r, tsl_type t, const char *how)
{
    dense A = any(t, M, N, 3);
    set(x, "products", how);
    check(!r->run(x, t, &A), "%s of %c: %s", r->name, "sdcz"[t], tsl_error(x));
    return A;
}

/* Workspace of residues is counted before anything is written. */
static void little_memory(void)
{
    tsl_context *x = context_by("host:1,mem=64K", "23");
    if (!x) return;
    dense A = any(TSL_Z, M, N, 3), before = dense_copy(&A);
    set(x, "products", "native");
    check(!qr(x, TSL_Z, &A), "%s", tsl_error(x));
    dense_free(&A), A = dense_copy(&before);
    set(x, "products", "emulated");
    check(qr(x, TSL_Z, &A) == TSL_ERR_DEVICE_MEMORY && strstr(tsl_error(x), "a task on tiles"), "%s", tsl_error(x));
    check(dense_same(&A, &before), "A has changed");
    dense_free(&A), dense_free(&before);
    tsl_context_destroy(x);
    checked("little memory");
}

int main(void)
{
    static dense first[TILES][ROUTINES][4];
    tsl_context *flat = context_on("host"), *x;
    if (!flat) return tap_done();
    for (int p = 0; p < PLACES; p++) {
        if (!(x = context_by(places[p], tiles[0]))) continue;
        for (int i = 0; i < TILES * ROUTINES * 4; i++) {
            int tile = i / ROUTINES / 4, r = i / 4 % ROUTINES, t = i % 4;
            set(x, "tile", tiles[tile]);
            /* native bits are others: by residues is what was computed by residues */
            dense native = result(x, &routines[r], all_types[t], "native");
            dense got = result(x, &routines[r], all_types[t], "emulated");
            check(!dense_same(&native, &got), "%s of %c: as native", routines[r].name, "sdcz"[t]);
            dense_free(&native);
            if (!p) first[tile][r][t] = dense_copy(&got);
            check(dense_same(&first[tile][r][t], &got), "%s of %c by tiles of %s: other bits", routines[r].name, "sdcz"[t],
                  tiles[tile]);
            if (!r && !p) {
                dense whole = result(flat, &routines[r], all_types[t], "emulated");
                check(dense_same(&whole, &got), "gemm of %c by tiles of %s: not as without tiles", "sdcz"[t], tiles[tile]);
                dense_free(&whole);
            }
            dense_free(&got);
        }
        tsl_context_destroy(x);
        checked("%s: bits", places[p]);
    }
    for (int i = 0; i < TILES * ROUTINES * 4; i++) dense_free(&first[i / ROUTINES / 4][i / 4 % ROUTINES][i % 4]);
    tsl_context_destroy(flat);
    little_memory();
    return tap_done();
}
