/* Norms for the tests: the matrix a dense array stands for, its norms in long double, and each way to ask the library. */
#ifndef NORM_H
#define NORM_H

#include "dense.h"
#include "tap.h"

static const char norm_letter[] = {'M', '1', 'I', 'F'};

/* What is seen of an array: GENERAL has no structure. */
typedef struct norm_case {
    tsl_norm_kind kind;
    tsl_structure structure;
    tsl_op op;
    tsl_uplo uplo; /* in the storage */
    tsl_diag diag;
} norm_case;

/* Element (i,j) of the matrix as stored, before op; only what may be read is. */
static inline tsl_scalar norm_element(const dense *d, const norm_case *c, int64_t i, int64_t j)
{
    bool mirror = c->uplo != TSL_GENERAL && c->structure != TSL_TRIANGULAR;
    if (i == j && c->diag == TSL_UNIT) return 1;
    if (!in_triangle(c->uplo, i, j)) return mirror ? dense_get(d, j, i) : 0;
    tsl_scalar a = dense_get(d, i, j);
    return i == j && mirror && c->structure == TSL_HERMITIAN ? creal(a) : a;
}

static inline long double norm_size(tsl_scalar a)
{
    double square = creal(a) * creal(a) + cimag(a) * cimag(a);
    if (square > 1e-200 && square < 1e200) return sqrt(square); /* long double may be slow */
    long double re = creal(a), im = cimag(a);
    return sqrtl(re * re + im * im);
}

/* The definition, in long double, whose range is wide enough for any square. Rows of op(A) are columns of A. */
static inline long double norm_wanted(const dense *d, const norm_case *c)
{
    bool turned = c->op & TSL_TRANS;
    bool by_rows = (c->kind == TSL_NORM_INF) != turned; /* rows as stored; for max and fro any order will do */
    int64_t lines = by_rows ? d->m : d->n, length = by_rows ? d->n : d->m;
    long double most = 0, squares = 0;
    for (int64_t l = 0; l < lines; l++) {
        long double sum = 0;
        for (int64_t k = 0; k < length; k++) {
            long double a = norm_size(by_rows ? norm_element(d, c, l, k) : norm_element(d, c, k, l));
            sum = c->kind == TSL_NORM_MAX ? fmaxl(sum, a) : sum + a;
            if (c->kind == TSL_NORM_FRO) squares += a * a;
        }
        most = fmaxl(most, sum);
    }
    return c->kind == TSL_NORM_FRO ? sqrtl(squares) : most;
}

#define CALL PASTE3(norm_typed_, P, )
#define TSL(name) PASTE3(tsl_, P, name)
#define BODY "tests/blas/norm.inc"
#include "core/types.inc"
#undef CALL
#undef TSL
#undef BODY

/* The typed call; letters and result as given, so that wrong ones can be. */
static inline tsl_status norm_typed(tsl_context *x, const dense *d, const norm_case *c, char letter, double *value)
{
    switch (d->t) {
    case TSL_S: return norm_typed_s(x, d, c, letter, value);
    case TSL_D: return norm_typed_d(x, d, c, letter, value);
    case TSL_C: return norm_typed_c(x, d, c, letter, value);
    default: return norm_typed_z(x, d, c, letter, value);
    }
}

/* By views of the caller's array, or of a matrix on the device filled from it */
static inline tsl_status norm_views(tsl_context *x, const dense *d, const norm_case *c, bool created, double *value)
{
    tsl_matrix *host = NULL, *used = NULL;
    tsl_status st = tsl_matrix_wrap(x, d->t, d->ld, d->cols, d->data, d->ld, &host);
    if (!st && created) st = tsl_matrix_create(x, d->t, d->ld, d->cols, &used);
    if (!st && created) st = tsl_copy(x, tsl_whole(host), tsl_whole(used));
    if (!st) {
        tsl_view v = tsl_sub(tsl_whole(created ? used : host), 0, 0, d->m, d->n);
        v.op = c->op, v.uplo = c->uplo, v.diag = c->diag;
        st = tsl_norm(x, c->kind, c->structure, v, value);
    }
    tsl_matrix_free(used);
    tsl_matrix_free(host);
    return st;
}

#endif
