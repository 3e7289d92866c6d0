/* Typed calls on batches of general matrices: eigenpairs, Schur forms, exponentials. Each problem is judged by residuals;
 * problems with a NaN have an info, and do not touch others. */
#include "batch_orders.h"

/* Eigenvalue j of problem k; vectors of real matrices are two columns of a pair */
static tsl_scalar value_of(tsl_type t, const stack *w, const stack *wi, int64_t k, int64_t j)
{
    return is_complex(t) ? stack_get(w, k, j, 0) : CMPLX(creal(stack_get(w, k, j, 0)), creal(stack_get(wi, k, j, 0)));
}

static dense vectors_of(tsl_type t, const stack *V, const stack *wi, int64_t k)
{
    dense d = dense_of(V, k);
    for (int64_t j = 0; j + 1 < V->n && !is_complex(t); j++) {
        if (!(creal(stack_get(wi, k, j, 0)) > 0))
            continue;
        for (int64_t i = 0; i < V->m; i++) {
            tsl_scalar re = stack_get(V, k, i, j), im = stack_get(V, k, i, j + 1);
            *dense_at(&d, i, j) = re + I * im, *dense_at(&d, i, j + 1) = re - I * im;
        }
        j++;
    }
    return d;
}

static void general_case(tsl_type t, layout how, int64_t n, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), w = stack_make(t, how, n, 1, count), wi = stack_make(t, how, n, 1, count);
    stack VL = stack_make(t, how, n, n, count), VR = stack_make(t, how, n, n, count);
    spoil(&A);
    stack given = stack_copy(&A);
    int64_t *info = calloc((size_t)count, sizeof *info);
    double worst = 0;
#define GEEV(M, V) 'V', 'V', n, M(A), V(w), V(wi), M(VL), M(VR), count, info
#define GEEVC(M, V) 'V', 'V', n, M(A), V(w), M(VL), M(VR), count, info
    tsl_status st = is_complex(t) ? COMPLEX_FORM(t, how, geev, GEEVC) : REAL_FORM(t, how, geev, GEEV);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            continue;
        dense a = dense_of(&given, k), r = vectors_of(t, &VR, &wi, k), l = vectors_of(t, &VL, &wi, k), rw = dense_make(n, n),
              lw = dense_make(n, n);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) {
                *dense_at(&rw, i, j) = *dense_at(&r, i, j) * value_of(t, &w, &wi, k, j);
                *dense_at(&lw, i, j) = *dense_at(&l, i, j) * conj(value_of(t, &w, &wi, k, j));
            }
        worst = worse(worst, worse(dense_error(t, 'N', &a, 'N', &r, &rw), dense_error(t, 'C', &a, 'N', &l, &lw)));
        dense_free(&a), dense_free(&r), dense_free(&l), dense_free(&rw), dense_free(&lw);
    }
    check(!st && infos && worst < BOUND, "%s %c geev %d, layout %d: infos %d, %g, %s", where, tsl_type_letter(t), (int)n, how,
          infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&w), stack_free(&wi), stack_free(&VL), stack_free(&VR), stack_free(&given), free(info);
}

/* Problems in the device's memory, at a stride or at pointers: right eigenvectors */
static void on_device_case(int pointers)
{
    enum { N = 7, COUNT = 40 };
    stack A = random_stack(TSL_D, GAPS, N, N, COUNT), V = stack_make(TSL_D, DENSE, N, N, COUNT);
    stack w = stack_make(TSL_D, DENSE, N, 1, COUNT), wi = stack_copy(&w), *host[] = {&A, &w, &wi, &V};
    tsl_matrix *there[4] = {NULL}, *seen[4] = {NULL}, *here[4] = {NULL};
    void *each[4][COUNT];
    int64_t info[COUNT];
    tsl_view v[4];
    tsl_status st = TSL_OK;
    for (int i = 0; i < 4 && !st; i++) {
        int64_t n = host[i]->n;
        st = tsl_matrix_create(ctx, TSL_D, N, n * COUNT, &there[i]);
        double *data = tsl_matrix_data(there[i]);
        int64_t ld = tsl_matrix_ld(there[i]);
        for (int64_t k = 0; k < COUNT && !st; k++)
            each[i][k] = data + k * n * ld;
        if (!st)
            st = pointers ? tsl_batch_wrap_pointers(ctx, TSL_D, N, n, each[i], ld, COUNT, &seen[i])
                          : tsl_batch_wrap(ctx, TSL_D, N, n, data, ld, n * ld, COUNT, &seen[i]);
        if (!st)
            st = tsl_batch_wrap(ctx, TSL_D, N, n, host[i]->data, host[i]->ld, host[i]->stride, COUNT, &here[i]);
        v[i] = tsl_whole(seen[i]);
    }
    if (!st)
        st = tsl_copy(ctx, tsl_whole(here[0]), v[0]);
    if (!st)
        st = tsl_geev(ctx, v[0], v[1], v[2], (tsl_view){0}, v[3], info);
    for (int i = 1; i < 4 && !st; i++)
        st = tsl_copy(ctx, v[i], tsl_whole(here[i]));
    double worst = 0;
    for (int64_t k = 0; k < COUNT && !st; k++) {
        dense a = dense_of(&A, k), r = vectors_of(TSL_D, &V, &wi, k), rw = dense_make(N, N);
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++)
                *dense_at(&rw, i, j) = *dense_at(&r, i, j) * value_of(TSL_D, &w, &wi, k, j);
        worst = info[k] ? INFINITY : worse(worst, dense_error(TSL_D, 'N', &a, 'N', &r, &rw));
        dense_free(&a), dense_free(&r), dense_free(&rw);
    }
    check(!st && worst < BOUND, "%s geev in the device's memory, pointers %d: %g, %s", where, pointers, worst, tsl_error(ctx));
    for (int i = 0; i < 4; i++)
        tsl_matrix_free(seen[i]), tsl_matrix_free(there[i]), tsl_matrix_free(here[i]), stack_free(host[i]);
}

