/* The host's leaf computations, one per operation and type (blas.c, level1.c, level2.c, norm.c, solve.c, move.c, triangle.c,
 * posv.c, lu.c, lu_pivots.c, incpiv.c, qr.c, qrinc.c). */
#ifndef TSL_HOST_LEAF_H
#define TSL_HOST_LEAF_H

#include "core/leaf.h"

#define TSL_ALGORITHMS_ONLY(...)
#define TSL_OPERATION(id, name, ...)                                      \
    tsl_status tsl_host_s##name(struct tsl_queue *q, const tsl_leaf *l);     \
    tsl_status tsl_host_d##name(struct tsl_queue *q, const tsl_leaf *l);     \
    tsl_status tsl_host_c##name(struct tsl_queue *q, const tsl_leaf *l);     \
    tsl_status tsl_host_z##name(struct tsl_queue *q, const tsl_leaf *l);
#include "core/ops.def"
#undef TSL_OPERATION

/* solve.c: is one of the triangle's n pivots so small or large that OpenBLAS's inverse of it is none? */
bool tsl_host_sextreme(const tsl_leaf *l, int64_t n);
bool tsl_host_dextreme(const tsl_leaf *l, int64_t n);
bool tsl_host_cextreme(const tsl_leaf *l, int64_t n);
bool tsl_host_zextreme(const tsl_leaf *l, int64_t n);

/* lu_pivots.c: getrf without pivoting, and by tournament of rows in more than one group, which takes workspace */
#define TSL_HOST_LU(P)                                                                 \
    tsl_status tsl_host_##P##getrf_unpivoted(struct tsl_queue *q, const tsl_leaf *l);  \
    tsl_status tsl_host_##P##getrf_tournament(struct tsl_queue *q, const tsl_leaf *l);
TSL_HOST_LU(s)
TSL_HOST_LU(d)
TSL_HOST_LU(c)
TSL_HOST_LU(z)
#undef TSL_HOST_LU

/* Largest order of a triangle of a product, and of an inverse from LU factors, that the leaf takes; larger ones are cut outside it. */
#define TSL_HOST_LIMIT 64
/* Widest panel of QR with its reflectors' triangle: past that products are faster. */
#define TSL_HOST_QR_LIMIT 32

size_t tsl_host_norm_workspace(const tsl_leaf *l);
size_t tsl_host_qr_workspace(const tsl_leaf *l);
size_t tsl_host_tstrf_workspace(const tsl_leaf *l);
size_t tsl_host_qrinc_workspace(const tsl_leaf *l);
size_t tsl_host_getrf_workspace(const tsl_leaf *l);
size_t tsl_host_getrs_workspace(const tsl_leaf *l);

#endif
