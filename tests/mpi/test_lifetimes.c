/* Grids and distributed matrices: what cannot be made is NULL and says why, ends in the wrong order do no harm, and operands
 * without rows or columns may begin anywhere. */
#include <string.h>

#include "whole.h"

enum { N = 21, NB = 4 };

static char junk; /* where a pointer points that nobody has set */

static int says(const char *a, const char *b) { return strstr(tsl_error(NULL), a) && strstr(tsl_error(NULL), b); }

static void grids(const team *t)
{
    tsl_grid *g = (tsl_grid *)&junk;
    tsl_status st = tsl_grid_create(MPI_COMM_WORLD, t->size + 1, 2, &g);
    all_ok(t, st == TSL_ERR_GRID && !g && says("grid", "communicator"), "too many processes asked for: %s", tsl_error(NULL));
    st = tsl_grid_create(MPI_COMM_WORLD, -1, 0, &g);
    all_ok(t, st == TSL_ERR_GRID && says("grid", "-1 x 0"), "no shape: %s", tsl_error(NULL));
    g = (tsl_grid *)&junk;
    st = tsl_grid_create(MPI_COMM_NULL, 0, 0, &g);
    all_ok(t, st == TSL_ERR_MPI && !g && says("grid", "communicator"), "nobody to make it of: %s", tsl_error(NULL));
    int turned = t->rank == 0 && t->size > 1;
    st = tsl_grid_create(MPI_COMM_WORLD, turned ? t->size : 1, turned ? 1 : t->size, &g);
    all_ok(t, t->size == 1 ? !st : st == TSL_ERR_GRID && !g && says("grid", "another"), "shapes that differ: %s", tsl_error(NULL));
    tsl_grid_free(g);
    st = tsl_grid_create(MPI_COMM_WORLD, 0, 0, &g);
    tsl_grid_free(g);
    tsl_grid_free(g);
    all_ok(t, !st, "a grid freed twice");
    all_ok(t, tsl_grid_rows(NULL) == 0 && tsl_grid_col(NULL) == -1, "no grid");
}

static void layouts(const team *t, tsl_context *x)
{
    tsl_matrix *A = (tsl_matrix *)&junk;
    tsl_layout l = tsl_layout_matrix(t->grid, NB);
    l.rows.offset = INT64_MAX - N + 1;
    tsl_status st = tsl_matrix_create_on(x, &l, TSL_D, N, N, &A);
    all_ok(t, st == TSL_ERR_OVERFLOW && !A, "an offset past all numbers: %s", tsl_status_name(st));
    l = tsl_layout_matrix(t->grid, INT64_MAX);
    st = tsl_matrix_create_on(x, &l, TSL_D, N, N, &A);
    all_ok(t, st == TSL_ERR_OVERFLOW && !A, "blocks past all numbers: %s", tsl_status_name(st));
    A = (tsl_matrix *)&junk;
    st = tsl_matrix_create_on(x, NULL, TSL_D, N, N, &A);
    all_ok(t, st == TSL_ERR_NULL && !A, "no layout: %s", tsl_error(x));
    tsl_view none = tsl_whole(NULL);
    all_ok(t, !tsl_local(none).mat && tsl_local_row(none, 1) == 0 && tsl_global_col(none, 1) == 0 && !tsl_layout_rows_of(none).grid,
           "parts of no matrix");
}

