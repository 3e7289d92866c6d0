/* Aggressive early deflation on the host (the leaf laqr3), and the Schur form that it is made of: residual and orthogonality of
 * the transformation, the form of what is deflated, its eigenvalues, shifts; matrices that are hard to iterate; numbers at the
 * ends of the range, NaN and Inf; the same bits twice. */
#include "core/leaf.h"
#include "core/values.h"
#include "eig.h"
#include "kernel/host/schur/schur.h"
#include "kernel/host/leaf.h"

typedef enum kind { OF_RANDOM, OF_TRIANGLE, OF_APART, OF_SPLIT, OF_MULTIPLE, OF_JORDAN, OF_ROTATION, OF_COMPANION, OF_GRADED, OF_SMALL, OF_LARGE, OF_ZERO, OF_KINDS } kind;
static const char *const kind_name[] = {"random", "triangle", "nothing before it", "zeros beside the diagonal", "multiple eigenvalues", "Jordan block", "rotation", "companion", "graded",
                                        "small", "large", "zero"};

/* Element (i,j), i <= j + 1, of a Hessenberg matrix of order n; the window begins in row 1 */
static tsl_scalar element(tsl_type t, kind k, int64_t n, int64_t i, int64_t j, tsl_scalar v)
{
    bool below = i == j + 1;
    switch (k) {
    case OF_TRIANGLE: return below && j > 0 ? 0 : v;
    case OF_SPLIT: return below && i % 3 == 0 ? 0 : v;
    case OF_MULTIPLE: return i == j ? 2 : below ? (i % 4 ? 0 : 1e-3) : v / (double)n;
    case OF_JORDAN: return i == j || j == i + 1 ? 1 : below ? 1e-2 * tsl_type_eps(t) : 0;
    case OF_ROTATION: return below || (i == 1 && j == n - 1) ? 1 : 0;
    case OF_COMPANION: return below ? 1 : i == 1 ? v : 0;
    case OF_GRADED: return v * exp2(-20 * (double)(i + j) / (double)n);
    case OF_SMALL: return v * (qr_single(t) ? 0x1p-60 : 0x1p-800);
    case OF_LARGE: return v * (qr_single(t) ? 0x1p110 : 0x1p990);
    case OF_ZERO: return 0;
    default: return v;
    }
}
static double scale_of(tsl_type t, kind k) { return k == OF_SMALL ? (qr_single(t) ? 0x1p60 : 0x1p800) : k == OF_LARGE ? (qr_single(t) ? 0x1p-110 : 0x1p-990) : 1; }

/* Is there nothing before the window? Then all of it is deflated. */
static bool cut_off(int64_t n, kind k) { return k == OF_APART || k == OF_ZERO || (k >= OF_SPLIT && n % 2); }

static dense hessenberg(tsl_type t, int64_t n, kind k)
{
    dense A = dense_make(t, n, n, CANARY_FINITE);
    dense_random(&A, (uint64_t)(7 * n + k));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&A, i, j, i > j + 1 || (i == 1 && j == 0 && cut_off(n, k)) ? 0 : element(t, k, n, i, j, dense_get(&A, i, j)));
    return A;
}

typedef struct outcome {
    dense A, B, re, im, shifts;
    int64_t found[2];
} outcome;

/* What the leaf makes of a copy of A, with NaN where reflectors might be */
static outcome deflate(const dense *A)
{
    int64_t n = A->n, pairs = n / 3 + 1;
    outcome o = {.A = dense_copy(A), .B = dense_make(A->t, n, n, CANARY_NAN), .re = dense_make(A->t, n, 1, CANARY_FINITE), .im = dense_make(A->t, n, 1, CANARY_FINITE),
                 .shifts = dense_make(A->t, 4, pairs, CANARY_FINITE), .found = {-1, -1}};
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 2; i < n; i++) dense_put(&o.A, i, j, NAN);
    dense_fill(&o.re, 0), dense_fill(&o.im, 0);
    dense *all[] = {&o.A, &o.B, &o.re, &o.im, &o.shifts};
    tsl_leaf l = {.op = TSL_OP_LAQR3, .type = A->t, .n = n};
    for (int i = 0; i < 5; i++) l.v[i] = (tsl_array){.p = dense_at(all[i], 0, 0), .m = all[i]->m, .n = all[i]->n, .ld = all[i]->ld};
    l.F.p = o.found;
    size_t bytes = tsl_host_laqr3_entry.workspace(&l);
    l.work = context_poisoned(NULL, 0, bytes);
    if (!l.work || tsl_host_laqr3_entry.fn[A->t](NULL, &l)) abort();
    free(l.work);
    return o;
}
static void outcome_free(outcome *o) { dense_free(&o->A), dense_free(&o->B), dense_free(&o->re), dense_free(&o->im), dense_free(&o->shifts); }

