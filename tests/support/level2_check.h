/* Making, running and judging level-2 problems (level2.h). */
#ifndef LEVEL2_CHECK_H
#define LEVEL2_CHECK_H

#include "level2.h"

/* Typed calls with host pointers, with pointers into device memory, and views of wrapped and of created matrices. */
typedef enum way { BY_POINTER, BY_DEVICE_POINTER, BY_WRAP, BY_MATRIX, WAYS } way;

static inline void problem_free(problem *p) { dense_free(&p->A), dense_free(&p->x), dense_free(&p->y); }

static inline void put_element(const problem *p, int64_t i, int64_t j, tsl_scalar v)
{
    int64_t r, c;
    locate(p, i, j, &r, &c);
    dense_put(&p->A, r, c, v);
}

/* Operands for the flags and sizes that are set: random where they are read, canaries elsewhere, NaN where BLAS does not look
 * (alpha or beta zero, imaginary parts of a Hermitian diagonal). Triangles are well conditioned. */
static inline void problem_make(problem *p, uint64_t seed)
{
    family f = family_of(p->op);
    tsl_storage how = storage_of(p->op);
    int no_product = f != TRIANGULAR && p->alpha == 0, canary = f == UPDATE ? CANARY_FINITE : CANARY_NAN;
    int64_t band = p->kl + 1 + (shape_of(p->op) == WHOLE ? p->ku : 0), n = p->n;
    p->A = how == TSL_BAND ? dense_make(p->t, band, n, canary) : how == TSL_PACKED ? dense_make(p->t, n * (n + 1) / 2, 1, canary)
                                                                                   : dense_make(p->t, rows_of(p), n, canary);
    p->x = make_vector(p->t, length_x(p), p->incx, f == TRIANGULAR ? CANARY_FINITE : CANARY_NAN);
    p->y = make_vector(p->t, length_y(p), p->incy, f == PRODUCT ? CANARY_FINITE : CANARY_NAN);
    dense_random(&p->x, seed + 1);
    dense_random(&p->y, seed + 2);
    if (no_product) dense_fill(&p->x, CMPLX(NAN, NAN));
    if (f == PRODUCT ? p->beta == 0 : no_product) dense_fill(&p->y, CMPLX(NAN, NAN));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < rows_of(p); i++) {
            if (!referenced(p, i, j)) continue;
            double re = dense_uniform(&seed), im = dense_uniform(&seed);
            tsl_scalar v = CMPLX(re, im);
            if (f == TRIANGULAR) v = i == j ? v + 3 : v / (double)(n + 1);
            if (is_hermitian(p) && i == j) v = CMPLX(re, NAN);
            if (f == PRODUCT && no_product) v = CMPLX(NAN, NAN);
            put_element(p, i, j, v);
        }
}

/* ---- the reference ------------------------------------------------------------------------------------------------------ */

/* What is added to element (i,j) of the matrix as it is seen. */
static inline tsl_scalar ref_update(const problem *p, int64_t i, int64_t j)
{
    tsl_scalar xi = entry(&p->x, p->incx, p->opx, i);
    tsl_scalar yj = has_y(p->op) ? entry(&p->y, p->incy, p->opy, j) : entry(&p->x, p->incx, p->opx, j);
    int herm = is_hermitian(p);
    tsl_scalar v = p->alpha * xi * (herm ? conj(yj) : yj);
    if (!has_y(p->op) || p->op == TSL_OP_GER) return v;
    tsl_scalar yi = entry(&p->y, p->incy, p->opy, i), xj = entry(&p->x, p->incx, p->opx, j);
    return v + (herm ? conj(p->alpha) * yi * conj(xj) : p->alpha * yi * xj);
}

/* op(A) x or, for the solves, op(A)^-1 x by substitution; out has the length of the result. */
static inline void ref_vector(const problem *p, tsl_scalar *out)
{
    int64_t nx = length_x(p), ny = family_of(p->op) == PRODUCT ? length_y(p) : nx;
    for (int64_t i = 0; i < ny; i++) {
        tsl_scalar sum = 0;
        for (int64_t j = 0; j < nx; j++) sum += seen_element(p, &p->A, i, j) * entry(&p->x, p->incx, p->opx, j);
        out[i] = sum;
    }
    if (strcmp(tsl_ops[p->op].name + 2, "sv")) return;
    int forward = (p->uplo == TSL_LOWER) == !(p->trans & TSL_TRANS);
    for (int64_t s = 0; s < nx; s++) {
        int64_t i = forward ? s : nx - 1 - s;
        tsl_scalar sum = entry(&p->x, p->incx, p->opx, i);
        for (int64_t j = forward ? 0 : i + 1; j < (forward ? i : nx); j++) sum -= seen_element(p, &p->A, i, j) * out[j];
        out[i] = sum / seen_element(p, &p->A, i, i);
    }
}

static inline double larger(double worst, double e) { return e <= worst ? worst : isnan(e) ? INFINITY : e; }

