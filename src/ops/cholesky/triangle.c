/* Operations in place on a triangle: their rules. The op of A does not matter, only the stored triangle: it commutes with inv
 * and with conjugation, and A^T is factored by the conjugate of what factors A, transposed. */
#include "ops/cholesky/triangle.h"

tsl_status tsl_triangle_check(tsl_context *x, const tsl_call *c) { return tsl_need_triangle(x, c, 0); }

int64_t tsl_triangle_order(const tsl_call *c) { return c->v[0].m; }
