/* The contracts around LU's factors: solutions through every op, the inverse, exchanges of rows and columns; info with nothing
 * touched, NaN and Inf, extreme pivots, empty operands. */
#include "lu.h"

#define BOUND 30.0

/* In small blocks a case is many launches: there the ways in, which differ before that, share the cases. */
static bool takes(const env *e, size_t i) { return !strcmp(e->tile, "0") || i % VIA_COUNT == (size_t)e->via; }

/* A, factored, and the pivots */
typedef struct factors {
    dense A, F, p;
} factors;

static factors factors_of(tsl_type t, int64_t n, lu_kind kind)
{
    factors f = {.A = lu_matrix(t, n, n, kind, (uint64_t)n), .p = lu_pivots(n)};
    f.F = dense_copy(&f.A);
    lu_lapack(&f.F, &f.p);
    return f;
}

static void factors_free(factors *f) { dense_free(&f->A), dense_free(&f->F), dense_free(&f->p); }

static void solved_case(env *e, tsl_opcode op, tsl_type t, int64_t n, int64_t count, lu_kind kind, tsl_op seen_as)
{
    factors f = factors_of(t, n, kind);
    dense A = dense_copy(op == TSL_OP_GETRS ? &f.F : &f.A), p = op == TSL_OP_GETRS ? dense_copy(&f.p) : lu_pivots(n), was = dense_copy(&A);
    dense B = dense_make(t, n, count, CANARY_FINITE);
    dense_random(&B, 5);
    dense first = dense_copy(&B);
    job b = lu_job(op, &A, &p, &B);
    b.v[0].op = seen_as;
    char who[96];
    snprintf(who, sizeof who, "%s %s n %d, %d: op %d", tsl_ops[op].name, lu_kind_name[kind], (int)n, (int)count, seen_as);
    tsl_status st = job_run(e, &b);
    check(!st && b.info == 0, "%s: %s, info %d, %s", who, tsl_status_name(st), (int)b.info, tsl_error(e->ctx));
    operand whole = {.d = &f.A, .op = seen_as};
    double r = lu_solution_residual(&whole, &B, &first);
    check(r < BOUND, "%s: residual %g", who, r);
    check(dense_strays(&B, &first, TSL_GENERAL) == 0, "%s: wrote outside B", who);
    if (op == TSL_OP_GETRS) check(dense_same(&A, &was) && dense_same(&p, &f.p), "%s: the factors were changed", who);
    else check(dense_strays(&A, &was, TSL_GENERAL) == 0 && (kind != PLANTED || dense_same(&p, &f.p)), "%s: wrote outside, or other pivots", who);
    factors_free(&f), dense_free(&A), dense_free(&p), dense_free(&was), dense_free(&B), dense_free(&first);
}

static void solutions(env *e, tsl_type t)
{
    static const int64_t sizes[][2] = {{1, 1}, {5, 3}, {33, 1}, {33, 40}, {65, 17}, {100, 0}};
    static const lu_kind kinds[] = {RANDOM, PLANTED, GRADED, ILL};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t k = 0; k < 4; k++) {
            if (!takes(e, s + k)) continue;
            int64_t n = kinds[k] == ILL ? lu_min(sizes[s][0], 8) : sizes[s][0];
            solved_case(e, TSL_OP_GESV, t, n, sizes[s][1], kinds[k], TSL_NOTRANS);
            for (int as = 0; as < 4; as++)
                if (as != TSL_CONJ || e->via != VIA_TYPED) solved_case(e, TSL_OP_GETRS, t, n, sizes[s][1], kinds[k], (tsl_op)as);
        }
    checked("%s: %cgetrs, %cgesv", env_name(e), tsl_type_letter(t), tsl_type_letter(t));
}