/* |A B - B C| / (|A| n eps) */
static double residual(const dense *A, const dense *B, const dense *C, double by)
{
    int64_t n = A->n;
    tsl_scalar *a = eig_numbers(A, n, by), *b = eig_numbers(B, n, 1), *c = eig_numbers(C, n, by), *left = eig_product(a, b, n, n), *right = eig_product(b, c, n, n);
    for (int64_t i = 0; i < n * n; i++) left[i] -= right[i];
    double off = qr_norm(left, n, n), size = qr_norm(a, n, n);
    free(a), free(b), free(c), free(left), free(right);
    return off == 0 ? 0 : off / size / ((double)n * tsl_type_eps(A->t));
}

/* Hessenberg, and its last rows and columns a Schur form, cut off, with these eigenvalues */
static bool is_deflated(const outcome *o)
{
    int64_t n = o->A.n, from = n - o->found[0];
    bool good = o->found[0] >= 0 && o->found[0] < n, real = !tsl_is_complex(o->A.t);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 2; i < n; i++) good &= dense_get(&o->A, i, j) == 0;
    if (from < n) good &= dense_get(&o->A, from, from - 1) == 0;
    for (int64_t i = from; i < n && good; i++) {
        tsl_scalar a = dense_get(&o->A, i, i), c = i + 1 < n ? dense_get(&o->A, i + 1, i) : 0, w = dense_get(&o->re, i, 0), wi = dense_get(&o->im, i, 0);
        if (c == 0) good &= w == a && (!real || wi == 0);
        else {
            double b = creal(dense_get(&o->A, i, i + 1)), size = sqrt(fabs(b)) * sqrt(fabs(creal(c)));
            good &= real && dense_get(&o->A, i + 1, i + 1) == a && b * (creal(c) > 0 ? 1 : -1) < 0 && w == a && dense_get(&o->re, i + 1, 0) == a && (i + 2 == n || dense_get(&o->A, i + 2, i + 1) == 0);
            good &= fabs(creal(wi) - size) <= 4 * tsl_type_eps(o->A.t) * size && dense_get(&o->im, i + 1, 0) == -wi;
            i++;
        }
    }
    return good;
}

/* Pairs of eigenvalues of the window that are not deflated; as many as there may be, but for one that has no other */
static bool are_shifts(const outcome *o)
{
    int64_t kept = o->A.n - 1 - o->found[0], pairs = o->found[1];
    bool good = pairs == tsl_min(kept / 2, o->shifts.n), real = !tsl_is_complex(o->A.t);
    for (int64_t p = 0; p < pairs && good; p++) {
        tsl_scalar v[4];
        for (int i = 0; i < 4; i++) v[i] = dense_get(&o->shifts, i, p);
        good &= real ? v[1] == -v[3] && (v[1] == 0 || v[0] == v[2]) : v[1] == 0 && v[3] == 0;
        for (int k = 0; k < 4; k += 2) {
            bool there = false;
            for (int64_t i = 1; i <= kept; i++) there |= dense_get(&o->re, i, 0) == v[k] && (!real || dense_get(&o->im, i, 0) == v[k + 1]);
            good &= there;
        }
    }
    return good;
}

