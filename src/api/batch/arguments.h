/* A typed call on a batch while its arguments are checked (batch.c), and how those are run that make numbers (numbers.c). */
#ifndef TSL_API_BATCH_ARGUMENTS_H
#define TSL_API_BATCH_ARGUMENTS_H

#include "api/batch/batch.h"

typedef enum kind { IS_LETTER, IS_SIZE, IS_NUMBER, IS_SCALAR, IS_REAL, IS_BLOCK, IS_MAYBE, IS_COLUMN, IS_EACH, IS_RESULT } kind;

/* What letters, numbers and scalars say. Jobs, and numbers, are looked at by what is particular about the call. */
enum {
    JOBZ,
    JOBU,
    JOBVT,
    JOBVL,
    JOBVR,
    JOBVS,
    SORT,
    FACTORS_IN_A,
    JOBS,
    UPLO,
    SIDE,
    DIAG,
    TRANS_OF_A,
    TRANS_OF_B,
    TRANS_OF_Q,
    HERM_OF_A,
    NORM_OF_A,
    NORM_OF_INVERSE
};
enum { ITYPE, IL, IU, NUMBERS };
enum { ALPHA, BETA, RCOND, TOLERANCE };
enum { M, N, K, SIZES };

typedef struct argument {
    kind kind;
    const char *name;
    int which;
} argument;

/* A call while its arguments are checked: `next` is the number of the one to come. Shapes of operands are known when all
 * letters and sizes are; one that cannot influence the result is not read. */
typedef struct check {
    tsl_args d;
    tsl_leaf l;
    int next;
    char job[JOBS];
    int64_t size[SIZES], number[NUMBERS], rows[TSL_MAX_OPERANDS], cols[TSL_MAX_OPERANDS];
    void *result[2];
    bool shaped, sided, unread[TSL_MAX_OPERANDS];
} check;

/* numbers.c: the accepted call; what comes of it goes to the results */
tsl_status tsl_batch_count_first(check *k, tsl_call *c);
tsl_status tsl_batch_norms(check *k, tsl_call *c);
tsl_status tsl_batch_conditions(check *k, tsl_call *c);
tsl_status tsl_batch_determinants(check *k, tsl_call *c);

#endif
