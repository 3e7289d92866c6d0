/* The rows of Q that are here, times the vectors of a merge (solver.h). Columns are brought into the order of slots first, in a
 * copy, so that those which are zero here stay out of the product. Q is in the host's memory, the copy where products are
 * computed: an element crosses to a device and back once in a merge. Columns of a half, and roots, are in the order of their
 * values, so most of them move side by side. */
#include <string.h>

#include "exec/exec.h"
#include "grid/eig/solver.h"

static void turn_columns(const tsl_solver *s, int64_t from)
{
    for (int64_t t = 0; t < s->m.turns; ++t) {
        tsl_turn r = s->m.turn[t];
        for (int64_t i = 0; i < s->Q.m; ++i) {
            double a = tsl_get_real(s->Q, i, from + r.p), b = tsl_get_real(s->Q, i, from + r.q);
            tsl_put_real(s->Q, i, from + r.p, r.c * a + r.s * b);
            tsl_put_real(s->Q, i, from + r.q, r.c * b - r.s * a);
        }
    }
}

/* B := A, both columns of as many rows as are here */
static void move(const tsl_solver *s, tsl_view A, tsl_view B)
{
    if (s->g->failed) return;
    if (tsl_on_device(A.mat) || tsl_on_device(B.mat)) tsl_channel_watch(s->x, s->g); /* it waits for the device */
    tsl_status st = tsl_move_block(s->x, &A, &B);
    if (st) tsl_grid_fail(s->g, st);
}

/* Column j + i of W is number[i] of Q, whose numbers begin with column `from`: to there, if `out`, or from there. Of Q there
 * are columns first .. end. */
static void move_columns(const tsl_solver *s, tsl_view W, int64_t j, const int64_t *number, int64_t count, int64_t from,
                         int64_t first, int64_t end, bool out)
{
    for (int64_t i = 0, run; i < count; i += run) {
        run = 1;
        if (number[i] < first || number[i] >= end) continue;
        while (i + run < count && number[i + run] == number[i] + run && number[i + run] < end) ++run;
        tsl_view here = tsl_sub(W, 0, j + i, s->Q.m, run), there = tsl_sub(s->Q, 0, from + number[i] - first, s->Q.m, run);
        if (out) move(s, here, there);
        else move(s, there, here);
    }
}

/* C := W S, S being components low .. high of b vectors from the j-th on; without any it is zero */
static void product(tsl_solver *s, int64_t j, int64_t b, int64_t low, int64_t high)
{
    int64_t rows = s->Q.m, k = high - low;
    tsl_view W = tsl_sub(s->W, 0, low, rows, k), S = tsl_sub(s->S, 0, 0, k, b), C = tsl_sub(s->C, 0, 0, rows, b);
    tsl_view poles = tsl_sub(s->slots, 0, 0, s->m.k, 2), roots = tsl_sub(s->roots, j, 0, b, 2);
    if (k == 0) {
        tsl_locally(s->x, s->g, &(tsl_call){.op = TSL_OP_SCALE, .v = {C}});
        return;
    }
    tsl_locally(s->x, s->g, &(tsl_call){.op = TSL_OP_MERGE_VECTORS, .k = low, .v = {S, poles, roots}});
    tsl_product_here(s->x, s->g, 1, W, S, 0, C);
}

static void tell_columns(const tsl_solver *s, int64_t count)
{
    double bytes = (double)tsl_dense_bytes(s->Q.mat->type, s->Q.m, count);
    if (tsl_on_device(s->W.mat)) tsl_tell_cross(s->g, bytes);
    else tsl_tell_move(s->g, bytes, 0);
}

/* Where work is told nothing is deflated: all products but the last are alike. */
static void tell(tsl_solver *s, int64_t low, int64_t high, int64_t wanted)
{
    int64_t b = tsl_max(1, tsl_min(s->S.n, wanted)), more = wanted % b;
    tell_columns(s, high - low + wanted);
    s->g->sample.alike = wanted / b;
    product(s, 0, b, low, high);
    s->g->sample.alike = 1;
    if (more) product(s, 0, more, low, high);
}

void tsl_solver_multiply(tsl_solver *s, int64_t from, bool second, int64_t first, int64_t count)
{
    const tsl_merge *m = &s->m;
    int64_t low = second ? m->ones : 0, high = second ? m->k : m->ones + m->twos, end = first + count, b;
    if (tsl_is_told(s->g)) tell(s, low, high, tsl_min(count, m->k));
    if (s->g->failed) return;
    tsl_merge_by_slot(m, s->mine, s->mine + s->n);
    turn_columns(s, from);
    move_columns(s, s->W, low, m->source + low, high - low, from, 0, m->order, false);
    move_columns(s, s->W, m->k, m->source + m->k, m->order - m->k, from, 0, m->order, false);
    for (int64_t j = 0; j < m->k; j += b) {
        b = tsl_min(s->S.n, m->k - j);
        if (m->target[j + b - 1] < first || m->target[j] >= end) continue;
        product(s, j, b, low, high);
        move_columns(s, s->C, 0, m->target + j, b, from, first, end, true);
    }
    move_columns(s, s->W, m->k, m->target + m->k, m->order - m->k, from, first, end, true);
}
