/* What the algorithms of LU have in common. Pivots are stored as LAPACK's: p(i) = 1 + the row that row i was exchanged with,
 * counted from the first row of the caller's matrix; `first` says how far above the operand's first row that is. */
#ifndef TSL_LU_H
#define TSL_LU_H

#include "algo/algo.h"

/* [A, p] := the factors of A, of which row `first` of the caller's matrix is the first; a part of c */
static inline void tsl_factor(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view p, int64_t first)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_GETRF, .passing = c->passing, .lu = {.first = first, .pivoting = c->lu.pivoting},
                               .v = {A, p}});
}

/* The same of rows to which others will come: a zero pivot is no outcome */
static inline void tsl_factor_passing(tsl_context *x, tsl_view A, tsl_view p, int64_t first)
{
    tsl_factor(x, &(tsl_call){.passing = true}, A, p, first);
}

/* As tsl_factor, by the host's cores */
static inline void tsl_factor_by_host(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view p, int64_t first)
{
    tsl_by_host(x, &(tsl_call){.op = TSL_OP_GETRF, .passing = c->passing, .lu = {.first = first}, .v = {A, p}});
}
typedef void (*tsl_factors)(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view p, int64_t first);

/* A := P(p) A, one exchange after the other; A begins with the row that p(0) says where to put */
static inline void tsl_exchange(tsl_context *x, tsl_view A, tsl_view p, int64_t first)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LASWP, .lu = {.first = first}, .v = {A, p}});
}

/* getrs.c: B := inv(U) inv(L) B, by the factors that A holds */
void tsl_divide_by_factors(tsl_context *x, tsl_view A, tsl_view B);

static inline tsl_view tsl_unit_lower(tsl_view A) { return tsl_unit(tsl_lower(A)); }

#endif
