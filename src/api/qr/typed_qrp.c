/* The typed calls of QR with column pivoting and of least squares of any rank, s d c z: each written once, in typed_qrp.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/qr/typed_qrp.inc"
#include "core/types.inc"
