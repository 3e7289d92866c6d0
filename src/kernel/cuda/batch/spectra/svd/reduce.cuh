/* The first stage of singular value decompositions in batches: each matrix, or its conjugate transpose, to bidiagonal form. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_REDUCE_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_REDUCE_CUH

#include "kernel/cuda/batch/spectra/svd/brd.cuh"
#include "kernel/cuda/batch/spectra/svd/work.cuh"

namespace tsl::spectra::svd {

/* The matrix := A or A^H times a power of two. Is A finite? */
template <class G, class T>
__device__ bool load_columns(const G &g, const svd_batch<T> &p, const T *A, const brd_matrix<T> &to, int *power)
{
    using R = real_t<T>;
    const bool wide = p.m < p.n;
    R most = 0, bad = 0;
    for (int at = g.rank; at < p.m * p.n; at += g.size) {
        const T a = A[at % p.m + at / p.m * p.A.ld];
        bad = is_finite(a) ? bad : R(1);
        most = fmax(most, magnitude(a));
    }
    const bool finite = g.most(bad) == 0;
    *power = power_of(g.most(most));
    for (int at = g.rank; finite && at < p.m * p.n; at += g.size) {
        const int i = at % p.m, j = at / p.m;
        const T a = times_power(A[i + j * p.A.ld], -*power);
        to.column(wide ? i : j)[wide ? j : i] = wide ? conj(a) : a;
    }
    const int rows = wide ? p.n : p.m, rest = to.ld - rows;
    for (int at = g.rank; finite && at < rest * to.n; at += g.size) to.column(at / rest)[rows + at % rest] = make<T>(0);
    g.sync();
    return finite;
}

/* Problem `first` and those after it; columns from `split` on are in shared memory. CTAS: at once on a multiprocessor */
template <class T, int EACH, int WARPS, int CTAS>
__global__ __launch_bounds__(32 * WARPS, CTAS) void svd_reduce(svd_batch<T> p, svd_work<T> w, int64_t first, int split)
{
    using R = real_t<T>;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ double scratch[WARPS];
    const int64_t k = blockIdx.x, problem = first + k;
    const auto l = w.places();
    const brd_room<T, WARPS> room(memory, w.ld, w.n);
    const brd_matrix<T> a = {w.template at<T>(k, l.A), (T *)(memory + brd_room<T, WARPS>::bytes(w.ld, w.n)),
                             w.template at<T>(k, l.V), w.template at<T>(k, l.tauq), w.template at<T>(k, l.taup),
                             w.template at<R>(k, l.d), w.template at<R>(k, l.e), w.ld, w.n, split};
    const bool skipped = p.skip && p.skip[problem];
    int power = 0;
    const bool finite = !skipped && load_columns(cta<1>(scratch), p, p.A.at(problem), a, &power);
    if (threadIdx.x == 0) w.state(k) = skipped ? LEFT_ALONE : finite ? GOOD : NO_VALUES, w.power(k) = power;
    if (finite) brd<T, EACH, WARPS>(a, room).run();
}

} // namespace tsl::spectra::svd
#endif
