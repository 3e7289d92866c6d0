/* Operations on views that algorithms use and callers do not. */
#ifndef TSL_INNER_H
#define TSL_INNER_H

#include "exec/algorithm.h"
#include "tesela.h"

/* norm.c: s_j := the norm (max, one) of column j of A, or of what a triangle stands for, together with s_j; s is a column of
 * doubles */
void tsl_colnorm(tsl_context *x, tsl_norm_kind kind, tsl_structure structure, tsl_view A, tsl_view s);
/* convert.c: over the columns of A and B the largest |a_j| / |b_j|, of largest elements, and the largest |a_ij|; NaN if one was
 * read. Waits. */
tsl_status tsl_ratio(tsl_context *x, tsl_view A, tsl_view B, double *ratio, double *largest);
/* convert.c: B := alpha A + beta B, of different precisions */
void tsl_add_converted(tsl_context *x, double alpha, tsl_view A, double beta, tsl_view B);
/* butterfly.c: A := U^T A V, U^T A or V A, with random butterflies; A is not seen through an op */
void tsl_apply_butterflies(tsl_context *x, tsl_butterflies butterflies, tsl_view A);
/* syev.c: how many diagonals beside the main one the band has that an eigenproblem of order n goes through */
int64_t tsl_band_width(const tsl_context *x, int64_t n);

/* Parts of algorithms. The comment above the host's leaf of the same name (src/kernel/host) is the contract. */

/* ---- Sizes and diagonals ---- */

/* A := diag(r) A diag(c); an empty r or c: ones */
static inline void tsl_equil(tsl_context *x, tsl_view A, tsl_view r, tsl_view c)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_EQUIL, .v = {A, r, c}});
}
/* a_ij := |a_ij|, the sum of its parts */
static inline void tsl_sizes(tsl_context *x, tsl_view A)
{
    tsl_view none = tsl_sub(A, 0, 0, 0, 0);
    tsl_execute(x, &(tsl_call){.op = TSL_OP_EQUIL, .equil = {.sizes = true}, .v = {A, none, none}});
}
/* AB := diagonals of the lower triangle of A, from the main one on, as many as AB has rows */
static inline void tsl_band(tsl_context *x, tsl_view A, tsl_view AB)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_BAND, .v = {A, AB}});
}
/* B := the diagonal matrix of the signs of A's diagonal */
static inline void tsl_signs(tsl_context *x, tsl_view A, tsl_view B)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_SIGNS, .v = {A, B}});
}
/* Rows of A, or of its upper triangle, times the signs of d */
static inline void tsl_rowsign(tsl_context *x, tsl_view d, tsl_view A)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_ROWSIGN, .v = {d, A}});
}
/* An outcome if the triangle A is singular */
static inline void tsl_singular(tsl_context *x, tsl_view A)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_SINGULAR, .v = {A}});
}

/* ---- Cholesky ---- */

/* A, a block on the diagonal of a batch's matrices, := its factor, with k columns of the factor to its left taken off first */
static inline void tsl_potrf_after(tsl_context *x, int64_t k, tsl_view A)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_POTRF, .block = {.before = k}, .v = {A}});
}

/* ---- A = L D L^T, or herm: L D L^H ---- */

/* B := inv(A) B, A and p being factors */
static inline void tsl_sytrs_of(tsl_context *x, bool herm, tsl_view A, tsl_view p, tsl_view B)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_SYTRS, .herm = herm, .v = {A, p, B}});
}
/* The diagonal of the triangle A becomes real */
static inline void tsl_real_diagonal(tsl_context *x, tsl_view A)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_SCALE, .herm = true, .alpha = 1, .v = {A}});
}

