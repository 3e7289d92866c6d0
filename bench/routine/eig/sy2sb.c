/* Reduction to a band of k diagonals beside the main one: on views alone. */
#include "bench/residual/reflectors.h"

static int64_t width(const bench_case *c) { return c->k > 0 ? c->k : 1; }
static int64_t count_of(const bench_case *c) { return c->n > width(c) ? c->n - width(c) : 0; }

/* The band and the reflectors' triangles come before the result, A. */
static int shape(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(width(c) + 1, c->n, BENCH_NOT_READ);
    is[1] = matrix_of(width(c), c->n, BENCH_NOT_READ);
    is[2] = triangle_of(c, c->n, BENCH_RANDOM);
    return 3;
}

static double elements(const bench_case *c) { return 2 * half_of(c->n); }

static double flops(const bench_case *c) { return 4.0 / 3 * (double)c->n * (double)c->n * (double)c->n; }

static tsl_status views(bench_problem *p)
{
    tsl_view A = out(p);
    return tsl_sy2sb(p->ctx, FLAG(UPLO) == 'L' ? A : tsl_herm(A), bench_view(p, 0, 'N'), bench_view(p, 1, 'N'));
}

/* x := Q x, or Q^H x: QR's reflectors, of all rows but the first k, or of an upper triangle LQ's; their factors are T's last
 * row. */
static void apply_q(scratch *s, const bench_problem *p, bool inverse, double *x)
{
    int64_t k = width(&p->c), count = count_of(&p->c), parts = s->e->parts;
    bool lq = p->a[2].is.part == TSL_UPPER;
    size_t size = tsl_type_size(p->c.type);
    bench_block F = after(p);
    bench_array tau = {.type = p->c.type, .is = vector_of(count, BENCH_NOT_READ), .ld = count};
    const bench_array *T = &p->a[1];
    char *factors = (char *)zeros(s, count);
    for (int64_t j = 0; j < count && !s->failed; j++)
        memcpy(factors + (size_t)j * size, (const char *)T->work + (size_t)(T->row0 + k - 1 + (T->col0 + j) * T->ld) * size, size);
    F.part = TSL_GENERAL;
    F.data = (const char *)F.data + (size_t)(lq ? k * F.ld : k) * size;
    F.rows = F.cols = count;
    if (!s->failed)
        reflect(s, p, (reflectors){F, lq, &tau, factors, false}, inverse, x + k * parts);
}

/* A new vector B x */
static double *band_times(scratch *s, const bench_problem *p, const double *x)
{
    int64_t n = p->c.n, k = width(&p->c), parts = s->e->parts;
    double *y = zeros(s, n);
    for (int64_t j = 0; j < n && !s->failed; j++)
        for (int64_t i = j; i < n && i - j <= k; i++) {
            tsl_scalar b = stored(&p->a[0], p->a[0].work, i - j, j);
            for (int half = 0; half < (i == j ? 1 : 2); half++) { /* and its mirror image */
                int64_t from = half ? i : j, to = half ? j : i;
                tsl_scalar v = parts == 2 ? CMPLX(x[2 * from], x[2 * from + 1]) : x[from], add = (half ? conj(b) : b) * v;
                y[to * parts] += creal(add);
                if (parts == 2)
                    y[to * parts + 1] += cimag(add);
            }
        }
    return y;
}

/* A - Q B Q^H */
static double reduced(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 2);
    double *x = random_vector(&s, n), *r = whole_times(&s, A, adjoint(p), TSL_NOTRANS, x), *y = zeros(&s, n);
    minus(&s, -1, x, y, n, 1, 1);
    if (count_of(&p->c))
        apply_q(&s, p, true, y);
    y = band_times(&s, p, y);
    if (count_of(&p->c))
        apply_q(&s, p, false, y);
    minus(&s, 1, y, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, (double)n * frobenius(&s, A));
}

static const bench_routine routines[] = {
    {.name = "sy2sb", .sizes = "nk", .flags = FLAGS([BENCH_UPLO] = "LU"), .banded = true, .alpha = 1, .writes_all = true, .shape = shape,
     .elements = elements, .flops = flops, .views = views, .residual = reduced},
};

const bench_family bench_sy2sb = FAMILY(routines);
