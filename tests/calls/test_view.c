/* Views: ops, blocks and triangles as seen, and invalid views. */
#include "tap.h"
#include "tesela.h"

typedef tsl_view (*op_fn)(tsl_view);

static tsl_view same(tsl_view v) { return v; }
static const op_fn apply[] = {same, tsl_trans, tsl_conj, tsl_herm}; /* by tsl_op */
static const char *const op_names[] = {"N", "T", "conj", "H"};

enum { M = 11, N = 7 };

static tsl_context *ctx;
static tsl_matrix *rect, *square;

/* Composition is addition of the two bits: T after H is conj, and so on. */
static void test_composition(void)
{
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            tsl_view v = apply[b](apply[a](tsl_whole(rect)));
            int swaps = (a & 1) != (b & 1), conjugates = (a & 2) != (b & 2);
            ok(v.op == (tsl_op)(swaps + 2 * conjugates), "%s then %s is %s", op_names[a], op_names[b], op_names[v.op]);
            ok(tsl_rows(v) == (swaps ? N : M) && tsl_cols(v) == (swaps ? M : N), "%s then %s: sizes as seen", op_names[a],
               op_names[b]);
            ok(v.mat == rect && v.i == 0 && v.j == 0 && v.m == M && v.n == N, "%s then %s: the storage stays", op_names[a],
               op_names[b]);
        }
}

/* Where the element (i,j) of v lies in the storage. */
static int64_t place(tsl_view v, int64_t i, int64_t j)
{
    return v.op & 1 ? (v.i + j) + 1000 * (v.j + i) : (v.i + i) + 1000 * (v.j + j);
}

/* Element (p,q) of the block at (i,j) is element (i+p, j+q) of the view, for all of them, twice nested. */
static int sub_agrees(tsl_view v)
{
    int64_t m = tsl_rows(v), n = tsl_cols(v), bad = 0;
    for (int64_t i = 0; i <= m; i++)
        for (int64_t j = 0; j <= n; j++) {
            tsl_view s = tsl_sub(v, i, j, m - i, n - j), again = tsl_sub(s, (m - i) / 2, (n - j) / 3, 1, 1);
            bad += !s.mat || tsl_rows(s) != m - i || tsl_cols(s) != n - j || s.op != v.op;
            if (i == m || j == n) continue;
            bad += place(s, 0, 0) != place(v, i, j) || place(s, m - i - 1, n - j - 1) != place(v, m - 1, n - 1);
            bad += !again.mat || place(again, 0, 0) != place(v, i + (m - i) / 2, j + (n - j) / 3);
        }
    return bad == 0;
}

static void test_sub(void)
{
    for (int a = 0; a < 4; a++) {
        tsl_view v = apply[a](tsl_whole(rect));
        ok(sub_agrees(v), "blocks of %s at every offset", op_names[a]);
        ok(sub_agrees(tsl_sub(v, 3, 1, tsl_rows(v) - 4, tsl_cols(v) - 3)), "blocks of an odd block of %s", op_names[a]);
        tsl_view t = tsl_sub(tsl_unit(tsl_lower(apply[a](tsl_whole(square)))), 1, 1, 3, 3);
        ok(t.uplo == TSL_GENERAL && t.diag == TSL_NONUNIT, "a block of a triangle of %s is whole", op_names[a]);
        ok(apply[a](tsl_sub(tsl_whole(rect), 2, 3, 5, 4)).m == 5, "%s of a block keeps the stored block", op_names[a]);
    }
}

static void test_triangles(void)
{
    for (int a = 0; a < 4; a++) {
        tsl_view v = apply[a](tsl_whole(square)), lo = tsl_lower(v), up = tsl_upper(v);
        ok(tsl_triangle(v) == TSL_GENERAL, "%s: whole", op_names[a]);
        ok(tsl_triangle(lo) == TSL_LOWER && tsl_triangle(up) == TSL_UPPER, "%s: triangle as asked for", op_names[a]);
        ok(lo.uplo == (a & 1 ? TSL_UPPER : TSL_LOWER), "%s: lower as seen is stored on the right side", op_names[a]);
        ok(tsl_triangle(tsl_general(lo)) == TSL_GENERAL, "%s: general forgets the triangle", op_names[a]);
        for (int b = 0; b < 4; b++)
            ok(tsl_triangle(apply[b](lo)) == (b & 1 ? TSL_UPPER : TSL_LOWER) && apply[b](lo).uplo == lo.uplo,
               "%s of lower of %s: a transposed triangle is the other one", op_names[b], op_names[a]);
        ok(tsl_unit(lo).diag == TSL_UNIT && tsl_unit(lo).uplo == lo.uplo && lo.diag == TSL_NONUNIT, "%s: unit", op_names[a]);
        ok(tsl_general(tsl_unit(lo)).uplo == TSL_GENERAL, "%s: general of unit", op_names[a]);
    }
}

