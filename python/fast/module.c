/* The module tesela_fast. */
#include "fast.h"

/* bind(matrix_wrap, batch_wrap, matrix_free, follow, precede): their addresses */
static PyObject *bind(PyObject *module, PyObject *args)
{
    unsigned long long at[5];
    (void)module;
    if (!PyArg_ParseTuple(args, "KKKKK", &at[0], &at[1], &at[2], &at[3], &at[4])) return NULL;
    library.one = (wrap_one *)(intptr_t)at[0];
    library.batch = (wrap_batch *)(intptr_t)at[1];
    library.end = (void (*)(tsl_matrix *))(intptr_t)at[2];
    library.follow = (in_order *)(intptr_t)at[3];
    library.precede = (in_order *)(intptr_t)at[4];
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {{"bind", bind, METH_VARARGS, NULL},
                                  {"signature", signature, METH_O, NULL},
                                  {"watch", watch, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "tesela_fast", NULL, -1, functions, NULL, NULL, NULL, NULL};

static bool add(PyObject *m, const char *name, PyObject *type)
{
    if (!type) return false;
    Py_INCREF(type);
    if (PyModule_AddObject(m, name, type) == 0) return true;
    Py_DECREF(type);
    return false;
}

PyMODINIT_FUNC PyInit_tesela_fast(void)
{
    PyObject *m = PyModule_Create(&module);
    if (m && add(m, "Calls", calls_type()) && add(m, "Plan", plan_type()) && add(m, "Plans", plans_type())) return m;
    Py_XDECREF(m);
    return NULL;
}
