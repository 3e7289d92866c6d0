/* A plan: the steps between the arguments of a call and its results, as torch/_plan.py recorded them. Tensors and what else is
 * handed from step to step are in slots: first the arguments, then constants and what steps make. */
#ifndef TESELA_FAST_PLAN_H
#define TESELA_FAST_PLAN_H

#include "fast.h"

enum { SLOTS = 64 };

/* TORCH: a function on slots and constants. ENTER, EXIT: around the library's work, which is put in order with the caller's
 * stream. CALL: one of the library. DROP: slots that nobody wants any more. */
typedef enum { TORCH, ENTER, EXIT, CALL, DROP } kind;

typedef struct torch_step {
    PyObject *function, *values, *named; /* named: a dict or NULL */
    int count, *from, outs, *to;         /* of each argument its slot, -1: that of values */
} torch_step;

typedef struct order_step {
    PyObject *stream, *gpu; /* stream(gpu): the address of the caller's */
    bool on_default;        /* the library's work is on CUDA's default stream */
} order_step;

typedef struct operand {
    int slot; /* -1: none */
    int64_t n[VIEW];
} operand;

typedef struct call_step {
    function f;
    int signature;
    argument a[ARGUMENTS];
    operand view[ARGUMENTS];
    int place[ARGUMENTS]; /* of an outcome: the slot whose elements it is; -1: it is told here, or to nobody */
    int64_t outcomes;     /* how many are told here */
} call_step;

typedef struct step {
    kind kind;
    PyObject *context, *fast, *acquire, *release, *name; /* of ENTER, EXIT and CALL */
    union {
        torch_step torch;
        order_step order;
        call_step call;
    };
} step;

typedef struct plan {
    PyObject_HEAD
    int inputs, slots, steps;
    int constants, *constant, count, *results; /* their slots */
    PyObject *kept, *make, *class;             /* the constants; tuple.__new__; the class of results, None: there is one */
    step *step;
} plan;

static inline PyObject *held(PyObject *o)
{
    Py_XINCREF(o);
    return o;
}

#endif
