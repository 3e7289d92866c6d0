/* The same bits by tiles whatever the number of devices and their memory limit: on virtual devices of the host's, and on a GPU,
 * where what cuBLAS computes may depend on the workspace it has. */
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "dense.h"

enum { MOST = 129 };

typedef struct result {
    dense A, B;
    int64_t piv[MOST];
    tsl_scalar tau[MOST];
} result;

static tsl_status with_matrices(tsl_context *x, const char *routine, result *r)
{
    tsl_matrix *a = NULL, *b = NULL, *p = NULL, *t = NULL;
    int64_t n = r->A.n, info = 0;
    tsl_status st = tsl_matrix_wrap(x, r->A.t, n, n, r->A.data, r->A.ld, &a);
    if (!st) st = tsl_matrix_wrap(x, r->B.t, n, n, r->B.data, r->B.ld, &b);
    if (!st) st = tsl_matrix_wrap(x, TSL_INDEX, n, 1, r->piv, n, &p);
    if (!st) st = tsl_matrix_wrap(x, r->A.t, n, 1, r->tau, n, &t);
    if (!st) {
        tsl_view A = tsl_whole(a), B = tsl_whole(b);
        if (!strcmp(routine, "potrf")) st = tsl_potrf(x, tsl_lower(A), &info);
        else if (!strcmp(routine, "getrf")) st = tsl_getrf(x, A, tsl_whole(p), &info);
        else if (!strcmp(routine, "geqrf")) st = tsl_geqrf(x, A, tsl_whole(t));
        else if (!strcmp(routine, "trsm")) st = tsl_trsm(x, TSL_LEFT, 1, tsl_lower(A), B);
        else if (!strcmp(routine, "syrk")) st = tsl_syrk(x, 1, A, 1, tsl_upper(B));
        else st = tsl_gemm(x, 1, A, tsl_trans(A), 1, B);
    }
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(p), tsl_matrix_free(t);
    return st;
}

static result computed(tsl_context *x, const char *routine, tsl_type t, int64_t n, tsl_status *st)
{
    result r = {.A = dense_make(t, n, n, CANARY_FINITE), .B = dense_make(t, n, n, CANARY_FINITE)};
    dense_dominant(&r.A, 5), dense_random(&r.B, 6);
    for (int64_t j = 0; j < n; j++) /* symmetric, for potrf */
        for (int64_t i = 0; i < j; i++) dense_put(&r.A, i, j, tsl_type_letter(t) == 'c' || tsl_type_letter(t) == 'z' ? conj(dense_get(&r.A, j, i)) : dense_get(&r.A, j, i));
    *st = with_matrices(x, routine, &r);
    return r;
}

static void same(const char *one, const char *other)
{
    static const char *const routines[] = {"potrf", "getrf", "geqrf", "trsm", "syrk", "gemm"};
    static const char *const tiles[] = {"8", "16", "33"};
    static const int64_t orders[] = {33, 65, 100, MOST};
    tsl_context *x = context_on(one), *y = x ? context_on(other) : NULL;
    for (size_t w = 0; y && w < 3; w++) {
        check(!tsl_set(x, "path", "tiles") && !tsl_set(y, "path", "tiles") && !tsl_set(x, "tile", tiles[w]) && !tsl_set(y, "tile", tiles[w]), "tiles");
        for (size_t k = 0; k < 6 * 4 * 4; k++) {
            const char *routine = routines[k % 6];
            tsl_type t = (tsl_type)(k / 6 % 4);
            tsl_status st[2];
            result a = computed(x, routine, t, orders[k / 24], &st[0]), b = computed(y, routine, t, orders[k / 24], &st[1]);
            check(!st[0] && !st[1] && dense_same(&a.A, &b.A) && dense_same(&a.B, &b.B), "%c%s, n = %d, tiles of %s: %s", tsl_type_letter(t), routine,
                  (int)orders[k / 24], tiles[w], st[0] || st[1] ? "it failed" : "other bits");
            dense_free(&a.A), dense_free(&a.B), dense_free(&b.A), dense_free(&b.B);
        }
    }
    if (y) checked("%s and %s", one, other);
    tsl_context_destroy(x), tsl_context_destroy(y);
}

int main(void)
{
    same("host:1", "host:3,mem=1M");
    same("cuda:0", "cuda:0x3,mem=1G");
    same("cuda:0", "cuda:0,mem=100M");
    return tap_done();
}
