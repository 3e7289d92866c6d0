/* Products with the Q of sb2st (core/leaf.h): by walks of warps through the blocks of its reflectors (sb2st_walk.cuh), or, of a
 * wide band and on devices without fast double precision or older than sm_90, by waves of cuBLAS's products (sb2st_waves.cuh).
 * The leaf's shape chooses: 1 walks, 2 waves. */
#include "kernel/cuda/eig/band/sb2st_walk.cuh"
#include "kernel/cuda/eig/band/sb2st_waves.cuh"

namespace tsl {
namespace {

enum { WALKS = 1, WAVES, SHAPES = WAVES };

constexpr int WIDEST = 64;                  /* band of walks */
constexpr size_t MOST_BYTES = (size_t)768 << 20; /* of blocks that are made together, where a group has fewer */

/* Columns of V; the last one of all n is zero. */
int64_t sweeps_in(const tsl_leaf *l) { return tsl_max(0, tsl_min(l->A.n, l->C.m - 1)); }

bool narrow_enough(const tsl_leaf *l) { return tsl_min(l->k, l->C.m - 1) <= WIDEST && l->shape != WAVES; }

/* The groups after those that are done, as many as have room together */
template <class F> groups some_groups(const tsl_leaf *l, int64_t done)
{
    groups s = {};
    s.n = l->C.m, s.kd = (int)tsl_max(1, tsl_min(l->k, s.n - 1)), s.inverse = l->trans != TSL_NOTRANS;
    s.sweeps = sweeps_in(l);
    const int64_t all = tsl_pieces(s.sweeps, s.kd), room = (int64_t)(MOST_BYTES / (F::TILES * F::TILE * sizeof(double)));
    s.begin = s.inverse ? done : all - 1 - done;
    do { /* the longest is the first one backwards, else the last one */
        s.count++;
        s.longest = s.chunks(s.inverse ? s.begin : s.group(s.count - 1));
    } while (done + s.count < all && (s.count + 1) * (s.inverse ? s.longest : s.longest + 1) <= room);
    return s;
}

struct walk_room {
    size_t blocks, counts; /* bytes */
};

/* Strips of at least four warps' columns */
template <class F> int64_t most_strips(const tsl_leaf *l) { return tsl_pieces(l->C.n, 4 * 16 / F::PARTS); }

template <class F> walk_room room_of(const tsl_leaf *l)
{
    walk_room r = {};
    const int64_t kd = tsl_max(1, tsl_min(l->k, l->C.m - 1)), all = tsl_pieces(sweeps_in(l), kd);
    for (int64_t done = 0; done < all;) {
        const groups s = some_groups<F>(l, done);
        const size_t blocks = tsl_times((size_t)(s.count * s.longest), F::TILES * F::TILE * sizeof(double));
        const size_t counts = tsl_times((size_t)(s.count * MOST_WARPS), tsl_times((size_t)most_strips<F>(l), sizeof(int)));
        r.blocks = blocks > r.blocks ? blocks : r.blocks, r.counts = counts > r.counts ? counts : r.counts;
        done += s.count;
    }
    r.blocks = aligned(r.blocks), r.counts = aligned(tsl_plus(r.counts, sizeof(int)));
    return r;
}

/* Eight warps a CTA share its blocks. Four are better where groups cannot follow each other closely enough for all
 * multiprocessors: eight steps apart, say. */
template <class F> cudaError_t walk_shape(const tsl_leaf *l, int kd, walk_job<typename F::T> *p, launch_shape *shape)
{
    int device = 0, processors = 0, each = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    const int64_t wide = MOST_WARPS * 16 / F::PARTS, abreast = tsl_pieces(l->C.n, wide) * tsl_pieces(l->C.m, 8 * (int64_t)kd);
    const int warps = abreast >= processors ? MOST_WARPS : MOST_WARPS / 2;
    p->strips = tsl_pieces(l->C.n, warps * 16 / F::PARTS);
    p->depth = warps == MOST_WARPS ? 4 : 3; /* H200: a longer ring is slower */
    *shape = {0, 32 * warps, walk_bytes<F>(warps, p->depth), 1, false, false};
    if (e == cudaSuccess) e = cudaFuncSetAttribute((const void *)walks<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shape->shared);
    if (e == cudaSuccess) e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, (const void *)walks<F>, shape->threads, shape->shared);
    shape->ctas = (int64_t)processors * each;
    return e;
}

template <class F> cudaError_t by_walks(cudaStream_t stream, const tsl_leaf *l)
{
    using T = typename F::T;
    const walk_room room = room_of<F>(l);
    double *const blocks = (double *)l->work;
    int *const counts = (int *)((char *)l->work + room.blocks);
    walk_job<T> p = {};
    p.blocks = blocks, p.C = (T *)l->C.p, p.ldc = l->C.ld, p.columns = l->C.n, p.next = counts, p.stored = counts + 1;
    p.all = some_groups<F>(l, 0);
    p.pairs = (uintptr_t)l->C.p % (2 * sizeof(real_t<T>)) == 0 && (is_complex<T> || (l->C.ld % 2 == 0 && p.all.kd % 2 == 0));
    launch_shape shape;
    cudaError_t e = walk_shape<F>(l, p.all.kd, &p, &shape);
    if (e == cudaSuccess) e = cudaFuncSetAttribute((const void *)make_blocks<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)make_bytes<F>());
    const int64_t all = tsl_pieces(p.all.sweeps, p.all.kd);
    for (int64_t done = 0; done < all && e == cudaSuccess; done += p.all.count) {
        p.all = some_groups<F>(l, done);
        const block_job<T> job = {p.all, (const T *)l->A.p, (const T *)l->B.p, l->A.ld, l->B.ld, blocks};
        launch_shape now = shape;
        now.ctas = tsl_min(shape.ctas, p.all.count * p.strips);
        e = launch(make_blocks<F>, {p.all.count * p.all.longest, MAKE_THREADS, make_bytes<F>(), 1, false, false}, stream, job);
        if (e == cudaSuccess) e = cudaMemsetAsync(counts, 0, sizeof(int) * (size_t)(1 + p.all.count * p.strips * MOST_WARPS), stream);
        if (e == cudaSuccess) e = launch(walks<F>, now, stream, p);
    }
    return e;
}

