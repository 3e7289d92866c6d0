/* A = L D L^T and L D L^H with LAPACK's pivots: factors, solutions and inverses of matrices of every kind, both triangles, by the leaf and by panels. Residuals are
 * of the factors multiplied in double complex; pivots are LAPACK's where no two candidates are nearly equal. What is refused, and where. */
#include "qr.h"

#define BOUND 30.0

typedef enum kind { LDL_RANDOM, LDL_HOLLOW, LDL_GRADED, LDL_TIES, LDL_SADDLE, LDL_GROWTH, LDL_ZERO, LDL_SINGULAR, LDL_TINY, LDL_HUGE, LDL_PAIRS, LDL_KINDS } kind;
static const char *const kind_name[LDL_KINDS] = {"random", "with zeros on the diagonal", "graded", "of ones", "of a saddle point", "that grows", "zero", "singular", "tiny", "huge", "of a number and pairs"};

/* Element (i,j), i >= j, of a random one in r */
static tsl_scalar element(const dense *r, kind k, int64_t i, int64_t j)
{
    tsl_scalar v = dense_get(r, i, j);
    int64_t n = r->n;
    double least = qr_single(r->t) ? 1e-30 : 1e-290;
    switch (k) {
    case LDL_HOLLOW: return i == j ? 0 : v;
    case LDL_GRADED: return v * exp2(-20 * (double)(i + j) / (double)n);
    case LDL_TIES: return i == j ? 0 : 1;
    case LDL_SADDLE: return j >= (n + 1) / 2 ? 0 : i == j ? 1 : v;
    case LDL_GROWTH: return i == j ? (j + 1 < n ? 0.64 : 1) : i == n - 1 ? 1 : i == j + 1 ? 0.3 : 0; /* pivots just large enough */
    case LDL_ZERO: return 0;
    case LDL_SINGULAR: return i == n / 2 || j == n / 2 ? 0 : v;
    case LDL_TINY: return v * least;
    case LDL_HUGE: return v * 1e-4 / least;
    case LDL_PAIRS: return i == 0 ? 5 : i == j + 1 && j % 2 ? 1 : 0; /* lower: a block of order 2 reaches over the end of each panel of even width */
    default: return v;
    }
}

static dense matrix(tsl_type t, int64_t n, kind k, tsl_uplo uplo, bool herm)
{
    dense A = dense_make(t, n, n, CANARY_FINITE), r = dense_make(t, n, n, CANARY_FINITE);
    dense_random(&r, (uint64_t)(n + 3 * (int)k));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar v = i >= j ? element(&r, k, i, j) : herm ? conj(element(&r, k, j, i)) : element(&r, k, j, i);
            if (i == j && herm) v = CMPLX(creal(v), 0);
            dense_put(&A, i, j, in_triangle(uplo, i, j) ? v : CMPLX(NAN, NAN));
        }
    dense_free(&r);
    return A;
}

static tsl_scalar turned(tsl_scalar v, bool herm) { return herm ? conj(v) : v; }

static tsl_scalar *whole(const dense *A, tsl_uplo uplo, bool herm)
{
    int64_t n = A->n;
    tsl_scalar *X = qr_room(n, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) X[i + j * n] = in_triangle(uplo, i, j) ? dense_get(A, i, j) : turned(dense_get(A, j, i), herm);
    return X;
}

