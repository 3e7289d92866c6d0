/** @file
 * tesela_mpi.h - grids of MPI processes. Link libtesela_mpi beside libtesela. tesela_grid.h has all else.
 *
 * The end
 *  - MPI_Finalize waits for dead processes whatever the deadline, so a process for which the library would finalise MPI ends
 *    without.
 *  - After MPI_Finalize distributed matrices, their grids and contexts can be freed; calls on them return TSL_ERR_MPI. (Not
 *    on a grid of one process, where no call needs MPI but those that make matrices.)
 *
 * Threads
 *  - MPI is called from the caller's thread only, one call at a time: MPI_THREAD_SERIALIZED is enough for several threads,
 *    each with a context and a grid of its own. If MPI was initialised for less, calls from any thread but its main one
 *    return TSL_ERR_MPI.
 */
#ifndef TESELA_MPI_H
#define TESELA_MPI_H

#include <mpi.h>

#include "tesela_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The communicator's processes as rows x cols, rank by rank along the rows; both 0: as tsl_grid_create_tcp says. Collective
 * over comm, which is duplicated and may be any group. If nobody has initialised MPI this call does, and MPI is finalised at
 * exit by a process that exits with status 0 and has no collective call at work; any other ends without, and the launcher
 * ends the rest. Where it fails tsl_error(NULL) says why. */
TSL_API tsl_status tsl_grid_create(MPI_Comm comm, int rows, int cols, tsl_grid **grid);

#ifdef __cplusplus
}
#endif
#endif
