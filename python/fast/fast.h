/* What the files of tesela_fast share: calls of the library's functions on views without ctypes (calls.c, signatures.c), and
 * calls of functions of tesela.torch that come again, without Python between their steps (plan.c, plans.c). Nothing is linked:
 * functions of the library come as addresses. */
#ifndef TESELA_FAST_H
#define TESELA_FAST_H

#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include "tesela.h"

/* The library's functions that are called here whatever is asked for. */
typedef tsl_status wrap_one(tsl_context *, tsl_type, int64_t, int64_t, void *, int64_t, tsl_matrix **);
typedef tsl_status wrap_batch(tsl_context *, tsl_type, int64_t, int64_t, void *, int64_t, int64_t, int64_t, tsl_matrix **);
typedef tsl_status in_order(tsl_context *, void *);

extern struct library {
    wrap_one *one;
    wrap_batch *batch;
    void (*end)(tsl_matrix *);
    in_order *follow, *precede;
} library;

/* ---- signatures.c */

enum { VIEW = 11, ARGUMENTS = 10 };

typedef union argument {
    tsl_view v;
    tsl_scalar a;
    double d;
    int e;
    int64_t i;
    void *p;
} argument;

typedef void (*function)(void);

const char *letters_of(int kind); /* NULL: there is no such kind */
PyObject *signature(PyObject *module, PyObject *letters);
tsl_status call_by(int kind, function f, tsl_context *x, const argument *a);

/* ---- calls.c */

/* A matrix, or with a count of 0 or more a batch, as the library wraps it. */
typedef struct wrapping {
    int64_t type, m, n, address, stride, count;
} wrapping;

/* The calls of one context, a Python object. Whoever uses it has the context's lock. */
typedef struct calls calls;

PyObject *calls_type(void);
tsl_context *context_of(const calls *c);
void make_room(calls *c); /* before the matrices of a call are found */
tsl_status matrix_of(calls *c, const wrapping *w, tsl_matrix **m);
bool numbers(PyObject *tuple, int64_t *to, int count);
tsl_view view_of(const int64_t n[VIEW], tsl_matrix *m);
bool plain_argument(char letter, PyObject *o, argument *to);

/* ---- plan.c */

/* How a run of a plan ended. */
typedef enum { DONE, BY_PYTHON, RAISED } ending;

PyObject *plan_type(void);
int plan_inputs(PyObject *plan);
ending plan_run(PyObject *plan, PyObject *const *tensors, PyObject **result);

/* ---- plans.c */

PyObject *plans_type(void);
PyObject *watch(PyObject *module, PyObject *args);

/* What plans.c was told by watch, and plan.c uses. */
PyObject *default_options(void);
bool address_of(PyObject *tensor, int64_t *address);

#endif
