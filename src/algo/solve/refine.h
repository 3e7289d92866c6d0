/* The parts of refinement to each other. */
#ifndef TSL_REFINE_H
#define TSL_REFINE_H

#include "algo/algo.h"
#include "ops/solve/refine.h"

/* refine.c: of some columns of the same system: R := B - A X */
tsl_system tsl_columns(const tsl_system *s, int64_t j, int64_t count);
void tsl_residual(tsl_context *x, const tsl_system *s);
/* y := A z for one column */
void tsl_times_column(tsl_context *x, tsl_view A, tsl_scalar alpha, tsl_view z, tsl_scalar beta, tsl_view y);
/* D := inv(A) D, by factors L: s->L, or those widened */
void tsl_divide(tsl_context *x, const tsl_system *s, tsl_view L, tsl_view D);
/* Y := beta Y + inv(A) R by the factors, beta 0 or 1; R is lost. largest: of |R|'s elements, about */
void tsl_apply_factors(tsl_context *x, const tsl_system *s, tsl_view R, double largest, int beta, tsl_view Y);

/* gmres.c: what GMRES needs */
typedef struct tsl_krylov {
    tsl_view V, Z, W, d;
    tsl_view M; /* the factors, in A's type */
} tsl_krylov;
tsl_krylov tsl_krylov_of(tsl_context *x, const tsl_system *s);
/* gmres.c: X refined column by column; the steps it took are added. True: it has converged. */
bool tsl_gmres(tsl_context *x, const tsl_system *s, const tsl_krylov *m, int64_t *steps, double *backward);
/* gmres.c: the X of probes */
bool tsl_gmres_probes(tsl_context *x, const tsl_system *q, const tsl_krylov *m);

/* probe.c: the same A with random right-hand sides, in workspace */
tsl_system tsl_probes(tsl_context *x, const tsl_system *s);
/* probe.c: their X by the factors and corrections. True: they are solutions, as their residuals say. */
bool tsl_probe(tsl_context *x, const tsl_system *q);
/* probe.c: |A| |inv(A)| by their X */
double tsl_probed(tsl_context *x, const tsl_system *q);

#endif
