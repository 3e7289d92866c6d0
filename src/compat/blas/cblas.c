/* CBLAS's entries: cblas_dgemm with the host library's integers; cblas_dgemm_64, which OpenBLAS calls cblas_dgemm64_, with
 * those of 64 bits; and as the wheels of NumPy and SciPy name them. What is small is passed on as in fortran.c. */
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
#define ROW_gemm_batch ROW_gemm EXCHANGE(stridea, strideb);
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
#define BROUGHT(name) JOIN(scipy_cblas_, name, )
#define BROUGHT_64(name) JOIN(scipy_cblas_, name, 64_)
#define CELL(symbol) JOIN(cell_, symbol, )
#define ON_TO(symbol) __atomic_load_n(&CELL(symbol), __ATOMIC_ACQUIRE) /* what it is made of was written before it */
#define TYPE_OF(symbol) JOIN(type_, symbol, )
#define FIRST(symbol) JOIN(first_, symbol, )
#define INSIDE(name) JOIN(inside_, name, INT)
#define DECIDE(symbol) JOIN(decide_, symbol, )
#define NARROWED(name) JOIN(narrowed_, name, )

#define PASSED(class, ...) LIST_OF(ORDER_##class(int order) EACH(PASSED, __VA_ARGS__))
#define ON(class, ...) LIST_OF(ORDER_##class(order) EACH(ON, __VA_ARGS__))
#define AS_THEY_CAME(class, ...) LIST_OF(ORDER_##class(order) EACH(AS_CAME, __VA_ARGS__))

/* Where what is small goes on to, found when it is first called */
#define UNDERNEATH(type, symbol, found, params, args)                                                                             \
    typedef type TYPE_OF(symbol) params;                                                                                          \
    static TYPE_OF(symbol) FIRST(symbol), *CELL(symbol) = FIRST(symbol);                                                          \
    static type FIRST(symbol) params                                                                                              \
    {                                                                                                                             \
        TYPE_OF(symbol) *on = (TYPE_OF(symbol) *)(found);                                                                         \
        if (!tsl_hostlib_opening()) __atomic_store_n(&CELL(symbol), on, __ATOMIC_RELEASE);                                        \
        return on args;                                                                                                           \
    }
#define BROUGHT_OR(symbol, other) (tsl_blas_brought(TEXT(symbol)) ?: (void *)(other))
#define ON_HOST(symbol) tsl_blas_host(TEXT(symbol))

/* A batch by the host library: in its own call, if it has one, else one problem after the other. One that is refused is refused
 * once. */
#define STRIDED(name) JOIN(, name, _strided)
#define LOOPED(name) JOIN(looped_, name, INT)
#define ON_HOST_OR(symbol, other) (tsl_hostlib_symbol(TEXT(symbol)) ?: (void *)(other))
#define LOOP_gemm_batch(one)                                                                                                      \
    bool bad = is_bad_gemm(order, transa, transb, m, n, k, lda, ldb, ldc);                                                        \
    for (ptrdiff_t i = 0; i < (ptrdiff_t)(bad ? 1 : batch_size); ++i)                                                             \
        one(order, transa, transb, m, n, k, alpha, a + i * stridea, lda, b + i * strideb, ldb, beta, c + i * stridec, ldc);
#define LOOP(name, one, class, how, ...)                                                                                          \
    static void LOOPED(name)(PASSED(class, __VA_ARGS__))                                                                          \
    {                                                                                                                             \
        LOOP_##how(ON_TO(SYMBOL(one)))                                                                                            \
    }

static bool is_bad_gemm(int order, int transa, int transb, int64_t m, int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc)
{
    bool rows = order == BY_ROWS, plain_a = transa == 111, plain_b = transb == 111;
    int64_t least_a = plain_a == rows ? k : m, least_b = plain_b == rows ? n : k, least_c = rows ? n : m;
    bool flags = (rows || order == BY_COLUMNS) && letter_of(transa) != '?' && letter_of(transb) != '?';
    return !flags || m < 0 || n < 0 || k < 0 || lda < MORE(1, least_a) || ldb < MORE(1, least_b) || ldc < MORE(1, least_c);
}

/* Not small: has it been computed here? */
#define COMPUTED(name, class, row, ...)                                                                                           \
    static bool INSIDE(name)(PASSED(class, __VA_ARGS__))                                                                          \
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

#define ENTRY(symbol, found, name, class, work, ...)                                                                              \
    UNDERNEATH(void, symbol, found, (PASSED(class, __VA_ARGS__)), (AS_THEY_CAME(class, __VA_ARGS__)))                             \
    static __attribute__((noinline, cold)) void DECIDE(symbol)(PASSED(class, __VA_ARGS__))                                        \
    {                                                                                                                             \
        if (!INSIDE(name)(AS_THEY_CAME(class, __VA_ARGS__))) ON_TO(symbol)(AS_THEY_CAME(class, __VA_ARGS__));                     \
    }                                                                                                                             \
    TSL_API void symbol(PASSED(class, __VA_ARGS__))                                                                               \
    {                                                                                                                             \
        blas_calls *mine = tsl_blas_enter();                                                                                      \
        if (LIKELY_SMALL(class, work)) ON_TO(symbol)(AS_THEY_CAME(class, __VA_ARGS__));                                           \
        else DECIDE(symbol)(AS_THEY_CAME(class, __VA_ARGS__));                                                                    \
        tsl_blas_leave(mine);                                                                                                     \
    }
