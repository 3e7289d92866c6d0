/* LU with partial pivoting of a panel of 32 or 64 columns that stays on the chip, in one launch whose CTAs wait for each other.
 *
 * A thread has a row, in shared memory, and its columns from j on in registers as well. One message per CTA and column goes round through
 * the L2 cache: the CTA's candidate for the pivot of column j with its whole row; CTA 0, which has the rows of the upper triangle, sends
 * row j too. From the messages, read in the same order, every CTA comes to the same pivot and row of U. So in step j
 *   rows j and that of the pivot change places, in the CTAs that have them;
 *   each row below is divided by the pivot, and its element of column j + 1, the next candidate, is brought up to date;
 *   the warp with the best of the CTA's brings the whole of that row up to date, and sends it;
 *   while the messages travel, every thread brings its row up to date.
 * This is a chain of latencies: what is not of the chain is left until after the message. */
#include "device/cuda/mail.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/lu.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace {

constexpr unsigned ALL = 0xffffffffu;

/* Columns brought up to date at once: read, computed, stored */
constexpr int GROUP = 8;

/* A kernel: elements of type T, panels of COLS columns, a lane having every 32nd of a row, CTAs of up to THREADS rows. Registers bound
 * the rows, since each takes COLS elements, and the messages a lane asks for AT_ONCE; shared memory bounds the CTAs, since of each a row
 * is received. */
template <class T_, int COLS_, int THREADS_, int CTAS_, int AT_ONCE_> struct form {
    using T = T_;
    static constexpr int COLS = COLS_, EACH = COLS / 32, THREADS = THREADS_, CTAS = CTAS_, AT_ONCE = AT_ONCE_;
    static constexpr int WORDS = (sizeof(T) + 7) / 8; /* of a message, to an element */
    static constexpr int MESSAGES = COLS * WORDS;     /* to a row */
    /* Odd: neither a row's lanes nor a column's meet in a bank. A row that was received is followed by what a group may read past it. */
    static constexpr int STRIDE = THREADS + 1, WIDTH = COLS + GROUP + 1;
    static_assert(2 * (CTAS + 1) * MESSAGES * sizeof(tsl_cuda_message) <= TSL_CUDA_MAIL_BYTES, "messages of two steps");
};

template <class T> struct panel {
    T *A;
    int64_t lda;
    int m, n, steps;
    int64_t *piv, first, *info, info_base;
    tsl_cuda_message *mail;
    unsigned epoch; /* that of step 0 */
};

/* What is compared instead of sizes, as integers: 0 of no row at all, 1 of NaN, so that it is taken only if there is nothing else */
using key = uint64_t;

template <class T> __device__ key key_of(T a)
{
    const real_t<T> size = size_of(a);
    if constexpr (sizeof(size) == 8) {
        const key k = (key)__double_as_longlong(size);
        return k > 0x7ff0000000000000u ? 1 : k + 2;
    } else {
        const unsigned k = __float_as_uint(size);
        return k > 0x7f800000u ? 1 : k + 2;
    }
}

__device__ inline unsigned largest(unsigned k)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL, k);
#else
#pragma unroll
    for (int bit = 16; bit >= 1; bit /= 2) k = max(k, __shfl_xor_sync(ALL, k, bit));
    return k;
#endif
}

/* Of the lanes `who`, which agree in the upper halves of their keys, the first of those with the largest lower half. Seldom called, and
 * apart, so that its latency is not everyone's. */
__device__ __noinline__ int first_of(unsigned who, unsigned low)
{
    const bool in = who >> threadIdx.x % 32 & 1;
    const unsigned rest = largest(in ? low : 0);
    return __ffs((int)__ballot_sync(ALL, in && low == rest)) - 1;
}

/* The lane with the warp's largest key, of equal ones the first */
template <class T> __device__ int choose(key mine)
{
    const unsigned low = (unsigned)mine;
    if constexpr (sizeof(real_t<T>) == 4) {
        return __ffs((int)__ballot_sync(ALL, low == largest(low))) - 1;
    } else {
        const unsigned high = (unsigned)(mine >> 32), who = __ballot_sync(ALL, high == largest(high));
        return who & (who - 1) ? first_of(who, low) : __ffs((int)who) - 1;
    }
}

