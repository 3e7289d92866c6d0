/* The edge-case contract of level 1: numbers at the ends of the range, NaN and Inf, no elements, increments of zero, and the
 * numbers of plane rotations. */
#include <float.h>

#include "level1.h"

enum { MAX = 1000 };

static tsl_context *ctx;
static const char *where;

/* n elements of type t, side by side */
typedef struct row {
    dense d;
} row;

static row row_of(tsl_type t, int64_t n, tsl_scalar v)
{
    row r = {dense_make(t, n, 1, CANARY_NAN)};
    dense_fill(&r.d, v);
    return r;
}

static void put(row *r, int64_t i, double re, double im) { dense_put(&r->d, i, 0, CMPLX(re, im)); }
static tsl_scalar get(const row *r, int64_t i) { return dense_get(&r->d, i, 0); }

static tsl_scalar number(level1_kind k, tsl_type t, int64_t n, void *x, int64_t incx, void *y, int64_t incy)
{
    tsl_scalar value = 4711;
    level1 c = {.kind = k};
    check(l1_call(ctx, t, &c, n, x, incx, y, incy, &value) == TSL_OK, "%s: %s", l1_names[k], tsl_error(ctx));
    return value;
}

static double norm(const row *r, int64_t n, int64_t inc) { return creal(number(L1_NRM2, r->d.t, n, r->d.data, inc, NULL, 1)); }
static int64_t largest(const row *r, int64_t n, int64_t inc) { return (int64_t)creal(number(L1_IAMAX, r->d.t, n, r->d.data, inc, NULL, 1)); }

static int near(double got, long double want, tsl_type t, double ulps)
{
    return fabsl((long double)got - want) <= ulps * tsl_type_eps(t) * fabsl(want) + (t == TSL_D || t == TSL_Z ? 0x1p-1074L : 0x1p-149L);
}

/* Vectors of one size of number, and of several: the norm in long double, scaled by the largest */
static void norms(tsl_type t)
{
    static const double wide[] = {3e300, 3e-310, 1e-304, 5e-324, 1e154, 1e-154, 0x1p-511, 0x1p486, 0x1p487, 0x1p-512, 1},
                        narrow[] = {3e30, 1e-30, 3e-39, 1.4e-45, 1e19, 1e-19, 1e36, 1, 0x1p-149, 0x1p100, 0x1p-100};
    const double *v = t == TSL_D || t == TSL_Z ? wide : narrow;
    static const int64_t lengths[] = {1, 2, 7, 8, 9, 40, 257, MAX};
    int parts = tsl_is_complex(t) ? 2 : 1;
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 11; i++)
            for (int j = 0; j < 11; j++) {
                int64_t n = lengths[k];
                row r = row_of(t, n, CMPLX(v[i], -v[i]));
                put(&r, n / 2, v[j], v[j]);
                long double top = v[i] > v[j] ? v[i] : v[j], a = v[i] / top, b = v[j] / top;
                if (n == 1) a = 0;
                long double want = top * sqrtl(parts * ((n - 1) * a * a + b * b));
                check(near(norm(&r, n, 1), want, t, 8 + (double)n), "norm of %d of %g and one of %g", (int)n, v[i], v[j]);
                if (n % 2 == 1) check(near(norm(&r, n, -1), want, t, 8 + (double)n), "norm with increment -1");
                dense_free(&r.d);
            }
    row r = row_of(t, 40, 1);
    for (int i = 0; i < 40; i += 13) {
        put(&r, i, INFINITY, 0);
        check(isinf(norm(&r, 40, 1)), "norm with Inf");
        put(&r, (i + 20) % 40, -NAN, 1);
        check(isnan(norm(&r, 40, 1)), "norm with NaN and Inf");
        put(&r, i, 1e30, 0);
        check(isnan(norm(&r, 40, 1)), "norm with NaN");
        put(&r, i, 1, 0), put(&r, (i + 20) % 40, 1, 0);
    }
    double huge = t == TSL_D || t == TSL_Z ? DBL_MAX : FLT_MAX;
    put(&r, 3, huge, 0);
    check(norm(&r, 40, 1) == huge, "norm of the largest number");
    put(&r, 4, huge, 0);
    check(isinf(norm(&r, 40, 1)), "norm too large");
    dense_fill(&r.d, 0);
    check(norm(&r, 40, 1) == 0, "norm of zeros");
    dense_free(&r.d);
    checked("%s: %c nrm2 at the ends of the range", where, tsl_type_letter(t));
}

