/* Fortran's entries: dgemm_ with the host library's integers, dgemm_64_ with those of 64 bits, and both once more as the wheels
 * of NumPy and SciPy name them. The lengths of letters, which Fortran passes after everything else, are none of ours: a caller
 * in C has none. They are 1, and passed on as such. What is small goes on at once: to the host library, or to one that the
 * program brought along under such a name (brought.c). */
#include <complex.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compat/blas/fortran.h"

#define V(x) (*(x))

/* On, as they are */
#define ON_letter(x) , x
#define ON_letter_both(x) , x
#define ON_number(x) , x
#define ON_scalar(x) , x
#define ON_real(x) , x
#define ON_in(x, ...) , x
#define ON_out(x, ...) , x
#define ON_makes(x, ...) , x
#define ON_reals(x, count) , x
#define ON_rows_in(x, count) , x
#define ON_rows_out(x, count) , x
#define ON_rows_both(x, count) , x
#define ON_workspace(x, length, least) , x, length
#define ON_spare(x, bytes) , x
#define ON_unless(x)
#define ON_changes(x, count) , x
#define ON_real_workspace(x, length, least) , x, length
#define ON_whole_workspace(x, length, least) , x, length
#define ON_marks(x, count, most) , x
#define ON_counted(x) , x
#define ON_outcome(x) , x

/* To the common implementation */
#define VALUE_letter(x) , *x
#define VALUE_letter_both(x) , x
#define VALUE_number(x) , NUMBER(*x)
#define VALUE_scalar(x) , *x
#define VALUE_real(x) , *x
#define VALUE_in(x, ...) , ARRAY(x)
#define VALUE_out(x, ...) , ARRAY(x)
#define VALUE_makes(x, ...) , x
#define VALUE_reals(x, count) , x
#define VALUE_rows_in(x, count) , x
#define VALUE_rows_out(x, count) , x
#define VALUE_rows_both(x, count) , x
#define VALUE_workspace(x, length, least) , x, *length
#define VALUE_spare(x, bytes)
#define VALUE_unless(x)
#define VALUE_changes(x, count) , x
#define VALUE_real_workspace(x, length, least) , x, *length
#define VALUE_whole_workspace(x, length, least) , x, *length
#define VALUE_marks(x, count, most) , x
#define VALUE_counted(x) , &x##_told
#define VALUE_outcome(x) , &x##_told

/* Outcomes; and back to the caller's integers */
#define NEW_letter(x)
#define NEW_letter_both(x)
#define NEW_number(x)
#define NEW_scalar(x)
#define NEW_real(x)
#define NEW_in(x, ...)
#define NEW_out(x, ...)
#define NEW_makes(x, ...)
#define NEW_reals(x, count)
#define NEW_rows_in(x, count)
#define NEW_rows_out(x, count)
#define NEW_rows_both(x, count)
#define NEW_workspace(x, length, least)
#define NEW_spare(x, bytes) (void)x;
#define NEW_unless(x)
#define NEW_changes(x, count)
#define NEW_real_workspace(x, length, least)
#define NEW_whole_workspace(x, length, least)
#define NEW_marks(x, count, most)
#define NEW_counted(x) int64_t x##_told = 0;
#define NEW_outcome(x) int64_t x##_told = 0;

#define TELL_letter(x)
#define TELL_letter_both(x)
#define TELL_number(x)
#define TELL_scalar(x)
#define TELL_real(x)
#define TELL_in(x, ...)
#define TELL_out(x, ...)
#define TELL_makes(x, ...)
#define TELL_reals(x, count)
#define TELL_rows_in(x, count)
#define TELL_rows_out(x, count)
#define TELL_rows_both(x, count)
#define TELL_workspace(x, length, least)
#define TELL_spare(x, bytes)
#define TELL_unless(x)
#define TELL_changes(x, count)
#define TELL_real_workspace(x, length, least)
#define TELL_whole_workspace(x, length, least)
#define TELL_marks(x, count, most)
#define TELL_counted(x) *x = (INT)x##_told;
#define TELL_outcome(x) *x = (INT)x##_told;

