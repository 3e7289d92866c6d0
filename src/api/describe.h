/* The typed calls by name: their operands and their work, for tsl_explain and tsl_flops. */
#ifndef TSL_DESCRIBE_H
#define TSL_DESCRIBE_H

#include "ops/ops.h"

typedef struct tsl_described {
    tsl_call c;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_type type;
    double flops; /* multiplications and additions, of complex numbers four times as many */
} tsl_described;

/* False: there is no such call. */
bool tsl_describe(const char *name, int64_t m, int64_t n, int64_t k, tsl_described *p);

#endif
