/* The panel of QR in one launch, of each element type; geqrf_select.c chooses. */
#ifndef TSL_CUDA_GEQRF_PANEL_TYPE_H
#define TSL_CUDA_GEQRF_PANEL_TYPE_H

#include "kernel/cuda/leaf.h"

typedef struct tsl_geqrt_panel {
    /* done: whether the device has room for all rows, and memory for their messages */
    tsl_status (*launch)(tsl_queue *q, const tsl_leaf *l, bool *done);
    size_t (*workspace)(const tsl_leaf *l);
    const void *(*kernel)(void); /* some kernel of its file */
} tsl_geqrt_panel;

#ifdef __cplusplus
extern "C" {
#endif
extern const tsl_geqrt_panel tsl_geqrt_panel_s, tsl_geqrt_panel_d, tsl_geqrt_panel_c, tsl_geqrt_panel_z;
#ifdef __cplusplus
}
#endif
#endif