/* The lengths of letters */
#define LENGTH_letter(x) , size_t
#define LENGTH_letter_both(x) , size_t
#define LENGTH_number(x)
#define LENGTH_scalar(x)
#define LENGTH_real(x)
#define LENGTH_in(x, ...)
#define LENGTH_out(x, ...)
#define LENGTH_makes(x, ...)
#define LENGTH_reals(x, count)
#define LENGTH_rows_in(x, count)
#define LENGTH_rows_out(x, count)
#define LENGTH_rows_both(x, count)
#define LENGTH_workspace(x, length, least)
#define LENGTH_spare(x, bytes)
#define LENGTH_unless(x)
#define LENGTH_changes(x, count)
#define LENGTH_real_workspace(x, length, least)
#define LENGTH_whole_workspace(x, length, least)
#define LENGTH_marks(x, count, most)
#define LENGTH_counted(x)
#define LENGTH_outcome(x)

#define ONE_letter(x) , (size_t)1
#define ONE_letter_both(x) , (size_t)1
#define ONE_number(x)
#define ONE_scalar(x)
#define ONE_real(x)
#define ONE_in(x, ...)
#define ONE_out(x, ...)
#define ONE_makes(x, ...)
#define ONE_reals(x, count)
#define ONE_rows_in(x, count)
#define ONE_rows_out(x, count)
#define ONE_rows_both(x, count)
#define ONE_workspace(x, length, least)
#define ONE_spare(x, bytes)
#define ONE_unless(x)
#define ONE_changes(x, count)
#define ONE_real_workspace(x, length, least)
#define ONE_whole_workspace(x, length, least)
#define ONE_marks(x, count, most)
#define ONE_counted(x)
#define ONE_outcome(x)

/* The first argument that does not fit an integer of 32 bits */
#define FIND_letter(x) at++;
#define FIND_letter_both(x) at++;
#define FIND_number(x) at++; if (!bad && NUMBER(*x) != (int)NUMBER(*x)) bad = at;
#define FIND_scalar(x) at++;
#define FIND_real(x) at++;
#define FIND_in(x, ...) at++;
#define FIND_out(x, ...) at++;
#define FIND_makes(x, ...) at++;
#define FIND_reals(x, count) at++;
#define FIND_rows_in(x, count) at++;
#define FIND_rows_out(x, count) at++;
#define FIND_rows_both(x, count) at++;
#define FIND_workspace(x, length, least) at += 2; if (!bad && *length != (int)*length) bad = at;
#define FIND_spare(x, bytes) at++;
#define FIND_unless(x)
#define FIND_changes(x, count) at++;
#define FIND_real_workspace(x, length, least) at += 2; if (!bad && *length != (int)*length) bad = at;
#define FIND_whole_workspace(x, length, least) at += 2; if (!bad && *length != (int)*length) bad = at;
#define FIND_marks(x, count, most) at++;
#define FIND_counted(x) at++;
#define FIND_outcome(x) at++;

/* As integers of 32 bits, and back */
#define SHORT_letter(x)
#define SHORT_letter_both(x)
#define SHORT_number(x) const int x##_int = (int)NUMBER(*x);
#define SHORT_scalar(x)
#define SHORT_real(x)
#define SHORT_in(x, ...)
#define SHORT_out(x, ...)
#define SHORT_makes(x, ...)
#define SHORT_reals(x, count)
#define SHORT_rows_in(x, count) int *x##_int = shortened(x, count, &bad);
#define SHORT_rows_out(x, count) int *x##_int = shortened(NULL, count, &bad);
#define SHORT_rows_both(x, count) int *x##_int = shortened(x, count, &bad);
#define SHORT_workspace(x, length, least) const int length##_int = (int)*length;
#define SHORT_spare(x, bytes)
#define SHORT_unless(x)
#define SHORT_changes(x, count)
#define SHORT_real_workspace(x, length, least) const int length##_int = (int)*length;
#define SHORT_whole_workspace(x, length, least) const int length##_int = (int)*length;
#define SHORT_marks(x, count, most) int *x##_int = shortened(NULL, most, &bad);
#define SHORT_counted(x) int x##_int = 0;
#define SHORT_outcome(x) int x##_int = 0;