static void places(tsl_type t)
{
    double huge = t == TSL_D || t == TSL_Z ? DBL_MAX : FLT_MAX, least = t == TSL_D || t == TSL_Z ? 5e-324 : 1.4e-45;
    for (int64_t n = 5; n <= MAX; n = n * 3 + 1) {
        row r = row_of(t, n, 1);
        check(largest(&r, n, 1) == 1, "all equal");
        put(&r, n - 1, 2, 0), put(&r, n - 2, -2, 0);
        check(largest(&r, n, 1) == n - 1, "the first of two");
        put(&r, 3, -INFINITY, 0), put(&r, 4, INFINITY, 0);
        check(largest(&r, n, 1) == 4, "the first Inf");
        put(&r, n - 1, NAN, 0);
        check(largest(&r, n, 1) == n, "NaN before Inf");
        put(&r, 1, 0, 0), put(&r, 2, -NAN, 5);
        check(largest(&r, n, 1) == 3, "the first NaN");
        put(&r, 0, NAN, NAN);
        check(largest(&r, n, 1) == 1, "NaN in front");
        dense_fill(&r.d, 0);
        check(largest(&r, n, 1) == 1, "zeros");
        put(&r, 2, least, 0), put(&r, 3, 2 * least, 0);
        check(largest(&r, n, 1) == 4, "subnormal numbers");
        if (tsl_is_complex(t)) {
            put(&r, 1, huge * 0.75, huge * 0.5), put(&r, 3, huge * 0.75, huge * 0.75);
            check(largest(&r, n, 1) == 4, "the larger of sums that overflow");
            put(&r, 4, 1, -INFINITY);
            check(largest(&r, n, 1) == 5, "Inf before a sum that overflows");
        }
        check(largest(&r, n, 0) == 0 && largest(&r, n, -1) == 0 && largest(&r, 0, 1) == 0 && largest(&r, -3, 1) == 0, "none");
        dense_free(&r.d);
    }
    checked("%s: i%camax of NaN, Inf and sums that overflow", where, tsl_type_letter(t));
}

static void scalings(tsl_type t)
{
    level1 zero = {.kind = L1_SCAL}, mixed = {.kind = L1_SCAL_REAL};
    for (int64_t n = 1; n <= 40; n += 13) {
        row r = row_of(t, n, 3);
        put(&r, 0, INFINITY, 1), put(&r, n - 1, NAN, 1);
        check(l1_call(ctx, t, &zero, n, r.d.data, 1, NULL, 1, NULL) == TSL_OK, "scal");
        check(isnan(creal(get(&r, 0))) && isnan(creal(get(&r, n - 1))), "0 times Inf and NaN");
        for (int64_t i = 1; i < n - 1; i++) check(get(&r, i) == 0, "0 times 3");
        if (tsl_is_complex(t)) {
            check(isnan(cimag(get(&r, 0))), "0 times Inf + i is a complex product");
            put(&r, 0, INFINITY, 1);
            check(l1_call(ctx, t, &mixed, n, r.d.data, 1, NULL, 1, NULL) == TSL_OK, "real scal");
            check(isnan(creal(get(&r, 0))) && cimag(get(&r, 0)) == 0, "a real 0 times Inf + i keeps the parts apart");
            for (int turn = 0; turn < 2; turn++) { /* all four products, as the reference has them */
                level1 by = {.kind = L1_SCAL, .alpha = turn ? CMPLX(0, 1) : 2};
                put(&r, 0, INFINITY, 1);
                check(l1_call(ctx, t, &by, n, r.d.data, 1, NULL, 1, NULL) == TSL_OK, "scal");
                double re = creal(get(&r, 0)), im = cimag(get(&r, 0));
                check(turn ? isnan(re) && isinf(im) : isinf(re) && isnan(im), "%s (Inf + i) is %g, %g", turn ? "i" : "2", re, im);
            }
        }
        dense_free(&r.d);
    }
    checked("%s: %cscal by 0 keeps NaN", where, tsl_type_letter(t));
}

