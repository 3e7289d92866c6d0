/* The contracts of potrs and posv: solutions, the factor, info with B untouched, right-hand sides seen through any op, no
 * right-hand sides, blocks of larger matrices, and outcomes asked for later. */
#include "triangle.h"

static const int64_t sizes[][2] = {{1, 1}, {5, 3}, {33, 1}, {33, 40}, {129, 17}, {150, 0}}; /* n, right-hand sides */
enum { SIZES = sizeof sizes / sizeof *sizes };

static dense right_hand_sides(tsl_type t, int64_t n, int64_t count, tsl_op op)
{
    dense B = dense_make(t, op & TSL_TRANS ? count : n, op & TSL_TRANS ? n : count, CANARY_FINITE);
    dense_random(&B, 5);
    return B;
}

static job solution(tsl_opcode op, dense *A, tsl_uplo uplo, tsl_op opA, dense *B, tsl_op opB)
{
    return (job){.op = op, .v = {{.d = A, .uplo = uplo, .op = opA}, {.d = B, .op = opB}}, .info = -77};
}

/* Worst element of A X - B, relative to A's largest sum of a row */
static double off_solution(const operand *A, element of, const operand *X, const operand *B)
{
    int64_t n = A->d->n;
    tsl_scalar *a = all_of(A, of);
    double worst = 0, norm = 1;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t k = 0; k < n; k++) sum += cabs(a[i + k * n]);
        norm = tsl_larger(norm, sum);
    }
    for (int64_t j = 0; j < seen_cols(B); j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar sum = -seen(B, i, j);
            for (int64_t k = 0; k < n; k++) sum += a[i + k * n] * seen(X, k, j);
            double r = cabs(sum) / norm;
            worst = r <= worst ? worst : isnan(r) ? INFINITY : r;
        }
    free(a);
    return worst;
}

static void solved_case(env *e, tsl_opcode op, tsl_type t, int64_t n, int64_t count, tsl_uplo uplo, tsl_op opA, tsl_op opB)
{
    int factored = op == TSL_OP_POTRS;
    dense A = factored ? triangle_make(t, n, uplo, TSL_NONUNIT, TRIANGLE_POSITIVE) : dense_definite(t, n, uplo), was = dense_copy(&A);
    dense B = right_hand_sides(t, n, count, opB), first = dense_copy(&B);
    job b = solution(op, &A, uplo, opA, &B, opB);
    operand A0 = b.v[0], B0 = b.v[1];
    A0.d = &was, B0.d = &first;
    tsl_status st = job_run(e, &b);
    char who[96];
    snprintf(who, sizeof who, "%s n %d, %d: uplo %d, ops %d %d", tsl_ops[op].name, (int)n, (int)count, uplo, opA, opB);
    check(st == TSL_OK && b.info == 0, "%s: status %d, info %d", who, st, (int)b.info);
    double r = off_solution(&A0, factored ? seen_factored : seen_hermitian, &b.v[1], &B0);
    check(r <= 16.0 * (double)(n + 8) * tsl_type_eps(t), "%s: off by %g", who, r);
    check(dense_strays(&B, &first, TSL_GENERAL) == 0, "%s: wrote outside B", who);
    if (factored) {
        check(dense_same(&A, &was), "%s: changed the factor", who);
    } else {
        r = ref_residual(&A0, &b.v[0]);
        check(r <= 4.0 * (double)(n + 4) * tsl_type_eps(t), "%s: the factor is off by %g", who, r);
        check(dense_strays(&A, &was, uplo) == 0, "%s: wrote outside the triangle", who);
    }
    dense_free(&A), dense_free(&was), dense_free(&B), dense_free(&first);
}

static void solved(env *e, tsl_opcode op, tsl_type t)
{
    for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) {
        for (int s = 0; s < SIZES; s++) solved_case(e, op, t, sizes[s][0], sizes[s][1], (tsl_uplo)uplo, TSL_NOTRANS, TSL_NOTRANS);
        for (int as = 0; as < 16 && e->via != VIA_TYPED; as++)
            solved_case(e, op, t, 37, 11, (tsl_uplo)uplo, (tsl_op)(as / 4), (tsl_op)(as % 4));
    }
    dense none = dense_make(t, 0, 0, CANARY_FINITE), B = dense_make(t, 0, 3, CANARY_FINITE);
    job b = solution(op, &none, TSL_UPPER, TSL_NOTRANS, &B, TSL_NOTRANS);
    check(job_run(e, &b) == TSL_OK && b.info == 0, "n = 0: info %d", (int)b.info);
    dense_free(&none), dense_free(&B);
    checked("%s: %c%s", env_name(e), tsl_type_letter(t), tsl_ops[op].name);
}