#define BACK_letter(x)
#define BACK_letter_both(x)
#define BACK_number(x)
#define BACK_scalar(x)
#define BACK_real(x)
#define BACK_in(x, ...)
#define BACK_out(x, ...)
#define BACK_makes(x, ...)
#define BACK_reals(x, count)
#define BACK_rows_in(x, count) free(x##_int);
#define BACK_rows_out(x, count) lengthen(x##_int, x, bad || info_int < 0 ? 0 : count); /* of a refused call there are none */
#define BACK_rows_both(x, count) lengthen(x##_int, x, bad || info_int < 0 ? 0 : count); /* of a refused call there are none */
#define BACK_workspace(x, length, least)
#define BACK_spare(x, bytes)
#define BACK_unless(x)
#define BACK_changes(x, count)
#define BACK_real_workspace(x, length, least)
#define BACK_whole_workspace(x, length, least) if (!bad && info_int >= 0) *x = first_of(x); /* how much would be best */
#define BACK_marks(x, count, most) lengthen(x##_int, x, bad || info_int < 0 ? 0 : count);
#define BACK_counted(x) *x = x##_int;
#define BACK_outcome(x) *x = x##_int;

#define SHORTENED_letter(x) , x
#define SHORTENED_letter_both(x) , x
#define SHORTENED_number(x) , &x##_int
#define SHORTENED_scalar(x) , x
#define SHORTENED_real(x) , x
#define SHORTENED_in(x, ...) , ARRAY(x)
#define SHORTENED_out(x, ...) , ARRAY(x)
#define SHORTENED_makes(x, ...) , x
#define SHORTENED_reals(x, count) , x
#define SHORTENED_rows_in(x, count) , x##_int
#define SHORTENED_rows_out(x, count) , x##_int
#define SHORTENED_rows_both(x, count) , x##_int
#define SHORTENED_workspace(x, length, least) , x, &length##_int
#define SHORTENED_spare(x, bytes) , x
#define SHORTENED_unless(x)
#define SHORTENED_changes(x, count) , x
#define SHORTENED_real_workspace(x, length, least) , x, &length##_int
#define SHORTENED_whole_workspace(x, length, least) , (int *)(void *)x, &length##_int
#define SHORTENED_marks(x, count, most) , x##_int
#define SHORTENED_counted(x) , &x##_int
#define SHORTENED_outcome(x) , &x##_int

#define REFUSE_letter(x)
#define REFUSE_letter_both(x)
#define REFUSE_number(x)
#define REFUSE_scalar(x)
#define REFUSE_real(x)
#define REFUSE_in(x, ...)
#define REFUSE_out(x, ...)
#define REFUSE_makes(x, ...)
#define REFUSE_reals(x, count)
#define REFUSE_rows_in(x, count)
#define REFUSE_rows_out(x, count)
#define REFUSE_rows_both(x, count)
#define REFUSE_workspace(x, length, least)
#define REFUSE_spare(x, bytes)
#define REFUSE_unless(x)
#define REFUSE_changes(x, count)
#define REFUSE_real_workspace(x, length, least)
#define REFUSE_whole_workspace(x, length, least)
#define REFUSE_marks(x, count, most)
#define REFUSE_counted(x)
#define REFUSE_outcome(x) *x = -bad;

#ifndef TSL_BLAS_64
static int *shortened(const int64_t *from, int64_t count, int *bad)
{
    int *to = malloc((size_t)MORE(1, count) * sizeof *to);
    if (!to && !*bad) *bad = 1;
    for (int64_t i = 0; to && from && i < count; ++i) to[i] = (int)from[i];
    return to;
}

/* The first of integers of 32 bits, in room for one of 64 */
static int64_t first_of(const int64_t *x)
{
    int first;
    memcpy(&first, x, sizeof first);
    return first;
}

static void lengthen(int *from, int64_t *to, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) to[i] = from[i];
    free(from);
}
#endif

#define SYMBOL(name) JOIN(, name, _)
#define SYMBOL_64(name) JOIN(, name, _64_)
#define BROUGHT(name) JOIN(scipy_, name, _)
#define BROUGHT_64(name) JOIN(scipy_, name, _64_)
#define CELL(symbol) JOIN(cell_, symbol, )
#define ON_TO(symbol) __atomic_load_n(&CELL(symbol), __ATOMIC_ACQUIRE) /* what it is made of was written before it */
#define TYPE_OF(symbol) JOIN(type_, symbol, )
#define HOST_TYPE(name) JOIN(host_type_, name, )
#define FIRST(symbol) JOIN(first_, symbol, )
#define NARROWED(name) JOIN(narrowed_, name, )