/* n <= 0: arrays are not looked at and numbers are zero; axpy by 0 leaves y as it is. */
static void nothing_to_do(tsl_type t)
{
    for (int k = 0; k < L1_KINDS; k++)
        for (int64_t n = 0; n >= -5; n -= 5) {
            tsl_scalar value = 4711;
            level1 c = {.kind = (level1_kind)k, .alpha = 2, .null_param = 1};
            if (!l1_has(c.kind, t)) continue;
            check(l1_call(ctx, t, &c, n, NULL, 0, NULL, 0, &value) == TSL_OK, "%s of %d", l1_names[k], (int)n);
            check(!l1_makes_number(c.kind) || value == 0, "%s of %d is zero", l1_names[k], (int)n);
        }
    row x = row_of(t, 5, NAN), y = row_of(t, 5, 2);
    level1 c = {.kind = L1_AXPY};
    check(l1_call(ctx, t, &c, 5, x.d.data, 1, y.d.data, 1, NULL) == TSL_OK && get(&y, 4) == 2, "axpy by 0");
    check(l1_call(ctx, t, &c, 5, NULL, 1, NULL, 1, NULL) == TSL_OK, "axpy by 0 of nothing");
    check(number(L1_ASUM, t, 5, x.d.data, 0, NULL, 1) == 0 && number(L1_ASUM, t, 5, x.d.data, -2, NULL, 1) == 0, "asum backwards");
    check(scalar_nan(number(L1_ASUM, t, 5, x.d.data, 1, NULL, 1)), "asum of NaN");
    check(scalar_nan(number(L1_DOT, t, 5, x.d.data, 1, y.d.data, 1)), "dot with NaN");
    dense_free(&x.d), dense_free(&y.d);
    checked("%s: %c calls with nothing to do", where, tsl_type_letter(t));
}

/* On the host an increment of zero is one element again and again. */
static void zero_increments(tsl_type t)
{
    row x = row_of(t, 5, 0), y = row_of(t, 5, 10);
    for (int i = 0; i < 5; i++) put(&x, i, i + 1, 0);
    level1 axpy = {.kind = L1_AXPY, .alpha = 2}, copy = {.kind = L1_COPY}, swap = {.kind = L1_SWAP};
    check(l1_call(ctx, t, &axpy, 5, x.d.data, 1, y.d.data, 0, NULL) == TSL_OK && get(&y, 0) == 40 && get(&y, 1) == 10, "axpy adds up");
    check(l1_call(ctx, t, &axpy, 5, x.d.data, 0, y.d.data, 1, NULL) == TSL_OK && get(&y, 0) == 42 && get(&y, 4) == 12, "axpy of one");
    check(number(L1_DOT, t, 5, x.d.data, 1, y.d.data, 0) == 15 * 42, "dot with one");
    check(creal(number(L1_NRM2, t, 4, y.d.data, 0, NULL, 1)) == 84, "nrm2 of one");
    check(l1_call(ctx, t, &copy, 5, x.d.data, 1, y.d.data, 0, NULL) == TSL_OK && get(&y, 0) == 5 && get(&y, 1) == 12, "copy: the last stays");
    check(l1_call(ctx, t, &swap, 2, x.d.data, 0, y.d.data, 1, NULL) == TSL_OK && get(&x, 0) == 12 && get(&y, 0) == 1 && get(&y, 1) == 5, "swap");
    dense_free(&x.d), dense_free(&y.d);
    checked("%s: %c increments of zero", where, tsl_type_letter(t));
}

