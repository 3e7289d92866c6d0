/* Where a plane has its residues, and what becomes of their products. A plane is blocks of BLOCK lines and BLOCK residues of
 * each, one after the other, blocks of the same lines first: a block is what the copy engine brings in one piece.
 *
 * A line has BLOCK bytes of a block. Pieces of 16 bytes are exchanged, piece c of the line in place i with c ^ (i % 8): eight
 * lines' same piece then lies in different banks, and this is the order in which wgmma reads.
 *
 * Of products a thread of a tensor core has those of places 8 j + 2 q + e of 64 (q: its own; j < 8, e < 2). It writes them
 * as 16 bytes. Lines of A have places such that byte t of word i of 128 bytes is of row i + 32 t: threads that read
 * neighbouring words write neighbouring elements of C. */
#ifndef TSL_CUDA_PLANE_CUH
#define TSL_CUDA_PLANE_CUH

#include "kernel/cuda/products/products.h"

namespace tsl {

constexpr int BLOCK = TSL_LENGTH_UNIT, PIECE = 16, GROUP = 64, WORDS = BLOCK / 4;

/* In a block line i + 32 t, of word i = 16 b + 4 q + j / 2 and byte t = 2 (j % 2) + e, is in place 64 b + 8 j + 2 q + e. */
__host__ __device__ inline int place_of_line(int line)
{
    const int i = line % WORDS, t = line / WORDS, j = 2 * (i % 4) + t / 2;
    return i / 16 * GROUP + 8 * j + 2 * (i / 4 % 4) + t % 2;
}
__host__ __device__ inline int line_of_place(int place)
{
    const int j = place / 8 % 8, t = 2 * (j % 2) + place % 2;
    return place / GROUP * 16 + 4 * (place / 2 % 4) + j / 2 + t * WORDS;
}
/* Products are in blocks of BLOCK rows and BLOCK columns of C, of which those of the same columns follow each other; a column
 * of a block has BLOCK bytes. The byte of an element, of so many rows */
__host__ __device__ inline int64_t place_of_product(int64_t i, int64_t k, int64_t rows)
{
    return (k / BLOCK * (rows / BLOCK) + i / BLOCK) * BLOCK * BLOCK + k % BLOCK * BLOCK + i % WORDS * 4 + i % BLOCK / WORDS;
}

/* Of residue h of line i: its byte in a plane of lines so long */
__host__ __device__ inline int64_t place_in_plane(int64_t i, int64_t h, int64_t length)
{
    const int at = place_of_line((int)(i % BLOCK)), piece = (int)(h % BLOCK) / PIECE ^ at % 8;
    return i / BLOCK * BLOCK * length + h / BLOCK * BLOCK * BLOCK + at * BLOCK + piece * PIECE + h % PIECE;
}

struct modulus {
    uint32_t p, inverse, more; /* 2^39 / p, rounded up; a multiple of p, 2^30 at least */
};

/* Products of all planes of A with those of B, each a byte: of a modulus reduced, of low how many rounded lines it is enough
 * for. For kernels. */
struct planes {
    const int8_t *A, *B;
    int64_t next_A, next_B; /* from a plane to the next */
    uint8_t *product;       /* as place_of_product says */
    int64_t rows, cols;     /* of a plane of products, multiples of TSL_LINES_UNIT */
    int64_t below;          /* as of tsl_cuda_joined; only tiles of that part are computed */
    tsl_uplo part;
    int count, each; /* planes, and of a modulus */
    int low;         /* which plane is that of low; -1: none */
    int deep;        /* blocks of a line */
    int32_t enough[2];
    modulus of[TSL_MODULI_MOST];
};

/* A sum of at most 2^30 in magnitude, in 0 .. p - 1 */
__device__ __forceinline__ uint32_t reduced(int32_t sum, const modulus &m)
{
    const uint32_t t = (uint32_t)sum + m.more;
    return t - (__umulhi(t, m.inverse) >> 7) * m.p;
}

/* v(0) .. v(15) as bytes */
template <class V> __device__ __forceinline__ uint4 packed(V v)
{
    uint32_t w[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        w[i] = __byte_perm(__byte_perm(v(4 * i), v(4 * i + 1), 0x0040),
                           __byte_perm(v(4 * i + 2), v(4 * i + 3), 0x0040), 0x5410);
    return {w[0], w[1], w[2], w[3]};
}

/* f(what a sum of that plane becomes) */
template <class F> __device__ __forceinline__ void with_reduction(const planes &p, int plane, F f)
{
    if (plane == p.low) {
        const int32_t one = p.enough[0], two = p.enough[1];
        f([=](int32_t sum) { return (uint32_t)(sum >= one) + (uint32_t)(sum >= two); });
    } else {
        const modulus m = p.of[plane / p.each];
        f([=](int32_t sum) { return reduced(sum, m); });
    }
}

/* A tile of a plane's products, counted in tiles */
struct tile {
    int plane, row, col;
};

/* The tiles, ROWS x COLS, of one of `step` walkers. Columns of tiles are walked in strips, so that walkers side by side read
 * the same lines. */
template <int ROWS, int COLS, int STRIP> class walk {
    int64_t place;
    int step, plane = 0, strip = 0;

    __device__ static bool is_written(const planes &p, int64_t row, int64_t col)
    {
        if (p.part == TSL_LOWER) return (row + 1) * ROWS - 1 + p.below >= col * COLS;
        return p.part != TSL_UPPER || row * ROWS + p.below <= (col + 1) * COLS - 1;
    }

  public:
    __device__ walk(int first, int walkers) : place(first), step(walkers) {}

    __device__ bool next(const planes &p, tile *t)
    {
        const int rows = (int)(p.rows / ROWS), cols = (int)(p.cols / COLS);
        while (plane < p.count) {
            const int wide = cols - strip < STRIP ? cols - strip : STRIP;
            if (place >= (int64_t)rows * wide) {
                place -= (int64_t)rows * wide;
                strip = strip + wide < cols ? strip + wide : 0;
                plane += !strip;
                continue;
            }
            *t = {plane, (int)(place / wide), strip + (int)(place % wide)};
            place += step;
            if (is_written(p, t->row, t->col)) return true;
        }
        return false;
    }
};

} // namespace tsl
#endif