/* X := the product of the factors, the last step first: X := P L X L^H P^T with the one or two columns of each */
static tsl_scalar *product(const dense *F, const int64_t *p, tsl_uplo uplo, bool herm)
{
    int64_t n = F->n, step = uplo == TSL_LOWER ? 1 : -1, from = uplo == TSL_LOWER ? 0 : n - 1, count = 0;
    int64_t *begins = malloc((size_t)(n + 1) * sizeof *begins);
    tsl_scalar *X = qr_room(n, n);
    if (!begins) abort();
    for (int64_t s = 0; s < n; s++) begins[count++] = s, s += p[from + step * s] < 0;
    while (count-- > 0) {
        int64_t s = begins[count], k = from + step * s, size = p[k] < 0 ? 2 : 1, last = k + step * (size - 1), with = (p[k] < 0 ? -p[k] : p[k]) - 1;
        X[k + k * n] = dense_get(F, k, k);
        if (size == 2) {
            X[last + last * n] = dense_get(F, last, last);
            X[last + k * n] = dense_get(F, last, k), X[k + last * n] = turned(dense_get(F, last, k), herm);
        }
        for (int64_t a = 0; a < size; a++) /* rows, then columns */
            for (int64_t i = s + size; i < n; i++) {
                int64_t r = from + step * i, c = k + step * a;
                for (int64_t b = 0; b < size; b++) X[r + (k + step * b) * n] += dense_get(F, r, c) * X[c + (k + step * b) * n];
            }
        for (int64_t i = s + size; i < n; i++)
            for (int64_t j = s + size; j < n; j++)
                for (int64_t a = 0; a < size; a++) {
                    int64_t r = from + step * i, q = from + step * j, c = k + step * a;
                    X[r + q * n] += X[r + c * n] * turned(dense_get(F, q, c), herm);
                }
        for (int64_t i = s + size; i < n; i++)
            for (int64_t a = 0; a < size; a++) X[k + step * a + (from + step * i) * n] = turned(X[from + step * i + (k + step * a) * n], herm);
        for (int64_t j = 0; j < n && with != last; j++) {
            tsl_scalar v = X[last + j * n];
            X[last + j * n] = X[with + j * n], X[with + j * n] = v;
        }
        for (int64_t i = 0; i < n && with != last; i++) {
            tsl_scalar v = X[i + last * n];
            X[i + last * n] = X[i + with * n], X[i + with * n] = v;
        }
    }
    free(begins);
    return X;
}

/* |X - Y| / (|Y| n eps) */
static double apart(const tsl_scalar *X, const tsl_scalar *Y, int64_t n, tsl_type t)
{
    double most = 0, size = 0;
    for (int64_t i = 0; i < n * n; i++) {
        double off = cabs(X[i] - Y[i]);
        most = off <= most ? most : isnan(off) ? INFINITY : off;
        size = tsl_larger(size, cabs(Y[i]));
    }
    return most == 0 ? 0 : most / size / ((double)n * tsl_type_eps(t));
}

