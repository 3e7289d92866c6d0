/* What routines with reflectors have in common: reflectors and products with them, and ScaLAPACK's workspace. */
#ifndef BENCH_REFLECTORS_H
#define BENCH_REFLECTORS_H

#include "bench/routine.h"

enum { QR_BLOCK = 64 }; /* the width of LAPACK's panels, for which it says how much workspace is best */

static inline int64_t least(const bench_case *c) { return c->m < c->n ? c->m : c->n; }
static inline int64_t most(const bench_case *c) { return c->m > c->n ? c->m : c->n; }

/* Reflectors: of QR below the diagonal of a block, of LQ, as rows, right of it, of QL above it, in the other order; and their
 * factors */
typedef struct reflectors {
    bench_block F;
    bool lq;
    const bench_array *tau;
    const void *factors;
    bool ql;
} reflectors;

static inline bench_block reflector(const bench_problem *p, const reflectors *q, int64_t j)
{
    bench_block v = q->F;
    if (q->ql) {
        v.data = (const char *)v.data + (size_t)(j * v.ld) * tsl_type_size(p->c.type);
        v.rows = j;
        v.cols = 1;
        return v;
    }
    v.data = (const char *)v.data + (size_t)(q->lq ? j + (j + 1) * v.ld : j + 1 + j * v.ld) * tsl_type_size(p->c.type);
    v.rows = q->lq ? 1 : v.rows - j - 1;
    v.cols = q->lq ? v.cols - j - 1 : 1;
    return v;
}

/* x := Q x, or Q^H x: x - tau (v^H x) v for one reflector after the other */
static inline void reflect(scratch *s, const bench_problem *p, reflectors q, bool inverse, double *x)
{
    const bench_elements *e = s->e;
    tsl_op column = q.lq ? adjoint(p) : TSL_NOTRANS, row = q.lq ? TSL_NOTRANS : adjoint(p);
    int64_t count = q.tau->is.rows, length = q.lq ? q.F.cols : q.F.rows;
    double *low = zeros(s, length), dot[4];
    for (int64_t step = 0; step < count && !s->failed; step++) {
        int64_t j = inverse != q.ql ? step : count - 1 - step, rest = q.ql ? j : length - j - 1;
        bench_block v = reflector(p, &q, j);
        double *at = x + e->parts * j, *below = q.ql ? x : at + e->parts;
        tsl_scalar tau = stored(q.tau, q.factors, j, 0), sum;
        memset(dot, 0, sizeof dot);
        memcpy(dot, at, (size_t)e->parts * sizeof *dot);
        if (rest > 0)
            e->product(&v, row, below, dot, dot + e->parts);
        sum = e->parts == 2 ? CMPLX(dot[0] + dot[2], dot[1] + dot[3]) : CMPLX(dot[0] + dot[1], 0);
        sum *= inverse ? conj(tau) : tau;
        dot[0] = -creal(sum), dot[1] = -cimag(sum);
        for (int l = 0; l < e->parts; l++)
            at[l] += dot[l];
        if (rest > 0)
            e->product(&v, column, dot, below, low);
        for (int64_t i = 0; i < e->parts * rest; i++)
            below[i] += low[i], low[i] = 0;
    }
}

/* Workspace: a first call, with lwork = -1, says how many elements; before them is room for factors. */
typedef struct room {
    bench_number answer;
    int lwork, info;
    char *tau, *work;
} room;

static inline bool provide(bench_blacs *s, const bench_problem *p, int64_t factors, room *r)
{
    size_t size = tsl_type_size(p->c.type);
    r->lwork = (int)creal(bench_value_of(p->c.type, &r->answer));
    r->tau = r->info ? NULL : bench_room_for(&s->work, ((size_t)factors + (size_t)r->lwork) * size);
    r->work = r->tau ? r->tau + (size_t)factors * size : NULL;
    return r->tau;
}

#endif
