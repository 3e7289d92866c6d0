/* libtesela_jax: handlers for XLA's foreign functions, over Tesela's typed calls on batches. A call of XLA's has arrays that
 * begin with any number of dimensions of a stack; matrices in them are stored by columns. What is computed in place is one of
 * the arguments (`place`), and result 0, which XLA puts at the same address. Whole numbers are pairs of 32-bit ones for XLA, as
 * JAX may have no others; the outcomes, where a routine has them, are result 1. The shapes are those that python/tesela/jax
 * asks for: it is the caller. */
#ifndef TSL_JAX_H
#define TSL_JAX_H

#include <stdbool.h>

#include <tesela.h>

enum { JAX_ARRAYS = 6 };

typedef struct jax_array {
    void *data;
    int64_t rank;
    const int64_t *dims;
    int type; /* XLA's */
} jax_array;

typedef struct jax_call {
    tsl_context *x;
    const char *letters; /* LAPACK's, in its order */
    double tolerance;
    int args, rets;
    jax_array arg[JAX_ARRAYS], ret[JAX_ARRAYS];
} jax_call;

typedef tsl_status (*jax_work)(const jax_call *);

typedef struct jax_routine {
    const char *name;
    int args, rets, letters; /* how many there are, at least */
    int place;               /* which argument is overwritten */
    jax_work work;
} jax_routine;

/* calls.c. NULL: there is no such routine */
const jax_routine *jax_find(tsl_type type, const char *name, size_t length);

/* groups.c. Many systems with fewer matrices: each dimension of the stack of `matrix`, and of `pivots` (NULL: there are none),
 * is that of `sides`, or 1. The problems are cut into groups: in one of them each problem has a matrix of its own, or a single
 * matrix has the columns of all. */
typedef struct jax_group {
    int64_t matrix, pivots, sides; /* which is the first one */
    int64_t count, columns;
} jax_group;
typedef tsl_status (*jax_solve)(const jax_call *, const jax_group *);
tsl_status jax_each_group(const jax_call *c, const jax_array *matrix, const jax_array *pivots, const jax_array *sides,
                          jax_solve solve);

/* The number of matrices (last: 2) or of vectors (1) in an array, which has so many dimensions and more */
static inline int64_t jax_count(const jax_array *a, int last)
{
    int64_t count = 1;
    for (int64_t i = 0; i < a->rank - last; ++i) count *= a->dims[i];
    return count;
}

static inline int64_t jax_rows(const jax_array *a) { return a->dims[a->rank - 2]; }
static inline int64_t jax_columns(const jax_array *a) { return a->dims[a->rank - 1]; }

#endif
