/* What a process takes of memory for eigenvalues, with vectors or without, its parts of the matrices included: no more than
 * 6 n^2 / P elements and some panels, on every process the same. All memory of a context is counted. */
#include "cases.h"

/* OF_TWO: more panels where two matrices become one, by products with two of them each */
enum { NB = 64, PANELS = 20, OF_TWO = 4, SHARES = 6 };

static size_t used, peak;

static void *take(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    used += bytes;
    peak = used > peak ? used : peak;
    return aligned_alloc(256, (bytes + 255) / 256 * 256);
}

static void give(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device;
    used -= bytes;
    free(p);
}

static tsl_context *counted(const team *t)
{
    static const tsl_allocator allocator = {take, give, NULL};
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = "host:1", config.allocator = &allocator, config.workspace_limit = 1;
    all_ok(t, !tsl_context_create(&config, &x), "a context with memory of the caller's");
    return x;
}

/* Values alone; all vectors; a quarter of them, by number; the same of two matrices */
enum { VALUES, ALL, SOME, SOME_OF_TWO };
static const char *const jobs[] = {"syev, values", "syev, vectors", "syev, some vectors", "sygv, some vectors"};

static void eigenpairs(const team *t, tsl_context *x, tsl_type type, int64_t n, int job)
{
    tsl_layout l = tsl_layout_matrix(t->grid, NB), whole = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    tsl_matrix *A = NULL, *B = NULL, *V = NULL, *w = NULL;
    tsl_selection some = {.range = TSL_RANGE_INDEX, .il = n / 2, .iu = n / 2 + n / 4 - 1}, *which = job >= SOME ? &some : NULL;
    tsl_status st = tsl_matrix_create_on(x, &l, type, n, n, &A);
    if (!st) st = tsl_matrix_create_on(x, &l, type, n, job == VALUES ? 0 : job == ALL ? n : n / 4, &V);
    if (!st && job == SOME_OF_TWO) st = tsl_matrix_create_on(x, &l, type, n, n, &B);
    if (!st && B) st = tsl_laset(x, 0, 2, tsl_whole(B));
    if (!st) st = tsl_matrix_create_on(x, &whole, type == TSL_C ? TSL_S : TSL_D, n, 1, &w);
    if (!st) st = tsl_random(x, 1, tsl_whole(A));
    peak = used;
    tsl_view S = A ? tsl_lower(tsl_whole(A)) : (tsl_view){0};
    if (!st && B) st = tsl_sygv(x, 1, S, tsl_lower(tsl_whole(B)), which, tsl_whole(w), tsl_whole(V), NULL, NULL);
    else if (!st) st = tsl_syev(x, S, which, tsl_whole(w), tsl_whole(V), NULL, NULL);
    double size = (double)tsl_type_size(type), mine = (double)peak / size, most[2] = {mine, -mine};
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double share = (double)n * (double)n / t->size, panel = (double)n * NB;
    int panels = PANELS + (job == SOME_OF_TWO ? OF_TWO : 0);
    all_ok(t, !st && mine <= SHARES * share + panels * panel,
           "%c%s, n = %d on %dx%d: a process takes %.1f to %.1f MB: %.2f n^2/P, or %.2f and %d panels; %s",
           tsl_type_letter(type), jobs[job], (int)n, t->rows, t->cols, -most[1] * size * 1e-6, most[0] * size * 1e-6,
           most[0] / share, (most[0] - panels * panel) / share, panels, tsl_status_name(st));
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(V), tsl_matrix_free(w);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *x = counted(&t);
    int64_t n = t.size > 4 ? 2048 : 1000;
    for (int job = VALUES; job <= ALL; job++) eigenpairs(&t, x, TSL_D, n, job);
    for (int job = ALL; job <= SOME_OF_TWO; job++) eigenpairs(&t, x, TSL_C, n / 2, job);
    tsl_context_destroy(x);
    return team_close(&t);
}
