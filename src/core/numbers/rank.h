/* The rank of an upper triangle, as LAPACK's gelsy estimates it: one column after the other is taken, as long as the condition
 * of the triangle they make is good enough. Its largest and least singular value come with vectors on its left, which get an
 * element with each column. */
#ifndef TSL_RANK_H
#define TSL_RANK_H

#include <complex.h>
#include <stdbool.h>

#include "core/numbers/growth.h"

typedef struct tsl_rank_state {
    double tolerance;      /* what is not above this share of the largest counts as zero */
    bool by_diagonal;      /* the diagonal says so; then there are no vectors */
    double largest, least; /* singular values of the columns so far; by_diagonal: the size of the first element */
} tsl_rank_state;

/* What the two vectors are multiplied by, and the element each gets */
typedef struct tsl_rank_step {
    double most;
    double _Complex least, new_most, new_least;
} tsl_rank_step;

/* The first column, of diagonal element g, with which both vectors are one; false: the rank is zero */
static inline bool tsl_rank_begin(tsl_rank_state *r, double _Complex g)
{
    r->largest = r->least = cabs(g);
    return r->largest > 0;
}

/* One column more, of diagonal element g, whose products with the vectors are a and b; false: it does not count */
static inline bool tsl_rank_grow(tsl_rank_state *r, double _Complex a, double _Complex b, double _Complex g, tsl_rank_step *s)
{
    if (r->by_diagonal) return cabs(g) > r->tolerance * r->largest;
    tsl_growth up = tsl_grow(r->largest, cabs(a), cabs(g)), down = tsl_grow(r->least, cabs(b), cabs(g));
    if (!(up.largest * r->tolerance <= down.least)) return false;
    double _Complex ea = cabs(a) > 0 && cabs(g) > 0 ? conj(a) / cabs(a) * (g / cabs(g)) : 1,
                    eb = cabs(b) > 0 && cabs(g) > 0 ? conj(b) / cabs(b) * (g / cabs(g)) : 1;
    *s = (tsl_rank_step){up.p1, -down.p2 * conj(eb), up.p2 * ea, down.p1};
    r->largest = up.largest, r->least = down.least;
    return true;
}

#endif