/* |sum of eigenvalues - trace| of the window */
static double off_sum(const dense *A, const outcome *o, double by)
{
    tsl_scalar sum = 0;
    double size = 0;
    for (int64_t i = 0; i < A->n; i++)
        for (int64_t j = 0; j < A->n; j++) size = tsl_larger(size, cabs(by * dense_get(A, i, j)));
    for (int64_t i = 1; i < A->n; i++) sum += by * (dense_get(&o->re, i, 0) - dense_get(A, i, i));
    return sum == 0 ? 0 : cabs(sum) / (size * (double)A->n * (double)A->n * tsl_type_eps(A->t));
}

static int64_t one(tsl_type t, int64_t n, kind k)
{
    dense A = hessenberg(t, n, k);
    double by = scale_of(t, k);
    outcome o = deflate(&A), again = deflate(&A);
    double off = residual(&A, &o.B, &o.A, by), apart = eig_apart(&o.B, n), sum = off_sum(&A, &o, by);
    int64_t gone = o.found[0];
    bool some = k == OF_RANDOM || k == OF_ROTATION || k == OF_COMPANION || k == OF_LARGE; /* of these not all */
    check(off < BOUND && apart < BOUND && sum < BOUND, "%c, %d, %s: residual %g, B %g, sum %g", tsl_type_letter(t), (int)n, kind_name[k], off, apart, sum);
    check(is_deflated(&o) && are_shifts(&o), "%c, %d, %s: %d deflated, %d, pairs %d, %d", tsl_type_letter(t), (int)n, kind_name[k], (int)gone, is_deflated(&o), (int)o.found[1], are_shifts(&o));
    if (cut_off(n, k) || some) check((gone == n - 1) == (n < 2 || cut_off(n, k)), "%c, %d, %s: %d deflated", tsl_type_letter(t), (int)n, kind_name[k], (int)gone);
    check(dense_same(&o.A, &again.A) && dense_same(&o.B, &again.B) && dense_same(&o.re, &again.re) && dense_same(&o.im, &again.im) && dense_same(&o.shifts, &again.shifts), "%c, %d, %s: other bits",
          tsl_type_letter(t), (int)n, kind_name[k]);
    outcome_free(&o), outcome_free(&again), dense_free(&A);
    return gone;
}

/* Of random Hessenberg matrices windows deflate nearly half of single, and a quarter to a third of double precision: as
 * LAPACK's laqr3 does. With some room for other roundings */
static void deflates(tsl_type t)
{
    int64_t gone = one(t, 65, OF_RANDOM) + one(t, 97, OF_RANDOM);
    check(gone >= (qr_single(t) ? 56 : 32), "%c: %d deflated", tsl_type_letter(t), (int)gone);
}

/* What is not a number, and numbers that vanish: no hang; NaN deflates nothing */
static void odd_ones(tsl_type t)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 15; k++) {
        int64_t n = k % 5 == 4 ? 2 : 41, i = k % 5 == 0 ? 20 : k % 5 == 1 ? n - 1 : 1, j = k % 5 == 2 ? 0 : n - 1;
        dense A = hessenberg(t, n, OF_RANDOM);
        dense_put(&A, i, j, odd[k / 5]);
        outcome o = deflate(&A);
        check(!(isnan(odd[k / 5]) && o.found[0]) && o.found[1] <= n / 2, "%c: %g: %d deflated", tsl_type_letter(t), odd[k / 5], (int)o.found[0]);
        bool spoiled = false;
        for (int64_t c = 0; c < n; c++)
            for (int64_t r = 0; r <= tsl_min(c + 1, n - 1); r++) spoiled |= !scalar_finite(dense_get(&o.A, r, c));
        check(spoiled, "%c: %g: finite", tsl_type_letter(t), odd[k / 5]);
        outcome_free(&o), dense_free(&A);
    }
    for (int k = 0; k < 2; k++) {
        dense A = hessenberg(t, 50, OF_RANDOM);
        for (int64_t j = 0; j < 50; j++)
            for (int64_t i = 0; i < 50; i++) dense_put(&A, i, j, dense_get(&A, i, j) * (k ? (qr_single(t) ? 0x1p126 : 0x1p1022) : (qr_single(t) ? 0x1p-126 : 0x1p-1022)));
        outcome o = deflate(&A);
        check(o.found[0] >= 0 && o.found[0] < 50, "%c: at the end of the range: %d deflated", tsl_type_letter(t), (int)o.found[0]);
        check(eig_apart(&o.B, 50) < BOUND, "%c: at the end of the range: B %g", tsl_type_letter(t), eig_apart(&o.B, 50));
        outcome_free(&o), dense_free(&A);
    }
}

