/* What one process gets wrong all refuse, with the same status and without touching anything; what one process cannot hold all give
 * up. Then the same grid goes on working. Groups of processes, regions, repeated runs, and outcomes of factorizations. */
#include <math.h>
#include <string.h>

#include "context/context.h"
#include "whole.h"

enum { N = 37, NB = 4 };

static tsl_matrix *make(const team *t, tsl_context *x, tsl_scheme scheme, tsl_type type, int64_t m, int64_t n, uint64_t seed)
{
    tsl_layout l = tsl_layout_matrix(t->grid, NB);
    l.scheme = scheme;
    return scattered(t, x, l, type, m, n, seed);
}

static void arguments(const team *t, tsl_context *x)
{
    tsl_matrix *A = make(t, x, TSL_IN_HOST, TSL_D, N, N, 1), *B = make(t, x, TSL_IN_HOST, TSL_D, N, 9, 2), *F = NULL;
    tsl_matrix *C = make(t, x, TSL_IN_HOST, TSL_D, N, 9, 3);
    dense before = everything(x, B, N, 9);
    int odd = t->rank == t->size - 1; /* the one that errs */
    tsl_view a = tsl_whole(A), b = tsl_whole(B), c = tsl_whole(C);
    tsl_matrix_create(x, TSL_D, N, 9, &F);
    tsl_status st = tsl_gemm(x, 1, odd ? tsl_sub(a, 0, 0, N, 3) : a, b, 1, c);
    all_ok(t, st == TSL_ERR_SHAPE && same_everywhere(st), "one process's shapes do not fit: %s", tsl_status_name(st));
    st = tsl_gemm(x, 1, odd ? tsl_sub(a, 0, 0, N, N + 1) : a, b, 1, c);
    all_ok(t, st == TSL_ERR_VIEW && same_everywhere(st), "one process's view is none: %s", tsl_status_name(st));
    st = tsl_trsm(x, TSL_LEFT, 1, odd ? a : tsl_lower(a), b);
    all_ok(t, st == TSL_ERR_UPLO && same_everywhere(st), "one process's triangle is none: %s", tsl_status_name(st));
    st = tsl_trsm(x, TSL_LEFT, odd ? 2 : 1, tsl_lower(a), b);
    all_ok(t, t->size == 1 || (st == TSL_ERR_SHAPE && same_everywhere(st)), "one process's alpha is another: %s",
           tsl_status_name(st));
    st = tsl_gemm(x, 1, a, odd ? tsl_whole(F) : b, 1, c);
    all_ok(t, st == TSL_ERR_GRID && same_everywhere(st), "one process's operand is not distributed: %s", tsl_status_name(st));
    st = tsl_ger(x, 1, tsl_sub(b, 0, 0, N, 1), tsl_sub(b, 0, 1, N - odd, 1), a);
    all_ok(t, st == TSL_ERR_SHAPE && same_everywhere(st), "of an operation in one place: %s", tsl_status_name(st));
    st = tsl_sytrd(x, tsl_lower(a), tsl_sub(c, 0, 0, N, 1), tsl_sub(c, 0, 1, N - 1, 1), tsl_sub(c, 0, odd ? 1 : 2, N - 1, 1));
    all_ok(t, st == TSL_ERR_OVERLAP && same_everywhere(st), "one process's operands overlap: %s", tsl_error(x));
    st = tsl_reduce(x, b, 1, odd ? a : c);
    all_ok(t, st == TSL_ERR_SHAPE && same_everywhere(st), "reduce: one process's shapes do not fit: %s", tsl_status_name(st));
    st = tsl_reduce(x, tsl_sub(a, 0, 0, N, 3), 1, a);
    all_ok(t, st == TSL_ERR_SHAPE && strstr(tsl_error(x), "reduce: A and B differ in size: A is "), "all processes': %s", tsl_error(x));
    st = tsl_reduce(x, a, 1, tsl_lower(a));
    all_ok(t, st == TSL_ERR_UPLO && strstr(tsl_error(x), "reduce: B: "), "a triangle: %s", tsl_error(x));
    tsl_layout l = tsl_layout_matrix(t->grid, odd ? 0 : NB);
    tsl_matrix *M = NULL;
    st = tsl_matrix_create_on(x, &l, TSL_D, N, N, &M);
    all_ok(t, st == TSL_ERR_FLAG && !M && same_everywhere(st), "one process's blocks have no size: %s", tsl_status_name(st));
    st = tsl_matrix_create_on(x, &l, TSL_D, -1, N, &M);
    all_ok(t, st && !M && same_everywhere(st), "negative sizes: %s", tsl_status_name(st));
    if (t->size > 1) { /* on one process the ordinary calls were made: alpha was 2 */
        dense after = everything(x, B, N, 9);
        all_ok(t, dense_same(&before, &after), "nothing was touched");
        dense_free(&after);
    }
    st = tsl_trsm(x, TSL_LEFT, 1, tsl_lower(a), b);
    all_ok(t, st == TSL_OK, "and the grid goes on working: %s", tsl_status_name(st));
    dense_free(&before);
    tsl_matrix_free(F);
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_matrix_free(C);
}

