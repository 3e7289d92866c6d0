/* Naive references in double complex, on operands as seen through their ops. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "job.h"

static inline int64_t seen_rows(const operand *o) { return o->op & 1 ? o->d->n : o->d->m; }
static inline int64_t seen_cols(const operand *o) { return o->op & 1 ? o->d->m : o->d->n; }

static inline tsl_uplo seen_uplo(const operand *o)
{
    return o->uplo && o->op & 1 ? (tsl_uplo)(TSL_LOWER + TSL_UPPER - o->uplo) : o->uplo;
}

/* Element (i,j) as seen; a triangle is zero outside and, if unit, one on the diagonal. */
static inline tsl_scalar seen(const operand *o, int64_t i, int64_t j)
{
    if (!in_triangle(seen_uplo(o), i, j)) return 0;
    if (o->diag == TSL_UNIT && i == j) return 1;
    tsl_scalar v = o->op & 1 ? dense_get(o->d, j, i) : dense_get(o->d, i, j);
    return o->op & 2 ? conj(v) : v;
}

/* alpha times row i of A by column j of B, or by row j of A (conjugated for herk). */
static inline tsl_scalar ref_dot(const job *b, int64_t i, int64_t j)
{
    const operand *A = &b->v[0];
    tsl_scalar sum = 0;
    if (b->alpha == 0) return 0; /* A and B are not read then */
    for (int64_t l = 0; l < seen_cols(A); l++) {
        tsl_scalar right = b->op == TSL_OP_GEMM ? seen(&b->v[1], l, j) : seen(A, j, l);
        sum += seen(A, i, l) * (b->op == TSL_OP_HERK ? conj(right) : right);
    }
    return b->alpha * sum;
}

static inline void ref_product(job *b, tsl_scalar *out)
{
    const operand *C = job_written(b);
    for (int64_t j = 0; j < seen_cols(C); j++)
        for (int64_t i = 0; i < seen_rows(C); i++) {
            if (!in_triangle(seen_uplo(C), i, j)) continue;
            tsl_scalar old = b->beta != 0 ? seen(C, i, j) : 0;
            if (b->op == TSL_OP_HERK && i == j) old = creal(old);
            out[i + j * seen_rows(C)] = ref_dot(b, i, j) + b->beta * old;
        }
}

/* One right-hand side by substitution: x[l*step] for l = 0..n-1; a(i,l) is A as seen, transposed for the right side. */
static inline void ref_solve(const operand *A, tsl_side side, tsl_scalar *x, int64_t step)
{
    int64_t n = seen_rows(A);
    int forward = (seen_uplo(A) == TSL_LOWER) == (side == TSL_LEFT);
    for (int64_t s = 0; s < n; s++) {
        int64_t i = forward ? s : n - 1 - s;
        tsl_scalar sum = x[i * step];
        for (int64_t l = forward ? 0 : i + 1; l < (forward ? i : n); l++)
            sum -= (side == TSL_LEFT ? seen(A, i, l) : seen(A, l, i)) * x[l * step];
        x[i * step] = sum / seen(A, i, i);
    }
}

static inline void ref_trsm(job *b, tsl_scalar *out)
{
    const operand *B = job_written(b);
    int64_t m = seen_rows(B), n = seen_cols(B);
    if (b->alpha == 0) return; /* zeros; neither A nor B is read */
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) out[i + j * m] = b->alpha * seen(B, i, j);
    for (int64_t r = 0; r < (b->side == TSL_LEFT ? n : m); r++)
        ref_solve(&b->v[0], b->side, b->side == TSL_LEFT ? out + r * m : out + r, b->side == TSL_LEFT ? 1 : m);
}

static inline void ref_copy(job *b, tsl_scalar *out)
{
    const operand *B = job_written(b);
    for (int64_t j = 0; j < seen_cols(B); j++)
        for (int64_t i = 0; i < seen_rows(B); i++)
            out[i + j * seen_rows(B)] = (b->op == TSL_OP_SCALE ? b->alpha : 1) * seen(&b->v[0], i, j);
}

