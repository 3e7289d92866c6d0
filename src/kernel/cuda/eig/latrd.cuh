/* A panel of the reduction to tridiagonal form (core/leaf.h) in one kernel, whose CTAs are on the device together and exchange messages.
 * The upper triangle is the lower one of the matrix with rows and columns in reverse order: all below is of the lower one, and reverse order is
 * a matter of strides.
 *
 * Column j has its diagonal element in row j and the one of its reflector v in row j + 1. Y and W are the columns before it; A is the matrix as it
 * was before the panel. Two exchanges a column:
 *   columns   the CTAs have rows of a = A(:,j) - Y W(j,:)^H - W Y(j,:)^H and tell the norms of their parts of it; all make the reflector of that
 *   products  the CTAs have tiles of A, each read once and used for both halves: partial sums of A v, and their part of v^H A v, which they tell.
 *             Some have an element of p = W^H v or q = Y^H v as well
 * Then for the rows of a CTA w = A v - Y p - W q, and W(:,j) = tau w - |tau|^2 (w^H v) v / 2, where w^H v = v^H A v - 2 Re q^H p; and from that the
 * next a. What all need of rows j + 1 and j + 2 each CTA works out for itself.
 *
 * Sums are added up in an order that depends on the sizes and the number of CTAs alone. */
#ifndef TSL_CUDA_LATRD_CUH
#define TSL_CUDA_LATRD_CUH

#include "core/blue.h"
#include "device/cuda/messages.h"
#include "kernel/cuda/geqrf/qr.cuh"
#include "kernel/cuda/lanes.cuh"

