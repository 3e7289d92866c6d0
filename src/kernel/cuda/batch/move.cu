/* Copies, sums, scalings and fillings of the matrices of a batch, or of a triangle of each; the matrices that triangles stand
 * for; triangles that are singular. A problem has as many threads as it has work for. */
#include "kernel/cuda/batch/entry.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256;
constexpr int64_t MANY = 1 << 16; /* threads that fill the device: of fewer problems each has several CTAs */

/* What is touched of each: all of m x n, or a triangle */
struct region {
    int m, n;
    tsl_uplo uplo;
    int lanes; /* of a problem, in a CTA */
    int64_t count;
    const int64_t *skip;
    __device__ bool holds(int i, int j) const { return uplo == TSL_GENERAL || (uplo == TSL_LOWER ? i >= j : i <= j); }
};

/* f.of(k) is what is done to problem k, and that is put(i, j) for each element. */
template <class F> __global__ __launch_bounds__(THREADS) void each_element(region g, F f)
{
    const int64_t k = (int64_t)blockIdx.x * (THREADS / g.lanes) + threadIdx.x / g.lanes;
    if (k >= g.count || (g.skip && g.skip[k])) return;
    const auto one = f.of(k);
    const int elements = g.m * g.n, step = g.lanes * (int)gridDim.y;
    for (int e = (int)blockIdx.y * g.lanes + threadIdx.x % g.lanes; e < elements; e += step) {
        const int i = e % g.m, j = e / g.m;
        if (g.holds(i, j)) one.put(i, j);
    }
}

template <class F> tsl_status launch(tsl_queue *q, const tsl_leaf *l, tsl_uplo uplo, F f, const char *what)
{
    region g = {(int)l->m, (int)l->n, uplo, 8, l->count, l->skip};
    while (g.lanes < THREADS && g.lanes < l->m * l->n) g.lanes *= 2;
    const int64_t each = THREADS / g.lanes, ctas = (l->count + each - 1) / each;
    const int64_t pieces = (l->m * l->n + 4 * THREADS - 1) / (4 * THREADS);
    const int64_t share = MANY / THREADS / ctas + 1, parts = pieces < share ? pieces : share;
    each_element<<<dim3((unsigned)ctas, (unsigned)(parts < 1 ? 1 : parts)), THREADS, 0, tsl_cuda(q)->stream>>>(g, f);
    return tsl_cuda_check(cudaGetLastError(), what);
}

/* A, seen through an op */
template <class T> struct source {
    const T *A;
    int64_t ld;
    bool turned, conjugate;
    __device__ T at(int i, int j) const
    {
        const T a = turned ? A[j + i * ld] : A[i + j * ld];
        return conjugate ? conj(a) : a;
    }
};

template <class T> struct sources {
    Batch<T> A;
    bool turned, conjugate;
    __device__ source<T> of(int64_t k) const { return {A.at(k), A.ld, turned, conjugate}; }
};

template <class T> sources<T> source_of(const tsl_leaf *l)
{
    return {batch_of<T>(l->A), (l->A.op & TSL_TRANS) != 0, is_complex<T> && (l->A.op & TSL_CONJ) != 0};
}

/* A factor: 0 stores zeros unread; a real one keeps the parts apart. */
template <class T> struct factor {
    T by;
    bool zero, real;
    __device__ T times(T a) const { return real ? scale(a, re(by)) : mul(by, a); }
};

template <class T> factor<T> factor_of(tsl_scalar a) { return {from_scalar<T>(a), a == 0.0, __imag__ a == 0.0}; }

template <class T> struct copied {
    sources<T> A;
    Batch<T> B;
    struct one {
        source<T> A;
        T *B;
        int64_t ld;
        __device__ void put(int i, int j) const { B[i + j * ld] = A.at(i, j); }
    };
    __device__ one of(int64_t k) const { return {A.of(k), B.at(k), B.ld}; }
};

template <class T> struct added {
    sources<T> A;
    Batch<T> B;
    factor<T> alpha, beta;
    struct one {
        source<T> A;
        T *B;
        int64_t ld;
        factor<T> alpha, beta;
        __device__ void put(int i, int j) const
        {
            T *const b = B + i + j * ld, v = alpha.times(A.at(i, j));
            *b = beta.zero ? v : add(v, beta.times(*b));
        }
    };
    __device__ one of(int64_t k) const { return {A.of(k), B.at(k), B.ld, alpha, beta}; }
};

template <class T> struct scaled {
    Batch<T> A;
    factor<T> alpha;
    bool herm;
    struct one {
        T *A;
        int64_t ld;
        factor<T> alpha;
        bool herm;
        __device__ void put(int i, int j) const
        {
            T *const a = A + i + j * ld, v = alpha.zero ? make<T>(0) : alpha.times(*a);
            *a = herm && i == j ? make<T>(re(v)) : v;
        }
    };
    __device__ one of(int64_t k) const { return {A.at(k), A.ld, alpha, herm}; }
};