/* Of B seen through an op: the same numbers as of its copy */
static void turned_right_sides(env *e, tsl_type t)
{
    enum { N = 37, K = 11 };
    for (int as = 0; as < 16 && e->via != VIA_TYPED; as++) {
        if (!takes(e, (size_t)(as % 2) + 1)) continue;
        tsl_op opA = (tsl_op)(as / 4), opB = (tsl_op)(as % 4);
        factors f = factors_of(t, N, RANDOM);
        dense B = dense_make(t, opB & TSL_TRANS ? K : N, opB & TSL_TRANS ? N : K, CANARY_FINITE), X = dense_make(t, N, K, CANARY_FINITE);
        dense_random(&B, 9);
        operand seen_B = {.d = &B, .op = opB}, seen_A = {.d = &f.A, .op = opA};
        for (int64_t j = 0; j < K; j++)
            for (int64_t i = 0; i < N; i++) dense_put(&X, i, j, seen(&seen_B, i, j));
        dense right = dense_copy(&X);
        job b = lu_job(TSL_OP_GETRS, &f.F, &f.p, &B);
        b.v[0].op = opA, b.v[2].op = opB;
        check(job_run(e, &b) == TSL_OK, "ops %d %d: %s", opA, opB, tsl_error(e->ctx));
        for (int64_t j = 0; j < K; j++)
            for (int64_t i = 0; i < N; i++) dense_put(&X, i, j, seen(&seen_B, i, j));
        double r = lu_solution_residual(&seen_A, &X, &right);
        check(r < BOUND, "ops %d %d: residual %g", opA, opB, r);
        factors_free(&f), dense_free(&B), dense_free(&X), dense_free(&right);
    }
    if (e->via != VIA_TYPED) checked("%s: %cgetrs of right-hand sides seen through every op", env_name(e), tsl_type_letter(t));
}

static void inverses(env *e, tsl_type t)
{
    static const int64_t sizes[] = {1, 2, 5, 33, 64, 65, 130};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        if (!takes(e, s)) continue;
        int64_t n = sizes[s];
        factors f = factors_of(t, n, PLANTED);
        dense X = dense_copy(&f.F), p = dense_copy(&f.p), I1 = dense_make(t, n, n, CANARY_FINITE);
        dense_fill(&I1, 0);
        for (int64_t j = 0; j < n; j++) dense_put(&I1, j, j, 1);
        job b = lu_job(TSL_OP_GETRI, &X, &p, NULL);
        tsl_status st = job_run(e, &b);
        check(!st && b.info == 0, "n %d: %s, info %d, %s", (int)n, tsl_status_name(st), (int)b.info, tsl_error(e->ctx));
        operand A = {.d = &f.A};
        double r = lu_solution_residual(&A, &X, &I1);
        check(r < BOUND, "n %d: residual %g", (int)n, r);
        check(dense_strays(&X, &f.F, TSL_GENERAL) == 0 && dense_same(&p, &f.p), "n %d: wrote elsewhere", (int)n);
        factors_free(&f), dense_free(&X), dense_free(&p), dense_free(&I1);
    }
    checked("%s: %cgetri", env_name(e), tsl_type_letter(t));
}

/* U(j,j) is zero: gesv leaves B, getri leaves A. */
static void singular(env *e, tsl_type t)
{
    static const int64_t at[][2] = {{1, 0}, {5, 4}, {40, 15}, {40, 16}, {130, 129}};
    for (size_t r = 0; r < sizeof at / sizeof *at; r++) {
        if (!takes(e, r)) continue;
        int64_t n = at[r][0], j = at[r][1];
        factors f = factors_of(t, n, PLANTED);
        dense A = dense_copy(&f.A), p = lu_pivots(n), B = dense_make(t, n, 3, CANARY_FINITE);
        dense_random(&B, 5);
        for (int64_t i = 0; i < n; i++) dense_put(&A, i, j, 0);
        dense was = dense_copy(&A), first = dense_copy(&B);
        job b = lu_job(TSL_OP_GESV, &A, &p, &B);
        tsl_status st = job_run(e, &b);
        check(!st && b.info == j + 1 && dense_same(&B, &first), "gesv n %d: %s, info %d, B touched or not", (int)n, tsl_status_name(st), (int)b.info);
        double residual = lu_in_range(&p, n) ? lu_residual(&was, &A, &p) : INFINITY;
        check(residual < BOUND, "gesv n %d: factors all the same, residual %g", (int)n, residual);
        dense_put(&f.F, j, j, 0);
        dense factor = dense_copy(&f.F);
        b = lu_job(TSL_OP_GETRI, &f.F, &f.p, NULL);
        st = job_run(e, &b);
        check(!st && b.info == j + 1 && dense_same(&f.F, &factor), "getri n %d: %s, info %d, A touched or not", (int)n, tsl_status_name(st), (int)b.info);
        factors_free(&f), dense_free(&A), dense_free(&p), dense_free(&B), dense_free(&was), dense_free(&first), dense_free(&factor);
    }
    checked("%s: %c: singular matrices", env_name(e), tsl_type_letter(t));
}