#ifdef __x86_64__
#define WIDE(P) tsl_wide_##P##schur
static bool has_wide(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
#define WIDE(P) tsl_host_##P##schur
static bool has_wide(void) { return false; }
#endif

/* The Schur form by vectors of each width: H Z - Z T */
static void schur(tsl_type t, int64_t n, bool wide)
{
    int64_t ld = n + TSL_SCHUR_ROOM, room = ld * ld, parts = tsl_is_complex(t) ? 2 : 1;
    size_t real = qr_single(t) ? sizeof(float) : sizeof(double);
    void *H = calloc((size_t)(room * parts), real), *V = calloc((size_t)(room * parts), real);
    dense A = hessenberg(t, n, OF_RANDOM), B = dense_make(t, n, n, CANARY_FINITE), C = dense_make(t, n, n, CANARY_FINITE);
    if (!H || !V) abort();
#define AT(X, i) (qr_single(t) ? (double)((float *)(X))[i] : ((double *)(X))[i])
#define PUT(X, i, x) (void)(qr_single(t) ? (((float *)(X))[i] = (float)(x)) : (((double *)(X))[i] = (x)))
    for (int64_t j = 0; j < n; j++) {
        PUT(V, j * (ld + 1), 1);
        for (int64_t i = 0; i < n; i++) {
            PUT(H, i + j * ld, creal(dense_get(&A, i, j)));
            if (parts == 2) PUT(H, i + j * ld + room, cimag(dense_get(&A, i, j)));
        }
    }
    int64_t left = t == TSL_S ? (wide ? WIDE(s) : tsl_host_sschur)(H, V, room, ld, n) : t == TSL_D ? (wide ? WIDE(d) : tsl_host_dschur)(H, V, room, ld, n)
                   : t == TSL_C ? (wide ? WIDE(c) : tsl_host_cschur)(H, V, room, ld, n) : (wide ? WIDE(z) : tsl_host_zschur)(H, V, room, ld, n);
    bool form = true;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar h = CMPLX(AT(H, i + j * ld), parts == 2 ? AT(H, i + j * ld + room) : 0);
            dense_put(&B, i, j, CMPLX(AT(V, i + j * ld), parts == 2 ? AT(V, i + j * ld + room) : 0)), dense_put(&C, i, j, h);
            form &= h == 0 || i <= j || (parts == 1 && i == j + 1 && (j == 0 || AT(H, j + (j - 1) * ld) == 0));
        }
    double off = residual(&A, &B, &C, 1), apart = eig_apart(&B, n);
    check(!left && form && off < BOUND && apart < BOUND, "%c, %d, wide %d: %d left, form %d, residual %g, Z %g", tsl_type_letter(t), (int)n, wide, (int)left, form, off, apart);
    free(H), free(V), dense_free(&A), dense_free(&B), dense_free(&C);
}

int main(void)
{
    static const int64_t orders[] = {1, 2, 3, 4, 6, 34, 65};
    tsl_context *x = context_on("host"); /* which opens the host library */
    if (!x) return tap_done();
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        for (int k = 0; k < OF_KINDS; k++)
            for (int s = 0; s < 7; s++) (void)one(t, orders[s], (kind)k);
        checked("%c: matrices that are hard", tsl_type_letter(t));
        (void)one(t, 128, OF_RANDOM);
        deflates(t);
        checked("%c: windows of order 64 to 127", tsl_type_letter(t));
        odd_ones(t);
        checked("%c: ends of the range, NaN and Inf", tsl_type_letter(t));
        for (int64_t n = 1; n < 70; n += n < 20 ? 1 : 24)
            for (int wide = 0; wide <= has_wide(); wide++) schur(t, n, wide);
        checked("%c: Schur form", tsl_type_letter(t));
    }
    tsl_context_destroy(x);
    return tap_done();
}
