/* The rows of Q that are here, times the vectors of a merge (solver.h). Columns are brought into the order of slots first,
 * in a copy, so that those which are zero here stay out of the product. */
#include <string.h>

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

static void tell_copies(const tsl_solver *s, int64_t columns)
{
    tsl_tell_move(s->g, (double)tsl_dense_bytes(s->Q.mat->type, s->Q.m, columns), 0);
}

static void copy_column(const tsl_solver *s, tsl_view A, int64_t i, tsl_view B, int64_t j)
{
    if (s->g->failed) return;
    memcpy(tsl_here(B, 0, j), tsl_here(A, 0, i), (size_t)s->Q.m * tsl_type_size(A.mat->type));
}

/* C := W S, S being components low .. high of b vectors from the j-th on; without any it is zero */
static void product(tsl_solver *s, int64_t j, int64_t b, int64_t low, int64_t high)
{
    int64_t rows = s->Q.m, k = high - low;
    tsl_view W = tsl_sub(s->W, 0, low, rows, k), S = tsl_sub(s->S, 0, 0, k, b), C = tsl_sub(s->C, 0, 0, rows, b);
    tsl_view poles = tsl_sub(s->slots, 0, 0, s->m.k, 2), roots = tsl_sub(s->roots, j, 0, b, 2);
    if (k == 0) {
        size_t column = (size_t)rows * tsl_type_size(C.mat->type);
        for (int64_t i = 0; i < b && !s->g->failed; ++i) memset(tsl_here(C, 0, i), 0, column);
        return;
    }
    tsl_locally(s->x, s->g, &(tsl_call){.op = TSL_OP_MERGE_VECTORS, .k = low, .v = {S, poles, roots}});
    tsl_product_here(s->x, s->g, 1, W, S, 0, C);
}

void tsl_solver_multiply(tsl_solver *s, int64_t from, bool second, int64_t first, int64_t count)
{
    const tsl_merge *m = &s->m;
    int64_t low = second ? m->ones : 0, high = second ? m->k : m->ones + m->twos, b;
    if (s->g->failed && !tsl_is_told(s->g)) return;
    tsl_merge_by_slot(m, s->mine, s->mine + s->n);
    tell_copies(s, m->order);
    turn_columns(s, from);
    for (int64_t i = 0; i < m->order; ++i) copy_column(s, s->Q, from + m->source[i], s->W, i);
    for (int64_t j = 0; j < m->k; j += b) {
        b = tsl_min(s->S.n, m->k - j);
        if (m->target[j + b - 1] < first || m->target[j] >= first + count) continue;
        product(s, j, b, low, high);
        tell_copies(s, b);
        for (int64_t i = 0; i < b; ++i) {
            int64_t to = m->target[j + i] - first;
            if (to >= 0 && to < count) copy_column(s, s->C, i, s->Q, from + to);
        }
    }
    for (int64_t i = m->k; i < m->order; ++i) {
        int64_t to = m->target[i] - first;
        if (to >= 0 && to < count) copy_column(s, s->W, i, s->Q, from + to);
    }
}
