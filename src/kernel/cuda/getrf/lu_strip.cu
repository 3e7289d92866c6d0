/* A strip of a panel of LU on a GPU (kernel/lu_strip.h), in one launch.
 *
 * Why it ends, whatever else happens. A kernel waits for its own CTAs, for those of other processes, and for its host. All of
 * these may be late: other work has the multiprocessors, processes take turns on one GPU, a launch or the loading of a kernel
 * waits until the device is idle, a process is gone. Therefore no wait is longer than the leaf's patience. A CTA that has
 * waited so long stores its rows and how far it has come, and ends. So the device becomes idle, other kernels get their turn,
 * and what they do is there when the host launches this one again. Nothing has to be at work at the same time, neither the CTAs
 * of a kernel nor the kernels of a GPU: each launch in which nothing else is at work goes on to where something is missing that
 * only others can tell, and tells them what they miss. That they are at work at the same time as a rule is what makes it fast;
 * hence no more CTAs than the processes' share of the multiprocessors.
 *
 * CTAs agree on nothing when they leave. Each goes on from where it was: what the others have told is still in its place. */
#include "kernel/cuda/getrf/lu_strip_talk.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int64_t ROWS_AT_LEAST = 256; /* of a CTA: more CTAs would take longer to tell each other than they save */

/* One CTA */
template <class T, bool ON_CHIP> struct worker {
    static constexpr int BLOCK = TSL_STRIP_BLOCK;
    const strip<T> &p;
    desk<T> &s;
    const cta_rows<T, ON_CHIP> rows;
    const teller<T, ON_CHIP> tells;
    const bool is_teller;

    __device__ worker(const strip<T> &p, desk<T> &s, unsigned char *raw, uint64_t *heard)
        : p(p), s(s), rows(p, s, raw), tells{p, s, heard}, is_teller(threadIdx.x < TELLERS)
    {
    }

    /* Column j by the threads that have rows, which have proposed. due: the block before b is to be eliminated from the columns
     * after b, of which nobody waits for any now; after: so is column j - 1 from those of its own block; won: the row that is
     * to be sent as the pivot's of column j - 1 */
    __device__ bool compute(int64_t j, int64_t b, bool *due, bool *after, int64_t *won) const
    {
        const int all = blockDim.x;
        if (*after) rows.take_rest(j - 1, b);
        arrive(UP_TO_DATE, all);
        if (*won >= 0) rows.send_row(*won, j - 1, b);
        if (*due) rows.eliminate_rest(b);
        *due = *after = false, *won = -1;
        meet(KNOWN, all);
        if (s.ends) return false;
        if (s.sends) *won = s.row;
        rows.take(j, b);
        *after = true;
        return true;
    }

    /* How far it has come is written down. */
    __device__ void note(int64_t j, int stage, bool leaves) const
    {
        tsl_strip_state *const state = p.state(blockIdx.x);
        const int lane = threadIdx.x;
        if (!is_teller) return;
        for (int i = lane; i < TSL_STRIP_COLUMNS; i += TELLERS) state->picked[i] = s.picked[i];
        if (lane == 0) {
            state->strip = p.k + 1, state->step = j, state->stage = stage;
            if (leaves) p.shared->left = 1;
        }
    }

    __device__ void run() const
    {
        tsl_strip_state *const state = p.state(blockIdx.x);
        const bool fresh = state->strip != p.k + 1;
        int64_t j = fresh ? p.k : state->step;
        int stage = fresh ? TSL_STRIP_FRESH : (int)state->stage;
        if (j > p.end) return;
        for (int i = threadIdx.x; i < TSL_STRIP_COLUMNS; i += blockDim.x) s.picked[i] = fresh ? 0 : state->picked[i];
        __syncthreads();
        int64_t b = stage == TSL_STRIP_BLOCKED ? j - BLOCK : p.block_of(j), won = -1;
        bool due = false, after = false;
        if (!is_teller) rows.find_places(j);
        if (!is_teller && j < p.end) rows.load(b);
        if (!is_teller && j < p.end && stage != TSL_STRIP_BLOCKED) rows.propose_column(j, b);
        while (j < p.end) {
            if (stage == TSL_STRIP_BLOCKED) {
                if (!rows.receive(b)) break;
                if (!is_teller) rows.advance(b), rows.propose_column(j, j);
                b = j, due = true, after = false, stage = TSL_STRIP_FRESH;
            }
            if (!(is_teller ? tells.talk(rows, j, b, &stage) : compute(j, b, &due, &after, &won))) break;
            stage = ++j == b + BLOCK && j < p.end ? TSL_STRIP_BLOCKED : TSL_STRIP_FRESH;
            if (won >= 0 && (stage == TSL_STRIP_BLOCKED || j == p.end)) {
                rows.send_row(won, j - 1, b);
                won = -1;
            }
            if (!is_teller && j == p.end) rows.store(b);
        }
        if (j < p.end) {
            if (!is_teller) rows.store(b);
            note(j, stage, true);
            return;
        }
        const bool done = finish();
        note(done ? p.end + 1 : p.end, TSL_STRIP_FRESH, !done);
    }

    /* Rows go where the exchanges want them, all n columns of them: those that were in places k to end, and whose places others
     * have now, to where these were; the pivots' into the places from k on. Each CTA does some columns. */
    __device__ bool finish() const
    {
        const int few = (int)(p.end - p.k), wide = (few + 31) / 32 * 32, groups = rows.threads / wide, x = rows.t % wide;
        const int64_t step = (int64_t)p.ctas * groups, begin = blockIdx.x + (int64_t)p.ctas * (rows.t / wide);
        const bool mine = !is_teller && x < few && rows.t / wide < groups;
        const watch w(p.patience);
        bool late = false;
        uint64_t word[WORDS<T>] = {};
        for (int64_t c = begin; mine && c < p.n && !late; c += step)
            for (int h = 0; h < WORDS<T>; h++)
                late = late || !await_letter(p.row(p.inbox, p.k + x, c) + h, tsl_strip_tag(p.k + x), w, word + h);
        if (mine && rows.t < wide) {
            int64_t at = p.k + x;
            for (int64_t q = p.k; q < p.end && at != GONE; q++) at = cta_rows<T, ON_CHIP>::exchanged(at, q, s.picked[q - p.k]);
            const int64_t here = at < p.d ? at : tsl_cyclic_number(&p.rows, at);
            s.to[x] = at < p.d ? at : here < 0 ? GONE : p.d + here;
        }
        if (__syncthreads_or(late)) return false;
        late = is_teller && !tells.all_done();
        if (__syncthreads_or(late)) return false;
        if (is_teller) return true;
        const int64_t right = p.block_of(p.k + x) + BLOCK; /* of the block */
        for (int64_t c0 = blockIdx.x, c = begin; c0 < p.n; c0 += step, c += step) {
            const bool active = mine && c < p.n;
            T top = make<T>(0), old = top;
            if (active) {
                for (int h = 0; h < WORDS<T>; h++) word[h] = word_of(look(p.row(p.inbox, p.k + x, c) + h));
                top = c >= right && c < p.end ? far(p.solved(p.k + x, c)) : from_words<T>(word);
                if (s.to[x] >= 0) old = far(p.A + p.k + x + c * p.lda);
            }
            meet(OF_ROWS, rows.threads);
            if (active) {
                int64_t ld;
                if (s.to[x] >= 0) {
                    T *const to = rows.row_of(s.to[x], &ld);
                    to[c * ld] = old;
                }
                p.A[p.k + x + c * p.lda] = top;
            }
        }
        return true;
    }
};

