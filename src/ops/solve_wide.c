/* A X = B by factors of lower precision where an operand is tiled: the corrections of algo/refine.c, each step a call of its own, which finds
 * its own way to the devices. The factors and all columns are in the host's memory. There is no GMRES: what corrections do not solve goes
 * on to the next precision. */
#include "algo/refine.h"
#include "ops/solve.h"

enum { STRIP = 32 }; /* rows of A whose norms are found at once */

static bool definite(tsl_view A) { return A.uplo != TSL_GENERAL; }

tsl_status tsl_held_make(tsl_context *x, tsl_type type, int64_t m, int64_t n, tsl_held *h)
{
    h->bytes = tsl_max(1, (int64_t)tsl_dense_bytes(type, m, n));
    h->p = tsl_host_alloc(&x->allocator, h->bytes);
    h->mat = tsl_borrow(x, type, m, n, h->p, tsl_max(1, m));
    return h->p ? TSL_OK : TSL_ERR_MEMORY;
}

void tsl_held_free(tsl_context *x, tsl_held *h)
{
    if (h->p) tsl_host_free(&x->allocator, h->p, h->bytes);
    h->p = NULL;
}

/* W := rows k to k + STRIP of A, or of what its triangle stands for */
static tsl_status copy_strip(tsl_context *x, tsl_view A, int64_t k, tsl_view W)
{
    if (!definite(A)) return tsl_copy(x, tsl_block_rows(A, k, STRIP).A1, W);
    tsl_part3 P = tsl_partition(tsl_as_lower(A), k, STRIP);
    tsl_strips S = tsl_block_cols(W, k, STRIP);
    tsl_status st = tsl_copy(x, P.A10, S.A0);
    if (!st) st = tsl_copy(x, tsl_lower(P.A11), tsl_lower(S.A1));
    if (!st) st = tsl_copy(x, tsl_herm(tsl_lower(P.A11)), tsl_upper(S.A1));
    return st ? st : tsl_copy(x, tsl_herm(P.A21), S.A2);
}

tsl_status tsl_sizes_of(tsl_context *x, tsl_view A, double *rows, double *largest)
{
    tsl_held strip = {0};
    int64_t n = tsl_rows(A);
    tsl_status st = tsl_held_make(x, A.mat->type, tsl_min(n, STRIP), n, &strip);
    *rows = *largest = 0;
    for (int64_t k = 0; k < n && !st; k += STRIP) {
        double sum = 0, most = 0;
        tsl_view W = tsl_block_rows(tsl_whole(&strip.mat), 0, tsl_min(STRIP, n - k)).A1;
        st = copy_strip(x, A, k, W);
        if (!st) st = tsl_norm(x, TSL_NORM_INF, TSL_HERMITIAN, W, &sum);
        if (!st) st = tsl_norm(x, TSL_NORM_MAX, TSL_HERMITIAN, W, &most);
        *rows = isnan(sum) || sum > *rows ? sum : *rows;
        *largest = isnan(most) || most > *largest ? most : *largest;
    }
    tsl_held_free(x, &strip);
    return st;
}

/* L, p := the factors of scale * A; if there are none r->outcome says why, and is 0 otherwise. */
static tsl_status factor(tsl_context *x, tsl_system *s, tsl_refinement *r)
{
    double largest;
    int64_t info = 0;
    tsl_status st = tsl_sizes_of(x, s->A, &s->size, &largest);
    s->scale = tsl_scale_for(s->size, tsl_rows(s->A));
    r->outcome = tsl_misfits(r, s->size, largest);
    if (st || r->outcome) return st;
    st = tsl_execute_info(x, &(tsl_call){.op = TSL_OP_CONVERT, .alpha = s->scale, .v = {s->A, s->L}}, NULL);
    if (!st) st = definite(s->L) ? tsl_potrf(x, s->L, &info) : tsl_getrf(x, s->L, s->p, &info);
    r->outcome = info ? TSL_LOW_SINGULAR : 0;
    return st;
}

