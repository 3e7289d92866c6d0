/* The hybrid variants: diagonal blocks (Cholesky) and panels (LU, QR) by the host's cores, the rest on a device with a memory
 * of its own. The same results as by the plain text but for rounding, the same outcomes, blocks that move, and where there is
 * nothing to move to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "dense.h"
#include "typed.h"

enum { N = 150 };
static const tsl_type types[] = {TSL_S, TSL_D, TSL_C, TSL_Z};

static double eps_of(tsl_type t) { return t == TSL_S || t == TSL_C ? 0x1p-23 : 0x1p-52; }

static double distance(const dense *a, const dense *b, tsl_uplo uplo)
{
    double far = 0, size = 0;
    for (int64_t j = 0; j < a->n; j++)
        for (int64_t i = 0; i < a->m; i++) {
            if (uplo == TSL_GENERAL || (uplo == TSL_LOWER ? i >= j : i <= j))
                far = worse(far, cabs(dense_get(a, i, j) - dense_get(b, i, j)));
            size = tsl_larger(size, cabs(dense_get(b, i, j)));
        }
    return far / size;
}

/* The caller's array, its leading dimension odd or not, as a matrix on the device; factored; and back. */
typedef struct made { tsl_matrix *A, *p; } made;

static made put(tsl_context *x, tsl_type t, const dense *a, int64_t ld, tsl_type second, int64_t count)
{
    made o = {NULL, NULL};
    tsl_matrix *host = NULL, *large = NULL;
    check(!tsl_matrix_create(x, t, ld, a->n, &large) && !tsl_matrix_wrap(x, t, a->m, a->n, a->data, a->ld, &host) &&
              !tsl_copy(x, tsl_whole(host), tsl_sub(tsl_whole(large), 0, 0, a->m, a->n)) && !tsl_wait(x), "a matrix");
    if (count) check(!tsl_matrix_create(x, second, count, 1, &o.p), "a column");
    tsl_matrix_free(host);
    o.A = large;
    return o;
}

static void get(tsl_context *x, const made *o, dense *a)
{
    tsl_matrix *host = NULL;
    check(!tsl_matrix_wrap(x, a->t, a->m, a->n, a->data, a->ld, &host) &&
              !tsl_copy(x, tsl_sub(tsl_whole(o->A), 0, 0, a->m, a->n), tsl_whole(host)) && !tsl_wait(x), "back");
    tsl_matrix_free(host);
    tsl_matrix_free(o->A), tsl_matrix_free(o->p);
}

enum { POTRF_L, POTRF_U, GETRF, GEQRF, GELQF, OPERATIONS };
static const char *const names[] = {"potrf, lower", "potrf, upper", "getrf", "geqrf", "gelqf"};

/* Factors a copy of `a`; *info its outcome, *moved the blocks that went to the host and back. */
static dense factor(tsl_context *x, int what, const char *variant, const dense *a, int64_t odd, int64_t *info, int64_t *moved)
{
    dense out = dense_copy(a);
    int64_t d = a->m < a->n ? a->m : a->n;
    made o = put(x, a->t, a, a->m + odd, what == GETRF ? TSL_INDEX : a->t, what == POTRF_L || what == POTRF_U ? 0 : d);
    tsl_view A = tsl_sub(tsl_whole(o.A), 0, 0, a->m, a->n);
    tsl_counters n;
    tsl_status st = TSL_OK;
    *info = 0;
    check(!tsl_set(x, "variant", variant) && !tsl_set(x, "tile", "32") && !tsl_counters_reset(x), "set");
    if (what == POTRF_L) st = tsl_potrf(x, tsl_lower(A), info);
    if (what == POTRF_U) st = tsl_potrf(x, tsl_upper(A), info);
    if (what == GETRF) st = tsl_getrf(x, A, tsl_whole(o.p), info);
    if (what == GEQRF) st = tsl_geqrf(x, A, tsl_whole(o.p));
    if (what == GELQF) st = tsl_geqrf(x, tsl_herm(A), tsl_whole(o.p));
    check(!st && !tsl_wait(x) && !tsl_counters_get(x, &n), "%s by %s: %s", names[what], variant, tsl_error(x));
    *moved = n.to_host < n.to_device ? n.to_host : n.to_device;
    check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "tile", "0"), "set");
    get(x, &o, &out);
    return out;
}

static void compare(tsl_context *x, const char *spec, int what, const char *plain, const dense *a, int64_t odd, bool moves)
{
    int64_t one, other, moved, none;
    dense h = factor(x, what, "hybrid", a, odd, &one, &moved), p = factor(x, what, plain, a, odd, &other, &none);
    tsl_uplo uplo = what == POTRF_L ? TSL_LOWER : what == POTRF_U ? TSL_UPPER : TSL_GENERAL;
    check(one == other, "%s: %s %c: info %d, %d by %s", spec, names[what], tsl_type_letter(a->t), (int)one, (int)other, plain);
    if (!one)
        check(distance(&h, &p, uplo) <= 1000 * N * eps_of(a->t), "%s: %s %c: %g from %s", spec, names[what], tsl_type_letter(a->t),
              distance(&h, &p, uplo), plain);
    check(moves ? moved >= ((a->m < a->n ? a->m : a->n) + 31) / 32 : moved == 0, "%s: %s: %d blocks moved", spec, names[what], (int)moved);
    dense_free(&h), dense_free(&p);
}

