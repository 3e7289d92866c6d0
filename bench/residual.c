/* Reference-free residuals in O(n^2) work: a matrix R that should vanish is applied to a random vector x. For x with
 * independent entries of mean zero, E|R x|^2 = |R|_F^2 |x|^2 / len(x), so |R x| sqrt(len) / |x| estimates |R|_F; it is measured
 * in units of eps times the norm of what was rounded on the way to R. */
#include "bench/residual.h"

double bench_residual_gemm(const bench_problem *p)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    bench_block A = before(p, 0), B = before(p, 1), C0 = before(p, 2);
    double scale = 0, *x = random_vector(&s, c->n), *r = times(&s, after(p), TSL_NOTRANS, x);
    if (c->alpha != 0)
        scale += minus(&s, c->alpha, times(&s, A, op_of(p, 0), times(&s, B, op_of(p, 1), x)), r, c->m, frobenius(&s, A),
                       frobenius(&s, B));
    if (c->beta != 0)
        scale += minus(&s, c->beta, times(&s, C0, TSL_NOTRANS, x), r, c->m, 1, frobenius(&s, C0));
    return finish(&s, p, r, c->m, x, c->n, scale);
}

/* Row i of the block as stored, or column i. */
static bench_block line(const bench_problem *p, bench_block A, bool row, int64_t i)
{
    A.data = (const char *)A.data + (size_t)(row ? i : i * A.ld) * tsl_type_size(p->c.type);
    *(row ? &A.rows : &A.cols) = 1;
    return A;
}

/* A new vector T x, where T is the triangle of op(A) op(B) that C is: its entry i is row i of A times t, the sum of x_j times
 * column j of B over the columns that row i of the triangle has. */
static double *triangle_times(scratch *s, const bench_problem *p, const double *x)
{
    int parts = s->e->parts;
    int64_t n = p->c.n, k = p->c.k;
    tsl_op opA = op_of(p, 0), opB = op_of(p, 1);
    double *y = zeros(s, 2 * n), *t = zeros(s, 2 * k), *sum = zeros(s, k);
    for (int64_t step = 0; step < n && !s->failed; step++) {
        int64_t i = p->a[2].is.part == TSL_LOWER ? step : n - 1 - step;
        bench_block row = line(p, before(p, 0), !(opA & TSL_TRANS), i), column = line(p, before(p, 1), opB & TSL_TRANS, i);
        s->e->product(&column, opB, x + parts * i, t, t + parts * k);
        for (int64_t l = 0; l < parts * k; l++)
            sum[l] = t[l] + t[parts * k + l];
        s->e->product(&row, opA, sum, y + parts * i, y + parts * (n + i));
        for (int l = 0; l < parts; l++)
            y[parts * i + l] += y[parts * (n + i) + l];
    }
    return y;
}

double bench_residual_gemmt(const bench_problem *p)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    bench_block C0 = before(p, 2);
    double scale = 0, *x = random_vector(&s, c->n), *r = times(&s, after(p), TSL_NOTRANS, x);
    if (c->alpha != 0)
        scale +=
            minus(&s, c->alpha, triangle_times(&s, p, x), r, c->n, frobenius(&s, before(p, 0)), frobenius(&s, before(p, 1)));
    if (c->beta != 0)
        scale += minus(&s, c->beta, times(&s, C0, TSL_NOTRANS, x), r, c->n, 1, frobenius(&s, C0));
    return finish(&s, p, r, c->n, x, c->n, scale);
}

/* A Hermitian update leaves a real diagonal, exactly; where there was nothing to do, the diagonal is as it was. */
static bool real_diagonal(const bench_problem *p)
{
    const bench_array *C = &p->a[p->count - 1];
    bool touched = (p->c.alpha != 0 && p->c.k > 0) || p->c.beta != 1, real = true;
    for (int64_t j = 0; j < p->c.n && touched; j++)
        real &= cimag(bench_elements_of[C->type].get(C->work, C->row0 + j + (C->col0 + j) * C->ld)) == 0;
    return real;
}

/* C - alpha op(A) op(B)^T|^H - beta C0, and where there are two factors, minus that product's (conjugate) transpose */
static double update(const bench_problem *p, tsl_op mirror)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    bool two = p->count == 3;
    bench_block A = before(p, 0), B = before(p, two), C0 = before(p, p->count - 1);
    tsl_op opA = op_of(p, 0), opB = op_of(p, two);
    double scale = 0, *x = random_vector(&s, c->n), *r = whole_times(&s, after(p), mirror, TSL_NOTRANS, x);
    if (c->alpha != 0) {
        double normA = frobenius(&s, A), normB = frobenius(&s, B), *inner = times(&s, B, (tsl_op)(opB ^ mirror), x);
        scale += minus(&s, c->alpha, times(&s, A, opA, inner), r, c->n, normA, normB);
        if (two) {
            tsl_scalar alpha = mirror == TSL_HERM ? conj(c->alpha) : c->alpha;
            inner = times(&s, A, (tsl_op)(opA ^ mirror), x);
            scale += minus(&s, alpha, times(&s, B, opB, inner), r, c->n, normA, normB);
        }
    }
    if (c->beta != 0) /* both triangles */
        scale += minus(&s, c->beta, whole_times(&s, C0, mirror, TSL_NOTRANS, x), r, c->n, M_SQRT2, frobenius(&s, C0));
    double ratio = finish(&s, p, r, c->n, x, c->n, scale);
    return mirror == TSL_HERM && !real_diagonal(p) ? INFINITY : ratio;
}

