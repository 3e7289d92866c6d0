/* Copies and sums between all kinds of objects, gather and scatter, redistribution between grids, ScaLAPACK's descriptors, and
 * PLAPACK's example: y := A x by spreading, a local product and a sum. */
#include <math.h>
#include <string.h>

#include "values.h"

static void copies(const team *t, tsl_context *x, tsl_type type, const char *spec)
{
    int good = 1;
    unsigned ran = 0;
    for (unsigned a = 0; a < LAYOUTS; a++)
        for (unsigned b = 0; b < LAYOUTS; b++) {
            tsl_op op = (tsl_op)pick(a * LAYOUTS + b, 2, 4);
            tsl_layout la = kind(t, a), lb = kind(t, b);
            tsl_matrix *A = NULL, *B = NULL;
            int64_t i0 = pick(a, b, 4), j0 = pick(b, a, 5), m = M - i0, n = N - j0;
            if (tsl_matrix_create_on(x, &la, type, M, N, &A) ||
                tsl_matrix_create_on(x, &lb, type, op & TSL_TRANS ? n : m, op & TSL_TRANS ? m : n, &B)) {
                good = 0;
                break;
            }
            good &= put_values(x, tsl_whole(A), 1);
            tsl_view from = tsl_sub(tsl_whole(A), i0, j0, m, n);
            if (op & TSL_TRANS) from = tsl_trans(from);
            if (op & TSL_CONJ) from = tsl_conj(from);
            good &= !tsl_copy(x, from, tsl_whole(B)) && has_values(x, tsl_whole(B), op, 1, i0, j0);
            tsl_matrix_free(A);
            tsl_matrix_free(B);
            ran++;
        }
    all_ok(t, good, "%s %c: %u copies between %d kinds of objects", spec, tsl_type_letter(type), ran, LAYOUTS);
}

/* Each copy of an object with copies holds its own contribution; what is the sum of their factors? */
static double factors(const team *t, const tsl_layout *l)
{
    double sum = 0;
    bool rows = (l->rows.over | l->cols.over) & TSL_OVER_ROWS, cols = (l->rows.over | l->cols.over) & TSL_OVER_COLS;
    for (int p = 0; p < t->rows; p++)
        for (int q = 0; q < t->cols; q++)
            if (rows ? p == 0 : l->row == TSL_EVERY || l->row == p)
                if (cols ? q == 0 : l->col == TSL_EVERY || l->col == q) sum += 1 + (rows ? 0 : p) + 2 * (cols ? 0 : q);
    return sum;
}

static void sums(const team *t, tsl_context *x, tsl_type type, const char *spec)
{
    int good = 1;
    unsigned ran = 0;
    for (unsigned a = 0; a < LAYOUTS; a++)
        for (unsigned b = 0; b < LAYOUTS; b++) {
            tsl_layout la = kind(t, a), lb = kind(t, b);
            tsl_matrix *A = NULL, *B = NULL;
            if (tsl_matrix_create_on(x, &la, type, M, N, &A) || tsl_matrix_create_on(x, &lb, type, M, N, &B)) {
                good = 0;
                break;
            }
            bool rows = (la.rows.over | la.cols.over) & TSL_OVER_ROWS, cols = (la.rows.over | la.cols.over) & TSL_OVER_COLS;
            double mine = 1 + (rows ? 0 : tsl_grid_row(t->grid)) + 2 * (cols ? 0 : tsl_grid_col(t->grid));
            good &= put_values(x, tsl_whole(A), mine) && put_values(x, tsl_whole(B), 1);
            good &= !tsl_reduce(x, tsl_whole(A), 2, tsl_whole(B)) &&
                    has_values(x, tsl_whole(B), TSL_NOTRANS, 2 + factors(t, &la), 0, 0);
            tsl_matrix_free(A);
            tsl_matrix_free(B);
            ran++;
        }
    all_ok(t, good, "%s %c: %u sums between %d kinds of objects", spec, tsl_type_letter(type), ran, LAYOUTS);
}

static void grids(const team *t, tsl_context *x)
{
    tsl_grid *other = NULL;
    tsl_matrix *A = NULL, *B = NULL;
    int good = !tsl_grid_create(MPI_COMM_WORLD, t->cols, t->rows, &other);
    tsl_layout la = tsl_layout_matrix(t->grid, 4), lb = tsl_layout_matrix(other, 3);
    good = good && !tsl_matrix_create_on(x, &la, TSL_D, M, N, &A) && !tsl_matrix_create_on(x, &lb, TSL_D, M, N, &B);
    good = good && put_values(x, tsl_whole(A), 1) && !tsl_copy(x, tsl_whole(A), tsl_whole(B)) &&
           has_values(x, tsl_whole(B), TSL_NOTRANS, 1, 0, 0);
    all_ok(t, good, "from a %dx%d grid to a %dx%d grid", t->rows, t->cols, t->cols, t->rows);
    all_ok(t, tsl_gemm(x, 1, tsl_trans(tsl_whole(A)), tsl_whole(B), 0, tsl_sub(tsl_whole(A), 0, 0, N, N)) == TSL_ERR_GRID,
           "no product across grids");
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_grid_free(other);
}

