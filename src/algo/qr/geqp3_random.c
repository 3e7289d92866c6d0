/* QR with column pivoting by blocks whose pivots a sketch S = G A decides, G random with a few rows more than a block has
 * columns (Martinsson et al., Duersch and Gu): the longest columns of S, one after the other, are long columns of A, and far
 * from each other. So all else is products with whole blocks. After a block, with G Q = [G1 G2] and Q^H A = [R11 R12; 0 A22],
 * the sketch of what is left is G2 A22 = S2 - G1 R12. */
#include "algo/qr/qr.h"
#include "algo/qr/qrp.h"
#include "core/values.h"
#include "tune/numbers.h"

enum { MORE_ROWS = 8 };
static const double SHARE = 0.9; /* of the longest column: a shorter one may be taken, where that saves a round of messages */

typedef struct sketch {
    tsl_view G, S, C;    /* C: a copy of S, to be factored */
    tsl_view q, tau;     /* the order of columns it finds */
    tsl_view Y, T, W, Z; /* a block's reflectors and their triangle, room for products */
    bool apart;             /* A is in several pieces: then */
    tsl_view M, K, N, p, r; /* room for columns of A and S on their way, for diagonals, p and the rank in one */
} sketch;

static sketch make_sketch(tsl_context *x, tsl_view A, int64_t nb, tsl_view p, tsl_view r)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A), rows = nb + MORE_ROWS;
    sketch s = {.G = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, rows, m),
                .S = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, rows, n),
                .C = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, rows, n),
                .tau = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, rows, 1),
                .q = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, n, 1),
                .Y = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, tsl_rows(A), nb),
                .T = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, nb, nb),
                .W = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, nb, tsl_cols(A)),
                .Z = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, rows, nb), .M = A, .K = A, .N = A, .p = p, .r = r,
                .apart = tsl_is_apart(A)}; /* asks: only then is there anything on its way */
    if (s.apart) {
        s.M = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, tsl_rows(A), tsl_min(n, 2 * rows));
        s.K = tsl_temp_of(x, s.S, TSL_ALONG_ROWS, TSL_OF_TYPE, rows, tsl_min(n, 2 * rows));
        s.N = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, nb + 1, nb + 1);
        s.p = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, n, 1);
        s.r = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, 1, 1);
    }
    return s;
}

/* q := the order of the columns from k on in which b of them come first */
static void choose(tsl_context *x, const sketch *s, int64_t k, int64_t b)
{
    int64_t n = tsl_cols(s->S), rows = tsl_rows(s->S);
    tsl_view C = tsl_sub(s->C, 0, k, rows, n - k);
    /* C := S */                    tsl_copy(x, tsl_sub(s->S, 0, k, rows, n - k), C);
    tsl_view tau = tsl_sub(s->tau, 0, 0, tsl_min(rows, n - k), 1);
    /* C P := Q R, b steps */       tsl_laqp2(x, tsl_min(b, n - k), SHARE, C, tsl_sub(s->q, 0, 0, n - k, 1), tau);
}

/* M: room for the columns that go elsewhere. No more steps were done than the sketch has rows: two for each. */
static void permute(tsl_context *x, const sketch *s, tsl_view A, tsl_view q, tsl_view M)
{
    if (s->apart) tsl_move_columns(x, A, q, M);
    else tsl_permute_columns(x, A, q, false);
}

/* Columns of A from k on, of S and of p in that order; the next step of the main lane needs only A's */
static void order(tsl_context *x, const tsl_call *c, const sketch *s, int64_t k, bool ahead)
{
    int64_t m = tsl_rows(c->v[0]), n = tsl_cols(c->v[0]);
    tsl_view q = tsl_sub(s->q, 0, 0, n - k, 1), A = tsl_sub(c->v[0], 0, k, m, n - k);
    if (ahead) tsl_on(x, TSL_ON_AHEAD);
    permute(x, s, tsl_sub(s->S, 0, k, tsl_rows(s->S), n - k), q, s->K);
    tsl_permute_columns(x, tsl_trans(tsl_sub(s->p, k, 0, n - k, 1)), q, false);
    if (ahead) tsl_on(x, TSL_ON_MAIN);
    permute(x, s, A, q, s->M);
}

/* A is factored for columns 0..to, *rank of those before k are good: how many are now? R's first element and the diagonal of
 * the block tell. */
static void count_good(tsl_context *x, const tsl_call *c, const sketch *s, int64_t k, int64_t to, int64_t *rank)
{
    int64_t b = to - k;
    tsl_view N = tsl_sub(s->N, 0, 0, b + 1, b + 1);
    if (*rank < k) return;
    tsl_copy(x, tsl_sub(c->v[0], 0, 0, 1, 1), tsl_sub(N, 0, 0, 1, 1));
    tsl_copy(x, tsl_upper(tsl_sub(c->v[0], k, k, b, b)), tsl_upper(tsl_sub(N, 1, 1, b, b)));
    tsl_rank_of(x, N, s->r, c->rank.tolerance, true);
    *rank = k + tsl_max(0, (int64_t)tsl_read_one(x, s->r, (double)(b + 1)) - 1);
}

/* Columns 0..to are done; is that as far as the tolerance says? */
static bool is_enough(tsl_context *x, const tsl_call *c, const sketch *s, int64_t k, int64_t to, int64_t *good)
{
    if (s->apart) {
        count_good(x, c, s, k, to, good);
        return c->rank.tolerance > 0 && *good < to;
    }
    if (c->rank.tolerance == 0) return false;
    tsl_rank_of(x, tsl_sub(c->v[0], 0, 0, to, to), c->v[3], c->rank.tolerance, true);
    return (int64_t)tsl_read_one(x, c->v[3], (double)to) < to;
}

