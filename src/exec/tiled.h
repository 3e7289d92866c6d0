/* Calls on tiled matrices, from the public call to tasks. */
#ifndef TSL_TILED_H
#define TSL_TILED_H

#include "exec/exec.h"
#include "runtime/runtime.h"

/* tiled.c: cuts a call whose operands' tiles agree down to tasks */
tsl_status tsl_tiled_run(tsl_context *x, const tsl_call *c);
bool tsl_has_tiled_form(tsl_opcode op);

/* blocks.c: a copy or scaling, piece by piece, each in one tile of every operand; tiles need not agree */
tsl_status tsl_tiled_blocks(tsl_context *x, const tsl_call *c, tsl_status (*piece)(tsl_context *x, const tsl_call *c));

/* tiled_call.c: the caller's own call, checked; flat operands are seen as tiles for its length */
tsl_status tsl_tiled_call(tsl_context *x, const tsl_call *c);
/* tiled_matrix.c: the context's runtime, opened if need be */
tsl_status tsl_tiled_runtime(tsl_context *x, tsl_runtime **rt);
/* tiled_call.c: the space a flat matrix is in */
int tsl_space_of(const tsl_context *x, const tsl_matrix *a);
/* tiled_call.c: after the runtime has finished: info of what ran, to where tsl_info looks for it */
tsl_status tsl_tiled_info(tsl_context *x);
/* tiled_call.c: waits for the tasks so far: is info still 0? */
bool tsl_tiled_good(tsl_context *x);

#endif
