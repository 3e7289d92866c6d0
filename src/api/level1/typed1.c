/* The typed calls of level 1. As in BLAS no elements (n <= 0) is no error: nothing is looked at and a result is zero. */
#include <complex.h>
#include <math.h>

#include "api/typed.h"

/* Vector x is argument i, its increment the one after. */
static void arg_one(tsl_args *d, int i, tsl_type t, int64_t n, const void *x, int64_t incx, const char *what, const char *inc)
{
    if (n <= 0) return;
    tsl_arg_vector(d, i, what, t, x, n, incx);
    tsl_arg_step(d, i + 1, inc, incx);
}

static void arg_two(tsl_args *d, int i, tsl_type t, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy)
{
    arg_one(d, i, t, n, x, incx, "x", "incx");
    arg_one(d, i + 2, t, n, y, incy, "y", "incy");
}

/* The leaf with these vectors, whose arguments have been looked at; plain: it may go straight there if there are few
 * elements */
static tsl_status run_two(tsl_args *d, bool plain, tsl_leaf *l, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy)
{
    if (d->st || n <= 0) return d->st;
    l->n = n;
    l->A.p = (void *)x, l->A.ld = tsl_inc(n, incx), l->A.m = n, l->A.n = 1;
    l->B.p = (void *)y, l->B.ld = tsl_inc(n, incy), l->B.m = n, l->B.n = 1;
    return tsl_run(d, plain && tsl_few(n, 1, 1), l);
}

/* scal: a vector counted backwards is left alone, as in BLAS. By one it is left as it is, NaN and Inf included. */
static tsl_status scal(tsl_args *d, bool real, tsl_type t, int64_t n, tsl_scalar alpha, void *x, int64_t incx)
{
    if (incx <= 0) n = 0;
    arg_one(d, 3, t, n, x, incx, "x", "incx");
    if (d->st || n <= 0) return d->st;
    tsl_leaf l = {.op = TSL_OP_SCAL, .type = t, .scal = {.real = real}, .n = n, .alpha = alpha, .A = {x, tsl_inc(n, incx), n, 1}};
    return tsl_run(d, alpha != 1 && tsl_few(n, 1, 1), &l);
}

static tsl_status rot(tsl_args *d, tsl_type t, int64_t n, void *x, int64_t incx, void *y, int64_t incy, double c, tsl_scalar s)
{
    arg_two(d, 2, t, n, x, incx, y, incy);
    tsl_leaf l = {.op = TSL_OP_ROT, .type = t, .scal = {.real = cimag(s) == 0}, .alpha = c, .beta = s};
    return run_two(d, true, &l, n, x, incx, y, incy);
}

static tsl_status dot(tsl_args *d, bool herm, tsl_type t, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy,
                      const void *place, tsl_typed_scalar *value)
{
    *value = (tsl_typed_scalar){.z = 0};
    arg_two(d, 2, t, n, x, incx, y, incy);
    tsl_arg_place(d, 6, "result", place);
    if (d->st || n <= 0) return d->st;
    tsl_leaf l = {.op = TSL_OP_DOT, .type = t, .herm = herm, .n = n, .A = {(void *)x, tsl_inc(n, incx), n, 1, herm ? TSL_CONJ : TSL_NOTRANS},
                  .B = {(void *)y, tsl_inc(n, incy), n, 1}};
    return tsl_run_value(d, tsl_few(n, 1, 1), &l, value);
}

/* nrm2, asum and iamax; of a vector counted backwards only the first has another value than zero, as in BLAS. */
static tsl_status measure(tsl_args *d, tsl_opcode op, tsl_type t, int64_t n, const void *x, int64_t incx, const void *place,
                          tsl_typed_scalar *value)
{
    *value = (tsl_typed_scalar){.z = 0};
    /* opcode: a rule of BLAS for arguments, in the file of its family */
    if (op != TSL_OP_NRM2 && incx <= 0) n = 0;
    arg_one(d, 2, t, n, x, incx, "x", "incx");
    tsl_arg_place(d, 4, "result", place);
    if (d->st || n <= 0) return d->st;
    tsl_leaf l = {.op = op, .type = t, .n = n, .A = {(void *)x, tsl_inc(n, incx), n, 1}};
    return tsl_run_value(d, tsl_few(n, 1, 1), &l, value);
}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/level1/typed1.inc"
#include "core/types.inc"

