/** @file
 * tesela/batch.h - typed calls on batches: `count` problems of one shape. On views: tsl_batch_create and its kin
 * (matrix.h). The calls of a family are in a header of their own, tesela/batch/.
 *
 * Each array begins with the first problem's; the next one's is `stride` elements further. In the calls whose names end
 * in _pointers an array of pointers says where each problem is. Other arguments are those of the call on one problem.
 * Problems that are written must not overlap; stride 0 is for what is only read. Arrays may be in host or device memory.
 * An array of pointers may be in host memory, or in the device memory that its problems are in.
 * info has an element for each problem, in host or device memory; NULL: nobody wants to know. So have ranks, norms,
 * conditions and determinants, which must be wanted. tsl_info() is 0 after a batch. What is wrong with one problem does
 * not touch others.
 * Pointers in host memory are checked before anything is written: TSL_ERR_NULL for a NULL; TSL_ERR_OVERLAP for one that
 * is twice among problems that are written, or that lets two operands of a problem overlap. That different problems
 * overlap in part is not looked for.
 * Pointers in device memory are read by the device when the call's turn has come: what is wrong with them, as one that
 * leads to host memory, is an error of the device, or stays unnoticed. A context of several devices reads and checks
 * them too.
 * A call with all operands in device memory returns before the work is done, unless steps of it are the host's. How a
 * batch is cut is the library's choice: a variant that is set is TSL_ERR_OPTION, and a tile size is ignored. */
#ifndef TESELA_BATCH_H
#define TESELA_BATCH_H

#include "batch/level3.h"
#include "batch/cholesky.h"
#include "batch/lu.h"
#include "batch/qr.h"
#include "batch/ldl.h"
#include "batch/eig.h"
#include "batch/svd.h"
#include "batch/functions.h"

#endif
