/* Operands of level 1, of norms, and of level 2 in band and packed storage. */
#include "bench/shapes.h"

static bench_shape vector(int64_t n) { return (bench_shape){.rows = n, .cols = 1, .fill = BENCH_RANDOM}; }

static bench_shape triangle(const bench_case *c, int64_t rows)
{
    return (bench_shape){.rows = rows, .cols = c->n, .part = uplo_of(c), .diag = diag_of(c), .fill = BENCH_RANDOM};
}

static bench_shape packed(const bench_case *c, bench_fill fill)
{
    return (bench_shape){.rows = c->n * (c->n + 1) / 2, .cols = 1, .storage = BENCH_PACKED, .height = c->n, .order = c->n,
                         .triangle = uplo_of(c), .diag = diag_of(c), .fill = fill};
}

static bench_shape band(const bench_case *c, bench_fill fill)
{
    return (bench_shape){.rows = c->k + 1, .cols = c->n, .storage = BENCH_BAND, .height = c->n, .order = c->n, .k = c->k,
                         .triangle = uplo_of(c), .diag = diag_of(c), .fill = fill};
}

int bench_shape_vector(const bench_case *c, bench_shape *is)
{
    is[0] = vector(c->n);
    return 1;
}

int bench_shape_two(const bench_case *c, bench_shape *is)
{
    is[0] = is[1] = vector(c->n);
    return 2;
}

int bench_shape_rotg(const bench_case *c, bench_shape *is)
{
    (void)c;
    is[0] = vector(4); /* the numbers it begins with */
    return 1;
}

/* lange and lantr are m x n, the others of order n. */
int bench_shape_norm(const bench_case *c, bench_shape *is)
{
    is[0] = triangle(c, c->m);
    if (!c->flag[BENCH_UPLO])
        is[0].part = TSL_GENERAL;
    return 1;
}

int bench_shape_order_norm(const bench_case *c, bench_shape *is)
{
    bench_case square = *c;
    square.m = c->n;
    return bench_shape_norm(&square, is);
}

int bench_shape_update(const bench_case *c, bench_shape *is)
{
    is[0] = vector(c->n);
    is[1] = triangle(c, c->n);
    return 2;
}

int bench_shape_update2(const bench_case *c, bench_shape *is)
{
    is[0] = is[1] = vector(c->n);
    is[2] = triangle(c, c->n);
    return 3;
}

int bench_shape_gbmv(const bench_case *c, bench_shape *is)
{
    bool turned = bench_op(c->flag[BENCH_TRANS]) & TSL_TRANS;
    is[0] = (bench_shape){.rows = 2 * c->k + 1, .cols = c->n, .storage = BENCH_BAND, .height = c->m, .order = c->n, .k = c->k,
                          .triangle = TSL_GENERAL, .fill = BENCH_RANDOM};
    is[1] = vector(turned ? c->m : c->n);
    is[2] = vector(turned ? c->n : c->m);
    return 3;
}

static int by_vector(const bench_case *c, bench_shape A, bench_shape *is)
{
    is[0] = A;
    is[1] = is[2] = vector(c->n);
    return 3;
}

int bench_shape_sbmv(const bench_case *c, bench_shape *is) { return by_vector(c, band(c, BENCH_RANDOM), is); }
int bench_shape_spmv(const bench_case *c, bench_shape *is) { return by_vector(c, packed(c, BENCH_RANDOM), is); }

int bench_shape_tbmv(const bench_case *c, bench_shape *is) /* and tbsv */
{
    is[0] = band(c, BENCH_SOLVABLE);
    is[1] = vector(c->n);
    return 2;
}

int bench_shape_tpmv(const bench_case *c, bench_shape *is) /* and tpsv */
{
    is[0] = packed(c, BENCH_SOLVABLE);
    is[1] = vector(c->n);
    return 2;
}

int bench_shape_spr(const bench_case *c, bench_shape *is)
{
    is[0] = vector(c->n);
    is[1] = packed(c, BENCH_RANDOM);
    return 2;
}

int bench_shape_spr2(const bench_case *c, bench_shape *is)
{
    is[0] = is[1] = vector(c->n);
    is[2] = packed(c, BENCH_RANDOM);
    return 3;
}

/* In a band the diagonal is row 0 of a lower triangle, and row k else. */
bench_segment bench_segment_of(const bench_array *a, int64_t j)
{
    const bench_shape *is = &a->is;
    bool packed = is->storage == BENCH_PACKED;
    int64_t reach = packed ? is->order : is->k, from = j - reach > 0 ? j - reach : 0, to = j + reach + 1 < is->height ? j + reach + 1 : is->height;
    if (is->triangle == TSL_LOWER)
        from = j;
    if (is->triangle == TSL_UPPER)
        to = j + 1;
    if (packed)
        return (bench_segment){is->triangle == TSL_LOWER ? j * is->order - j * (j - 1) / 2 : j * (j + 1) / 2, from, to};
    return (bench_segment){(is->triangle == TSL_LOWER ? 0 : is->k) + from - j + j * a->ld, from, to};
}
