/* A tall matrix to bidiagonal form, A = Q B P^H, by a CTA that passes over what is left of it once a step. Step k has
 * reflectors I - tau u u^H from the left and I - pi v v^H from the right:
 *   y = conj(tau) A^T conj(u),  r = A(k,:) - y,  v = f conj(r) + g e(k+1),  x = pi (A v - u y^T v),  A := A - u y^T - x v^H.
 * A v = f A conj(r) + g A(:,k+1): r(j) is known when a warp has column j, and the column is added to A conj(r) at once. What
 * u, y, x and v take from A is subtracted when the next step reads the column. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_BRD_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_BRD_CUH

#include "kernel/cuda/batch/spectra/tridiagonal.cuh"

namespace tsl::spectra::svd {

/* Columns have `ld` rows, zeros after the matrix's own. Those from `split` on are in shared memory, those before it in the
 * device's; either lies column by column. The reflectors of the left go to where A is in the device's memory, those of the
 * right to V. */
template <class T> struct brd_matrix {
    using R = real_t<T>;
    T *far, *near, *V, *tauq, *taup; /* ld x n; ld x (n - split); n x n; n each */
    R *d, *e;                        /* n each; e(n-1) = 0 */
    int ld, n, split;
    __device__ T *column(int j) const { return j < split ? far + (size_t)j * ld : near + (j - split) * ld; }
};

/* Shared memory beside the columns: y and r of this step and the last, sums of warps, their sum */
template <class T, int WARPS> struct brd_room {
    T *part, *sum, *y, *r, *yr; /* WARPS x ld; ld; 2 n each; 2 WARPS */
    real_t<T> *rr;              /* 2 WARPS */
    static __host__ __device__ size_t bytes(int ld, int n)
    {
        const size_t b = (4 * (size_t)n + (WARPS + 1) * (size_t)ld + 2 * WARPS) * sizeof(T) + 2 * WARPS * sizeof(real_t<T>);
        return (b + 31) / 32 * 32;
    }
    __device__ brd_room(void *room, int ld, int n)
    {
        part = (T *)room, sum = part + WARPS * ld, y = sum + ld, r = y + 2 * n, yr = r + 2 * n;
        rr = (real_t<T> *)(yr + 2 * WARPS);
    }
};

template <class T> struct alignas(2 * sizeof(T)) two {
    T a, b;
};

template <class T> __device__ T warp_sum(T a)
{
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2) a = add(a, shuffle_xor(a, bit));
    return a;
}

/* reflector_of of real numbers with one division */
template <class T> __device__ reflector<T> quick_reflector(T alpha, real_t<T> xx)
{
    if constexpr (is_complex<T>) {
        return reflector_of(alpha, xx);
    } else {
        const T all = fma(alpha, alpha, xx);
        if (all < NO_SQUARE<T> || xx < NO_SQUARE<T>) return {0, 0, alpha};
        const T y = inv_sqrt(all), size = root(all, y), beta = alpha > 0 ? -size : size;
        return {fma(fabs(alpha), y, T(1)), 1 / (alpha - beta), beta};
    }
}

/* Elements 2 i and 2 i + 1 of a lane are rows 64 i + 2 lane and the one after it of a column, EACH in all. FROM: those
 * before are done. */