/* No hang, pivots that can be used, and what is no number is seen in the result. */
static void not_numbers(env *e, tsl_type t)
{
    static const int64_t at[][3] = {{1, 0, 0}, {9, 0, 0}, {40, 20, 3}, {40, 3, 20}, {70, 69, 69}};
    for (size_t r = 0; r < sizeof at / sizeof *at; r++)
        for (int inf = 0; inf < 2 && takes(e, r); inf++) {
            int64_t n = at[r][0];
            dense A = lu_matrix(t, n, n, RANDOM, 3), p = lu_pivots(n);
            dense_put(&A, at[r][1], at[r][2], inf ? INFINITY : NAN);
            job b = lu_job(TSL_OP_GETRF, &A, &p, NULL);
            tsl_status st = job_run(e, &b);
            int found = 0;
            for (int64_t i = 0; i < n * n; i++) found |= !scalar_finite(dense_get(&A, i % n, i / n));
            check(!st && lu_in_range(&p, n) && found, "%s in %d at %d, %d: %s, pivots in range %d, seen %d", inf ? "inf" : "nan", (int)n, (int)at[r][1],
                  (int)at[r][2], tsl_status_name(st), lu_in_range(&p, n), found);
            dense_free(&A), dense_free(&p);
        }
    checked("%s: %cgetrf of what is no number", env_name(e), tsl_type_letter(t));
}

/* [p 0; p/2 p/2] for p near the ends of the range, in any direction, beside n - 2 ones on the diagonal: the multiplier is one
 * half, and `count` right-hand sides A (1, .., 1)^T have the solution ones. */
static void extreme_case(env *e, tsl_type t, int64_t n, int64_t count, tsl_scalar piv)
{
    dense A = dense_make(t, n, n, CANARY_FINITE), B = dense_make(t, n, count, CANARY_FINITE), p = lu_pivots(n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&A, i, j, i == j);
    dense_put(&A, 0, 0, piv), dense_put(&A, 1, 0, piv / 2), dense_put(&A, 0, 1, 0), dense_put(&A, 1, 1, piv / 2);
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&B, i, j, i < 2 ? piv : 1);
    job b = lu_job(TSL_OP_GESV, &A, &p, &B);
    tsl_status st = job_run(e, &b);
    double eps = tsl_type_eps(t), off = cabs(dense_get(&A, 1, 0) - 0.5), most = 0;
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < n; i++) most = tsl_larger(most, isnan(creal(dense_get(&B, i, j))) ? INFINITY : cabs(dense_get(&B, i, j) - 1));
    check(!st && b.info == 0 && off < 8 * eps && most < 8 * eps, "order %d, %g%+gi: info %d, L off %g, x off %g", (int)n, creal(piv), cimag(piv),
          (int)b.info, off, most);
    dense_free(&A), dense_free(&B), dense_free(&p);
}

static void extreme(env *e, tsl_type t)
{
    bool single = t == TSL_S || t == TSL_C;
    double big = single ? 1.5e38 : 8e307, small = single ? 4e-38 : 9e-308;
    for (int k = 0; k < 8; k++) {
        tsl_scalar turn = tsl_is_complex(t) ? (const tsl_scalar[]){1, I, 1 + I, 1 - 0.5 * I}[k % 4] : 1, piv = (k < 4 ? big : small) * turn;
        extreme_case(e, t, 2, 1, piv);
        extreme_case(e, t, 66, 3, piv);
    }
    checked("%s: %cgesv by extreme pivots", env_name(e), tsl_type_letter(t));
}

/* LAPACK measures complex pivots by the sum of their parts' sizes: 3+3i goes before 5. */
static void measured(env *e, tsl_type t)
{
    dense A = dense_make(t, 2, 2, CANARY_FINITE), p = lu_pivots(2);
    dense_fill(&A, 1);
    dense_put(&A, 0, 0, 5), dense_put(&A, 1, 0, CMPLX(3, 3));
    job b = lu_job(TSL_OP_GETRF, &A, &p, NULL);
    ok(job_run(e, &b) == TSL_OK && lu_pivot(&p, 0) == 2, "%s: %cgetrf takes 3+3i before 5", env_name(e), tsl_type_letter(t));
    dense_free(&A), dense_free(&p);
}

