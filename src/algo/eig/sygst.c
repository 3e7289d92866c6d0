/* The eigenproblem of two matrices, A x = l B x and its kin, B = L L^H: as one of inv(L) A inv(L)^H, or of L^H A L. */
#include "algo/algo.h"
#include "core/values.h"
#include "tune/numbers.h"

/* Blocks of the triangle, the k-th of b columns: what is before, it and what is after, by rows and by columns */
typedef struct block {
    tsl_view A00, A10, A11, A21, A22;
} block;

static block take(tsl_view A, int64_t k, int64_t b)
{
    int64_t rest = tsl_rows(A) - k - b;
    return (block){tsl_lower(tsl_sub(A, 0, 0, k, k)), tsl_general(tsl_sub(A, k, 0, b, k)), tsl_lower(tsl_sub(A, k, k, b, b)),
                   tsl_general(tsl_sub(A, k + b, k, rest, b)), tsl_lower(tsl_sub(A, k + b, k + b, rest, rest))};
}

/* A small one, written out */
static void whole(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view L)
{
    tsl_view F = tsl_temp(x, A, tsl_rows(A), tsl_rows(A));
    tsl_expand(x, TSL_HERMITIAN, A, F);
    if (c->eig.itype == 1) {
        /* F := inv(L) F inv(L)^H */ tsl_trsm(x, TSL_LEFT, 1, L, F);
        tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(L), F);
    } else {
        /* F := L^H F L */           tsl_trmm(x, TSL_LEFT, 1, tsl_herm(L), F);
        tsl_trmm(x, TSL_RIGHT, 1, L, F);
    }
    tsl_copy(x, tsl_lower(F), A);
    /* A := (F + F^H) / 2: its diagonal is real */ tsl_geadd(x, 0.5, tsl_lower(tsl_herm(F)), 0.5, A);
}

static void part(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view B)
{
    tsl_sygst(x, c->eig.itype, A, B);
}

static void by_blocks(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view L, int64_t nb)
{
    int64_t n = tsl_rows(A);
    for (int64_t k = 0; k < n; k += nb) {
        block a = take(A, k, tsl_min(nb, n - k)), l = take(L, k, tsl_min(nb, n - k));
        if (c->eig.itype == 1) {
            /* A11 := inv(L11) A11 inv(L11)^H */     part(x, c, a.A11, l.A11);
            /* A21 := A21 inv(L11)^H */              tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(l.A11), a.A21);
            /* A21 := A21 - L21 A11 / 2 */           tsl_hemm(x, TSL_RIGHT, -0.5, a.A11, l.A21, 1, a.A21);
            /* A22 := A22 - A21 L21^H - L21 A21^H */ tsl_her2k(x, -1, a.A21, l.A21, 1, a.A22);
            /* A21 := A21 - L21 A11 / 2 */           tsl_hemm(x, TSL_RIGHT, -0.5, a.A11, l.A21, 1, a.A21);
            /* A21 := inv(L22) A21 */                tsl_trsm(x, TSL_LEFT, 1, l.A22, a.A21);
        } else {
            /* A10 := A10 L00 */                     tsl_trmm(x, TSL_RIGHT, 1, l.A00, a.A10);
            /* A10 := A10 + A11 L10 / 2 */           tsl_hemm(x, TSL_LEFT, 0.5, a.A11, l.A10, 1, a.A10);
            /* A00 := A00 + A10^H L10 + L10^H A10 */ tsl_her2k(x, 1, tsl_herm(a.A10), tsl_herm(l.A10), 1, a.A00);
            /* A10 := A10 + A11 L10 / 2 */           tsl_hemm(x, TSL_LEFT, 0.5, a.A11, l.A10, 1, a.A10);
            /* A10 := L11^H A10 */                   tsl_trmm(x, TSL_LEFT, 1, tsl_herm(l.A11), a.A10);
            /* A11 := L11^H A11 L11 */               part(x, c, a.A11, l.A11);
        }
    }
}

tsl_status tsl_sygst_blocks(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]), L = tsl_as_lower(c->v[1]);
    /* asks: on a grid a block is one process's */
    bool small = tsl_rows(A) <= tsl_tuned(x, TSL_TUNED_SYGST_WHOLE) && tsl_can_read(A);
    if (small) whole(x, c, A, L);
    else by_blocks(x, c, A, L, tsl_panel(x, c));
    return TSL_OK;
}

/* By halves */
tsl_status tsl_sygst_wide(tsl_context *x, const tsl_call *c)
{
    by_blocks(x, c, tsl_as_lower(c->v[0]), tsl_as_lower(c->v[1]), tsl_half(x, c));
    return TSL_OK;
}

/* Of small problems, many at once */
tsl_status tsl_sygst_batch(tsl_context *x, const tsl_call *c)
{
    whole(x, c, tsl_as_lower(c->v[0]), tsl_as_lower(c->v[1]));
    return TSL_OK;
}

/* Vectors of the one problem become those of the two: inv(L)^H y, or of B A x = l x L y. */
static void back(tsl_context *x, const tsl_call *c, tsl_view L, tsl_view X)
{
    if (c->eig.itype == 3) {
        /* X := L Y */        tsl_trmm(x, TSL_LEFT, 1, L, X);
    } else {
        /* X := inv(L)^H Y */ tsl_trsm(x, TSL_LEFT, 1, tsl_herm(L), X);
    }
}

tsl_status tsl_sygv_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view B = c->v[0], A = c->v[1], S = c->uplo == TSL_UPPER ? tsl_upper(A) : tsl_lower(A), L = tsl_as_lower(B);
    tsl_results results = {.count = tsl_rows(A)}; /* of a leaf, which has them all */
    /* B = L L^H */ tsl_potrf(x, B, NULL);
    if (!tsl_good_so_far(x)) return tsl_count_from(x, B, tsl_rows(B)), TSL_OK;
    part(x, c, S, B);
    tsl_call pairs = {.op = TSL_OP_SYEV, .eig = c->eig, .uplo = c->uplo, .results = &results, .v = {A, c->v[2], c->v[3]}};
    /* C Y = Y L */ tsl_status st = tsl_execute(x, &pairs);
    if (c->results) c->results->count = results.count;
    if (st) return st;
    tsl_view X = c->eig.vectors ? A : c->v[3];
    back(x, c, L, tsl_block_cols(X, 0, tsl_min(results.count, tsl_cols(X))).A1);
    return TSL_OK;
}

/* Of a batch each problem may have another number of pairs: columns after them are zeros, and stay so. */
tsl_status tsl_sygv_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view B = c->v[0], A = c->v[1], S = c->uplo == TSL_UPPER ? tsl_upper(A) : tsl_lower(A);
    /* B = L L^H */ tsl_potrf(x, B, NULL);
    if (tsl_good_so_far(x)) tsl_count_from(x, B, tsl_rows(B)); /* those without a factor are left alone */
    part(x, c, S, B);
    /* C Y = Y L */ tsl_execute(x, &(tsl_call){.op = TSL_OP_SYEV, .eig = c->eig, .uplo = c->uplo, .v = {A, c->v[2], c->v[3]}});
    back(x, c, tsl_as_lower(B), c->eig.vectors ? A : c->v[3]);
    return TSL_OK;
}
