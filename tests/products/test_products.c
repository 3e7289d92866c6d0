/* Products by residues against exact ones, in sums of two numbers: every type and op, elements of all sizes, cancellation,
 * lines that differ much; zeros, NaN and Inf; alpha and beta; and that an element's bits are those of its row and its column
 * alone, whatever it is computed with, and on a GPU as on the host. */
#include <float.h>

#include "context.h"
#include "dense.h"
#include "typed.h"

enum { M = 37, N = 22, K = 331 };

typedef enum numbers {
    UNIFORM, POSITIVE, SPREAD, WIDE, GRADED, CANCELLING, TINY, HUGE_ONES, INTEGERS, SPARSE, RANGE, ACROSS, HILBERT, KAHAN,
    POWERS, KINDS
} numbers;
static const char *const kind_name[] = {"uniform", "positive", "spread",   "wide",   "graded", "cancelling", "tiny",  "huge",
                                        "integers", "sparse",  "all exponents", "graded across", "Hilbert", "Kahan",
                                        "Toeplitz of powers"};

static double unit(tsl_type t) { return t == TSL_D || t == TSL_Z ? 0x1p-53 : 0x1p-24; }
static int parts(tsl_type t) { return t == TSL_C || t == TSL_Z ? 2 : 1; }

/* One element, line i of the factor, term h. Across: rows of A grow by as much as columns of B shrink. */
static double number(numbers kind, tsl_type t, bool left, int64_t i, int64_t h, uint64_t *seed)
{
    double u = dense_uniform(seed), v = dense_uniform(seed);
    bool twice = t == TSL_D || t == TSL_Z;
    switch (kind) {
    case POSITIVE: return 1 + fabs(u);
    case SPREAD: return u * exp(4 * v);
    case WIDE: return u * exp((twice ? 200 : 25) * v);
    case GRADED: return ldexp(u, (int)(i % 20 - 10) * (twice ? 25 : 4));
    case CANCELLING: return 1. / (double)(i + h + 1) * (h % 2 ? -1 : 1);
    case TINY: return ldexp(u, twice ? -530 - (int)(i % 30) : -70);
    case HUGE_ONES: return ldexp(u, twice ? 500 : 55);
    case INTEGERS: return rint(1000 * u);
    case SPARSE: return h % 7 == i % 7 ? u : 0;
    case RANGE: return ldexp(u, (int)(twice ? 785 * v - 285 : 104 * v - 44));
    case ACROSS: return ldexp(u, (int)((left ? 1 : -1) * (twice ? 450 : 50) * (2 * h - K) / K));
    case HILBERT: return 1. / (double)(i + h + 1);
    case KAHAN: return h < i ? 0 : (h == i ? 1 : -0.3) * pow(0.95, (double)i);
    case POWERS: return h < i ? pow(0.9, (double)(i - h)) : pow(-0.6, (double)(h - i));
    default: return u;
    }
}

/* Lines are rows (across), or columns. */
static dense factor(tsl_type t, numbers kind, int64_t lines, int64_t k, bool across, bool left)
{
    uint64_t seed = left ? 1 : 2;
    dense d = across ? dense_make(t, lines, k, CANARY_NAN) : dense_make(t, k, lines, CANARY_NAN);
    for (int64_t i = 0; i < lines; i++)
        for (int64_t h = 0; h < k; h++) {
            double re = number(kind, t, left, i, h, &seed), im = number(kind, t, left, i, h, &seed);
            dense_put(&d, across ? i : h, across ? h : i, CMPLX(re, im));
        }
    return d;
}

static tsl_scalar line(const dense *d, bool across, char op, int64_t i, int64_t h)
{
    tsl_scalar v = across ? dense_get(d, i, h) : dense_get(d, h, i);
    return op == 'C' ? conj(v) : v;
}

/* A sum of products, as two numbers */
typedef struct exact { double high, low; } exact;

static void add(exact *s, double a, double b)
{
    double p = a * b, e = fma(a, b, -p), sum = s->high + p, back = sum - s->high;
    s->low += e + ((s->high - (sum - back)) + (p - back));
    s->high = sum;
}

typedef struct product {
    tsl_type t;
    char opA, opB;
    int64_t m, n, k;
    dense A, B;
} product;

static bool across_a(const product *p) { return p->opA == 'N'; }
static bool across_b(const product *p) { return p->opB != 'N'; }

