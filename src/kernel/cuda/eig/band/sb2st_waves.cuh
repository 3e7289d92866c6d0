/* Products with the Q of sb2st by cuBLAS. nb consecutive sweeps, group g, and chunk t make a block of reflectors: each a row
 * below the one before it, so that the block is a parallelogram V of kd + nb - 1 rows from row 1 + g nb + t kd on, and I - V T
 * V^H their product. Q C needs blocks in this order: those of later groups first, in a group by their chunks. Blocks (g, t), (g
 * + 1, t + 1) .. of a wave meet rows of their own, kd + nb apart, so that a wave is two products of a batch: Z := V^H C, C := C
 * - (V T) Z. What waves need of V and T is made for several of them at a time. */
#ifndef TSL_CUDA_SB2ST_WAVES_CUH
#define TSL_CUDA_SB2ST_WAVES_CUH

#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3/level3.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {

constexpr int WIDEST_GROUP = 64;     /* most sweeps of a group */
constexpr int WAVES_TOGETHER = 16;   /* waves */
constexpr int WAVE_THREADS = 256, WAVE_STRIP = 16;

/* Waves are counted in the order in which Q C takes them. */
struct waves {
    int64_t n, sweeps, kd, nb, groups, chunks, most; /* blocks of a wave, at most */

    __host__ __device__ int64_t count() const { return groups + chunks - 1; }
    /* Of wave w, block b: its chunk and group; whether there is one */
    __host__ __device__ int64_t chunk(int64_t w, int64_t b) const { return (w > groups - 1 ? w - (groups - 1) : 0) + b; }
    __host__ __device__ int64_t group(int64_t w, int64_t b) const { return groups - 1 - w + chunk(w, b); }
    __host__ __device__ int64_t row(int64_t w, int64_t b) const { return 1 + group(w, b) * nb + chunk(w, b) * kd; }
    __host__ __device__ bool has(int64_t w, int64_t b) const { return w < count() && group(w, b) < groups && row(w, b) < n; }
};

inline waves waves_of(const tsl_leaf *l)
{
    waves w = {};
    w.n = l->C.m, w.sweeps = tsl_max(0, tsl_min(l->A.n, w.n - 1));
    w.kd = tsl_max(1, tsl_min(l->k, w.n - 1)), w.nb = tsl_min(w.kd, WIDEST_GROUP);
    w.groups = tsl_pieces(w.sweeps, w.nb), w.chunks = tsl_pieces(w.n - 1, w.kd);
    w.most = tsl_pieces(w.n - 1, w.kd + w.nb);
    return w;
}

template <class T> struct wave_job {
    waves w;
    const T *V, *tau;
    int64_t ldv, ldt, first; /* wave */
    T *blocks, *triangles;   /* (kd + nb) x nb, nb x nb each */
};

template <class T> constexpr size_t wave_bytes()
{
    return (WAVE_STRIP * (WIDEST_GROUP + 1) + 2 * WIDEST_GROUP * (WIDEST_GROUP + 1) + WIDEST_GROUP) * sizeof(T);
}

/* A block, zeros written out, and its triangle T: that of S = V^H V column by column, T(:j,j) = -tau_j T(:j,:j) S(:j,j). A CTA
 * for each */
