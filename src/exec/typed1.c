/* The typed calls of level 1. As in BLAS no elements (n <= 0) is no error: nothing is looked at and a result is zero. */
#include <complex.h>
#include <math.h>

#include "exec/typed.h"

/* Vector x is argument i, its increment the one after. */
static void arg_one(tsl_door *d, int i, tsl_type t, int64_t n, const void *x, int64_t incx, const char *what, const char *inc)
{
    if (n <= 0) return;
    tsl_arg_vector(d, i, what, t, x, n, incx);
    tsl_arg_step(d, i + 1, inc, incx);
}

static void arg_two(tsl_door *d, int i, tsl_type t, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy)
{
    arg_one(d, i, t, n, x, incx, "x", "incx");
    arg_one(d, i + 2, t, n, y, incy, "y", "incy");
}

/* The call with these vectors, whose arguments have been looked at */
static tsl_status run_two(tsl_door *d, tsl_call c, tsl_type t, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy)
{
    if (d->st || n <= 0) return tsl_door_close(d, d->st);
    tsl_matrix a = tsl_borrow_vector(d->x, t, n, x, incx), b = tsl_borrow_vector(d->x, t, n, y, incy);
    c.v[0] = tsl_whole(&a);
    c.v[1] = tsl_whole(&b);
    return tsl_door_close(d, tsl_execute(d->x, &c));
}

/* scal: a vector counted backwards is left alone, as in BLAS. */
static tsl_status scal(tsl_door *d, tsl_call c, tsl_type t, int64_t n, void *x, int64_t incx)
{
    if (incx <= 0) n = 0;
    arg_one(d, 3, t, n, x, incx, "x", "incx");
    if (d->st || n <= 0) return tsl_door_close(d, d->st);
    tsl_matrix a = tsl_borrow_vector(d->x, t, n, x, incx);
    c.v[0] = tsl_whole(&a);
    return tsl_door_close(d, tsl_execute(d->x, &c));
}

static tsl_status dot(tsl_door *d, tsl_op op, tsl_type t, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy,
                      const void *place, tsl_scalar *value)
{
    *value = 0;
    arg_two(d, 2, t, n, x, incx, y, incy);
    tsl_arg_place(d, 6, "result", place);
    if (d->st || n <= 0) return tsl_door_close(d, d->st);
    tsl_matrix a = tsl_borrow_vector(d->x, t, n, x, incx), b = tsl_borrow_vector(d->x, t, n, y, incy);
    return tsl_door_close(d, tsl_dot(d->x, tsl_seen(&a, op, TSL_GENERAL, TSL_NONUNIT), tsl_whole(&b), value));
}

/* nrm2 and asum; the sum of a vector counted backwards is zero, as in BLAS. */
static tsl_status size(tsl_door *d, tsl_opcode op, tsl_type t, int64_t n, const void *x, int64_t incx, const void *place,
                       double *value)
{
    *value = 0;
    if (op == TSL_OP_ASUM && incx <= 0) n = 0;
    arg_one(d, 2, t, n, x, incx, "x", "incx");
    tsl_arg_place(d, 4, "result", place);
    if (d->st || n <= 0) return tsl_door_close(d, d->st);
    tsl_matrix a = tsl_borrow_vector(d->x, t, n, x, incx);
    tsl_status st = op == TSL_OP_ASUM ? tsl_asum(d->x, tsl_whole(&a), value) : tsl_nrm2(d->x, tsl_whole(&a), value);
    return tsl_door_close(d, st);
}

/* Of a vector counted backwards there is no largest element, as in BLAS. */
static tsl_status amax(tsl_door *d, tsl_type t, int64_t n, const void *x, int64_t incx, int64_t *result)
{
    if (incx <= 0) n = 0;
    arg_one(d, 2, t, n, x, incx, "x", "incx");
    tsl_arg_place(d, 4, "result", result);
    if (!d->st && n <= 0) *result = 0;
    if (d->st || n <= 0) return tsl_door_close(d, d->st);
    tsl_matrix a = tsl_borrow_vector(d->x, t, n, x, incx);
    return tsl_door_close(d, tsl_iamax(d->x, tsl_whole(&a), result));
}

/* Names: the letters of a routine from complex to real numbers, and of one with complex vectors and real scalars */
#define PREFIX_s s
#define PREFIX_d d
#define PREFIX_c sc
#define PREFIX_z dz
#define MIXED_c cs
#define MIXED_z zd

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define NAME(before, name) PASTE3(, PASTE3(before, P, ), name)
#define PUBLIC(name) PASTE3(tsl_, name, )
#define FN(name) PASTE3(tsl_, P, name)
#define BODY "exec/typed1.inc"
#include "core/types.inc"