/* Outputs that share elements with another operand: parts of one matrix, and a second description of the same local arrays. */
static void overlapping(const team *t, tsl_context *x)
{
    tsl_matrix *A = make(t, x, TSL_IN_HOST, TSL_D, N, N, 1), *B = make(t, x, TSL_IN_HOST, TSL_D, N, N, 2), *again = NULL, *turned = NULL;
    tsl_layout l = tsl_layout_matrix(t->grid, NB), other = tsl_layout_matrix(t->grid, NB + 1);
    tsl_view a = tsl_whole(A), b = tsl_whole(B), left = tsl_sub(a, 0, 0, N, 9), right = tsl_sub(a, 0, 9, N, 9);
    dense before = everything(x, A, N, N);
    tsl_status st = tsl_matrix_wrap_on(x, &l, TSL_D, N, N, tsl_matrix_data(A), tsl_matrix_ld(A), &again);
    if (!st) st = tsl_matrix_wrap_on(x, &other, TSL_D, NB, NB, tsl_matrix_data(A), tsl_matrix_ld(A), &turned); /* all on the first */
    all_ok(t, !st, "a second description of the same arrays: %s", tsl_error(x));
    st = tsl_copy(x, a, tsl_trans(a));
    all_ok(t, st == TSL_ERR_OVERLAP && same_everywhere(st), "copy: onto its transpose: %s", tsl_status_name(st));
    st = tsl_gemm(x, 1, a, b, 1, a);
    all_ok(t, st == TSL_ERR_OVERLAP && same_everywhere(st), "gemm: C = A: %s", tsl_status_name(st));
    st = tsl_gemm(x, 1, tsl_whole(again), b, 1, a);
    all_ok(t, st == TSL_ERR_OVERLAP && same_everywhere(st), "gemm: C is A's arrays: %s", tsl_status_name(st));
    st = tsl_copy(x, tsl_whole(turned), tsl_sub(a, 0, 0, NB, NB));
    all_ok(t, st == TSL_ERR_OVERLAP && same_everywhere(st), "copy: arrays laid out in two ways: %s", tsl_status_name(st));
    st = tsl_trsm(x, TSL_LEFT, 1, tsl_lower(a), left);
    all_ok(t, st == TSL_ERR_OVERLAP && same_everywhere(st), "trsm: B in A: %s", tsl_status_name(st));
    st = tsl_reduce(x, left, 2, tsl_sub(a, 0, 8, N, 9));
    all_ok(t, st == TSL_ERR_OVERLAP && same_everywhere(st) && strstr(tsl_error(x), "reduce: B overlaps A"), "reduce: a column shared: %s", tsl_error(x));
    st = tsl_reduce(x, a, 2, tsl_whole(again));
    all_ok(t, st == TSL_ERR_OVERLAP && same_everywhere(st), "reduce: onto itself: %s", tsl_status_name(st));
    dense after = everything(x, A, N, N);
    all_ok(t, dense_same(&before, &after), "nothing was touched");
    st = tsl_reduce(x, left, 0, right);
    if (!st) st = tsl_copy(x, a, tsl_whole(again));
    if (!st) st = tsl_copy(x, left, right);
    if (!st) st = tsl_gemm(x, 1, b, tsl_sub(tsl_whole(again), 0, 0, N, 9), 1, right);
    if (!st) st = tsl_copy(x, tsl_lower(a), tsl_trans(tsl_upper(a)));
    all_ok(t, !st, "onto itself, beside it, and a triangle onto its mirror image: %s", tsl_error(x));
    dense_free(&before), dense_free(&after);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(again), tsl_matrix_free(turned);
}

