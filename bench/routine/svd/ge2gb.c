/* Reduction of a square matrix to an upper band of k diagonals above the main one: on views alone. */
#include "bench/residual/reflectors.h"

static int64_t width(const bench_case *c) { return c->k > 0 ? c->k : 1; }

/* The band and the reflectors' factors come before the result, A. */
static int shape(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(width(c) + 1, c->n, BENCH_NOT_READ);
    is[1] = is[2] = vector_of(c->n, BENCH_NOT_READ);
    is[3] = matrix_of(c->n, c->n, BENCH_RANDOM);
    return 4;
}

static double elements(const bench_case *c) { return 2 * (double)c->n * (double)c->n; }
static double flops(const bench_case *c) { return 8.0 / 3 * (double)c->n * (double)c->n * (double)c->n; }
static tsl_status views(bench_problem *p) { return tsl_ge2gb(p->ctx, out(p), bench_view(p, 0, 'N'), bench_view(p, 1, 'N'), bench_view(p, 2, 'N')); }

/* x := Q x of QR's reflectors; x := P^H x of LQ's, which are of all columns but the first k */
static void apply_q(scratch *s, const bench_problem *p, double *x) { reflect(s, p, (reflectors){after(p), false, &p->a[1], p->a[1].work, false}, false, x); }

static void apply_p(scratch *s, const bench_problem *p, double *x)
{
    int64_t k = width(&p->c), count = p->c.n - k;
    bench_block F = after(p);
    bench_array tau = p->a[2];
    if (count <= 0)
        return;
    tau.is.rows = F.rows = F.cols = count;
    F.data = (const char *)F.data + (size_t)(k * F.ld) * tsl_type_size(p->c.type);
    reflect(s, p, (reflectors){F, true, &tau, p->a[2].work, false}, true, x + k * s->e->parts);
}

/* A new vector B x; AB(i,j) is conj(B(j,i+j)). */
static double *band_times(scratch *s, const bench_problem *p, const double *x)
{
    int64_t n = p->c.n, k = width(&p->c), parts = s->e->parts;
    double *y = zeros(s, n);
    for (int64_t j = 0; j < n && !s->failed; j++)
        for (int64_t i = 0; i <= k && i + j < n; i++) {
            const double *from = x + (i + j) * parts;
            tsl_scalar add = conj(stored(&p->a[0], p->a[0].work, i, j)) * (parts == 2 ? CMPLX(from[0], from[1]) : CMPLX(from[0], 0));
            y[j * parts] += creal(add);
            if (parts == 2)
                y[j * parts + 1] += cimag(add);
        }
    return y;
}

/* A - Q B P^H */
static double reduced(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 3);
    double *x = random_vector(&s, n), *r = times(&s, A, TSL_NOTRANS, x), *y = zeros(&s, n);
    minus(&s, -1, x, y, n, 1, 1);
    apply_p(&s, p, y);
    y = band_times(&s, p, y);
    apply_q(&s, p, y);
    minus(&s, 1, y, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, (double)n * frobenius(&s, A));
}

static const bench_routine routines[] = {
    {.name = "ge2gb", .sizes = "nk", .banded = true, .alpha = 1, .writes_all = true, .shape = shape, .elements = elements, .flops = flops, .views = views, .residual = reduced},
};

const bench_family bench_ge2gb = FAMILY(routines);
