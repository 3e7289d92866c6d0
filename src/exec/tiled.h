/* Calls on tiled matrices, from the public call to tasks. */
#ifndef TSL_TILED_H
#define TSL_TILED_H

#include "exec/exec.h"
#include "runtime/runtime.h"

/* tiled.c: cuts a call whose operands' tiles agree down to tasks */
tsl_status tsl_tiled_run(tsl_context *x, const tsl_call *c);
bool tsl_has_tiled_form(tsl_opcode op);
bool tsl_tiled_takes(tsl_opcode op, tsl_algo text); /* is the call cut by this text if it is asked for by name? */

/* blocks.c: a copy or scaling, piece by piece, each in one tile of every operand; tiles need not agree */
tsl_status tsl_tiled_blocks(tsl_context *x, const tsl_call *c, tsl_status (*piece)(tsl_context *x, const tsl_call *c));

/* tiled_call.c: the caller's own call, checked; flat operands are seen as tiles for its length */
tsl_status tsl_tiled_call(tsl_context *x, const tsl_call *c);
/* tiled_matrix.c: the context's runtime, opened if need be */
tsl_status tsl_tiled_runtime(tsl_context *x, tsl_runtime **rt);
/* room.c: the most a task of the call takes on a device: slots for its tiles, and workspace; tile: the largest of those slots */
typedef struct tsl_task_need {
    size_t tiles, workspace, tile;
} tsl_task_need;
tsl_status tsl_need_of_task(tsl_context *x, const tsl_call *c, int64_t nb, tsl_device *dev, tsl_task_need *need);
tsl_status tsl_scout_task(tsl_context *x, const tsl_call *c); /* instead of submitting it, in a dry run */
/* tiled_call.c: do two operands mean the same elements? */
bool tsl_same_block(const tsl_view *a, const tsl_view *b);
/* tiled_call.c: the space a flat matrix is in */
int tsl_space_of(const tsl_context *x, const tsl_matrix *a);

/* region.c: before a call in a region. What was submitted on other wraps of the memory it uses is waited for, and tiles are read again. */
tsl_status tsl_region_meet(tsl_context *x, const tsl_call *c);

/* info.c: a word for the outcome of the call that is being cut into tasks, and what becomes of it: the call failed, and has none; or the
 * account ends, with an error or not, and its outcome goes to where tsl_info looks for it. Nothing runs then. */
tsl_status tsl_outcome_take(tsl_context *x);
void tsl_outcome_drop(tsl_context *x);
tsl_status tsl_outcomes_end(tsl_context *x, tsl_status st);

#endif
