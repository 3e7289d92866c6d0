/* What a program that does not link MPI needs to run on a grid: found with dlsym in libtesela_mpi or, where the processes are
 * its own threads, in libtesela. */
#ifndef TSL_ENTRY_H
#define TSL_ENTRY_H

#include <stdbool.h>

#include "core/private.h"
#include "tesela.h"

struct tsl_grid;

typedef struct tsl_grid_entry {
    /* all processes, rows x cols; rank: of this process; local: its number on its machine. NULL: threads have their ends */
    tsl_status (*open)(int rows, int cols, struct tsl_grid **grid, int *rank, int *local);
    void (*close)(struct tsl_grid *grid);
    /* an array every process has all of, and a matrix distributed in blocks of nb */
    tsl_status (*whole)(tsl_context *ctx, struct tsl_grid *grid, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld,
                        tsl_matrix **A);
    tsl_status (*matrix)(tsl_context *ctx, struct tsl_grid *grid, int64_t nb, bool on_device, tsl_type type, int64_t m, int64_t n,
                         tsl_matrix **A);
    void (*together)(struct tsl_grid *grid);                 /* waits until all processes are here */
    double (*largest)(struct tsl_grid *grid, double seconds); /* of all processes */
    void (*shape)(const struct tsl_grid *grid, int *rows, int *cols);
    /* By this process since the grid was made: messages but those from device to device, and their bytes */
    void (*sent)(const struct tsl_grid *grid, int64_t *messages, int64_t *bytes);
} tsl_grid_entry;

TSL_API const tsl_grid_entry *tsl_mpi_entry_points(void);
TSL_API const tsl_grid_entry *tsl_grid_entry_points(void);

/* entry.c: the members from `whole` on, for both */
#define TSL_GRID_ENTRIES \
    tsl_entry_whole, tsl_entry_matrix, tsl_entry_together, tsl_entry_largest, tsl_entry_shape, tsl_entry_sent
TSL_PRIVATE tsl_status tsl_entry_whole(tsl_context *ctx, struct tsl_grid *grid, tsl_type type, int64_t m, int64_t n, void *data,
                                       int64_t ld, tsl_matrix **A);
TSL_PRIVATE tsl_status tsl_entry_matrix(tsl_context *ctx, struct tsl_grid *grid, int64_t nb, bool on_device, tsl_type type,
                                        int64_t m, int64_t n, tsl_matrix **A);
TSL_PRIVATE void tsl_entry_together(struct tsl_grid *grid);
TSL_PRIVATE double tsl_entry_largest(struct tsl_grid *grid, double seconds);
TSL_PRIVATE void tsl_entry_shape(const struct tsl_grid *grid, int *rows, int *cols);
TSL_PRIVATE void tsl_entry_sent(const struct tsl_grid *grid, int64_t *messages, int64_t *bytes);

/* The shape of p processes if nobody says: as square as can be, no more rows than columns */
static inline void tsl_grid_square(int p, int *rows, int *cols)
{
    *rows = 1;
    for (int r = 1; r <= p / r; ++r)
        if (p % r == 0) *rows = r;
    *cols = p / *rows;
}

/* For ScaLAPACK's symbols (src/compat/scalapack). An array of the program's as a matrix, not agreed on with the other processes
 * before the call that uses it; and whether the last call on a grid got as far as its work, so that operands may have
 * changed. */
TSL_PRIVATE tsl_status tsl_wrap_desc_alone(tsl_context *ctx, struct tsl_grid *grid, tsl_type type, const int desc[9],
                                           void *local, tsl_matrix **A);
/* The program's array of what goes with the first `length` rows (cols: columns) of a descriptor's matrix, a copy in every
 * process column (row); of indices, room for them */
TSL_PRIVATE tsl_status tsl_vector_desc_alone(tsl_context *ctx, struct tsl_grid *grid, tsl_type type, const int desc[9],
                                             bool cols, int64_t length, void *local, tsl_matrix **v);
/* One that every process has all of: a column of `length` elements */
TSL_PRIVATE tsl_status tsl_everywhere_alone(tsl_context *ctx, struct tsl_grid *grid, tsl_type type, int64_t length,
                                            void *local, tsl_matrix **v);
TSL_PRIVATE bool tsl_grid_touched(const struct tsl_grid *grid);

#endif
