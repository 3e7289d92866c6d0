/* Tiled and flat matrices of a test's own arrays. */
#pragma once

#include "dense.h"
#include "tiled.h"

enum { N = 70, NB = 16 };

static inline tsl_matrix *wrap(tsl_context *x, const dense *d, int64_t nb)
{
    tsl_matrix *A = NULL;
    tsl_status st = nb ? tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, nb, &A) : tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &A);
    check(!st && A, "wrap: %s", tsl_error(x));
    return A;
}

static inline tsl_matrix *create(tsl_context *x, tsl_type t, int64_t m, int64_t n, int64_t nb)
{
    tsl_matrix *A = NULL;
    check(!tsl_tiled_create(x, t, m, n, nb, &A) && A, "create: %s", tsl_error(x));
    return A;
}
