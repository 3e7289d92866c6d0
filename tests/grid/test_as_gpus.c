/* The ways that grids of GPUs take, on devices that have nothing of a GPU but a memory of their own, or on those that
 * TESELA_TEST_DEVICES names: problems in the host's memory and in the devices', on grids of several shapes. */
#include <stdlib.h>

#include "context/context.h"
#include "device/device.h"
#include "grid/grid.h"
#include "grid/problems.h"

enum { PROCESSES = 8 };
static const int64_t orders[] = {1, 5, 24, 67, 131};
static const int shapes[][2] = {{1, 1}, {2, 2}, {1, 3}, {3, 2}, {1, 7}, {2, 4}};

static tsl_backend gpu; /* filled by main */

static const char *devices(void)
{
    const char *other = getenv("TESELA_TEST_DEVICES"); /* as on a GPU: cuda:0 */
    return other ? other : "host:1,mem=64M";
}

typedef struct job {
    problem what;
    tsl_type type;
    tsl_scheme scheme;
    int64_t n, nb;
    outcome of[PROCESSES];
} job;

static tsl_status run(tsl_grid *g, void *user)
{
    job *j = user;
    int me = tsl_grid_row(g) * tsl_grid_cols(g) + tsl_grid_col(g);
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = devices();
    tsl_status st = tsl_context_create(&config, &x);
    if (st) return st;
    const tsl_backend *own = x->dev->be;
    if (!own->accelerator) x->dev->be = &gpu;
    g->chunks = 0; /* small chases, too, are by several */
    j->of[me] = solved_in(x, g, j->scheme, j->what, j->type, j->n, j->nb);
    x->dev->be = own; /* memory goes back as it was taken */
    tsl_context_destroy(x);
    return j->of[me].st;
}

static void solve(problem what, tsl_type type, int64_t n, int64_t nb, tsl_scheme scheme, int rows, int cols)
{
    job j = {.what = what, .type = type, .scheme = scheme, .n = n, .nb = nb};
    tsl_status st = tsl_grid_threads(rows, cols, run, &j);
    double units = st ? INFINITY : residual(&j.of[0], what, type, n);
    const char *where = scheme == TSL_ON_DEVICE ? "on devices" : "in the host's memory";
    check(!st && j.of[0].info <= 0 && units < 30, "n %d, nb %d on %dx%d, %s: %s, info %d, residual %.1f", (int)n, (int)nb, rows,
          cols, where, tsl_status_name(st), (int)j.of[0].info, units);
    for (int i = 1; i < rows * cols; i++) check(same_outcome(&j.of[0], &j.of[i]), "process %d has another outcome", i);
    for (int i = 0; i < rows * cols; i++) outcome_free(&j.of[i]);
}

/* An argument: the first problem */
int main(int argc, char **argv)
{
    gpu = tsl_host_backend;
    gpu.accelerator = true;
    for (problem what = argc > 1 ? (problem)atoi(argv[1]) : MULTIPLY; what < PROBLEMS; what++)
        for (tsl_type type = TSL_S; type <= TSL_Z; type++) {
            for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
                for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++) {
                    tsl_scheme scheme = (s + i) % 3 ? TSL_ON_DEVICE : TSL_IN_HOST;
                    solve(what, type, orders[i], (s + i) % 2 ? 8 : 5, scheme, shapes[s][0], shapes[s][1]);
                }
            checked("%s of type %c, as on GPUs", problem_names[what], tsl_type_letter(type));
        }
    return tap_done();
}
