/* Small complex products: one source, compiled for vectors of each width that processors have. */
#include "hostlib/product.h"

#include <complex.h>

#include "tesela.h"

typedef int32_t float_places; /* integers as wide as a real type */
typedef int64_t double_places;

/* The compiler cannot look through this: the product before it is rounded, and not fused with a sum after it. Of two products
 * that are added it could fuse either. */
#if defined __x86_64__ && !defined __clang__
#define ROUNDED(x) __asm__("" : "+x"(x))
#elif defined __aarch64__ && !defined __clang__
#define ROUNDED(x) __asm__("" : "+w"(x))
#else
#define ROUNDED(x) __asm__("" : "+m"(x))
#endif

#define IS_SINGLE_c 1
#define IS_SINGLE_z 0
#define BODY "hostlib/product.inc"

#define COLUMNS 4 /* two vectors of rows by so many columns are in registers */

#define KIND any
#define TARGET
#define WIDEST 16
#include "core/types.inc"
#undef KIND
#undef TARGET
#undef WIDEST

static bool is_any(void) { return true; }

#ifdef __x86_64__
#define KIND avx2
#define TARGET __attribute__((target("avx2,fma")))
#define WIDEST 32
#include "core/types.inc"
#undef KIND
#undef TARGET
#undef WIDEST

#define KIND avx512
#define TARGET __attribute__((target("avx2,fma,avx512f,avx512dq,avx512vl")))
#define WIDEST 64
#include "core/types.inc"
#undef KIND
#undef TARGET
#undef WIDEST

static bool is_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
static bool is_avx512(void)
{
    return is_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

const product_kind tsl_hostlib_product_kinds[PRODUCT_KINDS_MOST] = {
#ifdef __x86_64__
    {"avx512", is_avx512, product_avx512_c, product_avx512_z},
    {"avx2", is_avx2, product_avx2_c, product_avx2_z},
#endif
    {"any", is_any, product_any_c, product_any_z},
};

const product_kind *tsl_hostlib_product(void)
{
    static const product_kind *chosen;
    const product_kind *kind = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (kind) return kind;
    for (kind = tsl_hostlib_product_kinds; !kind->is_here(); ++kind) continue;
    __atomic_store_n(&chosen, kind, __ATOMIC_RELAXED);
    return kind;
}
