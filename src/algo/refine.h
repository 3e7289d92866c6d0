/* What refinement has at hand: A X = B, the residual R = B - A X, and factors of A in lower precision. */
#ifndef TSL_REFINE_H
#define TSL_REFINE_H

#include "algo/algo.h"

typedef struct tsl_system {
    tsl_view A, B, X, R;
    tsl_view L, p, D; /* the factors, of A times `scale`; a correction in their precision */
    double scale;
    double size;      /* |A|, inf */
    double bound;     /* the backward error of a solution that is worth having */
    double enough;    /* that which the caller is content with; 0: the least there is */
} tsl_system;

/* refine.c: of some columns of the same system: R := B - A X */
tsl_system tsl_columns(const tsl_system *s, int64_t j, int64_t count);
void tsl_residual(tsl_context *x, const tsl_system *s);
/* y := A z for one column */
void tsl_times_column(tsl_context *x, tsl_view A, tsl_scalar alpha, tsl_view z, tsl_scalar beta, tsl_view y);
/* T := inv(A) R / unit, by the factors, and what unit * inv(A) R / unit is then multiplied by: Y := beta Y + inv(A) R */
void tsl_apply_factors(tsl_context *x, const tsl_system *s, tsl_view R, double largest, double beta, tsl_view Y);

/* gmres.c: X refined column by column; the steps it took are added. forward: the size of the last correction beside X, the largest of the
 * columns'. True: it has converged. */
bool tsl_gmres(tsl_context *x, const tsl_system *s, int64_t *steps, double *backward, double *forward);

/* Is the last of two backward errors the end: as small as it gets, or enough? */
static inline bool tsl_refined(const tsl_system *s, double before, double now)
{
    return now <= s->enough || (now <= s->bound && !(now < before / 2));
}

#endif
