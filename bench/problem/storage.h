/* What the routines with matrices in band and packed storage share. */
#ifndef BENCH_STORAGE_H
#define BENCH_STORAGE_H

#include "bench/residual/residual.h"

/* y - alpha op(A) x - beta y0, where A is as stored, or the matrix it is a triangle of */
double bench_residual_by_vector(const bench_problem *p, tsl_op mirror);
double bench_residual_triangular(const bench_problem *p, bool solve); /* x - op(A) x0, or op(A) x - x0 */

#endif
