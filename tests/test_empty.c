/* Operands without rows or columns whose views begin anywhere, at the very end of a matrix too: calls on tiled matrices do what those
 * on flat ones do, which is nothing, a scaling, or a factorization without right-hand sides. */
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"
#include "tesela.h"

enum { N = 23, TILE = 7, MATS = 3, ROUNDS = 2500 };

typedef struct space {
    double a[MATS][N * N];
    tsl_matrix *m[MATS];
} space;

static uint64_t seed = 12345;

static int64_t draw(int64_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((seed >> 33) % (uint64_t)below);
}

/* 4 I: every sum is exact, and so is the factor. */
static void fill(space *s)
{
    for (int k = 0; k < MATS; k++)
        for (int i = 0; i < N * N; i++) s->a[k][i] = i % (N + 1) ? 0 : 4;
}

/* In value: signs of zeros may differ. */
static int same(const space *a, const space *b)
{
    for (int k = 0; k < MATS; k++)
        for (int i = 0; i < N * N; i++)
            if (!(a->a[k][i] == b->a[k][i])) return 0;
    return 1;
}

/* A block of those sizes, as seen; where it is has been drawn for both spaces. */
typedef struct block {
    int64_t i, j, m, n;
    int turned;
} block;

static block draw_block(int64_t m, int64_t n)
{
    block b = {draw(N - m + 1), draw(N - n + 1), m, n, (int)draw(2)};
    if (draw(4) == 0) b.i = N - m;
    if (draw(4) == 0) b.j = N - n;
    return b;
}

static tsl_view seen(tsl_matrix *A, block b)
{
    tsl_view v = tsl_sub(tsl_whole(A), b.turned ? b.j : b.i, b.turned ? b.i : b.j, b.turned ? b.n : b.m, b.turned ? b.m : b.n);
    return b.turned ? tsl_trans(v) : v;
}

enum { OPS = 15 };
static const char *const names[OPS] = {"copy",  "scale", "gemm", "gemmt", "symm",  "syrk", "syr2k", "trmm",
                                       "trsm",  "potrf", "trtri", "lauum", "potri", "potrs", "posv"};

/* The operation on blocks that fit it. A triangle's block lies on the diagonal: it is 4 I. */
static tsl_status run(tsl_context *x, const space *s, int op, block T, block A, block B, block C, int64_t *info)
{
    tsl_view t = tsl_lower(seen(s->m[0], T)), a = seen(s->m[1], A), b = seen(s->m[1], B), c = seen(s->m[2], C);
    switch (op) {
    case 0: return tsl_copy(x, seen(s->m[1], C), c);
    case 1: return tsl_scale(x, 3, c);
    case 2: return tsl_gemm(x, 2, a, b, 3, c);
    case 3: return tsl_gemmt(x, 2, a, tsl_trans(a), 3, t);
    case 4: return tsl_symm(x, TSL_LEFT, 2, t, seen(s->m[1], C), 3, c);
    case 5: return tsl_syrk(x, 2, a, 3, t);
    case 6: return tsl_syr2k(x, 2, a, a, 3, t);
    case 7: return tsl_trmm(x, TSL_LEFT, 2, t, c);
    case 8: return tsl_trsm(x, TSL_LEFT, 2, t, c);
    case 9: return tsl_potrf(x, t, info);
    case 10: return tsl_trtri(x, t, info);
    case 11: return tsl_lauum(x, t);
    case 12: return tsl_potri(x, t, info);
    case 13: return tsl_potrs(x, t, c);
    default: return tsl_posv(x, t, c, info);
    }
}

static void sweep(const char *devices)
{
    static space flat, tiled;
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    if (tsl_context_create(&cfg, &x)) {
        ok(0, "%s: %s", devices, tsl_error(NULL));
        return;
    }
    for (int r = 0; r < ROUNDS; r++) {
        int op = (int)draw(OPS), region = draw(3) == 0;
        int64_t size[3] = {draw(N + 1), draw(N + 1), draw(N + 1)}, info[2] = {-1, -1};
        size[draw(3)] = 0;
        if (draw(2)) size[draw(3)] = 0;
        int64_t m = size[0], n = size[1], k = size[2], at = draw(N - m + 1);
        block T = {at, at, m, m, (int)draw(2)}, A = draw_block(m, k), B = draw_block(k, n), C = draw_block(m, n);
        fill(&flat), fill(&tiled);
        for (int i = 0; i < MATS; i++)
            check(!tsl_matrix_wrap(x, TSL_D, N, N, flat.a[i], N, &flat.m[i]) &&
                      !tsl_tiled_wrap(x, TSL_D, N, N, tiled.a[i], N, TILE + (i == 2), &tiled.m[i]), "matrices");
        tsl_status one = run(x, &flat, op, T, A, B, C, &info[0]);
        if (region) check(!tsl_begin(x), "region");
        tsl_status two = run(x, &tiled, op, T, A, B, C, &info[1]), late = tsl_wait(x);
        check(!one && !two && !late && info[0] == info[1], "%s: %s %d x %d, k %d: %s, %s, %s, info %d, %d", devices, names[op], (int)m,
              (int)n, (int)k, tsl_status_name(one), tsl_status_name(two), tsl_status_name(late), (int)info[0], (int)info[1]);
        check(same(&flat, &tiled), "%s: %s %d x %d, k %d: other contents", devices, names[op], (int)m, (int)n, (int)k);
        for (int i = 0; i < MATS; i++) tsl_matrix_free(flat.m[i]), tsl_matrix_free(tiled.m[i]);
    }
    checked("%s: empty operands of tiled calls, wherever they begin", devices);
    tsl_context_destroy(x);
}

int main(void)
{
    alarm(200); /* a hang is a failure */
    sweep("host");
    sweep("host:2,mem=16M");
    return tap_done();
}
