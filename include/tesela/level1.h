/** @file
 * tesela/level1.h - vectors.
 *
 * On views a vector is a view with one row or one column. Calls that make a number wait for it; it is zero for no
 * elements.
 *
 * Typed calls, as in BLAS: n <= 0 is no error; there is nothing to do, or the result is zero. Increments may be
 * negative, but then scal does nothing and asum and iamax are zero. An increment of zero has BLAS's meaning where the
 * context computes in host memory; elsewhere it is TSL_ERR_SIZE. Results, param and the arguments of rotg and rotmg are
 * in host memory. */
#ifndef TESELA_LEVEL1_H
#define TESELA_LEVEL1_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- updates ------------------------------------------------------------------------------------------------------------ */

/** x := alpha x. Unlike tsl_scale, alpha = 0 keeps NaN and makes NaN of Inf. csscal, zdscal: alpha is real. */
TSL_API tsl_status tsl_scal(tsl_context *ctx, tsl_scalar alpha, tsl_view x);
TSL_API tsl_status tsl_sscal(tsl_context *ctx, int64_t n, float alpha, float *x, int64_t incx);
TSL_API tsl_status tsl_dscal(tsl_context *ctx, int64_t n, double alpha, double *x, int64_t incx);
TSL_API tsl_status tsl_cscal(tsl_context *ctx, int64_t n, tsl_cfloat alpha, tsl_cfloat *x, int64_t incx);
TSL_API tsl_status tsl_zscal(tsl_context *ctx, int64_t n, tsl_cdouble alpha, tsl_cdouble *x, int64_t incx);
TSL_API tsl_status tsl_csscal(tsl_context *ctx, int64_t n, float alpha, tsl_cfloat *x, int64_t incx);
TSL_API tsl_status tsl_zdscal(tsl_context *ctx, int64_t n, double alpha, tsl_cdouble *x, int64_t incx);

/** y := alpha x + y. alpha = 0 reads and writes nothing. */
TSL_API tsl_status tsl_axpy(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view y);
TSL_API tsl_status tsl_saxpy(tsl_context *ctx, int64_t n, float alpha, const float *x, int64_t incx, float *y, int64_t incy);
TSL_API tsl_status tsl_daxpy(tsl_context *ctx, int64_t n, double alpha, const double *x, int64_t incx, double *y, int64_t incy);
TSL_API tsl_status tsl_caxpy(tsl_context *ctx, int64_t n, tsl_cfloat alpha, const tsl_cfloat *x, int64_t incx, tsl_cfloat *y,
                             int64_t incy);
TSL_API tsl_status tsl_zaxpy(tsl_context *ctx, int64_t n, tsl_cdouble alpha, const tsl_cdouble *x, int64_t incx, tsl_cdouble *y,
                             int64_t incy);

/** y := x; on views tsl_copy */
TSL_API tsl_status tsl_scopy(tsl_context *ctx, int64_t n, const float *x, int64_t incx, float *y, int64_t incy);
TSL_API tsl_status tsl_dcopy(tsl_context *ctx, int64_t n, const double *x, int64_t incx, double *y, int64_t incy);
TSL_API tsl_status tsl_ccopy(tsl_context *ctx, int64_t n, const tsl_cfloat *x, int64_t incx, tsl_cfloat *y, int64_t incy);
TSL_API tsl_status tsl_zcopy(tsl_context *ctx, int64_t n, const tsl_cdouble *x, int64_t incx, tsl_cdouble *y, int64_t incy);

/** Exchanges x and y. */
TSL_API tsl_status tsl_swap(tsl_context *ctx, tsl_view x, tsl_view y);
TSL_API tsl_status tsl_sswap(tsl_context *ctx, int64_t n, float *x, int64_t incx, float *y, int64_t incy);
TSL_API tsl_status tsl_dswap(tsl_context *ctx, int64_t n, double *x, int64_t incx, double *y, int64_t incy);
TSL_API tsl_status tsl_cswap(tsl_context *ctx, int64_t n, tsl_cfloat *x, int64_t incx, tsl_cfloat *y, int64_t incy);
TSL_API tsl_status tsl_zswap(tsl_context *ctx, int64_t n, tsl_cdouble *x, int64_t incx, tsl_cdouble *y, int64_t incy);

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

/** *result := x^T y. On views a conjugated x gives x^H y. Typed: dot and dotu are x^T y, dotc is x^H y. */
TSL_API tsl_status tsl_dot(tsl_context *ctx, tsl_view x, tsl_view y, tsl_scalar *result);
TSL_API tsl_status tsl_sdot(tsl_context *ctx, int64_t n, const float *x, int64_t incx, const float *y, int64_t incy,
                            float *result);
TSL_API tsl_status tsl_ddot(tsl_context *ctx, int64_t n, const double *x, int64_t incx, const double *y, int64_t incy,
                            double *result);
TSL_API tsl_status tsl_cdotu(tsl_context *ctx, int64_t n, const tsl_cfloat *x, int64_t incx, const tsl_cfloat *y, int64_t incy,
                             tsl_cfloat *result);
TSL_API tsl_status tsl_zdotu(tsl_context *ctx, int64_t n, const tsl_cdouble *x, int64_t incx, const tsl_cdouble *y,
                             int64_t incy, tsl_cdouble *result);
TSL_API tsl_status tsl_cdotc(tsl_context *ctx, int64_t n, const tsl_cfloat *x, int64_t incx, const tsl_cfloat *y, int64_t incy,
                             tsl_cfloat *result);
TSL_API tsl_status tsl_zdotc(tsl_context *ctx, int64_t n, const tsl_cdouble *x, int64_t incx, const tsl_cdouble *y,
                             int64_t incy, tsl_cdouble *result);

