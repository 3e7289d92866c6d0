/* How accurate single elements of a product are: of some of them, from all over the result, against sums in two numbers. */
#include "bench/residual/dense.h"

enum { LINES = 16 };

/* A sum of products: what `high` lacks is in `low`. */
typedef struct exact {
    double high, low;
} exact;

static void add(exact *s, double a, double b)
{
    double p = a * b, e = fma(a, b, -p), sum = s->high + p, back = sum - s->high;
    s->low += e + ((s->high - (sum - back)) + (p - back));
    s->high = sum;
}

/* Element (i,j) of op(A) as generated */
static tsl_scalar element(const bench_array *a, tsl_op op, int64_t i, int64_t j)
{
    tsl_scalar v = op & TSL_TRANS ? stored(a, a->first, j, i) : stored(a, a->first, i, j);
    return op & TSL_CONJ ? conj(v) : v;
}

/* |C - (alpha A B + beta C0)| of one element, in units of half of eps times the same sum of magnitudes */
static double error_at(const bench_problem *p, int64_t i, int64_t j)
{
    const bench_array *C = &p->a[2];
    exact re = {0, 0}, im = {0, 0};
    double sizes = 0;
    for (int64_t l = 0; l < p->c.k; l++) {
        tsl_scalar a = element(&p->a[0], op_of(p, 0), i, l), b = element(&p->a[1], op_of(p, 1), l, j);
        add(&re, creal(a), creal(b)), add(&re, -cimag(a), cimag(b));
        add(&im, creal(a), cimag(b)), add(&im, cimag(a), creal(b));
        sizes += cabs(a) * cabs(b);
    }
    tsl_scalar before = p->c.beta != 0 ? p->c.beta * stored(C, C->first, i, j) : 0;
    double beside = cabs(p->c.alpha) * sizes + cabs(before);
    long double _Complex sum = CMPLXL((long double)re.high + re.low, (long double)im.high + im.low);
    double off = (double)cabsl(p->c.alpha * sum + before - stored(C, C->work, i, j));
    return off == 0 ? 0 : off / (tsl_type_eps(p->c.type) / 2 * beside);
}

double bench_accuracy_of_product(const bench_problem *p)
{
    double worst = 0;
    if (!p->c.m || !p->c.n)
        return 0;
    for (int64_t s = 0; s < LINES; s++)
        for (int64_t t = 0; t < LINES; t++) {
            double error = error_at(p, (p->c.m - 1) * s / (LINES - 1), (p->c.n - 1) * t / (LINES - 1));
            worst = isnan(error) ? INFINITY : fmax(worst, error);
        }
    return worst;
}
