/* Solve A x = b for a symmetric positive definite A whose parts are on several devices, a thread for each; no mpirun:
 *     cc threads.c $(pkg-config --cflags --libs tesela) && ./a.out
 * Each thread is a process of a grid, as in examples/mpi/cluster.c. */
#include <stdio.h>
#include <tesela_grid.h>

enum { N = 1000, NB = 64 };

typedef struct problem {
    const char *device; /* "cuda" for a GPU each; here they are on the host */
    double x[N];
    int64_t info;
} problem;

/* The part that is here of A = 2 I + E/N, with E all ones, and of b = A (1, ..., 1)^T */
static tsl_status fill(tsl_context *ctx, tsl_view A, tsl_view b)
{
    tsl_status st = tsl_laset(ctx, 1.0 / N, 2 + 1.0 / N, A);
    return st ? st : tsl_laset(ctx, 3, 3, b);
}

static tsl_status rank(tsl_grid *grid, void *user)
{
    problem *p = user;
    tsl_config config = tsl_config_default();
    tsl_context *ctx = NULL;
    tsl_matrix *A = NULL, *B = NULL;
    int64_t info = 0;
    config.devices = p->device;
    tsl_status st = tsl_context_create(&config, &ctx);
    if (st)
        return st; /* the others are told */
    tsl_layout layout = tsl_layout_matrix(grid, NB);
    st = tsl_matrix_create_on(ctx, &layout, TSL_D, N, N, &A);
    if (!st)
        st = tsl_matrix_create_on(ctx, &layout, TSL_D, N, 1, &B);
    if (!st)
        st = fill(ctx, tsl_whole(A), tsl_whole(B));
    if (!st)
        st = tsl_posv(ctx, tsl_lower(tsl_whole(A)), tsl_whole(B), &info);
    if (!st)
        st = tsl_gather(ctx, tsl_whole(B), 0, p->x, N); /* into the array of the first one */
    if (tsl_grid_row(grid) == 0 && tsl_grid_col(grid) == 0)
        p->info = info;
    tsl_matrix_free(B);
    tsl_matrix_free(A);
    tsl_context_destroy(ctx);
    return st;
}

int main(void)
{
    static problem p = {.device = "host:1"};
    tsl_status st = tsl_grid_threads(2, 2, rank, &p);
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = p.x[i] - 1 > worst ? p.x[i] - 1 : 1 - p.x[i] > worst ? 1 - p.x[i] : worst;
    printf("2x2 threads: %s, info %lld, largest error %.1e\n", tsl_status_text(st), (long long)p.info, worst);
    return st || p.info || worst > 1e-12;
}
