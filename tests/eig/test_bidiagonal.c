/* Singular values and vectors of bidiagonal matrices: beside values by bisection in long double, by residuals, orthogonality,
 * and products with the vectors. Of bdsqr small values are looked at relative to themselves. What is not a number, and what is
 * refused. */
#include "eig.h"

typedef enum bd_kind {
    BD_RANDOM, BD_FALLING, BD_RISING, BD_ZERO_D, BD_ZERO_LAST, BD_ZERO_E, BD_ZEROS, BD_CLUSTER, BD_KAHAN, BD_ONES, BD_MIXED, BD_NEGATIVE, BD_TINY, BD_HUGE, BD_KINDS
} bd_kind;
static const char *const bd_name[BD_KINDS] = {"random", "falling", "rising", "zeros in d", "zero at the end of d", "zeros in e", "zeros", "cluster", "Kahan", "ones", "large and small",
                                              "negative", "tiny", "huge"};

/* Is every singular value determined by the elements to their own accuracy, and not zero? */
static bool is_relative(bd_kind k) { return k != BD_ZERO_D && k != BD_ZERO_LAST && k != BD_ZEROS && k != BD_TINY && k != BD_HUGE; }

static double drawn(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*state >> 11) / (double)(1ll << 52) - 1;
}

typedef struct problem {
    tsl_type t;
    int64_t n;
    tsl_uplo uplo;
    bd_kind kind;
    dense d, e;
    long double *s; /* by bisection, descending */
    char who[96];
} problem;

static void elements(problem *p)
{
    uint64_t state = (uint64_t)(p->n * 31 + p->kind + 1);
    double eps = tsl_type_eps(p->t), least = qr_single(p->t) ? 1e-36 : 1e-300, down = qr_single(p->t) ? 0.4 : 1e-4;
    for (int64_t i = 0; i < p->n; i++) {
        double d = drawn(&state), e = drawn(&state), at = (double)i;
        switch (p->kind) {
        case BD_FALLING: d = pow(down, at), e = pow(down, at) * e; break;
        case BD_RISING: d = pow(down, (double)p->n - 1 - at), e = pow(down, (double)p->n - 1 - at) * e; break;
        case BD_ZERO_D: d = i % 5 == 2 ? 0 : d; break;
        case BD_ZERO_LAST: d = i == p->n - 1 ? 0 : d; break;
        case BD_ZERO_E: e = i % 3 == 1 ? 0 : e; break;
        case BD_ZEROS: d = e = 0; break;
        case BD_CLUSTER: d = 1 + at * eps, e = eps * e; break;
        case BD_KAHAN: d = pow(0.8, at), e = -0.6 * pow(0.8, at); break;
        case BD_ONES: d = e = 1; break;
        case BD_MIXED: d = i % 2 ? 1 : down * down; e = 1 + e / 2; break;
        case BD_NEGATIVE: d = -1 - fabs(d), e = -fabs(e); break;
        case BD_TINY: d *= least, e *= least; break;
        case BD_HUGE: d /= least * 10, e /= least * 10; break;
        default: break;
        }
        dense_put(&p->d, i, 0, d);
        if (i + 1 < p->n) dense_put(&p->e, i, 0, e);
    }
}

/* Singular values below x: eigenvalues of the matrix of order 2n with zeros on the diagonal and d1 e1 d2 .. beside it are these
 * and their negatives. */
static int64_t below(const problem *p, long double x)
{
    long double q = -x;
    int64_t count = q < 0;
    for (int64_t k = 0; k + 1 < 2 * p->n; k++) {
        long double b = creal(dense_get(k % 2 ? &p->e : &p->d, k / 2, 0));
        if (q == 0) q = 1e-4900L;
        q = -x - b * b / q;
        count += q < 0;
    }
    return count - p->n;
}

static problem make(tsl_type t, int64_t n, tsl_uplo uplo, bd_kind kind)
{
    problem p = {.t = t, .n = n, .uplo = uplo, .kind = kind, .d = dense_make(eig_real(t), n, 1, CANARY_FINITE), .e = dense_make(eig_real(t), qr_max(0, n - 1), 1, CANARY_FINITE)};
    elements(&p);
    long double most = 0;
    for (int64_t i = 0; i < n; i++) most = fmaxl(most, fabsl(creal(dense_get(&p.d, i, 0))) + (i + 1 < n ? fabsl(creal(dense_get(&p.e, i, 0))) : 0));
    p.s = calloc((size_t)n + 1, sizeof *p.s);
    for (int64_t k = 0; k < n; k++) { /* s[k] is number n - 1 - k from below */
        long double low = most * 1e-400L, high = 2 * most;
        if (most == 0 || below(&p, low) > n - 1 - k) continue; /* zero */
        for (int i = 0; i < 80; i++) {
            long double middle = high > 2 * low ? sqrtl(low) * sqrtl(high) : (low + high) / 2;
            if (below(&p, middle) > n - 1 - k) high = middle;
            else low = middle;
        }
        p.s[k] = (low + high) / 2;
    }
    snprintf(p.who, sizeof p.who, "%c %d %s, %s", tsl_type_letter(t), (int)n, uplo == TSL_UPPER ? "upper" : "lower", bd_name[kind]);
    return p;
}