template <class T, bool ON_CHIP>
__global__ __launch_bounds__(STRIP_THREADS + TELLERS, 1) void lu_strip(const __grid_constant__ strip<T> p)
{
    extern __shared__ __align__(16) unsigned char raw[];
    __shared__ __align__(16) unsigned char desk_raw[sizeof(desk<T>)];
    if (p.by_host && blockIdx.x == p.ctas) {
        porter<T>{p, (uint64_t *)raw}.run();
        return;
    }
    worker<T, ON_CHIP>(p, *(desk<T> *)desk_raw, raw + heard_bytes<T>(p.sources), (uint64_t *)raw).run();
}

struct device_limits {
    int processors, shared;
};

inline cudaError_t limits_of(device_limits *l)
{
    int device;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&l->processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&l->shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return e;
}

template <class T, bool ON_CHIP>
cudaError_t launch_as(const strip<T> &p, int threads, size_t bytes, int most, cudaStream_t stream)
{
    const auto kernel = lu_strip<T, ON_CHIP>;
    /* the same for every call: it is the kernel's, and other threads launch it too */
    const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    return e != cudaSuccess ? e : launch(kernel, {p.ctas + p.by_host, threads, bytes, 1, false, false}, stream, p);
}

template <class T> tsl_status run(tsl_queue *q, const tsl_leaf *l)
{
    const tsl_lu_strip_args &a = l->lu_strip;
    const int64_t d = l->A.m, m = l->B.m, n = l->A.n, left = d - l->k + m;
    const int processes = (int)a.rows.processes;
    device_limits has = {};
    tsl_status st = tsl_cuda_check(limits_of(&has), "lu_strip");
    if (st != TSL_OK) return st;
    strip<T> p = {};
    p.A = (T *)l->A.p, p.B = (T *)l->B.p, p.lda = l->A.ld, p.ldb = l->B.ld;
    p.d = d, p.m = m, p.n = n, p.k = l->k, p.end = a.end, p.rows = a.rows;
    p.inbox = (char *)l->C.p, p.at = tsl_strip_inbox_of(l->type, n, d + m, processes), p.shared = (tsl_strip_shared *)l->D.p;
    p.patience = 2 * a.patience; /* no multiprocessor has a clock much above 2 GHz */
    p.sources = a.by_host ? 1 : processes, p.me = a.me, p.by_host = a.by_host, p.speaks = a.speaks;
    p.copies = tsl_strip_copies(p.sources), p.apart = tsl_strip_apart(p.sources, WORDS<T>);
    const int64_t most = tsl_max(1, tsl_min(TSL_STRIP_CTAS, has.processors / a.sharers - a.by_host));
    p.each = tsl_pieces(left, tsl_max(1, tsl_min(most, tsl_pieces(left, ROWS_AT_LEAST))));
    p.ctas = (int)tsl_pieces(left, p.each);
    const int threads = TELLERS + (int)tsl_max(TSL_STRIP_COLUMNS, tsl_min(STRIP_THREADS, 32 * tsl_pieces(p.each, 32)));
    const size_t heard = heard_bytes<T>(p.sources), block = (size_t)p.each * (TSL_STRIP_BLOCK * sizeof(T) + 8);
    const int room = has.shared - (int)sizeof(desk<T>) - 1024; /* which the device keeps for itself */
    const bool fits = p.each <= room && heard + block <= (size_t)room;
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const auto launched = [&] {
        return fits ? launch_as<T, true>(p, threads, heard + block, room, stream)
                    : launch_as<T, false>(p, threads, heard, room, stream);
    };
    return tsl_cuda_check(launched(), "lu_strip");
}

} // namespace
} // namespace tsl

static tsl_status lu_strip(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::run<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_lu_strip_entry = {TSL_ALL_TYPES(lu_strip), TSL_STRIP_BLOCK, 0, NULL, NULL, NULL};
