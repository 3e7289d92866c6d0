/* Reference-free residuals in O(n^2) work: a matrix R that should vanish is applied to a random vector x. For x with
 * independent entries of mean zero, E|R x|^2 = |R|_F^2 |x|^2 / len(x), so |R x| sqrt(len) / |x| estimates |R|_F; it is measured
 * in units of eps times the norm of what was rounded on the way to R. */
#include <math.h>
#include <stdlib.h>

#include "bench/elements.h"

enum { WORST_CASE_VECTORS = 8 };

/* Vectors of one check, freed together; a failed allocation makes the residual infinite. */
typedef struct scratch {
    const bench_elements *e;
    double *v[WORST_CASE_VECTORS];
    int count;
    bool failed;
} scratch;

static double *zeros(scratch *s, int64_t length)
{
    double *v = calloc((size_t)(length * s->e->parts) + 1, sizeof *v);
    s->failed |= !v;
    return s->v[s->count++] = v;
}

static double *random_vector(scratch *s, int64_t length)
{
    double *v = zeros(s, length);
    uint64_t state = 0x5eed;
    for (int64_t i = 0; v && i < length * s->e->parts; i++)
        v[i] = bench_uniform(&state);
    return v;
}

static double norm(const scratch *s, const double *v, int64_t length)
{
    double sum = 0;
    for (int64_t i = 0; i < length * s->e->parts; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* y := y + factor x */
static void add(const scratch *s, tsl_scalar factor, const double *x, double *y, int64_t length)
{
    double re = creal(factor), im = cimag(factor);
    for (int64_t i = 0; i < length * s->e->parts; i += s->e->parts) {
        y[i] += re * x[i];
        if (s->e->parts == 2) {
            y[i] -= im * x[i + 1];
            y[i + 1] += re * x[i + 1] + im * x[i];
        }
    }
}

static bench_block block(const bench_array *a, const void *base)
{
    size_t before = (size_t)(a->row0 + a->col0 * a->ld) * tsl_type_size(a->type);
    bench_diagonal d = a->is.diag == TSL_UNIT ? BENCH_ONES : BENCH_AS_STORED;
    return (bench_block){(const char *)base + before, a->ld, a->is.rows, a->is.cols, a->is.part, d};
}

/* y := y + op(A) x; y is followed by as many entries of its own rounding errors */
static void accumulate(scratch *s, const bench_block *A, tsl_op op, const double *x, double *y)
{
    int64_t length = (op & TSL_TRANS ? A->cols : A->rows) * s->e->parts;
    if (s->failed)
        return;
    s->e->product(A, op, x, y, y + length);
    for (int64_t i = 0; i < length; i++) {
        y[i] += y[length + i];
        y[length + i] = 0;
    }
}

/* A new vector op(A) x */
static double *times(scratch *s, bench_block A, tsl_op op, const double *x)
{
    double *y = zeros(s, 2 * (op & TSL_TRANS ? A.cols : A.rows));
    accumulate(s, &A, op, x, y);
    return y;
}

/* A new vector H x, where H is the symmetric (mirror = TSL_TRANS) or Hermitian (TSL_HERM) matrix of which A is a triangle */
static double *mirrored_times(scratch *s, bench_block A, tsl_op mirror, const double *x)
{
    A.diagonal = mirror == TSL_HERM ? BENCH_REAL_PART : BENCH_AS_STORED;
    double *y = times(s, A, TSL_NOTRANS, x);
    A.diagonal = BENCH_ZEROS;
    accumulate(s, &A, mirror, x, y);
    return y;
}

static double frobenius(const scratch *s, bench_block A) { return sqrt(s->e->sum_of_squares(&A)); }

/* The scaled residual |r| sqrt(cols) / (eps scale |x|); r has `rows` entries. Nothing to be rounded: r must be zero. */
static double finish(scratch *s, const bench_problem *p, const double *r, int64_t rows, const double *x, int64_t cols,
                     double scale)
{
    double size = s->failed ? 0 : norm(s, r, rows), of = s->failed ? 0 : norm(s, x, cols);
    double ratio = size == 0 ? 0 : size * sqrt((double)cols) / (tsl_type_eps(p->c.type) * scale * of);
    for (int i = 0; i < s->count; i++)
        free(s->v[i]);
    return s->failed ? INFINITY : ratio;
}

double bench_residual_gemm(const bench_problem *p)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    bench_block A = block(&p->a[0], p->a[0].first), B = block(&p->a[1], p->a[1].first), C0 = block(&p->a[2], p->a[2].first);
    double scale = 0, *x = random_vector(&s, c->n), *r = times(&s, block(&p->a[2], p->a[2].work), TSL_NOTRANS, x);
    if (c->alpha != 0 && !s.failed) {
        double *bx = times(&s, B, bench_op(c->flag[BENCH_TRANSB]), x);
        double *abx = times(&s, A, bench_op(c->flag[BENCH_TRANS]), bx);
        add(&s, -c->alpha, abx, r, c->m);
        scale += cabs(c->alpha) * frobenius(&s, A) * frobenius(&s, B);
    }
    if (c->beta != 0 && !s.failed) {
        add(&s, -c->beta, times(&s, C0, TSL_NOTRANS, x), r, c->m);
        scale += cabs(c->beta) * frobenius(&s, C0);
    }
    return finish(&s, p, r, c->m, x, c->n, scale);
}

/* C - alpha op(A) op(A)^T|^H - beta C0 */
static double rank_k(const bench_problem *p, tsl_op mirror)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    tsl_op op = bench_op(c->flag[BENCH_TRANS]);
    bench_block A = block(&p->a[0], p->a[0].first), C0 = block(&p->a[1], p->a[1].first);
    double scale = 0, *x = random_vector(&s, c->n), *r = mirrored_times(&s, block(&p->a[1], p->a[1].work), mirror, x);
    if (c->alpha != 0 && !s.failed) {
        double *ax = times(&s, A, (tsl_op)(op ^ mirror), x);
        add(&s, -c->alpha, times(&s, A, op, ax), r, c->n);
        scale += cabs(c->alpha) * s.e->sum_of_squares(&A);
    }
    if (c->beta != 0 && !s.failed) {
        add(&s, -c->beta, mirrored_times(&s, C0, mirror, x), r, c->n);
        scale += cabs(c->beta) * M_SQRT2 * frobenius(&s, C0); /* both triangles */
    }
    return finish(&s, p, r, c->n, x, c->n, scale);
}

