/* How the lists of calls.h become parameters and values, at a stride and by pointers. T and R are the element's type and its
 * real type where a list is used. */
#ifndef TSL_API_BATCH_FORMS_H
#define TSL_API_BATCH_FORMS_H

#define STRIDED(kind, name, which, ...) STRIDED_##kind(name, __VA_ARGS__)
#define STRIDED_LETTER(name, ...) char name,
#define STRIDED_SIZE(name, ...) int64_t name,
#define STRIDED_NUMBER(name, ...) int64_t name,
#define STRIDED_SCALAR(name, ...) T name,
#define STRIDED_REAL(name, ...) R name,
#define STRIDED_EACH(name, type) type *name,
#define STRIDED_RESULT STRIDED_EACH
#define STRIDED_BLOCK(name, type) type *name, int64_t ld##name, int64_t stride##name,
#define STRIDED_MAYBE STRIDED_BLOCK
#define STRIDED_COLUMN(name, type) type *name, int64_t stride##name,

#define POINTERS_TO(kind, name, which, ...) POINTERS_##kind(name, __VA_ARGS__)
#define POINTERS_LETTER STRIDED_LETTER
#define POINTERS_SIZE STRIDED_SIZE
#define POINTERS_NUMBER STRIDED_NUMBER
#define POINTERS_SCALAR STRIDED_SCALAR
#define POINTERS_REAL STRIDED_REAL
#define POINTERS_EACH STRIDED_EACH
#define POINTERS_RESULT STRIDED_EACH
#define POINTERS_BLOCK(name, type) type *const *name, int64_t ld##name,
#define POINTERS_MAYBE POINTERS_BLOCK
#define POINTERS_COLUMN(name, type) type *const *name,

#define STRIDED_VALUE(kind, name, ...) STRIDED_VALUE_##kind(name)
#define STRIDED_VALUE_LETTER(name) {.letter = name},
#define STRIDED_VALUE_SIZE(name) {.size = name},
#define STRIDED_VALUE_NUMBER(name) {.size = name},
#define STRIDED_VALUE_SCALAR(name) {.scalar = name},
#define STRIDED_VALUE_REAL(name) {.scalar = name},
#define STRIDED_VALUE_EACH(name) {.many = {.p = name}},
#define STRIDED_VALUE_RESULT(name) {.result = (void *)(name)},
#define STRIDED_VALUE_BLOCK(name) {.many = {name, NULL, ld##name, stride##name, false}},
#define STRIDED_VALUE_MAYBE STRIDED_VALUE_BLOCK
#define STRIDED_VALUE_COLUMN(name) {.many = {name, NULL, 0, stride##name, false}},

#define POINTERS_VALUE(kind, name, ...) POINTERS_VALUE_##kind(name)
#define POINTERS_VALUE_LETTER STRIDED_VALUE_LETTER
#define POINTERS_VALUE_SIZE STRIDED_VALUE_SIZE
#define POINTERS_VALUE_NUMBER STRIDED_VALUE_NUMBER
#define POINTERS_VALUE_SCALAR STRIDED_VALUE_SCALAR
#define POINTERS_VALUE_REAL STRIDED_VALUE_REAL
#define POINTERS_VALUE_EACH STRIDED_VALUE_EACH
#define POINTERS_VALUE_RESULT STRIDED_VALUE_RESULT
#define POINTERS_VALUE_BLOCK(name) {.many = {NULL, (void *const *)(name), ld##name, 0, true}},
#define POINTERS_VALUE_MAYBE POINTERS_VALUE_BLOCK
#define POINTERS_VALUE_COLUMN(name) {.many = {NULL, (void *const *)(name), 0, 0, true}},

#endif