/* Shared memory */
template <class F> struct shared {
    using T = typename F::T;
    T *rows;     /* the panel's, by columns */
    T *seen;     /* the messages' rows, one per CTA, then row j; those of two steps */
    key *best;   /* a candidate per warp */
    int *number; /* of the rows in `seen` */

    __device__ __host__ static size_t elements(int ctas) { return F::COLS * F::STRIDE + 2 * (size_t)(ctas + 1) * F::WIDTH; }
    __device__ __host__ static size_t before_best(int ctas) { return (elements(ctas) * sizeof(T) + 15) / 16 * 16; }
    static size_t bytes(int ctas) { return before_best(ctas) + 32 * sizeof(key) + 2 * (size_t)(ctas + 1) * sizeof(int); }

    __device__ shared(unsigned char *raw, int ctas)
    {
        rows = (T *)raw;
        seen = rows + F::COLS * F::STRIDE;
        best = (key *)(raw + before_best(ctas));
        number = (int *)(best + 32);
    }
};

/* Messages: the tag is the step's epoch above the row's number, the same in all of a row's. What has room beside a short element is the
 * epoch again. So all 16 bytes are looked at, and the compiler has no reason to read less: it would then read in pieces. */
template <class F> __device__ void send(tsl_cuda_message *at, typename F::T a, unsigned epoch, int number)
{
    uint64_t word[F::WORDS] = {(uint64_t)epoch << 32};
    memcpy(word, &a, sizeof a);
#pragma unroll
    for (int w = 0; w < F::WORDS; w++) tsl_cuda_send(at + w * F::COLS, word[w], (uint64_t)epoch << 32 | (unsigned)number);
}

template <class F> __device__ bool is_fresh(const tsl_cuda_message &m, uint64_t tag, unsigned epoch)
{
    return m.tag == tag && (unsigned)(tag >> 32) == epoch && (sizeof(typename F::T) > 4 || (unsigned)(m.word >> 32) == epoch);
}

/* A warp receives every warps-th row of a step; messages asked for at once take the time of one. */
template <class F>
__device__ void receive(const tsl_cuda_message *mail, unsigned epoch, typename F::T *seen, int *number, int slots, int warp, int warps, int lane)
{
    using T = typename F::T;
    constexpr int AT_ONCE = F::AT_ONCE, OF_LANE = F::MESSAGES / 32; /* by word, then by column */
    for (int first = warp; first < slots; first += warps * AT_ONCE) {
        tsl_cuda_message v[AT_ONCE][OF_LANE];
        const tsl_cuda_message *const at = mail + first * F::MESSAGES + lane;
        bool fresh;
        do {
            fresh = true;
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++)
#pragma unroll
                for (int i = 0; i < OF_LANE; i++)
                    if (first + k * warps < slots) v[k][i] = tsl_cuda_look(at + k * warps * F::MESSAGES + i * 32);
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++)
#pragma unroll
                for (int i = 0; i < OF_LANE; i++)
                    if (first + k * warps < slots) fresh = fresh && is_fresh<F>(v[k][i], v[k][0].tag, epoch);
        } while (!__all_sync(ALL, fresh));
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const int slot = first + k * warps;
            if (slot >= slots) break;
#pragma unroll
            for (int e = 0; e < F::EACH; e++) {
                uint64_t word[F::WORDS];
                T a;
#pragma unroll
                for (int w = 0; w < F::WORDS; w++) word[w] = v[k][w * F::EACH + e].word;
                memcpy(&a, word, sizeof a);
                seen[slot * F::WIDTH + e * 32 + lane] = a;
            }
            if (lane == 0) number[slot] = (int)v[k][0].tag;
        }
    }
}

/* The CTA with the best candidate, of equal ones the first, and division by it, by a warp. `column`: the candidates, WIDTH apart. Each
 * lane prepares to divide by its own while it is compared with the others. */
template <class T> struct winner {
    int cta;
    divisor<T> by_pivot;
};

template <class F> __device__ winner<typename F::T> winner_of(const typename F::T *column, int ctas, int lane)
{
    using T = typename F::T;
    int at = lane;
    T a = lane < ctas ? column[lane * F::WIDTH] : make<T>(0);
    key mine = lane < ctas ? key_of(a) : 0;
    for (int i = lane + 32; i < ctas; i += 32) {
        const T b = column[i * F::WIDTH];
        const key k = key_of(b);
        if (k > mine) mine = k, at = i, a = b;
    }
    divisor<T> by(a);
    int from = choose<T>(mine);
    if (ctas > 32) {
        const key most = __shfl_sync(ALL, mine, from);
        int first = mine == most ? at : ctas;
#pragma unroll
        for (int bit = 16; bit >= 1; bit /= 2) first = min(first, __shfl_xor_sync(ALL, first, bit));
        from = first % 32; /* whose best it is */
        at = first;
    } else {
        at = from;
    }
    by.take_from(from);
    return {at, by};
}

