/* Partitionings: the pieces tile the view, in order, for every cut, whatever the matrix' own tiles; diagonal blocks keep the
 * triangle. */
#include <string.h>

#include "tap.h"
#include "tesela.h"

enum { MAX = 12, SHAPES = 6, CUTS = 6 };

/* Pieces of a view in reading order, r rows of c; the strips are 3 x 1 and 1 x 3. */
typedef struct pieces {
    int r, c;
    tsl_view v[9];
} pieces;

static pieces of2(tsl_part2 p) { return (pieces){2, 2, {p.TL, p.TR, p.BL, p.BR}}; }
static pieces of_rows(tsl_strips s) { return (pieces){3, 1, {s.A0, s.A1, s.A2}}; }
static pieces of_cols(tsl_strips s) { return (pieces){1, 3, {s.A0, s.A1, s.A2}}; }
static pieces of3(tsl_part3 p)
{
    return (pieces){3, 3, {p.A00, p.A01, p.A02, p.A10, p.A11, p.A12, p.A20, p.A21, p.A22}};
}

/* Counts how often each stored element is covered, with the piece's place found by adding up the sizes before it:
 * every piece must be where reading order puts it, and the whole be covered once. */
static int tiles(tsl_view A, const pieces *p)
{
    char hits[MAX][MAX];
    memset(hits, 0, sizeof hits);
    int64_t i = 0, bad = 0;
    for (int r = 0; r < p->r; r++) {
        int64_t j = 0, height = tsl_rows(p->v[r * p->c]);
        for (int c = 0; c < p->c; c++) {
            tsl_view v = p->v[r * p->c + c], want = tsl_sub(A, i, j, height, tsl_cols(v));
            bad += !v.mat || v.op != A.op || tsl_rows(v) != height;
            bad += !want.mat || v.m != want.m || v.n != want.n || (v.m && v.n && (v.i != want.i || v.j != want.j));
            for (int64_t a = 0; !bad && a < v.m; a++)
                for (int64_t b = 0; b < v.n; b++) hits[v.i + a][v.j + b]++;
            j += tsl_cols(v);
        }
        bad += j != tsl_cols(A);
        i += height;
    }
    bad += i != tsl_rows(A);
    for (int64_t a = 0; a < A.m; a++)
        for (int64_t b = 0; b < A.n; b++) bad += hits[A.i + a][A.j + b] != 1;
    return bad == 0;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Block `before` (of the k already done) and block `at` (the present one) have the sizes the textbook says. */
static int sizes(tsl_view before, tsl_view at, int64_t k, int64_t nb, int64_t end, int by_rows)
{
    int64_t done = by_rows ? tsl_rows(before) : tsl_cols(before), now = by_rows ? tsl_rows(at) : tsl_cols(at);
    return done == least(k, end) && now == least(nb, end - done);
}

static int cuts_agree(tsl_view A, int64_t k, int64_t nb)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = least(m, n);
    tsl_part3 f = tsl_partition(A, k, nb), b = tsl_partition_back(A, k, nb);
    tsl_strips rf = tsl_block_rows(A, k, nb), rb = tsl_block_rows_back(A, k, nb);
    tsl_strips cf = tsl_block_cols(A, k, nb), cb = tsl_block_cols_back(A, k, nb);
    tsl_part2 two = tsl_partition2(A, k, nb);
    pieces all[] = {of3(f), of3(b), of_rows(rf), of_rows(rb), of_cols(cf), of_cols(cb), of2(two)};
    int good = 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) good &= tiles(A, &all[i]);
    good &= sizes(f.A00, f.A11, k, nb, d, 1) && sizes(f.A00, f.A11, k, nb, d, 0);
    good &= sizes(rf.A0, rf.A1, k, nb, m, 1) && sizes(rb.A2, rb.A1, k, nb, m, 1);
    good &= sizes(cf.A0, cf.A1, k, nb, n, 0) && sizes(cb.A2, cb.A1, k, nb, n, 0);
    good &= tsl_rows(two.TL) == least(k, m) && tsl_cols(two.TL) == least(nb, n);
    /* the last k along the diagonal lie beyond A11, and A11 ends where they begin */
    good &= tsl_rows(b.A11) == least(nb, d - least(k, d)) && tsl_rows(b.A00) == d - least(k, d) - tsl_rows(b.A11);
    return good;
}

