/* What one chunk of a batch of singular value decompositions has in the device's memory: for each problem the matrix and its
 * reflectors, the bidiagonal form, and two copies of its vectors, of which merges read one and write the other. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_WORK_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_WORK_CUH

#include "kernel/cuda/batch/spectra/problems.cuh"

namespace tsl::spectra::svd {

constexpr int BLOCK = 64; /* reflectors that are applied at once */
constexpr int MOST = 512; /* columns */

enum { GOOD, NO_VALUES, LEFT_ALONE }; /* states of a problem */

/* B, n x n, is n x (n + 1) with a column of zeros: so all parts that it is divided into have a column more than rows. */
template <class T> struct svd_work {
    using R = real_t<T>;
    char *base;
    size_t each; /* bytes of a problem */
    int rows, n, ld; /* ld: rows of A's columns, with zeros at their ends */
    bool vectors;

    struct layout {
        size_t A, V, Y, Z, Q[2], W[2], Tq, Tp, tauq, taup, d, e, value, whole, state, bytes;
    };
    __host__ __device__ layout places() const
    {
        layout l;
        size_t at = 0;
        const size_t N = n, M = rows, v = vectors ? 1 : 0;
        const auto put = [&at](size_t bytes) { const size_t here = at; at += (bytes + 31) / 32 * 32; return here; };
        l.A = put(ld * N * sizeof(T)), l.V = put(N * N * sizeof(T));
        l.Y = put(v * M * N * sizeof(T)), l.Z = put(v * N * N * sizeof(T));
        for (int i = 0; i < 2; i++) l.Q[i] = put(v * N * N * sizeof(R)), l.W[i] = put(v * (N + 1) * (N + 1) * sizeof(R));
        l.Tq = put(v * BLOCK * (N + BLOCK) * sizeof(T)), l.Tp = put(v * BLOCK * (N + BLOCK) * sizeof(T));
        l.tauq = put(N * sizeof(T)), l.taup = put(N * sizeof(T));
        l.d = put(N * sizeof(R)), l.e = put(N * sizeof(R)), l.value = put(N * sizeof(R));
        l.whole = put(5 * (N + 4) * sizeof(int)), l.state = put(2 * sizeof(int));
        l.bytes = (at + 127) / 128 * 128;
        return l;
    }
    svd_work(void *room, int rows, int n, bool vectors)
        : base((char *)room), each(0), rows(rows), n(n), ld((rows + 63) / 64 * 64), vectors(vectors)
    {
        each = places().bytes;
    }
    template <class P> __device__ P *at(int64_t k, size_t place) const { return (P *)(base + (size_t)k * each + place); }
    __device__ int &state(int64_t k) const { return at<int>(k, places().state)[0]; }
    __device__ int &power(int64_t k) const { return at<int>(k, places().state)[1]; }
};

} // namespace tsl::spectra::svd
#endif