static void done(problem *p) { dense_free(&p->d), dense_free(&p->e), free(p->s); }

static tsl_scalar element(const problem *p, int64_t i, int64_t j)
{
    if (i == j) return dense_get(&p->d, i, 0);
    if (p->uplo == TSL_UPPER ? j == i + 1 : i == j + 1) return dense_get(&p->e, i < j ? i : j, 0);
    return 0;
}

/* Values beside those by bisection, in units of n eps: of the largest, or of each itself */
static double off_values(const problem *p, const dense *d, bool relative)
{
    double most = 0;
    for (int64_t k = 0; k < p->n; k++) {
        double v = creal(dense_get(d, k, 0)), off = (double)(fabsl((long double)v - p->s[k]) / (relative ? p->s[k] : p->s[0] > 0 ? p->s[0] : 1));
        bool fine = v >= 0 && (k == 0 || v <= creal(dense_get(d, k - 1, 0)));
        most = fine && off >= 0 ? fmax(most, off) : INFINITY;
    }
    return most / ((double)p->n * tsl_type_eps(p->t));
}

/* |B - U S VT| beside |B| n eps */
static double off_product(const problem *p, const dense *U, const dense *d, const dense *VT)
{
    double most = 0, by = p->s[0] > 0 ? (double)(1 / p->s[0]) : 1;
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->n; i++) {
            tsl_scalar x = by * element(p, i, j);
            for (int64_t k = 0; k < p->n; k++) x -= dense_get(U, i, k) * (by * dense_get(d, k, 0)) * dense_get(VT, k, j);
            most = isnan(cabs(x)) ? INFINITY : fmax(most, cabs(x));
        }
    return most / ((double)p->n * tsl_type_eps(p->t));
}

static double apart(const dense *V, bool rows)
{
    int64_t n = V->n;
    tsl_scalar *v = qr_room(n, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) v[i + j * n] = rows ? conj(dense_get(V, j, i)) : dense_get(V, i, j);
    double off = n ? qr_apart(v, n, n, V->t) : 0;
    free(v);
    return off;
}

static tsl_matrix *wrap(tsl_context *x, const dense *A)
{
    tsl_matrix *a = NULL;
    if (A->m && A->n && tsl_matrix_wrap(x, A->t, A->m, A->n, A->data, A->ld, &a)) abort();
    return a;
}

static tsl_view seen_as(tsl_matrix *a) { return a ? tsl_whole(a) : (tsl_view){0}; }

static void good(const problem *p, const char *how, const dense *d, const dense *U, const dense *VT, bool relative)
{
    if (!p->n) return;
    double values = off_values(p, d, relative), off = U && VT ? off_product(p, U, d, VT) : 0, left = U ? apart(U, false) : 0, right = VT ? apart(VT, true) : 0;
    check(values < BOUND && off < BOUND && left < BOUND && right < BOUND, "%s, %s: values %g, residual %g, U %g, V %g", p->who, how, values, off, left, right);
}

/* C := U^T C, as U is */
static double off_turned(const dense *U, const dense *C, const dense *was)
{
    double most = 0;
    for (int64_t j = 0; j < C->n; j++)
        for (int64_t i = 0; i < C->m; i++) {
            tsl_scalar x = dense_get(C, i, j);
            for (int64_t k = 0; k < C->m; k++) x -= conj(dense_get(U, k, i)) * dense_get(was, k, j);
            most = isnan(cabs(x)) ? INFINITY : fmax(most, cabs(x));
        }
    return C->m ? most / ((double)C->m * tsl_type_eps(C->t)) : 0;
}

static tsl_status typed_dc(tsl_context *x, tsl_type t, char uplo, char job, int64_t n, void *d, void *e, dense *U, dense *VT, int64_t *info)
{
    if (t == TSL_S) return tsl_sbdsdc(x, uplo, job, n, d, e, (void *)U->data, U->ld, (void *)VT->data, VT->ld, info);
    return tsl_dbdsdc(x, uplo, job, n, d, e, (void *)U->data, U->ld, (void *)VT->data, VT->ld, info);
}

