/* Operands seen through every op, plain conjugation too, on read and on written operands; operands that share an array; and
 * the same bits when a call is repeated. */
#include "reference.h"

enum { M = 37, N = 21, K = 29 };

static dense sized(tsl_type t, tsl_op op, int64_t m, int64_t n, int canary, uint64_t seed)
{
    dense d = op & 1 ? dense_make(t, n, m, canary) : dense_make(t, m, n, canary);
    dense_random(&d, seed);
    return d;
}

/* Checks the job, then runs it again from the same start. */
static void try_job(env *e, job *b, const char *what, int ops)
{
    if (e->via == VIA_TYPED && !job_has_typed_form(b)) return;
    dense *out = job_written(b)->d, start = dense_copy(out);
    const char *wrong = job_check(e, b);
    check(!wrong, "%s, ops %d: %s", what, ops, wrong);
    dense first = dense_copy(out);
    memcpy(out->data, start.data, out->bytes);
    check(job_run(e, b) == TSL_OK && dense_same(out, &first), "%s, ops %d: other bits the second time", what, ops);
    dense_free(&start), dense_free(&first);
}

static void gemms(env *e, tsl_type t)
{
    for (int ops = 0; ops < 64; ops++) {
        tsl_op a = (tsl_op)(ops & 3), b = (tsl_op)(ops >> 2 & 3), c = (tsl_op)(ops >> 4);
        dense A = sized(t, a, M, K, CANARY_NAN, 1), B = sized(t, b, K, N, CANARY_NAN, 2), C = sized(t, c, M, N, CANARY_FINITE, 3);
        job g = {.op = TSL_OP_GEMM, .alpha = CMPLX(0.5, tsl_is_complex(t) ? -0.75 : 0), .beta = CMPLX(1.5, tsl_is_complex(t)),
                 .v = {{.d = &A, .op = a}, {.d = &B, .op = b}, {.d = &C, .op = c}}};
        try_job(e, &g, "gemm", ops);
        dense_free(&A), dense_free(&B), dense_free(&C);
    }
    checked("%s: %cgemm through ops", env_name(e), tsl_type_letter(t));
}

static void solves(env *e, tsl_type t)
{
    for (int ops = 0; ops < 64; ops++) {
        tsl_op a = (tsl_op)(ops & 3), b = (tsl_op)(ops >> 2 & 3);
        tsl_side side = ops >> 4 & 1 ? TSL_RIGHT : TSL_LEFT;
        dense A = dense_make(t, side ? N : M, side ? N : M, CANARY_NAN), B = sized(t, b, M, N, CANARY_FINITE, 4);
        dense_dominant(&A, 5);
        job s = {.op = TSL_OP_TRSM, .side = side, .alpha = CMPLX(1.5, tsl_is_complex(t) ? 0.5 : 0),
                 .v = {{.d = &A, .op = a, .uplo = ops >> 5 ? TSL_UPPER : TSL_LOWER}, {.d = &B, .op = b}}};
        try_job(e, &s, "trsm", ops);
        dense_free(&A), dense_free(&B);
    }
    checked("%s: %ctrsm through ops", env_name(e), tsl_type_letter(t));
}

static void rank_ks(env *e, tsl_type t)
{
    for (int ops = 0; ops < 64; ops++) {
        tsl_op a = (tsl_op)(ops & 3), c = (tsl_op)(ops >> 2 & 3);
        dense A = sized(t, a, M, K, CANARY_NAN, 6), C = sized(t, c, M, M, CANARY_FINITE, 7);
        job r = {.op = ops >> 4 & 1 ? TSL_OP_HERK : TSL_OP_SYRK, .alpha = -1.5, .beta = 0.5,
                 .v = {{.d = &A, .op = a}, {.d = &C, .op = c, .uplo = ops >> 5 ? TSL_UPPER : TSL_LOWER}}};
        if (r.op == TSL_OP_SYRK && tsl_is_complex(t)) r.alpha = CMPLX(-1.5, 0.25), r.beta = CMPLX(0, 1);
        try_job(e, &r, r.op == TSL_OP_SYRK ? "syrk" : "herk", ops);
        dense_free(&A), dense_free(&C);
    }
    checked("%s: %csyrk and herk through ops", env_name(e), tsl_type_letter(t));
}