template <class F, bool ALONE> __global__ __launch_bounds__(F::THREADS) void factor(panel<typename F::T> p)
{
    using T = typename F::T;
    constexpr int COLS = F::COLS;
    extern __shared__ __align__(16) unsigned char raw[];
    const int threads = blockDim.x, tid = threadIdx.x, warp = tid / 32, lane = tid % 32, warps = threads / 32;
    const int ctas = ALONE ? 1 : gridDim.x, cta = ALONE ? 0 : blockIdx.x, slots = ctas + 1;
    const shared<F> s(raw, ctas);
    const int row = cta * threads + tid; /* of the panel */
    T *const mine = s.rows + tid;        /* its elements, STRIDE apart */

    T x[COLS];
#pragma unroll
    for (int c = 0; c < COLS; c++) {
        x[c] = row < p.m && c < p.n ? p.A[row + c * p.lda] : make<T>(0);
        mine[c * F::STRIDE] = x[c];
    }
    if (tid < 32) s.best[tid] = 0;
    __syncthreads();

    int chosen; /* the warp's lane with its candidate */
    const auto propose = [&](int next, T a) {
        const key k = row >= next && row < p.m ? key_of(a) : 0;
        chosen = choose<T>(k);
        if (lane == chosen) s.best[warp] = k;
    };
    /* Sends a row, element 0 of which is at `from`, brought up to date by step next - 1. */
    const auto publish = [&](int next, int slot, int number, const T *from, const T *u) {
        const int set = next % 2 * slots + slot;
#pragma unroll
        for (int e = 0; e < F::EACH; e++) {
            const int c = e * 32 + lane;
            T a = from[c * F::STRIDE];
            if (next > 0 && c >= next) a = sub_mul<false>(a, from[(next - 1) * F::STRIDE], u[c]);
            if constexpr (ALONE)
                s.seen[set * F::WIDTH + c] = a;
            else
                send<F>(p.mail + set * F::MESSAGES + c, a, p.epoch + next, number);
        }
        if (ALONE && lane == 0) s.number[set] = number;
        __syncwarp(); /* the row is read before its thread goes on */
    };
    const auto publish_all = [&](int next, const T *u) {
        if (warp == choose<T>(s.best[lane])) {
            const int thread = warp * 32 + chosen;
            publish(next, cta, cta * threads + thread, s.rows + thread, u);
        }
        if (cta == 0 && warp == next / 32) publish(next, ctas, next, s.rows + next, u);
    };
    const auto store_row = [&](int thread, const T *from) {
#pragma unroll
        for (int e = 0; e < F::EACH; e++) s.rows[(e * 32 + lane) * F::STRIDE + thread] = from[e * 32 + lane];
    };

    propose(0, x[0]);
    __syncthreads();
    publish_all(0, NULL);
    for (int j = 0; j < p.steps; j++) {
        T *const seen = s.seen + j % 2 * slots * F::WIDTH;
        int *const number = s.number + j % 2 * slots;
        if constexpr (!ALONE) receive<F>(p.mail + j % 2 * slots * F::MESSAGES, p.epoch + j, seen, number, slots, warp, warps, lane);
        __syncthreads();

        const winner<T> best = winner_of<F>(seen + j, ctas, lane);
        const divisor<T> by_pivot = best.by_pivot;
        const int pivot = number[best.cta];
        const T *const u = seen + best.cta * F::WIDTH, *const top = seen + ctas * F::WIDTH;

        /* Rows j and `pivot` change places. */
        const bool moved = row == pivot && pivot != j;
        const int thread = pivot - cta * threads;
        if (thread >> 5 == warp && pivot != j) store_row(thread, top);
        if (cta == 0 && j / 32 == warp) store_row(j, u);
        __syncwarp();

        T l = make<T>(0);
        if (row > j) {
            l = by_pivot(moved ? top[j] : x[0]);
            mine[j * F::STRIDE] = l;
        }
        if (j + 1 < p.steps) {
            propose(j + 1, sub_mul<false>(moved ? top[j + 1] : x[1], l, u[j + 1]));
            __syncthreads();
            publish_all(j + 1, u);

            if (moved)
#pragma unroll
                for (int c = 0; c < COLS; c++)
                    if (j + c < COLS) x[c] = top[j + c];
            if (row > j)
#pragma unroll
                for (int g = 0; g < COLS; g += GROUP)
                    if (j + g < COLS) {
                        constexpr int DONE = 1; /* column j */
                        T v[GROUP];
#pragma unroll
                        for (int c = g == 0 ? DONE : 0; c < GROUP; c++) v[c] = u[j + g + c];
#pragma unroll
                        for (int c = g == 0 ? DONE : 0; c < GROUP; c++) x[g + c - 1] = sub_mul<false>(x[g + c], l, v[c]);
#pragma unroll
                        for (int c = g == 0 ? DONE : 0; c < GROUP; c++)
                            if (j + g + c < COLS) mine[(j + g + c) * F::STRIDE] = x[g + c - 1];
                    }
        }
        if (row == 0) {
            p.piv[j] = p.first + 1 + pivot;
            if (by_pivot.zero && *p.info == 0) *p.info = p.info_base + j + 1;
        }
    }
    if (row < p.m)
        for (int c = 0; c < p.n; c++) p.A[row + c * p.lda] = mine[c * F::STRIDE];
}

