/* Eigenvalues and Schur form of a Hessenberg matrix by multishift QR with aggressive early deflation (Braman, Byers and
 * Mathias). The host's cores deflate in a window at the bottom, which makes shifts too; these go through the active block as
 * chains of bulges, each in a window of its own, whose transformations U multiply what is beside and above the windows. What is
 * left, or does not converge, is the host's. */
#include <complex.h>
#include <math.h>

#include "algo/algo.h"
#include "core/numbers/chase.h"
#include "core/values.h"
#include "tune/numbers.h"

enum { PATIENCE = 10 }; /* sweeps without a deflation */

#define OF(name) tsl_tuned(x, TSL_TUNED_##name)

/* The order of the window at the bottom of an active block of order m: deflation in it takes the cube of that, a sweep the
 * block's order. Pairs of shifts: 5/16 of that order. */
static int64_t deflated_in(const tsl_context *x, int64_t m)
{
    if (m < OF(DEFLATED_LITTLE_BELOW)) return OF(DEFLATED_LITTLE);
    return m < OF(DEFLATED_MORE_BELOW) ? OF(DEFLATED_MORE) : OF(DEFLATED_MOST);
}
static int64_t pairs_for(const tsl_context *x, int64_t m) { return deflated_in(x, m) * 5 / 16; }

typedef struct iteration {
    tsl_context *x;
    tsl_view H, Z, w, wi;
    bool schur, ahead;     /* ahead: chains of bulges go on while what is far from them is multiplied */
    int64_t n, low, high;  /* rows and columns low .. high are active */
    int64_t window, bulges; /* of a chain: its window's order, and how many it has */
    tsl_view U, wide, tall; /* transformations side by side, and room for products with one */
    tsl_view S, values, found; /* shifts; eigenvalues of the window at the bottom; numbers from the host */
} iteration;

/* X := op(U) X, or X U */
static void from_left(const iteration *s, tsl_view U, tsl_view X)
{
    tsl_view W = tsl_sub(s->wide, 0, 0, tsl_rows(X), tsl_cols(X));
    tsl_gemm(s->x, 1, tsl_herm(U), X, 0, W);
    tsl_copy(s->x, W, X);
}
static void from_right(const iteration *s, tsl_view X, tsl_view U)
{
    tsl_view W = tsl_sub(s->tall, 0, 0, tsl_rows(X), tsl_cols(X));
    tsl_gemm(s->x, 1, X, U, 0, W);
    tsl_copy(s->x, W, X);
}

/* U, of rows and columns from `at` on, which have it already, on the rest of H that is wanted, and on Z */
static void apply(const iteration *s, tsl_view U, int64_t at)
{
    int64_t order = tsl_rows(U), top = s->schur ? 0 : s->low, end = s->schur ? s->n : s->high + 1, after = at + order;
    if (after < end) from_left(s, U, tsl_sub(s->H, at, after, order, end - after));
    if (at > top) from_right(s, tsl_sub(s->H, top, at, at - top, order), U);
    if (tsl_is_there(s->Z)) from_right(s, tsl_block_cols(s->Z, at, order).A1, U);
}

/* What is beside and above the windows, times the windows' transformations; how far from them */
static void multiply(const iteration *s, const tsl_call *step, tsl_view U, int64_t reach)
{
    tsl_call c = *step;
    c.op = TSL_OP_LAQRU, c.chase.reach = reach, c.v[0] = s->H, c.v[1] = U, c.v[2] = tsl_is_there(s->Z) ? s->Z : tsl_sub(s->H, 0, 0, 0, 0);
    /* beside them */           c.side = TSL_LEFT, tsl_execute(s->x, &c);
    /* above, and Z */          c.side = TSL_RIGHT, tsl_execute(s->x, &c);
}

/* In the next step a window stays within one window's order of where it is now (core/numbers/chase.h). So only products that
 * near must be done before that step; the far ones run beside it, on the other lane. U has two places, used in turn. */