/* Columns of the block from k on, which ends where a multiple of `wide` is */
static int64_t block_at(int64_t k, int64_t nb, int64_t most, int64_t wide)
{
    return tsl_min(tsl_min(nb, most - k), wide - k % wide);
}

/* How many columns are done */
static int64_t factor(tsl_context *x, const tsl_call *c, bool ahead, int64_t wide)
{
    tsl_view A = c->v[0], tau = c->v[2], r = c->v[3];
    int64_t m = tsl_rows(A), n = tsl_cols(A), most = tsl_min(c->k, tsl_min(m, n)), done = 0, good = 0, b;
    int64_t nb = tsl_min(tsl_max(1, most), tsl_min(tsl_tuned(x, TSL_TUNED_SKETCH_WIDTH), tsl_panel(x, c)));
    sketch s = make_sketch(x, A, nb, c->v[1], r);
    /* p := 1 .. n */               tsl_in_order(x, s.p, s.r);
    /* G := random numbers */       tsl_random(x, (uint64_t)c->rank.seed, s.G);
    /* S := G A */                  tsl_gemm(x, 1, s.G, A, 0, s.S);
    if (most > 0) choose(x, &s, 0, block_at(0, nb, most, wide));
    if (ahead) tsl_meet(x, c);
    for (int64_t k = 0; k < most; k += b) {
        b = block_at(k, nb, most, wide);
        int64_t rest = n - k - b, next = block_at(k + b, nb, most, wide);
        tsl_view panel = tsl_sub(A, k, k, m - k, b), right = tsl_sub(A, k, k + b, m - k, rest),
                 Y = tsl_sub(s.Y, k, 0, m - k, b), T = tsl_upper(tsl_sub(s.T, 0, 0, b, b));
        tsl_strips R = tsl_block_rows(right, 0, b), V = tsl_block_rows(Y, 0, b); /* A1: the first rows, A2: below */
        tsl_view W = tsl_sub(s.W, 0, k + b, b, rest), G = tsl_sub(s.G, 0, k, tsl_rows(s.G), m - k),
                 Z = tsl_sub(s.Z, 0, 0, tsl_rows(s.Z), b);
        order(x, c, &s, k, ahead);
        /* A1 := Q1 R1 */           tsl_factor_panel(x, panel, tsl_sub(tau, k, 0, b, 1), tsl_sub(s.T, 0, 0, b, b), Y, false);
        done = k + b;
        if (is_enough(x, c, &s, k, done, &good)) next = 0;
        if (rest == 0) break;
        if (ahead) tsl_meet(x, c), tsl_on(x, TSL_ON_AHEAD);
        if (next > 0) {
            /* Z := G Y T */        tsl_gemm(x, 1, G, Y, 0, Z);
                                    tsl_trmm(x, TSL_RIGHT, 1, T, Z);
            /* G := G Q1 */         tsl_gemm(x, -1, Z, tsl_herm(Y), 1, G);
        }
        if (ahead) tsl_on(x, TSL_ON_MAIN);
        /* W := Y^H A2 */           tsl_gemm(x, 1, tsl_herm(Y), right, 0, W);
        /* W := T^H W */            tsl_trmm(x, TSL_LEFT, 1, tsl_herm(T), W);
        /* R12 := A12 - Y1 W */     tsl_gemm(x, -1, V.A1, W, 1, R.A1);
        if (ahead) tsl_meet(x, c), tsl_on(x, TSL_ON_AHEAD);
        if (next > 0) {
            /* S2 := S2 - G1 R12 */
            tsl_gemm(x, -1, tsl_sub(G, 0, 0, tsl_rows(G), b), R.A1, 1, tsl_sub(s.S, 0, k + b, tsl_rows(s.S), rest));
            choose(x, &s, k + b, next);
        }
        if (ahead) tsl_on(x, TSL_ON_MAIN);
        /* A22 := A22 - Y2 W */     tsl_gemm(x, -1, V.A2, W, 1, R.A2);
        if (ahead) tsl_meet(x, c);
        if (next == 0) break;
    }
    if (ahead) tsl_meet(x, c);
    tsl_scale(x, 0, tsl_sub(tau, done, 0, tsl_rows(tau) - done, 1));
    if (s.apart) tsl_tell_rank(x, s.r, good), tsl_copy(x, s.r, r), tsl_copy(x, s.p, c->v[1]);
    else if (c->rank.tolerance == 0 || most == 0) tsl_rank_of(x, tsl_sub(A, 0, 0, done, done), r, 0, true);
    return done;
}

static tsl_status in_range(tsl_context *x, const tsl_call *c, bool ahead, int64_t wide)
{
    int at = tsl_moderate(x, c->v[0]);
    tsl_moderate_back(x, at, c->v[0], factor(x, c, ahead, wide));
    return TSL_OK;
}

static int64_t whole(const tsl_call *c) { return tsl_max(1, tsl_cols(c->v[0])); }

tsl_status tsl_geqp3_random_right(tsl_context *x, const tsl_call *c) { return in_range(x, c, false, whole(c)); }
/* Pivots of the next block on the lane ahead, while this one's update is under way */
tsl_status tsl_geqp3_random_ahead(tsl_context *x, const tsl_call *c) { return in_range(x, c, true, whole(c)); }
/* By block columns, which tiles are: no block reaches beyond one */
tsl_status tsl_geqp3_random_columns(tsl_context *x, const tsl_call *c) { return in_range(x, c, false, tsl_panel(x, c)); }
