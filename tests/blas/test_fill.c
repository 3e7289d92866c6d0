/* Sums (geadd), matrices of two numbers (laset), random ones, and single elements: every op and triangle, typed and by views of
 * host, device and tiled matrices, against their definition; the same random numbers everywhere; NaN that must not be read; bad
 * arguments. */
#include "context.h"
#include "dense.h"
#include "typed.h"

static tsl_context *ctx;
static const char *where;

enum { HOST, DEVICE, TILED, TILED_WRAP, PLACES };

static tsl_matrix *make(int place, const dense *d)
{
    tsl_matrix *a = NULL, *from = NULL;
    tsl_status st = place == HOST     ? tsl_matrix_wrap(ctx, d->t, d->ld, d->cols, d->data, d->ld, &a)
                    : place == DEVICE ? tsl_matrix_create(ctx, d->t, d->ld, d->cols, &a)
                    : place == TILED  ? tsl_tiled_create(ctx, d->t, d->ld, d->cols, 5, &a)
                                      : tsl_tiled_wrap(ctx, d->t, d->ld, d->cols, d->data, d->ld, 6, &a);
    if (!st) st = tsl_matrix_wrap(ctx, d->t, d->ld, d->cols, d->data, d->ld, &from);
    if (!st && (place == DEVICE || place == TILED)) st = tsl_copy(ctx, tsl_whole(from), tsl_whole(a));
    check(!st, "%s: a matrix: %s", where, tsl_error(ctx));
    tsl_matrix_free(from);
    return a;
}

/* What became of it goes to d, if it is not there. */
static void end(int place, tsl_matrix *a, const dense *d)
{
    tsl_matrix *to = NULL;
    tsl_status st = tsl_matrix_wrap(ctx, d->t, d->ld, d->cols, d->data, d->ld, &to);
    if (!st && (place == DEVICE || place == TILED)) st = tsl_copy(ctx, tsl_whole(a), tsl_whole(to));
    if (!st) st = tsl_wait(ctx);
    check(!st, "%s: back: %s", where, tsl_error(ctx));
    tsl_matrix_free(to), tsl_matrix_free(a);
}

static tsl_view seen(tsl_matrix *a, const dense *d, tsl_op op, tsl_uplo uplo)
{
    tsl_view v = tsl_sub(tsl_whole(a), 0, 0, d->m, d->n);
    if (op & TSL_TRANS) v = tsl_trans(v);
    if (op & TSL_CONJ) v = tsl_conj(v);
    return uplo == TSL_LOWER ? tsl_lower(v) : uplo == TSL_UPPER ? tsl_upper(v) : v;
}

/* Element (i,j) of d as seen */
static tsl_scalar *of(tsl_scalar *a, const dense *d, tsl_op op, int64_t i, int64_t j) { return op & TSL_TRANS ? &a[j + i * d->m] : &a[i + j * d->m]; }

static tsl_scalar flipped(tsl_scalar a, tsl_op op) { return op & TSL_CONJ ? conj(a) : a; }

/* Is d what is expected in its triangle, as seen, up to some roundings, and elsewhere as it was? */
static int is_it(const dense *d, const dense *was, const tsl_scalar *expected, tsl_op op, tsl_uplo uplo, double roundings)
{
    tsl_uplo stored = uplo && (op & TSL_TRANS) ? (tsl_uplo)(TSL_LOWER + TSL_UPPER - uplo) : uplo;
    for (int64_t j = 0; j < d->n; j++)
        for (int64_t i = 0; i < d->m; i++) {
            tsl_scalar e = expected[i + j * d->m];
            if (in_triangle(stored, i, j) && !(cabs(dense_get(d, i, j) - e) <= roundings * tsl_type_eps(d->t) * (1 + cabs(e)))) return 0;
        }
    return dense_strays(d, was, stored) == 0;
}

