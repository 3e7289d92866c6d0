/* Where the bulges of a multishift QR sweep are. A bulge has two shifts and, at time t, its reflector in rows k + 1 .. k + 3 of
 * a Hessenberg matrix of order m, k = t - its delay - 1: it is made at k = -1, its column k is what the reflector is of, and at
 * k = m - 3 it leaves. Chains of `bulges` follow one another 3 rows apart; the next chain begins a window later. */
#ifndef TSL_CHASE_H
#define TSL_CHASE_H

#include <stdbool.h>
#include <stdint.h>

/* The order of a window, in which a chain is for some steps; how many bulges a chain has at most */
enum { TSL_CHASE_WINDOW = 96, TSL_CHASE_NARROW = 64, TSL_CHASE_BULGES = 10, TSL_CHASE_FEW = 7 };

typedef struct tsl_chase {
    int64_t m, time, steps; /* from that time on so many steps */
    int64_t total, chain;   /* bulges, and of a chain */
    int64_t window;
} tsl_chase;

typedef struct tsl_chase_place {
    int64_t first, order; /* rows and columns; 0: there is nothing to do */
} tsl_chase_place;

#ifdef __CUDACC__
#define TSL_CHASE_CALL static inline __host__ __device__
#else
#define TSL_CHASE_CALL static inline
#endif

/* k of bulge b of chain c at time t */
TSL_CHASE_CALL int64_t tsl_chase_k(const tsl_chase *s, int64_t c, int64_t b, int64_t t) { return t - c * s->window - 3 * b - 1; }
TSL_CHASE_CALL int64_t tsl_chase_chains(const tsl_chase *s) { return (s->total + s->chain - 1) / s->chain; }
TSL_CHASE_CALL int64_t tsl_chase_bulges(const tsl_chase *s, int64_t c)
{
    return c * s->chain + s->chain <= s->total ? s->chain : s->total - c * s->chain;
}
/* How long the sweep takes */
TSL_CHASE_CALL int64_t tsl_chase_time(const tsl_chase *s) { return s->m - 1 + (tsl_chase_chains(s) - 1) * s->window + 3 * (s->chain - 1); }

/* The column of its last bulge at first, and the row after the reflector of its first one at last */
TSL_CHASE_CALL tsl_chase_place tsl_chase_window(const tsl_chase *s, int64_t c)
{
    tsl_chase_place p = {0, 0};
    int64_t tail = tsl_chase_k(s, c, tsl_chase_bulges(s, c) - 1, s->time), lead = tsl_chase_k(s, c, 0, s->time + s->steps - 1),
            last = lead + 4 < s->m - 1 ? lead + 4 : s->m - 1;
    if (lead < -1 || tail > s->m - 3) return p;
    p.first = tail > 0 ? tail : 0;
    p.order = last - p.first + 1;
    return p;
}

/* Of columns begin .. end - 1 after a window, or of rows before it, those that are meant: `reach` next to it; if that is
 * negative those beyond; 0: all */
typedef struct tsl_chase_span {
    int64_t begin, count;
} tsl_chase_span;

TSL_CHASE_CALL tsl_chase_span tsl_chase_beside(int64_t begin, int64_t end, int64_t reach, bool after)
{
    if (reach > 0 && end - begin > reach) begin = after ? begin : end - reach, end = begin + reach;
    if (reach < 0) begin -= after ? reach : 0, end += after ? 0 : reach;
    tsl_chase_span s = {begin, end > begin ? end - begin : 0};
    return s;
}

#endif
