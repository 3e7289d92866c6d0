/* The typed calls of QR and of least squares, s d c z: each written once, in typed_qr.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/qr/typed_qr.inc"
#include "core/types.inc"