namespace tsl {
namespace latrd {

constexpr int LIMIT = 64, MOST_CTAS = 160;
constexpr int WARPS = 16, THREADS = 32 * WARPS;
constexpr int TEAMS = 2, TEAM_WARPS = WARPS / TEAMS, TEAM = 32 * TEAM_WARPS; /* a team has a tile at a time */
constexpr int STRIP = 8, SLOTS = THREADS / STRIP;                            /* rows of a strip; threads that share a row */
static_assert(SLOTS >= LIMIT, "a thread has a column of Y and W");
constexpr int MOST_BLOCKS = 2048;

template <class T> struct panel {
    T *A, *Y, *W, *tau;
    real_t<T> *d, *e;
    int64_t lda, ldy, ldw; /* of reverse order: negative, */
    int step;              /* and this -1, else 1 */
    int n, k, reflectors, ctas;
    int blocks, tiles; /* the triangle in tiles of a shape */
    T *a, *part, *dots; /* a of even and of odd columns; partial sums of A v; p and q in turn */
    tsl_cuda_message *messages;
    unsigned epoch;

    __device__ T &at(int r, int c) const { return A[(int64_t)r * step + c * lda]; }
    __device__ T &y(int r, int c) const { return Y[(int64_t)r * step + c * ldy]; }
    __device__ T &w(int r, int c) const { return W[(int64_t)r * step + c * ldw]; }
    __device__ T *column(int j) const { return a + (int64_t)(j % 2) * n; }

    /* The teams have equally many tiles, in the order of a triangle's rows; the first ones one more, if need be. */
    __host__ __device__ int teams() const { return TEAMS * ctas; }
    __device__ int first_tile(int team) const { return team * (tiles / teams()) + min(team, tiles % teams()); }
    __device__ int team_of(int tile) const
    {
        const int each = tiles / teams(), more = tiles % teams(), end = more * (each + 1);
        return tile < end ? tile / (each + 1) : more + (tile - end) / each;
    }
};

/* A team's warp takes G columns of 32 K rows at a time, of a tile of order B. */
template <int K_, int G_> struct shape {
    static constexpr int K = K_, G = G_, B = 32 * K, STEPS = B / (TEAM_WARPS * G);
    static_assert(STEPS * TEAM_WARPS * G == B, "");
};

/* What other CTAs wrote is read from L2. */
__device__ inline float far(const float *p) { return __ldcg(p); }
__device__ inline double far(const double *p) { return __ldcg(p); }
__device__ inline cplx<float> far(const cplx<float> *p)
{
    const float2 v = __ldcg((const float2 *)p);
    return {v.x, v.y};
}
__device__ inline cplx<double> far(const cplx<double> *p)
{
    const double2 v = __ldcg((const double2 *)p);
    return {v.x, v.y};
}

template <class T> __device__ void take_square(tsl_blue &s, T a)
{
    if constexpr (is_complex<T>) {
        tsl_blue_add(&s, a.re);
        tsl_blue_add(&s, a.im);
    } else {
        tsl_blue_add(&s, a);
    }
}

__device__ inline void merge_lanes(tsl_blue &s)
{
    for (int bit = 16; bit >= 1; bit /= 2) {
        const tsl_blue other = {shuffle_xor(s.large, bit), shuffle_xor(s.middling, bit), shuffle_xor(s.small, bit)};
        tsl_blue_merge(&s, &other);
    }
}

/* Re conj(a) b */
template <class T> __device__ real_t<T> real_dot(T a, T b)
{
    if constexpr (is_complex<T>)
        return fma(a.re, b.re, a.im * b.im);
    else
        return a * b;
}

/* The reflector of column j, scaled by a power of two where that keeps squares in the range */
template <class T> struct scaled_reflector {
    T inv, tau;
    real_t<T> by, beta;
    bool none;

    __device__ scaled_reflector() {}

    __device__ scaled_reflector(T alpha, double norm)
    {
        using R = real_t<T>;
        by = factor_of((R)fmin(fmax(norm, (double)magnitude(alpha)), (double)LARGEST<R>));
        const R size = (R)(norm * by);
        const reflector<T> h(scale(alpha, by), size * size);
        inv = h.inv, tau = h.tau, beta = h.beta / by, none = h.none;
    }

    /* Element of v in row r of column j */
    __device__ T element(T a, int r, int j) const
    {
        return r > j + 1 ? none ? make<T>(0) : mul(scale(a, by), inv) : make<T>(r == j + 1 ? 1 : 0);
    }
};

/* Strips of rows at a time, one more for the two rows that all need */
template <class T> constexpr int CHUNK = sizeof(T) > 4 ? 4 : 8;

template <class T, class S> struct shared {
    scaled_reflector<T> h;
    double energy[WARPS];     /* v^H A v */
    real_t<T> crossed[SLOTS]; /* Re conj(q) p of a column */
    T of_w[CHUNK<T> + 1][WARPS][STRIP], of_a[CHUNK<T> + 1][WARPS][STRIP];
    T x[TEAMS][TEAM_WARPS][S::G]; /* v of the columns that a warp is at */
    T row[TEAMS][TEAM_WARPS][S::B], column[TEAMS][S::B];
    T dot[TEAMS][TEAM_WARPS];
    unsigned short row_parts[MOST_BLOCKS]; /* how many partial sums there are of the tiles in a row */
};

/* ------------------------------------------------------------------------------------------------------------------------------------------
 * Messages: the first warp of each CTA hears from all CTAs */

template <class T> __device__ void tell(const panel<T> &p, int set, unsigned epoch, double value)
{
    __threadfence();
    tsl_cuda_send(p.messages + set * MOST_CTAS + blockIdx.x, (uint64_t)__double_as_longlong(value), epoch);
}

/* Calls f with the value of each CTA, in an order of its own for each lane */
template <class T, class F> __device__ void hear(const panel<T> &p, int set, unsigned epoch, F f)
{
    constexpr int EACH = MOST_CTAS / 32;
    const int lane = threadIdx.x % 32;
    tsl_cuda_message m[EACH];
    bool fresh;
    do {
        fresh = true;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (lane + 32 * i < p.ctas) m[i] = tsl_cuda_look(p.messages + set * MOST_CTAS + lane + 32 * i);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (lane + 32 * i < p.ctas) fresh = fresh && m[i].tag == epoch;
    } while (!fresh);
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (lane + 32 * i < p.ctas) f(__longlong_as_double((long long)m[i].word));
    __threadfence();
    __syncwarp();
}

/* ------------------------------------------------------------------------------------------------------------------------------------------
 * Tiles */

__device__ inline void team_barrier(int team) { asm volatile("bar.sync %0, 256;" ::"r"(1 + team) : "memory"); }
static_assert(TEAM == 256, "");

/* Where a team's walk over its tiles is */
struct place {
    int tile, r, c, step;