/* Few CTAs, because each hears of all others; but no more threads than needed, because the warps of a CTA wait for each other. */
struct plan {
    int threads, ctas;
};

template <class F> plan plan_of(int64_t m)
{
    int threads = 128;
    while (threads < F::THREADS && m > (threads < 256 ? 4 : 16) * threads) threads *= 2;
    return {threads, (int)((m + threads - 1) / threads)};
}

/* Shared memory that a CTA of the current device may have */
inline cudaError_t most_shared(int *most)
{
    int device = 0;
    const cudaError_t e = cudaGetDevice(&device);
    return e != cudaSuccess ? e : cudaDeviceGetAttribute(most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
}

template <class F> cudaError_t fits(int64_t m, bool *yes)
{
    int device = 0, processors = 0, most = 0;
    *yes = m <= F::CTAS * F::THREADS;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = most_shared(&most);
    if (!*yes || e != cudaSuccess) return e;
    const plan at = plan_of<F>(m);
    *yes = at.ctas <= F::CTAS && at.ctas <= processors && shared<F>::bytes(at.ctas) <= (size_t)most;
    return e;
}

template <class F, bool ALONE> cudaError_t launch_as(plan at, const panel<typename F::T> &p, cudaStream_t stream)
{
    const size_t bytes = shared<F>::bytes(at.ctas), limit = shared<F>::bytes(ALONE ? 1 : F::CTAS);
    int most = 0;
    cudaError_t e = most_shared(&most);
    /* the same for every call: it is the kernel's, and other threads launch it too */
    if (e == cudaSuccess)
        e = cudaFuncSetAttribute(factor<F, ALONE>, cudaFuncAttributeMaxDynamicSharedMemorySize, limit < (size_t)most ? (int)limit : most);
    return e != cudaSuccess ? e : launch(factor<F, ALONE>, {at.ctas, at.threads, bytes, 1, false, !ALONE}, stream, p);
}

template <class F> tsl_status launch_form(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    using T = typename F::T;
    panel<T> p = {(T *)l->A, l->lda, (int)l->m, (int)l->n, (int)(l->m < l->n ? l->m : l->n), l->piv, l->first, l->info, l->info_base, NULL, 0};
    tsl_status st = tsl_cuda_check(fits<F>(l->m, done), "getrf_panel");
    if (st != TSL_OK || !*done) return st;
    const plan at = plan_of<F>(l->m);
    const cudaStream_t stream = tsl_cuda(q)->stream;
    if (at.ctas == 1) return tsl_cuda_check((launch_as<F, true>(at, p, stream)), "getrf_panel");
    st = tsl_cuda_mail(tsl_cuda(q), (unsigned)p.steps, &p.mail, &p.epoch);
    *done = st != TSL_ERR_MEMORY && st != TSL_ERR_DEVICE_MEMORY; /* else without messages */
    if (!*done) return TSL_OK;
    return st != TSL_OK ? st : tsl_cuda_check((launch_as<F, false>(at, p, stream)), "getrf_panel");
}

template <class T> using narrow = form<T, 32, sizeof(T) == 16 ? 256 : 512, sizeof(T) == 16 ? 72 : 132, 3>;
template <class T> using wide = form<T, 64, 256, 23, 3>;
constexpr int64_t WIDE_ROWS = 5888; /* above, two of half the width and fewer CTAs are faster */

template <class T> tsl_status launch_panel(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    if (l->n <= 32) return launch_form<narrow<T>>(q, l, done);
    *done = false;
    if constexpr (sizeof(T) < 16)
        if (l->m <= WIDE_ROWS) return launch_form<wide<T>>(q, l, done);
    return TSL_OK;
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_getrf_panel(void) { return (const void *)tsl::factor<tsl::narrow<float>, true>; }

extern "C" tsl_status tsl_cuda_getrf_panel(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_panel<decltype(zero)>(q, l, done); });
}
