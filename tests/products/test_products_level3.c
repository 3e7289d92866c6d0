/* Level 3 by residues: a rank-k update, a triangle of a product and products with a symmetric matrix have the bits of the whole
 * product by residues, and leave the other triangle alone. On the host symm and syr2k are native: they are near. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "context/context.h"
#include "core/values.h"
#include "tap.h"

static int64_t N = 45, K = 90; /* on a GPU of several tiles */

static tsl_context *x;
static bool gpu;

static void fine(tsl_status st) { check(!st, "%s", tsl_error(x)); }

static tsl_matrix *random_matrix(tsl_type t, int64_t m, int64_t n, uint64_t seed)
{
    tsl_matrix *A = NULL;
    fine(tsl_matrix_create(x, t, m, n, &A));
    fine(tsl_random(x, seed, tsl_whole(A)));
    return A;
}

/* One with a real diagonal */
static tsl_matrix *hermitian_below(tsl_type t, uint64_t seed)
{
    tsl_matrix *A = random_matrix(t, N, 3, seed), *C = random_matrix(t, N, N, seed + 1);
    fine(tsl_herk(x, 1, tsl_whole(A), 0, tsl_lower(tsl_whole(C))));
    tsl_matrix_free(A);
    return C;
}

static tsl_matrix *copy_of(tsl_matrix *A)
{
    tsl_matrix *B = random_matrix(A->type, A->m, A->n, 9);
    fine(tsl_copy(x, tsl_whole(A), tsl_whole(B)));
    return B;
}

static void products(const char *how) { fine(tsl_set(x, "products", how)); }

static double largest(tsl_structure s, tsl_view A)
{
    double most = NAN;
    fine(tsl_norm(x, TSL_NORM_MAX, s, A, &most));
    return most;
}

static tsl_view strictly_above(tsl_matrix *A) { return tsl_upper(tsl_sub(tsl_whole(A), 0, 1, N - 1, N - 1)); }

/* The lower triangle of C is E's, to the last bit or to roundoff, and what is above it is as before. */
static void is_triangle_of(tsl_matrix *C, tsl_matrix *E, tsl_matrix *before, bool exact, const char *what)
{
    double unit = tsl_is_double(C->type) ? DBL_EPSILON : FLT_EPSILON;
    fine(tsl_geadd(x, -1, tsl_whole(E), 1, tsl_whole(C)));
    double off = largest(TSL_TRIANGULAR, tsl_lower(tsl_whole(C)));
    check(off <= (exact ? 0 : 50 * unit * K), "%c %s: off by %g", tsl_type_letter(C->type), what, off);
    fine(tsl_geadd(x, 1, tsl_whole(E), 1, tsl_whole(C)));
    fine(tsl_geadd(x, -1, tsl_whole(before), 1, tsl_whole(C)));
    off = largest(TSL_TRIANGULAR, strictly_above(C));
    check(off <= 50 * unit * K, "%c %s: the other triangle has changed by %g", tsl_type_letter(C->type), what, off);
}

static tsl_view seen(tsl_matrix *A, bool turned, bool herm)
{
    return !turned ? tsl_whole(A) : herm ? tsl_herm(tsl_whole(A)) : tsl_trans(tsl_whole(A));
}

static void rank_k(tsl_type t, bool herm, bool turned)
{
    tsl_matrix *A = turned ? random_matrix(t, K, N, 1) : random_matrix(t, N, K, 1);
    tsl_matrix *before = hermitian_below(t, 2), *C = copy_of(before), *E = copy_of(before);
    tsl_view a = seen(A, turned, herm), b = herm ? tsl_herm(a) : tsl_trans(a);
    products("emulated");
    fine(herm ? tsl_herk(x, -2, a, 0.5, tsl_lower(tsl_whole(C))) : tsl_syrk(x, -2, a, 0.5, tsl_lower(tsl_whole(C))));
    fine(tsl_gemm(x, -2, a, b, 0.5, tsl_whole(E)));
    products("native");
    is_triangle_of(C, E, before, true, herm ? "herk" : "syrk");
    tsl_matrix_free(A), tsl_matrix_free(before), tsl_matrix_free(C), tsl_matrix_free(E);
}

