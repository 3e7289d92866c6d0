/* What reductions by columns are made of, where the matrix A is in several pieces: its products with a vector, and what the few
 * columns F of the panel, which are in one piece, do to another one. */
#ifndef TSL_COLUMN_H
#define TSL_COLUMN_H

#include "algo/qr/qr.h"

/* y := A u where A lies, u in one piece; z is along A's rows */
static inline void tsl_product_in_one(tsl_context *x, tsl_view A, tsl_view u, tsl_view z, tsl_view y)
{
    /* z := A u */                              tsl_gemv(x, 1, A, u, 0, z);
    /* y := z */                                tsl_copy(x, z, y);
}

/* y := F^H u */
static inline void tsl_inner_products(tsl_context *x, tsl_view F, tsl_view u, tsl_view y)
{
    if (tsl_cols(F)) tsl_gemv(x, 1, tsl_herm(F), u, 0, y);
}

/* f := f - alpha F y */
static inline void tsl_take_off(tsl_context *x, tsl_scalar alpha, tsl_view F, tsl_view y, tsl_view f)
{
    if (tsl_cols(F)) tsl_gemv(x, -alpha, F, y, 1, f);
}

/* f := f - F (G^H u), by y */
static inline void tsl_take_off_products(tsl_context *x, tsl_view F, tsl_view G, tsl_view u, tsl_view y, tsl_view f)
{
    tsl_inner_products(x, G, u, y);
    tsl_take_off(x, 1, F, y, f);
}

#endif