/* Copies between all ops, whole and by triangle (as seen by the writer), and scaling through ops. */
static void copies(env *e, tsl_type t)
{
    for (int ops = 0; ops < 48 && e->via != VIA_TYPED; ops++) {
        tsl_op a = (tsl_op)(ops & 3), b = (tsl_op)(ops >> 2 & 3);
        tsl_uplo uplo = (tsl_uplo)(ops >> 4);
        dense A = sized(t, a, M, uplo ? M : N, CANARY_NAN, 8), B = sized(t, b, M, uplo ? M : N, CANARY_FINITE, 9);
        job c = {.op = TSL_OP_COPY, .v = {{.d = &A, .op = a}, {.d = &B, .op = b, .uplo = uplo}}};
        try_job(e, &c, "copy", ops);
        job s = {.op = TSL_OP_SCALE, .alpha = -2, .v = {{.d = &B, .op = b, .uplo = uplo}}};
        try_job(e, &s, "scale", ops);
        dense_fill(&B, CMPLX(NAN, INFINITY));
        s.alpha = 0;
        dense was = dense_copy(&B);
        check(job_run(e, &s) == TSL_OK && !dense_strays(&B, &was, uplo), "scale by 0, ops %d", ops);
        for (int64_t i = 0; i < N; i++) check(dense_get(&B, i, i) == 0, "scale by 0 overwrites NaN, ops %d", ops);
        dense_free(&A), dense_free(&B), dense_free(&was);
    }
    if (e->via != VIA_TYPED) checked("%s: %c copy and scale through ops", env_name(e), tsl_type_letter(t));
}

/* A by itself, and by its own transpose. */
static void same_input_twice(env *e, tsl_type t)
{
    for (int ops = 0; ops < 16; ops++) {
        dense A = sized(t, TSL_NOTRANS, N, N, CANARY_NAN, 10), C = sized(t, TSL_NOTRANS, N, N, CANARY_FINITE, 11);
        job g = {.op = TSL_OP_GEMM, .alpha = 1, .beta = -1,
                 .v = {{.d = &A, .op = (tsl_op)(ops & 3)}, {.d = &A, .op = (tsl_op)(ops >> 2)}, {.d = &C}}};
        try_job(e, &g, "gemm of A with A", ops);
        dense_free(&A), dense_free(&C);
    }
    checked("%s: %cgemm whose inputs are one array", env_name(e), tsl_type_letter(t));
}

/* The step of a factorisation: one matrix, C its lower right corner and A the block to the left of it. */
static tsl_status corner_update(env *e, dense *W, dense *A, dense *C)
{
    operand whole = {.d = W};
    tsl_matrix *host = NULL, *used = NULL;
    if (e->via == VIA_TYPED)
        return typed_for(W->t)->syrk(e->ctx, 'L', 'N', C->n, A->n, -1, A->data, W->ld, 1, C->data, W->ld);
    tsl_status st = job_bind(e, W, &host, &used);
    tsl_view w = st ? (tsl_view){0} : job_view(&whole, used);
    if (!st) st = tsl_syrk(e->ctx, -1, tsl_sub(w, A->n, 0, A->m, A->n), 1, tsl_lower(tsl_sub(w, A->n, A->n, C->m, C->n)));
    if (!st && used != host) st = tsl_copy(e->ctx, tsl_whole(used), tsl_whole(host));
    if (used != host) tsl_matrix_free(used);
    tsl_matrix_free(host);
    return st;
}