static void filled(tsl_type t, int place, int64_t m, int64_t n, tsl_op op, tsl_uplo uplo)
{
    tsl_scalar alpha = tsl_is_complex(t) ? CMPLX(0.5, -2) : 0.5, beta = tsl_is_complex(t) ? CMPLX(-1, 0.25) : -1;
    dense d = dense_make(t, m, n, CANARY_FINITE), was;
    tsl_scalar *e = malloc((size_t)(m * n + 1) * sizeof *e);
    dense_fill(&d, NAN);
    was = dense_copy(&d);
    for (int64_t j = 0; j < (op & TSL_TRANS ? m : n); j++)
        for (int64_t i = 0; i < (op & TSL_TRANS ? n : m); i++) *of(e, &d, op, i, j) = flipped(i == j ? beta : alpha, op);
    tsl_matrix *a = make(place, &d);
    check(!tsl_laset(ctx, alpha, beta, seen(a, &d, op, uplo)), "%s", tsl_error(ctx));
    end(place, a, &d);
    check(is_it(&d, &was, e, op, uplo, 0), "%s: %claset place %d, %d x %d op %d uplo %d", where, tsl_type_letter(t), place, (int)m, (int)n, op, uplo);
    free(e), dense_free(&d), dense_free(&was);
}

static void summed(tsl_type t, int place, int64_t m, int64_t n, tsl_op opA, tsl_op opB, tsl_uplo uplo, tsl_scalar alpha, tsl_scalar beta)
{
    tsl_op both = (tsl_op)(opA ^ opB);
    dense A = both & TSL_TRANS ? dense_make(t, n, m, CANARY_NAN) : dense_make(t, m, n, CANARY_NAN), B = dense_make(t, m, n, CANARY_FINITE), was;
    tsl_scalar *e = malloc((size_t)(m * n + 1) * sizeof *e), alpha_B = flipped(alpha, opB), beta_B = flipped(beta, opB);
    dense_random(&A, 3), dense_random(&B, 4);
    if (alpha == 0) dense_fill(&A, NAN);
    if (beta == 0) dense_fill(&B, NAN);
    was = dense_copy(&B);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) { /* as B is stored */
            tsl_scalar a = flipped(both & TSL_TRANS ? dense_get(&A, j, i) : dense_get(&A, i, j), both);
            e[i + j * m] = (alpha == 0 ? 0 : alpha_B * a) + (beta == 0 ? 0 : beta_B * dense_get(&B, i, j));
        }
    tsl_matrix *a = make(place, &A), *b = make(place ^ 1, &B);
    check(!tsl_geadd(ctx, alpha, seen(a, &A, opA, TSL_GENERAL), beta, seen(b, &B, opB, uplo)), "%s", tsl_error(ctx));
    end(place ^ 1, b, &B);
    tsl_matrix_free(a);
    check(is_it(&B, &was, e, opB, uplo, 4), "%s: %cgeadd place %d, %d x %d ops %d %d uplo %d alpha %g beta %g", where, tsl_type_letter(t), place, (int)m,
          (int)n, opA, opB, uplo, creal(alpha), creal(beta));
    free(e), dense_free(&A), dense_free(&B), dense_free(&was);
}

/* Numbers by their place as seen: a part of the matrix, its transpose, any layout */
static void random_ones(tsl_type t)
{
    enum { M = 37, N = 23 };
    dense first = dense_make(t, M, N, CANARY_FINITE);
    tsl_matrix *a = make(HOST, &first);
    check(!tsl_random(ctx, 42, seen(a, &first, TSL_NOTRANS, TSL_GENERAL)), "%s", tsl_error(ctx));
    end(HOST, a, &first);
    for (int place = HOST; place < PLACES; place++)
        for (int op = TSL_NOTRANS; op <= TSL_HERM; op++)
            for (int uplo = TSL_GENERAL; uplo <= TSL_UPPER; uplo++) {
                dense d = op & TSL_TRANS ? dense_make(t, N, M, CANARY_FINITE) : dense_make(t, M, N, CANARY_FINITE), was = dense_copy(&d);
                tsl_scalar *e = malloc(M * N * sizeof *e);
                for (int64_t j = 0; j < N; j++)
                    for (int64_t i = 0; i < M; i++) *of(e, &d, (tsl_op)op, i, j) = flipped(dense_get(&first, i, j), (tsl_op)op);
                a = make(place, &d);
                check(!tsl_random(ctx, 42, seen(a, &d, (tsl_op)op, (tsl_uplo)uplo)), "%s", tsl_error(ctx));
                end(place, a, &d);
                check(is_it(&d, &was, e, (tsl_op)op, (tsl_uplo)uplo, 0), "%s: %c random place %d op %d uplo %d", where, tsl_type_letter(t), place, op, uplo);
                free(e), dense_free(&d), dense_free(&was);
            }
    dense_free(&first);
    checked("%s: %c, random numbers are the same everywhere", where, tsl_type_letter(t));
}

