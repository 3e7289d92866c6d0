/* Solve A x = b for a symmetric positive definite A that is distributed over the processes of mpirun:
 *     mpicc cluster.c $(pkg-config --cflags --libs tesela) -ltesela_mpi && mpirun -np 4 ./a.out
 * Beside examples/potrf.c only the objects' creation is new. */
#include <stdio.h>
#include <tesela_mpi.h>

enum { N = 1000, NB = 64 };

/* Each process writes what it has of A = 2 I + E/N, with E all ones, and of b = A (1, ..., 1)^T. */
static void fill(tsl_view A, tsl_view b)
{
    tsl_view a = tsl_local(A), c = tsl_local(b);
    double *pa = tsl_matrix_data(A.mat), *pb = tsl_matrix_data(b.mat); /* host-centric: local arrays in host memory */
    for (int64_t j = 0; j < a.n; j++)
        for (int64_t i = 0; i < a.m; i++)
            pa[i + j * tsl_matrix_ld(A.mat)] = (tsl_global_row(A, i) == tsl_global_col(A, j) ? 2 : 0) + 1.0 / N;
    for (int64_t i = 0; i < c.m * c.n; i++)
        pb[i] = 3;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    tsl_context *ctx;
    tsl_grid *grid = NULL;
    tsl_matrix *A = NULL, *B = NULL;
    int64_t info = 0;

    tsl_status st = tsl_context_create(NULL, &ctx);
    if (!st)
        st = tsl_grid_create(MPI_COMM_WORLD, 0, 0, &grid); /* all processes, as square as can be */
    if (st) {
        fprintf(stderr, "%s\n", tsl_error(NULL));
        MPI_Abort(MPI_COMM_WORLD, 1); /* others may have what they need, and wait for this process */
        return 1;
    }
    tsl_layout layout = tsl_layout_matrix(grid, NB); /* in blocks of 64 x 64 */
    st = tsl_matrix_create_on(ctx, &layout, TSL_D, N, N, &A);
    if (!st)
        st = tsl_matrix_create_on(ctx, &layout, TSL_D, N, 1, &B);
    if (st) { /* on all processes */
        fprintf(stderr, "%s\n", tsl_error(ctx));
        MPI_Finalize();
        return 1;
    }
    fill(tsl_whole(A), tsl_whole(B));
    tsl_view L = tsl_lower(tsl_whole(A)), x = tsl_whole(B);

    st = tsl_potrf(ctx, L, &info); /* from here on nothing knows that there are several processes */
    if (!st && !info)
        st = tsl_trsm(ctx, TSL_LEFT, 1, L, x);
    if (!st && !info)
        st = tsl_trsm(ctx, TSL_LEFT, 1, tsl_herm(L), x);

    static double all[N];
    if (!st)
        st = tsl_gather(ctx, x, 0, all, N);
    double worst = 0;
    for (int i = 0; i < N && tsl_grid_row(grid) == 0 && tsl_grid_col(grid) == 0; i++)
        worst = all[i] - 1 > worst ? all[i] - 1 : 1 - all[i] > worst ? 1 - all[i] : worst;
    if (tsl_grid_row(grid) == 0 && tsl_grid_col(grid) == 0)
        printf("%dx%d processes: %s, info %lld, largest error %.1e\n", tsl_grid_rows(grid), tsl_grid_cols(grid), tsl_status_text(st),
               (long long)info, worst);

    tsl_matrix_free(B);
    tsl_matrix_free(A);
    tsl_grid_free(grid);
    tsl_context_destroy(ctx);
    MPI_Finalize();
    return st || info || worst > 1e-12;
}