/* A dominant matrix with one diagonal element -1 or NaN fails exactly there; not a bit of B changes. */
static void failures(env *e, tsl_type t)
{
    static const int64_t at[][2] = {{1, 0}, {5, 4}, {40, 15}, {40, 16}, {129, 128}, {300, 290}};
    for (size_t r = 0; r < sizeof at / sizeof *at; r++)
        for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++)
            for (int nan = 0; nan < 2; nan++) {
                int64_t n = at[r][0], j = at[r][1];
                dense A = dense_definite(t, n, (tsl_uplo)uplo), B = right_hand_sides(t, n, 3, TSL_NOTRANS);
                dense_put(&A, j, j, nan ? NAN : -1);
                dense was = dense_copy(&A), first = dense_copy(&B);
                job b = solution(TSL_OP_POSV, &A, (tsl_uplo)uplo, TSL_NOTRANS, &B, TSL_NOTRANS);
                tsl_status st = job_run(e, &b);
                check(st == TSL_OK && b.info == j + 1, "n %d, bad at %d: status %d, info %d", (int)n, (int)j, st, (int)b.info);
                check(dense_same(&B, &first), "n %d, bad at %d: B was touched", (int)n, (int)j);
                check(dense_strays(&A, &was, (tsl_uplo)uplo) == 0, "n %d, bad at %d: wrote outside", (int)n, (int)j);
                dense_free(&A), dense_free(&B), dense_free(&was), dense_free(&first);
            }
    solved_case(e, TSL_OP_POSV, t, 20, 4, TSL_LOWER, TSL_NOTRANS, TSL_NOTRANS);
    checked("%s: %cposv fails with B untouched, and goes on", env_name(e), tsl_type_letter(t));
}

/* In a block of a larger matrix columns count from the block's own, and the outcome may be asked for later. */
static void blocks(env *e, tsl_type t)
{
    enum { N = 60, AT = 7, BAD = 41 };
    dense A = dense_make(t, N + AT, N + AT, CANARY_FINITE), B = dense_make(t, N, 2, CANARY_FINITE);
    tsl_matrix *a, *b, *host;
    int64_t info = -1;
    dense_dominant(&A, 3);
    dense_put(&A, AT + BAD, AT + BAD, 0);
    dense_random(&B, 4);
    tsl_status st = tsl_matrix_wrap(e->ctx, t, A.m, A.n, A.data, A.ld, &host);
    if (!st) st = tsl_matrix_create(e->ctx, t, A.m, A.n, &a);
    if (!st) st = tsl_matrix_wrap(e->ctx, t, N, 2, B.data, B.ld, &b);
    if (!st) st = tsl_copy(e->ctx, tsl_whole(host), tsl_whole(a));
    check(!st, "matrices: %s", tsl_status_name(st));
    tsl_view block = tsl_sub(tsl_whole(a), AT, AT, N, N);
    check(!tsl_trtri(e->ctx, tsl_upper(block), NULL) && !tsl_info(e->ctx, &info) && info == BAD + 1, "trtri: info %d", (int)info);
    check(!tsl_potri(e->ctx, tsl_lower(tsl_trans(block)), NULL) && !tsl_info(e->ctx, &info) && info == BAD + 1, "potri: info %d",
          (int)info);
    check(!tsl_posv(e->ctx, tsl_lower(block), tsl_whole(b), NULL) && !tsl_info(e->ctx, &info) && info == BAD + 1, "posv: info %d",
          (int)info);
    check(!tsl_trtri(e->ctx, tsl_lower(tsl_sub(tsl_whole(host), AT, AT, BAD, BAD)), &info) && info == 0, "trtri before it: info %d",
          (int)info);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(host);
    dense_free(&A), dense_free(&B);
    checked("%s: %c blocks of larger matrices", env_name(e), tsl_type_letter(t));
}

static void one_env(env *e)
{
    for (int i = 0; i < 4; i++) {
        if (is_left_out(i, 1)) continue;
        solved(e, TSL_OP_POTRS, all_types[i]);
        solved(e, TSL_OP_POSV, all_types[i]);
        failures(e, all_types[i]);
        blocks(e, all_types[i]);
    }
}

int main(void)
{
    for_each_env(one_env);
    return tap_done();
}
