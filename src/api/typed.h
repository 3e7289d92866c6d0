/* The argument checks of the typed calls: letters become flags, arguments are checked in LAPACK's order, and an accepted call
 * is run. Used by typed*.inc. */
#ifndef TSL_TYPED_H
#define TSL_TYPED_H

#include "core/numbers/rotation.h"
#include "ops/ops.h"

static inline tsl_args tsl_args_begin(tsl_context *x, tsl_type t, const char *routine)
{
    tsl_status st = x ? TSL_OK : tsl_default_context(&x);
    if (!st && !tsl_lives(x)) st = tsl_refuse_context(x);
    tsl_args d;
    /* no more of it: small calls count each store */
    d.x = x, d.routine = routine, d.type = (int)t, d.st = st, d.argument = 0, d.arrays = 0;
    return d;
}

/* A routine whose type is not one letter before its name */
static inline tsl_args tsl_args_named(tsl_context *x, const char *name)
{
    tsl_args d = tsl_args_begin(x, TSL_S, name);
    d.type = -1;
    return d;
}

/* The elements of an off-diagonal, also of an order that is not checked yet: it may be the least number there is. */
static inline int64_t tsl_one_less(int64_t order) { return order > 0 ? order - 1 : 0; }

tsl_norm_kind tsl_arg_norm(tsl_args *d, int i, char c);

/* Of the checks that every call makes the accepting half is inline: it is much of what a small product costs beside BLAS. */
void tsl_refuse_letter(tsl_args *d, int i, char c, const char *what, const char *letters);
void tsl_refuse_size(tsl_args *d, int i, const char *what, int64_t value);
void tsl_refuse_ld(tsl_args *d, int i, const char *what, int64_t ld, int64_t rows);
void tsl_weigh_array(tsl_args *d, int i, const char *what, tsl_type t, const void *p, int64_t m, int64_t n, int64_t ld);
void tsl_refuse_inc(tsl_args *d, int i, const char *what);
void tsl_refuse_step(tsl_args *d, int i, const char *what);
void tsl_refuse_place(tsl_args *d, int i, const char *what);

/* The letter in upper case if it is one of `letters`, else 0 and the call is refused. */
static inline char tsl_arg_letter(tsl_args *d, int i, char c, const char *what, const char *letters)
{
    char up = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    for (const char *l = letters; *l; ++l)
        if (*l == up) return up;
    tsl_refuse_letter(d, i, c, what, letters);
    return 0;
}

static inline tsl_op tsl_arg_op(tsl_args *d, int i, char c, const char *letters, bool is_complex)
{
    char up = tsl_arg_letter(d, i, c, "trans", letters);
    return up == 'T' || (up == 'C' && !is_complex) ? TSL_TRANS : up == 'C' ? TSL_HERM : TSL_NOTRANS;
}

static inline tsl_uplo tsl_arg_uplo(tsl_args *d, int i, char c)
{
    return tsl_arg_letter(d, i, c, "uplo", "LU") == 'U' ? TSL_UPPER : TSL_LOWER;
}

static inline tsl_side tsl_arg_side(tsl_args *d, int i, char c)
{
    return tsl_arg_letter(d, i, c, "side", "LR") == 'R' ? TSL_RIGHT : TSL_LEFT;
}

static inline tsl_diag tsl_arg_diag(tsl_args *d, int i, char c)
{
    return tsl_arg_letter(d, i, c, "diag", "NU") == 'U' ? TSL_UNIT : TSL_NONUNIT;
}

static inline void tsl_arg_size(tsl_args *d, int i, const char *what, int64_t value)
{
    if (value < 0) tsl_refuse_size(d, i, what, value);
}

/* A size that another, of that name, bounds */
void tsl_arg_most(tsl_args *d, int i, const char *what, int64_t value, int64_t most, const char *name);
/* Of eigenvalues: two numbers, the second of which must be above the first; and the itype of a problem of two matrices */
void tsl_arg_interval(tsl_args *d, int i, double from, double to);
void tsl_arg_itype(tsl_args *d, int i, int64_t itype);
/* typed_geev.c: which eigenvalues a letter of NLRIO puts first */
tsl_schur_sort tsl_sort_of(char letter);
void tsl_arg_sign(tsl_args *d, int i, int64_t isgn); /* 1 or -1 */
void tsl_arg_least(tsl_args *d, int i, const char *what, int64_t value, int64_t least, const char *name);

static inline void tsl_arg_ld(tsl_args *d, int i, const char *what, int64_t ld, int64_t rows)
{
    if (ld < tsl_max(1, rows)) tsl_refuse_ld(d, i, what, ld, rows);
}

