/* Complex factors of real matrices are refused, whatever the operation; and the lines about operands that do not suit say
 * which, by their names in the header, with their sizes and types. */
#include "dense.h"
#include "tiled.h"

enum { N = 6 };

static tsl_matrix *wrap(tsl_context *x, const dense *d, int64_t nb)
{
    tsl_matrix *a = NULL;
    tsl_status st = nb ? tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, nb, &a) : tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &a);
    check(!st, "wrap");
    return a;
}

/* Real types refuse it, complex ones take it. */
#define FACTOR(what, call)                                                                                                     \
    do {                                                                                                                       \
        tsl_status got_ = call;                                                                                                \
        check(got_ == (real ? TSL_ERR_TYPE : TSL_OK), "%s: %s", what, tsl_status_name(got_));                                  \
        check(!real || strstr(tsl_error(x), "2+3i, a complex number"), "%s: says '%s'", what, tsl_error(x));                   \
    } while (0)

static void test_factors(tsl_context *x, const char *spec, tsl_type t, int64_t nb)
{
    bool real = !tsl_is_complex(t);
    dense d[3], was[3];
    tsl_matrix *mat[3];
    for (int i = 0; i < 3; i++) {
        d[i] = dense_make(t, N, N, CANARY_FINITE);
        dense_dominant(&d[i], 3 + (uint64_t)i);
        was[i] = dense_copy(&d[i]);
        mat[i] = wrap(x, &d[i], nb);
    }
    tsl_view A = tsl_whole(mat[0]), B = tsl_whole(mat[1]), C = tsl_whole(mat[2]), L = tsl_lower(A), U = tsl_upper(C);
    tsl_scalar f = CMPLX(2, 3);
    FACTOR("scale", tsl_scale(x, f, C));
    FACTOR("gemm, alpha", tsl_gemm(x, f, A, B, 1, C));
    FACTOR("gemm, beta", tsl_gemm(x, 1, A, B, f, C));
    FACTOR("gemm, no product", tsl_gemm(x, 0, A, B, f, C));
    FACTOR("gemmt, alpha", tsl_gemmt(x, f, A, B, 1, U));
    FACTOR("gemmt, beta", tsl_gemmt(x, 1, A, B, f, U));
    FACTOR("symm, alpha", tsl_symm(x, TSL_LEFT, f, L, B, 1, C));
    FACTOR("symm, beta", tsl_symm(x, TSL_LEFT, 1, L, B, f, C));
    FACTOR("hemm, alpha", tsl_hemm(x, TSL_RIGHT, f, L, B, 1, C));
    FACTOR("hemm, beta", tsl_hemm(x, TSL_RIGHT, 1, L, B, f, C));
    FACTOR("syrk, alpha", tsl_syrk(x, f, A, 1, U));
    FACTOR("syrk, beta", tsl_syrk(x, 1, A, f, U));
    FACTOR("syr2k, alpha", tsl_syr2k(x, f, A, B, 1, U));
    FACTOR("syr2k, beta", tsl_syr2k(x, 1, A, B, f, U));
    FACTOR("her2k, alpha", tsl_her2k(x, f, A, B, 1, U));
    FACTOR("trmm", tsl_trmm(x, TSL_LEFT, f, L, B));
    FACTOR("trsm", tsl_trsm(x, TSL_LEFT, f, L, B));
    if (!nb) {
        tsl_view v = tsl_sub(B, 0, 0, N, 1), w = tsl_sub(C, 0, 1, N, 1);
        FACTOR("scal", tsl_scal(x, f, w));
        FACTOR("axpy", tsl_axpy(x, f, v, w));
        FACTOR("rot", tsl_rot(x, v, w, 0.6, f));
        FACTOR("gemv, alpha", tsl_gemv(x, f, A, v, 1, w));
        FACTOR("gemv, beta", tsl_gemv(x, 1, A, v, f, w));
        FACTOR("symv, alpha", tsl_symv(x, f, L, v, 1, w));
        FACTOR("hemv, beta", tsl_hemv(x, 1, L, v, f, w));
        FACTOR("gbmv, alpha", tsl_gbmv(x, TSL_NOTRANS, N, N, 2, 3, f, A, v, 1, w));
        FACTOR("hbmv, beta", tsl_hbmv(x, TSL_LOWER, N, N - 1, 1, A, v, f, w));
        FACTOR("ger", tsl_ger(x, f, v, w, A));
        FACTOR("syr", tsl_syr(x, f, v, L));
        FACTOR("syr2", tsl_syr2(x, f, v, w, L));
        FACTOR("her2", tsl_her2(x, f, v, w, L));
        const double param[5] = {-1, 1, 2, 3, 1};
        if (real) check(!tsl_rotm(x, v, w, param), "rotm has four numbers, none of them complex: %s", tsl_error(x));
        if (real) memcpy(d[1].data, was[1].data, was[1].bytes), memcpy(d[2].data, was[2].data, was[2].bytes);
    }
    if (real)
        for (int i = 0; i < 3; i++) check(dense_same(&d[i], &was[i]), "nothing touched");
    for (int i = 0; i < 3; i++) tsl_matrix_free(mat[i]), dense_free(&d[i]), dense_free(&was[i]);
    checked("%s, %c%s: complex factors", spec, tsl_type_letter(t), nb ? ", tiles" : "");
}