    __device__ explicit place(int t) : tile(t), r((int)((sqrtf(8.f * t + 1) - 1) / 2)), c(0), step(0)
    {
        while ((r + 1) * (r + 2) / 2 <= t) r++;
        while (r * (r + 1) / 2 > t) r--;
        c = t - r * (r + 1) / 2;
    }

    template <int STEPS> __device__ void advance()
    {
        if (++step < STEPS) return;
        step = 0, tile++;
        if (++c > r) r++, c = 0;
    }
};

/* A team's tiles */
template <class T, class S, int STEP> struct walk {
    static constexpr int K = S::K, G = S::G, B = S::B;
    const panel<T> &p;
    shared<T, S> &s;
    const int team, warp, lane, index, end;
    place at, next; /* what is multiplied, and what is loaded */
    T a[G][K];

    __device__ walk(const panel<T> &p_, shared<T, S> &s_)
        : p(p_), s(s_), team(threadIdx.x / TEAM), warp(threadIdx.x / 32 % TEAM_WARPS), lane(threadIdx.x % 32),
          index(blockIdx.x + team * p.ctas), /* the first tiles are on different multiprocessors */
          end(p.first_tile(index + 1)), at(p.first_tile(index)), next(at)
    {
    }

    __device__ int first_column(const place &t) const { return t.c * B + (t.step * TEAM_WARPS + warp) * G; }

    __device__ void fetch(int g)
    {
        const int r = next.r * B + lane, c = first_column(next) + g;
        const T *const from = p.A + (int64_t)r * STEP + c * p.lda;
        const bool inner = next.r > next.c && next.r * B + B <= p.n;
#pragma unroll
        for (int k = 0; k < K; k++) a[g][k] = inner || (r + 32 * k >= c && r + 32 * k < p.n) ? far(from + STEP * 32 * k) : make<T>(0);
    }

    /* Before the vector is known */
    __device__ void begin()
    {
        if (at.tile >= end) return;
#pragma unroll
        for (int g = 0; g < G; g++) fetch(g);
        next.template advance<S::STEPS>();
    }

    /* The columns that the warp is at, times their part of v, into y; their products with x, the rows' part. What is on the diagonal counts in v^H A v
     * once, all else twice. */
    template <bool DIAGONAL> __device__ void use(T (&y)[K], const T (&x)[K], double &once)
    {
        T t[G];
        const int r = at.r * B + lane, c = first_column(at);
#pragma unroll
        for (int g = 0; g < G; g++) {
            const T xc = s.x[team][warp][g];
            t[g] = make<T>(0);
#pragma unroll
            for (int k = 0; k < K; k++) {
                if (DIAGONAL && r + 32 * k == c + g) {
                    const T v = make<T>(re(a[g][k]));
                    y[k] = add_mul(y[k], v, xc);
                    once += re(v) * real_dot(xc, xc);
                } else {
                    y[k] = add_mul(y[k], a[g][k], xc);
                    t[g] = add_mul<true>(t[g], a[g][k], x[k]);
                }
            }
            if (next.tile < end) fetch(g);
        }
        const T sum = lane_sums(t, lane);
        const int i = (at.step * TEAM_WARPS + warp) * G + lane / (32 / G);
        if (lane % (32 / G) == 0) (DIAGONAL ? s.column[team] : p.part + ((int64_t)at.c * p.blocks + at.r) * B)[i] = sum;
    }

    /* The sums of the rows of a run of tiles, with the columns' of the last one if that was on the diagonal */
    __device__ void flush(const T (&y)[K], int r, bool diagonal)
    {
        T *const to = p.part + ((int64_t)r * p.blocks + index - p.team_of(r * (r + 1) / 2)) * B;
#pragma unroll
        for (int k = 0; k < K; k++) s.row[team][warp][lane + 32 * k] = y[k];
        team_barrier(team);
        for (int i = threadIdx.x % TEAM; i < B; i += TEAM) {
            T sum = diagonal ? s.column[team][i] : make<T>(0);
#pragma unroll
            for (int w = 0; w < TEAM_WARPS; w++) sum = add(sum, s.row[team][w][i]);
            to[i] = sum;
        }
        team_barrier(team);
    }

    /* Partial sums of A v; what the lane has of v^H A v */
    __device__ double run(int j)
    {
        const T *const v = p.column(j);
        const scaled_reflector<T> &h = s.h;
        const auto column_of = [&](const place &t) { return lane < G && first_column(t) + lane < p.n ? far(v + first_column(t) + lane) : make<T>(0); };
        double twice = 0, once = 0;
        if (at.tile >= end) return 0;
        T ahead = column_of(at), y[K], x[K];
        int r = -1;
        while (at.tile < end) {
            if (at.r != r) {
                r = at.r;
#pragma unroll
                for (int k = 0; k < K; k++) {
                    const int i = r * B + lane + 32 * k;
                    y[k] = make<T>(0);
                    x[k] = i < p.n ? h.element(far(v + i), i, j) : make<T>(0);
                }
            }
            const int c = first_column(at) + lane;
            if (lane < G) s.x[team][warp][lane] = c < p.n ? h.element(ahead, c, j) : make<T>(0);
            __syncwarp();
            if (next.tile < end) ahead = column_of(next);
            const bool diagonal = at.r == at.c;
            if (diagonal)
                use<true>(y, x, once);
            else
                use<false>(y, x, once);
            __syncwarp();
            at = next;
            if (next.tile < end) next.template advance<S::STEPS>();
            if (at.r != r || at.tile >= end) {
                for (int k = 0; k < K; k++) twice += real_dot(x[k], y[k]);
                flush(y, r, diagonal);
            }
        }
        return 2 * twice - once;
    }
};

/* The elements of p and q, the last teams first: those have the fewest tiles */
template <class T, class S> __device__ __noinline__ void make_dots(const panel<T> &p, shared<T, S> &s, int j)
{
    const int team = threadIdx.x / TEAM, tid = threadIdx.x % TEAM, index = blockIdx.x + team * p.ctas;
    const scaled_reflector<T> h = s.h;
    const T *const v = p.column(j);
    for (int i = p.teams() - 1 - index; i < 2 * j; i += p.teams()) {
        const T *const with = i % 2 ? &p.y(0, i / 2) : &p.w(0, i / 2);
        T sum = make<T>(0);
#pragma unroll 8
        for (int r = j + 1 + tid; r < p.n; r += TEAM) sum = add_mul<true>(sum, far(with + (int64_t)r * p.step), h.element(far(v + r), r, j));
        for (int bit = 16; bit >= 1; bit /= 2) sum = add(sum, shuffle_xor(sum, bit));
        if (tid % 32 == 0) s.dot[team][tid / 32] = sum;
        team_barrier(team);
        if (tid == 0) {
            for (int w = 1; w < TEAM_WARPS; w++) sum = add(sum, s.dot[team][w]);
            p.dots[i] = sum;
        }
        team_barrier(team);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------------------
 * Rows */

/* What the warps have for a row */
template <class T> __device__ T over_warps(const T (&sums)[WARPS][STRIP], int row)
{
    T sum[4];
#pragma unroll
    for (int i = 0; i < 4; i++) sum[i] = add(add(sums[i][row], sums[i + 4][row]), add(sums[i + 8][row], sums[i + 12][row]));
    static_assert(WARPS == 16, "");
    return add(add(sum[0], sum[1]), add(sum[2], sum[3]));
}

template <class T> __device__ T over_lanes(T sum)
{
    for (int bit = 16; bit >= 1; bit /= 2) sum = add(sum, shuffle_xor(sum, bit));
    return sum;
}

/* The end of column j, and column j + 1 as far as that is in the panel; j = -1: the first column. Returns, to the first warp, a in row j + 2. */
template <class T, class S> __device__ __noinline__ T make_rows(const panel<T> &p, shared<T, S> &s, int j)
{
    using R = real_t<T>;
    constexpr int CH = CHUNK<T>, EACH = CH * STRIP / 32;
    static_assert(EACH * 32 == CH * STRIP, "");
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, rr = lane % STRIP, slot = warp * (32 / STRIP) + lane / STRIP;
    const int top = j + 1, strips = (p.n + STRIP - 1) / STRIP;
    const bool more = top < p.k, has_column = slot < j;
    const T zero = make<T>(0), of_y = has_column ? conj(far(&p.w(top, slot))) : zero, of_w = has_column ? conj(far(&p.y(top, slot))) : zero;
    const scaled_reflector<T> h = s.h;
    int strip = top / STRIP / p.ctas * p.ctas + blockIdx.x; /* the first of this CTA that is not above them all */
    if (strip < top / STRIP) strip += p.ctas;

    R shift = 0;
    T top_w = zero, alpha = zero, pv = zero, qv = zero;
    tsl_blue squares = {0, 0, 0};
    bool first = true;
    do {
        const auto row_of = [&](int i) { /* -1: there is none */
            const int row = i == 0 ? (rr < 2 && first ? top + rr : p.n) : (strip + (i - 1) * p.ctas) * STRIP + rr;
            return row >= top && row < p.n ? row : -1;
        };
        T y[CH + 1], w[CH + 1], sum_w[CH + 1], sum_a[CH + 1];
#pragma unroll
        for (int i = 0; i <= CH; i++) {
            const int row = row_of(i);
            y[i] = w[i] = zero;
            if (has_column && row >= 0) y[i] = far(&p.y(row, slot)), w[i] = far(&p.w(row, slot));
        }
        /* Of the rows that a lane of the first warp ends: v, and A's next column; [EACH]: those that all need */
        T old[EACH + 1], fresh[EACH + 1];
        int rows[EACH + 1];
        if (warp == 0) {
#pragma unroll
            for (int i = 0; i <= EACH; i++) {
                int row = i < EACH ? (strip + (lane + 32 * i) / STRIP * p.ctas) * STRIP + lane % STRIP : lane < 2 && first ? top + lane : p.n;
                if (row < top || row >= p.n) row = -1;
                rows[i] = row;
                old[i] = fresh[i] = zero;
                if (row < 0) continue;
                if (j >= 0) old[i] = h.element(far(p.column(j) + row), row, j);
                if (more) fresh[i] = p.at(row, top);
            }
        }
#pragma unroll
        for (int i = 0; i <= CH; i++) sum_a[i] = add_mul(mul(y[i], of_y), w[i], of_w);

        if (first && j >= 0) {
            double values = 0;
            if (warp == 0) {
                hear(p, 1, p.epoch + 2 * j + 1, [&](double v) { values += v; });
                values = over_lanes(values);
            }
            __syncthreads();
            if (has_column) pv = far(p.dots + 2 * slot), qv = far(p.dots + 2 * slot + 1);
            shift = (R)values; /* for now */
        }
        if (j >= 0) {
            const auto part_of = [&](int row, int m) {
                const int b = row / S::B, count = s.row_parts[b], source = m < count ? m : m - count + b + 1;
                return source < p.blocks ? far(p.part + ((int64_t)b * p.blocks + source) * S::B + row % S::B) : zero;
            };
#pragma unroll
            for (int i = 0; i <= CH; i++) {
                const int row = row_of(i);
                sum_w[i] = row >= 0 ? part_of(row, slot) : zero;
            }
            if (p.blocks > SLOTS) {
                for (int m = slot + SLOTS; m < p.blocks; m += SLOTS) {
#pragma unroll
                    for (int i = 0; i <= CH; i++) {
                        const int row = row_of(i);
                        if (row >= 0) sum_w[i] = add(sum_w[i], part_of(row, m));
                    }
                }
            }
#pragma unroll
            for (int i = 0; i <= CH; i++) sum_w[i] = sub_mul<false>(sub_mul<false>(sum_w[i], y[i], pv), w[i], qv);
            if (first && rr == 0) s.crossed[slot] = real_dot(qv, pv);
        }
        if (j >= 0) {
#pragma unroll
            for (int i = 0; i <= CH; i++) {
                for (int bit = STRIP; bit < 32; bit *= 2) {
                    sum_w[i] = add(sum_w[i], shuffle_xor(sum_w[i], bit));
                    sum_a[i] = add(sum_a[i], shuffle_xor(sum_a[i], bit));
                }
                if (lane < STRIP) s.of_w[i][warp][lane] = sum_w[i], s.of_a[i][warp][lane] = sum_a[i];
            }
            __syncthreads();
        }

        if (warp == 0) {
            /* row: what is known of it as above; into which of the sums it goes */
            T end_w = zero;
            const auto end = [&](int i, int strip_of, int row) {
                T a = fresh[i];
                if (j >= 0) {
                    end_w = add(mul(h.tau, over_warps(s.of_w[strip_of], row)), scale(old[i], shift));
                    if (i == EACH) top_w = of_lane(end_w, 0);
                    a = add(a, scale(over_warps(s.of_a[strip_of], row), R(-1)));
                    a = sub_mul<true>(a, old[i], top_w);
                    a = add(a, scale(end_w, R(-1))); /* v's element in row j + 1 is one */
                }
                return a;
            };
            if (first) {
                if (j >= 0) {
                    const R crossed = over_lanes(add(s.crossed[lane], s.crossed[lane + 32]));
                    static_assert(SLOTS == 64, "");
                    shift = R(-0.5) * real_dot(h.tau, h.tau) * (shift - 2 * crossed);
                }
                alpha = of_lane(end(EACH, 0, lane % STRIP), 1);
            }
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                const T a = end(i, 1 + (lane + 32 * i) / STRIP, lane % STRIP);
                const int row = rows[i];
                if (row < 0) continue;
                if (j >= 0) {
                    p.y(row, j) = old[i];
                    p.w(row, j) = end_w;
                    p.at(row, j) = row == top ? make<T>(h.beta) : old[i];
                    if (row == top) p.e[j * p.step] = h.beta, p.tau[j * p.step] = h.tau;
                }
                if (!more) continue;
                if (row == top) {
                    p.d[top * p.step] = re(a);
                    p.at(row, top) = make<T>(re(a));
                } else {
                    p.column(top)[row] = a;
                    if (row > top + 1) take_square(squares, a);
                }
            }
        }
        first = false;
        strip += CH * p.ctas;
        if (strip < strips) __syncthreads();
    } while (strip < strips);

    if (warp == 0 && top < p.reflectors && more) {
        merge_lanes(squares);
        __syncwarp();
        if (lane == 0) tell(p, 0, p.epoch + 2 * top, tsl_blue_norm(&squares));
    }
    return alpha;
}

template <class T, class S, int STEP> __global__ __launch_bounds__(THREADS, 1) void reduce(const __grid_constant__ panel<T> p)
{
    __shared__ shared<T, S> s;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int b = threadIdx.x; b < p.blocks; b += THREADS) {
        const int tile = b * (b + 1) / 2;
        s.row_parts[b] = (unsigned short)(p.team_of(tile + b) - p.team_of(tile) + 1);
    }
    T alpha = make_rows(p, s, -1);
    for (int j = 0; j < p.reflectors; j++) {
        walk<T, S, STEP> tiles(p, s);
        tiles.begin();
        if (warp == 0) {
            tsl_blue squares = {0, 0, 0};
            hear(p, 0, p.epoch + 2 * j, [&](double norm) { tsl_blue_add(&squares, norm); });
            merge_lanes(squares);
            const scaled_reflector<T> h(alpha, tsl_blue_norm(&squares));
            if (lane == 0) s.h = h;
        }
        __syncthreads();
        double energy = tiles.run(j);
        make_dots(p, s, j);
        energy = over_lanes(energy);
        if (lane == 0) s.energy[warp] = energy;
        __syncthreads();
        if (threadIdx.x == 0) {
            energy = 0;
            for (int w = 0; w < WARPS; w++) energy += s.energy[w];
            tell(p, 1, p.epoch + 2 * j + 1, energy);
        }
        alpha = make_rows(p, s, j);
    }
}

} // namespace latrd
} // namespace tsl
#endif
