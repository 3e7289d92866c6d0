/* The QR iteration of a Hessenberg matrix: a block inside of it, and chains of bulges as on a GPU. */
#include "geev.h"

/* A block inside of H, by LAPACK and by chains of bulges: of any Z, rows ilo .. ihi become these times Q, and no others change.
 * Of one element: T is triangular. */
static void inside(tsl_context *x, const char *name)
{
    enum { N = 200, ILO = 21, IHI = 190 };
    for (int k = 0; k < 4; k++) {
        tsl_type t = k % 2 ? TSL_Z : TSL_S;
        int64_t info[2] = {-7, -7}, one = 7;
        dense H = general_matrix(t, N, GEN_RANDOM), H2, Q = dense_make(t, N, N, CANARY_FINITE), Z = general_matrix(t, N, GEN_RANDOM), was = dense_copy(&Z), w = values_of(t, N);
        only_block(&H, ILO, IHI);
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = j + 2; i < N; i++) dense_put(&H, i, j, 0);
        H2 = dense_copy(&H);
        dense_fill(&Q, 0);
        for (int64_t i = 0; i < N; i++) dense_put(&Q, i, i, 1);
        if (tsl_set(x, "variant", k < 2 ? "auto" : "shifts")) abort();
        tsl_matrix *h = wrap(x, &H), *h2 = wrap(x, &H2), *q = wrap(x, &Q), *z = wrap(x, &Z), *v = wrap(x, &w);
        tsl_status st = tsl_hseqr(x, 1, ILO, IHI, tsl_whole(h), real_parts(v), imaginary_parts(v), tsl_whole(q), &info[0]);
        if (!st) st = tsl_hseqr(x, 1, ILO, IHI, tsl_whole(h2), real_parts(v), imaginary_parts(v), tsl_whole(z), &info[1]);
        if (!st) st = tsl_wait(x);
        check(!st && !info[0] && !info[1], "%s: hseqr of a block: %s, info %d and %d", name, tsl_error(x), (int)info[0], (int)info[1]);
        double off = 0;
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++) {
                tsl_scalar sum = 0;
                bool in = i + 1 >= ILO && i + 1 <= IHI;
                for (int64_t r = 0; r < N && in; r++) sum += dense_get(&was, i, r) * dense_get(&Q, r, j);
                double d = cabs(dense_get(&Z, i, j) - (in ? sum : dense_get(&was, i, j)));
                off = in ? fmax(off, d) : d > 0 ? INFINITY : off;
            }
        check(off < BOUND * N * tsl_type_eps(t), "%s: hseqr of a block, %c: Z is off by %g", name, tsl_type_letter(t), off);
        dense T = general_matrix(t, 9, GEN_RANDOM); /* with reflectors that do not count */
        for (int64_t j = 0; j + 1 < 9; j++) dense_put(&T, j + 1, j, 0);
        tsl_matrix *a = wrap(x, &T);
        if (tsl_set(x, "variant", "auto")) abort();
        st = tsl_hseqr(x, 1, 4, 4, tsl_whole(a), tsl_sub(real_parts(v), 0, 0, 9, 1), tsl_is_complex(t) ? (tsl_view){0} : tsl_sub(imaginary_parts(v), 0, 0, 9, 1), (tsl_view){0}, &one);
        if (!st) st = tsl_wait(x);
        for (int64_t j = 0; j < 9; j++)
            for (int64_t i = j + 1; i < 9; i++) check(dense_get(&T, i, j) == 0, "%s: hseqr of one element leaves (%d,%d)", name, (int)i, (int)j);
        check(!st && !one, "%s: hseqr of one element: %s, info %d", name, tsl_error(x), (int)one);
        tsl_matrix_free(h), tsl_matrix_free(h2), tsl_matrix_free(q), tsl_matrix_free(z), tsl_matrix_free(v), tsl_matrix_free(a);
        dense_free(&H), dense_free(&H2), dense_free(&Q), dense_free(&Z), dense_free(&was), dense_free(&w), dense_free(&T);
    }
    checked("%s: a block inside", name);
}

/* The iteration by chains of bulges, as on a GPU: with the Schur form and without, of a matrix that falls apart too */
static void by_shifts(tsl_context *x, const char *name, int cases)
{
    enum { N = 270 };
    for (int k = 0; k < cases; k++) {
        tsl_type t = k == 1 ? TSL_C : TSL_D;
        int64_t info = -7;
        dense H = general_matrix(t, N, GEN_RANDOM), full, Q = dense_make(t, N, N, CANARY_FINITE), w = values_of(t, N);
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++) {
                if (i > j + 1 || (k == 2 && i == j + 1 && i % 90 == 5)) dense_put(&H, i, j, 0);
                dense_put(&Q, i, j, i == j);
            }
        full = dense_copy(&H);
        tsl_matrix *h = wrap(x, &H), *q = wrap(x, &Q), *v = wrap(x, &w);
        if (tsl_set(x, "variant", k % 2 ? "shifts" : "ahead")) abort();
        tsl_status st = tsl_hseqr(x, 1, 1, N, tsl_whole(h), real_parts(v), imaginary_parts(v), tsl_whole(q), &info);
        double residual = off_of(&full, &Q, &H, 1), apart = eig_apart(&Q, N);
        check(!st && !info && residual < BOUND && apart < BOUND && is_schur(&H, &w), "%d: %s, info %d: residual %g, Q %g, form %d", k, tsl_error(x), (int)info, residual, apart, is_schur(&H, &w));
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++) dense_put(&H, i, j, i > j + 1 ? NAN : dense_get(&full, i, j)); /* does not count */
        st = tsl_hseqr(x, 0, 1, N, tsl_whole(h), real_parts(v), imaginary_parts(v), (tsl_view){0}, &info);
        check(!st && !info && off_trace(&full, &w, 1) < BOUND, "%d: %s, info %d: trace %g", k, tsl_error(x), (int)info, off_trace(&full, &w, 1));
        dense_put(&H, 100, 100, INFINITY);
        st = tsl_hseqr(x, 0, 1, N, tsl_whole(h), real_parts(v), imaginary_parts(v), (tsl_view){0}, &info);
        check(!st && info == N && eig_spoiled(&w, w.n), "%d: infinite: %s, info %d", k, tsl_error(x), (int)info);
        if (tsl_set(x, "variant", "auto")) abort();
        tsl_matrix_free(h), tsl_matrix_free(q), tsl_matrix_free(v);
        dense_free(&H), dense_free(&full), dense_free(&Q), dense_free(&w);
    }
    checked("%s: chains of bulges", name);
}

int main(void)
{
    static const char *const where[] = {"host", "host:1", "cuda"}; /* the second has a memory of its own */
    for (int k = 0; k < 3; k++) {
        tsl_context *x = context_on(where[k]);
        if (!x) continue;
        by_shifts(x, where[k], k == 1 ? 1 : 3);
        inside(x, where[k]);
        tsl_context_destroy(x);
    }
    return tap_done();
}
