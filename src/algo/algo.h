/* The blocked texts, and the few words they may use beyond the public operations. */
#ifndef TSL_ALGO_H
#define TSL_ALGO_H

#include "core/op.h"
#include "tesela.h"

tsl_status tsl_algo_trsm(tsl_context *x, const tsl_call *c);
tsl_status tsl_algo_rank_k(tsl_context *x, const tsl_call *c); /* syrk and herk */
tsl_status tsl_algo_potrf(tsl_context *x, const tsl_call *c);
tsl_status tsl_algo_potrf_ahead(tsl_context *x, const tsl_call *c);

/* tune/tune.c: the block size for the triangle A: the caller's "tile" if set, else the table's. */
int64_t tsl_block(tsl_context *x, tsl_opcode op, tsl_view A);
/* tune/tune.c: where to halve the triangle A: the largest block size times a power of two below its order. */
int64_t tsl_half(tsl_context *x, tsl_opcode op, tsl_view A);

/* exec/dispatch.c: an operation given as a call */
tsl_status tsl_execute(tsl_context *x, const tsl_call *c);

/* exec/lane.c: operations go on the chosen lane from here on; at a meeting each lane waits for what the other has so far. */
enum { TSL_ON_MAIN = 0, TSL_ON_AHEAD = 1 };
void tsl_on(tsl_context *x, int lane);
void tsl_meet(tsl_context *x);

#endif
