/* Matrices in band and packed storage: where their columns lie, and residuals column by column. */
#include "bench/problem/storage.h"

/* In a band the diagonal is row 0 of a lower triangle, and row k else. */
bench_segment bench_segment_of(const bench_array *a, int64_t j)
{
    const bench_shape *is = &a->is;
    bool packed = is->storage == BENCH_PACKED;
    int64_t reach = packed ? is->order : is->k, from = j - reach > 0 ? j - reach : 0, to = j + reach + 1 < is->height ? j + reach + 1 : is->height;
    if (is->triangle == TSL_LOWER)
        from = j;
    if (is->triangle == TSL_UPPER)
        to = j + 1;
    if (packed)
        return (bench_segment){is->triangle == TSL_LOWER ? j * is->order - j * (j - 1) / 2 : j * (j + 1) / 2, from, to};
    return (bench_segment){(is->triangle == TSL_LOWER ? 0 : is->k) + from - j + j * a->ld, from, to};
}

static const void *element(const bench_array *a, const void *base, int64_t at)
{
    return (const char *)base + (size_t)(a->row0 + a->col0 * a->ld + at) * tsl_type_size(a->type);
}

/* A new vector with an operand's entries. */
static double *load(scratch *s, const bench_array *a, const void *base)
{
    double *v = zeros(s, a->is.rows);
    for (int64_t i = 0; v && i < a->is.rows; i++) {
        tsl_scalar x = s->e->get(element(a, base, i), 0);
        v[s->e->parts * i] = creal(x);
        if (s->e->parts == 2)
            v[2 * i + 1] = cimag(x);
    }
    return v;
}

/* y + low := y + low + op(column) x, where the column is column j's rows [from, to) */
static void column_times(const scratch *s, bench_block column, int64_t from, int64_t j, tsl_op op, const double *x, double *y, double *low)
{
    int64_t in = s->e->parts * (op & TSL_TRANS ? from : j), out = s->e->parts * (op & TSL_TRANS ? j : from);
    s->e->product(&column, op, x + in, y + out, low + out);
}

/* A new vector op(A) x, where A is as stored, or the symmetric or Hermitian matrix it is a triangle of. */
static double *stored_times(scratch *s, const bench_array *a, tsl_op mirror, tsl_op op, const double *x, int64_t length)
{
    int parts = s->e->parts;
    double *y = zeros(s, 2 * length), *low = y + parts * length;
    for (int64_t j = 0; j < a->is.order && !s->failed; j++) {
        bench_segment c = bench_segment_of(a, j);
        /* the diagonal by itself: the first of a lower triangle's column, the last of an upper's */
        if (a->is.triangle != TSL_GENERAL && c.from < c.to) {
            bool lower = a->is.triangle == TSL_LOWER;
            tsl_scalar d = s->e->get(element(a, a->first, lower ? c.at : c.at + c.to - c.from - 1), 0), v = x[parts * j];
            if (parts == 2)
                v += I * x[2 * j + 1];
            d = a->is.diag == TSL_UNIT ? 1 : mirror == TSL_HERM ? creal(d) : op & TSL_CONJ ? conj(d) : d;
            y[parts * j] += creal(d * v);
            if (parts == 2)
                y[2 * j + 1] += cimag(d * v);
            c.at += lower, c.from += lower, c.to -= !lower;
        }
        bench_block column = {.data = element(a, a->first, c.at), .ld = a->ld, .rows = c.to - c.from, .cols = 1};
        if (c.from >= c.to)
            continue;
        column_times(s, column, c.from, j, op, x, y, low);
        if (mirror != TSL_NOTRANS)
            column_times(s, column, c.from, j, (tsl_op)(op ^ mirror), x, y, low);
    }
    for (int64_t i = 0; i < parts * length && !s->failed; i++)
        y[i] += low[i];
    return y;
}

static double stored_norm(const scratch *s, const bench_array *a, tsl_op mirror)
{
    double sum = 0;
    for (int64_t j = 0; j < a->is.order; j++) {
        bench_segment c = bench_segment_of(a, j);
        for (int64_t i = c.from; i < c.to; i++) {
            tsl_scalar v = i == j && a->is.diag == TSL_UNIT ? 1 : s->e->get(element(a, a->first, c.at + i - c.from), 0);
            sum += (mirror != TSL_NOTRANS && i != j ? 2 : 1) * (creal(v) * creal(v) + cimag(v) * cimag(v));
        }
    }
    return sqrt(sum);
}

/* |r| / (eps scale) */
static double ratio(scratch *s, const bench_problem *p, const double *r, int64_t length, double scale)
{
    double one[2] = {1, 0};
    return finish(s, p, r, length, one, 1, scale);
}

double bench_residual_by_vector(const bench_problem *p, tsl_op mirror)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    const bench_array *A = &p->a[0], *X = &p->a[1], *Y = &p->a[2];
    double *x = load(&s, X, X->first), *y0 = load(&s, Y, Y->first), *r = load(&s, Y, Y->work), scale = 0;
    int64_t n = Y->is.rows;
    if (s.failed)
        return finish(&s, p, r, n, x, 1, 1);
    scale += minus(&s, p->c.alpha, stored_times(&s, A, mirror, op_of(p, 0), x, n), r, n, stored_norm(&s, A, mirror), norm(&s, x, X->is.rows));
    if (p->c.beta != 0)
        scale += minus(&s, p->c.beta, y0, r, n, 1, norm(&s, y0, n));
    return ratio(&s, p, r, n, scale);
}

double bench_residual_triangular(const bench_problem *p, bool solve)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    const bench_array *A = &p->a[0], *X = &p->a[1];
    double *before = load(&s, X, X->first), *after = load(&s, X, X->work), *from = solve ? after : before, *r = solve ? before : after;
    int64_t n = X->is.rows;
    double size = s.failed ? 0 : norm(&s, from, n);
    double scale = minus(&s, 1, stored_times(&s, A, TSL_NOTRANS, op_of(p, 0), from, n), r, n, stored_norm(&s, A, TSL_NOTRANS), size);
    return ratio(&s, p, r, n, scale);
}
