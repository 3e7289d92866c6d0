/* The table of numbers.def. */
#include "tune/numbers.h"

#include "context/context.h"

int64_t tsl_tuned_for(bool gpu, tsl_tuned_number which)
{
    static const struct {
        int64_t host, gpu;
    } numbers[TSL_TUNED_NUMBERS] = {
#define TSL_NUMBER(name, host, gpu) {host, gpu},
#include "tune/numbers.def"
#undef TSL_NUMBER
    };
    return gpu ? numbers[which].gpu : numbers[which].host;
}

int64_t tsl_tuned(const tsl_context *x, tsl_tuned_number which) { return tsl_tuned_for(x->dev->be->accelerator, which); }
