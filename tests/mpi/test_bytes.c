/* What factorizations and eigenvalues on a grid send: bytes and messages of a process, counted through the profiling interface;
 * a grid sends all by MPI_Isend. Bounds are multiples of what ScaLAPACK 2.2 sends for the same matrices on the same grids, in
 * blocks of 64, where a broadcast to p processes counts as p - 1 messages. */
#include "cases.h"

enum { N = 2048, NB = 64 };

static double bytes, messages; /* from this process since the last look */

int MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r)
{
    int size = 0;
    MPI_Type_size(t, &size);
    bytes += (double)n * size, messages += 1;
    return PMPI_Isend(b, n, t, to, tag, c, r);
}

typedef struct mean { double mb, messages; } mean;

static mean look(const team *t)
{
    double mine[2] = {bytes, messages}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    bytes = messages = 0;
    return (mean){1e-6 * all[0] / t->size, all[1] / t->size};
}

static tsl_status lu(tsl_context *x, tsl_view A, tsl_view p, tsl_view tau, tsl_view V)
{
    (void)tau, (void)V;
    return tsl_getrf(x, A, p, NULL);
}

static tsl_status qr(tsl_context *x, tsl_view A, tsl_view p, tsl_view tau, tsl_view V)
{
    (void)p, (void)V;
    return tsl_geqrf(x, A, tau);
}

static tsl_status eigenvalues(tsl_context *x, tsl_view A, tsl_view p, tsl_view w, tsl_view V)
{
    (void)p, (void)V;
    return tsl_syev(x, tsl_lower(A), NULL, w, (tsl_view){0}, NULL, NULL);
}

static tsl_status eigenpairs(tsl_context *x, tsl_view A, tsl_view p, tsl_view w, tsl_view V)
{
    (void)p;
    return tsl_syev(x, tsl_lower(A), NULL, w, V, NULL, NULL);
}

static tsl_status cholesky(tsl_context *x, tsl_view A, tsl_view p, tsl_view tau, tsl_view V)
{
    (void)p, (void)tau, (void)V;
    return tsl_potrf(x, tsl_lower(A), NULL);
}

static tsl_status indefinite(tsl_context *x, tsl_view A, tsl_view p, tsl_view tau, tsl_view V)
{
    (void)tau, (void)V;
    return tsl_sytrf(x, tsl_lower(A), p, NULL);
}

/* ScaLAPACK's MB, on the grids 2x2, 2x4 and 4x4 (0: not asked), and how many times as much we may send; of eigenvalues
 * pdsyev's, of vectors pdsyevd's. It has no sytrf: three quarters of the matrix instead. */
static const struct routine {
    const char *name;
    tsl_status (*run)(tsl_context *x, tsl_view A, tsl_view p, tsl_view tau, tsl_view V);
    double theirs[3], most;
} routines[] = {{"getrf", lu, {16.6, 12.6, 9.4}, 1.1},
                {"geqrf", qr, {13.0, 10.9, 9.8}, 1.2},
                {"potrf", cholesky, {8.3, 9.2, 6.2}, 1.1},
                {"syev", eigenvalues, {37, 38, 26}, 2},
                {"syev with vectors", eigenpairs, {0, 79, 64}, 2},
                {"sytrf", indefinite, {25.2, 0, 0}, 0.85}};

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *x = team_context(&t, "host:1");
    tsl_layout l = tsl_layout_matrix(t.grid, NB), lp = tsl_layout_whole(t.grid, TSL_EVERY, TSL_EVERY);
    tsl_matrix *A = NULL, *p = NULL, *tau = NULL, *V = NULL;
    int grid = t.size == 4 ? 0 : t.size == 8 ? 1 : 2;
    lp.rows = l.rows;
    int good = !tsl_matrix_create_on(x, &l, TSL_D, N, N, &A) && !tsl_matrix_create_on(x, &lp, TSL_INDEX, N, 1, &p) &&
               !tsl_matrix_create_on(x, &lp, TSL_D, N, 1, &tau) && !tsl_matrix_create_on(x, &l, TSL_D, N, N, &V);
    all_ok(&t, good, "a matrix of order %d", N);
    for (unsigned i = 0; i < COUNT(routines) && good; i++) {
        const struct routine *r = &routines[i];
        if (r->theirs[grid] == 0) continue;
        tsl_status st = tsl_random(x, 1 + i, tsl_whole(A));
        for (int64_t j = 0; j < N && r->run == cholesky && !st; j += NB)
            st = tsl_laset(x, 0, 4 * N, tsl_sub(tsl_whole(A), j, j, NB, NB));
        look(&t);
        if (!st) st = r->run(x, tsl_whole(A), tsl_whole(p), tsl_whole(tau), tsl_whole(V));
        mean m = look(&t);
        all_ok(&t, !st && m.mb <= r->most * r->theirs[grid],
               "%s on %dx%d: a process sends %.2f MB in %.0f messages; ScaLAPACK %.1f MB (%s)", r->name, t.rows, t.cols, m.mb,
               m.messages, r->theirs[grid], tsl_status_name(st));
    }
    tsl_matrix_free(A), tsl_matrix_free(p), tsl_matrix_free(tau), tsl_matrix_free(V);
    tsl_context_destroy(x);
    return team_close(&t);
}