static void rank_2k(tsl_type t, bool herm)
{
    tsl_matrix *A = random_matrix(t, N, K, 1), *B = random_matrix(t, N, K, 3);
    tsl_matrix *before = hermitian_below(t, 4), *C = copy_of(before), *E = copy_of(before);
    tsl_view a = tsl_whole(A), b = tsl_whole(B);
    tsl_scalar alpha = tsl_is_complex(t) ? CMPLX(1, -2) : -2;
    products("emulated");
    tsl_view c = tsl_lower(tsl_whole(C));
    fine(herm ? tsl_her2k(x, alpha, a, b, 0.5, c) : tsl_syr2k(x, alpha, a, b, 0.5, c));
    fine(tsl_gemm(x, alpha, a, herm ? tsl_herm(b) : tsl_trans(b), 0.5, tsl_whole(E)));
    fine(tsl_gemm(x, herm ? conj(alpha) : alpha, b, herm ? tsl_herm(a) : tsl_trans(a), 1, tsl_whole(E)));
    products("native");
    is_triangle_of(C, E, before, false, herm ? "her2k" : "syr2k");
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(before), tsl_matrix_free(C), tsl_matrix_free(E);
}

static void triangle(tsl_type t)
{
    tsl_matrix *A = random_matrix(t, N, K, 5), *B = random_matrix(t, N, K, 6);
    tsl_matrix *before = hermitian_below(t, 7), *C = copy_of(before), *E = copy_of(before);
    products("emulated");
    fine(tsl_gemmt(x, 3, tsl_whole(A), tsl_trans(tsl_whole(B)), -1, tsl_lower(tsl_whole(C))));
    fine(tsl_gemm(x, 3, tsl_whole(A), tsl_trans(tsl_whole(B)), -1, tsl_whole(E)));
    products("native");
    is_triangle_of(C, E, before, true, "gemmt");
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(before), tsl_matrix_free(C), tsl_matrix_free(E);
}

static void symmetric(tsl_type t, tsl_side side)
{
    tsl_matrix *A = random_matrix(t, N, N, 1), *S = copy_of(A);
    tsl_matrix *B = side == TSL_LEFT ? random_matrix(t, N, K, 2) : random_matrix(t, K, N, 2);
    tsl_matrix *C = random_matrix(t, B->m, B->n, 3), *E = copy_of(C);
    /* its upper triangle becomes A's lower one */
    fine(tsl_copy(x, tsl_lower(tsl_whole(A)), tsl_lower(tsl_trans(tsl_whole(S)))));
    products("emulated");
    fine(tsl_symm(x, side, -1, tsl_lower(tsl_whole(A)), tsl_whole(B), 2, tsl_whole(C)));
    tsl_view s = tsl_whole(S), b = tsl_whole(B);
    fine(tsl_gemm(x, -1, side == TSL_LEFT ? s : b, side == TSL_LEFT ? b : s, 2, tsl_whole(E)));
    products("native");
    fine(tsl_geadd(x, -1, tsl_whole(E), 1, tsl_whole(C)));
    double off = largest(TSL_SYMMETRIC, tsl_whole(C)), unit = tsl_is_double(t) ? DBL_EPSILON : FLT_EPSILON;
    check(off <= (gpu ? 0 : 10 * unit * N), "%c symm: off by %g", tsl_type_letter(t), off);
    tsl_matrix_free(A), tsl_matrix_free(S), tsl_matrix_free(B), tsl_matrix_free(C), tsl_matrix_free(E);
}

int main(void)
{
    tsl_device_info d;
    if (tsl_context_create(NULL, &x)) return puts("Bail out! no context"), 1;
    gpu = !tsl_device_query(x, 0, &d) && d.backend[0] == 'c';
    if (gpu) N = 701, K = 301; /* odd: what follows a square of such an order begins nowhere in particular */
    for (int i = 0; i < 4; i++) {
        tsl_type t = (tsl_type[]){TSL_S, TSL_D, TSL_C, TSL_Z}[i];
        for (int turned = 0; turned < 2; turned++) {
            rank_k(t, false, turned);
            if (tsl_is_complex(t)) rank_k(t, true, turned);
        }
        rank_2k(t, false);
        if (tsl_is_complex(t)) rank_2k(t, true);
        triangle(t);
        symmetric(t, TSL_LEFT), symmetric(t, TSL_RIGHT);
        checked("%c: level 3 by residues", tsl_type_letter(t));
    }
    tsl_context_destroy(x);
    return tap_done();
}