/* An m x n array that will be used: not null, its extent in bytes addressable, as that of any with few rows and columns is. */
static inline void tsl_arg_array(tsl_args *d, int i, const char *what, tsl_type t, const void *p, int64_t m, int64_t n, int64_t ld)
{
    if (!p || (uint64_t)(m | n | ld) >> 24) tsl_weigh_array(d, i, what, t, p, m, n, ld);
    d->array[d->arrays].p = p, d->array[d->arrays].m = m, d->array[d->arrays].n = n, d->array[d->arrays].ld = ld;
    d->array[d->arrays++].argument = i;
}

/* laswp: k1, k2, incx, arguments 4, 5 and 7; and the last row that pivots k1..k2 of ipiv concern, which waits where they are
 * ours */
void tsl_arg_rows(tsl_args *d, int64_t k1, int64_t k2, int64_t incx);
int64_t tsl_arg_last_row(tsl_args *d, int i, const int64_t *ipiv, int64_t k1, int64_t k2, int64_t lda);

/* An increment: zero is refused, unless the routine has a meaning for it. */
static inline void tsl_arg_inc(tsl_args *d, int i, const char *what, int64_t inc)
{
    if (inc == 0) tsl_refuse_inc(d, i, what);
}

/* An increment of level 1, where zero has a meaning, but not if the vector must be copied elsewhere first. */
static inline void tsl_arg_step(tsl_args *d, int i, const char *what, int64_t inc)
{
    if (inc == 0) tsl_refuse_step(d, i, what);
}

/* A scalar or small array in host memory */
static inline void tsl_arg_place(tsl_args *d, int i, const char *what, const void *p)
{
    if (!p) tsl_refuse_place(d, i, what);
}

/* A vector of n elements that will be used. */
static inline void tsl_arg_vector(tsl_args *d, int i, const char *what, tsl_type t, const void *p, int64_t n, int64_t inc)
{
    tsl_arg_array(d, i, what, t, p, 1, n, tsl_max(tsl_stride(inc), 1));
}

/* A vector's increment as the leaf has it: that of a single element does not matter. */
static inline int64_t tsl_inc(int64_t n, int64_t inc) { return n == 1 ? (inc < 0 ? -1 : 1) : inc; }

/* An input, unless it cannot influence the result */
#define USED(p, used) ((used) ? (void *)(p) : NULL)

/* An operand with an element for each column of a panel */
#define COLUMN(array, count) {.p = (void *)(array), .ld = tsl_max(1, count), .m = count, .n = 1}
#define PIVOTS(ipiv, count) COLUMN(ipiv, count)
#define FACTORS(tau, count) COLUMN(tau, count)

/* May a call of these sizes go straight to its leaf? Nothing this small is cut into blocks unless the caller asks for it. */
enum { TSL_SMALL = 64 };
static inline bool tsl_few(int64_t m, int64_t n, int64_t k)
{
    /* a power of two: all are in 1..TSL_SMALL */
    return (((uint64_t)m - 1) | ((uint64_t)n - 1) | ((uint64_t)k - 1)) < TSL_SMALL;
}

/* small.c: an accepted call, as its leaf; plain: its sizes are few, and no product vanishes */
tsl_status tsl_run(tsl_args *d, bool plain, tsl_leaf *l);
tsl_status tsl_run_info(tsl_args *d, bool plain, tsl_leaf *l, int64_t *info);             /* NULL: nobody asks for it now */
tsl_status tsl_run_pairs(tsl_args *d, bool plain, tsl_leaf *l, int64_t *m, int64_t *info); /* eigenpairs, and how many */
tsl_status tsl_run_value(tsl_args *d, bool plain, tsl_leaf *l, tsl_typed_scalar *value); /* a reduction */

/* small.c: of a call that is made on parts of its arrays: those that are written, and all others, whole, must not overlap */
tsl_status tsl_args_apart(tsl_args *d, const tsl_leaf *l);

/* A refused call's info is minus the number of the bad argument. */
static inline tsl_status refused(const tsl_args *d, int64_t *info)
{
    if (info && d->argument) *info = -d->argument;
    return d->st;
}

/* Of calls whose arrays may turn out to overlap, or to hold no pivots. */
static inline tsl_status told_overlap(const tsl_args *d, tsl_status st, int64_t *info)
{
    if ((st == TSL_ERR_OVERLAP || st == TSL_ERR_PIVOT) && info) *info = -d->argument;
    return st;
}

/* Of calls that can only succeed once they are accepted. */
static inline tsl_status succeeded(const tsl_args *d, tsl_status st, int64_t *info)
{
    if (!st && info) *info = 0;
    return told_overlap(d, st, info);
}

#endif
