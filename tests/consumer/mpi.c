/* libtesela_mpi as a program outside this tree uses it; on as many processes as it is given, one if it is run alone. */
#include <stdio.h>
#include <tesela_mpi.h>

int main(void)
{
    enum { N = 10 };
    tsl_context *ctx = NULL;
    tsl_grid *grid = NULL;
    tsl_matrix *A = NULL;
    tsl_config config = tsl_config_default();
    double sum = -1;
    config.devices = "host";
    tsl_status st = tsl_context_create(&config, &ctx);
    if (!st) st = tsl_grid_create(MPI_COMM_WORLD, 0, 0, &grid);
    tsl_layout layout = tsl_layout_matrix(grid, 3);
    if (!st) st = tsl_matrix_create_on(ctx, &layout, TSL_D, N, N, &A);
    if (!st) st = tsl_scale(ctx, 0, tsl_whole(A));
    if (!st) st = tsl_norm(ctx, TSL_NORM_ONE, TSL_TRIANGULAR, tsl_whole(A), &sum);
    printf("%s, %g\n", tsl_status_name(st), sum);
    tsl_matrix_free(A);
    tsl_grid_free(grid);
    tsl_context_destroy(ctx);
    return st || sum != 0;
}