static tsl_status typed_qr(tsl_context *x, const problem *p, void *d, void *e, dense *VT, dense *U, dense *C, int64_t *info)
{
    char uplo = p->uplo == TSL_UPPER ? 'u' : 'L';
    switch (p->t) {
    case TSL_S: return tsl_sbdsqr(x, uplo, p->n, VT->n, U->m, C->n, d, e, (void *)VT->data, VT->ld, (void *)U->data, U->ld, (void *)C->data, C->ld, info);
    case TSL_D: return tsl_dbdsqr(x, uplo, p->n, VT->n, U->m, C->n, d, e, (void *)VT->data, VT->ld, (void *)U->data, U->ld, (void *)C->data, C->ld, info);
    case TSL_C: return tsl_cbdsqr(x, uplo, p->n, VT->n, U->m, C->n, d, e, (void *)VT->data, VT->ld, (void *)U->data, U->ld, (void *)C->data, C->ld, info);
    default: return tsl_zbdsqr(x, uplo, p->n, VT->n, U->m, C->n, d, e, (void *)VT->data, VT->ld, (void *)U->data, U->ld, (void *)C->data, C->ld, info);
    }
}

static dense unit(tsl_type t, int64_t n)
{
    dense A = dense_make(t, n, n, CANARY_FINITE);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&A, i, j, i == j);
    return A;
}

/* sides: 1 U, 2 VT */
static void divided(tsl_context *x, const problem *p, int sides, bool typed)
{
    int64_t info = -7, n = p->n;
    dense d = dense_copy(&p->d), e = dense_copy(&p->e), U = dense_make(p->t, sides & 1 ? n : 0, sides & 1 ? n : 0, CANARY_FINITE);
    dense VT = dense_make(p->t, sides & 2 ? n : 0, sides & 2 ? n : 0, CANARY_FINITE), was[2] = {dense_copy(&U), dense_copy(&VT)};
    tsl_matrix *a = wrap(x, &d), *b = wrap(x, &e), *u = wrap(x, &U), *v = wrap(x, &VT);
    tsl_status st = TSL_OK;
    if (typed) st = typed_dc(x, p->t, p->uplo == TSL_UPPER ? 'U' : 'l', sides == 3 ? 'I' : 'n', n, (void *)d.data, (void *)e.data, &U, &VT, &info);
    else if (n) st = tsl_bdsdc(x, p->uplo, seen_as(a), b ? tsl_whole(b) : tsl_sub(tsl_whole(a), 0, 0, 0, 1), seen_as(u), seen_as(v), &info);
    check(!st && (!info || (!n && !typed)), "bdsdc of %s: %s, info %d: %s", p->who, tsl_status_name(st), (int)info, tsl_error(x));
    if (!st && !info) good(p, "bdsdc", &d, sides & 1 ? &U : NULL, sides & 2 ? &VT : NULL, false);
    check(!dense_strays(&U, &was[0], TSL_GENERAL) && !dense_strays(&VT, &was[1], TSL_GENERAL), "bdsdc of %s: wrote beside vectors", p->who);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(u), tsl_matrix_free(v);
    dense_free(&d), dense_free(&e), dense_free(&U), dense_free(&VT), dense_free(&was[0]), dense_free(&was[1]);
}

static void rotated(tsl_context *x, const problem *p, int sides, bool typed)
{
    int64_t info = -7, n = p->n;
    dense d = dense_copy(&p->d), e = dense_copy(&p->e), U = unit(p->t, sides & 1 ? n : 0), VT = unit(p->t, sides & 2 ? n : 0), C = dense_make(p->t, sides & 4 ? n : 0, sides & 4 ? 3 : 0, CANARY_FINITE);
    if (n) dense_random(&C, 5);
    if (!(sides & 1)) U.n = n; /* no rows */
    dense was = dense_copy(&C);
    tsl_matrix *a = wrap(x, &d), *b = wrap(x, &e), *u = wrap(x, &U), *v = wrap(x, &VT), *c = wrap(x, &C);
    tsl_status st = TSL_OK;
    if (typed) st = typed_qr(x, p, (void *)d.data, (void *)e.data, &VT, &U, &C, &info);
    else if (n) st = tsl_bdsqr(x, p->uplo, seen_as(a), b ? tsl_whole(b) : tsl_sub(tsl_whole(a), 0, 0, 0, 1), seen_as(u), seen_as(v), seen_as(c), &info);
    check(!st && (!info || (!n && !typed)), "bdsqr of %s: %s, info %d: %s", p->who, tsl_status_name(st), (int)info, tsl_error(x));
    if (!st && !info) {
        good(p, "bdsqr", &d, sides & 1 ? &U : NULL, sides & 2 ? &VT : NULL, is_relative(p->kind));
        double off = (sides & 5) == 5 ? off_turned(&U, &C, &was) : 0;
        check(off < BOUND && !dense_strays(&C, &was, TSL_GENERAL), "bdsqr of %s: C off by %g", p->who, off);
    }
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(u), tsl_matrix_free(v), tsl_matrix_free(c);
    dense_free(&d), dense_free(&e), dense_free(&U), dense_free(&VT), dense_free(&C), dense_free(&was);
}

