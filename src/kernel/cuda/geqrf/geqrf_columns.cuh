/* The columns of a block of geqrf_panel_kernel.cuh. */
#ifndef TSL_CUDA_GEQRF_COLUMNS_CUH
#define TSL_CUDA_GEQRF_COLUMNS_CUH

#include "kernel/cuda/geqrf/geqrf_panel.cuh"

namespace tsl {
namespace qr {

/* The block's columns of this warp, in registers */
template <class F> struct columns {
    using T = typename F::T;
    T a[F::R][EACH];
    real_t<T> factor[EACH];

    __device__ void load(const panel<T> &p, int c0, int row0)
    {
#pragma unroll
        for (int k = 0; k < EACH; k++)
#pragma unroll
            for (int r = 0; r < F::R; r++) {
                const int row = row0 + 32 * r, c = c0 + k;
                a[r][k] = row < p.m && c < p.n ? p.A[row + c * p.lda] : make<T>(0);
            }
    }

    /* Finds the factors, with the other CTAs, and multiplies by them, from row `from` on. */
    __device__ void adapt(const step_messages<F> &messages, int warp, int lane, int row0, int from)
    {
        T all[EACH], none;
        int from_all[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            real_t<T> size = 0;
#pragma unroll
            for (int r = 0; r < F::R; r++)
                if (row0 + 32 * r >= from) size = fmax(size, magnitude(a[r][k])); /* NaN does not count */
            for (int bit = 16; bit >= 1; bit /= 2) size = fmax(size, shuffle_xor(size, bit));
            all[k] = make<T>(0);
            from_all[k] = messages.place(warp * EACH + k, 0, 0);
            if (lane == k) element_message<T>::send(messages.at(warp * EACH + k, 0, blockIdx.x), make<T>(size), messages.epoch);
        }
        hear(messages, from_all, -1, all, none, lane, [](T x, T y) { return make<T>(fmax(re(x), re(y))); });
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            real_t<T> size = re(all[k]);
            for (int bit = 16; bit >= 1; bit /= 2) size = fmax(size, shuffle_xor(size, bit));
            factor[k] = factor_of(size);
#pragma unroll
            for (int r = 0; r < F::R; r++)
                if (row0 + 32 * r >= from) a[r][k] = scale(a[r][k], factor[k]);
        }
    }

    /* x := column k below local row `last`, zeros above; all zeros if there is no such column */
    __device__ void show(T *x, int k, int lane, int last) const
    {
#pragma unroll
        for (int r = 0; r < F::R; r++) {
            T v = make<T>(0);
#pragma unroll
            for (int i = 0; i < EACH; i++)
                if (i == k && 32 * r + lane > last) v = a[r][i];
            x[32 * r + lane] = v;
        }
    }

    /* Sends elements of local rows `diagonal` and, of `two`, the next, else zeros: lane 4 i + k that of row i, column k. */
    __device__ void tell_rows(const step_messages<F> &messages, int warp, int lane, int diagonal, bool two) const
    {
        T mine = make<T>(0);
#pragma unroll
        for (int r = 0; r < F::R; r++)
            if (diagonal >= 32 * r && diagonal < 32 * r + 32)
#pragma unroll
                for (int k = 0; k < EACH; k++) {
                    const T in_row = from_lane(a[r][k], (diagonal + lane / EACH) % 32);
                    if (k == lane % EACH) mine = in_row;
                }
        if (lane >= EACH && !two) mine = make<T>(0);
        if (lane < 2 * EACH) element_message<T>::send(messages.at(warp * EACH + lane % EACH, lane / EACH, messages.ctas), mine, messages.epoch);
    }

    /* A := R above the reflectors, Y := the reflectors written out, also in shared memory and here */
    __device__ void save(const panel<T> &p, T *y, int warp, int lane, int c0, int row0, int from)
    {
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int c = c0 + k;
            const real_t<T> back = 1 / factor[k];
#pragma unroll
            for (int r = 0; r < F::R; r++) {
                const int row = row0 + 32 * r;
                const T v = row > c ? a[r][k] : make<T>(row == c);
                if (row < p.m && c < p.n) {
                    if (row >= from) p.A[row + c * p.lda] = row > c ? v : scale(a[r][k], back);
                    p.y[row + c * p.ldy] = v;
                }
                a[r][k] = v;
                y[(warp * EACH + k) * F::LD + 32 * r + lane] = v;
            }
        }
    }
};

} // namespace qr
} // namespace tsl
#endif