/* Moments of the uniform distribution, within six standard deviations; neighbours and seeds that have nothing to do with each
 * other; and two numbers for ever: programs may keep a seed. */
static void random_enough(void)
{
    enum { N = 300 };
    dense A = dense_make(TSL_D, N, N, CANARY_FINITE), B = dense_copy(&A);
    tsl_matrix *a = make(HOST, &A), *b = make(HOST, &B);
    double sum = 0, squares = 0, down = 0, along = 0, other = 0, count = N * N;
    check(!tsl_random(ctx, 0, seen(a, &A, TSL_NOTRANS, TSL_GENERAL)) && !tsl_random(ctx, 1, seen(b, &B, TSL_NOTRANS, TSL_GENERAL)), "%s", tsl_error(ctx));
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) {
            double v = creal(dense_get(&A, i, j));
            check(v >= -1 && v < 1, "%g", v);
            sum += v, squares += v * v, other += v * creal(dense_get(&B, i, j));
            down += v * creal(dense_get(&A, (i + 1) % N, j)), along += v * creal(dense_get(&A, i, (j + 1) % N));
        }
    check(fabs(sum) < 6 * sqrt(count / 3) && fabs(squares - count / 3) < 6 * sqrt(count * 4 / 45), "mean %g, square %g", sum / count, squares / count);
    check(fabs(down) < 2 * sqrt(count) && fabs(along) < 2 * sqrt(count) && fabs(other) < 2 * sqrt(count), "%g %g %g", down, along, other);
    check(creal(dense_get(&A, 0, 0)) == -0x1.71f6290f1c0d2p-1 && creal(dense_get(&A, 5, 7)) == -0x1.19e4692edef32p-1, "%a %a", creal(dense_get(&A, 0, 0)), creal(dense_get(&A, 5, 7)));
    end(HOST, a, &A), end(HOST, b, &B);
    dense_free(&A), dense_free(&B);
    checked("%s: random numbers have the distribution's moments", where);
}

