/* The skinny triangular solve of each element type; trsm_select.c chooses. */
#ifndef TSL_CUDA_TRSM_SKINNY_TYPE_H
#define TSL_CUDA_TRSM_SKINNY_TYPE_H

#include "kernel/cuda/leaf.h"

typedef struct tsl_trsm_skinny {
    tsl_status (*launch)(tsl_queue *q, const tsl_leaf *l);
    size_t (*workspace)(const tsl_leaf *l);
    size_t shared; /* bytes of shared memory a CTA needs at most */
    int shapes;
    const void *(*kernel)(void); /* some kernel of its file */
} tsl_trsm_skinny;

#ifdef __cplusplus
extern "C" {
#endif
extern const tsl_trsm_skinny tsl_trsm_skinny_s, tsl_trsm_skinny_d, tsl_trsm_skinny_c, tsl_trsm_skinny_z;
#ifdef __cplusplus
}
#endif
#endif
