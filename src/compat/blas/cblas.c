/* CBLAS's doors: cblas_dgemm with the host library's integers; cblas_dgemm_64, which OpenBLAS calls cblas_dgemm64_, with those of 64 bits. */
#include <complex.h>
#include <stddef.h>

#include "compat/blas/blas.h"

#define V(x) (x)

enum { BY_ROWS = 101, BY_COLUMNS = 102 };

/* Some testers, and programs that CBLAS calls back, look at these. */
TSL_API int RowMajorStrg, CBLAS_CallFromC;

/* CBLAS's numbers for letters; one that is none is refused by whoever gets it. */
static char letter_of(int flag)
{
    switch (flag) {
    case 111: return 'N';
    case 112: return 'T';
    case 113: return 'C';
    case 121: return 'U';
    case 122: return 'L';
    case 131: return 'N';
    case 132: return 'U';
    case 141: return 'L';
    case 142: return 'R';
    default: return '?';
    }
}

static int other(int flag, int one, int two) { return flag == one ? two : flag == two ? one : flag; }

/* As CBLAS passes them: a complex number by its address */
#define PASSED_letter(x) , int x
#define PASSED_number(x) , INT x
#define PASSED_scalar(x) , SCALAR x
#define PASSED_real(x) , R x
#define PASSED_in(x, ...) , const T *x
#define PASSED_out(x, ...) , T *x

#define ON_letter(x) , x
#define ON_number(x) , (blas_int)x
#define ON_scalar(x) , x
#define ON_real(x) , x
#define ON_in(x, ...) , x
#define ON_out(x, ...) , x

#define AS_CAME_letter(x) , x
#define AS_CAME_number(x) , x
#define AS_CAME_scalar(x) , x
#define AS_CAME_real(x) , x
#define AS_CAME_in(x, ...) , x
#define AS_CAME_out(x, ...) , x

#define VALUE_letter(x) , letter_of(x)
#define VALUE_number(x) , x
#define VALUE_scalar(x) , NUMBER(x)
#define VALUE_real(x) , x
#define VALUE_in(x, ...) , x
#define VALUE_out(x, ...) , x

/* The first argument that does not fit an integer of 32 bits */
#define FIND_letter(x) at++;
#define FIND_number(x) at++; if (!bad && x != (int)x) bad = at;
#define FIND_scalar(x) at++;
#define FIND_real(x) at++;
#define FIND_in(x, ...) at++;
#define FIND_out(x, ...) at++;

/* A matrix stored by rows is its transpose stored by columns. */
#define EXCHANGE(a, b)             \
    do {                           \
        __typeof__(a) a##_was = a; \
        a = b;                     \
        b = a##_was;               \
    } while (0)
#define ROW(how) ROW_##how
#define ROW_none
#define ROW_host ours = false;
#define ROW_symmetric uplo = other(uplo, 121, 122);
#define ROW_gemm EXCHANGE(transa, transb); EXCHANGE(m, n); EXCHANGE(a, b); EXCHANGE(lda, ldb);
#define ROW_sided side = other(side, 141, 142); uplo = other(uplo, 121, 122); EXCHANGE(m, n);
#define ROW_update uplo = other(uplo, 121, 122); trans = trans == 111 ? 112 : trans == 112 || (!COMPLEX && trans == 113) ? 111 : 0;
#define ROW_hermitian uplo = other(uplo, 121, 122); trans = trans == 112 ? 0 : other(trans, 111, 113);
#define ROW_hermitian_2 ROW_hermitian conjugate = CONJUGATE(NUMBER(alpha)); alpha = &conjugate;
#define ROW_ger EXCHANGE(m, n); EXCHANGE(x, y); EXCHANGE(incx, incy);
#define ROW_gemv ours = !(COMPLEX && trans == 113); trans = trans == 111 ? 112 : trans == 112 || trans == 113 ? 111 : 0; EXCHANGE(m, n);

/* A vector has no order. */
#define ORDER_VECTORS(x)
#define ORDER_MATRICES(x) , x
#define ORDER_LEVEL3(x) , x
#define BY_NEITHER_VECTORS false
#define BY_NEITHER_MATRICES (order != BY_ROWS && order != BY_COLUMNS)
#define BY_NEITHER_LEVEL3 BY_NEITHER_MATRICES
#define IS_BY_ROWS_VECTORS false
#define IS_BY_ROWS_MATRICES (order == BY_ROWS)
#define IS_BY_ROWS_LEVEL3 (order == BY_ROWS)

