/* The algorithms of the variants, for the dispatcher. */
#include <string.h>

#include "algo/algo.h"

void tsl_algorithms_register(void)
{
    static const tsl_algo algorithms[TSL_VARIANT_COUNT] = {
#define TSL_VARIANT(op, name, function, flags, rule) function,
#include "core/variants.def"
#undef TSL_VARIANT
    };
    memcpy(tsl_algorithm, algorithms, sizeof algorithms);
}