static void says(tsl_context *x, tsl_status got, tsl_status want, const char *line)
{
    check(got == want && !strcmp(tsl_error(x), line), "%s '%s', want %s '%s'", tsl_status_name(got), tsl_error(x), tsl_status_name(want), line);
}

static void test_lines(tsl_context *x, tsl_context *stranger, const char *spec)
{
    dense d = dense_make(TSL_D, N, N, CANARY_FINITE), e = dense_make(TSL_D, N, N, CANARY_FINITE), f = dense_make(TSL_S, N, N, CANARY_FINITE);
    tsl_matrix *a = wrap(x, &d, 0), *b = wrap(x, &e, 0), *s = wrap(x, &f, 0), *far = wrap(stranger, &e, 0), *tiled = wrap(x, &e, 4);
    tsl_view A = tsl_whole(a), B = tsl_whole(b), L = tsl_lower(A), flat = tsl_sub(B, 0, 0, 3, N), out = A, odd = A;
    double number;
    out.j = 3, odd.op = (tsl_op)7;
    says(x, tsl_gemm(x, 1, tsl_sub(A, 0, 0, 3, 4), tsl_sub(A, 0, 0, 5, 6), 1, B), TSL_ERR_SHAPE,
         "gemm: the inner dimensions differ: A is 3 x 4, B is 5 x 6, C is 6 x 6");
    says(x, tsl_gemm(x, 1, tsl_trans(flat), flat, 1, tsl_sub(A, 0, 0, 2, 5)), TSL_ERR_SHAPE,
         "gemm: C must have A's rows and B's columns: A is 6 x 3, B is 3 x 6, C is 2 x 5");
    says(x, tsl_gemm(x, 1, A, A, 1, tsl_lower(tsl_whole(tiled))), TSL_ERR_UPLO, "gemm: C is a triangle, must be a whole block (tsl_general)");
    says(x, tsl_trsm(x, TSL_LEFT, 1, A, B), TSL_ERR_UPLO, "trsm: A must be a triangle (tsl_lower or tsl_upper)");
    says(x, tsl_trsm(x, TSL_LEFT, 1, L, flat), TSL_ERR_SHAPE, "trsm: from the left A's order must be B's rows: A is 6 x 6, B is 3 x 6");
    says(x, tsl_symm(x, TSL_RIGHT, 1, L, tsl_trans(flat), 1, tsl_sub(B, 0, 3, N, 3)), TSL_ERR_SHAPE,
         "symm: from the right A's order must be C's columns: A is 6 x 6, B is 6 x 3, C is 6 x 3");
    says(x, tsl_syr2k(x, 1, A, flat, 1, tsl_lower(B)), TSL_ERR_SHAPE, "syr2k: A and B differ in size: A is 6 x 6, B is 3 x 6, C is 6 x 6");
    says(x, tsl_syrk(x, 1, flat, 1, L), TSL_ERR_SHAPE, "syrk: C's order must be A's rows: A is 3 x 6, C is 6 x 6");
    says(x, tsl_potrf(x, tsl_upper(tsl_sub(A, 0, 0, 4, 5)), NULL), TSL_ERR_SHAPE, "potrf: A is 4 x 5, must be square");
    says(x, tsl_potrs(x, tsl_unit(L), B), TSL_ERR_UPLO, "potrs: A has a unit diagonal (tsl_unit), must have one of its own");
    says(x, tsl_copy(x, flat, A), TSL_ERR_SHAPE, "copy: A and B differ in size: A is 3 x 6, B is 6 x 6");
    says(x, tsl_gemm(x, 1, A, out, 1, B), TSL_ERR_VIEW, "gemm: B, 6 x 6 from row 0 and column 3, lies outside its matrix of 6 x 6");
    says(x, tsl_gemm(x, 1, A, tsl_sub(A, 4, 4, 4, 4), 1, B), TSL_ERR_VIEW, "gemm: B has no matrix, or is a block of another view that lies outside it");
    says(x, tsl_scale(x, 1, odd), TSL_ERR_FLAG, "scale: A has op 7, uplo 0, diag 0: one of them has no such value");
    says(x, tsl_gemm(x, 1, A, tsl_whole(s), 1, B), TSL_ERR_TYPE, "gemm: the element types differ: A is d, B is s");
    says(x, tsl_gemm(x, 1, A, A, 1, tsl_whole(far)), TSL_ERR_CONTEXT, "gemm: C was made in another context than the one of this call");
    says(x, tsl_gemv(x, 1, A, flat, 1, tsl_sub(B, 0, 0, N, 1)), TSL_ERR_SHAPE, "gemv: x is 3 x 6, must be a vector of 6 elements");
    says(x, tsl_dot(x, tsl_sub(A, 0, 0, N, 1), tsl_sub(B, 0, 0, 1, 2), &(tsl_scalar){0}), TSL_ERR_SHAPE, "dot: y is 1 x 2, must be a vector of 6 elements");
    says(x, tsl_gbmv(x, TSL_NOTRANS, N, N, 1, 1, 1, A, tsl_sub(B, 0, 0, N, 1), 1, tsl_sub(B, 0, 1, N, 1)), TSL_ERR_SHAPE, "gbmv: AB is 6 x 6, must be 3 x 6");
    says(x, tsl_spmv(x, TSL_LOWER, -1, 1, A, flat, 1, flat), TSL_ERR_SIZE, "spmv: n is -1, must not be negative");
    says(x, tsl_rot(x, tsl_sub(A, 0, 0, N, 1), tsl_sub(B, 0, 0, N, 1), 1, CMPLX(0, 0.5)), TSL_ERR_TYPE,
         "rot: s is 0+0.5i, a complex number, and the elements of x are real (d)");
    says(x, tsl_solve(x, A, tsl_sub(B, 0, 0, N, 2), tsl_sub(B, 0, 1, N, 2), NULL, NULL), TSL_ERR_OVERLAP, "solve: X overlaps B");
    says(x, tsl_gels(x, A, tsl_sub(A, 0, 0, N, 1), NULL), TSL_ERR_OVERLAP, "gels: B overlaps A");
    says(x, tsl_geqrf(x, A, tsl_sub(A, 0, 0, N, 1)), TSL_ERR_OVERLAP, "geqrf: tau overlaps A");
    says(x, tsl_norm(x, TSL_NORM_ONE, TSL_SYMMETRIC, tsl_unit(A), &number), TSL_ERR_UPLO, "norm: A has a unit diagonal (tsl_unit), must have one of its own");
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(s), tsl_matrix_free(far), tsl_matrix_free(tiled);
    dense_free(&d), dense_free(&e), dense_free(&f);
    checked("%s: what the lines say", spec);
}