/* What has a value of its own type behind the entry, or none */
#define WIDE_R R
#define WIDE_T T
#define WIDE_PLACE int64_t

/* Where what is small goes on to, found when it is first called: `found`, a function of the entry's own form, and of its
 * letters' lengths */
#define UNDERNEATH(type, symbol, found, ...)                                                                   \
    typedef type TYPE_OF(symbol)(LIST(FORTRAN, __VA_ARGS__) EACH(LENGTH, __VA_ARGS__));                        \
    static type FIRST(symbol)(LIST(FORTRAN, __VA_ARGS__));                                                     \
    static TYPE_OF(symbol) *CELL(symbol) = (TYPE_OF(symbol) *)(void *)FIRST(symbol);                           \
    static type FIRST(symbol)(LIST(FORTRAN, __VA_ARGS__))                                                      \
    {                                                                                                          \
        TYPE_OF(symbol) *on = (TYPE_OF(symbol) *)(found);                                                      \
        if (!tsl_hostlib_opening()) __atomic_store_n(&CELL(symbol), on, __ATOMIC_RELEASE);                     \
        return on(LIST(ON, __VA_ARGS__) EACH(ONE, __VA_ARGS__));                                               \
    }

/* Not small: computed here? Once for all symbols of a routine whose integers are of one size. */
#define LARGE(name, ...)                                                                                       \
    static __attribute__((noinline, cold)) bool OURS(name)(LIST(FORTRAN, __VA_ARGS__))                         \
    {                                                                                                          \
        EACH(NEW, __VA_ARGS__)                                                                                 \
        if (!BEHIND(name)(WIDE EACH(VALUE, __VA_ARGS__))) return false;                                        \
        EACH(TELL, __VA_ARGS__)                                                                                \
        return true;                                                                                           \
    }
#define LARGE_WITH_VALUE(type, wide, name, ...)                                                                \
    static __attribute__((noinline, cold)) bool OURS(name)(type *value EACH(FORTRAN, __VA_ARGS__))             \
    {                                                                                                          \
        wide ours;                                                                                             \
        EACH(NEW, __VA_ARGS__)                                                                                 \
        if (!BEHIND(name)(WIDE, &ours EACH(VALUE, __VA_ARGS__))) return false;                                 \
        *value = (type)ours;                                                                                   \
        return true;                                                                                           \
    }

#define ENTRY(symbol, found, name, class, work, ...)                                                           \
    UNDERNEATH(void, symbol, found, __VA_ARGS__)                                                               \
    TSL_API void symbol(LIST(FORTRAN, __VA_ARGS__))                                                            \
    {                                                                                                          \
        blas_calls *mine = tsl_blas_enter();                                                                   \
        if (LIKELY_SMALL(class, work) || !OURS(name)(LIST(ON, __VA_ARGS__)))                                   \
            ON_TO(symbol)(LIST(ON, __VA_ARGS__) EACH(ONE, __VA_ARGS__));                                       \
        tsl_blas_leave(mine);                                                                                  \
    }
#define ENTRY_WITH_VALUE(type, symbol, found, name, class, work, ...)                                          \
    UNDERNEATH(type, symbol, found, __VA_ARGS__)                                                               \
    TSL_API type symbol(LIST(FORTRAN, __VA_ARGS__))                                                            \
    {                                                                                                          \
        blas_calls *mine = tsl_blas_enter();                                                                   \
        type value;                                                                                            \
        if (LIKELY_SMALL(class, work) || !OURS(name)(&value EACH(ON, __VA_ARGS__)))                            \
            value = ON_TO(symbol)(LIST(ON, __VA_ARGS__) EACH(ONE, __VA_ARGS__));                               \
        tsl_blas_leave(mine);                                                                                  \
        return value;                                                                                          \
    }

