/* A macro for each item of a list. EACH(f, kind(x), other(y)) is f_kind(x) f_other(y). */
#ifndef TSL_EACH_H
#define TSL_EACH_H

#define EACH_1(f, x) f##_##x
#define EACH_2(f, x, ...) f##_##x EACH_1(f, __VA_ARGS__)
#define EACH_3(f, x, ...) f##_##x EACH_2(f, __VA_ARGS__)
#define EACH_4(f, x, ...) f##_##x EACH_3(f, __VA_ARGS__)
#define EACH_5(f, x, ...) f##_##x EACH_4(f, __VA_ARGS__)
#define EACH_6(f, x, ...) f##_##x EACH_5(f, __VA_ARGS__)
#define EACH_7(f, x, ...) f##_##x EACH_6(f, __VA_ARGS__)
#define EACH_8(f, x, ...) f##_##x EACH_7(f, __VA_ARGS__)
#define EACH_9(f, x, ...) f##_##x EACH_8(f, __VA_ARGS__)
#define EACH_10(f, x, ...) f##_##x EACH_9(f, __VA_ARGS__)
#define EACH_11(f, x, ...) f##_##x EACH_10(f, __VA_ARGS__)
#define EACH_12(f, x, ...) f##_##x EACH_11(f, __VA_ARGS__)
#define EACH_13(f, x, ...) f##_##x EACH_12(f, __VA_ARGS__)
#define EACH_14(f, x, ...) f##_##x EACH_13(f, __VA_ARGS__)
#define EACH_15(f, x, ...) f##_##x EACH_14(f, __VA_ARGS__)
#define EACH_16(f, x, ...) f##_##x EACH_15(f, __VA_ARGS__)
#define EACH_17(f, x, ...) f##_##x EACH_16(f, __VA_ARGS__)
#define EACH_18(f, x, ...) f##_##x EACH_17(f, __VA_ARGS__)
#define EACH_19(f, x, ...) f##_##x EACH_18(f, __VA_ARGS__)
#define EACH_20(f, x, ...) f##_##x EACH_19(f, __VA_ARGS__)
#define EACH_21(f, x, ...) f##_##x EACH_20(f, __VA_ARGS__)
#define EACH_22(f, x, ...) f##_##x EACH_21(f, __VA_ARGS__)
#define EACH_23(f, x, ...) f##_##x EACH_22(f, __VA_ARGS__)
#define EACH_24(f, x, ...) f##_##x EACH_23(f, __VA_ARGS__)
#define EACH_NUMBER(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19, _20, _21, _22, _23, _24, n, ...) EACH_##n
#define EACH(f, ...) EACH_NUMBER(__VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(f, __VA_ARGS__)

/* Lists with commas: every item begins with one, and the first is dropped. */
#define WITHOUT_FIRST(first, ...) __VA_ARGS__
#define LIST_OF(...) WITHOUT_FIRST(__VA_ARGS__)
#define LIST(f, ...) LIST_OF(EACH(f, __VA_ARGS__))

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

#endif
