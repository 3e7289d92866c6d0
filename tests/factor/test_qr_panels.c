/* Panels of QR on a GPU, of every height that a kernel has a form for, in each of its shapes, and taller ones, which are
 * factored by products of them with themselves or, where their condition forbids that, a column at a time: residual,
 * orthogonality, the same bits twice, what is no number is seen, but not in rows of R above it, and nothing else is touched. */
#include "qr.h"

#define BOUND 30.0

/* PARALLEL: each odd column is nearly the one before it; FADED: it is tiny, but for its first element; RISEN: column 3 is long
 * beside column 2, which is tiny below its diagonal. First elements are 1: what is tiny stays so when columns are scaled. */
enum { PARALLEL = QR_KINDS, FADED, RISEN };

/* Column 0 is one of I, and RISEN's columns 1 and 3 have one more element. */
static tsl_scalar unlike(tsl_type t, int64_t i, int64_t j, int kind, tsl_scalar own, tsl_scalar before)
{
    bool single = qr_single(t);
    if (i == 0) return 1;
    if (kind == FADED) return j == 0 ? 0 : j % 2 == 0 ? own : (own + before / 2) * exp2(single ? -90 : -540);
    if (j == 2 && i > 1) return i == 2 ? exp2(single ? -60 : -500) : own * exp2(single ? -120 : -917);
    return j < 4 ? i == qr_min(j, 2) : own;
}

static dense matrix(tsl_type t, int64_t m, int64_t n, int kind)
{
    dense A = qr_matrix(t, m, n, kind >= PARALLEL ? RANDOM : (qr_kind)kind, (uint64_t)(m + n));
    for (int64_t j = 1; j < n && kind == PARALLEL; j += 2)
        for (int64_t i = 0; i < m; i++) dense_put(&A, i, j, dense_get(&A, i, j - 1) + dense_get(&A, i, j) * (qr_single(t) ? 1e-3 : 1e-9));
    for (int64_t j = 0; j < n && kind > PARALLEL; j++)
        for (int64_t i = 0; i < m; i++)
            dense_put(&A, i, j, unlike(t, i, j, kind, dense_get(&A, i, j), j ? dense_get(&A, i, j - 1) : 0));
    return A;
}

static void factored(env *e, tsl_type t, int64_t m, int64_t n, int kind, bool lq)
{
    dense A = matrix(t, lq ? n : m, lq ? m : n, kind), was = dense_copy(&A), again = dense_copy(&A);
    dense tau = qr_factors(t, n), first = dense_copy(&tau), tau_again = dense_copy(&tau);
    job b = qr_job(TSL_OP_GEQRF, &A, lq ? qr_herm(t) : TSL_NOTRANS, &tau, NULL);
    job c = qr_job(TSL_OP_GEQRF, &again, lq ? qr_herm(t) : TSL_NOTRANS, &tau_again, NULL);
    operand before = {.d = &was, .op = b.v[0].op};
    char who[96];
    snprintf(who, sizeof who, "%c %d x %d, kind %d, lq %d", tsl_type_letter(t), (int)m, (int)n, kind, lq);
    tsl_status st = job_run(e, &b), too = job_run(e, &c);
    check(!st && !too && b.info == 0, "%s: %s %s", who, tsl_status_name(st), tsl_error(e->ctx));
    double r = qr_residual(&before, &b.v[0], &tau), o = qr_orthogonality(&b.v[0], &tau);
    check(r < BOUND && o < BOUND, "%s: residual %g, orthogonality %g", who, r, o);
    check(dense_same(&A, &again) && dense_same(&tau, &tau_again), "%s: not the same bits twice", who);
    check(dense_strays(&A, &was, TSL_GENERAL) == 0 && dense_strays(&tau, &first, TSL_GENERAL) == 0, "%s: wrote outside", who);
    dense_free(&A), dense_free(&was), dense_free(&again), dense_free(&tau), dense_free(&first), dense_free(&tau_again);
}

/* Column by column, and without m: |A - Q R| / (eps |A|), the largest, in the 2-norm. What multiplying by an inverse would
 * leave is in one or a few columns. */
