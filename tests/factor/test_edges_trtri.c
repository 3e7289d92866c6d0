/* The contracts of trtri, lauum and potri: the result, info at the first zero with nothing changed, NaN, unit diagonals, and
 * what is not touched. */
#include "triangle.h"

static const int64_t sizes[] = {1, 5, 33, 129};
enum { SIZES = sizeof sizes / sizeof *sizes };

static double bound(int64_t n, tsl_type t) { return 32.0 * (double)(n + 8) * tsl_type_eps(t); }

static job on_triangle(tsl_opcode op, dense *A, tsl_uplo uplo, tsl_diag diag, tsl_op seen_as)
{
    return (job){.op = op, .v = {{.d = A, .uplo = uplo, .diag = diag, .op = seen_as}}, .info = -77};
}

/* Element (i,j) of L^H L or U U^H, as seen */
static tsl_scalar seen_square(const operand *o, int64_t i, int64_t j)
{
    tsl_scalar sum = 0;
    for (int64_t k = 0; k < o->d->n; k++)
        sum += seen_uplo(o) == TSL_LOWER ? conj(seen(o, k, i)) * seen(o, k, j) : seen(o, i, k) * conj(seen(o, j, k));
    return sum;
}

static double off_square(const operand *M, const operand *F)
{
    double worst = 0;
    for (int64_t j = 0; j < F->d->n; j++)
        for (int64_t i = 0; i < F->d->n; i++) {
            if (!in_triangle(seen_uplo(M), i, j)) continue;
            double e = cabs(seen(M, i, j) - seen_square(F, i, j));
            worst = e <= worst ? worst : isnan(e) ? INFINITY : e;
        }
    return worst;
}

static double error_of(const job *b, const operand *before)
{
    const operand *after = &b->v[0];
    if (b->op == TSL_OP_TRTRI) return off_identity(after, seen, before, seen);
    if (b->op == TSL_OP_POTRI) return off_identity(after, seen_hermitian, before, seen_factored);
    return off_square(after, before);
}

/* Only the triangle is written, and of that not a unit diagonal. */
static int stays(const dense *now, const dense *was, const operand *o)
{
    int same = dense_strays(now, was, o->uplo) == 0;
    for (int64_t j = 0; j < now->n && o->diag == TSL_UNIT; j++) same &= !bits_differ(now, was, j, j, j + 1);
    return same;
}

static void right_case(env *e, tsl_opcode op, tsl_type t, int64_t n, tsl_uplo uplo, tsl_diag diag, tsl_op seen_as)
{
    dense A = triangle_make(t, n, uplo, diag, op == TSL_OP_TRTRI ? TRIANGLE_DIRECTED : TRIANGLE_POSITIVE), was = dense_copy(&A);
    job b = on_triangle(op, &A, uplo, diag, seen_as);
    operand before = b.v[0];
    before.d = &was;
    tsl_status st = job_run(e, &b);
    const char *name = tsl_ops[op].name;
    check(st == TSL_OK && b.info == 0, "%s n %d: status %d, info %d", name, (int)n, st, (int)b.info);
    double r = error_of(&b, &before);
    check(r <= bound(n, t), "%s n %d uplo %d diag %d op %d: off by %g", name, (int)n, uplo, diag, seen_as, r);
    check(stays(&A, &was, &b.v[0]), "%s n %d uplo %d diag %d op %d: wrote elsewhere", name, (int)n, uplo, diag, seen_as);
    dense again = dense_copy(&was);
    b = on_triangle(op, &again, uplo, diag, seen_as);
    check(job_run(e, &b) == TSL_OK && dense_same(&A, &again), "%s n %d: the same bits twice", name, (int)n);
    dense_free(&A), dense_free(&was), dense_free(&again);
}

static void right(env *e, tsl_opcode op, tsl_type t)
{
    for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++)
        for (int diag = TSL_NONUNIT; diag <= (op == TSL_OP_TRTRI ? TSL_UNIT : TSL_NONUNIT); diag++) {
            for (int s = 0; s < SIZES; s++) right_case(e, op, t, sizes[s], (tsl_uplo)uplo, (tsl_diag)diag, TSL_NOTRANS);
            for (int as = TSL_TRANS; as <= TSL_HERM && e->via != VIA_TYPED; as++)
                right_case(e, op, t, 37, (tsl_uplo)uplo, (tsl_diag)diag, (tsl_op)as);
        }
    dense none = dense_make(t, 0, 0, CANARY_FINITE), was = dense_copy(&none);
    job b = on_triangle(op, &none, TSL_UPPER, TSL_NONUNIT, TSL_NOTRANS);
    check(job_run(e, &b) == TSL_OK && b.info == 0 && dense_same(&none, &was), "n = 0: info %d", (int)b.info);
    dense_free(&none), dense_free(&was);
    checked("%s: %c%s", env_name(e), tsl_type_letter(t), tsl_ops[op].name);
}

