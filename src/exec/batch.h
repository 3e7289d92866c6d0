/* Batches: calls on problems of one shape, side by side. */
#ifndef TSL_BATCH_H
#define TSL_BATCH_H

#include "exec/exec.h"

/* batch.c: has an operand problems, of which none is picked out? */
bool tsl_is_all(const tsl_view *v);
bool tsl_is_batch(const tsl_call *c);
int64_t tsl_count_of(const tsl_call *c); /* how many */
/* batch_share.c: the caller's own call on batches; its infos go where its results say */
tsl_status tsl_batch_call(tsl_context *x, const tsl_call *c);
/* batch_run.c: the same on operands in the memory of x's device: by a leaf, by an algorithm on the whole batch, or one problem
 * after the other */
tsl_status tsl_batch_run(tsl_context *x, const tsl_call *c);

/* Some of the problems, from `from` on. known: their infos, on the host; those are taken of which it is `only`. NULL: all
 * are. */
typedef struct tsl_some {
    int64_t from, count, only;
    const int64_t *known;
} tsl_some;
/* batch_beside.c: each by itself, on several queues of an accelerator; *taken: that has been done, else nothing. The host can
 * read c's pointers. */
tsl_status tsl_batch_beside(tsl_context *x, const tsl_call *c, tsl_some s, bool *taken);

/* batch_run.c: adds to the infos that are not 0, of so many problems */
tsl_status tsl_batch_count_from(tsl_context *x, int64_t count, int64_t base);

/* batch_check.c: what must hold of operands as they are described; and, where there is something to compute, of where their
 * problems are. Arrays of pointers that the host cannot read are not looked at. */
tsl_status tsl_batch_check(tsl_context *x, const tsl_call *c);
tsl_status tsl_batch_check_places(tsl_context *x, const tsl_call *c);

/* dispatch.c: tsl_info is 0 from here on: infos of a batch are told to the caller of the call alone */
void tsl_clear_outcome(tsl_context *x);
/* leaf.c: is the algorithm at work one on a batch? */
bool tsl_in_batch(const tsl_context *x);

/* batch.c: problems from.. of the call's operands, which mat describes; or one of them: pointers that only the device can read
 * are copied first */
tsl_call tsl_problems_of(const tsl_call *c, int64_t from, int64_t count, tsl_matrix mat[TSL_MAX_OPERANDS]);
tsl_call tsl_problem_of(const tsl_call *c, int64_t k, tsl_matrix mat[TSL_MAX_OPERANDS]);
/* batch.c: can the host not read the array of pointers, because it is in a device's memory? */
bool tsl_pointers_are_far(const tsl_matrix *a);
/* batch.c: single problems that the views of a call pick out; they are read where only the device knows their places */
tsl_status tsl_pick_problems(tsl_context *x, tsl_call *c, tsl_matrix mat[TSL_MAX_OPERANDS]);

/* batch_stage.c: operands that live elsewhere, brought to the device without gaps, and written ones put back. Their pointers
 * can be read by the host. */
typedef struct tsl_batch_staging {
    tsl_matrix copy[TSL_MAX_OPERANDS];
    tsl_view original[TSL_MAX_OPERANDS];
    bool staged[TSL_MAX_OPERANDS];
    void *packed[TSL_MAX_OPERANDS]; /* on the host, where problems have gaps between them */
    size_t bytes[TSL_MAX_OPERANDS];
    void *pointers[TSL_MAX_OPERANDS]; /* on the device, a copy of the array of pointers that was given */
    void *const *given[TSL_MAX_OPERANDS];
} tsl_batch_staging;

/* takes memory of the host's, for as many problems as c has, or fewer */
tsl_status tsl_batch_stage_open(tsl_context *x, const tsl_call *c, tsl_batch_staging *s);
tsl_status tsl_batch_stage_take(tsl_context *x, tsl_call *c, tsl_batch_staging *s); /* of the device's; nothing, in a dry run */
tsl_status tsl_batch_stage_in(tsl_context *x, const tsl_call *c, tsl_batch_staging *s);
tsl_status tsl_batch_stage_out(tsl_context *x, const tsl_call *c, tsl_batch_staging *s); /* waits */
void tsl_batch_stage_close(tsl_context *x, tsl_batch_staging *s);
size_t tsl_batch_stage_bytes(const tsl_call *c); /* of device memory, for a problem */

#endif
