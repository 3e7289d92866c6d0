/* Numbers of machines that decisions go by (numbers.def). */
#ifndef TSL_NUMBERS_H
#define TSL_NUMBERS_H

#include <stdbool.h>

#include "tesela.h"

typedef enum tsl_tuned_number {
#define TSL_NUMBER(name, host, gpu) TSL_TUNED_##name,
#include "tune/numbers.def"
#undef TSL_NUMBER
    TSL_TUNED_NUMBERS
} tsl_tuned_number;

/* numbers.c: for a GPU, or for the host; and for the kind of the context's first device */
int64_t tsl_tuned_for(bool gpu, tsl_tuned_number which);
int64_t tsl_tuned(const tsl_context *x, tsl_tuned_number which);

#endif
