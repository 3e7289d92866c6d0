/* Calls on tiled matrices, from the public call to tasks. */
#ifndef TSL_TILED_H
#define TSL_TILED_H

#include "algo/algo.h"
#include "exec/exec.h"

/* table.c: at the start of the library */
void tsl_tiles_register(void);

/* call.c: would the tasks of the caller's own call find memory? */
tsl_status tsl_tiled_check_room(tsl_context *x, const tsl_call *c);
/* cut.c: cuts a call whose operands' tiles agree down to tasks */
tsl_status tsl_tiled_run(tsl_context *x, const tsl_call *c);
int64_t tsl_tiled_panel(const tsl_context *x, const tsl_call *c, int64_t k, int64_t nb); /* tsl_panel_from, where a panel is nb wide */
bool tsl_is_in_one_place(tsl_opcode op); /* is it one task, because no algorithm cuts it? */
bool tsl_is_one_task(tsl_opcode op);     /* that, or is each of its parts one, on whatever device has room for it? */
bool tsl_is_in_pieces(tsl_opcode op);    /* is it cut by an algorithm that uses runtime/pieces.h? */
bool tsl_takes_any_tiles(tsl_opcode op); /* is it cut where tiles end, so that those of its operands need not agree? */
bool tsl_tiled_takes(int variant); /* is the call cut by this algorithm if it is asked for by name? */

/* blocks.c: a copy or scaling, piece by piece, each in one tile of every operand; tiles need not agree */
tsl_status tsl_tiled_blocks(tsl_context *x, const tsl_call *c, tsl_status (*piece)(tsl_context *x, const tsl_call *c));

/* call.c: the caller's own call, checked; flat operands are seen as tiles for its length */
tsl_status tsl_tiled_call(tsl_context *x, const tsl_call *c);
/* matrix.c: the context's runtime, opened if need be */
tsl_status tsl_tiled_runtime(tsl_context *x, tsl_runtime **rt);
/* matrix.c: a tiled matrix for the caller; data: that of his array, or NULL. who: what lines about errors begin with */
tsl_status tsl_tiled_make(tsl_context *x, const char *who, tsl_type type, int64_t m, int64_t n, int64_t nb, void *data, int64_t ld,
                          tsl_matrix **A);
/* room.c: the most a task of the call takes on a device: slots for its tiles, and workspace; tile: the largest of those
 * slots */
typedef struct tsl_task_need {
    size_t tiles, workspace, tile;
} tsl_task_need;
/* nb: the side of tiles, or the width of those of an operation on panels */
tsl_status tsl_need_of_task(tsl_context *x, const tsl_call *c, int64_t nb, tsl_device *dev, tsl_task_need *need);
tsl_status tsl_dry_run_task(struct tsl_dry_run *s, const tsl_call *c); /* instead of submitting it, in a dry run */
/* room.c: does every device have room for its tiles, and workspace if that may be much? */
bool tsl_task_fits(tsl_context *x, const tsl_call *c, bool with_workspace);
/* call.c: rows and columns of the tiles operand i is to consist of; and does it, beginning where one does? */
typedef struct tsl_shape {
    int64_t mb, nb;
} tsl_shape;
tsl_shape tsl_shape_of(const tsl_call *c, int i, int64_t nb);
bool tsl_tiles_fit(const tsl_call *c, int i, int64_t nb);
/* call.c: do two operands mean the same elements? */
bool tsl_same_block(const tsl_view *a, const tsl_view *b);
/* call.c: the space a flat matrix is in */
int tsl_space_of(const tsl_context *x, const tsl_matrix *a);

/* plan.c: how the caller's call on flat matrices is computed, and by tiles of which size */
bool tsl_goes_in_order(tsl_context *x, const tsl_call *c); /* its tasks, by tiles */
tsl_decision tsl_decide(tsl_context *x, const tsl_call *c);
typedef struct tsl_tile_plan {
    int64_t nb;
    const char *why;
    int64_t slots;     /* tiles a device has room for; 0: they have for all */
    int device;        /* where memory is tightest: */
    size_t need, room; /* what one task needs there, and what there is; 0: plenty, nobody counted */
    bool tight;        /* what earlier calls keep on the first device is to be given back */
} tsl_tile_plan;
/* With the runtime open; given: the size of an operand's tiles, or 0. TSL_ERR_DEVICE_MEMORY: one task is too much, and told. */
tsl_status tsl_plan_tiles(tsl_context *x, const tsl_call *c, int64_t given, tsl_tile_plan *p);
tsl_status tsl_tell_tiles(tsl_context *x, const tsl_call *c, tsl_tile_plan *p);

/* diagonal.c: where diagonal blocks of a Cholesky factorization by tiles of order nb are factored */
typedef struct tsl_diagonal {
    bool on_cores;
    double device, core; /* seconds, the way to the core and back included; 0: the tables do not know */
    const char *why;
} tsl_diagonal;
tsl_diagonal tsl_diagonal_on(const tsl_context *x, tsl_opcode op, tsl_type type, int64_t nb);

/* read.c: waits for the tasks so far, and copies a column of few elements to the host */
tsl_status tsl_tiled_read(tsl_context *x, tsl_view column, void *to);
/* read.c: the other way, to a temporary matrix */
tsl_status tsl_tiled_write(tsl_context *x, const void *from, tsl_view column);

/* temp.c: a temporary matrix in tiles of mb x nb beside those of `like`, while the call is at work; and the end of all of them,
 * when nothing runs */
tsl_status tsl_tiled_temp(tsl_context *x, tsl_view like, tsl_type type, int64_t m, int64_t n, int64_t mb, int64_t nb,
                          tsl_view *v);
void tsl_tiled_temps_free(tsl_context *x);

/* options.c, matrix.c: for public functions on contexts and matrices */
void tsl_tiled_counters(tsl_context *x, tsl_counters *n); /* adds those of tasks */
void tsl_tiled_counters_reset(tsl_context *x);
double tsl_tiled_idle(const tsl_context *x, int device);
int64_t tsl_tiled_launches(const tsl_runtime *rt); /* of leaves, by all tasks so far; some may be running, in an open region */
tsl_status tsl_set_tiled(tsl_context *x, const char *option, const char *value); /* an option of tiled calls */
void tsl_tiled_dispose(tsl_matrix *A); /* a tiled matrix's own part for tsl_matrix_free */

#endif
