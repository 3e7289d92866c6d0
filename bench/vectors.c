/* Residuals of level 1 and of norms: the same in double precision, element by element. */
#include <math.h>

#include "bench/elements.h"
#include "bench/rotation.h"

static tsl_scalar entry(const bench_array *a, const void *base, int64_t i, int64_t j)
{
    return bench_elements_of[a->type].get(base, a->row0 + i + (a->col0 + j) * a->ld);
}

static tsl_scalar was(const bench_problem *p, int operand, int64_t i) { return entry(&p->a[operand], p->a[operand].first, i, 0); }
static tsl_scalar is(const bench_problem *p, int operand, int64_t i) { return entry(&p->a[operand], p->a[operand].work, i, 0); }

static double square(tsl_scalar v) { return creal(v) * creal(v) + cimag(v) * cimag(v); }

static double scaled(const bench_problem *p, double error, double scale)
{
    return error == 0 ? 0 : error / (tsl_type_eps(p->c.type) * scale);
}

/* [x; y] := [a b; c d] [x0; y0], where x and y may be one vector */
typedef struct matrix2 {
    tsl_scalar a, b, c, d;
} matrix2;

static double combined(const bench_problem *p, matrix2 h)
{
    double error = 0, size = 0;
    bool two = p->count == 2;
    for (int64_t i = 0; i < p->c.n; i++) {
        tsl_scalar x = was(p, 0, i), y = two ? was(p, 1, i) : 0;
        if (bench_writes(p, 0))
            error += square(is(p, 0, i) - (h.a * x + h.b * y));
        if (two)
            error += square(is(p, 1, i) - (h.c * x + h.d * y));
        size += square(x) + square(y);
    }
    return scaled(p, sqrt(error), (cabs(h.a) + cabs(h.b) + cabs(h.c) + cabs(h.d)) * sqrt(size));
}

double bench_residual_axpy(const bench_problem *p) { return combined(p, (matrix2){1, 0, p->c.alpha, 1}); }
double bench_residual_scal(const bench_problem *p) { return combined(p, (matrix2){.a = p->c.alpha}); }
double bench_residual_rscal(const bench_problem *p) { return bench_residual_scal(p); }
double bench_residual_copy(const bench_problem *p) { return combined(p, (matrix2){1, 0, 1, 0}); }
double bench_residual_swap(const bench_problem *p) { return combined(p, (matrix2){0, 1, 1, 0}); }

double bench_residual_rot(const bench_problem *p)
{
    tsl_scalar s = bench_rot_s(p->c.type);
    return combined(p, (matrix2){BENCH_ROT_C, s, -conj(s), BENCH_ROT_C});
}

double bench_residual_rrot(const bench_problem *p)
{
    return combined(p, (matrix2){BENCH_ROT_C, BENCH_ROT_S, -BENCH_ROT_S, BENCH_ROT_C});
}

double bench_residual_rotm(const bench_problem *p)
{
    return combined(p, (matrix2){bench_rotm[1], bench_rotm[3], bench_rotm[2], bench_rotm[4]});
}

static double dot(const bench_problem *p, bool conjugated)
{
    tsl_scalar sum = 0;
    double nx = 0, ny = 0;
    for (int64_t i = 0; i < p->c.n; i++) {
        tsl_scalar x = was(p, 0, i), y = was(p, 1, i);
        sum += (conjugated ? conj(x) : x) * y;
        nx += square(x), ny += square(y);
    }
    return scaled(p, cabs(p->out[0] - sum), sqrt(nx) * sqrt(ny));
}

double bench_residual_dot(const bench_problem *p) { return dot(p, false); }
double bench_residual_dotc(const bench_problem *p) { return dot(p, true); }

double bench_residual_nrm2(const bench_problem *p)
{
    double sum = 0;
    for (int64_t i = 0; i < p->c.n; i++)
        sum += square(was(p, 0, i));
    return scaled(p, cabs(p->out[0] - sqrt(sum)), sqrt(sum));
}

static double sum_of_parts(tsl_scalar v) { return fabs(creal(v)) + fabs(cimag(v)); }

/* The errors of n terms of one sign add up like those of a random walk. */
double bench_residual_asum(const bench_problem *p)
{
    double sum = 0;
    for (int64_t i = 0; i < p->c.n; i++)
        sum += sum_of_parts(was(p, 0, i));
    return scaled(p, cabs(p->out[0] - sum), sum * sqrt((double)p->c.n));
}

