/* Cholesky of matrices that a device factors whole, by one leaf: it agrees with the blocked algorithm, twice has the same bits,
 * leaves what is not its own, and where a minor is not positive definite has the factor of those before it. Where memory is
 * short for the leaf's workspace, the blocked algorithm takes its place: on a GPU, and with a table of kernels that has such a
 * leaf on the host. */
#include "exec/exec.h"
#include "reference.h"

static const char *const specs[] = {"host", "cuda"};

static void factor(tsl_context *x, dense *A, tsl_uplo uplo, int64_t want)
{
    env e = {x, "", "0", VIA_CREATED};
    job b = {.op = TSL_OP_POTRF, .v = {{.d = A, .uplo = uplo}}, .info = -77};
    tsl_status st = job_run(&e, &b);
    check(!st && b.info == want, "n %d, uplo %d: status %d, info %d, not %d", (int)A->n, uplo, st, (int)b.info, (int)want);
}

/* The largest difference of the leading triangles of order m */
static double apart(const dense *a, const dense *b, tsl_uplo uplo, int64_t m)
{
    double most = 0;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++)
            if (in_triangle(uplo, i, j)) {
                double d = cabs(dense_get(a, i, j) - dense_get(b, i, j));
                most = worse(most, d);
            }
    return most;
}

static void whole(tsl_context *x, tsl_type t, tsl_uplo uplo, int64_t n)
{
    const int64_t bad[] = {1, 33, 64, 65, 97, n / 2, n};
    dense was = dense_definite(t, n, uplo), A = dense_copy(&was), again = dense_copy(&was), blocked = dense_copy(&was);
    factor(x, &A, uplo, 0);
    factor(x, &again, uplo, 0);
    check(dense_same(&A, &again), "n %d, uplo %d: the same bits twice", (int)n, uplo);
    check(dense_strays(&A, &was, uplo) == 0, "n %d, uplo %d: wrote outside the triangle", (int)n, uplo);
    check(!tsl_set(x, "variant", "1") && !tsl_set(x, "tile", "64"), "blocked");
    factor(x, &blocked, uplo, 0);
    check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "tile", "0"), "auto");
    double off = apart(&A, &blocked, uplo, n), scale = cabs(dense_get(&was, 0, 0));
    check(off <= 4 * (double)n * tsl_type_eps(t) * scale, "n %d, uplo %d: off the blocked algorithm by %g", (int)n, uplo, off);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        dense B = dense_copy(&was), before;
        dense_put(&B, bad[k] - 1, bad[k] - 1, -1);
        before = dense_copy(&B);
        factor(x, &B, uplo, bad[k]);
        check(apart(&A, &B, uplo, bad[k] - 1) == 0, "n %d, uplo %d: the factor before column %d", (int)n, uplo, (int)bad[k]);
        check(dense_strays(&B, &before, uplo) == 0, "n %d, uplo %d: wrote outside after a failure", (int)n, uplo);
        dense_free(&B), dense_free(&before);
    }
    dense_free(&was), dense_free(&A), dense_free(&again), dense_free(&blocked);
}

/* A = L L^H for a block diagonal L of order 24 with a tiny pivot in each: solving with diagonal blocks by their inverses alone
 * would leave a residual larger by the inverse of that. */
enum { ORDER = 24 };

static double entry_of(int64_t i, int64_t j, double tiny)
{
    if (i < j || i / ORDER != j / ORDER) return 0;
    return i == j ? (j % ORDER == 2 ? tiny : 1) : (double)((7 * i + 5 * j) % 11 - 5) / 8;
}

static double square_of(int64_t i, int64_t j, double tiny)
{
    double sum = 0;
    for (int64_t k = j / ORDER * ORDER; k <= j; k++) sum += entry_of(i, k, tiny) * entry_of(j, k, tiny);
    return sum;
}

static void ill_conditioned(tsl_context *x, tsl_type t, tsl_uplo uplo, int64_t n)
{
    dense A = dense_definite(t, n, uplo);
    const double tiny = tsl_type_eps(t) < 1e-10 ? 1e-6 : 0.02;
    double most = 0, off = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) dense_put(&A, uplo == TSL_LOWER ? i : j, uplo == TSL_LOWER ? j : i, square_of(i, j, tiny));
    factor(x, &A, uplo, 0);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double sum = 0, want = square_of(i, j, tiny);
            for (int64_t k = 0; k <= j; k++)
                sum += creal(uplo == TSL_LOWER ? dense_get(&A, i, k) * dense_get(&A, j, k) : dense_get(&A, k, i) * dense_get(&A, k, j));
            off = worse(off, fabs(sum - want));
            if (want > most) most = want;
        }
    check(off <= 30 * tsl_type_eps(t) * most, "type %d, n %d, uplo %d: residual %g of %g", t, (int)n, uplo, off, most);
    dense_free(&A);
}

/* The leaves of a factorization in M, on the device, that may take `spare` bytes beside it; `from` comes there before that. */
static uint64_t launches(tsl_context *x, tsl_matrix *M, const dense *from, size_t spare)
{
    tsl_counters n = {0};
    tsl_matrix *host = NULL;
    int64_t info = -77;
    tsl_status st = tsl_matrix_wrap(x, from->t, from->m, from->n, from->data, from->ld, &host);
    if (!st) st = tsl_copy(x, tsl_whole(host), tsl_whole(M));
    if (spare != SIZE_MAX) {
        tsl_trim(x);
        x->dev->limit = x->dev->used + spare;
    }
    if (!st) st = tsl_counters_reset(x);
    if (!st) st = tsl_potrf(x, tsl_lower(tsl_whole(M)), &info);
    if (!st) st = tsl_counters_get(x, &n);
    x->dev->limit = SIZE_MAX;
    check(!st && info == 0, "status %d, info %d (%s)", st, (int)info, tsl_error(x));
    tsl_matrix_free(host);
    return n.launches;
}