#define SYMBOL(name) JOIN(cblas_, name, )
#define SYMBOL_64(name) JOIN(cblas_, name, _64)
#define SYMBOL_64_TOO(name) JOIN(cblas_, name, 64_)
/* OpenBLAS as wheels of NumPy and SciPy bring it along */
#define ALSO(type, symbol, twin, params) TSL_API type JOIN(scipy_, symbol, ) params __attribute__((alias(TEXT(twin))));
#define CELL(name) JOIN(host_, name, )
#define HOST(name) __atomic_load_n(&CELL(name), __ATOMIC_ACQUIRE) /* what it is made of was written before it */
#define TYPE_OF_HOST(name) JOIN(type_, name, )
#define FIRST(name) JOIN(first_, name, )
#define LARGE(name) JOIN(large_, name, INT)
#define DECIDE(name) JOIN(decide_, name, )

#define PASSED(class, ...) LIST_OF(ORDER_##class(int order) EACH(PASSED, __VA_ARGS__))
#define ON(class, ...) LIST_OF(ORDER_##class(order) EACH(ON, __VA_ARGS__))
#define AS_THEY_CAME(class, ...) LIST_OF(ORDER_##class(order) EACH(AS_CAME, __VA_ARGS__))

#define UNDERNEATH(type, name, symbol, params, args)                                                                              \
    typedef type TYPE_OF_HOST(name) params;                                                                                       \
    static TYPE_OF_HOST(name) FIRST(name), *CELL(name) = FIRST(name);                                                             \
    static type FIRST(name) params                                                                                                \
    {                                                                                                                             \
        TYPE_OF_HOST(name) *found = (TYPE_OF_HOST(name) *)tsl_blas_host(TEXT(symbol));                                            \
        if (!tsl_hostlib_opening()) __atomic_store_n(&CELL(name), found, __ATOMIC_RELEASE);                                       \
        return found args;                                                                                                   \
    }