static void parts_of_one_array(env *e, tsl_type t)
{
    dense W = sized(t, TSL_NOTRANS, M, M, CANARY_FINITE, 12), A = W, C = W, was = dense_copy(&W);
    A.m = C.m = C.n = M - 16, A.n = 16;
    A.data = dense_at(&W, 16, 0), C.data = dense_at(&W, 16, 16);
    job r = {.op = TSL_OP_SYRK, .alpha = -1, .beta = 1, .v = {{.d = &A}, {.d = &C, .uplo = TSL_LOWER}}};
    tsl_scalar *want = ref_result(&r);
    check(corner_update(e, &W, &A, &C) == TSL_OK, "syrk within one array: %s", tsl_error(e->ctx));
    check(job_error(&r, want) <= job_tolerance(&r), "syrk within one array: result");
    int64_t strays = 0;
    for (int64_t j = 0; j < M; j++)
        for (int64_t i = 0; i < M; i++)
            if (i < 16 || j < 16 || i < j) strays += dense_get(&W, i, j) != dense_get(&was, i, j);
    check(strays == 0 && dense_strays(&W, &was, TSL_GENERAL) == 0, "syrk within one array: wrote elsewhere");
    free(want);
    dense_free(&W), dense_free(&was);
    checked("%s: %csyrk whose operands are parts of one array", env_name(e), tsl_type_letter(t));
}

/* NaN times C is NaN, whichever part of the factor it is; on a triangle, and nowhere else. */
static void nan_factor(env *e, tsl_type t)
{
    typedef struct product {
        const char *name;
        tsl_uplo uplo;
    } product;
    static const product products[] = {{"gemm", TSL_GENERAL}, {"gemmt", TSL_LOWER}, {"gemmt", TSL_UPPER}, {"syrk", TSL_LOWER}, {"syr2k", TSL_UPPER}, {"symm", TSL_GENERAL}};
    for (int part = 0; part < (tsl_is_complex(t) ? 2 : 1); part++)
        for (size_t p = 0; p < sizeof products / sizeof *products; p++) {
            dense A = sized(t, TSL_NOTRANS, N, N, CANARY_FINITE, 13), C = sized(t, TSL_NOTRANS, N, N, CANARY_FINITE, 14), was = dense_copy(&C);
            operand a = {.d = &A}, c = {.d = &C, .uplo = products[p].uplo};
            tsl_matrix *hostA = NULL, *usedA = NULL, *hostC = NULL, *usedC = NULL;
            tsl_scalar beta = part ? CMPLX(0, NAN) : CMPLX(NAN, 0);
            tsl_status st = job_bind(e, &A, &hostA, &usedA);
            if (!st) st = job_bind(e, &C, &hostC, &usedC);
            tsl_view VA = st ? (tsl_view){0} : job_view(&a, usedA), VC = st ? (tsl_view){0} : job_view(&c, usedC);
            if (!st) st = p == 0 ? tsl_gemm(e->ctx, 1, VA, VA, beta, VC) : p <= 2 ? tsl_gemmt(e->ctx, 1, VA, VA, beta, VC) :
                          p == 3 ? tsl_syrk(e->ctx, 1, VA, beta, VC) : p == 4 ? tsl_syr2k(e->ctx, 1, VA, VA, beta, VC) :
                                   tsl_symm(e->ctx, TSL_LEFT, 1, tsl_lower(VA), VA, beta, VC);
            if (!st && usedC != hostC) st = tsl_copy(e->ctx, tsl_whole(usedC), tsl_whole(hostC));
            int64_t finite = 0;
            for (int64_t j = 0; j < C.n; j++)
                for (int64_t i = 0; i < C.m; i++) finite += in_triangle(products[p].uplo, i, j) && !scalar_nan(dense_get(&C, i, j));
            check(!st && finite == 0 && dense_strays(&C, &was, products[p].uplo) == 0, "%s, part %d: %lld finite elements (%s)", products[p].name, part,
                  (long long)finite, tsl_status_name(st));
            if (usedA != hostA) tsl_matrix_free(usedA);
            if (usedC != hostC) tsl_matrix_free(usedC);
            tsl_matrix_free(hostA), tsl_matrix_free(hostC);
            dense_free(&A), dense_free(&C), dense_free(&was);
        }
    checked("%s: %c products plus NaN times C", env_name(e), tsl_type_letter(t));
}

static void one_env(env *e)
{
    for (int i = 0; i < 4; i++) {
        gemms(e, all_types[i]);
        solves(e, all_types[i]);
        rank_ks(e, all_types[i]);
        copies(e, all_types[i]);
        same_input_twice(e, all_types[i]);
        parts_of_one_array(e, all_types[i]);
        if (e->via != VIA_TYPED) nan_factor(e, all_types[i]);
    }
}

int main(void)
{
    for_each_env(one_env);
    return tap_done();
}
