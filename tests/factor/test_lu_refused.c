/* What the calls of LU refuse: operands that share memory, views and types that do not suit, rows and pivots out of range; each
 * with its status, a line, info where there is one, and nothing written. */
#include "lu.h"

enum { N = 6, BIG = 70 };

static tsl_context *x;

typedef struct arrays {
    dense A, B, p;
} arrays;

static arrays renew(tsl_type t, int64_t n)
{
    arrays a = {lu_matrix(t, n, n, PLANTED, 1), dense_make(t, n, n, CANARY_FINITE), lu_pivots(n)};
    dense_random(&a.B, 2);
    for (int64_t i = 0; i < n; i++) *(int64_t *)dense_at(&a.p, i, 0) = i + 1;
    return a;
}

static void drop(arrays *a) { dense_free(&a->A), dense_free(&a->B), dense_free(&a->p); }

static void refused(tsl_status got, tsl_status want, const arrays *now, const arrays *was, const char *says, const char *what)
{
    check(got == want, "%s: %s, not %s", what, tsl_status_name(got), tsl_status_name(want));
    check(strstr(tsl_error(x), says) != NULL, "%s: says '%s'", what, tsl_error(x));
    check(dense_same(&now->A, &was->A) && dense_same(&now->B, &was->B) && dense_same(&now->p, &was->p), "%s: something was written", what);
}