static double worst_column(const dense *A, const operand *F, const dense *tau)
{
    int64_t m = A->m, n = A->n;
    double worst = 0;
    tsl_scalar *X = qr_room(m, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) X[i + j * m] = seen(F, i, j);
    qr_reflect(F, tau, false, X, n);
    for (int64_t j = 0; j < n; j++) {
        double off = 0, size = 0;
        for (int64_t i = 0; i < m; i++) off = hypot(off, cabs(X[i + j * m] - dense_get(A, i, j))), size = hypot(size, cabs(dense_get(A, i, j)));
        worst = off <= worst * size ? worst : isnan(off) ? INFINITY : off / size;
    }
    free(X);
    return worst / tsl_type_eps(A->t);
}

/* A := A - 2 v v^H A / v^H v, v random */
static void reflect_rows(dense *A, uint64_t seed)
{
    tsl_scalar *v = qr_room(A->m, 1);
    double size = 0;
    for (int64_t i = 0; i < A->m; i++) v[i] = dense_uniform(&seed), size += creal(v[i] * conj(v[i]));
    for (int64_t j = 0; j < A->n; j++) {
        tsl_scalar dot = 0;
        for (int64_t i = 0; i < A->m; i++) dot += conj(v[i]) * dense_get(A, i, j);
        for (int64_t i = 0; i < A->m; i++) dense_put(A, i, j, dense_get(A, i, j) - 2 / size * dot * v[i]);
    }
    free(v);
}

/* A tall A = Q R of a given R. GEOMETRIC: R = D U with a random unit triangle U and D from 1 to 10^-exponent; GROWING:
 * the inverse of R grows to 10^exponent from a unit triangle of equal elements, though no column or row is small. */
typedef enum r_kind { GEOMETRIC, GROWING, R_KINDS } r_kind;

static void of_condition(env *e, tsl_type t, int64_t m, int64_t n, r_kind kind, double exponent)
{
    dense A = dense_make(t, m, n, CANARY_FINITE), tau = qr_factors(t, n);
    uint64_t seed = 5;
    double equal = pow(10, exponent / (double)(n - 1)) - 1;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            double below = kind == GROWING ? -equal : dense_uniform(&seed), scale = kind == GEOMETRIC ? pow(10, -exponent * (double)i / (double)(n - 1)) : 1;
            dense_put(&A, i, j, i > j ? 0 : scale * (i == j ? 1 : below));
        }
    for (uint64_t k = 0; k < 3; k++) reflect_rows(&A, 10 + k);
    dense was = dense_copy(&A), theirs = dense_copy(&A), their_tau = qr_factors(t, n);
    job b = qr_job(TSL_OP_GEQRF, &A, TSL_NOTRANS, &tau, NULL);
    tsl_status st = job_run(e, &b);
    qr_lapack(&theirs, &their_tau, false);
    double r = worst_column(&was, &b.v[0], &tau), o = qr_orthogonality(&b.v[0], &tau) * (double)m / (double)n;
    double lapack = worst_column(&was, &(operand){.d = &theirs}, &their_tau); /* multiplying by so long reflectors in double is in both */
    check(!st && r < BOUND + 2 * lapack && o < BOUND, "%c %d x %d, R %d of 1e%g: a column is off by %g eps, LAPACK's by %g; orthogonality by %g n eps",
          tsl_type_letter(t), (int)m, (int)n, kind, exponent, r, lapack, o);
    dense_free(&A), dense_free(&was), dense_free(&tau), dense_free(&theirs), dense_free(&their_tau);
}

/* Rows of R above a column with NaN, in all columns but that, are what they are with any other number there; as far as the
 * block of 32 columns reaches, after that those above the block. */