/* Is [c s; -conj(s) c] a rotation that takes [a; b] to [r; 0]? */
static int rotates(tsl_scalar a, tsl_scalar b, double c, tsl_scalar s, tsl_scalar r, double eps)
{
    double top = fmax(fmax(fabs(creal(a)), fabs(cimag(a))), fmax(fabs(creal(b)), fabs(cimag(b))));
    int e = top > 0 ? ilogb(top) + 2 : 0; /* brings all to at most one */
    tsl_scalar f = CMPLX(scalbn(creal(a), -e), scalbn(cimag(a), -e)), g = CMPLX(scalbn(creal(b), -e), scalbn(cimag(b), -e));
    double length = sqrt(creal(f * conj(f) + g * conj(g))), tiny = eps < 1e-10 ? 0x1p-1060 : 0x1p-140;
    if (cabs(-conj(s) * f + c * g) > 16 * eps * length + tiny) return 0;
    if (fabs(c * c + creal(s * conj(s)) - 1) > 16 * eps) return 0;
    if (isinf(creal(r)) || isinf(cimag(r))) return ilogb(length) + e >= (eps < 1e-10 ? DBL_MAX_EXP : FLT_MAX_EXP) - 1;
    return cabs(CMPLX(scalbn(creal(r), -e), scalbn(cimag(r), -e)) - (c * f + s * g)) <= 16 * eps * length + scalbn(tiny, -e);
}

static void rotations(void)
{
    static const double v[] = {0, 1, -3, 0.25, 1e300, -1.5e308, 1e-300, 3e-310, -5e-324, 1e160, -1e-160, 1.7e308};
    static const float w[] = {0, 1, -3, 0.25f, 1e30f, -3e38f, 1e-30f, 3e-40f, -1.4e-45f, 1e20f, -1e-20f, 3.3e38f};
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            double a = v[i], b = v[j], c, s;
            float fa = w[i], fb = w[j], fc, fs;
            check(tsl_drotg(ctx, &a, &b, &c, &s) == TSL_OK && rotates(v[i], v[j], c, s, a, 0x1p-53), "drotg %g %g", v[i], v[j]);
            check(tsl_srotg(ctx, &fa, &fb, &fc, &fs) == TSL_OK && rotates(w[i], w[j], fc, fs, fa, 0x1p-24), "srotg %g %g", w[i], w[j]);
            check(fabs(v[i]) > fabs(v[j]) ? b == s && !signbit(c) : c == 0 || b == 1 / c || v[j] == 0, "drotg %g %g: z", v[i], v[j]);
            for (int k = 0; k < 12; k += 1 + (i + j) % 3) {
                tsl_cdouble z = CMPLX(v[i], v[k]), z0 = z, y = CMPLX(v[j], v[(i + k) % 12]), y0 = y, zs;
                tsl_cfloat q = CMPLXF(w[i], w[k]), q0 = q, p = CMPLXF(w[j], w[(i + k) % 12]), p0 = p, qs;
                check(tsl_zrotg(ctx, &z, &y, &c, &zs) == TSL_OK && rotates(z0, y0, c, zs, z, 0x1p-53) && y == y0, "zrotg %g %g, %g %g",
                      creal(z0), cimag(z0), creal(y0), cimag(y0));
                check(tsl_crotg(ctx, &q, &p, &fc, &qs) == TSL_OK && rotates(q0, p0, fc, qs, q, 0x1p-24) && p == p0, "crotg %g %g, %g %g",
                      creal(q0), cimag(q0), creal(p0), cimag(p0));
            }
        }
    double a = INFINITY, b = 1, c, s;
    check(tsl_drotg(ctx, &a, &b, &c, &s) == TSL_OK && isinf(a), "drotg of Inf");
    a = 1, b = NAN;
    check(tsl_drotg(ctx, &a, &b, &c, &s) == TSL_OK && isnan(a) && isnan(c), "drotg of NaN");
    checked("%s: rotg", where);
}