static void elements(tsl_type t)
{
    for (int place = HOST; place < PLACES; place++) {
        dense d = dense_make(t, 13, 9, CANARY_FINITE), was;
        tsl_scalar v = 0, put = tsl_is_complex(t) ? CMPLX(0.25, -3) : 0.25;
        dense_random(&d, 6);
        was = dense_copy(&d);
        tsl_matrix *a = make(place, &d);
        tsl_view A = seen(a, &d, TSL_NOTRANS, TSL_LOWER), H = seen(a, &d, TSL_HERM, TSL_GENERAL);
        check(!tsl_get_element(ctx, A, 3, 7, &v) && v == dense_get(&d, 3, 7), "get: %s", tsl_error(ctx)); /* not in the triangle */
        check(!tsl_get_element(ctx, H, 8, 12, &v) && v == conj(dense_get(&d, 12, 8)), "get of the conjugate transpose");
        check(!tsl_set_element(ctx, H, 8, 12, put) && !tsl_get_element(ctx, A, 12, 8, &v) && v == conj(put), "set: %s", tsl_error(ctx));
        check(tsl_get_element(ctx, A, 13, 0, &v) == TSL_ERR_VIEW && tsl_get_element(ctx, A, 0, 9, &v) == TSL_ERR_VIEW &&
                  tsl_get_element(ctx, A, -1, 0, &v) == TSL_ERR_VIEW && tsl_set_element(ctx, A, 0, -1, 1) == TSL_ERR_VIEW,
              "outside");
        check(tsl_get_element(ctx, A, 0, 0, NULL) == TSL_ERR_NULL && tsl_get_element(ctx, (tsl_view){0}, 0, 0, &v) == TSL_ERR_VIEW, "nothing");
        end(place, a, &d);
        dense_put(&was, 12, 8, conj(put));
        check(dense_same(&d, &was), "%s: place %d: one element changed", where, place);
        dense_free(&d), dense_free(&was);
    }
    int64_t p[3] = {7, 8, 9};
    tsl_matrix *a;
    tsl_scalar v;
    check(!tsl_matrix_wrap(ctx, TSL_INDEX, 3, 1, p, 3, &a) && !tsl_get_element(ctx, tsl_whole(a), 1, 0, &v) && v == 8 &&
              !tsl_set_element(ctx, tsl_whole(a), 2, 0, 1e9) && p[2] == 1000000000,
          "indices");
    /* what the type cannot hold is refused, and NaN is a number */
    static const double no_index[] = {2.5, 1e30, 9223372036854775808.0, -9223372036854777856.0, INFINITY};
    for (size_t k = 0; k < sizeof no_index / sizeof *no_index; k++)
        check(tsl_set_element(ctx, tsl_whole(a), 0, 0, no_index[k]) == TSL_ERR_TYPE && p[0] == 7, "%g for an index: %s", no_index[k], tsl_error(ctx));
    check(tsl_set_element(ctx, tsl_whole(a), 0, 0, NAN) == TSL_ERR_TYPE && tsl_set_element(ctx, tsl_whole(a), 0, 0, CMPLX(1, 1)) == TSL_ERR_TYPE && p[0] == 7, "no index: %s", tsl_error(ctx));
    check(!tsl_set_element(ctx, tsl_whole(a), 0, 0, -9223372036854775808.0) && p[0] == INT64_MIN, "the least index: %s", tsl_error(ctx));
    tsl_matrix_free(a);
    dense one = dense_make(t, 1, 1, CANARY_FINITE);
    dense_put(&one, 0, 0, 4);
    bool real = t == TSL_S || t == TSL_D;
    check(!tsl_matrix_wrap(ctx, t, 1, 1, one.data, one.ld, &a), "%s", tsl_error(ctx));
    check(tsl_set_element(ctx, tsl_whole(a), 0, 0, CMPLX(5, 3)) == (real ? TSL_ERR_TYPE : TSL_OK) && dense_get(&one, 0, 0) == (real ? 4 : CMPLX(5, 3)), "an imaginary part: %s", tsl_error(ctx));
    check(!tsl_set_element(ctx, tsl_whole(a), 0, 0, NAN) && isnan(creal(dense_get(&one, 0, 0))), "NaN: %s", tsl_error(ctx));
    tsl_matrix_free(a), dense_free(&one);
    checked("%s: %c, elements", where, tsl_type_letter(t));
}

