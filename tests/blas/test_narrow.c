/* Products of single precision by halves and tf32, on GPUs, against those of double precision: every op, real and complex,
 * whole ones and triangles, the accuracy each has and that it has no more, and that all else is as ever. Solves with
 * triangles, which are halved for such products. */
#include <math.h>
#include <stdlib.h>

#include "algo/algo.h"
#include "context/context.h"
#include "tap.h"

enum { M = 1103, N = 907, K = 701 };
static const char *const name[] = {"single precision", "", "fp32", "tf32", "bf16", "fp16"};
static const double at_most[] = {2.5e-5, 0, 1e-4, 2e-3, 2e-2, 2e-3}; /* beside sqrt(k) times the largest elements of both factors */

typedef struct pair {
    tsl_matrix *low, *high;
} pair;

static tsl_view low(pair p) { return tsl_whole(p.low); }
static tsl_view high(pair p) { return tsl_whole(p.high); }

/* The same random matrix in both precisions */
static pair random_pair(tsl_context *x, tsl_type t, int64_t m, int64_t n, uint64_t seed)
{
    pair p = {NULL, NULL};
    tsl_matrix *host = NULL;
    int64_t parts = tsl_is_complex(t) ? 2 : 1;
    float *v = malloc((size_t)(parts * m * n) * sizeof *v);
    for (int64_t i = 0; i < parts * m * n; i++)
        seed = seed * 6364136223846793005u + 1442695040888963407u, v[i] = (float)((double)(seed >> 40) / (1 << 24) - 0.5);
    check(!tsl_matrix_wrap(x, t, m, n, v, m, &host) && !tsl_matrix_create(x, t, m, n, &p.low) && !tsl_matrix_create(x, tsl_other_precision(t), m, n, &p.high),
          "%s", tsl_error(x));
    check(!tsl_copy(x, tsl_whole(host), low(p)) && !tsl_convert(x, low(p), high(p), NULL) && !tsl_wait(x), "%s", tsl_error(x));
    tsl_matrix_free(host);
    free(v);
    return p;
}

static void drop(pair p) { tsl_matrix_free(p.low), tsl_matrix_free(p.high); }

static tsl_view seen(tsl_view v, tsl_op op)
{
    if (op & TSL_TRANS) v = tsl_trans(v);
    return op & TSL_CONJ ? tsl_conj(v) : v;
}

/* How far C of the lower precision is from the other, which it overwrites */
static void near(tsl_context *x, tsl_type t, pair C, tsl_precision p, const char *what)
{
    double error = INFINITY, scale = sqrt((double)K) * (tsl_is_complex(t) ? 0.5 : 0.25);
    tsl_add_converted(x, 1, low(C), -1, high(C));
    check(!tsl_norm(x, TSL_NORM_MAX, TSL_SYMMETRIC, high(C), &error), "%s", tsl_error(x));
    check(error < at_most[p] * scale, "%c %s in %s: off by %g", tsl_type_letter(t), what, name[p], error / scale);
    check(p <= TSL_FP32 || error > 1.5e-4 * scale, "%c %s in %s: as if in single precision, off by %g", tsl_type_letter(t), what, name[p], error / scale);
}

static void product(tsl_context *x, tsl_type t, tsl_precision p, tsl_op a, tsl_op b, double beta)
{
    pair A = a & TSL_TRANS ? random_pair(x, t, K, M, 1) : random_pair(x, t, M, K, 1);
    pair B = b & TSL_TRANS ? random_pair(x, t, N, K, 2) : random_pair(x, t, K, N, 2), C = random_pair(x, t, M, N, 3);
    tsl_products_in(x, tsl_products_of(p, TSL_PRODUCTS_AUTO));
    check(!tsl_gemm(x, -1, seen(low(A), a), seen(low(B), b), beta, low(C)), "%s", tsl_error(x));
    tsl_products_in(x, TSL_PRODUCTS_AUTO);
    check(!tsl_gemm(x, -1, seen(high(A), a), seen(high(B), b), beta, high(C)), "%s", tsl_error(x));
    near(x, t, C, p, "gemm");
    drop(A), drop(B), drop(C);
}

