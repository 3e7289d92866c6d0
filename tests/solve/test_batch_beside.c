/* Problems of a batch that take turns, several at once on executors (exec/batch_beside.c), as on a GPU: on a device of the
 * host's that is said to be an accelerator, and has no leaf for batches of what is asked for. */
#include <math.h>
#include <string.h>

#include "context/context.h"
#include "runtime/runtime.h"
#include "tap.h"

static const tsl_batch_entry *batches[TSL_OP_COUNT];
static const tsl_batch_entry none;
static tsl_backend gpu;
static tsl_context *x;

static void fine(tsl_status st) { check(!st, "%s", tsl_error(x)); }

static void begin(const char *devices, bool accelerator)
{
    tsl_config config = tsl_config_default();
    config.devices = devices;
    check(!tsl_context_create(&config, &x), "%s", tsl_error(NULL));
    gpu = *x->dev->be;
    memcpy(batches, gpu.batches, sizeof batches);
    batches[TSL_OP_SYRK] = batches[TSL_OP_GEMMT] = &none;
    gpu.accelerator = accelerator;
    gpu.batches = batches;
    for (int d = 0; d < x->device_count; d++) x->devices[d].be = &gpu;
}

static void end(void)
{
    tsl_context_destroy(x);
    x = NULL;
}

static tsl_matrix *stack(int64_t m, int64_t n, int64_t count)
{
    tsl_matrix *A = NULL;
    fine(tsl_batch_create(x, TSL_D, m, n, count, &A));
    for (int64_t k = 0; k < count; k++) fine(tsl_random(x, (uint64_t)k + 1, tsl_problem(tsl_whole(A), k)));
    return A;
}

static void update(const char *products, tsl_matrix *A, tsl_matrix *C)
{
    fine(tsl_set(x, "products", products));
    fine(tsl_syrk(x, 1, tsl_whole(A), 0, tsl_lower(tsl_whole(C))));
    fine(tsl_wait(x));
}

/* Products by residues take workspace, of which there is not enough for two problems: executors that were opened for native
 * ones find that before anything is computed. */
static void workspace(void)
{
    enum { N = 4, K = 20000, COUNT = 8 };
    begin("host:1,mem=24M", true);
    tsl_matrix *A = stack(N, K, COUNT), *C = stack(N, N, COUNT), *E = stack(N, N, COUNT);
    update("native", A, C);
    check(x->runtime && x->runtime->site[0].executors > 1, "problems go beside each other");
    update("emulated", A, C);
    for (int64_t k = 0; k < COUNT; k++) {
        double off = NAN;
        tsl_view e = tsl_lower(tsl_problem(tsl_whole(E), k));
        fine(tsl_syrk(x, 1, tsl_problem(tsl_whole(A), k), 0, e));
        fine(tsl_geadd(x, -1, tsl_problem(tsl_whole(C), k), 1, tsl_problem(tsl_whole(E), k)));
        fine(tsl_norm(x, TSL_NORM_MAX, TSL_TRIANGULAR, e, &off));
        check(off == 0, "problem %d: off by %g", (int)k, off);
    }
    tsl_matrix_free(A), tsl_matrix_free(C), tsl_matrix_free(E);
    end();
    checked("workspace is counted for the products that are asked for");
}

/* Products that are launched; one of them cancels the call. */
static int launches, last;
static tsl_status launch(tsl_queue *q, tsl_kernel fn, const tsl_leaf *l)
{
    if (l->op == TSL_OP_GEMM && __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED) == last) (void)tsl_cancel(x);
    return tsl_host_backend.launch(q, fn, l);
}

static int triangles(tsl_matrix *A, tsl_matrix *C, int cancelled_by, tsl_status expected)
{
    launches = 0, last = cancelled_by;
    tsl_status st = tsl_gemmt(x, 1, tsl_whole(A), tsl_trans(tsl_whole(A)), 0, tsl_lower(tsl_whole(C)));
    check(st == expected, "%s", tsl_status_name(st));
    fine(tsl_wait(x));
    return launches;
}

/* Cancelled by the second product no problem gets as far as its last one. */
static void cancelled(const char *devices, bool accelerator)
{
    enum { N = 600, K = 3, COUNT = 6 };
    begin(devices, accelerator);
    gpu.launch = launch;
    tsl_matrix *A = stack(N, K, COUNT), *C = stack(N, N, COUNT);
    int each = triangles(A, C, 0, TSL_OK) / COUNT, some = triangles(A, C, 2, TSL_ERR_CANCELLED);
    check(each > 8 && some < each, "%d products, of %d in a problem", some, each);
    tsl_matrix_free(A), tsl_matrix_free(C);
    end();
    checked("%s%s: a batch is cancelled in the midst of a problem", devices, accelerator ? ", beside" : "");
}

int main(void)
{
    workspace();
    cancelled("host:1,mem=1G", true);
    cancelled("host:2,mem=1G", false);
    cancelled("host:1,mem=1G", false);
    return tap_done();
}