/* Integers of 64 bits for the host library, whose own have 32. What does not fit those is ours whatever its size. */
#define NARROW(name, ...)                                                                                      \
    typedef void HOST_TYPE(name)(LIST(NARROW_FORTRAN, __VA_ARGS__) EACH(LENGTH, __VA_ARGS__));                 \
    static void NARROWED(name)(LIST(FORTRAN, __VA_ARGS__))                                                     \
    {                                                                                                          \
        int at = 0, bad = 0;                                                                                   \
        EACH(FIND, __VA_ARGS__)                                                                                \
        (void)at;                                                                                              \
        if (bad) {                                                                                             \
            EACH(NEW, __VA_ARGS__)                                                                             \
            if (BEHIND(name)(true EACH(VALUE, __VA_ARGS__))) {                                                 \
                EACH(TELL, __VA_ARGS__)                                                                        \
                return;                                                                                        \
            }                                                                                                  \
        }                                                                                                      \
        EACH(SHORT, __VA_ARGS__)                                                                               \
        if (bad) tsl_blas_refuse(TEXT(name), bad);                                                             \
        else ((HOST_TYPE(name) *)(void *)ON_TO(SYMBOL(name)))(LIST(SHORTENED, __VA_ARGS__) EACH(ONE, __VA_ARGS__)); \
        EACH(BACK, __VA_ARGS__)                                                                                \
        if (bad) {                                                                                             \
            EACH(REFUSE, __VA_ARGS__)                                                                          \
        }                                                                                                      \
    }
#define NARROW_WITH_VALUE(type, narrow, wide, name, ...)                                                       \
    typedef narrow HOST_TYPE(name)(LIST(NARROW_FORTRAN, __VA_ARGS__) EACH(LENGTH, __VA_ARGS__));               \
    static type NARROWED(name)(LIST(FORTRAN, __VA_ARGS__))                                                     \
    {                                                                                                          \
        int at = 0, bad = 0;                                                                                   \
        EACH(FIND, __VA_ARGS__)                                                                                \
        (void)at;                                                                                              \
        wide value = 0;                                                                                        \
        if (bad && BEHIND(name)(true, &value EACH(VALUE, __VA_ARGS__))) return (type)value;                    \
        EACH(SHORT, __VA_ARGS__)                                                                               \
        if (bad) tsl_blas_refuse(TEXT(name), bad);                                                             \
        else value = ((HOST_TYPE(name) *)(void *)ON_TO(SYMBOL(name)))(LIST(SHORTENED, __VA_ARGS__) EACH(ONE, __VA_ARGS__)); \
        return (type)value;                                                                                    \
    }

/* What the program brought along under this name, or else */
#define BROUGHT_OR(symbol, other) (tsl_blas_brought(TEXT(symbol)) ?: (void *)(other))

/* Functions of matrices, and LAPACK's */
#define OF_VECTORS(...)
#define OF_MATRICES(...) __VA_ARGS__
#define OF_LEVEL3(...) __VA_ARGS__
#define OF_FACTOR(...) __VA_ARGS__
#define OF_LAPACK(...) __VA_ARGS__
#define NUMBER(x) (x)
#define ARRAY(x) x
#define BODY "compat/blas/fortran.inc"
#include "core/types.inc"
#undef OF_VECTORS
#undef OF_MATRICES
#undef OF_LEVEL3
#undef OF_FACTOR
#undef OF_LAPACK
#undef NUMBER
#undef ARRAY

/* Functions of vectors. An increment may come as a difference of addresses, over the size of an element, in unsigned numbers,
 * as NumPy writes it: 2^61 - 1 for -1. Addresses are computed modulo 2^64, so it is the number that is the same there, and the
 * vector begins at x. With an increment that is negative it would end there. */
#define OF_VECTORS(...) __VA_ARGS__
#define OF_MATRICES(...)
#define OF_LEVEL3(...)
#define OF_FACTOR(...)
#define OF_LAPACK(...)
#define NUMBER(x) ((int64_t)((uint64_t)(int64_t)(x) * sizeof(T)) / (int64_t)sizeof(T))
#define ARRAY(x) ARRAY_##x
#define ARRAY_x ENDING_AT(x, incx)
#define ARRAY_y ENDING_AT(y, incy)
#define ARRAY_param param
#define ENDING_AT(x, inc) (NUMBER(*inc) < 0 && NUMBER(*inc) != *inc ? x + (*n - 1) * NUMBER(*inc) : x)
#include "core/types.inc"