/* H^T diag(d1', d2') H = diag(d1, d2) and H [x1; y1] = [x1'; 0] */
static void modified(double d1, double d2, double x1, double y1)
{
    double p[5] = {7, 7, 7, 7, 7}, e1 = d1, e2 = d2, u = x1;
    check(tsl_drotmg(ctx, &e1, &e2, &u, y1, p) == TSL_OK, "drotmg");
    float q[5] = {7, 7, 7, 7, 7}, f1 = (float)d1, f2 = (float)d2, fu = (float)x1;
    check(tsl_srotmg(ctx, &f1, &f2, &fu, (float)y1, q) == TSL_OK && (double)q[0] == p[0], "srotmg %g %g %g %g: form", d1, d2, x1, y1);
    if (p[0] == -2) {
        check(d2 * y1 == 0 && p[1] == 7 && p[4] == 7 && e1 == d1, "nothing to turn");
        return;
    }
    double h11 = p[0] == 0 ? 1 : p[1], h22 = p[0] == 0 ? 1 : p[4], h21 = p[0] == 1 ? -1 : p[2], h12 = p[0] == 1 ? 1 : p[3];
    if (d1 < 0 || (h11 == 0 && h12 == 0 && e1 == 0)) {
        check(p[0] == -1 && e1 == 0 && e2 == 0 && u == 0 && h21 == 0 && h22 == 0, "no such rotation: zeros");
        return;
    }
    check(p[0] == -1 || (p[0] == 0 ? p[1] == 7 && p[4] == 7 : p[2] == 7 && p[3] == 7), "entries that are not called for");
    double room = 1e-14;
    check(fabs(h11 * e1 * h11 + h21 * e2 * h21 - d1) <= room * (h11 * h11 * fabs(e1) + h21 * h21 * fabs(e2)), "d1 of %g %g %g %g", d1, d2, x1, y1);
    check(fabs(h12 * e1 * h12 + h22 * e2 * h22 - d2) <= room * (h12 * h12 * fabs(e1) + h22 * h22 * fabs(e2)), "d2 of %g %g %g %g", d1, d2, x1, y1);
    check(fabs(h11 * e1 * h12 + h21 * e2 * h22) <= room * (fabs(h11 * e1 * h12) + fabs(h21 * e2 * h22)), "angle of %g %g %g %g", d1, d2, x1, y1);
    check(fabs(h11 * x1 + h12 * y1 - u) <= room * fabs(u), "x1 of %g %g %g %g", d1, d2, x1, y1);
    check(fabs(h21 * x1 + h22 * y1) <= room * (fabs(h21 * x1) + fabs(h22 * y1)), "y1 of %g %g %g %g", d1, d2, x1, y1);
    check((e1 == 0 || (e1 > 0x1p-24 && e1 < 0x1p24)) && (e2 == 0 || (fabs(e2) > 0x1p-24 && fabs(e2) < 0x1p24)), "scaled d1, d2");
}

static void modified_rotations(void)
{
    static const double d[] = {1, 0.5, 3e7, 1e-9, 1e20, 1e-20, 0, -1, -1e-12}, x[] = {1, -2, 0.125, 1e3, 0};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            for (int k = 0; k < 5; k++)
                for (int l = 0; l < 5; l++) modified(d[i], d[j], x[k], x[l]);
    double d1 = INFINITY, d2 = 1, x1 = 1, p[5] = {0};
    check(tsl_drotmg(ctx, &d1, &d2, &x1, 1, p) == TSL_OK, "Inf does not go on for ever");
    d1 = 1, d2 = INFINITY, x1 = 1;
    check(tsl_drotmg(ctx, &d1, &d2, &x1, 1, p) == TSL_OK, "Inf does not go on for ever");
    checked("%s: rotmg", where);
}

static void in_context(tsl_context *x, const char *spec)
{
    ctx = x;
    where = spec;
    for (int i = 0; i < 4; i++) {
        norms(l1_types[i]);
        places(l1_types[i]);
        scalings(l1_types[i]);
        nothing_to_do(l1_types[i]);
        if (!strcmp(spec, "host")) zero_increments(l1_types[i]);
    }
    rotations();
    modified_rotations();
}

int main(void)
{
    l1_each_context(in_context);
    return tap_done();
}