static void rows_above(env *e, tsl_type t, int64_t m, int64_t n, int64_t at)
{
    dense A = matrix(t, m, n, RANDOM), B = dense_copy(&A), tau = qr_factors(t, n), other = qr_factors(t, n);
    int64_t apart = 0, block = at / 32 * 32;
    dense_put(&A, m - 1, at, NAN);
    job a = qr_job(TSL_OP_GEQRF, &A, TSL_NOTRANS, &tau, NULL), b = qr_job(TSL_OP_GEQRF, &B, TSL_NOTRANS, &other, NULL);
    tsl_status st = job_run(e, &a), too = job_run(e, &b);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < (j < block + 32 ? at : block) && j != at; i++) apart += i <= j && dense_get(&A, i, j) != dense_get(&B, i, j);
    check(!st && !too && apart == 0, "%c %d x %d: NaN in column %d has changed %d elements of R's rows above", tsl_type_letter(t), (int)m, (int)n, (int)at,
          (int)apart);
    dense_free(&A), dense_free(&B), dense_free(&tau), dense_free(&other);
}

static void no_number(env *e, tsl_type t, int64_t m, int64_t n)
{
    for (int inf = 0; inf < 2; inf++) {
        dense A = matrix(t, m, n, RANDOM), tau = qr_factors(t, n);
        dense_put(&A, m - 1, n / 2, inf ? INFINITY : NAN);
        job b = qr_job(TSL_OP_GEQRF, &A, TSL_NOTRANS, &tau, NULL);
        tsl_status st = job_run(e, &b);
        check(!st && !scalar_finite(dense_get(&A, n / 2, n / 2)), "%c %d x %d: inf %d is not seen", tsl_type_letter(t), (int)m, (int)n, inf);
        dense_free(&A), dense_free(&tau);
    }
}

static void heights(env *e, tsl_type t, int shape)
{
    static const int64_t shapes[][2] = {{33, 33}, {200, 128}, {1100, 70}, {2100, 100}, {4200, 65}, {8300, 40}};
    static const int kinds[] = {RANDOM, GRADED, DEFICIENT, ZERO_COLUMN, HUGE_ONES, PARALLEL, FADED, RISEN};
    char number[16];
    snprintf(number, sizeof number, "%d", shape);
    check(!tsl_set(e->ctx, "shape", number), "shape %d: %s", shape, tsl_error(e->ctx));
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        int64_t m = shapes[s][0], n = shapes[s][1];
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (shape ? kinds[k] == PARALLEL : m < 2000 || k % 3 == s % 3) factored(e, t, m, n, kinds[k], false); /* numbers are the shape's least concern */
        factored(e, t, m, n, RANDOM, true);
        no_number(e, t, m, n);
        rows_above(e, t, m, n, 9);
        rows_above(e, t, m, n, n - 3);
    }
    checked("%c: panels of every height, shape %d", tsl_type_letter(t), shape);
}

/* More rows than all multiprocessors have room for: complex double has room for the fewest. */
static void tall(env *e)
{
    static const int kinds[] = {RANDOM, GRADED, DEFICIENT, TINY, HUGE_ONES, PARALLEL};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) factored(e, TSL_Z, 18500, k ? 34 : 66, kinds[k], false);
    no_number(e, TSL_Z, 18500, 34);
    factored(e, TSL_S, 68000, 20, RANDOM, false);
    factored(e, TSL_D, 68000, 33, RANDOM, false);
    factored(e, TSL_C, 68000, 20, RANDOM, false);
    checked("tall panels");
    for (double exponent = 1; exponent <= 15; exponent += 2)
        for (int kind = 0; kind < R_KINDS; kind++) of_condition(e, TSL_Z, 18500, 40, (r_kind)kind, exponent);
    of_condition(e, TSL_D, 34000, 64, GROWING, 2.6);
    of_condition(e, TSL_S, 34000, 40, GROWING, 2);
    checked("tall panels of conditions 1e1 to 1e15: every column of A is that of Q R as LAPACK's is");
}

int main(void)
{
    env e = {.tile = "0", .via = VIA_WRAPPED};
    if (!env_on_gpu(&e)) return tap_done();
    tall(&e);
    for (int i = 0; i < 4; i++)
        for (int shape = tsl_shape_count(e.ctx, "geqrf", all_types[i]); shape >= 0; shape--) heights(&e, all_types[i], shape); /* 0 the last */
    tsl_context_destroy(e.ctx);
    return tap_done();
}