/* The context, or the grid, ends before the matrices do. */
static void orphans(const team *t, const char *devices, tsl_scheme scheme)
{
    tsl_context *x = team_context(t, devices), *y = team_context(t, devices);
    tsl_grid *g = NULL;
    tsl_matrix *A = NULL, *B = NULL, *C = NULL;
    tsl_status st = tsl_grid_create(MPI_COMM_WORLD, t->rows, t->cols, &g);
    tsl_layout l = tsl_layout_matrix(g, NB), was;
    l.scheme = scheme;
    if (!st) st = tsl_matrix_create_on(x, &l, TSL_D, N, N, &A);
    if (!st) st = tsl_matrix_create_on(y, &l, TSL_D, N, N, &B);
    if (!st) st = tsl_scale(x, 0, tsl_whole(A));
    all_ok(t, !st, "%s: matrices: %s", devices, tsl_status_name(st));
    tsl_context_destroy(x);
    all_ok(t, tsl_scale(y, 2, tsl_whole(A)) == TSL_ERR_CONTEXT && tsl_copy(y, tsl_whole(B), tsl_whole(A)) == TSL_ERR_CONTEXT,
           "%s: a matrix without a context: %s", devices, tsl_error(y));
    all_ok(t, !tsl_local(tsl_whole(A)).mat && tsl_matrix_layout(A, &was) == TSL_ERR_GRID, "%s: it has no parts", devices);
    tsl_grid_free(g);
    tsl_grid_free(g);
    all_ok(t, tsl_scale(y, 2, tsl_whole(B)) == TSL_ERR_GRID && tsl_gather(y, tsl_whole(B), 0, NULL, N) == TSL_ERR_GRID,
           "%s: a matrix without a grid: %s", devices, tsl_error(y));
    st = tsl_matrix_create_on(y, &l, TSL_D, N, N, &C);
    all_ok(t, st == TSL_ERR_GRID && !C, "%s: and none is made on it: %s", devices, tsl_error(y));
    tsl_matrix_free(A), tsl_matrix_free(A);
    tsl_matrix_free(B), tsl_matrix_free(B);
    tsl_context_destroy(y);
    all_ok(t, 1, "%s: all of it ends", devices);
}

/* 4 I, whose factor is 2 I: exact. */
static tsl_matrix *fours(tsl_context *x, const tsl_layout *l)
{
    tsl_matrix *A = NULL;
    double a[N * N];
    for (int i = 0; i < N * N; i++) a[i] = i % (N + 1) ? 0 : 4;
    return tsl_matrix_create_on(x, l, TSL_D, N, N, &A) || tsl_scatter(x, 0, a, N, tsl_whole(A)) ? NULL : A;
}

/* How many entries of the diagonal are 2. */
static int twos(tsl_context *x, tsl_matrix *A)
{
    dense d = everything(x, A, N, N);
    int count = 0;
    for (int i = 0; i < N; i++) count += creal(dense_get(&d, i, i)) == 2;
    dense_free(&d);
    return count;
}

static void empty(const team *t, const char *devices, tsl_scheme scheme)
{
    tsl_context *x = team_context(t, devices);
    tsl_layout l = tsl_layout_matrix(t->grid, NB);
    l.scheme = scheme;
    tsl_matrix *A = fours(x, &l), *B = fours(x, &l), *C = fours(x, &l);
    int64_t info = -1;
    tsl_view whole = tsl_whole(A), b = tsl_whole(B), c = tsl_whole(C);
    int good = A && B && C;
    for (int64_t at = 0; at <= N && good; at++) { /* where the empty ones begin */
        int64_t m = N - at;
        tsl_view none = tsl_sub(b, 0, at, N, 0), low = tsl_sub(b, at, 0, 0, N), rest = tsl_sub(c, at, at, m, m);
        good = !tsl_gemm(x, 1, none, tsl_trans(none), 1, c) && !tsl_gemm(x, 1, low, whole, 0, low) && !tsl_copy(x, none, tsl_sub(c, 0, at, N, 0)) &&
               !tsl_syrk(x, 1, tsl_sub(b, at, at, m, 0), 1, tsl_lower(rest)) && !tsl_scale(x, 3, none) &&
               !tsl_trsm(x, TSL_LEFT, 1, tsl_lower(whole), none) && !tsl_trmm(x, TSL_RIGHT, 1, tsl_lower(whole), low) &&
               !tsl_potrs(x, tsl_lower(whole), none) && !tsl_potrf(x, tsl_lower(tsl_sub(b, at, at, 0, 0)), &info) && info == 0;
    }
    all_ok(t, good && twos(x, B) == 0 && twos(x, C) == 0, "%s: nothing is done to nothing: %s", devices, tsl_error(x));
    info = -1;
    tsl_status st = tsl_posv(x, tsl_lower(whole), tsl_sub(b, 0, 3, N, 0), &info);
    int right = good && twos(x, A) == N;
    all_ok(t, !st && info == 0 && right, "%s: posv without right-hand sides factors its matrix (%s)", devices, tsl_status_name(st));
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C);
    tsl_context_destroy(x);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *x = team_context(&t, "host");
    grids(&t);
    layouts(&t, x);
    orphans(&t, "host", TSL_IN_HOST);
    orphans(&t, "host:1,mem=64M", TSL_ON_DEVICE);
    empty(&t, "host", TSL_IN_HOST);
    empty(&t, "host:1,mem=64M", TSL_ON_DEVICE);
    tsl_context_destroy(x);
    return team_close(&t);
}
