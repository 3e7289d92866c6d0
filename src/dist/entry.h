/* What a program that does not link MPI needs to run on a grid: found with dlsym in libtesela_mpi. */
#ifndef TSL_ENTRY_H
#define TSL_ENTRY_H

#include <stdbool.h>

#include "tesela.h"

struct tsl_grid;

typedef struct tsl_mpi_entry {
    /* all processes, rows x cols; rank: of this process; local: its number on its machine */
    tsl_status (*open)(int rows, int cols, struct tsl_grid **grid, int *rank, int *local);
    void (*close)(struct tsl_grid *grid);
    /* an array every process has all of, and a matrix dealt out in blocks of nb */
    tsl_status (*whole)(tsl_context *ctx, struct tsl_grid *grid, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld,
                        tsl_matrix **A);
    tsl_status (*matrix)(tsl_context *ctx, struct tsl_grid *grid, int64_t nb, bool on_device, tsl_type type, int64_t m, int64_t n,
                         tsl_matrix **A);
    void (*together)(struct tsl_grid *grid);                 /* waits until all processes are here */
    double (*largest)(struct tsl_grid *grid, double seconds); /* of all processes */
} tsl_mpi_entry;

TSL_API const tsl_mpi_entry *tsl_mpi_entry_points(void);

#endif