/* One process's device is too small for what a product needs beside its operands. */
static void memory(const team *t)
{
    int odd = t->rank == t->size - 1;
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = odd ? "host:1,mem=1M" : "host:1,mem=64M";
    all_ok(t, !tsl_context_create(&config, &x), "contexts of different sizes");
    tsl_layout l = tsl_layout_matrix(t->grid, 32);
    l.scheme = TSL_ON_DEVICE;
    tsl_matrix *A = NULL, *B = NULL;
    int64_t n = 150 * (t->rows < t->cols ? t->rows : t->cols); /* two of them fit, their panels do not */
    tsl_status st = tsl_matrix_create_on(x, &l, TSL_Z, n, n, &A);
    if (!st) st = tsl_matrix_create_on(x, &l, TSL_Z, n, n, &B);
    all_ok(t, !st, "operands fit: %s", tsl_status_name(st));
    st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(A), 0, tsl_whole(B));
    all_ok(t, t->size == 1 || (st == TSL_ERR_DEVICE_MEMORY && same_everywhere(st)), "one process runs out of memory: %s",
           tsl_status_name(st));
    tsl_matrix *C = NULL;
    st = tsl_matrix_create_on(x, &l, TSL_Z, 4 * n, 4 * n, &C);
    all_ok(t, st == TSL_ERR_DEVICE_MEMORY && !C && same_everywhere(st), "one process cannot hold its part: %s",
           tsl_status_name(st));
    st = tsl_scale(x, 0, tsl_whole(A));
    all_ok(t, st == TSL_OK, "and the grid goes on working: %s", tsl_status_name(st));
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_context_destroy(x);
}

/* The first bad column, wherever it is, on all processes; and once more after a good matrix. */
static void outcome(const team *t, tsl_context *x)
{
    dense d = dense_make(TSL_D, N, N, CANARY_FINITE);
    tsl_matrix *A = make(t, x, TSL_ON_DEVICE, TSL_D, N, N, 3);
    for (int64_t bad = 1; bad <= N; bad += 7) {
        int64_t info = -1;
        dense_dominant(&d, 3);
        dense_put(&d, bad - 1, bad - 1, -1);
        tsl_status st = tsl_scatter(x, 0, d.data, d.ld, tsl_whole(A));
        if (!st) st = tsl_potrf(x, tsl_lower(tsl_whole(A)), &info);
        all_ok(t, !st && info == bad, "potrf fails at column %lld of %d: info %lld", (long long)bad, N, (long long)info);
        info = -1;
        if (bad > 9) st = tsl_scatter(x, 0, d.data, d.ld, tsl_whole(A));
        if (bad > 9 && !st) st = tsl_potrf(x, tsl_upper(tsl_sub(tsl_whole(A), 9, 9, N - 9, N - 9)), &info);
        if (bad > 9) all_ok(t, !st && info == bad - 9, "counted from the block's first: info %lld", (long long)info);
    }
    int64_t info = -1;
    dense_dominant(&d, 3);
    tsl_status st = tsl_scatter(x, 0, d.data, d.ld, tsl_whole(A));
    if (!st) st = tsl_potrf(x, tsl_lower(tsl_whole(A)), &info);
    all_ok(t, !st && info == 0, "info is 0 again");
    tsl_matrix_free(A);
    dense_free(&d);
}

