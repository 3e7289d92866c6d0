/* The numbers of plane rotations and of modified ones, in double precision for float too (rotation.c). */
#ifndef TSL_CORE_ROTATION_H
#define TSL_CORE_ROTATION_H

#include "tesela.h"

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