/** *result := the 2-norm of x, without overflow or underflow on the way; NaN if an element is. */
TSL_API tsl_status tsl_nrm2(tsl_context *ctx, tsl_view x, double *result);
TSL_API tsl_status tsl_snrm2(tsl_context *ctx, int64_t n, const float *x, int64_t incx, float *result);
TSL_API tsl_status tsl_dnrm2(tsl_context *ctx, int64_t n, const double *x, int64_t incx, double *result);
TSL_API tsl_status tsl_scnrm2(tsl_context *ctx, int64_t n, const tsl_cfloat *x, int64_t incx, float *result);
TSL_API tsl_status tsl_dznrm2(tsl_context *ctx, int64_t n, const tsl_cdouble *x, int64_t incx, double *result);

/** *result := the sum of |re| + |im|. */
TSL_API tsl_status tsl_asum(tsl_context *ctx, tsl_view x, double *result);
TSL_API tsl_status tsl_sasum(tsl_context *ctx, int64_t n, const float *x, int64_t incx, float *result);
TSL_API tsl_status tsl_dasum(tsl_context *ctx, int64_t n, const double *x, int64_t incx, double *result);
TSL_API tsl_status tsl_scasum(tsl_context *ctx, int64_t n, const tsl_cfloat *x, int64_t incx, float *result);
TSL_API tsl_status tsl_dzasum(tsl_context *ctx, int64_t n, const tsl_cdouble *x, int64_t incx, double *result);

/** *result := the place, counted from 1, of the first NaN; without NaN, of the first element whose |re| + |im| is largest. */
TSL_API tsl_status tsl_iamax(tsl_context *ctx, tsl_view x, int64_t *result);
TSL_API tsl_status tsl_isamax(tsl_context *ctx, int64_t n, const float *x, int64_t incx, int64_t *result);
TSL_API tsl_status tsl_idamax(tsl_context *ctx, int64_t n, const double *x, int64_t incx, int64_t *result);
TSL_API tsl_status tsl_icamax(tsl_context *ctx, int64_t n, const tsl_cfloat *x, int64_t incx, int64_t *result);
TSL_API tsl_status tsl_izamax(tsl_context *ctx, int64_t n, const tsl_cdouble *x, int64_t incx, int64_t *result);

/* ---- rotations ---------------------------------------------------------------------------------------------------------- */

/** x := c x + s y and y := c y - conj(s) x, at once. csrot, zdrot: s is real. */
TSL_API tsl_status tsl_rot(tsl_context *ctx, tsl_view x, tsl_view y, double c, tsl_scalar s);
TSL_API tsl_status tsl_srot(tsl_context *ctx, int64_t n, float *x, int64_t incx, float *y, int64_t incy, float c, float s);
TSL_API tsl_status tsl_drot(tsl_context *ctx, int64_t n, double *x, int64_t incx, double *y, int64_t incy, double c, double s);
TSL_API tsl_status tsl_crot(tsl_context *ctx, int64_t n, tsl_cfloat *x, int64_t incx, tsl_cfloat *y, int64_t incy, float c,
                            tsl_cfloat s);
TSL_API tsl_status tsl_zrot(tsl_context *ctx, int64_t n, tsl_cdouble *x, int64_t incx, tsl_cdouble *y, int64_t incy, double c,
                            tsl_cdouble s);
TSL_API tsl_status tsl_csrot(tsl_context *ctx, int64_t n, tsl_cfloat *x, int64_t incx, tsl_cfloat *y, int64_t incy, float c,
                             float s);
TSL_API tsl_status tsl_zdrot(tsl_context *ctx, int64_t n, tsl_cdouble *x, int64_t incx, tsl_cdouble *y, int64_t incy, double c,
                             double s);

/** Makes the rotation with [c s; -conj(s) c] [a; b] = [r; 0]. a becomes r. A real b becomes the z of BLAS. r has the
 * direction of a complex a; of real ones it has the sign of the larger of a and b. */
TSL_API tsl_status tsl_srotg(tsl_context *ctx, float *a, float *b, float *c, float *s);
TSL_API tsl_status tsl_drotg(tsl_context *ctx, double *a, double *b, double *c, double *s);
TSL_API tsl_status tsl_crotg(tsl_context *ctx, tsl_cfloat *a, tsl_cfloat *b, float *c, tsl_cfloat *s);
TSL_API tsl_status tsl_zrotg(tsl_context *ctx, tsl_cdouble *a, tsl_cdouble *b, double *c, tsl_cdouble *s);

/** [x; y] := H [x; y], real types only. param as in BLAS. param[0] = -1: H = [param[1] param[3]; param[2] param[4]]; 0:
 * the same with ones on the diagonal; 1: with h12 = 1 and h21 = -1; -2: H is the identity. */
TSL_API tsl_status tsl_rotm(tsl_context *ctx, tsl_view x, tsl_view y, const double param[5]);
TSL_API tsl_status tsl_srotm(tsl_context *ctx, int64_t n, float *x, int64_t incx, float *y, int64_t incy, const float *param);
TSL_API tsl_status tsl_drotm(tsl_context *ctx, int64_t n, double *x, int64_t incx, double *y, int64_t incy,
                             const double *param);

/** Makes the modified Givens rotation of BLAS: H with H [sqrt(d1) x1; sqrt(d2) y1] = [r; 0], in param as rotm takes it. */
TSL_API tsl_status tsl_srotmg(tsl_context *ctx, float *d1, float *d2, float *x1, float y1, float *param);
TSL_API tsl_status tsl_drotmg(tsl_context *ctx, double *d1, double *d2, double *x1, double y1, double *param);

#ifdef __cplusplus
}
#endif
#endif
