/* Which matrices a kernel's lanes have room for, by the size of an element: shape<row lanes, column lanes, rows, columns of a
 * lane, CTAs>, the cheapest first, as measured on an H200. ormqr's take C of any width in parts, the narrow ones only C that is
 * one part. */
#ifndef TSL_CUDA_QR_SHAPES_CUH
#define TSL_CUDA_QR_SHAPES_CUH

#include "kernel/cuda/batch/geqrf/qr_tile.cuh"

namespace tsl {
namespace qrb {

template <int SIZE> struct shapes_of;

template <> struct shapes_of<4> {
    using small = shapes<shape<1, 1, 4, 4>, shape<1, 2, 8, 4>, shape<1, 4, 16, 4, 4>, shape<4, 4, 8, 8, 4>>;
    using panel = shapes<shape<8, 8, 8, 4, 8>, shape<8, 8, 16, 4, 6>, shape<16, 8, 16, 4, 3>, shape<32, 8, 16, 4, 2>>;
    using block = shapes<shape<8, 4, 8, 8, 12>, shape<8, 8, 8, 8, 8>, shape<8, 8, 16, 4, 8>, shape<16, 8, 16, 4, 4>, shape<32, 8, 16, 4, 2>,
                         shape<8, 16, 16, 8, 2>>;
    using narrow = shapes<shape<2, 1, 4, 1>, shape<4, 1, 8, 1>, shape<16, 1, 8, 1>, shape<2, 4, 4, 2>, shape<4, 4, 8, 2>, shape<8, 4, 8, 2>,
                          shape<16, 2, 8, 2>>;
    using ormqr = shapes<shape<4, 8, 8, 4>, shape<8, 4, 8, 4>, shape<16, 2, 8, 4>>;
};

template <> struct shapes_of<8> {
    using small = shapes<shape<1, 1, 4, 4>, shape<1, 2, 8, 4, 4>, shape<2, 4, 8, 4, 4>, shape<4, 4, 8, 8, 2>>;
    using panel = shapes<shape<8, 8, 8, 4, 8>, shape<8, 8, 16, 4, 4>, shape<16, 8, 16, 4, 2>, shape<32, 8, 16, 4>>;
    using block = shapes<shape<8, 4, 8, 8, 8>, shape<8, 8, 8, 8, 4>, shape<8, 8, 16, 4, 4>, shape<16, 8, 16, 4, 2>, shape<32, 8, 16, 4>,
                         shape<16, 16, 8, 8>>;
    using narrow = shapes_of<4>::narrow;
    using ormqr = shapes_of<4>::ormqr;
};

template <> struct shapes_of<16> {
    using small = shapes<shape<1, 1, 4, 4>, shape<2, 2, 4, 4>, shape<4, 4, 4, 4>>;
    using panel = shapes<shape<16, 8, 4, 4, 2>, shape<16, 16, 8, 2>, shape<32, 16, 8, 2>, shape<32, 16, 16, 1>>;
    using block = shapes<shape<8, 8, 4, 4, 5>, shape<16, 8, 4, 4, 2>, shape<16, 16, 4, 4>, shape<16, 16, 8, 2>, shape<32, 16, 8, 2>,
                         shape<32, 16, 16, 1>, shape<16, 16, 8, 4>>;
    using narrow = shapes<shape<2, 1, 4, 1>, shape<4, 1, 8, 1>, shape<16, 1, 8, 1>, shape<2, 4, 4, 2>, shape<4, 4, 8, 2>>;
    using ormqr = shapes<shape<4, 8, 8, 2>, shape<8, 4, 8, 2>, shape<16, 2, 8, 2>>;
};

} // namespace qrb
} // namespace tsl
#endif
