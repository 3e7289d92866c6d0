/* Operands without rows or columns whose views begin anywhere, at the very end of a matrix too: calls on tiled matrices do what
 * those on flat ones do, which is nothing, a scaling, or a factorization without right-hand sides. Pivots and factors of
 * reflectors begin anywhere too. */
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"
#include "tesela.h"

enum { N = 23, TILE = 7, MATS = 3, ROUNDS = 4000 };

typedef struct space {
    double a[MATS][N * N], t[N];
    int64_t p[N];
    tsl_matrix *m[MATS], *tau, *piv;
} space;

static uint64_t seed = 12345;

static int64_t draw(int64_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((seed >> 33) % (uint64_t)below);
}

/* 4 I: every sum is exact, and so is the factor. No reflector does anything, and from row `from` on each row is its own pivot. */
static void fill(space *s, int64_t from)
{
    for (int k = 0; k < MATS; k++)
        for (int i = 0; i < N * N; i++) s->a[k][i] = i % (N + 1) ? 0 : 4;
    for (int i = 0; i < N; i++) s->t[i] = 0, s->p[i] = i < from ? 1 : i - from + 1;
}

/* In value: signs of zeros may differ. */
static int same(const space *a, const space *b)
{
    for (int k = 0; k < MATS; k++)
        for (int i = 0; i < N * N; i++)
            if (!(a->a[k][i] == b->a[k][i])) return 0;
    for (int i = 0; i < N; i++)
        if (a->p[i] != b->p[i] || !(a->t[i] == b->t[i])) return 0;
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

enum { OPS = 27 };
static const char *const names[OPS] = {"copy", "scale", "gemm", "gemmt", "symm", "syrk", "syr2k", "trmm", "trsm", "potrf", "trtri", "lauum",
                                       "potri", "potrs", "posv", "getrf", "laswp", "getrs", "gesv", "getri", "geqrf", "ormqr", "orgqr",
                                       "gels", "gels_inc", "gesv_incpiv", "solve"};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* As it is stored: factorizations by LU are of no other. */
static block straight(block b) { return (block){b.i, b.j, b.m, b.n, 0}; }

/* The operation on blocks that fit it. A triangle's block lies on the diagonal: it is 4 I. */
static tsl_status run(tsl_context *x, const space *s, int op, block T, block A, block B, block C, block G, int64_t from, int64_t *info)
{
    tsl_view t = tsl_lower(seen(s->m[0], T)), a = seen(s->m[1], A), b = seen(s->m[1], B), c = seen(s->m[2], C);
    block Q = A, H = straight(G); /* Q has no more columns than rows, H has as many rows as A */
    Q.n = least(A.m, A.n), H.m = A.m;
    tsl_view full = seen(s->m[0], straight(T)), q = seen(s->m[1], Q);
    tsl_view piv = tsl_sub(tsl_whole(s->piv), from, 0, op == 15 ? Q.n : T.m, 1), tau = tsl_sub(tsl_whole(s->tau), from, 0, Q.n, 1);
    tsl_solution how = {0};
    tsl_status st;
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
    case 14: return tsl_posv(x, t, c, info);
    case 15: return tsl_getrf(x, seen(s->m[1], straight(A)), piv, info);
    case 16: return tsl_laswp(x, c, piv, (int)(from % 2));
    case 17: return tsl_getrs(x, full, piv, c);
    case 18: return tsl_gesv(x, full, piv, c, info);
    case 19: return tsl_getri(x, full, piv, info);
    case 20: return tsl_geqrf(x, q, tau);
    case 21: return tsl_ormqr(x, TSL_LEFT, TSL_TRANS, q, tau, c);
    case 22: return tsl_orgqr(x, q, tau);
    case 23: return tsl_gels(x, a, seen(s->m[2], G), info);
    case 24: return tsl_gels_inc(x, seen(s->m[1], straight(Q)), seen(s->m[2], H), info);
    case 25: return tsl_gesv_incpiv(x, full, seen(s->m[2], straight(C)), info);
    default:
        st = tsl_solve(x, full, seen(s->m[1], C), c, NULL, &how);
        *info = how.info;
        return st;
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
        int op = (int)draw(OPS), region = draw(3) == 0 && op != OPS - 1;
        int64_t size[3] = {draw(N + 1), draw(N + 1), draw(N + 1)}, info[2] = {-1, -1};
        size[draw(3)] = 0;
        if (draw(2)) size[draw(3)] = 0;
        int64_t m = size[0], n = size[1], k = size[2], at = draw(N - m + 1);
        block T = {at, at, m, m, (int)draw(2)}, A = draw_block(m, k), B = draw_block(k, n), C = draw_block(m, n), G = draw_block(m > k ? m : k, n);
        int64_t from = draw(N - m + 1);
        fill(&flat, from), fill(&tiled, from);
        for (int i = 0; i < MATS; i++)
            check(!tsl_matrix_wrap(x, TSL_D, N, N, flat.a[i], N, &flat.m[i]) &&
                      !tsl_tiled_wrap(x, TSL_D, N, N, tiled.a[i], N, TILE + (i == 2), &tiled.m[i]), "matrices");
        check(!tsl_matrix_wrap(x, TSL_D, N, 1, flat.t, N, &flat.tau) && !tsl_tiled_wrap(x, TSL_D, N, 1, tiled.t, N, TILE, &tiled.tau) &&
                  !tsl_matrix_wrap(x, TSL_INDEX, N, 1, flat.p, N, &flat.piv) &&
                  !tsl_tiled_wrap(x, TSL_INDEX, N, 1, tiled.p, N, TILE, &tiled.piv),
              "pivots and factors");
        tsl_status one = run(x, &flat, op, T, A, B, C, G, from, &info[0]);
        if (region) check(!tsl_begin(x), "region");
        tsl_status two = run(x, &tiled, op, T, A, B, C, G, from, &info[1]), late = tsl_wait(x);
        check(!one && !two && !late && info[0] == info[1], "%s: %s %d x %d, k %d: %s, %s, %s, info %d, %d", devices, names[op], (int)m,
              (int)n, (int)k, tsl_status_name(one), tsl_status_name(two), tsl_status_name(late), (int)info[0], (int)info[1]);
        check(same(&flat, &tiled), "%s: %s %d x %d, k %d: other contents", devices, names[op], (int)m, (int)n, (int)k);
        for (int i = 0; i < MATS; i++) tsl_matrix_free(flat.m[i]), tsl_matrix_free(tiled.m[i]);
        tsl_matrix_free(flat.tau), tsl_matrix_free(tiled.tau), tsl_matrix_free(flat.piv), tsl_matrix_free(tiled.piv);
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