double bench_residual_syrk(const bench_problem *p) { return rank_k(p, TSL_TRANS); }
double bench_residual_herk(const bench_problem *p) { return rank_k(p, bench_is_complex(p->c.type) ? TSL_HERM : TSL_TRANS); }

/* alpha B0 - op(A) X, or alpha B0 - X op(A) */
double bench_residual_trsm(const bench_problem *p)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    tsl_op op = bench_op(c->flag[BENCH_TRANS]);
    bench_block A = block(&p->a[0], p->a[0].first), X = block(&p->a[1], p->a[1].work);
    double *w = random_vector(&s, c->n);
    if (s.failed || c->alpha == 0)
        return finish(&s, p, times(&s, X, TSL_NOTRANS, w), c->m, w, c->n, 0);
    bool left = c->flag[BENCH_SIDE] == 'L';
    double *inner = left ? times(&s, X, TSL_NOTRANS, w) : times(&s, A, op, w);
    double *r = left ? times(&s, A, op, inner) : times(&s, X, TSL_NOTRANS, inner);
    double *b = times(&s, block(&p->a[1], p->a[1].first), TSL_NOTRANS, w);
    if (!s.failed)
        add(&s, -c->alpha, b, r, c->m);
    return finish(&s, p, r, c->m, w, c->n, frobenius(&s, A) * frobenius(&s, X));
}

/* A - L L^H or A - U^H U. The sums on the diagonal are as large as A's own entries, so up to n roundings of that size add up.
 */
double bench_residual_potrf(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = block(&p->a[0], p->a[0].first), F = block(&p->a[0], p->a[0].work);
    tsl_op second = p->c.flag[BENCH_UPLO] == 'L' ? TSL_NOTRANS : TSL_HERM, first = (tsl_op)(second ^ TSL_HERM);
    double *x = random_vector(&s, n), *r = mirrored_times(&s, A, TSL_HERM, x);
    double *fx = times(&s, F, first, x), *product = times(&s, F, second, fx);
    if (!s.failed)
        add(&s, -1, product, r, n);
    return finish(&s, p, r, n, x, n, sqrt((double)n) * M_SQRT2 * frobenius(&s, A));
}

double bench_residual(bench_problem *p)
{
    int64_t info = 0;
    if (p->routine->has_info && (tsl_info(p->ctx, &info) || info))
        return INFINITY;
    return p->routine->residual(p);
}