/* Pivots in A or B, B in A: of small calls and of others. */
static void overlaps(tsl_type t, int64_t n)
{
    const typed_calls *f = typed_for(t);
    arrays a = renew(t, n), was = {dense_copy(&a.A), dense_copy(&a.B), dense_copy(&a.p)};
    void *A = a.A.data, *B = a.B.data;
    int64_t lda = a.A.ld, *p = (int64_t *)a.p.data, *in_A = (int64_t *)A, *in_B = (int64_t *)B, info;
    char what[80];
#define OVERLAP(argument, call)                                                                                                \
    info = 4711, snprintf(what, sizeof what, "%c %s", tsl_type_letter(t), #call);                                              \
    refused(call, TSL_ERR_OVERLAP, &a, &was, "overlaps", what);                                                                \
    check(info == argument, "%s: info %d", what, (int)info)
    OVERLAP(-5, f->getrf(x, n, n, A, lda, in_A, &info));
    OVERLAP(-5, f->getrf(x, n, n, A, lda, in_A + 1, &info));
    OVERLAP(-7, f->getrs(x, 'N', n, 2, A, lda, p, A, lda, &info));
    OVERLAP(-7, f->getrs(x, 'T', n, 2, A, lda, in_B, B, lda, &info));
    OVERLAP(-6, f->gesv(x, n, 2, A, lda, p, A, lda, &info));
    OVERLAP(-6, f->gesv(x, n, 2, A, lda, in_B, B, lda, &info));
    OVERLAP(-5, f->gesv(x, n, 2, A, lda, in_A, B, lda, &info));
    OVERLAP(-4, f->getri(x, n, A, lda, in_A, &info));
#undef OVERLAP
    checked("%c, order %d: operands that share memory", tsl_type_letter(t), (int)n);
    drop(&a), drop(&was);
}

static void views(tsl_type t)
{
    arrays a = renew(t, N), was = {dense_copy(&a.A), dense_copy(&a.B), dense_copy(&a.p)};
    dense real = dense_make(TSL_D, N, 1, CANARY_FINITE), other = dense_make(t == TSL_S ? TSL_D : TSL_S, N, N, CANARY_FINITE);
    tsl_matrix *mat[5] = {0};
    dense *of[5] = {&a.A, &a.B, &a.p, &real, &other};
    for (int i = 0; i < 5; i++) check(!tsl_matrix_wrap(x, of[i]->t, of[i]->m, of[i]->n, of[i]->data, of[i]->ld, &mat[i]), "wrap");
    tsl_view A = tsl_whole(mat[0]), B = tsl_whole(mat[1]), p = tsl_whole(mat[2]), r = tsl_whole(mat[3]), O = tsl_whole(mat[4]);
    tsl_view few = tsl_sub(p, 0, 0, N - 1, 1), wide = tsl_sub(A, 0, 0, N - 1, N);
    int64_t info = 4711;
#define REFUSED(want, says, call) refused(call, want, &a, &was, says, #call)
    REFUSED(TSL_ERR_TYPE, "p must be a matrix of indices", tsl_getrf(x, A, r, &info));
    REFUSED(TSL_ERR_TYPE, "A has indices", tsl_getrf(x, p, p, &info));
    REFUSED(TSL_ERR_TYPE, "p must be a matrix of indices", tsl_laswp(x, A, r, 0));
    REFUSED(TSL_ERR_TYPE, "p must be a matrix of indices", tsl_getrs(x, A, r, B));
    REFUSED(TSL_ERR_TYPE, "B has indices", tsl_getrs(x, A, p, p));
    REFUSED(TSL_ERR_TYPE, "B is", tsl_gesv(x, A, p, O, &info));
    REFUSED(TSL_ERR_TYPE, "has indices", tsl_gemm(x, 1, A, B, 1, p));
    REFUSED(TSL_ERR_TYPE, "has indices", tsl_gemm(x, 1, p, p, 1, p));
    REFUSED(TSL_ERR_TYPE, "has indices", tsl_scale(x, 2, p));
    REFUSED(TSL_ERR_TYPE, "has indices", tsl_potrf(x, tsl_lower(tsl_sub(p, 0, 0, 1, 1)), &info));
    REFUSED(TSL_ERR_TYPE, "", tsl_copy(x, r, p));
    REFUSED(TSL_ERR_FLAG, "transposed", tsl_getrf(x, tsl_trans(A), p, &info));
    REFUSED(TSL_ERR_FLAG, "transposed", tsl_gesv(x, tsl_herm(A), p, B, &info));
    REFUSED(TSL_ERR_FLAG, "transposed", tsl_getri(x, tsl_trans(A), p, &info));
    REFUSED(TSL_ERR_UPLO, "A is a triangle", tsl_getrf(x, tsl_lower(A), p, &info));
    REFUSED(TSL_ERR_UPLO, "B is a triangle", tsl_getrs(x, A, p, tsl_upper(B)));
    REFUSED(TSL_ERR_SHAPE, "must be a column of 6 pivots", tsl_getrf(x, A, few, &info));
    REFUSED(TSL_ERR_SHAPE, "must be a column of 5 pivots", tsl_getrf(x, wide, p, &info));
    REFUSED(TSL_ERR_SHAPE, "must be a column of 6 pivots", tsl_getrf(x, A, tsl_trans(p), &info));
    REFUSED(TSL_ERR_SHAPE, "must be a column", tsl_laswp(x, A, tsl_trans(p), 0));
    REFUSED(TSL_ERR_SHAPE, "more pivots than rows", tsl_laswp(x, wide, p, 0));
    REFUSED(TSL_ERR_SHAPE, "must be square", tsl_getrs(x, wide, few, B));
    REFUSED(TSL_ERR_SHAPE, "must be square", tsl_getri(x, wide, few, &info));
    REFUSED(TSL_ERR_SHAPE, "A's order must be B's rows", tsl_getrs(x, A, p, tsl_sub(B, 0, 0, N - 1, N)));
    REFUSED(TSL_ERR_SHAPE, "A's order must be B's rows", tsl_gesv(x, A, p, tsl_sub(B, 0, 0, 2, N), &info));
    REFUSED(TSL_ERR_OVERLAP, "B overlaps A", tsl_gesv(x, A, p, A, &info));
    REFUSED(TSL_ERR_OVERLAP, "B overlaps A", tsl_getrs(x, A, p, tsl_trans(A)));
#undef REFUSED
    check(info == 4711, "info %d of refused views", (int)info);
    for (int i = 0; i < 5; i++) tsl_matrix_free(mat[i]);
    dense_free(&real), dense_free(&other), drop(&a), drop(&was);
    checked("%c: views and types that do not suit", tsl_type_letter(t));
}

static void rows(tsl_type t)
{
    const typed_calls *f = typed_for(t);
    arrays a = renew(t, N), was = {dense_copy(&a.A), dense_copy(&a.B), dense_copy(&a.p)};
    void *A = a.A.data;
    int64_t lda = a.A.ld, *p = (int64_t *)a.p.data;
#define ROWS(want, says, call) refused(call, want, &a, &was, says, #call)
    ROWS(TSL_ERR_SIZE, " 1 ", f->laswp(x, -1, A, lda, 1, N, p, 1));
    ROWS(TSL_ERR_NULL, " 2 ", f->laswp(x, N, NULL, lda, 1, N, p, 1));
    ROWS(TSL_ERR_LD, " 3 ", f->laswp(x, N, A, N - 1, 1, N, p, 1));
    ROWS(TSL_ERR_SIZE, " 4 ", f->laswp(x, N, A, lda, 0, N, p, 1));
    ROWS(TSL_ERR_SIZE, " 5 ", f->laswp(x, N, A, lda, 4, 2, p, 1));
    ROWS(TSL_ERR_NULL, " 6 ", f->laswp(x, N, A, lda, 1, N, NULL, 1));
    ROWS(TSL_ERR_SIZE, " 7 ", f->laswp(x, N, A, lda, 1, N, p, 2));
    ROWS(TSL_ERR_SIZE, " 7 ", f->laswp(x, N, A, lda, 1, N, p, 0));
    *(int64_t *)A = *(int64_t *)was.A.data = 1; /* a pivot in A itself */
    ROWS(TSL_ERR_OVERLAP, "overlaps", f->laswp(x, N, A, lda, 1, 1, A, 1));
#undef ROWS
    static const int64_t bad[] = {0, -1, 1 << 20, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        p[2] = bad[i];
        *(int64_t *)dense_at(&was.p, 2, 0) = bad[i];
        refused(f->laswp(x, N, A, lda, 1, N, p, 1), TSL_ERR_PIVOT, &a, &was, "(ipiv) has row", "a pivot out of range");
        check(f->laswp(x, N, A, lda, 4, N, p, 1) == TSL_OK && dense_same(&a.A, &was.A), "a pivot that is not used");
    }
    check(f->laswp(x, 0, NULL, lda, 1, N, NULL, 1) == TSL_OK && f->laswp(x, N, NULL, lda, 1, 0, NULL, -1) == TSL_OK, "nothing to do: %s", tsl_error(x));
    checked("%claswp: rows and pivots out of range", tsl_type_letter(t));
    drop(&a), drop(&was);
}

/* Pivots that begin before the matrix and end in it, with a leading dimension like its own: elements of two sizes have no
 * common grid. */
static void straddling(void)
{
    enum { ORDER = 8 };
    static _Alignas(16) float room[2 * ORDER * ORDER];
    float *A = room + 2 * ORDER;
    int64_t info = 0;
    tsl_status st = tsl_sgetrf(x, ORDER, ORDER, A, ORDER, (int64_t *)((char *)A - 6 * ORDER), &info);
    ok(st == TSL_ERR_OVERLAP && info == -5, "pivots that straddle the first element: %s", tsl_status_name(st));
}

int main(void)
{
    static const char *const specs[] = {"host", "host:1,mem=64M"};
    for (int s = 0; s < 2; s++) {
        tsl_config cfg = tsl_config_default();
        cfg.devices = specs[s];
        ok(tsl_context_create(&cfg, &x) == TSL_OK, "%s: a context", specs[s]);
        for (int i = 0; x && i < 4; i++) {
            overlaps(all_types[i], N), overlaps(all_types[i], BIG);
            views(all_types[i]);
            rows(all_types[i]);
        }
        if (x) straddling();
        tsl_context_destroy(x);
    }
    return tap_done();
}