static void test_cuts(tsl_view A, const char *what)
{
    static const int64_t cuts[] = {0, 1, 3, 4, 7, 20};
    int bad = 0;
    for (int k = 0; k < CUTS; k++)
        for (int nb = 0; nb < CUTS; nb++) bad += !cuts_agree(A, cuts[k], cuts[nb]);
    ok(bad == 0, "%s, %lld x %lld: every cut tiles", what, (long long)tsl_rows(A), (long long)tsl_cols(A));
}

/* A full pass forward and backward visits the diagonal in blocks without gap or overlap. */
static void test_pass(tsl_view A, int64_t nb)
{
    int64_t n = tsl_rows(A), forward = 0, backward = 0, bad = 0;
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 f = tsl_partition(A, k, nb), b = tsl_partition_back(A, k, nb);
        bad += tsl_rows(f.A00) != forward || tsl_rows(b.A22) != backward;
        forward += tsl_rows(f.A11);
        backward += tsl_rows(b.A11);
    }
    ok(!bad && forward == n && backward == n, "a pass over %lld in blocks of %lld, both ways", (long long)n, (long long)nb);
}

static int keeps(tsl_view A, tsl_view diagonal, tsl_view off)
{
    int kept = diagonal.uplo == A.uplo && diagonal.diag == A.diag && tsl_triangle(diagonal) == tsl_triangle(A);
    return kept && off.uplo == TSL_GENERAL && off.diag == TSL_NONUNIT;
}

static void test_triangle(tsl_view A, const char *what)
{
    tsl_part3 f = tsl_partition(A, 3, 4), b = tsl_partition_back(A, 3, 4);
    tsl_part2 two = tsl_partition2(A, 5, 5);
    ok(keeps(A, f.A00, f.A10) && keeps(A, f.A11, f.A01) && keeps(A, f.A22, f.A21) && keeps(A, f.A11, f.A02) &&
           keeps(A, f.A22, f.A20) && keeps(A, f.A00, f.A12), "%s: forward, diagonal blocks alone are triangles", what);
    ok(keeps(A, b.A00, b.A10) && keeps(A, b.A11, b.A01) && keeps(A, b.A22, b.A21) && keeps(A, b.A11, b.A02) &&
           keeps(A, b.A22, b.A20) && keeps(A, b.A00, b.A12), "%s: backward", what);
    ok(keeps(A, two.TL, two.TR) && keeps(A, two.BR, two.BL), "%s: in quarters", what);
    tsl_strips r = tsl_block_rows(A, 3, 4), c = tsl_block_cols(A, 3, 4);
    ok(r.A1.uplo == TSL_GENERAL && c.A1.uplo == TSL_GENERAL, "%s: strips are general", what);
}

static void test_all(tsl_matrix *mat, const char *stored)
{
    static const int64_t shapes[SHAPES][2] = {{12, 12}, {12, 5}, {5, 12}, {1, 1}, {0, 4}, {7, 0}};
    printf("# %s\n", stored);
    for (int s = 0; s < SHAPES; s++) {
        tsl_view v = tsl_sub(tsl_whole(mat), 0, 0, shapes[s][0], shapes[s][1]);
        test_cuts(v, "N");
        test_cuts(tsl_herm(v), "H");
    }
    tsl_view inner = tsl_sub(tsl_whole(mat), 1, 2, 9, 9);
    test_cuts(inner, "a block");
    test_cuts(tsl_trans(inner), "a block, T");
    for (int64_t nb = 1; nb <= 13; nb += 3) test_pass(inner, nb);
    test_triangle(tsl_lower(inner), "lower");
    test_triangle(tsl_trans(tsl_unit(tsl_lower(inner))), "unit, lower, T");
    test_triangle(tsl_upper(tsl_herm(inner)), "upper of H");
}

int main(void)
{
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    tsl_context *ctx = NULL;
    tsl_matrix *mat = NULL;
    tsl_status st = tsl_context_create(&cfg, &ctx);
    if (!st) st = tsl_matrix_create(ctx, TSL_D, MAX, MAX, &mat);
    ok(!st, "context and matrix");
    if (!st) test_all(mat, "flat");
    tsl_matrix_free(mat);
    static const int64_t sides[] = {1, 5, 4, 100};
    for (size_t i = 0; i < sizeof sides / sizeof *sides && !st; i++) {
        char stored[32];
        snprintf(stored, sizeof stored, "tiles of %d", (int)sides[i]);
        st = tsl_tiled_create(ctx, TSL_D, MAX, MAX, sides[i], &mat);
        ok(!st, "%s", stored);
        if (!st) test_all(mat, stored);
        if (!st) tsl_matrix_free(mat);
    }
    tsl_context_destroy(ctx);
    return tap_done();
}