template <class T, int EACH, int WARPS> struct brd {
    using R = real_t<T>;
    static constexpr int PHASE = EACH > 8 ? EACH / 4 : 2;      /* elements of a lane that are done together */
    const brd_matrix<T> &p;
    const brd_room<T, WARPS> &q;
    int lane, warp;
    T u[EACH], x[EACH]; /* of the last step */
    T f;

    __device__ brd(const brd_matrix<T> &matrix, const brd_room<T, WARPS> &room)
        : p(matrix), q(room), lane((int)threadIdx.x % 32), warp((int)threadIdx.x / 32), f(make<T>(0))
    {
#pragma unroll
        for (int t = 0; t < EACH; t++) u[t] = x[t] = make<T>(0);
    }

    /* Columns that a warp has at once: what is left of them, and of the next ones, has room in registers. */
    static __host__ __device__ constexpr int columns_at_once(int from)
    {
        const int bytes = sizeof(T) == 4 ? 64 : 128, fit = bytes / ((EACH - from) * (int)sizeof(T));
        return fit < 1 ? 1 : fit < 4 ? fit : 4;
    }
    __device__ int row(int t) const { return t / 2 * 64 + 2 * lane + t % 2; }
    __device__ bool has(int t) const { return t / 2 * 64 < p.ld; }

    template <int FROM> __device__ void load(const T *column, T (&a)[EACH]) const
    {
#pragma unroll
        for (int t = FROM; t < EACH; t += 2) {
            two<T> v = {make<T>(0), make<T>(0)};
            if (has(t)) v = *(const two<T> *)(column + row(t));
            a[t] = v.a, a[t + 1] = v.b;
        }
    }
    template <int FROM> __device__ void store(T *column, const T (&a)[EACH]) const
    {
#pragma unroll
        for (int t = FROM; t < EACH; t += 2)
            if (has(t)) *(two<T> *)(column + row(t)) = {a[t], a[t + 1]};
    }

    /* a := column j, which has been read, without what step k - 1 takes from it */
    template <int FROM> __device__ void correct(int k, int j, T (&a)[EACH]) const
    {
        if (k == 0) return;
        const int old = (k + 1) % 2 * p.n;
        const T y = q.y[old + j], v = j == k ? make<T>(1) : mul(f, conj(q.r[old + j]));
#pragma unroll
        for (int t = FROM; t < EACH; t++) a[t] = sub_mul<true>(sub_mul<false>(a[t], u[t], y), x[t], v);
    }

    /* Element k of a column, for all lanes; it is one of those that are done next. */
    template <int FROM> __device__ T element(const T (&a)[EACH], int k) const
    {
        T own = a[FROM];
#pragma unroll
        for (int t = FROM + 1; t < FROM + PHASE; t++) own = row(t) == k ? a[t] : own;
        return of_lane(own, k % 64 / 2);
    }

    /* The left reflector, in next; each warp computes all of it. */
    template <int FROM> __device__ T left(int k, T (&next)[EACH])
    {
        load<FROM>(p.column(k), next);
        correct<FROM>(k, k, next);
        R xx = 0;
#pragma unroll
        for (int t = FROM; t < EACH; t++) xx += row(t) > k ? square(next[t]) : R(0);
        const reflector<T> h = quick_reflector(element<FROM>(next, k), warp_sum(xx));
#pragma unroll
        for (int t = 0; t < EACH; t++)
            next[t] = t < FROM || row(t) < k ? make<T>(0) : row(t) == k ? make<T>(1) : mul(next[t], h.factor);
        if (threadIdx.x == 0) p.d[k] = h.beta, p.tauq[k] = h.tau;
        return h.tau;
    }

    /* A warp's columns: y, r, and their part of A conj(r), y^T conj(r) and |r|^2. The next ones are on their way meanwhile. */
    template <int FROM> __device__ void pass(int k, T tau, const T (&now)[EACH])
    {
        constexpr int PAIR = columns_at_once(FROM);
        const int own = k % 2 * p.n, half = k % 2 * WARPS;
        T yr = make<T>(0), z[EACH], ahead[PAIR][EACH];
        R rr = 0;
        int j = k + 1 + warp * PAIR;
        const auto fetch = [&](int first) {
#pragma unroll
            for (int c = 0; c < PAIR; c++)
                if (first + c < p.n) load<FROM>(p.column(first + c), ahead[c]);
        };
#pragma unroll
        for (int t = 0; t < EACH; t++) {
            z[t] = make<T>(0);
            for (int c = 0; c < PAIR; c++) ahead[c][t] = make<T>(0);
        }
        fetch(j);
        for (; j < p.n; j += WARPS * PAIR) {
            T a[PAIR][EACH], dot[PAIR];
#pragma unroll
            for (int c = 0; c < PAIR; c++) {
                dot[c] = make<T>(0);
#pragma unroll
                for (int t = FROM; t < EACH; t++) a[c][t] = ahead[c][t];
            }
            fetch(j + WARPS * PAIR);
#pragma unroll
            for (int c = 0; c < PAIR; c++) {
                correct<FROM>(k, j + c < p.n ? j + c : j, a[c]);
#pragma unroll
                for (int t = FROM; t < EACH; t++) dot[c] = add_mul<true>(dot[c], now[t], a[c][t]);
            }
#pragma unroll
            for (int c = 0; c < PAIR; c++) dot[c] = mul(conj(tau), warp_sum(dot[c]));
#pragma unroll
            for (int c = 0; c < PAIR; c++) {
                if (j + c >= p.n) break;
                const T r = sub_mul<false>(element<FROM>(a[c], k), make<T>(1), dot[c]);
                if (lane == 0) q.y[own + j + c] = dot[c], q.r[own + j + c] = r;
                store<FROM>(p.column(j + c), a[c]);
#pragma unroll
                for (int t = FROM; t < EACH; t++) z[t] = add_mul<true>(z[t], r, a[c][t]);
                yr = add_mul<true>(yr, r, dot[c]);
                rr += j + c > k + 1 ? square(r) : R(0);
            }
        }
        store<FROM>(q.part + warp * p.ld, z);
        if (lane == 0) q.yr[half + warp] = yr, q.rr[half + warp] = rr;
    }

    /* The right reflector, and x; each warp computes all of them. */
    template <int FROM> __device__ void right(int k, const T (&now)[EACH])
    {
        const int own = k % 2 * p.n, half = k % 2 * WARPS;
        const T y1 = q.y[own + k + 1], r1 = q.r[own + k + 1];
        T beside[EACH];
        load<FROM>(q.sum, x);
        load<FROM>(p.column(k + 1), beside);
        const T yr = warp_sum(lane < WARPS ? q.yr[half + lane % WARPS] : make<T>(0));
        const R rr = warp_sum(lane < WARPS ? q.rr[half + lane % WARPS] : R(0));
        const reflector<T> h = quick_reflector(conj(r1), rr);
        const T g = sub_mul<true>(make<T>(1), h.factor, r1), yv = add_mul(mul(h.factor, yr), g, y1);
        f = h.factor;
#pragma unroll
        for (int t = 0; t < EACH; t++) {
            u[t] = now[t];
            if (t < FROM || row(t) <= k) x[t] = make<T>(0);
            else x[t] = mul(h.tau, sub_mul<false>(add_mul(mul(h.factor, x[t]), g, beside[t]), now[t], yv));
        }
        for (int j = (int)threadIdx.x; j < p.n; j += 32 * WARPS)
            p.V[j + (size_t)k * p.n] = j <= k ? make<T>(0) : j == k + 1 ? make<T>(1) : mul(f, conj(q.r[own + j]));
        if (threadIdx.x == 0) p.e[k] = h.beta, p.taup[k] = h.tau;
    }

    /* Step k. All warps have read column k when its reflector takes its place. */
    template <int FROM> __device__ void step(int k)
    {
        T now[EACH];
        const T tau = left<FROM>(k, now);
        if (k < p.n - 1) pass<FROM>(k, tau, now);
        __syncthreads();
        if (warp == WARPS - 1) store<0>(p.far + (size_t)k * p.ld, now);
        if (k == p.n - 1) return;
        for (int i = FROM * 32 + (int)threadIdx.x; i < p.ld; i += 32 * WARPS) {
            T sum = q.part[i];
#pragma unroll
            for (int w = 1; w < WARPS; w++) sum = add(sum, q.part[w * p.ld + i]);
            q.sum[i] = sum;
        }
        __syncthreads();
        right<FROM>(k, now);
    }

    template <int FROM = 0> __device__ void run()
    {
        const int end = (FROM + PHASE) * 32 < p.n ? (FROM + PHASE) * 32 : p.n;
        for (int k = FROM * 32; k < end; k++) step<FROM>(k);
        if constexpr (FROM + PHASE < EACH) {
            if (end < p.n) return run<FROM + PHASE>();
        }
        for (int j = (int)threadIdx.x; j < p.n; j += 32 * WARPS) p.V[j + (size_t)(p.n - 1) * p.n] = make<T>(j == p.n - 1);
        if (threadIdx.x == 0) p.e[p.n - 1] = 0, p.taup[p.n - 1] = make<T>(0);
    }
};

} // namespace tsl::spectra::svd
#endif