/* Routines whose types are not one letter before their name: from complex to real numbers, to an index, and with complex
 * vectors and real scalars. */
tsl_status tsl_snrm2(tsl_context *ctx, int64_t n, const float *x, int64_t incx, float *result)
{
    return tsl_sreal_number(ctx, "snrm2", TSL_OP_NRM2, n, x, incx, result);
}

tsl_status tsl_dnrm2(tsl_context *ctx, int64_t n, const double *x, int64_t incx, double *result)
{
    return tsl_dreal_number(ctx, "dnrm2", TSL_OP_NRM2, n, x, incx, result);
}

tsl_status tsl_scnrm2(tsl_context *ctx, int64_t n, const tsl_cfloat *x, int64_t incx, float *result)
{
    return tsl_creal_number(ctx, "scnrm2", TSL_OP_NRM2, n, x, incx, result);
}

tsl_status tsl_dznrm2(tsl_context *ctx, int64_t n, const tsl_cdouble *x, int64_t incx, double *result)
{
    return tsl_zreal_number(ctx, "dznrm2", TSL_OP_NRM2, n, x, incx, result);
}

tsl_status tsl_sasum(tsl_context *ctx, int64_t n, const float *x, int64_t incx, float *result)
{
    return tsl_sreal_number(ctx, "sasum", TSL_OP_ASUM, n, x, incx, result);
}

tsl_status tsl_dasum(tsl_context *ctx, int64_t n, const double *x, int64_t incx, double *result)
{
    return tsl_dreal_number(ctx, "dasum", TSL_OP_ASUM, n, x, incx, result);
}

tsl_status tsl_scasum(tsl_context *ctx, int64_t n, const tsl_cfloat *x, int64_t incx, float *result)
{
    return tsl_creal_number(ctx, "scasum", TSL_OP_ASUM, n, x, incx, result);
}

tsl_status tsl_dzasum(tsl_context *ctx, int64_t n, const tsl_cdouble *x, int64_t incx, double *result)
{
    return tsl_zreal_number(ctx, "dzasum", TSL_OP_ASUM, n, x, incx, result);
}

tsl_status tsl_isamax(tsl_context *ctx, int64_t n, const float *x, int64_t incx, int64_t *result)
{
    return tsl_splace_of_largest(ctx, "isamax", n, x, incx, result);
}

tsl_status tsl_idamax(tsl_context *ctx, int64_t n, const double *x, int64_t incx, int64_t *result)
{
    return tsl_dplace_of_largest(ctx, "idamax", n, x, incx, result);
}

tsl_status tsl_icamax(tsl_context *ctx, int64_t n, const tsl_cfloat *x, int64_t incx, int64_t *result)
{
    return tsl_cplace_of_largest(ctx, "icamax", n, x, incx, result);
}

tsl_status tsl_izamax(tsl_context *ctx, int64_t n, const tsl_cdouble *x, int64_t incx, int64_t *result)
{
    return tsl_zplace_of_largest(ctx, "izamax", n, x, incx, result);
}

tsl_status tsl_csscal(tsl_context *ctx, int64_t n, float alpha, tsl_cfloat *x, int64_t incx)
{
    tsl_args d = tsl_args_named(ctx, "csscal");
    return scal(&d, true, TSL_C, n, alpha, x, incx);
}

tsl_status tsl_csrot(tsl_context *ctx, int64_t n, tsl_cfloat *x, int64_t incx, tsl_cfloat *y, int64_t incy, float c, float s)
{
    tsl_args d = tsl_args_named(ctx, "csrot");
    return rot(&d, TSL_C, n, x, incx, y, incy, c, s);
}

tsl_status tsl_zdscal(tsl_context *ctx, int64_t n, double alpha, tsl_cdouble *x, int64_t incx)
{
    tsl_args d = tsl_args_named(ctx, "zdscal");
    return scal(&d, true, TSL_Z, n, alpha, x, incx);
}

tsl_status tsl_zdrot(tsl_context *ctx, int64_t n, tsl_cdouble *x, int64_t incx, tsl_cdouble *y, int64_t incy, double c, double s)
{
    tsl_args d = tsl_args_named(ctx, "zdrot");
    return rot(&d, TSL_Z, n, x, incx, y, incy, c, s);
}
