/* What is used here of DLPack's C functions (its version 1.3), which a class of arrays has as the capsule
 * `__dlpack_c_exchange_api__`. */
#ifndef TESELA_FAST_DLPACK_H
#define TESELA_FAST_DLPACK_H

#include <stdint.h>

enum { DLPACK_MAJOR = 1 };

typedef struct dl_device {
    int32_t type, id;
} dl_device;

typedef struct dl_type {
    uint8_t code, bits;
    uint16_t lanes;
} dl_type;

typedef struct dl_tensor {
    void *data;
    dl_device device;
    int32_t ndim;
    dl_type dtype;
    int64_t *shape, *strides; /* the array's own */
    uint64_t byte_offset;
} dl_tensor;

/* Functions return 0, or -1 with a Python exception set. */
typedef struct dl_exchange {
    struct {
        uint32_t major, minor;
    } version;
    const void *before;
    void *allocate;
    void *from_object;
    void *to_object;
    int (*tensor_of)(void *object, dl_tensor *to); /* of an array, which lives on; nothing is put in order with its stream */
    void *stream;
} dl_exchange;

#endif