/* A = Z T Z^H; with an order of eigenvalues, those in the left half-plane first */
static void schur_case(tsl_type t, layout how, int64_t n, char sort, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), w = stack_make(t, how, n, 1, count), wi = stack_make(t, how, n, 1, count),
          VS = stack_make(t, how, n, n, count);
    spoil(&A);
    stack given = stack_copy(&A);
    int64_t *info = calloc((size_t)count, sizeof *info), *sdim = calloc((size_t)count, sizeof *sdim);
    double worst = 0;
#define GEES(M, V) 'V', sort, n, M(A), sdim, V(w), V(wi), M(VS), count, info
#define GEESC(M, V) 'V', sort, n, M(A), sdim, V(w), M(VS), count, info
    tsl_status st = is_complex(t) ? COMPLEX_FORM(t, how, gees, GEESC) : REAL_FORM(t, how, gees, GEES);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            continue;
        dense a = dense_of(&given, k), z = dense_of(&VS, k), s = dense_of(&A, k), zs = dense_times('N', &z, 'N', &s);
        worst = worse(worst, worse(dense_unitary(t, &z), dense_error(t, 'N', &zs, 'C', &z, &a)));
        int64_t left = 0;
        for (int64_t j = 0; j < n; j++) {
            left += creal(value_of(t, &w, &wi, k, j)) < 0;
            for (int64_t i = j + 2; i < n; i++)
                if (cabs(*dense_at(&s, i, j)) != 0)
                    worst = INFINITY;
        }
        infos &= sdim[k] == (sort == 'L' ? left : 0);
        for (int64_t j = 0; j < left && sort == 'L'; j++)
            infos &= creal(value_of(t, &w, &wi, k, j)) < 0;
        dense_free(&a), dense_free(&z), dense_free(&s), dense_free(&zs);
    }
    check(!st && infos && worst < BOUND, "%s %c gees %c %d, layout %d: infos %d, %g, %s", where, tsl_type_letter(t), sort,
          (int)n, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&w), stack_free(&wi), stack_free(&VS), stack_free(&given), free(info), free(sdim);
}

/* exp(A) by its series, of A / 2^s, squared s times */
static dense exponential(const dense *A)
{
    int squarings = 0;
    double size = dense_size(A) * (double)A->m;
    while (ldexp(size, -squarings) > 0.25)
        squarings++;
    dense x = dense_make(A->m, A->m), sum = dense_unit(A->m), term = dense_unit(A->m);
    for (int64_t i = 0; i < A->m * A->m; i++)
        x.a[i] = A->a[i] * ldexp(1, -squarings);
    for (int j = 1; j < 20; j++) {
        dense next = dense_times('N', &term, 'N', &x);
        dense_free(&term), term = next;
        for (int64_t i = 0; i < A->m * A->m; i++)
            sum.a[i] += term.a[i] /= j;
    }
    for (; squarings; squarings--) {
        dense next = dense_times('N', &sum, 'N', &sum);
        dense_free(&sum), sum = next;
    }
    dense_free(&x), dense_free(&term);
    return sum;
}

static void exponential_case(tsl_type t, layout how, int64_t n, double scale, int64_t count)
{
    stack A = random_stack(t, how, n, n, count);
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                stack_set(&A, k, i, j, stack_get(&A, k, i, j) * scale * (k % 3 ? 1 : 1e-3));
    spoil(&A);
    stack given = stack_copy(&A);
    int64_t *info = calloc((size_t)count, sizeof *info);
    double worst = 0;
#define EXPM(M, V) n, M(A), count, info
    tsl_status st = BY_FORM(t, how, expm, expm, EXPM);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            continue;
        dense a = dense_of(&given, k), e = exponential(&a), ours = dense_of(&A, k);
        double apart = 0, size = dense_size(&e), norm = dense_size(&a) * (double)n;
        for (int64_t i = 0; i < n * n; i++)
            apart = worse(apart, cabs(e.a[i] - ours.a[i]));
        worst = worse(worst, apart / (size * eps(t) * (double)(n + 1) * (1 + norm)));
        dense_free(&a), dense_free(&e), dense_free(&ours);
    }
    check(!st && infos && worst < BOUND && stack_intact(&A, &given), "%s %c expm %d of size %g, layout %d: infos %d, %g, %s",
          where, tsl_type_letter(t), (int)n, scale, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&given), free(info);
}

static void of_order(tsl_type t, layout how, int64_t n, int turn, int64_t count)
{
    bool odd = turn % 2;
    if (n <= 33 || strncmp(where, "cuda", 4)) { /* a GPU has these one after the other */
        general_case(t, how, n, count);
        schur_case(t, how, n, odd ? 'L' : 'N', count);
    }
    exponential_case(t, how, n, odd ? 0.1 : 2.0 / (double)n, count);
}

static void of_type(tsl_type t, int64_t largest)
{
    (void)largest;
    on_device_case(t % 2);
}

int main(void) { return run(of_order, of_type, "general eigenproblems, exponentials"); }
