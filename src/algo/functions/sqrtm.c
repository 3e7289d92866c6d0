/* The square root of A = Z T Z^H: that of its Schur form, which is one too, upper triangular, of real elements with blocks of
 * order 2 (Bjorck and Hammarling 1983, Higham 1987). By recursion: of [T11 T12; 0 T22] roots U11 and U22 first, then U12 of
 * Sylvester's equation U11 U12 + U12 U22 = T12 (Deadman, Higham, Ralha 2013). */
#include <math.h>

#include "algo/schur/schur.h"
#include "tune/numbers.h"

static double largest_of(tsl_context *x, tsl_view A) { return tsl_largest(x, TSL_TRIANGULAR, A); }

void tsl_root_of_triangle(tsl_context *x, tsl_view T, tsl_view s)
{
    int64_t n = tsl_rows(T);
    tsl_call leaf = {.op = TSL_OP_TRSQRT, .v = {T}};
    if (n <= tsl_max(2, tsl_place_order(x, &leaf, tsl_tuned(x, TSL_TUNED_ROOT_WHOLE))) || !tsl_may_cut_schur(T)) {
        /* T := sqrt(T) */          tsl_execute(x, &leaf);
        return;
    }
    tsl_part2 P = tsl_cut_schur(x, T, n / 2);
    tsl_view T11 = P.TL, T12 = P.TR, T22 = P.BR;
    tsl_root_of_triangle(x, T11, s);
    tsl_root_of_triangle(x, T22, s);
    if (largest_of(x, T12) == 0) return; /* whatever is singular */
    /* T11 X + X T22 = s T12 */     tsl_trsyl(x, 1, T11, T22, T12, s, NULL);
    double scale = tsl_read_one(x, s, 1);
    if (scale != 1) tsl_scale(x, 1 / scale, T12);
}

bool tsl_schur_form(tsl_context *x, tsl_view A, tsl_schur *f)
{
    int64_t n = tsl_rows(A);
    bool real = !tsl_is_complex(tsl_matrix_type(A.mat));
    *f = (tsl_schur){.T = A, .Z = tsl_temp(x, A, n, n), .W = tsl_temp(x, A, n, n), .w = tsl_temp(x, A, n, 1),
                     .wi = tsl_temp(x, A, n, 1), .s = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, 1, 1)};
    /* A = Z T Z^H */               tsl_gees_unsorted(x, A, f->w, real ? f->wi : tsl_sub(f->wi, 0, 0, 0, 0), f->Z);
    return tsl_good_so_far(x);
}

void tsl_from_schur_form(tsl_context *x, const tsl_schur *f, tsl_view F)
{
    /* W := Z F */                  tsl_gemm(x, 1, f->Z, F, 0, f->W);
    /* A := W Z^H */                tsl_gemm(x, 1, f->W, tsl_herm(f->Z), 0, f->T);
}

void tsl_no_function(tsl_context *x, tsl_view A)
{
    tsl_laset(x, NAN, NAN, A);
    tsl_tell_outcome(x, A, tsl_rows(A)); /* if nothing was told yet */
}

tsl_status tsl_sqrtm_schur(tsl_context *x, const tsl_call *c)
{
    tsl_schur f;
    tsl_view A = c->v[0];
    bool good = tsl_schur_form(x, A, &f);
    if (good) tsl_root_of_triangle(x, A, f.s);
    if (good && tsl_good_so_far(x)) tsl_from_schur_form(x, &f, A);
    else tsl_no_function(x, A);
    return TSL_OK;
}
