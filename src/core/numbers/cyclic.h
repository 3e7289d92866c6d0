/* Indices that p processes have by turns, in blocks of nb: which of all indices is the l-th of one process, and the other way
 * round. Used by host and device. */
#ifndef TSL_CYCLIC_H
#define TSL_CYCLIC_H

#include <stdint.h>

/* What one process has: first the `run` indices from `first` on, the rest of a block or a whole one, then a block in each
 * round. Counting begins after its first `before` ones. */
typedef struct tsl_cyclic { int64_t before, first, run, nb, processes; } tsl_cyclic;

#ifdef __CUDACC__
#define TSL_CYCLIC_CALL static inline __host__ __device__
#else
#define TSL_CYCLIC_CALL static inline
#endif

/* The index that is its l-th */
TSL_CYCLIC_CALL int64_t tsl_cyclic_index(const tsl_cyclic *c, int64_t l)
{
    l += c->before;
    if (l < c->run) return c->first + l;
    l -= c->run;
    return c->first + c->run + (c->processes - 1) * c->nb + l / c->nb * c->nb * c->processes + l % c->nb;
}

/* Its number of an index; negative: it does not have it, or that is one of those before */
TSL_CYCLIC_CALL int64_t tsl_cyclic_number(const tsl_cyclic *c, int64_t index)
{
    int64_t l = index - c->first, round = c->nb * c->processes;
    if (l < 0) return -1;
    if (l < c->run) return l - c->before;
    l -= c->run + (c->processes - 1) * c->nb;
    if (l < 0 || l % round >= c->nb) return -1;
    return c->run + l / round * c->nb + l % round - c->before;
}

#endif
