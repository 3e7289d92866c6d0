/* The door of the typed calls: letters become flags, arguments are checked in LAPACK's order. Used by typed*.inc. */
#ifndef TSL_TYPED_H
#define TSL_TYPED_H

#include "exec/exec.h"

/* One typed call on its way in. The first bad argument decides st; later checks do nothing. */
typedef struct tsl_door {
    tsl_context *x;
    char name[16];
    tsl_status st;
    int argument; /* the bad one, counted from 1 after the context */
} tsl_door;

tsl_door tsl_door_open(tsl_context *x, tsl_type t, const char *routine);
tsl_door tsl_door_named(tsl_context *x, const char *name); /* a routine whose type is not one letter before its name */
tsl_status tsl_door_close(tsl_door *d, tsl_status st);

tsl_op tsl_arg_op(tsl_door *d, int i, char c, const char *letters, bool is_complex);
tsl_uplo tsl_arg_uplo(tsl_door *d, int i, char c);
tsl_side tsl_arg_side(tsl_door *d, int i, char c);
tsl_diag tsl_arg_diag(tsl_door *d, int i, char c);
tsl_norm_kind tsl_arg_norm(tsl_door *d, int i, char c);
void tsl_arg_size(tsl_door *d, int i, const char *what, int64_t value);
void tsl_arg_ld(tsl_door *d, int i, const char *what, int64_t ld, int64_t rows);
/* An m x n array that will be used: not null, its extent in bytes addressable. */
void tsl_arg_array(tsl_door *d, int i, const char *what, tsl_type t, const void *p, int64_t m, int64_t n, int64_t ld);
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