static void families(tsl_context *x, const char *name, bool few, bool qr)
{
    static const int64_t order[] = {0, 1, 2, 3, 10, 27, 40};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 7; k++)
            for (int kind = 0; kind < BD_KINDS; kind++) {
                if ((few && (k + kind + i) % 3) || (i > 1 && (k + kind) % 2)) continue;
                bool real = !tsl_is_complex(all_types[i]);
                problem p = make(all_types[i], order[k], (k + kind + i) % 2 ? TSL_UPPER : TSL_LOWER, (bd_kind)kind);
                bool loose = !qr && (kind == BD_FALLING || kind == BD_RISING); /* LAPACK's sterf of these, unfolded, is off by 60 n eps */
                divided(x, &p, 3, false), divided(x, &p, loose ? 1 : (k + kind) % 3, false);
                if (real) divided(x, &p, 3, true), divided(x, &p, loose ? 3 : 0, true);
                if (qr) rotated(x, &p, 7, false), rotated(x, &p, (k + kind) % 7, false), rotated(x, &p, kind % 3 ? 7 : k, true);
                done(&p);
            }
        checked("%s: %c: values and vectors", name, tsl_type_letter(all_types[i]));
    }
    if (few) return;
    for (int uplo = 0; uplo < 2; uplo++) { /* more than what divide and conquer leaves to QR */
        problem p = make(TSL_D, 90, uplo ? TSL_UPPER : TSL_LOWER, uplo ? BD_RANDOM : BD_ONES);
        divided(x, &p, 3, true);
        done(&p);
    }
    checked("%s: larger", name);
}

static bool all_nan(const dense *A)
{
    bool bad = true;
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) bad &= isnan(creal(dense_get(A, i, j)));
    return bad;
}

