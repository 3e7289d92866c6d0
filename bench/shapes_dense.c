/* Operands of level 3, of Cholesky and its kin, and of level 2 with a dense matrix. */
#include "bench/shapes.h"

/* An operand whose scalar is zero is not read. */
static bench_fill read_if(tsl_scalar factor) { return factor != 0 ? BENCH_RANDOM : BENCH_NOT_READ; }

/* The stored shape of an operand that is rows x cols as seen through the op of this letter. */
static bench_shape stored(char trans, int64_t rows, int64_t cols, bench_fill fill)
{
    bool turned = bench_op(trans) & TSL_TRANS;
    return (bench_shape){.rows = turned ? cols : rows, .cols = turned ? rows : cols, .fill = fill};
}

int bench_shape_gemm(const bench_case *c, bench_shape *is)
{
    is[0] = stored(bench_trans(c, 0), c->m, c->k, read_if(c->alpha));
    is[1] = stored(bench_trans(c, 1), c->k, c->n, read_if(c->alpha));
    is[2] = stored('N', c->m, c->n, read_if(c->beta));
    return 3;
}

int bench_shape_gemmt(const bench_case *c, bench_shape *is)
{
    bench_case square = *c;
    square.m = c->n;
    int count = bench_shape_gemm(&square, is);
    is[2].part = uplo_of(c);
    return count;
}

/* Of a Hermitian A the diagonal's imaginary parts are random too: they must be taken as zero. */
int bench_shape_symm(const bench_case *c, bench_shape *is)
{
    is[0] = stored('N', order_of(c), order_of(c), read_if(c->alpha));
    is[0].part = uplo_of(c);
    is[1] = stored(bench_trans(c, 1), c->m, c->n, read_if(c->alpha));
    is[2] = stored('N', c->m, c->n, read_if(c->beta));
    return 3;
}

int bench_shape_trxm(const bench_case *c, bench_shape *is)
{
    is[0] = stored('N', order_of(c), order_of(c), c->alpha != 0 ? BENCH_SOLVABLE : BENCH_NOT_READ);
    is[0].part = uplo_of(c);
    is[0].diag = diag_of(c);
    is[1] = stored('N', c->m, c->n, read_if(c->alpha));
    return 2;
}

/* Updates of a triangle by one factor, or by two. A Hermitian C has random imaginary parts on its diagonal, as hemm's A. */
static int update(const bench_case *c, bench_shape *is, int factors)
{
    for (int i = 0; i < factors; i++)
        is[i] = stored(bench_trans(c, i), c->n, c->k, read_if(c->alpha));
    is[factors] = stored('N', c->n, c->n, read_if(c->beta));
    is[factors].part = uplo_of(c);
    return factors + 1;
}

int bench_shape_rank_k(const bench_case *c, bench_shape *is) { return update(c, is, 1); }
int bench_shape_rank_2k(const bench_case *c, bench_shape *is) { return update(c, is, 2); }

int bench_shape_potrf(const bench_case *c, bench_shape *is)
{
    is[0] = stored('N', c->n, c->n, BENCH_POSITIVE);
    is[0].part = uplo_of(c);
    return 1;
}

static int triangle(const bench_case *c, bench_shape *is, bench_fill fill)
{
    is[0] = stored('N', c->n, c->n, fill);
    is[0].part = uplo_of(c);
    is[0].diag = diag_of(c);
    return 1;
}

int bench_shape_trtri(const bench_case *c, bench_shape *is) { return triangle(c, is, BENCH_SOLVABLE); }
int bench_shape_lauum(const bench_case *c, bench_shape *is) { return triangle(c, is, BENCH_FACTOR); } /* and potri */

/* k right-hand sides */
int bench_shape_potrs(const bench_case *c, bench_shape *is)
{
    is[1] = stored('N', c->n, c->k, BENCH_RANDOM);
    return 1 + triangle(c, is, BENCH_FACTOR);
}

int bench_shape_posv(const bench_case *c, bench_shape *is)
{
    is[1] = stored('N', c->n, c->k, BENCH_RANDOM);
    return 1 + bench_shape_potrf(c, is);
}

/* LU. Where the result is A its pivots come first; A's factors are triangles that can be solved with. */
static bench_shape pivots(int64_t count, bench_fill fill) { return (bench_shape){.rows = count, .cols = 1, .fill = fill}; }

int bench_shape_getrf(const bench_case *c, bench_shape *is)
{
    is[0] = pivots(c->m < c->n ? c->m : c->n, BENCH_FOR_PIVOTS);
    is[1] = stored('N', c->m, c->n, BENCH_RANDOM);
    return 2;
}

int bench_shape_laswp(const bench_case *c, bench_shape *is)
{
    is[0] = pivots(c->m, BENCH_PIVOTS);
    is[1] = stored('N', c->m, c->n, BENCH_RANDOM);
    return 2;
}

int bench_shape_getri(const bench_case *c, bench_shape *is)
{
    is[0] = pivots(c->n, BENCH_PIVOTS);
    is[1] = stored('N', c->n, c->n, BENCH_SOLVABLE);
    return 2;
}

int bench_shape_getrs(const bench_case *c, bench_shape *is)
{
    is[0] = stored('N', c->n, c->n, BENCH_SOLVABLE);
    is[1] = pivots(c->n, BENCH_PIVOTS);
    is[2] = stored('N', c->n, c->k, BENCH_RANDOM);
    return 3;
}

int bench_shape_gesv(const bench_case *c, bench_shape *is)
{
    is[0] = stored('N', c->n, c->n, BENCH_RANDOM);
    is[1] = pivots(c->n, BENCH_FOR_PIVOTS);
    is[2] = stored('N', c->n, c->k, BENCH_RANDOM);
    return 3;
}

/* Level 2: vectors are columns. A is m x n as stored; y is read even with beta = 0 where gemv leaves it alone. */
int bench_shape_gemv(const bench_case *c, bench_shape *is)
{
    bool turned = bench_op(c->flag[BENCH_TRANS]) & TSL_TRANS;
    is[0] = stored('N', c->m, c->n, read_if(c->alpha));
    is[1] = stored('N', turned ? c->m : c->n, 1, read_if(c->alpha));
    is[2] = stored('N', turned ? c->n : c->m, 1, c->m && c->n ? read_if(c->beta) : BENCH_RANDOM);
    return 3;
}

int bench_shape_symv(const bench_case *c, bench_shape *is)
{
    is[0] = stored('N', c->n, c->n, read_if(c->alpha));
    is[0].part = uplo_of(c);
    is[1] = stored('N', c->n, 1, read_if(c->alpha));
    is[2] = stored('N', c->n, 1, read_if(c->beta));
    return 3;
}

int bench_shape_ger(const bench_case *c, bench_shape *is)
{
    is[0] = stored('N', c->m, 1, read_if(c->alpha));
    is[1] = stored('N', c->n, 1, read_if(c->alpha));
    is[2] = stored('N', c->m, c->n, BENCH_RANDOM);
    return 3;
}

int bench_shape_trsv(const bench_case *c, bench_shape *is)
{
    is[0] = stored('N', c->n, c->n, BENCH_SOLVABLE);
    is[0].part = uplo_of(c);
    is[0].diag = diag_of(c);
    is[1] = stored('N', c->n, 1, BENCH_RANDOM);
    return 2;
}
