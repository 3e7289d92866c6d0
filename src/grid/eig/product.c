/* The rows of Q that are here, times the vectors of a merge (solver.h). Columns are brought into the order of slots first,
 * in a copy, so that those which are zero here stay out of the product. */
#include <string.h>

#include "grid/eig/solver.h"

static void put_column(tsl_view v, int64_t j, int64_t m, const double *x)
{
    void *p = tsl_here(v, 0, j);
    if (v.mat->type == TSL_D) memcpy(p, x, (size_t)m * sizeof *x);
    else for (int64_t i = 0; i < m; ++i) ((float *)p)[i] = (float)x[i];
}

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

/* S := components low .. high of the vectors from the j-th on; without any the product is zero */
typedef struct wanted {
    int64_t j, low, high;
} wanted;

static void vector(tsl_solver *s, const void *with, int64_t i, double *column)
{
    const wanted *w = with;
    tsl_merge_vector(&s->m, w->j + i, w->low, w->high, column);
    put_column(s->S, i, w->high - w->low, column);
    if (w->low == w->high) memset(tsl_here(s->C, 0, i), 0, (size_t)s->Q.m * tsl_type_size(s->C.mat->type));
}

void tsl_solver_multiply(tsl_solver *s, int64_t from, bool second, int64_t first, int64_t count)
{
    const tsl_merge *m = &s->m;
    int64_t low = second ? m->ones : 0, high = second ? m->k : m->ones + m->twos, r = s->Q.m, b;
    if (s->g->failed && !tsl_is_told(s->g)) return;
    tell_copies(s, m->order);
    turn_columns(s, from);
    for (int64_t i = 0; i < m->order; ++i) copy_column(s, s->Q, from + m->source[i], s->W, i);
    for (int64_t j = 0; j < m->k; j += b) {
        b = tsl_min(s->S.n, m->k - j);
        if (m->target[j + b - 1] < first || m->target[j] >= first + count) continue;
        if (!tsl_solver_told(s, b)) tsl_solver_each(s, vector, &(wanted){j, low, high}, 0, b);
        tsl_view W = tsl_sub(s->W, 0, low, r, high - low), S = tsl_sub(s->S, 0, 0, high - low, b);
        /* C := W S */
        if (low < high) tsl_product_here(s->x, s->g, 1, W, S, 0, tsl_sub(s->C, 0, 0, r, b));
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
