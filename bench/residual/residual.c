/* Reference-free residuals in O(n^2) work: a matrix R that should vanish is applied to a random vector x. For x with
 * independent entries of mean zero, E|R x|^2 = |R|_F^2 |x|^2 / len(x), so |R x| sqrt(len) / |x| estimates |R|_F; it is measured
 * in units of eps times the norm of what was rounded on the way to R. */
#include "bench/residual/dense.h"
#include "bench/residual/residual.h"

/* C - alpha op(A) op(B) - beta C0 */
double bench_residual_of_product(const bench_problem *p)
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

/* A Hermitian update leaves a real diagonal, exactly; where there was nothing to do, the diagonal is as it was. */
static bool real_diagonal(const bench_problem *p)
{
    const bench_array *C = &p->a[p->count - 1];
    bool touched = (p->c.alpha != 0 && p->c.k > 0) || p->c.beta != 1, real = true;
    for (int64_t j = 0; j < p->c.n && touched; j++)
        real &= cimag(stored(C, C->work, j, j)) == 0;
    return real;
}

/* C - alpha op(A) op(B)^T|^H - beta C0, and where there are two factors, minus that product's (conjugate) transpose */
double bench_residual_of_update(const bench_problem *p, tsl_op mirror)
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

double bench_residual(bench_problem *p)
{
    int64_t info = 0;
    if (p->routine->has_info && (tsl_info(p->ctx, &info) || info))
        return INFINITY;
    return p->routine->residual(p);
}