static int all_refused(tsl_view bad)
{
    tsl_view g = tsl_whole(square), t = tsl_lower(g);
    int64_t info = 77;
    tsl_status st[] = {
        tsl_copy(ctx, bad, g), tsl_copy(ctx, g, bad), tsl_scale(ctx, 2, bad), tsl_gemm(ctx, 1, bad, g, 1, g),
        tsl_gemm(ctx, 1, g, bad, 1, g), tsl_gemm(ctx, 1, g, g, 1, bad), tsl_trsm(ctx, TSL_LEFT, 1, bad, g),
        tsl_trsm(ctx, TSL_RIGHT, 1, t, bad), tsl_syrk(ctx, 1, bad, 1, t), tsl_syrk(ctx, 1, g, 1, bad),
        tsl_herk(ctx, 1, bad, 1, t), tsl_herk(ctx, 1, g, 1, bad), tsl_potrf(ctx, bad, NULL), tsl_potrf(ctx, bad, &info),
    };
    int refused = 1;
    for (size_t i = 0; i < sizeof st / sizeof *st; i++) refused &= st[i] == TSL_ERR_VIEW;
    return refused;
}

static void test_invalid(void)
{
    tsl_view w = tsl_whole(rect), none = tsl_whole(NULL);
    static const int64_t outside[][4] = {{-1, 0, 2, 2}, {0, -1, 2, 2}, {0, 0, -1, 2}, {0, 0, 2, -1}, {M, 0, 1, 1}, {0, N, 1, 1},
                                         {1, 0, M, 1}, {0, 1, 1, N}, {M + 1, 0, 0, 0}, {INT64_MAX, 0, INT64_MAX, 1},
                                         {1, 1, INT64_MAX, INT64_MAX}, {INT64_MIN, 0, 1, 1}};
    for (size_t r = 0; r < sizeof outside / sizeof *outside; r++) {
        const int64_t *o = outside[r];
        tsl_view s = tsl_sub(w, o[0], o[1], o[2], o[3]), t = tsl_sub(tsl_trans(w), o[1], o[0], o[3], o[2]);
        ok(!s.mat, "block (%lld,%lld) %lld x %lld is invalid", (long long)o[0], (long long)o[1], (long long)o[2], (long long)o[3]);
        ok(!t.mat, "and so is its transpose");
        ok(!tsl_sub(s, 0, 0, 1, 1).mat && !tsl_lower(tsl_herm(s)).mat, "and what is made of it");
    }
    ok(!none.mat, "no matrix, no view");
    ok(tsl_rows(none) == 0 && tsl_cols(none) == 0, "an invalid view has no rows and columns");
    ok(all_refused(none) && all_refused(tsl_sub(w, M, 0, 1, 1)) && all_refused(tsl_trans(none)), "every operation refuses it");
    tsl_view forged = tsl_whole(square); /* made by hand, past the edge */
    forged.i = 1;
    ok(all_refused(forged) && all_refused(tsl_lower(forged)), "and a view that sticks out of its matrix");
    ok(!tsl_partition(none, 1, 1).A11.mat && !tsl_partition2(none, 0, 0).BR.mat && !tsl_block_rows(none, 0, 1).A1.mat,
       "its partitionings are invalid");
}

int main(void)
{
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    tsl_status st = tsl_context_create(&cfg, &ctx);
    if (!st) st = tsl_matrix_create(ctx, TSL_Z, M, N, &rect);
    if (!st) st = tsl_matrix_create(ctx, TSL_Z, M, M, &square);
    ok(!st, "context and matrices");
    if (!st) {
        test_composition();
        test_sub();
        test_triangles();
        test_invalid();
    }
    tsl_matrix_free(rect);
    tsl_matrix_free(square);
    tsl_context_destroy(ctx);
    return tap_done();
}