/* The expected result in the written operand's seen coordinates, m x n, to be freed. Not for potrf. */
static inline tsl_scalar *ref_result(job *b)
{
    const operand *C = job_written(b);
    tsl_scalar *out = calloc((size_t)(C->d->m * C->d->n) + 1, sizeof *out);
    if (!out) abort();
    switch (b->op) {
    case TSL_OP_TRSM: ref_trsm(b, out); break;
    case TSL_OP_COPY:
    case TSL_OP_SCALE: ref_copy(b, out); break;
    default: ref_product(b, out);
    }
    return out;
}

/* Entries of the tests are of order 1, so an absolute bound that grows with the length of the sums is enough. Without a
 * product there is at most one multiplication, by a power of two in these tests: then the result is exact. */
static inline double job_tolerance(const job *b)
{
    if (b->alpha == 0 || seen_cols(&b->v[0]) == 0 || b->op == TSL_OP_COPY || b->op == TSL_OP_SCALE) return 0;
    return 16.0 * (double)(seen_cols(&b->v[0]) + 8) * tsl_type_eps(b->v[0].d->t);
}

/* Worst difference between the written operand and what was expected; infinite if anything is not a number. */
static inline double job_error(job *b, const tsl_scalar *want)
{
    const operand *C = job_written(b);
    double worst = 0;
    for (int64_t j = 0; j < seen_cols(C); j++)
        for (int64_t i = 0; i < seen_rows(C); i++) {
            if (!in_triangle(seen_uplo(C), i, j)) continue;
            double e = cabs(seen(C, i, j) - want[i + j * seen_rows(C)]);
            worst = e <= worst ? worst : isnan(e) ? INFINITY : e;
        }
    return worst;
}

/* Worst of |A - L L^H| over the triangle, relative to the diagonal dense_dominant() gives A. F is the factor in A's place: L,
 * or U = L^H; then what is compared is A^H, whose triangle is the lower one as well. Rows of L are gathered first: the sums are
 * along rows, and this is the one reference that large matrices go through. */
static inline double ref_residual(const operand *A, const operand *F)
{
    operand L = *F, low = *A;
    if (seen_uplo(F) == TSL_UPPER) L.op = (tsl_op)(L.op ^ TSL_HERM), low.op = (tsl_op)(low.op ^ TSL_HERM);
    int64_t n = A->d->n;
    double worst = 0, scale = 2.0 * (double)n + 2.0, (*row)[2] = malloc((size_t)(n * n + 1) * sizeof *row);
    if (!row) abort();
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k <= i; k++) row[k + i * n][0] = creal(seen(&L, i, k)), row[k + i * n][1] = cimag(seen(&L, i, k));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double(*a)[2] = row + i * n, (*b)[2] = row + j * n, re = creal(seen(&low, i, j)), im = cimag(seen(&low, i, j));
            for (int64_t k = 0; k <= j; k++) {
                re -= a[k][0] * b[k][0] + a[k][1] * b[k][1];
                im -= a[k][1] * b[k][0] - a[k][0] * b[k][1];
            }
            double r = hypot(re, im) / scale;
            worst = r <= worst ? worst : isnan(r) ? INFINITY : r;
        }
    free(row);
    return worst;
}

/* Runs the job and compares with the reference; reads must stay as they were and nothing else be written.
 * Returns what went wrong, NULL for nothing. */
static inline const char *job_check(env *e, job *b)
{
    int n = job_operands(b);
    dense was[TSL_MAX_OPERANDS];
    for (int i = 0; i < n; i++) was[i] = dense_copy(b->v[i].d);
    tsl_scalar *want = ref_result(b);
    const char *wrong = NULL;
    if (job_run(e, b) != TSL_OK) wrong = tsl_error(e->ctx);
    else if (!(job_error(b, want) <= job_tolerance(b))) wrong = "wrong result";
    else if (dense_strays(b->v[n - 1].d, &was[n - 1], b->v[n - 1].uplo)) wrong = "wrote outside";
    for (int i = 0; i < n - 1; i++)
        if (!wrong && b->v[i].d != b->v[n - 1].d && !dense_same(b->v[i].d, &was[i])) wrong = "wrote an input";
    for (int i = 0; i < n; i++) dense_free(&was[i]);
    free(want);
    return wrong;
}

#endif