/* Typed calls say their own name and which arguments they are, by whatever way they go. */
static void test_typed(tsl_context *x, const char *spec)
{
    enum { LARGE = 80 };
    static double d[LARGE * LARGE];
    static float complex c[LARGE * LARGE];
    static double t[LARGE];
    static int64_t piv[LARGE];
    for (int64_t n = 3; n <= LARGE; n += LARGE - 3) {
        int64_t info = 0;
        says(x, tsl_dgemm(x, 'N', 'T', n, n, n, 1, d, n, d, n, 1, d, n), TSL_ERR_OVERLAP, "dgemm: argument 12 (C) overlaps argument 7 (A)");
        says(x, tsl_csyrk(x, 'L', 'N', n, n, 1, c, n, 1, c + n - 1, n), TSL_ERR_OVERLAP, "csyrk: argument 9 (C) overlaps argument 6 (A)");
        says(x, tsl_dtrsm(x, 'R', 'U', 'N', 'N', n, n, 1, d, n, d, n), TSL_ERR_OVERLAP, "dtrsm: argument 10 (B) overlaps argument 8 (A)");
        says(x, tsl_dposv(x, 'U', n, 1, d, n, d, n, &info), TSL_ERR_OVERLAP, "dposv: argument 6 (B) overlaps argument 4 (A)");
        check(info == -6, "dposv: info %lld", (long long)info);
        says(x, tsl_cgerc(x, n, n, 1, c, 1, c, 1, c, n), TSL_ERR_OVERLAP, "cgerc: argument 8 (A) overlaps argument 4 (x)");
        says(x, tsl_dspmv(x, 'L', n, 1, d, d, 1, 0, d + 1, 1), TSL_ERR_OVERLAP, "dspmv: argument 8 (y) overlaps argument 4 (AP)");
        says(x, tsl_csrot(x, n, c, 1, c + 1, 1, 0.6f, 0.8f), TSL_ERR_OVERLAP, "csrot: argument 4 (y) overlaps argument 2 (x)");
        says(x, tsl_dcopy(x, n, d, 1, d + 1, 1), TSL_ERR_OVERLAP, "dcopy: argument 4 (y) overlaps argument 2 (x)");
        says(x, tsl_dgesv(x, n, 1, d, n, piv, d, n, &info), TSL_ERR_OVERLAP, "dgesv: argument 6 (B) overlaps argument 3 (A)");
        says(x, tsl_dgetrf(x, n, n, d, n, (int64_t *)d, &info), TSL_ERR_OVERLAP, "dgetrf: argument 5 (p) overlaps argument 3 (A)");
        says(x, tsl_dgeqrf(x, n, n, d, n, d + n, &info), TSL_ERR_OVERLAP, "dgeqrf: argument 5 (tau) overlaps argument 3 (A)");
        says(x, tsl_dgelqf(x, n, n, d, n, d + n, &info), TSL_ERR_OVERLAP, "dgelqf: argument 5 (tau) overlaps argument 3 (A)");
        says(x, tsl_dormqr(x, 'L', 'T', n, n, n, d, n, t, d, n, &info), TSL_ERR_OVERLAP, "dormqr: argument 9 (C) overlaps argument 6 (A)");
        says(x, tsl_dgels(x, 'N', n, n, 1, d, n, d, n, &info), TSL_ERR_OVERLAP, "dgels: argument 7 (B) overlaps argument 5 (A)");
        says(x, tsl_dgels_inc(x, n, n, 1, d, n, d, n, &info), TSL_ERR_OVERLAP, "dgels_inc: argument 6 (B) overlaps argument 4 (A)");
        says(x, tsl_dgesv_incpiv(x, n, 1, d, n, d, n, &info), TSL_ERR_OVERLAP, "dgesv_incpiv: argument 5 (B) overlaps argument 3 (A)");
        says(x, tsl_dsgesv(x, n, 1, d, n, piv, t, n, t, n, NULL, &info), TSL_ERR_OVERLAP, "dsgesv: argument 8 (X) overlaps argument 6 (B)");
    }
    check(!tsl_set(x, "variant", "ahead"), "an option");
    says(x, tsl_dgemm(x, 'N', 'N', 2, 2, 2, 1, d, 2, d, 2, 1, d + 4, 2), TSL_ERR_OPTION, "dgemm: there is no variant 'ahead' of it");
    check(!tsl_set(x, "variant", "auto"), "an option");
    checked("%s: what typed calls say", spec);
}

