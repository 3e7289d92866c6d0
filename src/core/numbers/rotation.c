/* The numbers of a plane rotation (rotg) and of a modified one (rotmg). Nothing is squared before it has been scaled, by a
 * power of two and so exactly, to a size near one: nothing overflows that the result itself does not. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>

#include "core/numbers/rotation.h"

/* e with 2^e <= a < 2^(e+1); 0 where there is none, so that NaN and Inf go on as they are */
static int exponent(double a) { return a > 0 && isfinite(a) ? ilogb(a) : 0; }

/* [c s; -s c] [a; b] = [r; 0], r with the sign of the larger of a and b */
tsl_rotation tsl_rotation_real(double a, double b)
{
    if (b == 0) return (tsl_rotation){1, 0, a};
    if (a == 0) return (tsl_rotation){0, 1, b};
    int e = exponent(fmax(fabs(a), fabs(b)));
    double f = scalbn(a, -e), g = scalbn(b, -e), h = copysign(sqrt(f * f + g * g), fabs(a) > fabs(b) ? a : b);
    return (tsl_rotation){f / h, g / h, scalbn(h, e)};
}

static double larger_part(tsl_scalar a) { return fmax(fabs(creal(a)), fabs(cimag(a))); }
static tsl_scalar scaled(tsl_scalar a, int e) { return CMPLX(scalbn(creal(a), e), scalbn(cimag(a), e)); }
static double size(tsl_scalar a) { return sqrt(creal(a) * creal(a) + cimag(a) * cimag(a)); }

/* [c s; -conj(s) c] [a; b] = [r; 0], r in the direction of a, positive if there is none. With u = a/|a| and h^2 = |a|^2 +
 * |b|^2: c = |a|/h, s = u conj(b)/h, r = u h. */
tsl_rotation tsl_rotation_complex(tsl_scalar a, tsl_scalar b)
{
    if (b == 0) return (tsl_rotation){1, 0, a};
    int ea = exponent(larger_part(a)), eb = exponent(larger_part(b)), e = a == 0 || eb > ea ? eb : ea;
    tsl_scalar f = scaled(a, -ea), g = scaled(b, -eb), u = a == 0 ? 1 : f / size(f);
    double p = scalbn(size(f), ea - e), q = scalbn(size(g), eb - e), h = sqrt(p * p + q * q);
    return (tsl_rotation){p / h, scaled(u * conj(g), eb - e) / h, scaled(u * h, e)};
}

/* The entries of H that the form of param[0] = 0 or 1 takes for granted, before its others are scaled */
static void write_out(double *param)
{
    if (param[0] == 0) param[1] = param[4] = 1;
    if (param[0] == 1) param[2] = -1, param[3] = 1;
    param[0] = -1;
}

enum { GAMMA = 4096 };

/* Brings |*d| between GAMMA^-2 and GAMMA^2 by steps of GAMMA^2; returns the power of GAMMA that goes into a row of H. */
static int steps(double *d)
{
    const double square = (double)GAMMA * GAMMA;
    int k = 0;
    for (; *d != 0 && fabs(*d) <= 1 / square; --k) *d *= square;
    for (; isfinite(*d) && fabs(*d) >= square; ++k) *d /= square;
    return k;
}

/* H with H [x1; y1] = [x1'; 0], for vectors scaled by sqrt(d1) and sqrt(d2), as in the reference BLAS. A negative d1, or one
 * that would become so, has no such H: all is zero then. */
void tsl_modified_rotation(tsl_modified *m, double y1)
{
    double p1 = m->d1 * m->x1, p2 = m->d2 * y1, q1 = p1 * m->x1, q2 = p2 * y1, *h = m->param;
    if (!(m->d1 < 0) && p2 == 0) {
        h[0] = -2;
        return;
    }
    bool first = fabs(q1) > fabs(q2);
    double u = 0;
    if (!(m->d1 < 0)) u = first ? 1 - p2 / p1 * (-y1 / m->x1) : q2 < 0 ? 0 : 1 + p1 / p2 * (m->x1 / y1);
    if (u <= 0) {
        *m = (tsl_modified){.param = {-1}};
        return;
    }
    double d1 = first ? m->d1 : m->d2, d2 = first ? m->d2 : m->d1;
    h[0] = !first;
    if (first) h[2] = -y1 / m->x1, h[3] = p2 / p1;
    else h[1] = p1 / p2, h[4] = m->x1 / y1;
    m->d1 = d1 / u;
    m->d2 = d2 / u;
    m->x1 = (first ? m->x1 : y1) * u;
    int k1 = steps(&m->d1), k2 = steps(&m->d2);
    if (k1 == 0 && k2 == 0) return;
    write_out(h);
    m->x1 = scalbn(m->x1, 12 * k1);
    h[1] = scalbn(h[1], 12 * k1), h[3] = scalbn(h[3], 12 * k1);
    h[2] = scalbn(h[2], 12 * k2), h[4] = scalbn(h[4], 12 * k2);
}
