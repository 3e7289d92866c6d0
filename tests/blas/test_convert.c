/* B := A in the other precision: every type, op and triangle, on every device and by tiles; what does not fit single precision
 * is told. */
#include "job.h"

static tsl_type other(tsl_type t) { return t == TSL_S ? TSL_D : t == TSL_D ? TSL_S : t == TSL_C ? TSL_Z : TSL_C; }

static tsl_scalar rounded(tsl_type t, tsl_scalar v)
{
    return other(t) == TSL_S || other(t) == TSL_C ? CMPLX((float)creal(v), (float)cimag(v)) : v;
}

/* A, m x n as stored, to B as A is seen; a triangle of A's */
static void converted(env *e, tsl_type t, int64_t m, int64_t n, tsl_op op, tsl_uplo uplo, int64_t tile)
{
    bool turn = op & TSL_TRANS;
    dense A = dense_make(t, m, n, CANARY_NAN), B = dense_make(other(t), turn ? n : m, turn ? m : n, CANARY_FINITE);
    tsl_matrix *a = NULL, *b = NULL, *host[2] = {0};
    int64_t info = -5, wrong = 0;
    dense_random(&A, (uint64_t)(m + n));
    dense was = dense_copy(&B);
    operand from = {.d = &A, .op = op, .uplo = uplo}, to = {.d = &B};
    tsl_status st = TSL_OK;
    if (tile) {
        st = tsl_tiled_wrap(e->ctx, t, A.ld, A.cols, A.data, A.ld, tile, &a);
        if (!st) st = tsl_tiled_wrap(e->ctx, B.t, B.ld, B.cols, B.data, B.ld, tile, &b);
    } else {
        st = job_bind(e, &A, &host[0], &a);
        if (!st) st = job_bind(e, &B, &host[1], &b);
    }
    if (!st) st = tsl_convert(e->ctx, job_view(&from, a), job_view(&to, b), &info);
    if (!st && !tile && b != host[1]) st = tsl_copy(e->ctx, tsl_whole(b), tsl_whole(host[1]));
    for (int64_t j = 0; j < B.n; j++)
        for (int64_t i = 0; i < B.m; i++) {
            bool in = in_triangle(uplo, turn ? j : i, turn ? i : j);
            tsl_scalar v = turn ? dense_get(&A, j, i) : dense_get(&A, i, j), want = in ? rounded(t, op & TSL_CONJ ? conj(v) : v) : dense_get(&was, i, j);
            wrong += in ? dense_get(&B, i, j) != want : memcmp(dense_at(&B, i, j), dense_at(&was, i, j), tsl_type_size(B.t)) != 0;
        }
    check(!st && info == 0 && !wrong && !dense_strays(&B, &was, TSL_GENERAL), "%c %d x %d op %d uplo %d tile %d: %s info %d, %d wrong",
          tsl_type_letter(t), (int)m, (int)n, op, uplo, (int)tile, tsl_error(e->ctx), (int)info, (int)wrong);
    tsl_matrix_free(a), tsl_matrix_free(b);
    if (host[0] != a) tsl_matrix_free(host[0]);
    if (host[1] != b) tsl_matrix_free(host[1]);
    dense_free(&A), dense_free(&B), dense_free(&was);
}

/* One element too large, infinite or not a number */
static void unfit(env *e, tsl_type t, double v, int64_t want)
{
    dense A = dense_make(t, 300, 9, CANARY_NAN), B = dense_make(other(t), 300, 9, CANARY_FINITE);
    tsl_matrix *a = NULL, *b = NULL, *host[2] = {0};
    int64_t info = -5, told = -5;
    dense_random(&A, 1);
    dense_put(&A, 290, 7, tsl_is_complex(t) ? CMPLX(1, v) : v);
    operand from = {.d = &A}, to = {.d = &B};
    tsl_status st = job_bind(e, &A, &host[0], &a);
    if (!st) st = job_bind(e, &B, &host[1], &b);
    if (!st) st = tsl_convert(e->ctx, job_view(&from, a), job_view(&to, b), &info);
    check(!st && info == want && !tsl_info(e->ctx, &told) && told == want, "%c %g: info %d, %s", tsl_type_letter(t), v, (int)info, tsl_error(e->ctx));
    if (!st) st = tsl_convert(e->ctx, job_view(&from, a), job_view(&from, a), &info);
    check(st == TSL_ERR_TYPE, "to the same type: %s", tsl_status_name(st));
    if (host[0] != a) tsl_matrix_free(host[0]);
    if (host[1] != b) tsl_matrix_free(host[1]);
    tsl_matrix_free(a), tsl_matrix_free(b);
    dense_free(&A), dense_free(&B);
}

static void one_env(env *e)
{
    static const int64_t shapes[][2] = {{0, 3}, {3, 0}, {1, 1}, {7, 5}, {33, 70}, {300, 3}, {257, 40}};
    if (e->via == VIA_TYPED) return;
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (int op = 0; op < 4; op++)
                for (int uplo = 0; uplo < 3; uplo++)
                    for (int64_t tile = 0; tile <= 16; tile += 16) converted(e, t, shapes[s][0], shapes[s][1], (tsl_op)op, (tsl_uplo)uplo, tile);
        bool narrows = t == TSL_D || t == TSL_Z;
        unfit(e, t, narrows ? 3.5e38 : 3e38, narrows), unfit(e, t, -INFINITY, narrows), unfit(e, t, NAN, 0);
        checked("%s: %c", env_name(e), tsl_type_letter(t));
    }
}

int main(void)
{
    for_each_env(one_env);
    return tap_done();
}
