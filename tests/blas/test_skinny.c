/* Triangular solves of orders that no single block holds, which CUDA has kernels of its own for: against the reference, with a
 * triangle that must not be inverted, with an Inf, twice with the same bits, in all shapes, and with many right-hand sides. */
#include "job.h"
#include "reference.h"

static const struct {
    int64_t order, lines;
} sizes_of[] = {{129, 1}, {129, 9}, {200, 2}, {520, 1}};
enum { SIZES = sizeof sizes_of / sizeof *sizes_of };
static const tsl_op ops[] = {TSL_NOTRANS, TSL_TRANS, TSL_HERM};
static const tsl_type types[] = {TSL_S, TSL_D, TSL_C, TSL_Z};

/* One of each combination of letters; `which` counts through them. */
typedef struct form {
    tsl_side side;
    tsl_uplo uplo;
    tsl_op op;
    tsl_diag diag;
} form;
enum { FORMS = 2 * 2 * 3 * 2 };

static form form_of(int which)
{
    return (form){(tsl_side)(which % 2), which / 2 % 2 ? TSL_UPPER : TSL_LOWER, ops[which / 4 % 3], (tsl_diag)(which / 12)};
}

/* Tame off the diagonal; what is not to be read holds NaN. */
static dense triangle(tsl_type t, int64_t n, form f)
{
    dense a = dense_make(t, n, n, CANARY_NAN);
    dense_dominant(&a, 11);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            if (!in_triangle(f.uplo, i, j) || (f.diag == TSL_UNIT && i == j)) dense_put(&a, i, j, CMPLX(NAN, NAN));
            else dense_put(&a, i, j, dense_get(&a, i, j) / (double)(i == j ? 1 : n + 1));
    return a;
}

static dense right_hand_sides(tsl_type t, int64_t n, int64_t width, form f)
{
    dense B = f.side == TSL_LEFT ? dense_make(t, n, width, CANARY_FINITE) : dense_make(t, width, n, CANARY_FINITE);
    dense_random(&B, 12);
    return B;
}

static job solve(form f, dense *a, dense *B)
{
    return (job){.op = TSL_OP_TRSM, .side = f.side, .alpha = 0.75, .v = {{a, f.op, f.uplo, f.diag}, {.d = B}}};
}

static void against_reference(env *e, tsl_type t)
{
    for (int i = 0; i < FORMS * SIZES; i++) {
        form f = form_of(i % FORMS);
        int64_t n = sizes_of[i / FORMS].order, width = sizes_of[i / FORMS].lines;
        dense a = triangle(t, n, f), B = right_hand_sides(t, n, width, f), again = dense_copy(&B);
        job b = solve(f, &a, &B), c = solve(f, &a, &again);
        const char *wrong = job_check(e, &b);
        check(!wrong, "form %d, order %d, %d lines: %s", i % FORMS, (int)n, (int)width, wrong);
        check(job_run(e, &c) == TSL_OK && dense_same(&B, &again), "form %d, order %d: the same bits", i % FORMS, (int)n);
        dense_free(&a), dense_free(&B), dense_free(&again);
    }
    checked("%s: %ctrsm, few right-hand sides", env_name(e), tsl_type_letter(t));
}

/* Two huge entries in each block of 64, one after the other, whose product the inverse holds: there residuals of products with
 * the inverse are far above those of substitution. */
static void not_to_be_inverted(env *e, tsl_type t)
{
    enum { N = 200 };
    double big = t == TSL_S || t == TSL_C ? 0x1p30 : 0x1p45;
    for (int width = 1; width <= 2; width++) {
        form f = {TSL_LEFT, TSL_LOWER, TSL_NOTRANS, TSL_NONUNIT};
        dense a = triangle(t, N, f), B = right_hand_sides(t, N, width, f);
        for (int64_t k = 10; k + 2 < N; k += 64) dense_put(&a, k + 1, k, big), dense_put(&a, k + 2, k + 1, big);
        dense b = dense_copy(&B);
        job s = solve(f, &a, &B);
        check(job_run(e, &s) == TSL_OK, "trsm");
        double eps = t == TSL_S || t == TSL_C ? 0x1p-23 : 0x1p-52;
        for (int64_t j = 0; j < width; j++)
            for (int64_t i = 0; i < N; i++) { /* row by row, |b - M x| against |b| + |M| |x| */
                tsl_scalar rest = 0.75 * dense_get(&b, i, j);
                double size = cabs(rest);
                for (int64_t k = 0; k <= i; k++) {
                    tsl_scalar term = dense_get(&a, i, k) * dense_get(&B, k, j);
                    rest -= term, size += cabs(term);
                }
                check(cabs(rest) <= 4 * N * eps * size, "row %d: %g of %g", (int)i, cabs(rest), size);
            }
        dense_free(&a), dense_free(&B), dense_free(&b);
    }
    checked("%s: %ctrsm, a triangle that must not be inverted", env_name(e), tsl_type_letter(t));
}