static product make(tsl_type t, numbers kind, char opA, char opB, int64_t m, int64_t n, int64_t k)
{
    product p = {t, opA, opB, m, n, k, {0}, {0}};
    p.A = factor(t, kind, m, k, across_a(&p), true);
    p.B = factor(t, kind, n, k, across_b(&p), false);
    return p;
}

static void drop(product *p) { dense_free(&p->A), dense_free(&p->B); }

static tsl_status multiply(tsl_context *x, const product *p, int64_t i, int64_t j, int64_t m, int64_t n, tsl_scalar alpha,
                           tsl_scalar beta, dense *C)
{
    const void *a = across_a(p) ? dense_at(&p->A, i, 0) : dense_at(&p->A, 0, i);
    const void *b = across_b(p) ? dense_at(&p->B, j, 0) : dense_at(&p->B, 0, j);
    return typed_for(p->t)->gemm(x, p->opA, p->opB, m, n, p->k, alpha, a, p->A.ld, b, p->B.ld, beta, C->data, C->ld);
}

static tsl_scalar line_a(const product *p, int64_t i, int64_t h) { return line(&p->A, across_a(p), p->opA, i, h); }
static tsl_scalar line_b(const product *p, int64_t j, int64_t h) { return line(&p->B, across_b(p), p->opB, j, h); }
static double magnitude(const product *p, tsl_scalar v) { return parts(p->t) == 2 ? cabs(v) : fabs(creal(v)); }

/* Of one element of A B: its real and imaginary part, and the sum of magnitudes */
static void element(const product *p, int64_t i, int64_t j, tsl_scalar *value, double *magnitudes)
{
    exact re = {0, 0}, im = {0, 0};
    double sum = 0;
    for (int64_t h = 0; h < p->k; h++) {
        tsl_scalar a = line_a(p, i, h), b = line_b(p, j, h);
        add(&re, creal(a), creal(b));
        if (parts(p->t) == 2) add(&re, -cimag(a), cimag(b)), add(&im, creal(a), cimag(b)), add(&im, cimag(a), creal(b));
        sum += magnitude(p, a) * magnitude(p, b);
    }
    *value = CMPLX(re.high + re.low, im.high + im.low);
    *magnitudes = sum;
}

/* The product of a row's norm and a column's */
static double norms_of(const product *p, int64_t i, int64_t j)
{
    double a2 = 0, b2 = 0;
    for (int64_t h = 0; h < p->k; h++) {
        a2 = hypot(a2, magnitude(p, line_a(p, i, h)));
        b2 = hypot(b2, magnitude(p, line_b(p, j, h)));
    }
    return a2 * b2;
}

/* alpha A B + beta C, beside eps |A| |B|, or beside eps times norms; what underflows is lost, in `exact` too */
static double error_of(const product *p, const dense *before, const dense *C, tsl_scalar alpha, tsl_scalar beta, bool by_norms)
{
    double most = 0, least = (double)p->k * (p->t == TSL_D || p->t == TSL_Z ? DBL_TRUE_MIN : FLT_TRUE_MIN);
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->m; i++) {
            tsl_scalar v, old = dense_get(before, i, j);
            double magnitudes;
            element(p, i, j, &v, &magnitudes);
            v *= alpha;
            double beside = cabs(alpha) * (by_norms ? norms_of(p, i, j) : magnitudes);
            if (beta != 0) v += beta * old, beside += cabs(beta * old);
            most = worse(most, cabs(dense_get(C, i, j) - v) / (unit(p->t) * beside + least));
        }
    return most;
}

static void set(tsl_context *x, const char *how) { check(!tsl_set(x, "products", how), "%s", tsl_error(x)); }

static void accuracy(tsl_context *x, const product *p, numbers kind, tsl_scalar alpha, tsl_scalar beta)
{
    static const char *const how[] = {"emulated", "emulated-fast"};
    for (int fast = 0; fast < 2; fast++) {
        dense C = dense_make(p->t, p->m, p->n, CANARY_FINITE);
        dense_random(&C, 3);
        dense before = dense_copy(&C);
        set(x, how[fast]);
        check(!multiply(x, p, 0, 0, p->m, p->n, alpha, beta, &C), "%s", tsl_error(x));
        double error = error_of(p, &before, &C, alpha, beta, fast), most = 3 + sqrt((double)p->k) / (fast ? 1 : 2);
        check(error <= most, "%c%c%c %s, %s: %g of %g", "sdcz"[p->t], p->opA, p->opB, kind_name[kind], how[fast], error, most);
        check(!dense_strays(&C, &before, TSL_GENERAL), "%s wrote outside C", how[fast]);
        dense_free(&C), dense_free(&before);
    }
}