static void sweep(const iteration *s, int64_t pairs)
{
    int64_t m = s->high - s->low + 1, places = tsl_cols(s->U) / 2;
    tsl_chase t = {.m = m, .total = pairs, .chain = tsl_min(pairs, s->bulges), .window = s->window};
    t.steps = s->window - 3 * t.chain - 1;
    for (int place = 0; t.time < tsl_chase_time(&t); t.time += t.steps, place = !place) {
        tsl_view U = tsl_block_cols(s->U, place * places, places).A1;
        tsl_call c = {.op = TSL_OP_LAQR5, .chase = {.sweep = t, .low = s->low, .schur = s->schur},
                      .v = {tsl_sub(s->H, s->low, s->low, m, m), s->S, U}};
        /* U of the windows */  tsl_execute(s->x, &c);
        if (s->ahead) {
            /* last step's */   tsl_meet(s->x, &c);
            multiply(s, &c, U, t.window);
            tsl_meet(s->x, &c), tsl_on(s->x, TSL_ON_AHEAD);
            multiply(s, &c, U, -t.window);
            tsl_on(s->x, TSL_ON_MAIN);
        } else {
            multiply(s, &c, U, 0);
        }
        if (tsl_is_dry(s->x)) break;
    }
    if (s->ahead) tsl_meet(s->x, &(tsl_call){.v = {s->H}});
}

/* Deflates what it can at the bottom: returns how many eigenvalues that were, and how many pairs of shifts there are. */
static int64_t deflate(iteration *s, int64_t *pairs)
{
    int64_t m = s->high - s->low + 1, order = deflated_in(s->x, m) + 1; /* with a row and a column more */
    int64_t at = s->high - order + 1;
    tsl_view Q = tsl_sub(s->U, 0, 0, order, order), v = tsl_block_rows(s->values, 0, order).A1, re = tsl_block_cols(v, 0, 1).A1,
             im = tsl_block_cols(v, 1, 1).A1;
    tsl_scalar count[2] = {0, 0};
    /* H1 := Q^H H1 Q */
    tsl_by_host(s->x, &(tsl_call){.op = TSL_OP_LAQR3, .v = {tsl_sub(s->H, at, at, order, order), Q, re, im, s->S, s->found}});
    tsl_read(s->x, s->found, count);
    int64_t gone = tsl_min((int64_t)creal(count[0]), order - 1);
    *pairs = tsl_min((int64_t)creal(count[1]), tsl_min(pairs_for(s->x, m), tsl_cols(s->S)));
    apply(s, Q, at);
    if (gone > 0) {
        tsl_copy(s->x, tsl_block_rows(re, order - gone, gone).A1, tsl_block_rows(s->w, s->high - gone + 1, gone).A1);
        if (tsl_is_there(s->wi)) tsl_copy(s->x, tsl_block_rows(im, order - gone, gone).A1, tsl_block_rows(s->wi, s->high - gone + 1, gone).A1);
    }
    return gone;
}

/* The active block by the host's cores. False: it did not converge. */
static bool finish(const iteration *s, tsl_view Q)
{
    int64_t m = s->high - s->low + 1, low = s->low;
    tsl_view B = tsl_sub(s->H, low, low, m, m), none = tsl_sub(s->H, 0, 0, 0, 0), V = s->schur ? tsl_sub(Q, 0, 0, m, m) : none;
    if (s->schur) tsl_laset(s->x, 0, 1, V);
    tsl_by_host(s->x, &(tsl_call){.op = TSL_OP_HSEQR, .schur = {.wanted = s->schur, .order = m}, .v = {B, tsl_block_rows(s->w, low, m).A1, tsl_is_there(s->wi) ? tsl_block_rows(s->wi, low, m).A1 : none, V}});
    if (s->schur) apply(s, V, low);
    return tsl_good_so_far(s->x);
}

/* Where the active block begins: past the last element beside the diagonal that is negligible */
static int64_t last_split(const iteration *s)
{
    tsl_view one = tsl_block_rows(s->found, 0, 1).A1;
    tsl_laqrs(s->x, tsl_sub(s->H, 0, 0, s->high + 1, s->high + 1), one);
    return (int64_t)tsl_read_one(s->x, one, 0);
}

