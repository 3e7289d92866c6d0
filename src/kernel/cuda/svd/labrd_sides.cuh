/* What labrd.cuh does by rows and by columns, before and after a pass. */
#ifndef TSL_CUDA_LABRD_SIDES_CUH
#define TSL_CUDA_LABRD_SIDES_CUH

#include "kernel/cuda/svd/labrd_pass.cuh"

namespace tsl {
namespace labrd {

/* The number of the thread's row or column among ROWS, which LANES threads have */
__device__ inline int own_place(int tid) { return tid / 32 * (32 / LANES) + tid % (32 / LANES); }

/* The right exchange of column i, whose x ends; and the left one of column i + 1, as far as that is in the panel. i = -1: the
 * first column */
template <class T> struct by_rows {
    const panel<T> &p;
    shared<T> &s;
    const int i, tid, lane, first, end;
    const bool more;
    two_rows<T> vx;

    __device__ by_rows(const panel<T> &p_, shared<T> &s_, int i_)
        : p(p_), s(s_), i(i_), tid(thread()), lane(tid % 32), first(p.first_row(blockIdx.x)), end(p.first_row(blockIdx.x + 1)),
          more(i + 1 < p.k), vx(lane)
    {
    }

    __device__ int row_of(int base) const
    {
        const int row = base + own_place(tid);
        return row > i && row < end ? row : -1;
    }

    /* The thread's part of A r in a row */
    __device__ void load_parts(spread<T, LANES> &part, int row) const
    {
        part.load(p.part + row, p.padded, vx.slot, LANES, p.groups, i >= 0 && row >= 0);
    }

    /* u, of the group's columns */
    __device__ void write_row(int from, int columns)
    {
        for (int l = tid; l < columns; l += THREADS) {
            const int j = from + l;
            if (j <= i) continue;
            const T u = s.h.element(s.of_columns(R_ITSELF, p.most)[l], j, i);
            p.U[j + i * p.ldr] = u;
            p.at(i, j) = j == i + 1 ? make<T>(s.h.beta * p.by) : conj(u);
        }
        if (blockIdx.x == 0 && tid == 0) p.e[i] = s.h.beta * p.by, p.taup[i] = s.h.tau;
    }

    __device__ void run(int from, int columns)
    {
        column_sums<T> sums;
        sum_of_squares squares = sum_of_squares::zero();
        T fresh = make<T>(0);
        for (int base = first; base < end || base == first; base += ROWS) {
            const int row = row_of(base);
            vx.load(p.V, p.X, p.ldl, row, i + 1, i);
            fresh = row >= 0 ? far(&p.at(row, i + 1)) : make<T>(0);
            spread<T, LANES> part;
            if (base == first && i >= 0) {
                hear_all(p, s, 1, i, p.head, p.Y, p.U, p.ldr, i + 1, i + 1, i, [] {}, [&] { load_parts(part, row); });
                write_row(from, columns);
            } else {
                load_parts(part, row);
            }
            if (base == first) __syncthreads();
            T a = fresh;
            if (i >= 0) {
                const T x = mul(s.h.tau, add(fresh, vx.total(minus(tail(s.h, part.sum()), vx.times(s.dot)))));
                a = minus(minus(fresh, vx.total(vx.times(s.of_row))), x);
                if (row >= 0 && vx.slot == 0) p.X[row + i * p.ldl] = x;
#pragma unroll
                for (int e = 0; e < EACH; e++)
                    if (vx.slot + LANES * e == i) vx.second[e] = x;
            }
            if (!more || row < 0) continue;
            if (vx.slot == 0) p.a[row] = a;
            if (row > i + 1) {
                sums.take(vx, a);
                if (vx.slot == 0) squares.take(a);
            }
        }
        if (more) sums.tell_with(p, s, squares, 0, i + 1);
    }
};

/* The left exchange of column i */
template <class T> struct by_columns {
    const panel<T> &p;
    shared<T> &s;
    const int i, tid, lane, first, columns;
    two_rows<T> yu;

    __device__ by_columns(const panel<T> &p_, shared<T> &s_, int i_, int first_, int columns_)
        : p(p_), s(s_), i(i_), tid(thread()), lane(tid % 32), first(first_), columns(columns_), yu(lane)
    {
    }

    __device__ int column_of(int l) const { return l < columns && first + l > i ? first + l : -1; }

    /* v, of the CTA's rows; of the thread's first one a is there */
    __device__ int first_own_row() const { return p.first_row(blockIdx.x) + tid; }
    __device__ int end_of_rows() const { return p.first_row(blockIdx.x + 1); }
    __device__ void write_column(T a)
    {
        for (int r = first_own_row(); r < end_of_rows(); r += THREADS) {
            if (r > first_own_row()) a = far(p.a + r);
            if (r < i) continue;
            const T v = s.h.element(a, r, i - 1);
            p.V[r + i * p.ldl] = v;
            p.at(r, i) = r == i ? make<T>(s.h.beta * p.by) : v;
        }
        if (blockIdx.x == 0 && tid == 0) {
            p.d[i] = s.h.beta * p.by, p.tauq[i] = s.h.tau;
            if (!p.has_right(i)) p.taup[i] = make<T>(0);
        }
    }

    template <class S> __device__ void begin(S &pass)
    {
        T a = make<T>(0), of_own_row = a;
        const auto load = [&](int base) {
            const int j = column_of(base + own_place(tid));
            yu.load(p.Y, p.U, p.ldr, j, i, i);
            a = j >= 0 ? conj(far(&p.at(i, j))) : make<T>(0);
        };
        hear_all(
            p, s, 0, i, p.a + i, p.V, p.X, p.ldl, i, i, i,
            [&] {
                pass.load_column();
                load(0);
                if (first_own_row() < end_of_rows()) of_own_row = far(p.a + first_own_row());
            },
            [] {});
        write_column(of_own_row);
        __syncthreads();
        for (int base = 0; base < columns; base += ROWS) {
            const int l = base + own_place(tid), j = column_of(l);
            if (base > 0) load(base);
            const T whole = minus(a, yu.total(yu.times(s.of_row))), rest = yu.total(yu.times(s.dot));
            if (j >= 0 && yu.slot == 0) s.of_columns(REST_OF_R, p.most)[l] = whole, s.of_columns(REST_OF_Y, p.most)[l] = rest;
        }
    }

    /* Tells of r; the first CTA of a cluster for all */
    __device__ void end(int rank)
    {
        column_sums<T> sums;
        sum_of_squares squares = sum_of_squares::zero();
        const auto load = [&](int base) { yu.load(p.Y, p.U, p.ldr, column_of(base + own_place(tid)), i, i); };
        if (rank == 0) load(0);
        __syncthreads();
        for (int base = 0; rank == 0 && base < columns; base += ROWS) {
            const int l = base + own_place(tid), j = column_of(l);
            const T y = j >= 0 ? s.of_columns(Y_ITSELF, p.most)[l] : make<T>(0), r = j >= 0 ? s.of_columns(R_ITSELF, p.most)[l] : make<T>(0);
            if (base > 0) load(base);
#pragma unroll
            for (int e = 0; e < EACH; e++)
                if (yu.slot + LANES * e == i) yu.first[e] = y;
            if (j >= 0 && yu.slot == 0) {
                p.Y[j + i * p.ldr] = y;
                if (j == i + 1) *p.head = r;
            }
            if (j > i + 1) {
                sums.take(yu, r);
                if (yu.slot == 0) squares.take(r);
            }
        }
        sums.tell_with(p, s, squares, 1, i);
    }
};

} // namespace labrd
} // namespace tsl
#endif