/* A singular triangle is left alone, and so is the right-hand side of a matrix that is not positive definite. */
static void untouched(const team *t, tsl_context *x)
{
    tsl_matrix *A = make(t, x, TSL_IN_HOST, TSL_Z, N, N, 4), *B = make(t, x, TSL_IN_HOST, TSL_Z, N, 3, 5);
    dense d = dense_make(TSL_Z, N, N, CANARY_FINITE);
    int64_t info = -1;
    dense_dominant(&d, 4);
    dense_put(&d, 20, 20, 0);
    dense_put(&d, 30, 30, 0);
    tsl_status st = tsl_scatter(x, t->size - 1, d.data, d.ld, tsl_whole(A));
    if (!st) st = tsl_trtri(x, tsl_upper(tsl_whole(A)), &info);
    dense after = everything(x, A, N, N);
    all_ok(t, !st && info == 21 && dense_same(&d, &after), "trtri of a singular triangle: info %lld, nothing changed",
           (long long)info);
    dense_free(&after);
    st = tsl_potri(x, tsl_lower(tsl_sub(tsl_whole(A), 5, 5, N - 5, N - 5)), &info);
    after = everything(x, A, N, N);
    all_ok(t, !st && info == 16 && dense_same(&d, &after), "potri of a singular factor: info %lld, nothing changed",
           (long long)info);
    dense_free(&after);
    dense before = everything(x, B, N, 3);
    dense_put(&d, 20, 20, -5);
    st = tsl_scatter(x, 0, d.data, d.ld, tsl_whole(A));
    if (!st) st = tsl_posv(x, tsl_lower(tsl_whole(A)), tsl_whole(B), &info);
    after = everything(x, B, N, 3);
    all_ok(t, !st && info == 21 && dense_same(&before, &after), "posv: info %lld, the right-hand side as it was", (long long)info);
    dense_free(&after), dense_free(&before), dense_free(&d);
    tsl_matrix_free(A), tsl_matrix_free(B);
}

/* A grid of some of the processes, while the others do something else. */
static void group(const team *t, tsl_context *x)
{
    int half = t->rank % 2, good = 1;
    MPI_Comm comm;
    tsl_grid *g = NULL;
    MPI_Comm_split(MPI_COMM_WORLD, half, t->rank, &comm);
    good = !tsl_grid_create(comm, 0, 0, &g);
    MPI_Comm_free(&comm);
    int turns = half ? 3 : 1; /* so the halves cannot be in step */
    for (int i = 0; i < turns && good; i++) {
        tsl_layout l = tsl_layout_matrix(g, 3);
        tsl_matrix *A = NULL;
        dense d = dense_make(TSL_D, N, N, CANARY_FINITE);
        int64_t info = -1;
        dense_dominant(&d, 5);
        good = !tsl_matrix_create_on(x, &l, TSL_D, N, N, &A) && !tsl_scatter(x, 0, d.data, d.ld, tsl_whole(A)) &&
               !tsl_potrf(x, tsl_lower(tsl_whole(A)), &info) && info == 0;
        tsl_matrix_free(A);
        dense_free(&d);
    }
    tsl_grid_free(g);
    all_ok(t, good, "two groups of processes, each with a grid of its own");
    all_ok(t, tsl_grid_create(MPI_COMM_WORLD, t->size + 1, 1, &g) == TSL_ERR_GRID, "no grid of more processes than there are");
    tsl_status st = tsl_grid_create(MPI_COMM_WORLD, 0, 0, t->rank == 0 ? NULL : &g);
    all_ok(t, st && same_everywhere(st), "no grid where one process has no place for it: %s", tsl_status_name(st));
}

