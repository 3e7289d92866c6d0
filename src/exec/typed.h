/* The door of the typed calls: letters become flags, arguments are checked in LAPACK's order. Used by typed*.inc. */
#ifndef TSL_TYPED_H
#define TSL_TYPED_H

#include "exec/exec.h"

/* One typed call on its way in. The first bad argument decides st; later checks do nothing. */
typedef struct tsl_door {
    tsl_context *x;
    const char *routine;
    int type; /* its letter comes before the routine's name; -1: that is all of it */
    tsl_status st;
    int argument; /* the bad one, counted from 1 after the context */
} tsl_door;

static inline tsl_door tsl_door_open(tsl_context *x, tsl_type t, const char *routine)
{
    tsl_status st = tsl_enter(&x);
    return (tsl_door){.x = x, .routine = routine, .type = (int)t, .st = st};
}

/* A routine whose type is not one letter before its name */
static inline tsl_door tsl_door_named(tsl_context *x, const char *name)
{
    tsl_door d = tsl_door_open(x, TSL_S, name);
    d.type = -1;
    return d;
}

static inline tsl_status tsl_door_close(tsl_door *d, tsl_status st) { return d->x ? tsl_leave(d->x, st) : st; }

tsl_norm_kind tsl_arg_norm(tsl_door *d, int i, char c);

/* Of the checks that every call makes the accepting half is inline: it is much of what a small product costs beside BLAS. */
void tsl_refuse_letter(tsl_door *d, int i, char c, const char *what, const char *letters);
void tsl_refuse_size(tsl_door *d, int i, const char *what, int64_t value);
void tsl_refuse_ld(tsl_door *d, int i, const char *what, int64_t ld, int64_t rows);
void tsl_weigh_array(tsl_door *d, int i, const char *what, tsl_type t, const void *p, int64_t m, int64_t n, int64_t ld);

/* The letter in upper case if it is one of `letters`, else 0 and the call is refused. */
static inline char tsl_arg_letter(tsl_door *d, int i, char c, const char *what, const char *letters)
{
    char up = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    for (const char *l = letters; *l; ++l)
        if (*l == up) return up;
    tsl_refuse_letter(d, i, c, what, letters);
    return 0;
}

static inline tsl_op tsl_arg_op(tsl_door *d, int i, char c, const char *letters, bool is_complex)
{
    char up = tsl_arg_letter(d, i, c, "trans", letters);
    return up == 'T' || (up == 'C' && !is_complex) ? TSL_TRANS : up == 'C' ? TSL_HERM : TSL_NOTRANS;
}

static inline tsl_uplo tsl_arg_uplo(tsl_door *d, int i, char c)
{
    return tsl_arg_letter(d, i, c, "uplo", "LU") == 'U' ? TSL_UPPER : TSL_LOWER;
}

static inline tsl_side tsl_arg_side(tsl_door *d, int i, char c)
{
    return tsl_arg_letter(d, i, c, "side", "LR") == 'R' ? TSL_RIGHT : TSL_LEFT;
}

static inline tsl_diag tsl_arg_diag(tsl_door *d, int i, char c)
{
    return tsl_arg_letter(d, i, c, "diag", "NU") == 'U' ? TSL_UNIT : TSL_NONUNIT;
}

static inline void tsl_arg_size(tsl_door *d, int i, const char *what, int64_t value)
{
    if (value < 0) tsl_refuse_size(d, i, what, value);
}

static inline void tsl_arg_ld(tsl_door *d, int i, const char *what, int64_t ld, int64_t rows)
{
    if (ld < tsl_max(1, rows)) tsl_refuse_ld(d, i, what, ld, rows);
}

/* An m x n array that will be used: not null, its extent in bytes addressable, as that of any with few rows and columns is. */
static inline void tsl_arg_array(tsl_door *d, int i, const char *what, tsl_type t, const void *p, int64_t m, int64_t n, int64_t ld)
{
    if (!p || (uint64_t)(m | n | ld) >> 24) tsl_weigh_array(d, i, what, t, p, m, n, ld);
}

/* An increment: zero is refused, unless the routine has a meaning for it. */
void tsl_arg_inc(tsl_door *d, int i, const char *what, int64_t inc);
/* An increment of level 1, where zero has a meaning, but not if the vector must be copied elsewhere first. */
void tsl_arg_step(tsl_door *d, int i, const char *what, int64_t inc);
/* A scalar or small array in host memory */
void tsl_arg_place(tsl_door *d, int i, const char *what, const void *p);
/* A vector of n elements that will be used. */
void tsl_arg_vector(tsl_door *d, int i, const char *what, tsl_type t, const void *p, int64_t n, int64_t inc);

/* All of a matrix through an op, as a triangle or whole. */
static inline tsl_view tsl_seen(tsl_matrix *a, tsl_op op, tsl_uplo uplo, tsl_diag diag)
{
    return (tsl_view){.mat = a, .m = a->m, .n = a->n, .op = op, .uplo = uplo, .diag = diag};
}

/* small.c: the context if a call of these sizes may go straight to its leaf (kernel/host/small.inc), else NULL; and when it has */
tsl_context *tsl_small(tsl_context *x, int64_t m, int64_t n, int64_t k);
tsl_status tsl_small_done(tsl_context *x);

/* rotg.c: plane rotations and their modified form, in double precision for float too */
typedef struct tsl_rotation {
    double c;
    tsl_scalar s, r;
} tsl_rotation;

tsl_rotation tsl_rotation_real(double a, double b);
tsl_rotation tsl_rotation_complex(tsl_scalar a, tsl_scalar b);

typedef struct tsl_modified {
    double d1, d2, x1;
    double param[5];
} tsl_modified;

void tsl_modified_rotation(tsl_modified *m, double y1);

#endif
