/* The host's leaf computations, by type (blas.c, move.c). */
#ifndef TSL_HOST_LEAF_H
#define TSL_HOST_LEAF_H

#include "kernel/kernel.h"

#define TSL_HOST_LEAVES(p)                                                  \
    tsl_status tsl_host_##p##copy(struct tsl_queue *q, const tsl_leaf *l);  \
    tsl_status tsl_host_##p##scale(struct tsl_queue *q, const tsl_leaf *l); \
    tsl_status tsl_host_##p##gemm(struct tsl_queue *q, const tsl_leaf *l);  \
    tsl_status tsl_host_##p##trsm(struct tsl_queue *q, const tsl_leaf *l);  \
    tsl_status tsl_host_##p##syrk(struct tsl_queue *q, const tsl_leaf *l);  \
    tsl_status tsl_host_##p##herk(struct tsl_queue *q, const tsl_leaf *l);  \
    tsl_status tsl_host_##p##potrf(struct tsl_queue *q, const tsl_leaf *l);

TSL_HOST_LEAVES(s)
TSL_HOST_LEAVES(d)
TSL_HOST_LEAVES(c)
TSL_HOST_LEAVES(z)

#undef TSL_HOST_LEAVES

#endif