/* Zeros at `first` and at the end: info is the first one, and not a bit changes. */
static void singular_case(env *e, tsl_opcode op, tsl_type t, int64_t n, tsl_uplo uplo, int64_t first)
{
    dense A = triangle_make(t, n, uplo, TSL_NONUNIT, TRIANGLE_POSITIVE);
    dense_put(&A, n - 1, n - 1, 0);
    dense_put(&A, first, first, -0.0);
    dense was = dense_copy(&A);
    job b = on_triangle(op, &A, uplo, TSL_NONUNIT, TSL_NOTRANS);
    tsl_status st = job_run(e, &b);
    check(st == TSL_OK && b.info == first + 1, "%s n %d, zero at %d: status %d, info %d", tsl_ops[op].name, (int)n, (int)first, st,
          (int)b.info);
    check(dense_same(&A, &was), "%s n %d, zero at %d: something changed", tsl_ops[op].name, (int)n, (int)first);
    dense_free(&A), dense_free(&was);
}

static void singular(env *e, tsl_type t)
{
    static const int64_t at[][2] = {{1, 0}, {5, 0}, {5, 4}, {40, 15}, {40, 16}, {40, 33}, {129, 127}, {129, 128}, {300, 200}};
    for (size_t r = 0; r < sizeof at / sizeof *at; r++)
        for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) {
            singular_case(e, TSL_OP_TRTRI, t, at[r][0], (tsl_uplo)uplo, at[r][1]);
            singular_case(e, TSL_OP_POTRI, t, at[r][0], (tsl_uplo)uplo, at[r][1]);
        }
    checked("%s: %c singular triangles stay as they are", env_name(e), tsl_type_letter(t));
}

/* A pivot that is not a number is no zero, nor is an imaginary one: its inverse stands in its place. */
static void odd_pivots(env *e, tsl_type t)
{
    static const int64_t at[][2] = {{5, 0}, {40, 20}, {129, 128}};
    for (size_t r = 0; r < sizeof at / sizeof *at; r++)
        for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) {
            int64_t n = at[r][0], j = at[r][1];
            dense A = triangle_make(t, n, (tsl_uplo)uplo, TSL_NONUNIT, TRIANGLE_DIRECTED), was = dense_copy(&A);
            dense_put(&A, j, j, CMPLX(NAN, 0));
            job b = on_triangle(TSL_OP_TRTRI, &A, (tsl_uplo)uplo, TSL_NONUNIT, TSL_NOTRANS);
            check(job_run(e, &b) == TSL_OK && b.info == 0, "NaN at %d of %d: info %d", (int)j, (int)n, (int)b.info);
            check(scalar_nan(dense_get(&A, j, j)), "NaN at %d of %d: lost", (int)j, (int)n);
            check(dense_strays(&A, &was, (tsl_uplo)uplo) == 0, "NaN at %d of %d: wrote outside", (int)j, (int)n);
            dense_free(&A);
            A = dense_copy(&was);
            dense_put(&A, j, j, tsl_is_complex(t) ? CMPLX(0, 2) : 2);
            b = on_triangle(TSL_OP_TRTRI, &A, (tsl_uplo)uplo, TSL_NONUNIT, TSL_NOTRANS);
            check(job_run(e, &b) == TSL_OK && b.info == 0, "2i at %d of %d: info %d", (int)j, (int)n, (int)b.info);
            tsl_scalar want = tsl_is_complex(t) ? CMPLX(0, -0.5) : 0.5;
            check(cabs(dense_get(&A, j, j) - want) <= 8 * tsl_type_eps(t), "2i at %d of %d: inverse", (int)j, (int)n);
            dense_free(&A), dense_free(&was);
        }
    checked("%s: %ctrtri of odd pivots", env_name(e), tsl_type_letter(t));
}

static void one_env(env *e)
{
    for (int i = 0; i < 4; i++) {
        if (is_left_out(i, 0)) continue;
        right(e, TSL_OP_TRTRI, all_types[i]);
        right(e, TSL_OP_LAUUM, all_types[i]);
        right(e, TSL_OP_POTRI, all_types[i]);
        singular(e, all_types[i]);
        odd_pivots(e, all_types[i]);
    }
}

int main(void)
{
    for_each_env(one_env);
    return tap_done();
}
