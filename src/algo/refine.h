/* What refinement has at hand: A X = B, the residual R = B - A X, and factors of A, in a lower precision or in its own. */
#ifndef TSL_REFINE_H
#define TSL_REFINE_H

#include <float.h>
#include <math.h>

#include "algo/algo.h"
#include "core/values.h"

enum { TSL_CORRECTIONS = 30, TSL_PROBES = 3 };

typedef struct tsl_system {
    tsl_view A, B, X, R;
    tsl_view L, p, D; /* the factors, of A times `scale`; a correction in their type, where that is another than A's */
    bool lower;       /* they are less precise than A */
    double scale;
    bool butterflies; /* the factors are of U^T A V, with random butterflies; panels are of so many columns */
    int64_t block;
    double size;      /* |A|, inf */
    double bound;     /* the backward error of a solution that is worth having */
    double enough;    /* that which the caller is content with; 0: the least there is */
    double unit;      /* not 0: B has random elements of about this size (tsl_probe) */
} tsl_system;

/* refine.c: of some columns of the same system: R := B - A X */
tsl_system tsl_columns(const tsl_system *s, int64_t j, int64_t count);
void tsl_residual(tsl_context *x, const tsl_system *s);
/* y := A z for one column */
void tsl_times_column(tsl_context *x, tsl_view A, tsl_scalar alpha, tsl_view z, tsl_scalar beta, tsl_view y);
/* D := inv(A) D, by factors L: s->L, or those widened */
void tsl_divide(tsl_context *x, const tsl_system *s, tsl_view L, tsl_view D);
/* Y := beta Y + inv(A) R by the factors, beta 0 or 1; R is lost. largest: of |R|'s elements, about */
void tsl_apply_factors(tsl_context *x, const tsl_system *s, tsl_view R, double largest, int beta, tsl_view Y);

/* gmres.c: what GMRES needs; false: there was no memory for it, and x knows */
typedef struct tsl_krylov {
    tsl_view V, Z, W, d;
    tsl_view M; /* the factors, in A's type */
} tsl_krylov;
bool tsl_krylov_take(tsl_context *x, const tsl_system *s, tsl_krylov *m);
/* gmres.c: X refined column by column; the steps it took are added. True: it has converged. */
bool tsl_gmres(tsl_context *x, const tsl_system *s, const tsl_krylov *m, int64_t *steps, double *backward);
/* gmres.c: the X of probes */
bool tsl_gmres_probes(tsl_context *x, const tsl_system *q, const tsl_krylov *m);

/* probe.c: the same A with random right-hand sides, in workspace; no matrix: there was no memory, and x knows */
tsl_system tsl_probes(tsl_context *x, const tsl_system *s);
/* probe.c: their X by the factors and corrections. True: they are solutions, as their residuals say. */
bool tsl_probe(tsl_context *x, const tsl_system *q);
/* probe.c: |A| |inv(A)| by their X */
double tsl_probed(tsl_context *x, const tsl_system *q);

/* Of residuals of probes, which are about 1 in all directions: so much of one in any of them leaves a solution that tells of all of them. */
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

/* Is it that after a correction? `first` was the backward error before any: what factors leave is their precision times what is the same
 * for all of them, so factors of A's precision would leave about 2^-29 of it (2^-13, by products of 11 bits instead of 24), and less than an
 * eighth of that, if it is below eps, is better than theirs. And far below eps it is no use to see whether another correction would make
 * it smaller still. Where corrections stall, or get small too slowly, roundoff must be the reason: it leaves about eps or less, twice that
 * where a product is four, but of the least orders not more than the bound. Of factors of A's own precision all is good that is within
 * the bound, or does not get smaller. */
static inline bool tsl_corrected(const tsl_system *s, double first, double before, double now)
{
    tsl_type t = tsl_matrix_type(s->A.mat);
    if (!s->lower) return now <= fmax(s->enough, s->bound) || tsl_stalls(before, now);
    double gain = tsl_matrix_type(s->L.mat) == t ? 0x1p-16 : 0x1p-32;
    double roundoff = fmin(s->bound, tsl_roundoff(t)), theirs = fmin(first * gain, roundoff);
    return now <= fmax(s->enough, fmax(theirs, roundoff / 16)) || (now <= roundoff && tsl_stalls(before, now));
}

/* Where they stall above that the reason may be the roundoff of residuals: then it is within the bound, and the next correction would not
 * change X in more than its last bits. */
static inline bool tsl_settled(const tsl_system *s, double backward, double next)
{
    return backward <= s->bound && next <= 4 * tsl_type_eps(tsl_matrix_type(s->A.mat));
}

/* A power of two near v; 1 where v has none */
static inline double tsl_unit_of(double v) { return v > 0 && isfinite(v) ? exp2(ilogb(v)) : 1; }

/* What A is multiplied by before it is factored in lower precision: then elements are about 1 on the average of its largest row, and none is
 * larger than its order, which halves hold up to 65504; above, what overflows is followed by single precision. */
static inline double tsl_scale_for(double size, int64_t n) { return 1 / tsl_unit_of(2 * size / (double)n); }

/* By |A| alone, is the largest element neither too large nor too small for single precision? It is at least size / n. */
static inline bool tsl_is_midway(double size, int64_t n) { return size <= FLT_MAX && size >= (double)n * FLT_MIN; }

/* May an A with these sizes be factored, scaled? 0, or why not: |A| is infinite; or in LAPACK's meaning, by which A is not scaled, an
 * element is beyond single precision, or all vanish there. */
static inline int tsl_misfits(const tsl_refinement *r, double size, double largest)
{
    if (isinf(size) || (!r->any_size && largest > FLT_MAX)) return TSL_LOW_OVERFLOW;
    return !r->any_size && largest < FLT_MIN ? TSL_LOW_SINGULAR : 0;
}

#endif