static void exchanges(env *e, tsl_type t)
{
    enum { M = 41, N = 70, K = 23 };
    for (int as = 0; as < 8; as++) {
        tsl_op op = (tsl_op)(as / 2);
        bool backward = as % 2, turned = op & TSL_TRANS;
        if (e->via == VIA_TYPED && op) continue;
        dense A = dense_make(t, turned ? N : M, turned ? M : N, CANARY_FINITE), p = lu_pivots(K);
        dense_random(&A, 3);
        for (int64_t i = 0; i < K; i++) *(int64_t *)dense_at(&p, i, 0) = 1 + i + (i * 7 + 3) % (M - i);
        dense was = dense_copy(&A), row = dense_copy(&A), pivots = dense_copy(&p);
        for (int64_t s = 0; s < K; s++) {
            int64_t i = backward ? K - 1 - s : s, with = lu_pivot(&p, i) - 1;
            for (int64_t j = 0; j < N; j++) {
                tsl_scalar a = turned ? dense_get(&row, j, i) : dense_get(&row, i, j), c = turned ? dense_get(&row, j, with) : dense_get(&row, with, j);
                dense_put(&row, turned ? j : i, turned ? i : j, c), dense_put(&row, turned ? j : with, turned ? with : j, a);
            }
        }
        job b = lu_job(TSL_OP_LASWP, &A, &p, NULL);
        b.v[0].op = op, b.backward = backward;
        check(job_run(e, &b) == TSL_OK && dense_same(&A, &row) && dense_same(&p, &pivots), "op %d, backward %d: %s", op, backward, tsl_error(e->ctx));
        b.backward = !backward;
        check(job_run(e, &b) == TSL_OK && dense_same(&A, &was), "op %d, backward %d: and back", op, backward);
        dense_free(&A), dense_free(&p), dense_free(&was), dense_free(&row), dense_free(&pivots);
    }
    checked("%s: %claswp", env_name(e), tsl_type_letter(t));
}

static void empty(env *e, tsl_type t)
{
    static const int64_t none[][3] = {{0, 0, 0}, {0, 4, 3}, {4, 0, 3}, {3, 3, 0}};
    for (size_t s = 0; s < sizeof none / sizeof *none; s++) {
        int64_t m = none[s][0], n = none[s][1], count = none[s][2];
        dense A = lu_matrix(t, m, n, PLANTED, 1), p = lu_pivots(lu_min(m, n)), B = dense_make(t, n, count, CANARY_FINITE), was = dense_copy(&B);
        job b = lu_job(TSL_OP_GETRF, &A, &p, NULL);
        check(job_run(e, &b) == TSL_OK && b.info == 0, "getrf %d x %d: info %d", (int)m, (int)n, (int)b.info);
        if (m == n) {
            b = lu_job(TSL_OP_GETRS, &A, &p, &B);
            check(job_run(e, &b) == TSL_OK && b.info == 0, "getrs %d: info %d", (int)n, (int)b.info);
            b = lu_job(TSL_OP_GESV, &A, &p, &B);
            check(job_run(e, &b) == TSL_OK && b.info == 0, "gesv %d: info %d", (int)n, (int)b.info);
            b = lu_job(TSL_OP_GETRI, &A, &p, NULL);
            check(job_run(e, &b) == TSL_OK && b.info == 0, "getri %d: info %d", (int)n, (int)b.info);
        }
        b = lu_job(TSL_OP_LASWP, &A, &p, NULL);
        check(job_run(e, &b) == TSL_OK && dense_same(&B, &was), "laswp %d x %d", (int)m, (int)n);
        dense_free(&A), dense_free(&p), dense_free(&B), dense_free(&was);
    }
    checked("%s: %c: empty operands", env_name(e), tsl_type_letter(t));
}

static void one_env(env *e)
{
    for (int i = 0; i < 4; i++) {
        if (is_left_out(i, 1)) continue;
        tsl_type t = all_types[i];
        solutions(e, t);
        turned_right_sides(e, t);
        inverses(e, t);
        singular(e, t);
        not_numbers(e, t);
        extreme(e, t);
        if (tsl_is_complex(t)) measured(e, t);
        exchanges(e, t);
        empty(e, t);
    }
}

int main(void)
{
    for_each_env(one_env);
    return tap_done();
}