/* Not small: has it been computed here? */
#define INSIDE(name, class, row, ...)                                                                                             \
    static bool LARGE(name)(PASSED(class, __VA_ARGS__))                                                                                     \
    {                                                                                                                             \
        T conjugate = 0;                                                                                                          \
        bool ours = !(BY_NEITHER_##class);                                                                                        \
        (void)conjugate;                                                                                                          \
        if (IS_BY_ROWS_##class) {                                                                                                 \
            row                                                                                                                   \
        }                                                                                                                         \
        if (ours) return BEHIND(name)(WIDE EACH(VALUE, __VA_ARGS__));                                                             \
        EACH(HOME, __VA_ARGS__)                                                                                                   \
        return false;                                                                                                             \
    }

#define DOOR(name, class, work, row, ...)                                                                                         \
    UNDERNEATH(void, name, SYMBOL(name), (PASSED(class, __VA_ARGS__)), (ON(class, __VA_ARGS__)))                                  \
    INSIDE(name, class, row, __VA_ARGS__)                                                                                         \
    static __attribute__((noinline, cold)) void DECIDE(name)(PASSED(class, __VA_ARGS__))                                          \
    {                                                                                                                             \
        if (!LARGE(name)(AS_THEY_CAME(class, __VA_ARGS__))) HOST(name)(ON(class, __VA_ARGS__));                                   \
    }                                                                                                                             \
    TSL_API void SYMBOL(name)(PASSED(class, __VA_ARGS__))                                                                         \
    {                                                                                                                             \
        if (LIKELY_SMALL(class, work)) HOST(name)(ON(class, __VA_ARGS__));                                                        \
        else DECIDE(name)(AS_THEY_CAME(class, __VA_ARGS__));                                                                      \
    }                                                                                                                             \
    ALSO(void, SYMBOL(name), SYMBOL(name), (PASSED(class, __VA_ARGS__)))

#define DOOR_64(name, class, work, row, ...)                                                                                      \
    INSIDE(name, class, row, __VA_ARGS__)                                                                                         \
    TSL_API void SYMBOL_64(name)(PASSED(class, __VA_ARGS__))                                                                      \
    {                                                                                                                             \
        int at = class != VECTORS, bad = 0;                                                                                       \
        EACH(FIND, __VA_ARGS__)                                                                                                   \
        (void)at;                                                                                                                 \
        if ((!LIKELY_SMALL(class, work) || bad) && LARGE(name)(AS_THEY_CAME(class, __VA_ARGS__))) return;                         \
        if (bad) tsl_blas_refuse(TEXT(SYMBOL(name)), bad);                                                                        \
        else HOST(name)(ON(class, __VA_ARGS__));                                                                                  \
    }                                                                                                                             \
    TSL_API void SYMBOL_64_TOO(name)(PASSED(class, __VA_ARGS__)) __attribute__((alias(TEXT(SYMBOL_64(name)))));                   \
    ALSO(void, SYMBOL_64_TOO(name), SYMBOL_64(name), (PASSED(class, __VA_ARGS__)))

/* With a value: what it is behind the door, how CBLAS returns that, and from there */
#define AS_IT_IS(value) value
#define FROM_ZERO(value) ((value) > 0 ? (size_t)(value)-1 : 0)
#define DOOR_WITH_VALUE(type, wide, from, name, class, work, ...)                                                                 \
    UNDERNEATH(type, name, SYMBOL(name), (PASSED(class, __VA_ARGS__)), (ON(class, __VA_ARGS__)))                                  \
    static __attribute__((noinline, cold)) type DECIDE(name)(PASSED(class, __VA_ARGS__))                                          \
    {                                                                                                                             \
        wide value;                                                                                                               \
        if (BEHIND(name)(WIDE, &value EACH(VALUE, __VA_ARGS__))) return from(value);                                             \
        return HOST(name)(ON(class, __VA_ARGS__));                                                                                \
    }                                                                                                                             \
    TSL_API type SYMBOL(name)(PASSED(class, __VA_ARGS__))                                                                         \
    {                                                                                                                             \
        if (LIKELY_SMALL(class, work)) return HOST(name)(ON(class, __VA_ARGS__));                                                 \
        return DECIDE(name)(AS_THEY_CAME(class, __VA_ARGS__));                                                                    \
    }                                                                                                                             \
    ALSO(type, SYMBOL(name), SYMBOL(name), (PASSED(class, __VA_ARGS__)))
#define DOOR_64_WITH_VALUE(type, wide, from, name, class, work, ...)                                                              \
    TSL_API type SYMBOL_64(name)(PASSED(class, __VA_ARGS__))                                                                      \
    {                                                                                                                             \
        int at = 0, bad = 0;                                                                                                      \
        wide value = 0;                                                                                                           \
        EACH(FIND, __VA_ARGS__)                                                                                                   \
        (void)at;                                                                                                                 \
        if ((!LIKELY_SMALL(class, work) || bad) && BEHIND(name)(true, &value EACH(VALUE, __VA_ARGS__))) return from(value);       \
        if (!bad) return HOST(name)(ON(class, __VA_ARGS__));                                                                      \
        tsl_blas_refuse(TEXT(SYMBOL(name)), bad);                                                                                 \
        return 0;                                                                                                                 \
    }                                                                                                                             \
    TSL_API type SYMBOL_64_TOO(name)(PASSED(class, __VA_ARGS__)) __attribute__((alias(TEXT(SYMBOL_64(name)))));                   \
    ALSO(type, SYMBOL_64_TOO(name), SYMBOL_64(name), (PASSED(class, __VA_ARGS__)))

/* A complex value is stored where the last argument says. */
#define SUB(name) JOIN(, name, _sub)
#define DOOR_THAT_STORES(name, class, work, ...)                                                                                  \
    UNDERNEATH(void, name, SUB(SYMBOL(name)), (PASSED(class, __VA_ARGS__), void *to), (ON(class, __VA_ARGS__), to))               \
    TSL_API void SUB(SYMBOL(name))(PASSED(class, __VA_ARGS__), void *to)                                                          \
    {                                                                                                                             \
        if (LIKELY_SMALL(class, work) || !BEHIND(name)(WIDE, to EACH(VALUE, __VA_ARGS__))) HOST(name)(ON(class, __VA_ARGS__), to); \
    }                                                                                                                             \
    ALSO(void, SUB(SYMBOL(name)), SUB(SYMBOL(name)), (PASSED(class, __VA_ARGS__), void *to))
#define DOOR_64_THAT_STORES(name, class, work, ...)                                                                               \
    TSL_API void SYMBOL_64(SUB(name))(PASSED(class, __VA_ARGS__), void *to)                                                       \
    {                                                                                                                             \
        int at = 0, bad = 0;                                                                                                      \
        EACH(FIND, __VA_ARGS__)                                                                                                   \
        (void)at;                                                                                                                 \
        if ((!LIKELY_SMALL(class, work) || bad) && BEHIND(name)(true, to EACH(VALUE, __VA_ARGS__))) return;                       \
        if (bad) tsl_blas_refuse(TEXT(SYMBOL(name)), bad);                                                                        \
        else HOST(name)(ON(class, __VA_ARGS__), to);                                                                              \
    }                                                                                                                             \
    TSL_API void SYMBOL_64_TOO(SUB(name))(PASSED(class, __VA_ARGS__), void *to) __attribute__((alias(TEXT(SYMBOL_64(SUB(name)))))); \
    ALSO(void, SYMBOL_64_TOO(SUB(name)), SYMBOL_64(SUB(name)), (PASSED(class, __VA_ARGS__), void *to))

#define BODY "compat/blas/cblas.inc"
#include "core/types.inc"