static void all(tsl_context *x, const char *spec, tsl_type t, bool moves)
{
    static const struct { int64_t m, n; } shapes[] = {{N, N}, {N, 70}, {70, N}, {33, 33}, {20, 20}, {1, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        bool square = shapes[s].m == shapes[s].n;
        dense a = dense_make(t, shapes[s].m, shapes[s].n, CANARY_FINITE);
        dense_random(&a, 31 + (unsigned)s);
        for (int64_t odd = 0; odd < 2; odd++) {
            compare(x, spec, GETRF, "3", &a, odd, moves);
            compare(x, spec, GEQRF, "right", &a, odd, moves);
            compare(x, spec, GELQF, "right", &a, odd, moves);
        }
        if (square) {
            dense_dominant(&a, 5);
            for (int what = POTRF_L; what <= POTRF_U; what++)
                for (int64_t odd = 0; odd < 2; odd++) compare(x, spec, what, "1", &a, odd, moves);
        }
        dense_free(&a);
    }
    checked("%s: %c: as the plain texts, %s", spec, tsl_type_letter(t), moves ? "by blocks that move" : "nothing moves");
}

/* Outcomes: the first column that fails, wherever it is. */
static void outcomes(tsl_context *x, const char *spec, tsl_type t)
{
    static const int64_t places[] = {0, 31, 32, 70, N - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (int64_t odd = 0; odd < 2; odd++) {
            int64_t at = places[i], info, moved;
            dense a = dense_make(t, N, N, CANARY_FINITE);
            dense_dominant(&a, 5);
            dense_put(&a, at, at, -1);
            dense h = factor(x, POTRF_L, "hybrid", &a, odd, &info, &moved);
            check(info == at + 1, "%s: not positive definite at %d: %d", spec, (int)at, (int)info);
            dense_free(&h);
            dense_random(&a, 8);
            for (int64_t k = 0; k < N; k++) dense_put(&a, k, at, 0);
            h = factor(x, GETRF, "hybrid", &a, odd, &info, &moved);
            check(info == at + 1, "%s: a zero column at %d: %d", spec, (int)at, (int)info);
            dense_free(&h), dense_free(&a);
        }
    checked("%s: %c: outcomes", spec, tsl_type_letter(t));
}

/* By tiles LU and QR have no such variant. */
static void refused(tsl_context *x, const char *spec)
{
    tsl_matrix *A = NULL;
    check(!tsl_matrix_create(x, TSL_D, N, N, &A) && !tsl_set(x, "variant", "hybrid") && !tsl_set(x, "path", "tiles"), "a matrix");
    tsl_matrix *tau = NULL;
    check(!tsl_matrix_create(x, TSL_D, N, 1, &tau) && tsl_geqrf(x, tsl_whole(A), tsl_whole(tau)) == TSL_ERR_OPTION && strstr(tsl_error(x), "by tiles"), "refused: %s",
          tsl_error(x));
    tsl_matrix_free(tau);
    check(!tsl_set(x, "path", "auto"), "set");
    check(tsl_gemm(x, 1, tsl_whole(A), tsl_whole(A), 0, tsl_whole(A)) == TSL_ERR_OPTION, "gemm has none");
    check(!tsl_set(x, "variant", "auto"), "set");
    tsl_matrix_free(A);
    checked("%s: not by tiles, and not of all operations", spec);
}

/* By tiles a step of the host's is a task for its cores. */
static void by_tiles(tsl_context *x, const char *spec, tsl_type t)
{
    int64_t info, other, moved;
    dense a = dense_make(t, N, N, CANARY_FINITE);
    dense_dominant(&a, 5);
    dense p = factor(x, POTRF_L, "1", &a, 0, &other, &moved);
    check(!tsl_set(x, "path", "tiles"), "set");
    dense h = factor(x, POTRF_L, "hybrid", &a, 0, &info, &moved);
    check(!tsl_set(x, "path", "auto"), "set");
    check(info == other && distance(&h, &p, TSL_LOWER) <= 1000 * N * eps_of(t), "%s %c: info %d, off by %g", spec, tsl_type_letter(t), (int)info, distance(&h, &p, TSL_LOWER));
    dense_free(&a), dense_free(&p), dense_free(&h);
    checked("%s: %c: by tiles", spec, tsl_type_letter(t));
}

int main(void)
{
    static const char *const specs[] = {"host", "host:1,mem=64M", "cuda"};
    for (int i = 0; i < 3; i++) {
        tsl_context *x = context_on(specs[i]);
        for (int t = 0; t < 4 && x; t++) {
            all(x, specs[i], types[t], i > 0);
            outcomes(x, specs[i], types[t]);
            by_tiles(x, specs[i], types[t]);
        }
        if (x) refused(x, specs[i]);
        tsl_context_destroy(x);
    }
    return tap_done();
}