template <class T> __global__ __launch_bounds__(WAVE_THREADS) void make_wave_blocks(const __grid_constant__ wave_job<T> p)
{
    extern __shared__ __align__(16) unsigned char wave_memory[];
    T *const strip = (T *)wave_memory, *const S = strip + WAVE_STRIP * (WIDEST_GROUP + 1),
             *const R = S + WIDEST_GROUP * (WIDEST_GROUP + 1), *const tau = R + WIDEST_GROUP * (WIDEST_GROUP + 1);
    constexpr int LD = WIDEST_GROUP + 1, TILE = WIDEST_GROUP / 16;
    const int tid = threadIdx.x, nb = (int)p.w.nb, ti = tid % 16, tj = tid / 16;
    const int64_t wave = p.first + blockIdx.x / p.w.most, b = blockIdx.x % p.w.most, height = p.w.kd + nb;
    if (!p.w.has(wave, b)) return;
    const int64_t t = p.w.chunk(wave, b), s0 = p.w.group(wave, b) * nb, r0 = p.w.row(wave, b);
    T *const out = p.blocks + (int64_t)blockIdx.x * height * nb, *const triangle = p.triangles + (int64_t)blockIdx.x * nb * nb;
    if (tid < nb) tau[tid] = p.w.n > r0 + tid && p.w.sweeps > s0 + tid ? p.tau[t + (s0 + tid) * p.ldt] : make<T>(0);
    T sum[TILE][TILE];
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++) sum[i][j] = make<T>(0);
    for (int64_t i0 = 0; i0 < height; i0 += WAVE_STRIP) {
        __syncthreads();
        for (int k = tid; k < WAVE_STRIP * WIDEST_GROUP; k += WAVE_THREADS) {
            const int i = k % WAVE_STRIP, j = k / WAVE_STRIP;
            const int64_t at = i0 + i, row = r0 + at; /* at - j: the place in reflector j */
            const bool in = j < nb && s0 + j < p.w.sweeps && at >= j && at - j < p.w.kd && row < p.w.n;
            const T v = in ? p.V[row + (s0 + j) * p.ldv] : make<T>(0);
            strip[i * LD + j] = v;
            if (j < nb && at < height) out[at + j * height] = v;
        }
        __syncthreads();
        for (int k = 0; k < WAVE_STRIP; k++)
#pragma unroll
            for (int i = 0; i < TILE; i++)
#pragma unroll
                for (int j = 0; j < TILE; j++) sum[i][j] = add_mul<true>(sum[i][j], strip[k * LD + ti + 16 * i], strip[k * LD + tj + 16 * j]);
    }
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++) {
            S[ti + 16 * i + (tj + 16 * j) * LD] = sum[i][j];
            R[ti + 16 * i + (tj + 16 * j) * LD] = make<T>(0);
        }
    __syncthreads();
    const int row = tid / 4, part = tid % 4; /* four threads for a row of T */
    for (int j = 0; j < nb; j++) {
        T dot = make<T>(0);
        for (int k = row + part; k < j; k += 4) dot = add_mul(dot, R[row + k * LD], S[k + j * LD]);
        dot = add(dot, shuffle_xor(dot, 1));
        dot = add(dot, shuffle_xor(dot, 2));
        if (part == 0 && row < j) R[row + j * LD] = scale(mul(tau[j], dot), real_t<T>(-1));
        if (part == 0 && row == j) R[row + j * LD] = tau[j];
        __syncthreads();
    }
    for (int k = tid; k < nb * nb; k += WAVE_THREADS) triangle[k] = R[k % nb + k / nb * LD];
}

inline size_t aligned(size_t bytes) { return tsl_rounded(bytes, 256); }

/* Elements of workspace: blocks, V T, triangles, Z of a wave */
struct wave_room {
    size_t blocks, products, triangles, z;
};

inline wave_room wave_room_of(const tsl_leaf *l)
{
    const waves w = waves_of(l);
    const size_t count = (size_t)(WAVES_TOGETHER * w.most), block = (size_t)((w.kd + w.nb) * w.nb);
    return {tsl_times(count, block), tsl_times(count, block), tsl_times(count, (size_t)(w.nb * w.nb)),
            tsl_times((size_t)(w.most * w.nb), (size_t)l->C.n)};
}

