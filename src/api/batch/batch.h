/* The typed calls on batches, types erased (batch.c). */
#ifndef TSL_API_BATCH_H
#define TSL_API_BATCH_H

#include "api/batch/calls.h"
#include "api/typed.h"

/* An operand of all problems: at p, a stride apart, or each at a pointer */
typedef struct tsl_many {
    const void *p;
    void *const *each;
    int64_t ld, stride;
    bool at_pointers; /* the call has no strides, even if each is NULL */
} tsl_many;

/* One argument's value; which member is the kind's matter */
typedef union tsl_batch_value {
    char letter;
    int64_t size;
    tsl_scalar scalar;
    tsl_many many;
    void *result;
} tsl_batch_value;

enum {
#define ROW(name, ...) TSL_BATCH_##name,
    BATCH_ROWS(ROW)
#undef ROW
};

/* The call of that row: routine is its name after the type's letter */
tsl_status tsl_batch_typed(tsl_context *ctx, tsl_type t, int row, const char *routine, const tsl_batch_value *values,
                           int64_t count, int64_t *infos);

#endif
