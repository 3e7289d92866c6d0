/* A macro for each item of a list. EACH(f, kind(x), other(y)) is f_kind(x) f_other(y). Eight items at a time: if it were one, the
 * preprocessor would read the rest of the list again for each. */
#ifndef TSL_EACH_H
#define TSL_EACH_H

#define EACH_1(f, a) f##_##a
#define EACH_2(f, a, b) f##_##a f##_##b
#define EACH_3(f, a, b, c) f##_##a f##_##b f##_##c
#define EACH_4(f, a, b, c, d) f##_##a f##_##b f##_##c f##_##d
#define EACH_5(f, a, b, c, d, e) f##_##a f##_##b f##_##c f##_##d f##_##e
#define EACH_6(f, a, b, c, d, e, g) f##_##a f##_##b f##_##c f##_##d f##_##e f##_##g
#define EACH_7(f, a, b, c, d, e, g, h) f##_##a f##_##b f##_##c f##_##d f##_##e f##_##g f##_##h
#define EACH_8(f, a, b, c, d, e, g, h, i) f##_##a f##_##b f##_##c f##_##d f##_##e f##_##g f##_##h f##_##i
#define EACH_9(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_1(f, __VA_ARGS__)
#define EACH_10(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_2(f, __VA_ARGS__)
#define EACH_11(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_3(f, __VA_ARGS__)
#define EACH_12(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_4(f, __VA_ARGS__)
#define EACH_13(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_5(f, __VA_ARGS__)
#define EACH_14(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_6(f, __VA_ARGS__)
#define EACH_15(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_7(f, __VA_ARGS__)
#define EACH_16(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_8(f, __VA_ARGS__)
#define EACH_17(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_9(f, __VA_ARGS__)
#define EACH_18(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_10(f, __VA_ARGS__)
#define EACH_19(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_11(f, __VA_ARGS__)
#define EACH_20(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_12(f, __VA_ARGS__)
#define EACH_21(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_13(f, __VA_ARGS__)
#define EACH_22(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_14(f, __VA_ARGS__)
#define EACH_23(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_15(f, __VA_ARGS__)
#define EACH_24(f, a, b, c, d, e, g, h, i, ...) EACH_8(f, a, b, c, d, e, g, h, i) EACH_16(f, __VA_ARGS__)
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