/* Y := beta Y + inv(A) R */
static tsl_status apply(tsl_context *x, const tsl_system *s, double largest, double beta, tsl_view Y)
{
    double unit = tsl_unit_of(largest);
    tsl_status st = tsl_execute(x, &(tsl_call){.op = TSL_OP_CONVERT, .alpha = 1 / unit, .v = {s->R, s->D}});
    if (!st) st = definite(s->L) ? tsl_potrs(x, s->L, s->D) : tsl_getrs(x, s->L, s->p, s->D);
    return st ? st : tsl_execute(x, &(tsl_call){.op = TSL_OP_CONVERT, .alpha = unit * s->scale, .beta = beta, .v = {s->D, Y}});
}

/* r->outcome: how many corrections X has taken, or that they do not lead to it; forward: of a solution, if it is asked for */
static tsl_status correct(tsl_context *x, const tsl_system *s, tsl_refinement *r)
{
    double before = INFINITY, first = 0, ratio = 0, largest = 0;
    bool good = false;
    tsl_status st = tsl_copy(x, s->B, s->R);
    if (!st) st = tsl_norm(x, TSL_NORM_MAX, TSL_HERMITIAN, s->R, &largest);
    for (int64_t turn = 0; turn <= TSL_CORRECTIONS && !st && !good; ++turn, before = r->backward) {
        /* X := X + inv(A) R, from X = 0 */ st = apply(x, s, largest, turn > 0, s->X);
        /* R := B - A X */                  if (!st) st = tsl_copy(x, s->B, s->R);
        if (!st) st = definite(s->A) ? tsl_hemm(x, TSL_LEFT, -1, s->A, s->X, 1, s->R) : tsl_gemm(x, -1, s->A, s->X, 1, s->R);
        if (!st) st = tsl_ratio(x, s->R, s->X, &ratio, &largest);
        r->backward = ratio > 0 ? ratio / s->size : ratio;
        r->outcome = turn;
        if (turn == 0) first = r->backward;
        good = tsl_corrected(s, first, before, r->backward);
        if (!good && tsl_stalls(before, r->backward)) break;
    }
    bool close = !good && r->backward <= s->bound;
    if (!st && (close || (good && r->measured))) {
        /* R := inv(A) R */                 st = apply(x, s, largest, 0, s->R);
        if (!st) st = tsl_ratio(x, s->R, s->X, &r->forward, &largest);
    }
    if (!good && !(close && tsl_settled(s, r->backward, r->forward))) r->outcome = TSL_LOW_SLOW;
    return st;
}

tsl_status tsl_solve_wide(tsl_context *x, const tsl_call *c)
{
    tsl_held L = {0}, p = {0}, X = {0}, R = {0}, D = {0};
    tsl_view A = c->v[0];
    tsl_type t = A.mat->type, low = tsl_other_precision(t);
    int64_t n = tsl_rows(A), count = tsl_cols(c->v[2]);
    tsl_status st = tsl_held_make(x, low, n, n, &L);
    if (!st) st = tsl_held_make(x, TSL_INDEX, definite(A) ? 0 : n, 1, &p);
    if (!st) st = tsl_held_make(x, t, n, count, &X);
    if (!st) st = tsl_held_make(x, t, n, count, &R);
    if (!st) st = tsl_held_make(x, low, n, count, &D);
    if (!st) {
        tsl_system s = {.A = A, .B = c->v[2], .X = tsl_whole(&X.mat), .R = tsl_whole(&R.mat), .L = tsl_whole(&L.mat), .p = tsl_whole(&p.mat),
                        .D = tsl_whole(&D.mat), .enough = c->refine->accuracy,
                        .bound = tsl_bound_of(t, n)};
        if (definite(A)) s.L = tsl_triangle(A) == TSL_LOWER ? tsl_lower(s.L) : tsl_upper(s.L);
        c->refine->method = TSL_BY_CORRECTIONS;
        st = factor(x, &s, c->refine);
        if (!st && !c->refine->outcome) st = correct(x, &s, c->refine);
        if (!st && c->refine->outcome >= 0) st = tsl_copy(x, s.X, c->v[3]);
    }
    tsl_held_free(x, &D), tsl_held_free(x, &R), tsl_held_free(x, &X), tsl_held_free(x, &p), tsl_held_free(x, &L);
    return st;
}