static void one_process(const team *t, tsl_context *x)
{
    dense whole = dense_make(TSL_D, M, N, CANARY_FINITE), back = dense_make(TSL_D, M, N, CANARY_FINITE);
    tsl_layout l = tsl_layout_matrix(t->grid, 3);
    tsl_matrix *A = NULL;
    int root = t->size - 1, good = !tsl_matrix_create_on(x, &l, TSL_D, M, N, &A);
    dense_random(&whole, 7);
    good = good && !tsl_scatter(x, root, t->rank == root ? whole.data : NULL, whole.ld, tsl_whole(A));
    good = good && !tsl_gather(x, tsl_whole(A), 0, t->rank == 0 ? back.data : NULL, back.ld);
    all_ok(t, good && (t->rank != 0 || dense_same(&whole, &back)),
           "scattered from rank %d, gathered on rank 0, margins untouched", root);
    all_ok(t, tsl_gather(x, tsl_whole(A), t->size, back.data, back.ld) == TSL_ERR_GRID, "no rank %d", t->size);
    tsl_matrix_free(A);
    dense_free(&whole);
    dense_free(&back);
}

static void descriptor(const team *t, tsl_context *x)
{
    int rows = t->rows, cols = t->cols, rsrc = rows - 1, csrc = cols > 1 ? 1 : 0;
    /* ScaLAPACK: block b of mb = 2 rows is in process row (rsrc + b) mod rows */
    double local[M * (N + 1)];
    int lld = M, good = 1, desc[9] = {1, -1, M, N, 2, 3, rsrc, csrc, lld};
    memset(local, 0, sizeof local);
    for (int64_t j = 0, lj = 0; j < N; j++) {
        if ((j / 3 + csrc) % cols != tsl_grid_col(t->grid)) continue;
        for (int64_t i = 0, li = 0; i < M; i++)
            if ((i / 2 + rsrc) % rows == tsl_grid_row(t->grid)) local[li++ + lj * lld] = creal(value(i, j));
        lj++;
    }
    tsl_matrix *A = NULL;
    good = !tsl_matrix_wrap_desc(x, t->grid, TSL_D, desc, local, &A) && has_values(x, tsl_whole(A), TSL_NOTRANS, 1, 0, 0);
    all_ok(t, good && tsl_matrix_data(A) == local, "a ScaLAPACK descriptor wraps the local array in place");
    tsl_matrix_free(A);
    desc[8] = 0;
    all_ok(t, tsl_matrix_wrap_desc(x, t->grid, TSL_D, desc, local, &A) == TSL_ERR_LD, "lld 0 is refused");
}

/* x and y are vectors over all processes. */
static void teaching(const team *t, tsl_context *x)
{
    tsl_layout la = tsl_layout_matrix(t->grid, 3), lv = tsl_layout_vector(t->grid, 3);
    tsl_matrix *A, *X, *Y, *Xs, *Ys;
    int good = !tsl_matrix_create_on(x, &la, TSL_D, M, N, &A) && !tsl_matrix_create_on(x, &lv, TSL_D, N, 1, &X) &&
               !tsl_matrix_create_on(x, &lv, TSL_D, M, 1, &Y);
    tsl_layout cols = tsl_layout_cols_of(tsl_whole(A)), rows = tsl_layout_rows_of(tsl_whole(A));
    good = good && !tsl_matrix_create_on(x, &cols, TSL_D, N, 1, &Xs) && !tsl_matrix_create_on(x, &rows, TSL_D, M, 1, &Ys);
    good = good && put_values(x, tsl_whole(A), 1) && put_values(x, tsl_whole(X), 1);
    /* spread x within columns */                 good = good && !tsl_copy(x, tsl_whole(X), tsl_whole(Xs));
    /* local matrix-vector product */ good =
        good && !tsl_gemv(x, 1, tsl_local(tsl_whole(A)), tsl_local(tsl_whole(Xs)), 0, tsl_local(tsl_whole(Ys)));
    /* sum within rows */                         good = good && !tsl_reduce(x, tsl_whole(Ys), 0, tsl_whole(Y));
    dense y = fetch_local(x, tsl_whole(Y));
    for (int64_t i = 0; i < y.m; i++) {
        double want = 0;
        for (int64_t j = 0; j < N; j++) want += creal(value(tsl_global_row(tsl_whole(Y), i), j)) * creal(value(j, 0));
        good &= fabs(creal(dense_get(&y, i, 0)) - want) <= 1e-13 * fabs(want);
    }
    all_ok(t, good, "PLAPACK's example: spread, multiply, reduce");
    dense_free(&y);
    tsl_matrix *all[] = {A, X, Y, Xs, Ys};
    for (int i = 0; i < 5; i++) tsl_matrix_free(all[i]);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    static const char *const specs[] = {"host", "host:1,mem=64M"};
    for (int s = 0; s < 2; s++) {
        tsl_context *x = team_context(&t, specs[s]);
        for (int type = TSL_S; type <= TSL_Z; type++) {
            copies(&t, x, (tsl_type)type, specs[s]);
            sums(&t, x, (tsl_type)type, specs[s]);
        }
        grids(&t, x);
        one_process(&t, x);
        descriptor(&t, x);
        teaching(&t, x);
        tsl_context_destroy(x);
    }
    return team_close(&t);
}
