/* Grids of BLACS contexts. The BLACS is the process's own, whichever that is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/scalapack/scalapack.h"
#include "grid/entry.h"

enum { SYSTEM_CONTEXT = 10 };

typedef struct entry {
    int blacs;
    tsl_grid *grid;      /* NULL: none is to be had, on any of its processes */
    tsl_matrix *nowhere; /* 0 x 0, on it */
    struct entry *older;
} entry;

static entry *latest;

bool pblas_place(int blacs, int at[2])
{
    static void (*gridinfo)(int, int *, int *, int *, int *);
    int rows = 0, cols = 0;
    if (!gridinfo) gridinfo = (void (*)(int, int *, int *, int *, int *))dlsym(RTLD_DEFAULT, "Cblacs_gridinfo");
    if (!gridinfo) return false;
    gridinfo(blacs, &rows, &cols, &at[0], &at[1]);
    return rows > 0 && at[0] >= 0;
}

void pblas_abort(int blacs, int code)
{
    void (*next)(int, int) = (void (*)(int, int))dlsym(RTLD_DEFAULT, "Cblacs_abort");
    if (next) next(blacs, code);
    MPI_Abort(MPI_COMM_WORLD, code);
}

/* All processes have what they need, or none has the grid. */
static void complete(entry *e, MPI_Comm comm)
{
    static const int nothing[9] = {1, 0, 0, 0, 1, 1, 0, 0, 1};
    tsl_context *ctx = pblas_context();
    int here = ctx && e->grid && !tsl_wrap_desc_alone(ctx, e->grid, TSL_D, nothing, NULL, &e->nowhere), all = 0;
    if (!MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_MIN, comm) && all) return;
    tsl_matrix_free(e->nowhere);
    tsl_grid_free(e->grid);
    e->grid = NULL;
}

MPI_Comm pblas_comm(int blacs)
{
    void (*get)(int, int, int *) = (void (*)(int, int, int *))dlsym(RTLD_DEFAULT, "Cblacs_get");
    MPI_Comm (*system)(int) = (MPI_Comm(*)(int))dlsym(RTLD_DEFAULT, "Cblacs2sys_handle");
    int handle = -1;
    if (!get || !system) return MPI_COMM_NULL;
    get(blacs, SYSTEM_CONTEXT, &handle);
    return system(handle);
}

static void make(entry *e)
{
    void (*gridinfo)(int, int *, int *, int *, int *) =
        (void (*)(int, int *, int *, int *, int *))dlsym(RTLD_DEFAULT, "Cblacs_gridinfo");
    int rows = 0, cols = 0, row, col;
    MPI_Comm ordered;
    if (!gridinfo) return;
    gridinfo(e->blacs, &rows, &cols, &row, &col);
    if (rows < 1 || cols < 1 || row < 0 || col < 0) return;
    MPI_Comm comm = pblas_comm(e->blacs);
    if (comm == MPI_COMM_NULL || MPI_Comm_split(comm, 0, row * cols + col, &ordered)) return;
    if (tsl_grid_create(ordered, rows, cols, &e->grid)) e->grid = NULL;
    complete(e, ordered);
    MPI_Comm_free(&ordered);
}

tsl_grid *pblas_grid(int blacs, tsl_matrix **nowhere)
{
    entry *e = latest;
    while (e && e->blacs != blacs) e = e->older;
    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e) pblas_abort(blacs, TSL_ERR_MEMORY); /* alone: the others would wait */
        *e = (entry){.blacs = blacs, .older = latest};
        latest = e;
        make(e);
    }
    *nowhere = e->nowhere;
    return e->grid;
}

/* The number may mean another grid after this. */
static void forget(int blacs)
{
    for (entry **at = &latest; *at; at = &(*at)->older)
        if ((*at)->blacs == blacs) {
            entry *e = *at;
            *at = e->older;
            tsl_matrix_free(e->nowhere);
            tsl_grid_free(e->grid);
            free(e);
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
