/* The host's leaf computations, one per operation and type: products, vectors and solves (blas/), factorizations (lapack/),
 * copies and norms (move/). */
#ifndef TSL_HOST_LEAF_H
#define TSL_HOST_LEAF_H

#include "core/leaf.h"

#define TSL_ALGORITHMS_ONLY(...)
#define TSL_OPERATION(id, name, ...)                                      \
    tsl_status tsl_host_s##name(struct tsl_queue *q, const tsl_leaf *l);     \
    tsl_status tsl_host_d##name(struct tsl_queue *q, const tsl_leaf *l);     \
    tsl_status tsl_host_c##name(struct tsl_queue *q, const tsl_leaf *l);     \
    tsl_status tsl_host_z##name(struct tsl_queue *q, const tsl_leaf *l);     \
    extern const tsl_kernel_entry tsl_host_##name##_entry;
#include "core/ops.def"
#undef TSL_OPERATION

#define TSL_HOST_LEAVES(name) {tsl_host_s##name, tsl_host_d##name, tsl_host_c##name, tsl_host_z##name}

/* solve.c: is one of the triangle's n pivots so small or large that OpenBLAS's inverse of it is none? */
bool tsl_host_sextreme(const tsl_leaf *l, int64_t n);
bool tsl_host_dextreme(const tsl_leaf *l, int64_t n);
bool tsl_host_cextreme(const tsl_leaf *l, int64_t n);
bool tsl_host_zextreme(const tsl_leaf *l, int64_t n);

/* lu_pivots.c: LU without pivoting, and by tournament of rows in more than one group, which takes workspace */
#define TSL_HOST_LU(P)                                                                 \
    tsl_status tsl_host_##P##lu_unpivoted(struct tsl_queue *q, const tsl_leaf *l);  \
    tsl_status tsl_host_##P##lu_tournament(struct tsl_queue *q, const tsl_leaf *l);
TSL_HOST_LU(s)
TSL_HOST_LU(d)
TSL_HOST_LU(c)
TSL_HOST_LU(z)
#undef TSL_HOST_LU

/* qr.c: C of the leaf times one reflector */
#define TSL_HOST_QR(P, T) void tsl_host_##P##reflect(const tsl_leaf *l, int64_t one, int64_t at, int64_t rest, const T *v, T tau, T *w);
TSL_HOST_QR(s, float)
TSL_HOST_QR(d, double)
TSL_HOST_QR(c, tsl_cfloat)
TSL_HOST_QR(z, tsl_cdouble)
#undef TSL_HOST_QR

/* long.c: what has more rows, columns or elements than the host library can count */
#define TSL_HOST_LONG(P, T)                                                                                                       \
    void tsl_host_##P##axpy_long(int64_t n, T alpha, const T *x, int64_t incx, T *y, int64_t incy);                                  \
    T tsl_host_##P##dot_long(int64_t n, const T *x, int64_t incx, const T *y, int64_t incy, bool conjugate);                         \
    void tsl_host_##P##gemv_long(const tsl_leaf *l);                                                                                \
    void tsl_host_##P##ger_long(const tsl_leaf *l);                                                                                 \
    void tsl_host_##P##gemm_long(const tsl_leaf *l);                                                                                \
    tsl_status tsl_host_##P##rank_long(struct tsl_queue *q, const tsl_leaf *l, tsl_kernel fn);                                      \
    tsl_status tsl_host_##P##sided_long(struct tsl_queue *q, const tsl_leaf *l, tsl_kernel fn);
TSL_HOST_LONG(s, float)
TSL_HOST_LONG(d, double)
TSL_HOST_LONG(c, tsl_cfloat)
TSL_HOST_LONG(z, tsl_cdouble)
#undef TSL_HOST_LONG
/* long.c: workspace for that, of a product; of an update by products with one inner dimension; of an operation with a square
 * matrix on one side */
size_t tsl_host_gemm_long_workspace(const tsl_leaf *l);
size_t tsl_host_rank_long_workspace(const tsl_leaf *l);
size_t tsl_host_sided_long_workspace(const tsl_leaf *l);

/* emulated.c: a product by residues, all of C or a triangle of it, and workspace for it; of one that is not: 0. And of a
 * triangle of one, and of a rank-k update */
void tsl_host_emulated(const tsl_leaf *l, tsl_uplo part);
size_t tsl_host_emulated_workspace(const tsl_leaf *l);
size_t tsl_host_gemmt_workspace(const tsl_leaf *l);
size_t tsl_host_rank_k_workspace(const tsl_leaf *l);

/* Largest order of a triangle of a product, and of an inverse from LU factors, that the leaf takes; larger ones are cut outside
 * it. */
#define TSL_HOST_LIMIT 64
size_t tsl_host_lu_workspace(const tsl_leaf *l); /* lu_pivots.c */
/* is each of the pivots one of these? */
bool tsl_host_are_rows(const int64_t *piv, int64_t count, int64_t first, int64_t last);

/* batch.c: of every operation that has a leaf */
extern const tsl_batch_entry tsl_host_batch_entry;

/* tiny.c: a problem of a batch, so small that the host library's calls would be most of its time; and by plain loops its
 * factors, A = L L^H or P L U as potrf and LU leave them, and C := inv(U) inv(L) P^T C */
static inline bool tsl_host_is_tiny(const tsl_leaf *l)
{
    enum { LARGEST = 8 };
    return l->count && l->A.m <= LARGEST && l->A.n <= LARGEST && l->A.op == TSL_NOTRANS;
}
#define TSL_HOST_TINY(P)                                  \
    void tsl_host_##P##tiny_cholesky(const tsl_leaf *l);  \
    void tsl_host_##P##tiny_lu(const tsl_leaf *l);        \
    void tsl_host_##P##tiny_solve(const tsl_leaf *l);
TSL_HOST_TINY(s)
TSL_HOST_TINY(d)
TSL_HOST_TINY(c)
TSL_HOST_TINY(z)
#undef TSL_HOST_TINY

#endif