static void difference(tsl_context *x, tsl_matrix *M, const dense *L)
{
    dense A = dense_make(L->t, L->m, L->n, CANARY_FINITE);
    tsl_matrix *host = NULL;
    tsl_status st = tsl_matrix_wrap(x, A.t, A.m, A.n, A.data, A.ld, &host);
    if (!st) st = tsl_copy(x, tsl_whole(M), tsl_whole(host));
    double off = apart(&A, L, TSL_LOWER, A.n);
    check(!st && off <= 4 * (double)A.n * tsl_type_eps(A.t) * cabs(dense_get(L, 0, 0)) * cabs(dense_get(L, 0, 0)), "off by %g", off);
    tsl_matrix_free(host);
    dense_free(&A);
}

/* `spare` bytes of memory are too few for the leaf's workspace, and enough for the blocked algorithm. */
static void short_of_memory(tsl_context *x, tsl_type t, int64_t n, size_t spare)
{
    dense A = dense_definite(t, n, TSL_LOWER), L = dense_copy(&A);
    tsl_matrix *M = NULL;
    factor(x, &L, TSL_LOWER, 0);
    check(!tsl_matrix_create(x, t, n, n, &M), "a matrix on the device");
    uint64_t one = launches(x, M, &A, SIZE_MAX);
    check(one == 1, "n %d: %d leaves with memory enough", (int)n, (int)one);
    check(!tsl_set(x, "variant", "1"), "variant");
    (void)launches(x, M, &A, SIZE_MAX); /* what libraries keep is there now */
    check(!tsl_set(x, "variant", "auto"), "variant");
    uint64_t many = launches(x, M, &A, spare);
    check(many > 1, "n %d: %d leaves on %d bytes", (int)n, (int)many, (int)spare);
    difference(x, M, &L);
    check(launches(x, M, &A, SIZE_MAX) == 1, "n %d: and again with enough", (int)n);
    tsl_matrix_free(M);
    dense_free(&A), dense_free(&L);
}

/* The host's backend, with a leaf that takes 300 columns if it has workspace, and 64 without */
static size_t asked;
static size_t workspace(const tsl_leaf *l) { return l->n > 64 ? asked : 0; }
static tsl_kernel_entry entry;
static const tsl_kernel_entry *kernels[TSL_OP_COUNT];
static tsl_backend backend;

/* Look-ahead leaves what is left to the leaf as soon as that takes it. */
static void rest_whole(tsl_context *x)
{
    dense A = dense_definite(TSL_D, 500, TSL_LOWER), L = dense_copy(&A);
    tsl_matrix *M = NULL;
    uint64_t count[2];
    factor(x, &L, TSL_LOWER, 0);
    check(!tsl_matrix_create(x, TSL_D, 500, 500, &M) && !tsl_set(x, "variant", "ahead") && !tsl_set(x, "tile", "64"), "ahead");
    for (int i = 0; i < 2; i++) {
        asked = i == 0 ? 8 << 20 : (size_t)1 << 61;
        count[i] = launches(x, M, &A, SIZE_MAX);
        difference(x, M, &L);
    }
    check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "tile", "0"), "auto");
    check(count[0] < count[1], "%d leaves, %d where the rest is cut", (int)count[0], (int)count[1]);
    tsl_matrix_free(M);
    dense_free(&A), dense_free(&L);
    checked("host: the rest whole");
}

static void large_leaf(tsl_context *x)
{
    const tsl_backend *host = x->dev->be;
    memcpy(kernels, host->kernels, sizeof kernels);
    entry = *kernels[TSL_OP_POTRF];
    entry.limit = 64, entry.skinny = 300, entry.workspace = workspace;
    kernels[TSL_OP_POTRF] = &entry;
    backend = *host;
    backend.kernels = kernels;
    x->dev->be = &backend;
    asked = 8 << 20;
    for (int i = 0; i < 4; i++) short_of_memory(x, all_types[i], 300, 4 << 20);
    checked("host: memory short of a limit");
    rest_whole(x);
    asked = (size_t)1 << 61; /* nobody has that, and nobody has said so */
    dense A = dense_definite(TSL_D, 200, TSL_LOWER), L = dense_copy(&A);
    tsl_matrix *M = NULL;
    check(!tsl_matrix_create(x, TSL_D, 200, 200, &M) && launches(x, M, &A, SIZE_MAX) > 1, "no memory");
    x->dev->be = host;
    factor(x, &L, TSL_LOWER, 0);
    difference(x, M, &L);
    tsl_matrix_free(M);
    dense_free(&A), dense_free(&L);
    checked("host: memory that is not there");
}

int main(void)
{
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        tsl_context *x = context_on(specs[s]);
        if (!x) continue;
        for (int i = 0; i < 4; i++)
            for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) {
                whole(x, all_types[i], (tsl_uplo)uplo, 328);
                if (x->dev->be->accelerator) whole(x, all_types[i], (tsl_uplo)uplo, 1001);
            }
        checked("%s: whole", specs[s]);
        for (int i = 0; i < 4; i++)
            for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) ill_conditioned(x, all_types[i], (tsl_uplo)uplo, 300);
        checked("%s: ill conditioned", specs[s]);
        if (x->dev->be->accelerator) {
            for (int i = 0; i < 4; i++) short_of_memory(x, all_types[i], 2000, (size_t)6 * 256 * 256 * 16 + ((size_t)1 << 20));
            checked("%s: memory short of a limit", specs[s]);
        } else {
            large_leaf(x);
        }
        tsl_context_destroy(x);
    }
    return tap_done();
}