/* So they do where they find no memory, by tiles and in one piece. */
static void test_memory(const char *path)
{
    enum { LARGE = 120 };
    static double d[LARGE * LARGE], b[LARGE], y[LARGE];
    static int64_t piv[LARGE];
    static const char *const names[] = {"dpotrf", "dgetrf", "dgesv", "dgetri", "dgeqrf", "dgelqf", "dormqr", "dorgqr", "dgels", "dgels_inc",
                                        "dgesv_incpiv", "dsgesv"};
    tsl_context *x = make("host:1,mem=1K");
    check(!tsl_set(x, "path", path), "path");
    for (int i = 0; i < LARGE; i++) piv[i] = i + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int64_t n = LARGE, info = -77;
        tsl_status st = i == 0   ? tsl_dpotrf(x, 'L', n, d, n, &info)
                        : i == 1 ? tsl_dgetrf(x, n, n, d, n, piv, &info)
                        : i == 2 ? tsl_dgesv(x, n, 1, d, n, piv, b, n, &info)
                        : i == 3 ? tsl_dgetri(x, n, d, n, piv, &info)
                        : i == 4 ? tsl_dgeqrf(x, n, n, d, n, b, &info)
                        : i == 5 ? tsl_dgelqf(x, n, n, d, n, b, &info)
                        : i == 6 ? tsl_dormqr(x, 'L', 'T', n, 1, n, d, n, b, y, n, &info)
                        : i == 7 ? tsl_dorgqr(x, n, n, n, d, n, b, &info)
                        : i == 8 ? tsl_dgels(x, 'N', n, n, 1, d, n, b, n, &info)
                        : i == 9 ? tsl_dgels_inc(x, n, n, 1, d, n, b, n, &info)
                        : i == 10 ? tsl_dgesv_incpiv(x, n, 1, d, n, b, n, &info)
                                  : tsl_dsgesv(x, n, 1, d, n, piv, b, n, y, n, NULL, &info);
        const char *line = tsl_error(x);
        size_t length = strlen(names[i]);
        check(st == TSL_ERR_DEVICE_MEMORY && info == -77 && !strncmp(line, names[i], length) && line[length] == ':' &&
                  strstr(line, " needs "),
              "%s, %s: %s", names[i], path, line);
    }
    tsl_context_destroy(x);
    checked("what typed calls say of memory, path %s", path);
}

int main(void)
{
    const char *specs[] = {"host", "host:2"};
    for (int s = 0; s < 2; s++) {
        tsl_context *x = make(specs[s]), *stranger = make("host");
        for (int t = 0; t < 4 && x; t++) {
            test_factors(x, specs[s], (tsl_type)t, 0);
            test_factors(x, specs[s], (tsl_type)t, 4);
        }
        if (x && stranger) test_lines(x, stranger, specs[s]);
        if (x) test_typed(x, specs[s]);
        tsl_context_destroy(stranger);
        tsl_context_destroy(x);
    }
    test_memory("auto"), test_memory("one");
    return tap_done();
}