/* What a Hermitian matrix is mirrored by; conjugating reals is nothing. */
static tsl_op adjoint(const bench_problem *p) { return bench_is_complex(p->c.type) ? TSL_HERM : TSL_TRANS; }

double bench_residual_syrk(const bench_problem *p) { return update(p, TSL_TRANS); }
double bench_residual_herk(const bench_problem *p) { return update(p, adjoint(p)); }
double bench_residual_syr2k(const bench_problem *p) { return update(p, TSL_TRANS); }
double bench_residual_her2k(const bench_problem *p) { return update(p, adjoint(p)); }

/* A new vector op(A) op(B) x, or from the right op(B) op(A) x; A is a triangle, or the matrix it is mirrored to */
static double *sided(scratch *s, const bench_problem *p, tsl_op mirror, bench_block B, tsl_op opB, const double *x)
{
    bench_block A = before(p, 0);
    if (p->c.flag[BENCH_SIDE] == 'L')
        return whole_times(s, A, mirror, op_of(p, 0), times(s, B, opB, x));
    return times(s, B, opB, whole_times(s, A, mirror, op_of(p, 0), x));
}

static double symmetric(const bench_problem *p, tsl_op mirror)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    bench_block B = before(p, 1), C0 = before(p, 2);
    double scale = 0, *x = random_vector(&s, c->n), *r = times(&s, after(p), TSL_NOTRANS, x);
    if (c->alpha != 0)
        scale += minus(&s, c->alpha, sided(&s, p, mirror, B, op_of(p, 1), x), r, c->m, M_SQRT2 * frobenius(&s, before(p, 0)),
                       frobenius(&s, B));
    if (c->beta != 0)
        scale += minus(&s, c->beta, times(&s, C0, TSL_NOTRANS, x), r, c->m, 1, frobenius(&s, C0));
    return finish(&s, p, r, c->m, x, c->n, scale);
}

double bench_residual_symm(const bench_problem *p) { return symmetric(p, TSL_TRANS); }
double bench_residual_hemm(const bench_problem *p) { return symmetric(p, adjoint(p)); }

/* X - alpha op(A) B0, or from the right X - alpha B0 op(A) */
double bench_residual_trmm(const bench_problem *p)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    double scale = 0, *x = random_vector(&s, c->n), *r = times(&s, after(p), TSL_NOTRANS, x);
    if (c->alpha != 0)
        scale = minus(&s, c->alpha, sided(&s, p, TSL_NOTRANS, before(p, 1), TSL_NOTRANS, x), r, c->m,
                      frobenius(&s, before(p, 0)), frobenius(&s, before(p, 1)));
    return finish(&s, p, r, c->m, x, c->n, scale);
}

/* op(A) X - alpha B0, or X op(A) - alpha B0 */
double bench_residual_trsm(const bench_problem *p)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    bench_block X = after(p);
    double *x = random_vector(&s, c->n);
    if (c->alpha == 0)
        return finish(&s, p, times(&s, X, TSL_NOTRANS, x), c->m, x, c->n, 0);
    double *r = sided(&s, p, TSL_NOTRANS, X, TSL_NOTRANS, x);
    minus(&s, c->alpha, times(&s, before(p, 1), TSL_NOTRANS, x), r, c->m, 1, 1);
    return finish(&s, p, r, c->m, x, c->n, frobenius(&s, before(p, 0)) * frobenius(&s, X));
}

/* A - L L^H or A - U^H U. The sums on the diagonal are as large as A's own entries, so up to n roundings of that size add up.
 */
double bench_residual_potrf(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), F = after(p);
    tsl_op second = p->c.flag[BENCH_UPLO] == 'L' ? TSL_NOTRANS : TSL_HERM, first = (tsl_op)(second ^ TSL_HERM);
    double *x = random_vector(&s, n), *r = whole_times(&s, A, TSL_HERM, TSL_NOTRANS, x);
    minus(&s, 1, times(&s, F, second, times(&s, F, first, x)), r, n, 1, 1);
    return finish(&s, p, r, n, x, n, sqrt((double)n) * M_SQRT2 * frobenius(&s, A));
}

double bench_residual(bench_problem *p)
{
    int64_t info = 0;
    if (p->routine->has_info && (tsl_info(p->ctx, &info) || info))
        return INFINITY;
    return p->routine->residual(p);
}