/* [A, p, Y, W] := a panel of k columns, after `before` others; s: does a block reach over its end? */
static inline void tsl_lasyf(tsl_context *x, bool herm, int64_t k, int64_t before, tsl_view A, tsl_view p, tsl_view Y,
                             tsl_view W,
                             tsl_view s)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LASYF, .herm = herm, .k = k, .block = {.before = before}, .v = {A, p, Y, W, s}});
}
/* [F, q] := L, its exchanges by blocks of k columns */
static inline void tsl_syconv(tsl_context *x, bool herm, bool passing, int64_t k, tsl_view A, tsl_view p, tsl_view F,
                              tsl_view q)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_SYCONV, .herm = herm, .passing = passing, .k = k, .v = {A, p, F, q}});
}
/* B := inv(D) B */
static inline void tsl_sydiv(tsl_context *x, bool herm, tsl_view A, tsl_view q, tsl_view B)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_SYDIV, .herm = herm, .v = {A, q, B}});
}
/* C := alpha A B + beta C on its triangle; herm: which is a Hermitian matrix's */
static inline tsl_status tsl_gemmt_of(tsl_context *x, bool herm, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta,
                                      tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GEMMT, .herm = herm, .alpha = alpha, .beta = beta, .v = {A, B, C}});
}

/* ---- Pairs of tiles ---- */

/* [U; A], L, p := LU of them */
static inline void tsl_tstrf(tsl_context *x, tsl_view U, tsl_view L, tsl_view p, tsl_view A)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_TSTRF, .v = {U, L, p, A}});
}
/* [C1; C2] := inv(L) P(p) [C1; C2] */
static inline void tsl_ssssm(tsl_context *x, tsl_view A, tsl_view L, tsl_view p, tsl_view C1, tsl_view C2)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_SSSSM, .v = {A, L, p, C1, C2}});
}
/* [R; A], T, tau := QR of them */
static inline void tsl_tsqrt(tsl_context *x, tsl_view R, tsl_view T, tsl_view tau, tsl_view A)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_TSQRT, .v = {R, T, tau, A}});
}
/* [C1; C2] := Q [C1; C2], or Q^H */
static inline void tsl_tsmqr(tsl_context *x, tsl_op trans, tsl_view A, tsl_view T, tsl_view C1, tsl_view C2)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_TSMQR, .trans = trans, .v = {A, T, C1, C2}});
}

/* ---- Reflectors, and QR with column pivots ---- */

/* T := the triangle of reflectors with factors tau, from Y^H Y above its diagonal */
static inline void tsl_larft(tsl_context *x, tsl_view T, tsl_view tau)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LARFT, .v = {T, tau}});
}
/* [A, tau, s]: reflectors of orthonormal columns in A, and signs; k rows of these are below A */
static inline void tsl_orhr(tsl_context *x, int64_t k, tsl_view A, tsl_view tau, tsl_view s)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_ORHR, .k = k, .v = {A, tau, s}});
}
/* p := the order in which columns j with p_j != 0 are first, count := how many these are; and that with none of them */
static inline void tsl_fixed(tsl_context *x, tsl_view p, tsl_view count)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_FIXED, .v = {p, count}});
}
static inline void tsl_in_order(tsl_context *x, tsl_view p, tsl_view count)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_FIXED, .fixed = {.none = true}, .v = {p, count}});
}
/* [A, p, tau, F] := a panel of k steps */
static inline void tsl_laqps(tsl_context *x, int64_t k, tsl_view A, tsl_view p, tsl_view tau, tsl_view F)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LAQPS, .k = k, .v = {A, p, tau, F}});
}
/* [A, q, tau] := k steps at least, each with a column whose length is at least that share of the longest */
static inline void tsl_laqp2(tsl_context *x, int64_t k, double share, tsl_view A, tsl_view q, tsl_view tau)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LAQP2, .k = k, .laqp2 = {.share = share}, .v = {A, q, tau}});
}
/* B := inv(S) B, zeros where s is less than that share of s_0; r := the others */
static inline void tsl_lsdiv(tsl_context *x, double tolerance, tsl_view B, tsl_view s, tsl_view r)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LSDIV, .rank = {.tolerance = tolerance}, .v = {B, s, r}});
}

/* ---- Eigenproblems and singular values ---- */

