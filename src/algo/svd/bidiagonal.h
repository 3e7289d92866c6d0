/* What reductions to bidiagonal form share with one another, and with singular values. */
#ifndef TSL_BIDIAGONAL_H
#define TSL_BIDIAGONAL_H

#include "algo/algo.h"

/* To bidiagonal form by a method that takes an A with no more columns than rows; a wide A is the conjugate transpose of a tall
 * one. */
typedef void tsl_bidiagonal_method(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup);
tsl_status tsl_bidiagonal_by(tsl_context *x, const tsl_call *c, tsl_bidiagonal_method *by);

/* C = L S W, C bidiagonal with s and e, by divide and conquer, or implicit QR if the call says so: that is of matrices, here of
 * I. L and W may be empty. */
static inline void tsl_decompose(tsl_context *x, const tsl_call *c, tsl_view L, tsl_view s, tsl_view e, tsl_view W)
{
    bool by_qr = c->svd.driver == TSL_SVD_QR;
    if (by_qr && tsl_is_there(L)) tsl_laset(x, 0, 1, L);
    if (by_qr && tsl_is_there(W)) tsl_laset(x, 0, 1, W);
    tsl_opcode op = by_qr ? TSL_OP_BDSQR : TSL_OP_BDSDC;
    tsl_execute(x, &(tsl_call){.op = op, .uplo = TSL_UPPER, .v = {L, s, e, W, tsl_sub(L, 0, 0, 0, 0)}});
}

/* Reflectors of one side of the second stage, and their factors */
typedef struct tsl_sweeps {
    tsl_view V, tau;
} tsl_sweeps;

/* R = Q C P^H in two stages, by a band: Q and P are what R, factors and, if vectors are wanted, the sweeps of the second stage
 * have */
typedef struct tsl_two_stages {
    tsl_view R, tauq, taup;
    tsl_sweeps left, right;
    int64_t kd;
} tsl_two_stages;

/* two_stages.c: that of an R with no more columns than rows, as it is stored, elements about 1 at most; C is bidiagonal with d
 * and e. */
void tsl_reduce_by_band(tsl_context *x, tsl_view R, tsl_view d, tsl_view e, bool vectors, tsl_two_stages *s);
/* X := Q X, or P X */
void tsl_times_q(tsl_context *x, const tsl_two_stages *s, tsl_view X);
void tsl_times_p(tsl_context *x, const tsl_two_stages *s, tsl_view X);

#endif