/* Worst error of the written vector, which is then put back, so that what is left of a change is a stray. */
static inline double vector_error(const problem *was, problem *p)
{
    int product = family_of(p->op) == PRODUCT;
    dense *now = product ? &p->y : &p->x;
    const dense *old = product ? &was->y : &was->x;
    int64_t inc = product ? p->incy : p->incx, n = product ? length_y(p) : length_x(p);
    tsl_op op = product ? p->opy : p->opx;
    tsl_scalar *want = calloc((size_t)n + 1, sizeof *want);
    double worst = 0;
    if (!want) abort();
    if (!product || p->alpha != 0) ref_vector(was, want);
    for (int64_t i = 0; i < n; i++) {
        int64_t r, c;
        tsl_scalar v = product && p->alpha == 0 ? 0 : product ? p->alpha * want[i] : want[i];
        if (product && p->beta != 0) v += p->beta * entry(old, inc, op, i);
        worst = larger(worst, cabs(entry(now, inc, op, i) - v));
        vector_place(now, inc, i, &r, &c);
        memcpy(dense_at(now, r, c), dense_at(old, r, c), tsl_type_size(p->t));
    }
    free(want);
    return worst;
}

static inline double matrix_error(const problem *was, problem *p)
{
    double worst = 0;
    if (p->alpha == 0) return 0; /* any change is a stray */
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < rows_of(p); i++) {
            if (!referenced(p, i, j)) continue;
            int64_t r, c, turn = p->trans & TSL_TRANS;
            tsl_scalar old = stored(was, &was->A, i, j), now = stored(p, &p->A, i, j);
            if (is_hermitian(p) && i == j) old = creal(old), worst = larger(worst, cimag(now) == 0 ? 0 : INFINITY);
            worst = larger(worst, cabs(now - old - through(p->trans, ref_update(was, turn ? j : i, turn ? i : j))));
            locate(p, i, j, &r, &c);
            memcpy(dense_at(&p->A, r, c), dense_at(&was->A, r, c), tsl_type_size(p->t));
        }
    return worst;
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

static inline tsl_status problem_run(env *e, way w, problem *p)
{
    dense *d[3] = {&p->A, &p->x, &p->y};
    const int64_t inc[3] = {1, p->incx, p->incy};
    const tsl_op ops[3] = {p->trans, p->opx, p->opy};
    tsl_matrix *host[3] = {0}, *used[3] = {0};
    tsl_view v[3];
    slot s[3];
    tsl_status st = TSL_OK;
    e->via = w == BY_WRAP ? VIA_WRAPPED : VIA_CREATED;
    for (int i = 0; i < 3 && !st; i++) {
        int column = inc[i] == 1 || inc[i] == -1;
        s[i] = (slot){d[i]->data, i == 0 ? d[i]->ld : inc[i]};
        if (w == BY_POINTER) continue;
        st = job_bind(e, d[i], &host[i], &used[i]);
        if (st) break;
        v[i] = tsl_sub(tsl_whole(used[i]), 0, 0, d[i]->m, d[i]->n);
        int64_t ld = tsl_matrix_ld(used[i]);
        s[i] = (slot){tsl_matrix_data(used[i]), i == 0 ? ld : column ? inc[i] : inc[i] < 0 ? -ld : ld};
        if (i > 0 || storage_of(p->op) == TSL_DENSE) v[i].op = ops[i];
        if (i == 0 && storage_of(p->op) == TSL_DENSE && shape_of(p->op) != WHOLE) v[0].uplo = p->uplo, v[0].diag = p->diag;
    }
    if (!st) st = w <= BY_DEVICE_POINTER ? call_typed(e->ctx, p, &s[0], &s[1], &s[2]) : call_views(e->ctx, p, v[0], v[1], v[2]);
    for (int i = 0; i < 3; i++) {
        if (!st && used[i] != host[i]) st = tsl_copy(e->ctx, tsl_whole(used[i]), tsl_whole(host[i]));
        if (used[i] != host[i]) tsl_matrix_free(used[i]);
        tsl_matrix_free(host[i]);
    }
    return st;
}

static inline int same_operands(const problem *a, const problem *b)
{
    return dense_same(&a->A, &b->A) && dense_same(&a->x, &b->x) && dense_same(&a->y, &b->y);
}

static inline problem problem_copy(const problem *p)
{
    problem c = *p;
    c.A = dense_copy(&p->A), c.x = dense_copy(&p->x), c.y = dense_copy(&p->y);
    return c;
}

/* What went wrong, NULL for nothing. twice: a second run must give the same bits. */
static inline const char *problem_check(env *e, way w, problem *p, int twice)
{
    problem was = problem_copy(p), again = problem_copy(p);
    const char *wrong = problem_run(e, w, p) == TSL_OK ? NULL : tsl_error(e->ctx);
    if (!wrong && twice && (problem_run(e, w, &again) || !same_operands(p, &again))) wrong = "not the same bits again";
    if (!wrong) {
        double error = family_of(p->op) == UPDATE ? matrix_error(&was, p) : vector_error(&was, p);
        if (!(error <= 16.0 * (double)(rows_of(p) + p->n + 8) * tsl_type_eps(p->t))) wrong = "wrong result";
        else if (!same_operands(p, &was)) wrong = "wrote elsewhere";
    }
    problem_free(&was), problem_free(&again);
    return wrong;
}

#endif
