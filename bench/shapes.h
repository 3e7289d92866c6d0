/* What operands the routines have, from their sizes and letters. Each fills `is` and returns how many there are. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include "bench/bench.h"

static inline tsl_uplo uplo_of(const bench_case *c) { return c->flag[BENCH_UPLO] == 'L' ? TSL_LOWER : TSL_UPPER; }
static inline tsl_diag diag_of(const bench_case *c) { return c->flag[BENCH_DIAG] == 'U' ? TSL_UNIT : TSL_NONUNIT; }

/* The order of the matrix that stands on a side of an m x n one. */
static inline int64_t order_of(const bench_case *c) { return c->flag[BENCH_SIDE] == 'L' ? c->m : c->n; }

/* shapes_dense.c, then shapes.c; routines whose operands look alike share one */
#define BENCH_SHAPES(X)                                                                                                        \
    X(gemm) X(gemmt) X(symm) X(trxm) X(rank_k) X(rank_2k) X(potrf) X(trtri) X(lauum) X(potrs) X(posv)                          \
    X(getrf) X(getrs) X(gesv) X(getri) X(laswp)                                                                                \
    X(gemv) X(symv) X(ger) X(trsv)                                                                                             \
    X(vector) X(two) X(rotg) X(norm) X(order_norm) X(update) X(update2)                                                        \
    X(gbmv) X(sbmv) X(spmv) X(tbmv) X(tpmv) X(spr) X(spr2)
#define BENCH_DECLARE(name) int bench_shape_##name(const bench_case *c, bench_shape *is);
BENCH_SHAPES(BENCH_DECLARE)
#undef BENCH_DECLARE

#endif