static void typed_and_refused(void)
{
    double a[12], b[12], was[12];
    for (int i = 0; i < 12; i++) a[i] = i + 1, b[i] = 100 + i;
    check(!tsl_dlaset(ctx, 'l', 3, 4, 7, 8, b, 3) && b[0] == 8 && b[1] == 7 && b[2] == 7 && b[3] == 103 && b[4] == 8 && b[8] == 8 && b[9] == 109, "dlaset L");
    check(!tsl_dlaset(ctx, 'A', 3, 4, 0, 1, b, 3) && b[0] == 1 && b[1] == 0 && b[4] == 1 && b[11] == 0, "dlaset A");
    check(!tsl_dgeadd(ctx, 'T', 3, 4, 2, a, 4, 1, b, 3) && b[0] == 3 && b[1] == 10 && b[3] == 4 && b[4] == 13, "dgeadd T: %s", tsl_error(ctx));
    check(!tsl_dgeadd(ctx, 'N', 3, 4, 1, b, 3, 1, b, 3) && b[0] == 6 && b[1] == 20, "dgeadd of the same: %s", tsl_error(ctx));
    memcpy(was, b, sizeof b);
    check(tsl_dlaset(ctx, 'x', 3, 4, 0, 1, b, 3) == TSL_ERR_FLAG && tsl_dlaset(ctx, 'U', -1, 4, 0, 1, b, 3) == TSL_ERR_SIZE &&
              tsl_dlaset(ctx, 'U', 3, -4, 0, 1, b, 3) == TSL_ERR_SIZE && tsl_dlaset(ctx, 'U', 3, 4, 0, 1, NULL, 3) == TSL_ERR_NULL &&
              tsl_dlaset(ctx, 'U', 3, 4, 0, 1, b, 2) == TSL_ERR_LD,
          "dlaset refuses");
    check(tsl_dgeadd(ctx, 'x', 3, 4, 1, a, 3, 1, b, 3) == TSL_ERR_FLAG && tsl_dgeadd(ctx, 'N', -1, 4, 1, a, 3, 1, b, 3) == TSL_ERR_SIZE &&
              tsl_dgeadd(ctx, 'N', 3, -1, 1, a, 3, 1, b, 3) == TSL_ERR_SIZE && tsl_dgeadd(ctx, 'N', 3, 4, 1, NULL, 3, 1, b, 3) == TSL_ERR_NULL &&
              tsl_dgeadd(ctx, 'T', 3, 4, 1, a, 3, 1, b, 3) == TSL_ERR_LD && tsl_dgeadd(ctx, 'N', 3, 4, 1, a, 3, 1, NULL, 3) == TSL_ERR_NULL &&
              tsl_dgeadd(ctx, 'N', 3, 4, 1, a, 3, 1, b, 2) == TSL_ERR_LD && tsl_dgeadd(ctx, 'N', 3, 3, 1, b + 1, 3, 1, b, 3) == TSL_ERR_OVERLAP &&
              tsl_dgeadd(ctx, 'T', 3, 3, 1, b, 3, 1, b, 3) == TSL_ERR_OVERLAP,
          "dgeadd refuses");
    check(!memcmp(was, b, sizeof b) && !tsl_dlaset(ctx, 'U', 0, 4, 0, 1, b, 1) && !tsl_dgeadd(ctx, 'N', 0, 4, 1, NULL, 1, 1, b, 1) &&
              !tsl_dgeadd(ctx, 'N', 3, 4, 0, NULL, 3, 1, b, 3) && !memcmp(was, b, sizeof b),
          "nothing to do: %s", tsl_error(ctx));
    tsl_matrix *A, *S;
    float s[12] = {0};
    check(!tsl_matrix_wrap(ctx, TSL_D, 3, 4, a, 3, &A) && !tsl_matrix_wrap(ctx, TSL_S, 3, 4, s, 3, &S), "matrices");
    tsl_view V = tsl_whole(A), unit = tsl_unit(tsl_lower(tsl_sub(V, 0, 0, 3, 3)));
    check(tsl_geadd(ctx, 1, V, 1, tsl_whole(S)) == TSL_ERR_TYPE && tsl_geadd(ctx, 1, tsl_trans(V), 1, V) == TSL_ERR_SHAPE, "geadd of views");
    check(tsl_laset(ctx, 0, 1, unit) == TSL_ERR_UPLO && tsl_random(ctx, 1, unit) == TSL_ERR_UPLO, "a unit diagonal: %s", tsl_error(ctx));
    check(!tsl_random(ctx, 1, tsl_sub(V, 0, 0, 0, 4)) && a[0] == 1, "no elements");
    tsl_matrix_free(A), tsl_matrix_free(S);
    checked("%s: typed calls, bad arguments", where);
}

static void on(const char *devices, const char *tile)
{
    static const int64_t size[][2] = {{1, 1}, {7, 7}, {33, 12}, {12, 33}, {70, 70}};
    static const double factor[][2] = {{1, 1}, {0.5, 0}, {0, -2}, {-1.5, 0.75}};
    where = devices;
    if (!(ctx = context_by(devices, tile))) return;
    for (tsl_type t = TSL_S; t <= TSL_Z; t++) {
        unsigned turn = t;
        for (size_t k = 0; k < sizeof size / sizeof *size; k++)
            for (int place = HOST; place < PLACES; place++)
                for (int op = TSL_NOTRANS; op <= TSL_HERM; op++)
                    for (int uplo = TSL_GENERAL; uplo <= TSL_UPPER; uplo++, turn++) {
                        tsl_scalar alpha = factor[turn % 4][0], beta = factor[turn % 4][1];
                        if (tsl_is_complex(t) && turn % 3 == 0) alpha *= CMPLX(1, 2), beta *= CMPLX(0.5, -1);
                        filled(t, place, size[k][0], size[k][1], (tsl_op)op, (tsl_uplo)uplo);
                        summed(t, place, size[k][0], size[k][1], (tsl_op)(turn / 4 % 4), (tsl_op)op, (tsl_uplo)uplo, alpha, beta);
                    }
        checked("%s: %c, laset and geadd", where, tsl_type_letter(t));
        random_ones(t);
        elements(t);
    }
    random_enough();
    typed_and_refused();
    tsl_context_destroy(ctx);
}

int main(void)
{
    on("host", "0");
    on("host:3", "9");
    on("cuda", "0");
    return tap_done();
}