/* [A, d, e, tau, Y, W] := a panel of the reduction to tridiagonal form; the same to bidiagonal form, d and e times alpha; to
 * Hessenberg form */
static inline void tsl_latrd(tsl_context *x, tsl_view A, tsl_view d, tsl_view e, tsl_view tau, tsl_view Y, tsl_view W)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LATRD, .v = {A, d, e, tau, Y, W}});
}
static inline void tsl_labrd(tsl_context *x, double alpha, tsl_view A, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup,
                             tsl_view L, tsl_view R)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LABRD, .alpha = alpha, .v = {A, d, e, tauq, taup, L, R}});
}
static inline void tsl_lahr2(tsl_context *x, tsl_view A, tsl_view tau, tsl_view T, tsl_view V, tsl_view Y)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LAHR2, .v = {A, tau, T, V, Y}});
}
/* Band AB = Q T Q^H, T tridiagonal, or a narrower band; Q is V and tau. C := Q C, of a band of k diagonals */
static inline void tsl_sb2st(tsl_context *x, tsl_view AB, tsl_view d, tsl_view e, tsl_view V, tsl_view tau)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_SB2ST, .v = {AB, d, e, V, tau}});
}
static inline void tsl_sb2sb(tsl_context *x, tsl_view AB, tsl_view B, tsl_view V, tsl_view tau)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_SB2SB, .v = {AB, B, V, tau}});
}
static inline void tsl_ormtr_sb2st(tsl_context *x, int64_t k, tsl_view V, tsl_view tau, tsl_view C)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMTR_SB2ST, .k = k, .v = {V, tau, C}});
}
/* Band AB = Q C P^H, C bidiagonal; Q is V and tau, P is W and taup */
static inline void tsl_gb2bd(tsl_context *x, tsl_view AB, tsl_view d, tsl_view e, tsl_view V, tsl_view tau, tsl_view W,
                             tsl_view taup)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_GB2BD, .v = {AB, d, e, V, tau, W, taup}});
}
/* [f, g] := the tridiagonal matrix of twice the order of the bidiagonal one; L, R := what its vectors Z are made of */
static inline void tsl_unfold(tsl_context *x, tsl_view d, tsl_view e, tsl_view f, tsl_view g)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_UNFOLD, .v = {d, e, f, g}});
}
static inline void tsl_fold(tsl_context *x, tsl_view Z, tsl_view L, tsl_view R)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_FOLD, .v = {Z, L, R}});
}
/* The bidiagonal matrix, on the diagonals of A too, := diag(s) times it times diag(t) */
static inline void tsl_bdsign(tsl_context *x, tsl_view A, tsl_view d, tsl_view e, tsl_view s, tsl_view t)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_BDSIGN, .v = {A, d, e, s, t}});
}

/* ---- Hessenberg and Schur forms ---- */

/* A balanced, s and p say how; V := eigenvectors of T times V, balanced back */
static inline void tsl_gebal(tsl_context *x, tsl_view A, tsl_view s, tsl_view p)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_GEBAL, .v = {A, s, p}});
}
static inline void tsl_trevc(tsl_context *x, int64_t first, int64_t k, tsl_view A, tsl_view VL, tsl_view VR, tsl_view s)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_TREVC, .schur = {.first = first, .order = k}, .v = {A, VL, VR, s}});
}
/* A = U T U^H, A := T, in the order in which it comes; an outcome if there is none */
static inline void tsl_gees_unsorted(tsl_context *x, tsl_view A, tsl_view w, tsl_view wi, tsl_view U)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_GEES, .v = {A, w, wi, U}});
}
/* A X + sign X B = s C, C := X, of small Schur forms A and B */
static inline void tsl_lasyl(tsl_context *x, double sign, tsl_view A, tsl_view B, tsl_view C, tsl_view s)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LASYL, .alpha = sign, .v = {A, B, C, s}});
}
/* Negligible elements beside the diagonal := 0; at := the row of the last one */
static inline void tsl_laqrs(tsl_context *x, tsl_view A, tsl_view at)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LAQRS, .v = {A, at}});
}

#endif
