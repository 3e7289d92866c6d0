/* What the algorithms of QR have in common. Reflectors are stored as LAPACK's: below the diagonal of A, with factors tau. k of
 * them in a row are I - Y T Y^H: Y is unit lower trapezoidal, T an upper triangle. A seen through its conjugate transpose gives
 * LQ: what is stored is the same, and so is tau. */
#ifndef TSL_QR_H
#define TSL_QR_H

#include "algo/algo.h"

/* [A, tau, T, Y] := the QR factors of a panel, at least as high as wide, with its reflectors written out in Y; alone: T and Y
 * are only room */
static inline void tsl_factor_panel(tsl_context *x, tsl_view A, tsl_view tau, tsl_view T, tsl_view Y, bool alone)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_GEQRT, .geqrt = {.alone = alone}, .v = {T, Y, tau, A}});
}

/* The same by the host's cores */
static inline void tsl_panel_by_host(tsl_context *x, tsl_view A, tsl_view tau, tsl_view T, tsl_view Y, bool alone)
{
    tsl_by_host(x, &(tsl_call){.op = TSL_OP_GEQRT, .geqrt = {.alone = alone}, .v = {T, Y, tau, A}});
}
typedef void (*tsl_panels)(tsl_context *x, tsl_view A, tsl_view tau, tsl_view T, tsl_view Y, bool alone);

/* Y := the reflectors of a panel, of which only what is below the diagonal is read, written out */
static inline void tsl_write_out(tsl_context *x, tsl_view panel, tsl_view Y)
{
    int64_t b = tsl_cols(panel);
    tsl_strips V = tsl_block_rows(panel, 0, b), Z = tsl_block_rows(Y, 0, b); /* A1 above A2 */
    /* Y1 := its unit lower triangle */         tsl_expand(x, TSL_TRIANGULAR, tsl_unit(tsl_lower(V.A1)), Z.A1);
    /* Y2 := V2 */                              tsl_copy(x, V.A2, Z.A2);
}

/* C := (I - Y T Y^H) C, or with T seen through its conjugate transpose the inverse of that; W has room for Y^H C */
static inline void tsl_reflect(tsl_context *x, tsl_view Y, tsl_view T, tsl_view C, tsl_view W)
{
    /* W := Y^H C */                            tsl_gemm(x, 1, tsl_herm(Y), C, 0, W);
    /* W := T W */                              tsl_trmm(x, TSL_LEFT, 1, T, W);
    /* C := C - Y W */                          tsl_gemm(x, -1, Y, W, 1, C);
}

#endif