/* Calls f with the form of the blocks. */
template <class T, class Call> auto with_form(const tsl_leaf *l, Call f)
{
    return tsl_min(l->k, l->C.m - 1) <= 32 ? f(block_form<T, 32>{}) : f(block_form<T, 64>{});
}

/* sm_90 or later, and double precision on the tensor cores that is as fast as single precision without them */
cudaError_t suits(bool *yes)
{
    int device = 0, ratio = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = device_has_sm90(device, yes);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
    *yes = *yes && ratio <= 2;
    return e;
}

template <class T> tsl_status apply(tsl_queue *q, const tsl_leaf *l)
{
    bool yes = false;
    const tsl_status st = tsl_cuda_check(suits(&yes), "ormtr_sb2st");
    if (st != TSL_OK || !yes || !narrow_enough(l)) return st != TSL_OK ? st : by_waves<T>(q, l);
    return tsl_cuda_check(with_form<T>(l, [=](auto form) { return by_walks<decltype(form)>(tsl_cuda(q)->stream, l); }), "ormtr_sb2st");
}

template <class T> size_t workspace_of(const tsl_leaf *l)
{
    const size_t of_waves = wave_workspace(l);
    if (l->C.m < 2 || !narrow_enough(l)) return of_waves;
    const size_t of_walks = with_form<T>(l, [=](auto form) {
        const walk_room r = room_of<decltype(form)>(l);
        return tsl_plus(r.blocks, r.counts);
    });
    return of_walks > of_waves ? of_walks : of_waves;
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::workspace_of<decltype(zero)>(l), TSL_OK; });
    return bytes;
}

static tsl_status ormtr_sb2st(tsl_queue *q, const tsl_leaf *l)
{
    if (l->C.m < 2 || l->C.n < 1 || l->A.n < 1) return TSL_OK;
    return tsl::by_type(l->type, [=](auto zero) { return tsl::apply<decltype(zero)>(q, l); });
}

static int shapes(tsl_type) { return tsl::SHAPES; }

extern "C" const tsl_kernel_entry tsl_cuda_ormtr_sb2st_entry = {TSL_ALL_TYPES(ormtr_sb2st), 0, 0, workspace, NULL, shapes};