static void update(tsl_context *x, tsl_type t, tsl_precision p, bool herm, bool upper, bool turned)
{
    pair A = turned ? random_pair(x, t, K, M, 1) : random_pair(x, t, M, K, 1), C = random_pair(x, t, M, M, 3);
    for (int i = 0; i < 2; i++) {
        tsl_view a = i ? high(A) : low(A), c = i ? high(C) : low(C);
        if (turned) a = herm ? tsl_herm(a) : tsl_trans(a);
        c = upper ? tsl_upper(c) : tsl_lower(c);
        tsl_products_in(x, i ? TSL_PRODUCTS_AUTO : tsl_products_of(p, TSL_PRODUCTS_AUTO));
        check(!(herm ? tsl_herk(x, -1, a, 1, c) : tsl_syrk(x, -1, a, 1, c)), "%s", tsl_error(x));
    }
    tsl_products_in(x, TSL_PRODUCTS_AUTO);
    near(x, t, C, p, "update");
    drop(A), drop(C);
}

enum { ORDER = 519, LINES = 9001 };

/* Seen as U: its diagonal is 1, 2 or 3, elsewhere it is small. */
static pair triangle(tsl_context *x, tsl_type t)
{
    pair A = random_pair(x, t, ORDER, ORDER, 5), D = random_pair(x, t, ORDER, ORDER, 5);
    check(!tsl_laset(x, 0, 2, low(D)) && !tsl_geadd(x, 8. / ORDER, low(A), 1, low(D)), "%s", tsl_error(x));
    check(!tsl_convert(x, low(D), high(D), NULL), "%s", tsl_error(x));
    drop(A);
    return D;
}

static void solve(tsl_context *x, tsl_type t, tsl_precision p, bool left, bool upper, bool unit, tsl_op op)
{
    pair A = triangle(x, t), B = left ? random_pair(x, t, ORDER, LINES, 7) : random_pair(x, t, LINES, ORDER, 7);
    for (int i = 0; i < 2; i++) {
        tsl_view a = i ? high(A) : low(A);
        a = upper ? tsl_upper(a) : tsl_lower(a);
        a = seen(unit ? tsl_unit(a) : a, op);
        tsl_products_in(x, i ? TSL_PRODUCTS_AUTO : tsl_products_of(p, TSL_PRODUCTS_AUTO));
        check(!tsl_trsm(x, left ? TSL_LEFT : TSL_RIGHT, -0.5, a, i ? high(B) : low(B)), "%s", tsl_error(x));
    }
    tsl_products_in(x, TSL_PRODUCTS_AUTO);
    double error = INFINITY;
    tsl_add_converted(x, 1, low(B), -1, high(B));
    check(!tsl_norm(x, TSL_NORM_MAX, TSL_SYMMETRIC, high(B), &error), "%s", tsl_error(x));
    check(error < (p <= TSL_FP32 ? 1e-5 : 5e-2), "%c solve in %s, %s, %s%s, op %d: off by %g", tsl_type_letter(t), name[p],
          left ? "left" : "right", unit ? "unit " : "", upper ? "upper" : "lower", (int)op, error);
    check(p != TSL_FP16 || error > 1e-6, "%c solve in fp16: as if in single precision, off by %g", tsl_type_letter(t), error);
    drop(A), drop(B);
}

int main(void)
{
    static const tsl_op ops[] = {TSL_NOTRANS, TSL_TRANS, TSL_HERM};
    tsl_context *x;
    tsl_device_info d;
    if (tsl_context_create(NULL, &x)) return puts("Bail out! no context"), 1;
    if (tsl_device_query(x, 0, &d) || d.backend[0] != 'c') {
        skip("no GPU here: the host has no products by halves");
        tsl_context_destroy(x);
        return tap_done();
    }
    for (int p = TSL_AUTO; p <= TSL_FP16; p++)
        for (int c = 0; c < 2 && p != TSL_FP64; c++) {
            tsl_type t = c ? TSL_C : TSL_S;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) product(x, t, (tsl_precision)p, ops[a], ops[b], (a + b) % 2);
            for (int i = 0; i < 8; i++) update(x, t, (tsl_precision)p, i & 4, i & 1, i & 2);
            checked("%c: products in %s", tsl_type_letter(t), name[p]);
            if (p == TSL_TF32 || p == TSL_BF16) continue;
            for (int i = 0; i < 24; i++) solve(x, t, (tsl_precision)p, i & 1, i & 2, i & 4, ops[i / 8]);
            checked("%c: solves in %s", tsl_type_letter(t), name[p]);
        }
    tsl_context_destroy(x);
    return tap_done();
}
