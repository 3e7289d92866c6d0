/* What refinement has at hand: A X = B, the residual R = B - A X, and factors of A, in a lower precision or in its own; and
 * when it ends. For algo/solve/refine.c, and for solve_wide.c, where not all fits one device. */
#ifndef TSL_OPS_REFINE_H
#define TSL_OPS_REFINE_H

#include <float.h>
#include <math.h>

#include "core/op.h"
#include "core/values.h"

enum { TSL_CORRECTIONS = 30, TSL_PROBES = 3 };

typedef struct tsl_system {
    tsl_view A, B, X, R;
    tsl_view L, p, D; /* the factors, of A times `scale`; a correction in their type, where that is another than A's */
    tsl_precision precision; /* of the factors, or the products that make them; lower: than A's own */
    bool any_size, measured;  /* as the arguments of refine */
    bool lower;       /* they are less precise than A */
    double scale;
    bool butterflies; /* the factors are of U^T A V, with random butterflies; panels are of so many columns */
    int64_t block;
    tsl_view places;  /* with butterflies: P, as the rows of a vector that come first, second, ..., and room for one number */
    double size;      /* |A|, inf */
    double bound;     /* the backward error of a solution that is worth having */
    double enough;    /* that which the caller is content with; 0: the least there is */
    double unit;      /* not 0: B has random elements of about this size (tsl_probe) */
} tsl_system;

/* Of residuals of probes, which are about 1 in all directions: so much of one in any of them leaves a solution that tells of
 * all of them. */
static const double TSL_VERIFIED = 0.125;

/* A condition by probes of that size, the largest elements of their solutions (probe.c) */
static inline double tsl_condition_of(int64_t n, double size, double unit, double largest) { return 2 * sqrt((double)n) * largest * (size / unit); }

/* A number of probe j, by its place: of either sign, between a half and 1 in modulus */
static inline double tsl_probe_number(int64_t i, int64_t j)
{
    uint64_t h = ((uint64_t)i * TSL_PROBES + (uint64_t)j + 1) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    h ^= h >> 31;
    double v = 0.5 + (double)(h >> 33) * 0x1p-32;
    return h & 1 ? v : -v;
}

/* What roundoff leaves of a residual beside |A| |X|, about: eps, twice that where a product is four */
static inline double tsl_roundoff(tsl_type t) { return (tsl_is_complex(t) ? 2 : 1) * tsl_type_eps(t); }

/* The error of a solution: inv(A) times its residual and times what roundoff hides of that (docs/mixed.md) */
static inline double tsl_forward_of(tsl_type t, double condition, double backward) { return condition * (backward + tsl_roundoff(t)); }

/* LAPACK's bound, below which it ends. It measures complex numbers by |re| + |im|, which is up to sqrt(2) times the modulus. */
static inline double tsl_bound_of(tsl_type t, int64_t n) { return sqrt((double)n / (tsl_is_complex(t) ? 2 : 1)) * tsl_type_eps(t); }

/* Do the last two backward errors say that there is nothing more to gain? */
static inline bool tsl_stalls(double before, double now) { return !(now < before / 2); }

/* Is the last of two backward errors the end: as small as it gets, or enough? */
static inline bool tsl_refined(const tsl_system *s, double before, double now)
{
    return now <= s->enough || (now <= s->bound && tsl_stalls(before, now));
}

/* Is it that after a correction? `first` was the backward error before any: what factors leave is their precision times what is
 * the same for all of them, so factors of A's precision would leave about 2^-29 of it (2^-13, by products of 11 bits instead of
 * 24), and less than an eighth of that, if it is below eps, is better than theirs. And far below eps it is no use to see
 * whether another correction would make it smaller still. Where corrections stall, or get small too slowly, roundoff must be
 * the reason: it leaves about eps or less, twice that where a product is four, but of the least orders not more than the bound.
 * Of factors of A's own precision all is good that is within the bound, or does not get smaller. */
static inline bool tsl_corrected(const tsl_system *s, double first, double before, double now)
{
    tsl_type t = tsl_matrix_type(s->A.mat);
    if (!s->lower) return now <= fmax(s->enough, s->bound) || tsl_stalls(before, now);
    double gain = tsl_matrix_type(s->L.mat) == t ? 0x1p-16 : 0x1p-32;
    double roundoff = fmin(s->bound, tsl_roundoff(t)), theirs = fmin(first * gain, roundoff);
    return now <= fmax(s->enough, fmax(theirs, roundoff / 16)) || (now <= roundoff && tsl_stalls(before, now));
}

/* Where they stall above that the reason may be the roundoff of residuals: then it is within the bound, and the next correction
 * would not change X in more than its last bits. */
static inline bool tsl_settled(const tsl_system *s, double backward, double next)
{
    return backward <= s->bound && next <= 4 * tsl_type_eps(tsl_matrix_type(s->A.mat));
}

/* A power of two near v that has an inverse in the type; 1 where v has none */
static inline double tsl_unit_of(tsl_type t, double v)
{
    double least = tsl_is_double(t) ? DBL_MIN : (double)FLT_MIN;
    return v > 0 && isfinite(v) ? exp2(ilogb(v < least ? least : v)) : 1;
}

/* What A is multiplied by before it is factored in lower precision: then elements are about 1 on the average of its largest
 * row, and none is larger than its order, which halves hold up to 65504; above, what overflows is followed by single
 * precision. */
static inline double tsl_scale_for(tsl_type t, double size, int64_t n) { return 1 / tsl_unit_of(t, 2 * size / (double)n); }

/* By |A| alone, is the largest element neither too large nor too small for single precision? It is at least size / n. */
static inline bool tsl_is_midway(double size, int64_t n) { return size <= FLT_MAX && size >= (double)n * FLT_MIN; }

/* May an A with these sizes be factored, scaled? 0, or why not: |A| is infinite; or in LAPACK's meaning, by which A is not
 * scaled, an element is beyond single precision, or all vanish there. */
static inline int tsl_misfits(const tsl_system *s, double size, double largest)
{
    if (isinf(size) || (!s->any_size && largest > FLT_MAX)) return TSL_LOW_OVERFLOW;
    return !s->any_size && largest < FLT_MIN ? TSL_LOW_SINGULAR : 0;
}

#endif
