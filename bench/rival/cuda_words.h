/* The words of cuBLAS and cuSOLVER as the numbers they are, so that routines can be described where CUDA's headers are not:
 * cuda_blas.c and cuda_solver.c hold them against these. */
#ifndef BENCH_CUDA_WORDS_H
#define BENCH_CUDA_WORDS_H

enum { CUDA_NO_TRANS, CUDA_TRANS, CUDA_CONJ_TRANS };
enum { CUDA_LOWER, CUDA_UPPER };
enum { CUDA_LEFT, CUDA_RIGHT };
enum { CUDA_NON_UNIT, CUDA_UNIT };
enum { CUDA_VALUES, CUDA_VECTORS, CUDA_BY_INDEX = 1002 };
enum { CUDA_FLOAT = 0, CUDA_DOUBLE = 1, CUDA_COMPLEX_FLOAT = 4, CUDA_COMPLEX_DOUBLE = 5 };

#endif
