/* Grids of BLACS contexts. The BLACS is the process's own, whichever that is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/scalapack/scalapack.h"

enum { GRIDS = 64, SYSTEM_CONTEXT = 10 };

static struct {
    int blacs;
    tsl_grid *grid;
} known[GRIDS];
static int count;

static tsl_grid *make(int blacs)
{
    void (*get)(int, int, int *) = (void (*)(int, int, int *))dlsym(RTLD_DEFAULT, "Cblacs_get");
    void (*gridinfo)(int, int *, int *, int *, int *) =
        (void (*)(int, int *, int *, int *, int *))dlsym(RTLD_DEFAULT, "Cblacs_gridinfo");
    MPI_Comm (*system)(int) = (MPI_Comm(*)(int))dlsym(RTLD_DEFAULT, "Cblacs2sys_handle");
    int rows = 0, cols = 0, row, col, handle = -1;
    MPI_Comm ordered;
    tsl_grid *g = NULL;
    if (!get || !gridinfo || !system) return NULL;
    gridinfo(blacs, &rows, &cols, &row, &col);
    if (rows < 1 || cols < 1 || row < 0 || col < 0) return NULL;
    get(blacs, SYSTEM_CONTEXT, &handle); /* of the communicator of the grid's own processes */
    if (MPI_Comm_split(system(handle), 0, row * cols + col, &ordered)) return NULL;
    if (tsl_grid_create(ordered, rows, cols, &g)) g = NULL;
    MPI_Comm_free(&ordered);
    return g;
}

tsl_grid *pblas_grid(int blacs)
{
    for (int i = 0; i < count; ++i)
        if (known[i].blacs == blacs) return known[i].grid;
    tsl_grid *g = count < GRIDS ? make(blacs) : NULL;
    if (g) known[count].blacs = blacs, known[count++].grid = g;
    return g;
}

/* The number may mean another grid after this. */
static void forget(int blacs)
{
    for (int i = 0; i < count; ++i)
        if (known[i].blacs == blacs) {
            tsl_grid_free(known[i].grid);
            known[i] = known[--count];
            return;
        }
}

TSL_API void Cblacs_gridexit(int blacs)
{
    void (*next)(int) = (void (*)(int))pblas_next("Cblacs_gridexit");
    forget(blacs);
    if (next) next(blacs);
}

TSL_API void blacs_gridexit_(const int *blacs)
{
    void (*next)(const int *) = (void (*)(const int *))pblas_next("blacs_gridexit_");
    forget(*blacs);
    if (next) next(blacs);
}

/* Of several processes on a machine with several GPUs each has one of its own, unless TESELA_DEVICES says otherwise. */
tsl_context *pblas_context(void)
{
    static tsl_context *ctx;
    tsl_device_info d;
    const char *set = getenv("TESELA_DEVICES"), *local = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    if (ctx) return ctx;
    if (tsl_context_create(NULL, &ctx)) return ctx = NULL;
    if ((set && *set) || tsl_device_count(ctx) < 2 || tsl_device_query(ctx, 0, &d) || strcmp(d.backend, "cuda")) return ctx;
    char spec[32];
    tsl_config config = tsl_config_default();
    snprintf(spec, sizeof spec, "cuda:%d", (local ? atoi(local) : 0) % tsl_device_count(ctx));
    config.devices = spec;
    tsl_context_destroy(ctx);
    return tsl_context_create(&config, &ctx) ? ctx = NULL : ctx;
}
