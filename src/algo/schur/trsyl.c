/* Sylvester's equation A X + sign X B = C, A and B triangular as they are seen, or nearly so: real Schur forms. The larger one
 * is cut in two, and so is C; one half of X is found, its products are taken off the other half of C. What a device computes in
 * one go does so without LAPACK's scale. That is needed where eigenvalues of A and -B nearly meet: then all is computed again
 * by the host's cores, from a copy of C. */
#include <complex.h>

#include "algo/schur/schur.h"

static bool is_turned(tsl_view A) { return A.op & TSL_TRANS; }

tsl_part2 tsl_cut_schur(tsl_context *x, tsl_view T, int64_t at)
{
    int64_t n = tsl_rows(T), k = tsl_border_near(T, at);
    bool real = !tsl_is_complex(tsl_matrix_type(T.mat));
    tsl_scalar below = 0;
    if (real) tsl_read(x, is_turned(T) ? tsl_sub(T, k - 1, k, 1, 1) : tsl_sub(T, k, k - 1, 1, 1), &below);
    int64_t first = k + (real && (below != 0 || tsl_is_dry(x))), from = k + (below != 0), rest = n - from;
    return (tsl_part2){tsl_sub(T, 0, 0, first, first), tsl_sub(T, 0, from, first, rest), tsl_sub(T, from, 0, rest, first),
                       tsl_sub(T, from, from, rest, rest)};
}

/* The same near the middle */
static tsl_part2 cut(tsl_context *x, tsl_view A)
{
    enum { ALIGNED = 64 };
    int64_t half = tsl_rows(A) / 2;
    return tsl_cut_schur(x, A, tsl_max(1, half >= ALIGNED ? half / ALIGNED * ALIGNED : half));
}

typedef struct problem {
    tsl_view s;
    double sign;
    int64_t most; /* the largest order that a device takes */
} problem;

static void solve(tsl_context *x, const problem *p, tsl_view A, tsl_view B, tsl_view C)
{
    int64_t m = tsl_rows(C), n = tsl_cols(C);
    bool rows = m >= n;
    if (tsl_max(m, n) <= p->most || tsl_max(m, n) < 3) {
        /* C := X */               tsl_lasyl(x, p->sign, A, B, C, p->s);
        return;
    }
    tsl_part2 P = cut(x, rows ? A : B);
    int64_t first = tsl_rows(P.TL), rest = tsl_rows(P.BR);
    tsl_part2 D = {rows ? tsl_sub(C, 0, 0, first, n) : tsl_sub(C, 0, 0, m, first),
                   tsl_sub(C, 0, rows ? n : n - rest, m, rows ? 0 : rest),
                   tsl_sub(C, rows ? m - rest : m, 0, rows ? rest : 0, n), tsl_sub(C, m, n, 0, 0)};
    if (rows && is_turned(A)) { /* a lower triangle */
        /* A11 X1 + X1 B = C1 */   solve(x, p, P.TL, B, D.TL);
        /* C2 := C2 - A21 X1 */    tsl_gemm(x, -1, P.BL, D.TL, 1, D.BL);
        /* A22 X2 + X2 B = C2 */   solve(x, p, P.BR, B, D.BL);
    } else if (rows) {
        /* A22 X2 + X2 B = C2 */   solve(x, p, P.BR, B, D.BL);
        /* C1 := C1 - A12 X2 */    tsl_gemm(x, -1, P.TR, D.BL, 1, D.TL);
        /* A11 X1 + X1 B = C1 */   solve(x, p, P.TL, B, D.TL);
    } else if (is_turned(B)) {
        /* A X2 + X2 B22 = C2 */   solve(x, p, A, P.BR, D.TR);
        /* C1 := C1 - X2 B21 */    tsl_gemm(x, -p->sign, D.TR, P.BL, 1, D.TL);
        /* A X1 + X1 B11 = C1 */   solve(x, p, A, P.TL, D.TL);
    } else {
        /* A X1 + X1 B11 = C1 */   solve(x, p, A, P.TL, D.TL);
        /* C2 := C2 - X1 B12 */    tsl_gemm(x, -p->sign, D.TL, P.TR, 1, D.TR);
        /* A X2 + X2 B22 = C2 */   solve(x, p, A, P.BR, D.TR);
    }
}

/* A form that is complex and transposed, or conjugated, alone: of a conjugated copy, transposed and conjugated, or as it is.
 * Leaves have no flag for it. */
static tsl_view plain(tsl_context *x, tsl_view A)
{
    bool turned = is_turned(A);
    if (!tsl_is_complex(tsl_matrix_type(A.mat)) || turned == !!(A.op & TSL_CONJ)) return A;
    tsl_view W = tsl_temp(x, A, tsl_rows(A), tsl_cols(A));
    tsl_copy(x, turned ? tsl_herm(A) : A, W);
    return turned ? tsl_herm(W) : W;
}

tsl_status tsl_trsyl_rec(tsl_context *x, const tsl_call *c)
{
    tsl_view C = c->v[2];
    if (!tsl_may_cut_schur(C)) return tsl_by_host(x, c), TSL_OK;
    tsl_view A = plain(x, c->v[0]), B = plain(x, c->v[1]), W = tsl_temp(x, C, tsl_rows(C), tsl_cols(C)),
             s = tsl_temp_of(x, C, TSL_IN_ONE, TSL_OF_REAL, 1, 1);
    tsl_scalar scale = 0;
    tsl_call leaf = {.op = TSL_OP_LASYL, .v = {A, B, C, s}};
    problem p = {s, creal(c->alpha), tsl_place_order(x, &leaf, tsl_leaf_order(x, &leaf))};
    /* s := 1 */                   tsl_laset(x, 1, 1, s);
                                   tsl_copy(x, s, c->v[3]);
    if (!tsl_rows(C) || !tsl_cols(C)) return TSL_OK;
    /* W := C */                   tsl_copy(x, C, W);
    /* C := X */                   solve(x, &p, A, B, C);
    tsl_read(x, s, &scale);
    if (scale == 1) return TSL_OK;
    /* C := W */                   tsl_copy(x, W, C);
    /* C := X, s := its scale */   tsl_by_host(x, &(tsl_call){.op = c->op, .alpha = c->alpha, .v = {A, B, C, c->v[3]}});
    return TSL_OK;
}