#define TYPED(t, herm, rest, ...)                                                                                                           \
    ((t) == TSL_S ? tsl_ssy##rest(__VA_ARGS__) : (t) == TSL_D ? tsl_dsy##rest(__VA_ARGS__) : (t) == TSL_C ? ((herm) ? tsl_che##rest(__VA_ARGS__) : tsl_csy##rest(__VA_ARGS__)) \
                                                                                           : ((herm) ? tsl_zhe##rest(__VA_ARGS__) : tsl_zsy##rest(__VA_ARGS__)))

static bool by_algorithms; /* else by what the library chooses */

static tsl_context *by(tsl_context *x, const char *variant)
{
    check(!by_algorithms || !tsl_set(x, "variant", variant), "%s", tsl_error(x));
    return x;
}

static tsl_status factor(tsl_context *x, dense *A, tsl_uplo uplo, bool herm, int64_t *p, int64_t *info)
{
    return TYPED(A->t, herm, trf, by(x, "panels"), uplo == TSL_LOWER ? 'L' : 'u', A->n, (void *)A->data, A->ld, p, info);
}

static lapack_int by_lapack(dense *A, tsl_uplo uplo, bool herm, lapack_int *p)
{
    lapack_int n = (lapack_int)A->n, ld = (lapack_int)A->ld;
    char u = uplo == TSL_LOWER ? 'L' : 'U';
    void *a = A->data;
    switch (A->t) {
    case TSL_S: return LAPACKE_ssytrf(LAPACK_COL_MAJOR, u, n, a, ld, p);
    case TSL_D: return LAPACKE_dsytrf(LAPACK_COL_MAJOR, u, n, a, ld, p);
    case TSL_C: return herm ? LAPACKE_chetrf(LAPACK_COL_MAJOR, u, n, a, ld, p) : LAPACKE_csytrf(LAPACK_COL_MAJOR, u, n, a, ld, p);
    default: return herm ? LAPACKE_zhetrf(LAPACK_COL_MAJOR, u, n, a, ld, p) : LAPACKE_zsytrf(LAPACK_COL_MAJOR, u, n, a, ld, p);
    }
}

/* X times its residual: |A X - B| / (|A| |X| n eps), of m columns; B of ones and twos */
static tsl_scalar right_side(int64_t i, int64_t j) { return 1 + (double)((i + 2 * j) % 3); }
static double solved(const tsl_scalar *A, const dense *X, double scale)
{
    int64_t n = X->m;
    double most = 0, size = 0, width = 0;
    for (int64_t j = 0; j < X->n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar sum = -right_side(i, j);
            for (int64_t k = 0; k < n; k++) sum += A[i + k * n] * scale * dense_get(X, k, j);
            most = cabs(sum) <= most ? most : isnan(cabs(sum)) ? INFINITY : cabs(sum);
            width = tsl_larger(width, cabs(dense_get(X, i, j)));
        }
    for (int64_t i = 0; i < n * n; i++) size = tsl_larger(size, cabs(A[i]) * scale);
    return most == 0 ? 0 : most / ((size * width * (double)n + 1) * (double)n * tsl_type_eps(X->t));
}

static void solutions(tsl_context *x, const char *who, const dense *was, const dense *F, const int64_t *p, tsl_uplo uplo, bool herm)
{
    tsl_type t = F->t;
    int64_t n = F->n, info = -77, *p2 = calloc((size_t)n + 1, sizeof *p2), columns[] = {1, 9};
    char u = uplo == TSL_LOWER ? 'L' : 'U';
    tsl_scalar *A = whole(was, uplo, herm);
    if (!p2) abort();
    for (int c = 0; c < 2; c++) {
        dense B = dense_make(t, n, columns[c], CANARY_FINITE), A2 = dense_copy(was), F2 = dense_copy(F);
        for (int64_t j = 0; j < B.n; j++)
            for (int64_t i = 0; i < n; i++) dense_put(&B, i, j, right_side(i, j));
        dense B2 = dense_copy(&B), ones = dense_copy(&B);
        tsl_status st = TYPED(t, herm, trs, by(x, "parts"), u, n, B.n, (void *)F2.data, F2.ld, p, (void *)B.data, B.ld, &info);
        double off = solved(A, &B, 1);
        check(!st && info == 0 && off < BOUND && dense_same(&F2, F) && !dense_strays(&B, &ones, TSL_GENERAL), "%s: solutions %s %g %s", who, tsl_status_name(st), off, tsl_error(x));
        st = TYPED(t, herm, sv, by(x, "panels"), u, n, B.n, (void *)A2.data, A2.ld, p2, (void *)B2.data, B2.ld, &info);
        off = solved(A, &B2, 1);
        check(!st && info == 0 && off < BOUND && !memcmp(p, p2, (size_t)n * sizeof *p), "%s: sv %s %g %s", who, tsl_status_name(st), off, tsl_error(x));
        dense_free(&B), dense_free(&B2), dense_free(&A2), dense_free(&F2), dense_free(&ones);
    }
    dense G = dense_copy(F);
    tsl_status st = TYPED(t, herm, tri, by(x, "solve"), u, n, (void *)G.data, G.ld, p, &info);
    tsl_scalar *X = whole(&G, uplo, herm);
    double most = 0, size = 0, width = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar sum = i == j ? -1 : 0;
            for (int64_t k = 0; k < n; k++) sum += A[i + k * n] * X[k + j * n];
            most = worse(most, cabs(sum)), size = tsl_larger(size, cabs(A[i + j * n])), width = tsl_larger(width, cabs(X[i + j * n]));
        }
    most /= size * width * (double)n * (double)n * tsl_type_eps(t);
    check(!st && info == 0 && most < BOUND && !dense_strays(&G, F, uplo), "%s: inverse %s %g %s", who, tsl_status_name(st), most, tsl_error(x));
    dense_free(&G), free(A), free(X), free(p2);
}

static void one(tsl_context *x, tsl_type t, int64_t n, kind k, tsl_uplo uplo, bool herm)
{
    char who[160];
    dense A = matrix(t, n, k, uplo, herm), was = dense_copy(&A), L = dense_copy(&A);
    int64_t info = -77, *p = calloc((size_t)n + 1, sizeof *p);
    lapack_int *q = calloc((size_t)n + 1, sizeof *q), told = n ? by_lapack(&L, uplo, herm, q) : 0;
    if (!p || !q) abort();
    snprintf(who, sizeof who, "%c%s of order %d, %s, %s", tsl_type_letter(t), herm ? " Hermitian" : "", (int)n, kind_name[k], uplo == TSL_LOWER ? "lower" : "upper");
    p[n] = -99;
    tsl_status st = factor(x, &A, uplo, herm, p, &info);
    check(!st && p[n] == -99 && (info > 0) == (told > 0), "%s: %s, info %d, LAPACK's %d %s", who, tsl_status_name(st), (int)info, (int)told, tsl_error(x));
    bool whole_ones = true, same = true;
    for (int64_t i = 0; i < n; i++) whole_ones &= p[i] != 0 && p[i] >= -n && p[i] <= n, same &= p[i] == q[i];
    check(whole_ones, "%s: no pivots", who);
    if (k == LDL_RANDOM || k == LDL_HOLLOW || k == LDL_ZERO || k == LDL_TINY) check(same && info == told, "%s: pivots, or the info %d, are not LAPACK's", who, (int)info);
    if (whole_ones && n) {
        tsl_scalar *X = product(&A, p, uplo, herm), *Y = whole(&was, uplo, herm);
        double off = apart(X, Y, n, t);
        check(off < BOUND && !dense_strays(&A, &was, uplo), "%s: residual %g", who, off);
        free(X), free(Y);
        if (info == 0 && (k == LDL_RANDOM || k == LDL_HOLLOW || k == LDL_GROWTH)) solutions(x, who, &was, &A, p, uplo, herm);
    }
    if (info > 0) {
        dense G = dense_copy(&A);
        int64_t again = 0;
        st = TYPED(t, herm, tri, by(x, "solve"), uplo == TSL_LOWER ? 'L' : 'U', n, (void *)G.data, G.ld, p, &again);
        check(!st && again > 0 && dense_same(&G, &A), "%s: the inverse of a singular one: %s, info %d", who, tsl_status_name(st), (int)again);
        dense_free(&G);
    }
    dense_free(&A), dense_free(&was), dense_free(&L), free(p), free(q);
}

static void all(tsl_context *x, const char *how, const int64_t *orders, int count)
{
    for (int i = 0; i < 4; i++) {
        if (is_left_out(i, 1)) continue;
        for (int s = 0; s < count; s++)
            for (int k = 0; k < LDL_KINDS; k++)
                for (int as = 0; as < 4; as++)
                    if ((!(as & 2) || tsl_is_complex(all_types[i])) && (orders[s] < 100 || k < 2)) one(x, all_types[i], orders[s], (kind)k, as & 1 ? TSL_UPPER : TSL_LOWER, as & 2);
        checked("%s: %c", how, tsl_type_letter(all_types[i]));
    }
}

/* A number that is none: no hang, and factors that are not all finite */
static void not_numbers(tsl_context *x, const char *how)
{
    static const double odd[] = {NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        for (int as = 0; as < 8; as++)
            for (int64_t n = 1; n <= 70; n += 23) {
                tsl_uplo uplo = as & 1 ? TSL_UPPER : TSL_LOWER;
                bool herm = tsl_is_complex(all_types[i]) && as & 2;
                dense A = matrix(all_types[i], n, LDL_RANDOM, uplo, herm);
                int64_t info = 0, p[128], spoiled = 0;
                dense_put(&A, as & 1 ? 0 : n - 1, as & 1 ? n - 1 : 0, odd[as >> 2]);
                tsl_status st = factor(x, &A, uplo, herm, p, &info);
                for (int64_t j = 0; j < n; j++)
                    for (int64_t r = 0; r < n; r++) spoiled += in_triangle(uplo, r, j) && !scalar_finite(dense_get(&A, r, j));
                check(!st && (spoiled || info), "%c order %d: %s, all finite", tsl_type_letter(all_types[i]), (int)n, tsl_status_name(st));
                dense_free(&A);
            }
    checked("%s: NaN and Inf", how);
}

/* The same by a vector x, for large orders: |P L D L^H P^T x - A x| / (|A x| n eps), each the largest element */
static double apart_by_vector(const dense *F, const int64_t *p, const dense *was, tsl_uplo uplo, bool herm)
{
    int64_t n = F->n, step = uplo == TSL_LOWER ? 1 : -1, from = uplo == TSL_LOWER ? 0 : n - 1;
    tsl_scalar *x = qr_room(n, 1), *y = qr_room(n, 1), *A = whole(was, uplo, herm);
    double most = 0, size = 0;
    for (int64_t i = 0; i < n; i++) x[i] = y[i] = cos(1.0 + (double)(i * i % 997));
    for (int64_t s = 0, count; s < n; s += count) { /* D L^H P^T; blocks of D are used when no later step needs what they change */
        int64_t k = from + step * s, last;
        count = p[k] < 0 ? 2 : 1, last = k + step * (count - 1);
        int64_t with = (p[k] < 0 ? -p[k] : p[k]) - 1;
        tsl_scalar t = y[last];
        y[last] = y[with], y[with] = t;
        for (int64_t c = k, a = 0; a < count; a++, c += step)
            for (int64_t i = s + count; i < n; i++) y[c] += turned(dense_get(F, from + step * i, c), herm) * y[from + step * i];
        t = y[k], y[k] *= dense_get(F, k, k);
        if (count == 2) y[k] += turned(dense_get(F, last, k), herm) * y[last], y[last] = dense_get(F, last, k) * t + dense_get(F, last, last) * y[last];
    }
    for (int64_t s = n, count; s > 0;) { /* P L */
        count = p[from + step * (s - 1)] < 0 ? 2 : 1, s -= count;
        int64_t k = from + step * s, last = k + step * (count - 1), with = (p[k] < 0 ? -p[k] : p[k]) - 1;
        for (int64_t c = k, a = 0; a < count; a++, c += step)
            for (int64_t i = s + count; i < n; i++) y[from + step * i] += dense_get(F, from + step * i, c) * y[c];
        tsl_scalar t = y[last];
        y[last] = y[with], y[with] = t;
    }
    for (int64_t i = 0; i < n; i++) {
        tsl_scalar sum = 0;
        for (int64_t j = 0; j < n; j++) sum += A[i + j * n] * x[j];
        double off = cabs(sum - y[i]);
        most = off <= most ? most : isnan(off) ? INFINITY : off;
        size = tsl_larger(size, cabs(sum));
    }
    free(x), free(y), free(A);
    return most / size / ((double)n * tsl_type_eps(F->t));
}

/* Many panels, after a factorization of NaN alone, which is then in the GPU's memory on the chip: none of it must come to light */
static void large(tsl_context *x, tsl_type t, int64_t n, kind k, tsl_uplo uplo, bool herm)
{
    dense A = matrix(t, n, k, uplo, herm), was = dense_copy(&A), none = dense_copy(&A);
    int64_t info = -77, *p = calloc((size_t)n + 1, sizeof *p);
    bool good = p;
    if (!p) abort();
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&none, i, j, CMPLX(NAN, NAN));
    tsl_status st = factor(x, &none, uplo, herm, p, &info);
    if (!st) st = factor(x, &A, uplo, herm, p, &info);
    for (int64_t i = 0; i < n; i++) good &= p[i] != 0 && p[i] >= -n && p[i] <= n;
    double off = good ? apart_by_vector(&A, p, &was, uplo, herm) : INFINITY;
    check(!st && info == 0 && off < BOUND, "%c of order %d, %s, %s: %s, info %d, residual %g", tsl_type_letter(t), (int)n, kind_name[k], uplo == TSL_LOWER ? "lower" : "upper",
          tsl_status_name(st), (int)info, off);
    dense_free(&A), dense_free(&was), dense_free(&none), free(p);
}

static void on(const char *devices)
{
    static const int64_t orders[] = {0, 1, 2, 3, 5, 33, 64, 65, 130};
    static const char *const tiles[] = {"7", "32"};
    tsl_context *x = context_on(devices);
    if (!x) return;
    all(x, devices, orders, 9);
    not_numbers(x, devices);
    if (devices[0] == 'c') {
        for (int i = 0; i < 4; i++) large(x, all_types[i], 321, LDL_PAIRS, TSL_LOWER, i % 2);
        large(x, TSL_D, 1500, LDL_RANDOM, TSL_LOWER, false), large(x, TSL_Z, 900, LDL_RANDOM, TSL_UPPER, true);
        checked("%s: large", devices);
    }
    by_algorithms = true;
    for (int k = 0; k < 2; k++) {
        char how[64];
        snprintf(how, sizeof how, "%s: panels of %s", devices, tiles[k]);
        check(!tsl_set(x, "tile", tiles[k]), "%s", tsl_error(x));
        all(x, how, (const int64_t[]){1, 8, 33, 40}, 4);
        not_numbers(x, how);
    }
    by_algorithms = false;
    tsl_context_destroy(x);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(void)
{
    enum { N = 4 };
    double a[N * N] = {4, 1, 1, 1, 0, 4, 1, 1, 0, 0, 4, 1, 0, 0, 0, 4}, b[N] = {1, 1, 1, 1}, h[N * N];
    int64_t p[N] = {0}, info = 0;
    tsl_context *x = context_on("host");
    tsl_matrix *A, *P, *B, *T, *Q;
    if (!x || tsl_matrix_wrap(x, TSL_D, N, N, a, N, &A) || tsl_matrix_wrap(x, TSL_INDEX, N, 1, p, N, &P) || tsl_matrix_wrap(x, TSL_D, N, 1, b, N, &B) ||
        tsl_tiled_wrap(x, TSL_D, N, N, h, N, 3, &T) || tsl_tiled_create(x, TSL_INDEX, N, 1, 3, &Q)) {
        ok(false, "operands");
        return;
    }
    tsl_view l = tsl_lower(tsl_whole(A)), v = tsl_whole(P), w = tsl_whole(B);
    says(x, tsl_sytrf(x, tsl_whole(A), v, NULL), TSL_ERR_UPLO, "sytrf: A must be a triangle");
    says(x, tsl_sytrf(x, tsl_trans(l), v, NULL), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_sytrf(x, l, tsl_sub(v, 0, 0, 3, 1), NULL), TSL_ERR_SHAPE, "must be a column of 4 pivots");
    says(x, tsl_sytrs(x, l, v, w), TSL_ERR_PIVOT, "pivot 1 is row 0");
    check(!tsl_hetrf(x, l, v, &info) && info == 0, "hetrf of real elements: %s", tsl_error(x));
    p[N - 1] = -4;
    says(x, tsl_sytrs(x, l, v, w), TSL_ERR_PIVOT, "pivot 4 is row -4");
    p[N - 1] = 4;
    check(!tsl_hetrs(x, l, v, w) && !tsl_hetri(x, l, v, &info) && info == 0 && fabs(b[0] - 1.0 / 7) < 1e-15 && fabs(a[0] - 2.0 / 7) < 1e-15, "on views: %g, %g %s", b[0], a[0], tsl_error(x));
    for (int uplo = 0; uplo < 2; uplo++) { /* the same of tiles */
        tsl_view t = uplo ? tsl_upper(tsl_whole(T)) : tsl_lower(tsl_whole(T));
        for (int i = 0; i < N * N; i++) h[i] = i % (N + 1) ? 1 : 4;
        for (int i = 0; i < N; i++) b[i] = 1;
        check(!tsl_sytrf(x, t, tsl_whole(Q), &info) && info == 0 && !tsl_hetrs(x, t, tsl_whole(Q), w) &&
              !tsl_hetri(x, t, tsl_whole(Q), &info) && info == 0 &&
              fabs(b[0] - 1.0 / 7) < 1e-15 && fabs(b[3] - 1.0 / 7) < 1e-15 && fabs(h[0] - 2.0 / 7) < 1e-15 &&
              h[uplo ? 1 : N] == 1, "tiled: %g, %g %s", b[0], h[0], tsl_error(x));
    }
    info = 0;
    check(tsl_dsytrf(x, 'x', N, a, N, p, &info) == TSL_ERR_FLAG && info == -1 && tsl_dsytrf(x, 'L', N, a, 2, p, &info) && info == -4, "typed: info %d", (int)info);
    check(tsl_flops("zhetrf", 0, 50, 0) == 4 * tsl_flops("dsytrf", 0, 50, 0) && isnan(tsl_flops("dhetrf", 0, 5, 0)) && tsl_flops("zsysv", 0, 9, 2) == tsl_flops("zhesv", 0, 9, 2), "work");
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(P), tsl_matrix_free(B), tsl_matrix_free(T), tsl_matrix_free(Q);
    tsl_context_destroy(x);
}

/* Several tiles, on several devices */
static void by_tiles(const char *devices, const char *tile)
{
    static const int64_t orders[] = {1, 2, 5, 33, 64, 65};
    tsl_context *x = context_on(devices);
    char how[64];
    snprintf(how, sizeof how, "%s: tiles of %s", devices, tile);
    if (!x) return;
    check(!tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", tile), "%s", tsl_error(x));
    all(x, how, orders, 6);
    not_numbers(x, how);
    tsl_context_destroy(x);
}

/* Solutions and inverses by tiles: the same bits; the last has a quarter of the matrix's memory */
static void any_devices(void)
{
    enum { N = 200, K = 40 };
    static const char *const where[] = {"host:1,mem=64M", "host:2", "host:3", "host:1,mem=80K"};
    static double a[2][N * N], b[2][N * K];
    static int64_t p[N];
    for (int upper = 0; upper < 2; upper++)
        for (int k = 0; k < 4; k++) {
            tsl_context *x = context_on(where[k]);
            int64_t info = -7, again = -7;
            double *A = a[k > 0], *B = b[k > 0];
            check(x && !tsl_set(x, "path", k < 3 ? "tiles" : "auto") && !tsl_set(x, "tile", "16"), "%s: %s", where[k], tsl_error(x));
            for (int i = 0; i < N * N; i++) A[i] = sin((double)(i / N + 1) * (double)(i % N + 1));
            for (int i = 0; i < N * K; i++) B[i] = cos((double)i);
            tsl_status st = tsl_dsysv(x, upper ? 'U' : 'L', N, K, A, N, p, B, N, &info);
            if (!st) st = tsl_dsytri(x, upper ? 'U' : 'L', N, A, N, p, &again);
            check(!st && !info && !again, "%s: %s, info %d, %d: %s", where[k], tsl_status_name(st), (int)info, (int)again, tsl_error(x));
            if (k) check(!memcmp(a[0], a[1], sizeof a[0]) && !memcmp(b[0], b[1], sizeof b[0]), "other bits on %s", where[k]);
            tsl_context_destroy(x);
        }
    checked("the same bits on any devices");
}

int main(void)
{
    on("host");
    by_tiles("host:2", "8"), by_tiles("host:1,mem=64M", "13");
    if (!in_short()) any_devices();
    on("cuda");
    refusals();
    return tap_done();
}