/* Calls on a grid leave the caller's region of tiled calls open. */
static void region(const team *t, tsl_context *x, tsl_scheme scheme)
{
    tsl_matrix *A = make(t, x, scheme, TSL_D, N, N, 1), *B = make(t, x, scheme, TSL_D, N, 5, 2);
    tsl_view L = tsl_lower(tsl_whole(A));
    tsl_status st = tsl_begin(x);
    if (!st) st = tsl_potrf(x, L, NULL);
    if (!st) st = tsl_trsm(x, TSL_LEFT, 1, L, tsl_whole(B));
    if (!st) st = tsl_syrk(x, -1, tsl_whole(B), 1, L);
    all_ok(t, !st && x->region, "in a region: %s, and it is still open", tsl_status_name(st));
    all_ok(t, !tsl_wait(x) && !x->region, "until the caller waits");
    tsl_matrix_free(A);
    tsl_matrix_free(B);
}

/* Outcomes of calls on a grid and of tiled ones in one region: each has its own, and the region's is the first failure's. */
static void outcomes_in_region(const team *t, tsl_context *x, tsl_scheme scheme)
{
    for (int grid_first = 0; grid_first < 2; grid_first++) {
        tsl_matrix *A = make(t, x, scheme, TSL_D, N, N, 1), *T = NULL;
        dense d = dense_make(TSL_D, N, N, CANARY_FINITE);
        int64_t info = -1, first = -1;
        dense_dominant(&d, 5);
        dense_put(&d, 6, 6, -1);
        tsl_status st = tsl_tiled_wrap(x, TSL_D, N, N, d.data, d.ld, 8, &T);
        if (!st) st = tsl_scale(x, 0, tsl_whole(A));
        if (!st) st = tsl_begin(x);
        if (!st && !grid_first) st = tsl_potrf(x, tsl_lower(tsl_whole(T)), NULL);
        tsl_status on_grid = tsl_potrf(x, tsl_lower(tsl_whole(A)), &info);
        if (!st && grid_first) st = tsl_potrf(x, tsl_lower(tsl_whole(T)), NULL);
        all_ok(t, !st && !on_grid && info == 1 && x->region, "on a grid, in a region: info %lld", (long long)info);
        st = tsl_wait(x);
        if (!st) st = tsl_info(x, &first);
        all_ok(t, !st && first == (grid_first ? 1 : 7), "of the region %lld", (long long)first);
        tsl_matrix_free(A), tsl_matrix_free(T);
        dense_free(&d);
    }
}

static void again(const team *t, tsl_context *x, tsl_scheme scheme)
{
    tsl_matrix *A = make(t, x, scheme, TSL_D, N, N, 1), *B = make(t, x, scheme, TSL_D, N, 5, 2),
               *C = make(t, x, scheme, TSL_D, N, 5, 3);
    dense first[2] = {{0}}, now;
    int same = 1;
    for (int run = 0; run < 4; run++) {
        tsl_status st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(B), 0, tsl_whole(C)); /* A stationary: a sum over processes */
        if (!st)
            st = tsl_symv(x, 1, tsl_lower(tsl_whole(A)), tsl_sub(tsl_whole(B), 0, 0, N, 1), 0,
                          tsl_sub(tsl_whole(C), 0, 1, N, 1));
        now = everything(x, C, N, 5);
        same &= !st && (run == 0 || dense_same(&now, &first[0]));
        if (run == 0) first[0] = dense_copy(&now);
        dense_free(&now);
    }
    all_ok(t, same, "the same bits in every run");
    dense_free(&first[0]);
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_matrix_free(C);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *x = team_context(&t, "host"), *y = team_context(&t, "host:1,mem=64M");
    arguments(&t, x);
    overlapping(&t, x);
    memory(&t);
    outcome(&t, x);
    outcome(&t, y);
    untouched(&t, x);
    untouched(&t, y);
    group(&t, x);
    region(&t, x, TSL_ON_DEVICE);
    region(&t, y, TSL_IN_HOST);
    region(&t, y, TSL_ON_DEVICE);
    outcomes_in_region(&t, x, TSL_ON_DEVICE);
    outcomes_in_region(&t, y, TSL_IN_HOST);
    again(&t, x, TSL_IN_HOST);
    again(&t, y, TSL_ON_DEVICE);
    tsl_context_destroy(y);
    tsl_context_destroy(x);
    return team_close(&t);
}