static void odd_ones(tsl_context *x, const char *name, bool qr)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 36; k++) {
            int64_t n = k < 12 ? 7 : k < 24 ? 2 : 1, info = -7;
            problem p = make(all_types[i], n, TSL_UPPER, BD_RANDOM);
            dense_put(k % 2 || n == 1 ? &p.d : &p.e, n == 7 ? 4 : 0, 0, odd[k % 12 / 4]);
            dense U = unit(p.t, n), VT = unit(p.t, n);
            tsl_matrix *a = wrap(x, &p.d), *b = wrap(x, &p.e), *u = wrap(x, &U), *v = wrap(x, &VT);
            tsl_view e = n > 1 ? tsl_whole(b) : tsl_sub(tsl_whole(a), 0, 0, 0, 1);
            tsl_status st = k / 2 % 2 || !qr ? tsl_bdsdc(x, TSL_UPPER, tsl_whole(a), e, tsl_whole(u), tsl_whole(v), &info)
                                      : tsl_bdsqr(x, TSL_UPPER, tsl_whole(a), e, tsl_whole(u), tsl_whole(v), (tsl_view){0}, &info);
            check(!st && info == n && all_nan(&p.d) && all_nan(&U) && all_nan(&VT), "%g, order %d: %s, info %d", odd[k % 12 / 4], (int)n, tsl_status_name(st), (int)info);
            tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(u), tsl_matrix_free(v);
            dense_free(&U), dense_free(&VT);
            done(&p);
        }
    checked("%s: NaN and Inf", name);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(tsl_context *x)
{
    tsl_matrix *A, *B, *D;
    int64_t info = -7;
    if (tsl_matrix_create(x, TSL_Z, 4, 4, &A) || tsl_matrix_create(x, TSL_Z, 4, 4, &B) || tsl_matrix_create(x, TSL_D, 4, 2, &D)) abort();
    tsl_view U = tsl_whole(A), V = tsl_whole(B), d = tsl_sub(tsl_whole(D), 0, 0, 4, 1), e = tsl_sub(tsl_whole(D), 0, 1, 3, 1), none = {0};
    says(x, tsl_bdsdc(x, TSL_GENERAL, d, e, U, V, &info), TSL_ERR_UPLO, "above the diagonal");
    says(x, tsl_bdsdc(x, TSL_UPPER, d, d, U, V, &info), TSL_ERR_SHAPE, "e is 4 x 1, must be a column of 3 elements");
    says(x, tsl_bdsdc(x, TSL_UPPER, d, e, tsl_sub(U, 0, 0, 4, 3), V, &info), TSL_ERR_SHAPE, "U must have");
    says(x, tsl_bdsdc(x, TSL_UPPER, d, e, none, tsl_sub(V, 0, 0, 3, 4), &info), TSL_ERR_SHAPE, "VT must have");
    says(x, tsl_bdsdc(x, TSL_UPPER, d, e, U, tsl_herm(V), &info), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_bdsdc(x, TSL_UPPER, d, e, U, U, &info), TSL_ERR_OVERLAP, "VT overlaps U");
    says(x, tsl_bdsqr(x, TSL_UPPER, d, e, tsl_sub(U, 0, 0, 4, 3), none, none, &info), TSL_ERR_SHAPE, "U must have");
    says(x, tsl_bdsqr(x, TSL_UPPER, d, e, none, none, tsl_sub(V, 0, 0, 3, 4), &info), TSL_ERR_SHAPE, "VT and C must have");
    double w[3] = {1, 2, 3}, f[2] = {1, 1}, u[9], v[9];
    check(tsl_dbdsdc(x, 'X', 'I', 3, w, f, u, 3, v, 3, &info) == TSL_ERR_FLAG && info == -1, "uplo: info %d", (int)info);
    check(tsl_dbdsdc(x, 'U', 'P', 3, w, f, u, 3, v, 3, &info) == TSL_ERR_FLAG && info == -2, "compq: info %d", (int)info);
    check(tsl_dbdsdc(x, 'U', 'I', -1, w, f, u, 3, v, 3, &info) == TSL_ERR_SIZE && info == -3, "n: info %d", (int)info);
    check(tsl_dbdsdc(x, 'U', 'I', 3, w, f, u, 2, v, 3, &info) == TSL_ERR_LD && info == -7, "ldu: info %d", (int)info);
    check(tsl_dbdsdc(x, 'U', 'I', 3, w, f, u, 3, v, 2, &info) == TSL_ERR_LD && info == -9, "ldvt: info %d", (int)info);
    check(tsl_dbdsdc(x, 'U', 'N', 3, NULL, f, u, 3, v, 3, &info) == TSL_ERR_NULL && info == -4, "d: info %d", (int)info);
    check(tsl_dbdsqr(x, 'U', 3, -1, 3, 0, w, f, v, 3, u, 3, NULL, 1, &info) == TSL_ERR_SIZE && info == -3, "ncvt: info %d", (int)info);
    check(tsl_dbdsqr(x, 'U', 3, 3, 3, 0, w, f, v, 2, u, 3, NULL, 1, &info) == TSL_ERR_LD && info == -9, "ldvt of bdsqr: info %d", (int)info);
    check(tsl_dbdsqr(x, 'U', 3, 3, 3, 0, w, f, v, 3, u, 2, NULL, 1, &info) == TSL_ERR_LD && info == -11, "ldu of bdsqr: info %d", (int)info);
    check(tsl_dbdsqr(x, 'U', 3, 0, 0, 1, w, f, NULL, 1, NULL, 1, NULL, 3, &info) == TSL_ERR_NULL && info == -12, "C: info %d", (int)info);
    check(!tsl_dbdsqr(x, 'U', 0, 0, 0, 0, NULL, NULL, NULL, 1, NULL, 1, NULL, 1, &info) && !info, "no elements");
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(D);
}

int main(void)
{
    static const char *const where[] = {"host", "host:3", "cuda"};
    for (int k = 0; k < 3; k++) {
        tsl_context *x = context_on(where[k]);
        if (!x) continue;
        families(x, where[k], k == 1, true);
        odd_ones(x, where[k], true);
        if (!k) { /* as GPUs have it */
            check(!tsl_set(x, "variant", "unfolded"), "%s", tsl_error(x));
            families(x, "unfolded", false, false);
            odd_ones(x, "unfolded", false);
            check(!tsl_set(x, "variant", "auto"), "%s", tsl_error(x));
        }
        if (!k) refusals(x);
        tsl_context_destroy(x);
    }
    return tap_done();
}