template <class T> tsl_status by_waves(tsl_queue *q, const tsl_leaf *l)
{
    const waves w = waves_of(l);
    const wave_room r = wave_room_of(l);
    const bool inverse = l->trans != TSL_NOTRANS;
    const int64_t height = w.kd + w.nb, rows = height - 1, size = height * w.nb, square = w.nb * w.nb, m = l->C.n;
    char *at = (char *)l->work;
    T *const blocks = (T *)at, *const products = (T *)(at += aligned(r.blocks * sizeof(T))),
             *const triangles = (T *)(at += aligned(r.products * sizeof(T))),
             *const Z = (T *)(at += aligned(r.triangles * sizeof(T)));
    const tsl_op herm = is_complex<T> ? TSL_HERM : TSL_TRANS;
    cudaError_t e = cudaFuncSetAttribute((const void *)make_wave_blocks<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)wave_bytes<T>());
    tsl_status st = tsl_cuda_check(e, "ormtr_sb2st");
    for (int64_t k = 0; k < w.count() && st == TSL_OK; k += WAVES_TOGETHER) {
        const int64_t first = inverse ? (w.count() - 1 - k) / WAVES_TOGETHER * WAVES_TOGETHER : k,
                      last = tsl_min(first + WAVES_TOGETHER, w.count()) - 1;
        const wave_job<T> job = {w, (const T *)l->A.p, (const T *)l->B.p, l->A.ld, l->B.ld, first, blocks, triangles};
        st = tsl_cuda_check(launch(make_wave_blocks<T>, {(last - first + 1) * w.most, WAVE_THREADS, wave_bytes<T>(), 1, false, false}, tsl_cuda(q)->stream, job), "ormtr_sb2st");
        tsl_leaf g = {};
        g.op = TSL_OP_GEMM, g.type = l->type;
        g.m = rows, g.n = g.k = w.nb, g.alpha = 1;
        g.A.p = blocks, g.A.ld = height, g.B.p = triangles, g.B.ld = w.nb, g.B.op = inverse ? herm : TSL_NOTRANS, g.C.p = products, g.C.ld = height;
        if (st == TSL_OK) st = tsl_cuda_gemm_batch(q, &g, size, square, size, (last - first + 1) * w.most);
        for (int64_t i = first; i <= last && st == TSL_OK; i++) {
            const int64_t wave = inverse ? first + last - i : i;
            int64_t count = 0;
            while (w.has(wave, count)) count++;
            for (int64_t b = 0, some; b < count && st == TSL_OK; b += some) { /* the last block may reach beyond the last row */
                const int64_t height_here = tsl_min(rows, w.n - w.row(wave, b));
                const bool whole = w.n - w.row(wave, count - 1) >= rows;
                some = height_here < rows ? 1 : whole ? count - b : count - 1 - b;
                T *const V = blocks + ((wave - first) * w.most + b) * size, *const C = (T *)l->C.p + w.row(wave, b);
                tsl_leaf z = {}, c = {};
                z.op = c.op = TSL_OP_GEMM, z.type = c.type = l->type;
                z.m = w.nb, z.n = m, z.k = height_here, z.alpha = 1;
                z.A.p = V, z.A.ld = height, z.A.op = herm, z.B.p = C, z.B.ld = l->C.ld, z.C.p = Z, z.C.ld = w.nb;
                c.m = height_here, c.n = m, c.k = w.nb, c.alpha = -1, c.beta = 1;
                c.A.p = products + (V - blocks), c.A.ld = height, c.B.p = Z, c.B.ld = w.nb, c.C.p = C, c.C.ld = l->C.ld;
                st = tsl_cuda_gemm_batch(q, &z, size, height, w.nb * m, some);
                if (st == TSL_OK) st = tsl_cuda_gemm_batch(q, &c, size, w.nb * m, height, some);
            }
        }
    }
    return st;
}

inline size_t wave_workspace(const tsl_leaf *l)
{
    const wave_room r = wave_room_of(l);
    const size_t size = tsl_type_size(l->type);
    size_t bytes = 0;
    for (const size_t part : {r.blocks, r.products, r.triangles, r.z}) bytes = tsl_plus(bytes, aligned(tsl_times(part, size)));
    return bytes;
}

} // namespace tsl
#endif