/* An Inf in the right-hand side leaves the entries before it as they are. */
static void infinite(env *e, tsl_type t)
{
    enum { N = 200 };
    static const int64_t places[] = {0, 63, 70, 130, 199};
    for (int i = 0; i < 5 * 2 * 2; i++) {
        form f = {TSL_LEFT, TSL_LOWER, i / 5 % 2 ? TSL_TRANS : TSL_NOTRANS, TSL_NONUNIT};
        int64_t width = 1 + i / 10, at = places[i % 5], forward = f.op == TSL_NOTRANS;
        dense a = triangle(t, N, f), B = right_hand_sides(t, N, width, f), C = dense_copy(&B);
        dense_put(&C, at, 0, INFINITY);
        job b = solve(f, &a, &B), c = solve(f, &a, &C);
        check(job_run(e, &b) == TSL_OK && job_run(e, &c) == TSL_OK, "trsm");
        for (int64_t k = 0; k < N; k++) {
            int before = forward ? k < at : k > at;
            tsl_scalar v = dense_get(&C, k, 0), w = dense_get(&B, k, 0);
            check(before ? cabs(v - w) <= 1e-5 * cabs(w) : !scalar_finite(v), "Inf at %d: entry %d is %g", (int)at, (int)k,
                  creal(v));
            if (width > 1) check(scalar_finite(dense_get(&C, k, 1)), "Inf at %d: in the other line", (int)at);
        }
        dense_free(&a), dense_free(&B), dense_free(&C);
    }
    checked("%s: %ctrsm, Inf stays behind", env_name(e), tsl_type_letter(t));
}

/* Every line is a solve of its own, with the same bits whatever its neighbours and the groups they form. */
static void by_groups(env *e, tsl_type t, int64_t n, int64_t width, int which)
{
    form f = form_of(which);
    int count = tsl_shape_count(e->ctx, "trsm", t);
    dense a = triangle(t, n, f), B = right_hand_sides(t, n, width, f), first = dense_copy(&B);
    job b = solve(f, &a, &first);
    check(job_run(e, &b) == TSL_OK, "trsm");
    for (int shape = 1; shape <= count; shape++) {
        char number[16];
        dense again = dense_copy(&B);
        job c = solve(f, &a, &again);
        snprintf(number, sizeof number, "%d", shape);
        check(!tsl_set(e->ctx, "shape", number) && job_run(e, &c) == TSL_OK && dense_same(&first, &again),
              "form %d, order %d, %d lines: shape %d", which, (int)n, (int)width, shape);
        dense_free(&again);
    }
    check(!tsl_set(e->ctx, "shape", "0"), "set");
    int64_t from = width - 5;
    dense few = f.side == TSL_LEFT ? dense_make(t, n, 5, CANARY_FINITE) : dense_make(t, 5, n, CANARY_FINITE);
    for (int64_t k = 0; k < n; k++)
        for (int64_t l = 0; l < 5; l++)
            if (f.side == TSL_LEFT) dense_put(&few, k, l, dense_get(&B, k, from + l));
            else dense_put(&few, l, k, dense_get(&B, from + l, k));
    job s = solve(f, &a, &few);
    const char *wrong = job_check(e, &s);
    check(!wrong, "five of the lines: %s", wrong);
    for (int64_t k = 0; k < n; k++)
        for (int64_t l = 0; l < 5; l++) {
            tsl_scalar x = f.side == TSL_LEFT ? dense_get(&first, k, from + l) : dense_get(&first, from + l, k);
            tsl_scalar y = f.side == TSL_LEFT ? dense_get(&few, k, l) : dense_get(&few, l, k);
            check(cabs(x - y) <= 1e-4 * (1 + cabs(y)), "form %d, order %d, %d lines: entry %d of line %d", which, (int)n, (int)width, (int)k, (int)l);
        }
    dense_free(&a), dense_free(&B), dense_free(&first), dense_free(&few);
}

static void many(env *e, tsl_type t)
{
    bool shapes = tsl_shape_count(e->ctx, "trsm", t) > 0;
    for (int which = 0; which < FORMS; which += shapes ? 1 : 7) by_groups(e, t, 150, 70, which);
    by_groups(e, t, 200, 600, 0);
    by_groups(e, t, 130, 4200, 3);
    if (t == TSL_Z) by_groups(e, t, 260, 16200, 3); /* more than one launch of a GPU takes */
    checked("%s: %ctrsm, many right-hand sides", env_name(e), tsl_type_letter(t));
}

static void one_env(env *e)
{
    if (e->via == VIA_WRAPPED) return; /* as typed */
    for (int i = 0; i < 4; i++) {
        against_reference(e, types[i]);
        not_to_be_inverted(e, types[i]);
        infinite(e, types[i]);
        if (!strcmp(e->tile, "0")) many(e, types[i]);
    }
}

int main(void)
{
    for_each_env(one_env);
    return tap_done();
}
