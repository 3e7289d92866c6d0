/* Systems whose matrices are shared among the problems of a stack, or of some of its dimensions. */
#include "compat/jax/jax.h"

/* Along a dimension of the stack, of more than one problem: does each have its own, or all one? -1: of one this is so, of the
 * other that. */
enum { OWN, ONE };

static int way_of(const jax_array *matrix, const jax_array *pivots, int64_t i)
{
    bool one = matrix->dims[i] == 1;
    return one != (pivots->dims[i] == 1) ? -1 : one ? ONE : OWN;
}

static bool fits(const jax_array *a, const jax_array *sides, int64_t stack)
{
    bool all = true;
    for (int64_t i = 0; i < stack; ++i) all &= a->dims[i] == 1 || a->dims[i] == sides->dims[i];
    return all;
}

/* Which of an array's matrices is that of problem `at` of the dimensions before `end` */
static int64_t place(const jax_array *a, const jax_array *sides, int64_t end, int64_t at)
{
    int64_t where = 0, step = 1;
    for (int64_t i = sides->rank - 3; i >= 0; step *= a->dims[i--]) {
        if (i >= end) continue;
        if (a->dims[i] > 1) where += at % sides->dims[i] * step;
        at /= sides->dims[i];
    }
    return where;
}

tsl_status jax_each_group(const jax_call *c, const jax_array *matrix, const jax_array *pivots, const jax_array *sides,
                          jax_solve solve)
{
    int64_t stack = sides->rank - 2, end = stack, inside = 1, outside = 1;
    int way = -1; /* of the dimensions inside a group, from the last one on */
    if (!pivots) pivots = matrix;
    if (matrix->rank != stack + 2 || pivots->rank != stack + 2) return TSL_ERR_SHAPE;
    if (!fits(matrix, sides, stack) || !fits(pivots, sides, stack)) return TSL_ERR_SHAPE;
    for (; end > 0; --end) {
        if (sides->dims[end - 1] == 1) continue;
        int here = way_of(matrix, pivots, end - 1);
        if (here < 0 || (way >= 0 && here != way)) break;
        way = here;
        inside *= sides->dims[end - 1];
    }
    for (int64_t i = 0; i < end; ++i) outside *= sides->dims[i];
    tsl_status st = TSL_OK;
    for (int64_t k = 0; k < outside && !st; ++k) {
        jax_group g = {.matrix = place(matrix, sides, end, k), .pivots = place(pivots, sides, end, k), .sides = k * inside,
                       .count = way == ONE ? 1 : inside, .columns = jax_columns(sides) * (way == ONE ? inside : 1)};
        st = solve(c, &g);
    }
    return st;
}