/* The largest is exactly the first of those; a complex one may lose to another that rounds to the same. */
double bench_residual_iamax(const bench_problem *p)
{
    double largest = -1;
    int64_t found = (int64_t)creal(p->out[0]) - 1, first = -1;
    for (int64_t i = 0; i < p->c.n; i++)
        if (sum_of_parts(was(p, 0, i)) > largest)
            largest = sum_of_parts(was(p, 0, first = i));
    if (found < 0 || found >= p->c.n)
        return p->c.n ? INFINITY : 0;
    return found == first ? 0 : scaled(p, largest - sum_of_parts(was(p, 0, found)), largest) + 1;
}

/* The element a norm sees: of a symmetric matrix both triangles, of a Hermitian one a real diagonal. */
static double modulus(const bench_problem *p, bool whole, bool hermitian, int64_t i, int64_t j)
{
    const bench_array *a = &p->a[0];
    bool lower = a->is.part == TSL_LOWER, inside = a->is.part == TSL_GENERAL || (lower ? i >= j : i <= j);
    if (!inside && !whole)
        return 0;
    if (i == j && a->is.diag == TSL_UNIT)
        return 1;
    tsl_scalar v = inside ? entry(a, a->first, i, j) : entry(a, a->first, j, i);
    return hermitian && i == j ? fabs(creal(v)) : cabs(v);
}

static double norm_of(const bench_problem *p, bool whole, bool hermitian)
{
    char kind = p->c.flag[BENCH_NORM];
    int64_t rows = p->a[0].is.rows, cols = p->a[0].is.cols, outer = kind == 'I' ? rows : cols, inner = kind == 'I' ? cols : rows;
    double norm = 0;
    for (int64_t o = 0; o < outer; o++) {
        double sum = 0;
        for (int64_t i = 0; i < inner; i++) {
            double v = kind == 'I' ? modulus(p, whole, hermitian, o, i) : modulus(p, whole, hermitian, i, o);
            sum = kind == 'M' ? fmax(sum, v) : kind == 'F' ? sum + v * v : sum + v;
        }
        norm = kind == 'F' ? norm + sum : fmax(norm, sum);
    }
    double terms = kind == 'M' ? 1 : kind == 'F' ? (double)rows * (double)cols : (double)inner, value = kind == 'F' ? sqrt(norm) : norm;
    return scaled(p, cabs(p->out[0] - value), value * sqrt(terms));
}

double bench_residual_lange(const bench_problem *p) { return norm_of(p, false, false); }
double bench_residual_lansy(const bench_problem *p) { return norm_of(p, true, false); }
double bench_residual_lanhe(const bench_problem *p) { return norm_of(p, true, true); }
double bench_residual_lantr(const bench_problem *p) { return norm_of(p, false, false); }

/* out: r, z, c, s. [c s; -conj(s) c] [a; b] = [r; 0] */
double bench_residual_rotg(const bench_problem *p)
{
    tsl_scalar a = was(p, 0, 0), b = was(p, 0, 1), r = p->out[0], c = p->out[2], s = p->out[3];
    double error = cabs(c * a + s * b - r) + cabs(-conj(s) * a + c * b) + fabs(square(c) + square(s) - 1);
    return scaled(p, error, 1 + cabs(a) + cabs(b));
}

/* out: d1, d2, x1, and then BLAS's param, whose flag says which of H's elements it holds. H [x1; y1] = [x1'; 0], and H^T diag(d1', d2') H
 * has diag(d1, d2): the rotation is one in that measure. */
double bench_residual_rotmg(const bench_problem *p)
{
    double d1 = fabs(creal(was(p, 0, 0))), d2 = fabs(creal(was(p, 0, 1))), x = creal(was(p, 0, 2)), y = creal(was(p, 0, 3));
    double flag = creal(p->out[3]), h11 = creal(p->out[4]), h21 = creal(p->out[5]), h12 = creal(p->out[6]), h22 = creal(p->out[7]);
    if (flag == 0)
        h11 = h22 = 1;
    if (flag == 1)
        h12 = 1, h21 = -1;
    if (flag == -2)
        h11 = h22 = 1, h12 = h21 = 0;
    double e1 = creal(p->out[0]), e2 = creal(p->out[1]), size = fabs(h11 * x) + fabs(h12 * y) + fabs(h21 * x) + fabs(h22 * y);
    double off = fabs(h11 * x + h12 * y - creal(p->out[2])) + fabs(h21 * x + h22 * y);
    double sum1 = h11 * h11 * e1 + h21 * h21 * e2, sum2 = h12 * h12 * e1 + h22 * h22 * e2, mixed = h11 * h12 * e1 + h21 * h22 * e2;
    double measure = fabs(sum1 - d1) + fabs(sum2 - d2) + fabs(mixed);
    return scaled(p, off / size + measure / (d1 + d2), 1);
}