static tsl_status iterate(tsl_context *x, const tsl_call *c, bool ahead)
{
    tsl_view H = c->v[0];
    tsl_type t = tsl_matrix_type(H.mat);
    int64_t n = tsl_rows(H), pairs = 0;
    bool narrow = t == TSL_Z, dry = tsl_is_dry(x);
    bool inside = c->schur.order > 0 && c->schur.order < n && tsl_is_there(c->v[3]);
    tsl_view Z = inside ? tsl_block_rows(c->v[3], c->schur.first, c->schur.order).A1 : c->v[3]; /* of a block its rows alone, as in LAPACK */
    iteration s = {.x = x, .H = H, .w = c->v[1], .wi = c->v[2], .Z = Z, .schur = c->schur.wanted, .ahead = ahead, .n = n, .high = n - 1,
                   .window = narrow ? TSL_CHASE_NARROW : TSL_CHASE_WINDOW, .bulges = narrow ? TSL_CHASE_FEW : TSL_CHASE_BULGES};
    int64_t least = OF(SHIFTS_REST), chains = OF(SHIFTS_CHAINS), bottom = OF(DEFLATED_MOST) + 1, shifts = chains * s.bulges;
    int64_t widest = c->schur.wanted ? n : tsl_max(s.window, bottom);
    s.U = tsl_temp(x, H, tsl_max(s.window, bottom), tsl_max(2 * chains * s.window, bottom));
    s.wide = tsl_temp(x, H, widest, n), s.tall = tsl_temp(x, H, n, widest);
    s.S = tsl_temp(x, H, 4, shifts), s.values = tsl_temp(x, H, bottom, 2);
    s.found = tsl_temp_of(x, H, TSL_IN_ONE, TSL_OF_INDEX, 2, 1);
    tsl_view Q = c->schur.wanted ? tsl_temp(x, H, n, n) : s.U;
    for (int64_t sweeps = 0; s.high >= 0;) {
        s.low = last_split(&s);
        if (dry || s.high - s.low < least || sweeps >= PATIENCE) {
            if (dry) s.low = 0, deflate(&s, &pairs), sweep(&s, shifts);
            if (!finish(&s, Q)) return tsl_count_from(x, H, s.low), TSL_OK;
            if (dry) return TSL_OK;
            s.high = s.low - 1, sweeps = 0;
            continue;
        }
        int64_t gone = deflate(&s, &pairs);
        s.high -= gone, sweeps = gone ? 0 : sweeps + 1;
        /* after many more, the next window may deflate too */
        bool few = 100 * gone <= 40 * deflated_in(x, s.high + gone - s.low + 1);
        if (few && pairs && s.high - s.low >= least) sweep(&s, pairs);
    }
    return TSL_OK;
}

/* What is negligible is told beside the least number too: H comes into range first. */
static tsl_status in_range(tsl_context *x, const tsl_call *c, bool ahead)
{
    tsl_view H = c->v[0];
    int64_t n = tsl_rows(H);
    if (n <= OF(SHIFTS_REST)) return tsl_by_host(x, c), TSL_OK;
    /* reflectors may be there */   tsl_laset(x, 0, 0, tsl_lower(tsl_sub(H, 2, 0, n - 2, n - 2)));
    double size, factor = tsl_into_range(x, TSL_TRIANGULAR, H, &size);
    if (!isfinite(size)) return tsl_by_host(x, c), TSL_OK;
    tsl_status st = iterate(x, c, ahead);
    for (int i = 0; i < 3 && factor != 1; ++i)
        if (tsl_is_there(c->v[i])) tsl_scale(x, 1 / factor, c->v[i]);
    return st;
}

tsl_status tsl_hseqr_shifts(tsl_context *x, const tsl_call *c) { return in_range(x, c, false); }
tsl_status tsl_hseqr_ahead(tsl_context *x, const tsl_call *c) { return in_range(x, c, true); }
