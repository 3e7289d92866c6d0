/* A grid whose shape nobody says, of processes on several machines (TESELA_NODE): the shape, and that a machine is a block of
 * it; ranks are those of the communicator all the same, and results have the bits they have on a grid of that shape.
 *
 *     mpi_test_nodes 0x0 RxC of the grid RxC of a machine, or 0x0: all as on one */
#include <string.h>

#include "grid/problems.h"
#include "whole.h"

enum { N = 47, NB = 5 };

static void places(const team *t, const int size[2], const int block[2], int node)
{
    int at[2] = {t->rank / size[1], t->rank % size[1]};
    if (node) {
        int machine = t->rank / node, member = t->rank % node, high = size[0] / block[0];
        at[0] = machine % high * block[0] + member % block[0];
        at[1] = machine / high * block[1] + member / block[0];
    }
    all_ok(t, t->rows == size[0] && t->cols == size[1], "the grid is %dx%d", t->rows, t->cols);
    int row = -1, col = -1;
    bool found = tsl_grid_place(t->grid, t->rank, &row, &col) && row == at[0] && col == at[1];
    all_ok(t, found && !tsl_grid_place(t->grid, t->size, &row, &col), "where a rank is");
    row = tsl_grid_row(t->grid), col = tsl_grid_col(t->grid);
    all_ok(t, row == at[0] && col == at[1], "machines of %d are %dx%d of it: %d,%d", node, block[0], block[1], row, col);
}

/* From the first rank, to each in turn; and from the grid of that shape in the usual order */
static void ranks(const team *t, tsl_context *x)
{
    tsl_matrix *A = scattered(t, x, tsl_layout_matrix(t->grid, NB), TSL_D, N, N, 3), *B = NULL;
    tsl_grid *usual = NULL;
    dense want = everything(x, A, N, N);
    for (int root = 0; root < t->size; root++) {
        dense got = dense_make(TSL_D, N, N, CANARY_FINITE);
        tsl_status st = tsl_gather(x, tsl_whole(A), root, got.data, got.ld);
        bool right = t->rank != root || !memcmp(got.data, want.data, (size_t)got.ld * N * sizeof(double));
        all_ok(t, !st && right, "gathered on rank %d", root);
        dense_free(&got);
    }
    tsl_status st = tsl_grid_create(MPI_COMM_WORLD, t->rows, t->cols, &usual);
    tsl_layout l = tsl_layout_matrix(usual, NB + 2);
    if (!st) st = tsl_matrix_create_on(x, &l, TSL_D, N, N, &B);
    if (!st) st = tsl_copy(x, tsl_whole(A), tsl_whole(B));
    dense got = everything(x, B, N, N);
    all_ok(t, !st && !memcmp(got.data, want.data, (size_t)got.ld * N * sizeof(double)), "copied to a grid of the usual order");
    dense_free(&got), dense_free(&want);
    tsl_matrix_free(A), tsl_matrix_free(B);
    outcome o[2];
    for (problem what = MULTIPLY; what < PROBLEMS; what++) {
        o[0] = solved(x, t->grid, what, TSL_D, N, NB), o[1] = solved(x, usual, what, TSL_D, N, NB);
        all_ok(t, !o[0].st && same_outcome(&o[0], &o[1]), "%s: the bits of the usual order", problem_names[what]);
        outcome_free(&o[0]), outcome_free(&o[1]);
    }
    tsl_grid_free(usual);
}

int main(int argc, char **argv)
{
    int size[2] = {0, 0}, block[2] = {0, 0};
    if (argc < 4 || sscanf(argv[2], "%dx%d", &size[0], &size[1]) != 2) return 2;
    if (sscanf(argv[3], "%dx%d", &block[0], &block[1]) != 2) return 2;
    team t = team_open(argc, argv);
    tsl_context *x = team_context(&t, "host:1");
    places(&t, size, block, block[0] * block[1]);
    ranks(&t, x);
    tsl_context_destroy(x);
    return team_close(&t);
}