static void all_numbers(tsl_context *x, tsl_type t)
{
    for (int kind = 0; kind < KINDS; kind++) {
        product p = make(t, (numbers)kind, 'N', 'N', M, N, K);
        accuracy(x, &p, (numbers)kind, 1, 0);
        drop(&p);
    }
    checked("%c: accuracy of numbers of every kind", "sdcz"[t]);
}

static void all_ops(tsl_context *x, tsl_type t)
{
    for (const char *a = "NTC"; *a; a++)
        for (const char *b = "NTC"; *b; b++) {
            tsl_scalar alpha = parts(t) == 2 ? CMPLX(0.5, -2) : -2;
            tsl_scalar beta = *a == *b ? 0 : parts(t) == 2 ? CMPLX(-1, 0.25) : 0.75;
            product p = make(t, UNIFORM, *a, *b, 19, 35, 33);
            accuracy(x, &p, UNIFORM, alpha, beta);
            drop(&p);
        }
    for (int64_t size = 1; size < 4; size++) {
        product p = make(t, UNIFORM, 'N', 'T', size, 4 - size, 1);
        accuracy(x, &p, UNIFORM, 1, 1);
        drop(&p);
    }
    checked("%c: every op, alpha and beta, little sizes", "sdcz"[t]);
}

/* Integers come out exactly. */
static void integers(tsl_context *x, tsl_type t)
{
    product p = make(t, INTEGERS, 'N', 'N', M, N, K);
    dense C = dense_make(t, M, N, CANARY_FINITE);
    dense rounded = dense_make(t, 1, 1, CANARY_FINITE);
    for (int fast = 0; fast < 2; fast++) {
        set(x, fast ? "emulated-fast" : "emulated");
        check(!multiply(x, &p, 0, 0, M, N, 1, 0, &C), "%s", tsl_error(x));
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < M; i++) {
                tsl_scalar v;
                double magnitudes;
                element(&p, i, j, &v, &magnitudes);
                dense_put(&rounded, 0, 0, v), v = dense_get(&rounded, 0, 0);
                tsl_scalar c = dense_get(&C, i, j);
                check(c == v, "(%d,%d) is %.17g, %.17g, not %.17g, %.17g", (int)i, (int)j, creal(c), cimag(c), creal(v),
                      cimag(v));
            }
    }
    checked("%c: products of integers are exact, and rounded", "sdcz"[t]);
    dense_free(&C), dense_free(&rounded), drop(&p);
}

/* A block of C computed alone has the bits it has in the whole; numbers vary so that some elements fail the look at them. */
static void bits(tsl_context *x, tsl_type t)
{
    for (int kind = UNIFORM; kind <= WIDE; kind++) {
        product p = make(t, (numbers)kind, 'T', 'N', M, N, K);
        dense C = dense_make(t, M, N, CANARY_FINITE), D = dense_make(t, 15, 9, CANARY_FINITE);
        set(x, "emulated");
        check(!multiply(x, &p, 0, 0, M, N, -1, 0, &C) && !multiply(x, &p, 21, 12, 15, 9, -1, 0, &D), "%s", tsl_error(x));
        for (int64_t j = 0; j < 9; j++)
            check(!memcmp(dense_at(&C, 21, 12 + j), dense_at(&D, 0, j), 15 * tsl_type_size(t)), "%s: column %d differs",
                  kind_name[kind], (int)j);
        dense_free(&C), dense_free(&D), drop(&p);
    }
    checked("%c: a block has the bits it has in the whole", "sdcz"[t]);
}

static bool alike(double a, double b) { return isnan(b) ? isnan(a) : a == b; }