/* below: the diagonal is so many rows below the block's own */
template <class T> struct filled {
    Batch<T> A;
    int64_t below;
    T off, on;
    struct one {
        T *A;
        int64_t ld, below;
        T off, on;
        __device__ void put(int i, int j) const { A[i + j * ld] = i - j == below ? on : off; }
    };
    __device__ one of(int64_t k) const { return {A.at(k), A.ld, below, off, on}; }
};

/* B := the matrix that a triangle of A stands for; B may be seen through an op. */
template <class T> struct expanded {
    sources<T> A;
    Batch<T> B;
    bool lower, unit;
    tsl_structure structure;
    struct one {
        source<T> A;
        T *B;
        int64_t ld;
        bool lower, unit;
        tsl_structure structure;
        __device__ void put(int i, int j) const
        {
            const bool here = i == j || (i > j) == lower;
            T a = make<T>(0);
            if (here || structure != TSL_TRIANGULAR) a = here ? A.A[i + j * A.ld] : A.A[j + i * A.ld];
            if (i == j && unit) a = make<T>(1);
            if (structure == TSL_HERMITIAN) a = i == j ? make<T>(re(a)) : here ? a : conj(a);
            B[A.turned ? j + i * ld : i + j * ld] = A.conjugate ? conj(a) : a;
        }
    };
    __device__ one of(int64_t k) const { return {A.of(k), B.at(k), B.ld, lower, unit, structure}; }
};

/* info: 1 + the place of the first zero on the diagonal, if that is earlier than what is there */
template <class T>
__global__ __launch_bounds__(THREADS)
void find_zeros(int n, Batch<T> A, int64_t count, int64_t *info, int64_t base, const int64_t *skip)
{
    const int64_t k = (int64_t)blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
    if (k >= count || (skip && skip[k])) return;
    const T *const a = A.at(k);
    unsigned first = (unsigned)n;
    for (int j = n - 1 - (int)threadIdx.x % 32; j >= 0; j -= 32)
        if (is_zero(a[j + j * A.ld])) first = (unsigned)j;
    first = __reduce_min_sync(0xffffffffu, first);
    const int64_t told = base + first + 1;
    if (threadIdx.x % 32 == 0 && first < (unsigned)n && (info[k] == 0 || told < info[k])) info[k] = told;
}

template <class T> tsl_status copy(tsl_queue *q, const tsl_leaf *l)
{
    return launch(q, l, l->uplo, copied<T>{source_of<T>(l), batch_of<T>(l->B)}, "copy_batch");
}

template <class T> tsl_status geadd(tsl_queue *q, const tsl_leaf *l)
{
    const added<T> f = {source_of<T>(l), batch_of<T>(l->B), factor_of<T>(l->alpha), factor_of<T>(l->beta)};
    return launch(q, l, l->uplo, f, "geadd_batch");
}

template <class T> tsl_status scale_all(tsl_queue *q, const tsl_leaf *l)
{
    return launch(q, l, l->uplo, scaled<T>{batch_of<T>(l->A), factor_of<T>(l->alpha), is_complex<T> && l->herm}, "scale_batch");
}

template <class T> tsl_status laset(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t below = l->fill.col - l->fill.row;
    const filled<T> f = {batch_of<T>(l->A), below, from_scalar<T>(l->alpha), from_scalar<T>(l->beta)};
    return launch(q, l, l->uplo, f, "laset_batch");
}

template <class T> tsl_status expand(tsl_queue *q, const tsl_leaf *l)
{
    const tsl_structure s = is_complex<T> || l->norm.structure == TSL_TRIANGULAR ? l->norm.structure : TSL_SYMMETRIC;
    const expanded<T> f = {source_of<T>(l), batch_of<T>(l->B), l->uplo == TSL_LOWER, l->diag == TSL_UNIT, s};
    return launch(q, l, TSL_GENERAL, f, "expand_batch");
}

template <class T> tsl_status singular(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t each = THREADS / 32;
    const unsigned ctas = (unsigned)((l->count + each - 1) / each);
    find_zeros<T><<<ctas, THREADS, 0, tsl_cuda(q)->stream>>>((int)l->n, batch_of<T>(l->A), l->count, l->info, l->info_base,
                                                             l->skip);
    return tsl_cuda_check(cudaGetLastError(), "singular_batch");
}

} // namespace
} // namespace tsl

static bool takes(const tsl_leaf *l) { return l->m < 1 << 15 && l->n < 1 << 15; }

extern "C" const tsl_batch_entry tsl_cuda_copy_batch_entry = {TSL_BY_TYPE(tsl::copy), takes, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_geadd_batch_entry = {TSL_BY_TYPE(tsl::geadd), takes, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_scale_batch_entry = {TSL_BY_TYPE(tsl::scale_all), takes, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_laset_batch_entry = {TSL_BY_TYPE(tsl::laset), takes, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_expand_batch_entry = {TSL_BY_TYPE(tsl::expand), takes, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_singular_batch_entry = {TSL_BY_TYPE(tsl::singular), takes, NULL, NULL};
