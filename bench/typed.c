/* The routines through the typed calls, on pointers to wherever the problem's operands are. */
#include "bench/bench.h"

#define DATA(i) bench_data(p, i, p->place)
#define LD(i) bench_ld(p, i, p->place)

#define T float
#define FN(name) s_##name
#define CALL(name) tsl_s##name
#include "bench/typed.inc"

#define T double
#define FN(name) d_##name
#define CALL(name) tsl_d##name
#include "bench/typed.inc"

#define T tsl_cfloat
#define FN(name) c_##name
#define CALL(name) tsl_c##name
#define HERMITIAN
#include "bench/typed.inc"

#define T tsl_cdouble
#define FN(name) z_##name
#define CALL(name) tsl_z##name
#define HERMITIAN
#include "bench/typed.inc"

const bench_call bench_typed_gemv[4] = {s_gemv, d_gemv, c_gemv, z_gemv};
const bench_call bench_typed_symv[4] = {s_symv, d_symv, c_symv, z_symv};
const bench_call bench_typed_hemv[4] = {NULL, NULL, c_hemv, z_hemv};
const bench_call bench_typed_ger[4] = {s_ger, d_ger, c_ger, z_ger};
const bench_call bench_typed_trsv[4] = {s_trsv, d_trsv, c_trsv, z_trsv};
const bench_call bench_typed_gemm[4] = {s_gemm, d_gemm, c_gemm, z_gemm};
const bench_call bench_typed_gemmt[4] = {s_gemmt, d_gemmt, c_gemmt, z_gemmt};
const bench_call bench_typed_symm[4] = {s_symm, d_symm, c_symm, z_symm};
const bench_call bench_typed_hemm[4] = {NULL, NULL, c_hemm, z_hemm};
const bench_call bench_typed_syrk[4] = {s_syrk, d_syrk, c_syrk, z_syrk};
const bench_call bench_typed_herk[4] = {NULL, NULL, c_herk, z_herk};
const bench_call bench_typed_syr2k[4] = {s_syr2k, d_syr2k, c_syr2k, z_syr2k};
const bench_call bench_typed_her2k[4] = {NULL, NULL, c_her2k, z_her2k};
const bench_call bench_typed_trmm[4] = {s_trmm, d_trmm, c_trmm, z_trmm};
const bench_call bench_typed_trsm[4] = {s_trsm, d_trsm, c_trsm, z_trsm};
const bench_call bench_typed_potrf[4] = {s_potrf, d_potrf, c_potrf, z_potrf};
const bench_call bench_typed_trtri[4] = {s_trtri, d_trtri, c_trtri, z_trtri};
const bench_call bench_typed_lauum[4] = {s_lauum, d_lauum, c_lauum, z_lauum};
const bench_call bench_typed_potri[4] = {s_potri, d_potri, c_potri, z_potri};
const bench_call bench_typed_potrs[4] = {s_potrs, d_potrs, c_potrs, z_potrs};
const bench_call bench_typed_posv[4] = {s_posv, d_posv, c_posv, z_posv};