/* With a value: what it is inside, how CBLAS returns that, and from there */
#define AS_IT_IS(value) value
#define FROM_ZERO(value) ((value) > 0 ? (size_t)(value)-1 : 0)
#define ENTRY_WITH_VALUE(type, wide, from, symbol, found, name, class, work, ...)                                                 \
    UNDERNEATH(type, symbol, found, (PASSED(class, __VA_ARGS__)), (AS_THEY_CAME(class, __VA_ARGS__)))                             \
    static __attribute__((noinline, cold)) type DECIDE(symbol)(PASSED(class, __VA_ARGS__))                                        \
    {                                                                                                                             \
        wide value;                                                                                                               \
        if (BEHIND(name)(WIDE, &value EACH(VALUE, __VA_ARGS__))) return from(value);                                              \
        return ON_TO(symbol)(AS_THEY_CAME(class, __VA_ARGS__));                                                                   \
    }                                                                                                                             \
    TSL_API type symbol(PASSED(class, __VA_ARGS__))                                                                               \
    {                                                                                                                             \
        blas_calls *mine = tsl_blas_enter();                                                                                      \
        bool small = LIKELY_SMALL(class, work);                                                                                   \
        type value = small ? ON_TO(symbol)(AS_THEY_CAME(class, __VA_ARGS__)) : DECIDE(symbol)(AS_THEY_CAME(class, __VA_ARGS__));  \
        tsl_blas_leave(mine);                                                                                                     \
        return value;                                                                                                             \
    }
/* A complex value is stored where the last argument says. */
#define SUB(name) JOIN(, name, _sub)
#define ENTRY_THAT_STORES(symbol, found, name, class, work, ...)                                                                  \
    UNDERNEATH(void, symbol, found, (PASSED(class, __VA_ARGS__), void *to), (AS_THEY_CAME(class, __VA_ARGS__), to))               \
    TSL_API void symbol(PASSED(class, __VA_ARGS__), void *to)                                                                     \
    {                                                                                                                             \
        blas_calls *mine = tsl_blas_enter();                                                                                      \
        if (LIKELY_SMALL(class, work) || !BEHIND(name)(WIDE, to EACH(VALUE, __VA_ARGS__)))                                        \
            ON_TO(symbol)(AS_THEY_CAME(class, __VA_ARGS__), to);                                                                  \
        tsl_blas_leave(mine);                                                                                                     \
    }

/* Integers of 64 bits for the host library, whose own have 32. What does not fit those is ours whatever its size. */
#define NARROW(name, symbol, class, ...)                                                                                          \
    static void NARROWED(name)(PASSED(class, __VA_ARGS__))                                                                        \
    {                                                                                                                             \
        int at = class != VECTORS, bad = 0;                                                                                       \
        EACH(FIND, __VA_ARGS__)                                                                                                   \
        (void)at;                                                                                                                 \
        if (bad && INSIDE(name)(AS_THEY_CAME(class, __VA_ARGS__))) return;                                                        \
        if (bad) tsl_blas_refuse(TEXT(symbol), bad);                                                                              \
        else ON_TO(symbol)(ON(class, __VA_ARGS__));                                                                               \
    }
#define NARROW_WITH_VALUE(type, wide, from, name, class, ...)                                                                     \
    static type NARROWED(name)(PASSED(class, __VA_ARGS__))                                                                        \
    {                                                                                                                             \
        int at = 0, bad = 0;                                                                                                      \
        wide value = 0;                                                                                                           \
        EACH(FIND, __VA_ARGS__)                                                                                                   \
        (void)at;                                                                                                                 \
        if (!bad) return ON_TO(SYMBOL(name))(ON(class, __VA_ARGS__));                                                             \
        if (BEHIND(name)(true, &value EACH(VALUE, __VA_ARGS__))) return from(value);                                              \
        tsl_blas_refuse(TEXT(SYMBOL(name)), bad);                                                                                 \
        return 0;                                                                                                                 \
    }
#define NARROW_THAT_STORES(name, class, ...)                                                                                      \
    static void NARROWED(name)(PASSED(class, __VA_ARGS__), void *to)                                                              \
    {                                                                                                                             \
        int at = 0, bad = 0;                                                                                                      \
        EACH(FIND, __VA_ARGS__)                                                                                                   \
        (void)at;                                                                                                                 \
        if (bad && BEHIND(name)(true, to EACH(VALUE, __VA_ARGS__))) return;                                                       \
        if (bad) tsl_blas_refuse(TEXT(SYMBOL(name)), bad);                                                                        \
        else ON_TO(SUB(SYMBOL(name)))(ON(class, __VA_ARGS__), to);                                                                \
    }

#define BODY "compat/blas/cblas.inc"
#include "core/types.inc"