/* NaN and Inf in a row of A and in a column of B: where they reach C is as in sums of products, and no farther. */
static void not_finite(tsl_context *x, tsl_type t)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int which = 0; which < 3; which++)
        for (int fast = 0; fast < 2; fast++) {
            product p = make(t, POSITIVE, 'N', 'N', M, N, K);
            dense C = dense_make(t, M, N, CANARY_FINITE), good = dense_make(t, M, N, CANARY_FINITE);
            set(x, fast ? "emulated-fast" : "emulated");
            check(!multiply(x, &p, 0, 0, M, N, 1, 0, &good), "%s", tsl_error(x));
            dense_put(&p.A, 7, 3, bad[which]), dense_put(&p.B, 100, 11, bad[which]);
            check(!multiply(x, &p, 0, 0, M, N, 1, 0, &C), "%s", tsl_error(x));
            for (int64_t j = 0; j < N; j++)
                for (int64_t i = 0; i < M; i++) {
                    tsl_scalar c = dense_get(&C, i, j), v = dense_get(&good, i, j);
                    bool reached = i == 7 || j == 11;
                    if (!reached) check(c == v, "(%d,%d) has changed", (int)i, (int)j);
                    else if (parts(t) == 1) check(alike(creal(c), bad[which]), "(%d,%d) is %g", (int)i, (int)j, creal(c));
                    else check(!isfinite(creal(c)) || !isfinite(cimag(c)), "(%d,%d) is finite", (int)i, (int)j);
                }
            dense_free(&C), dense_free(&good), drop(&p);
        }
    checked("%c: NaN and Inf stay in their row and column", "sdcz"[t]);
}

/* Zero lines, and no terms */
static void nothing(tsl_context *x, tsl_type t)
{
    product p = make(t, UNIFORM, 'N', 'N', M, N, K);
    dense C = dense_make(t, M, N, CANARY_FINITE);
    for (int64_t h = 0; h < K; h++) dense_put(&p.A, 5, h, 0);
    set(x, "emulated");
    check(!multiply(x, &p, 0, 0, M, N, 1, 0, &C), "%s", tsl_error(x));
    for (int64_t j = 0; j < N; j++) check(dense_get(&C, 5, j) == 0, "a row of zeros leads to %g", creal(dense_get(&C, 5, j)));
    dense_fill(&C, 3);
    p.k = 0;
    check(!multiply(x, &p, 0, 0, M, N, 1, 0.5, &C), "%s", tsl_error(x));
    check(dense_get(&C, M - 1, N - 1) == 1.5, "without terms C is scaled");
    checked("%c: zeros, and no terms", "sdcz"[t]);
    dense_free(&C), drop(&p);
}

/* Bits of the host's plain form and of a GPU's kernels */
static void on_gpu(tsl_context *gpu, tsl_context *host, tsl_type t)
{
    static const int64_t size[][3] = {{53, 38, K}, {300, 530, 128}, {270, 257, 1100}, {1, 200, 60}};
    for (int kind = 0; kind < KINDS; kind++)
        for (int s = 0; s < 4; s++)
            for (int fast = 0; fast < 2 && (s == 0 || (kind + s) % 3 == 0); fast++) { /* the host is slow */
                product p = make(t, (numbers)kind, "NTC"[kind % 3], "CNT"[s % 3], size[s][0], size[s][1], size[s][2]);
                dense C = dense_make(t, p.m, p.n, CANARY_FINITE);
                dense_random(&C, 3);
                dense D = dense_copy(&C);
                tsl_scalar alpha = parts(t) == 2 ? CMPLX(0.5, -2) : -2, beta = s % 2 ? 0.75 : 0;
                set(host, fast ? "emulated-fast" : "emulated"), set(gpu, fast ? "emulated-fast" : "emulated");
                check(!multiply(host, &p, 0, 0, p.m, p.n, alpha, beta, &C), "%s", tsl_error(host));
                check(!multiply(gpu, &p, 0, 0, p.m, p.n, alpha, beta, &D), "%s", tsl_error(gpu));
                check(dense_same(&C, &D), "%s, %d x %d x %d, %s: other bits than on the host", kind_name[kind], (int)p.m,
                      (int)p.n, (int)p.k, fast ? "fast" : "looked at");
                dense_free(&C), dense_free(&D), drop(&p);
            }
    checked("%c: bits on a GPU as on the host", "sdcz"[t]);
}

static void options(tsl_context *x)
{
    check(tsl_set(x, "products", "slow") == TSL_ERR_OPTION && strstr(tsl_error(x), "emulated-fast"), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++) set(x, ((const char *[]){"native", "emulated", "emulated-fast", "auto"})[i]);
    checked("names of ways to compute products");
}

int main(void)
{
    tsl_context *x, *host = context_on("host");
    tsl_device_info d;
    if (!host || tsl_context_create(NULL, &x)) return puts("Bail out! no context"), 1;
    options(x);
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        all_numbers(x, t), all_ops(x, t), integers(x, t), bits(x, t), not_finite(x, t), nothing(x, t);
        if (!tsl_device_query(x, 0, &d) && d.backend[0] == 'c') on_gpu(x, host, t);
    }
    tsl_context_destroy(x), tsl_context_destroy(host);
    return tap_done();
}
