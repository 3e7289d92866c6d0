/* Calls of the library's functions on views without ctypes: what a small call spends in Python. Functions come as addresses, with
 * the letters of what they take as in _calls/library.py, so nothing is linked. A view is a tuple of numbers; the tsl_matrix behind
 * it is made at its first use, and found again by what it wraps. Whoever calls has the context's lock. */
#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tesela.h"

enum { VIEW = 11, ROWS = 4096, MOST = ROWS / 2, ARGUMENTS = 10 };

/* As Many.view has them: what is wrapped, count < 0 if it is one matrix, and what is seen of it */
typedef struct wrapping {
    int64_t type, m, n, address, stride, count;
} wrapping;

typedef struct known {
    wrapping of;
    tsl_matrix *matrix; /* NULL: the place is free */
} known;

static struct {
    tsl_status (*one)(tsl_context *, tsl_type, int64_t, int64_t, void *, int64_t, tsl_matrix **);
    tsl_status (*batch)(tsl_context *, tsl_type, int64_t, int64_t, void *, int64_t, int64_t, int64_t, tsl_matrix **);
    void (*end)(tsl_matrix *);
} library;

typedef struct calls {
    PyObject_HEAD
    tsl_context *context;
    int count;
    known *row; /* a table of addresses, each where its bits say or behind */
} calls;

/* The library waits for all work at the end of a matrix. */
static void forget(calls *c)
{
    Py_BEGIN_ALLOW_THREADS
    for (int i = 0; c->row && c->count && i < ROWS; ++i)
        if (c->row[i].matrix) library.end(c->row[i].matrix);
    Py_END_ALLOW_THREADS
    if (c->row) memset(c->row, 0, ROWS * sizeof *c->row);
    c->count = 0;
}

static known *place_of(calls *c, const wrapping *w)
{
    uint64_t bits = (uint64_t)w->address ^ (uint64_t)(w->m * 31 + w->n * 17 + w->type + w->count * 7) << 20;
    unsigned at = (unsigned)(bits * 0x9e3779b97f4a7c15u >> 52) % ROWS;
    while (c->row[at].matrix && memcmp(&c->row[at].of, w, sizeof *w)) at = (at + 1) % ROWS;
    return &c->row[at];
}

static tsl_status matrix_of(calls *c, const wrapping *w, tsl_matrix **m)
{
    known *k = place_of(c, w);
    if (!k->matrix) {
        int64_t ld = w->m > 0 ? w->m : 1;
        void *p = (void *)(intptr_t)w->address;
        tsl_status st = w->count < 0 ? library.one(c->context, (tsl_type)w->type, w->m, w->n, p, ld, &k->matrix)
                                     : library.batch(c->context, (tsl_type)w->type, w->m, w->n, p, ld, w->stride, w->count, &k->matrix);
        if (st) return k->matrix = NULL, st;
        k->of = *w;
        ++c->count;
    }
    *m = k->matrix;
    return TSL_OK;
}

static bool numbers(PyObject *tuple, int64_t *to, int count)
{
    for (int i = 0; i < count; ++i) to[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    return !PyErr_Occurred();
}

/* A tuple of Many.view's; None is no matrix. false: an exception is set */
static bool view_of(calls *c, PyObject *o, tsl_view *v, tsl_status *st)
{
    int64_t n[VIEW];
    *v = (tsl_view){0};
    if (o == Py_None) return true;
    if (!PyTuple_Check(o) || PyTuple_Size(o) != VIEW) return PyErr_SetString(PyExc_TypeError, "a view is a tuple of 11 numbers"), false;
    if (!numbers(o, n, VIEW)) return false;
    const wrapping w = {n[0], n[1], n[2], n[3], n[4], n[5]};
    tsl_matrix *m;
    *st = matrix_of(c, &w, &m);
    if (!*st) *v = (tsl_view){.mat = m, .m = n[6], .n = n[7], .op = (tsl_op)n[8], .uplo = (tsl_uplo)n[9], .diag = (tsl_diag)n[10]};
    return true;
}

typedef union argument {
    tsl_view v;
    tsl_scalar a;
    double d;
    int e;
    int64_t i;
    void *p;
} argument;

/* x is the context, and not among them. The last I is where the outcome goes, an address or None: `outcome`. */
static bool argument_of(calls *c, char letter, PyObject *o, argument *to, int64_t *outcome, tsl_status *st)
{
    switch (letter) {
    case 'v': return view_of(c, o, &to->v, st);
    case 'a': to->a = __builtin_complex(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)); break;
    case 'd': to->d = PyFloat_AsDouble(o); break;
    case 'e': to->e = (int)PyLong_AsLong(o); break;
    case 'i': to->i = PyLong_AsLongLong(o); break;
    case 'W': to->p = NULL; break;
    case 'I': to->p = o == Py_None ? NULL : o == Py_True ? (void *)outcome : (void *)(intptr_t)PyLong_AsLongLong(o); break;
    default: PyErr_SetString(PyExc_ValueError, "a letter that is none"); break;
    }
    return !PyErr_Occurred();
}

/* What functions take, by name of the letters, and how one is called */
#define SIGNATURES(X)                                                                                                     \
    X(vve, (V, V, E), (a[0].v, a[1].v, a[2].e))                                                                            \
    X(vI, (V, P), (a[0].v, a[1].p)) X(vv, (V, V), (a[0].v, a[1].v)) X(vvI, (V, V, P), (a[0].v, a[1].v, a[2].p))            \
    X(vvv, (V, V, V), (a[0].v, a[1].v, a[2].v)) X(vvvI, (V, V, V, P), (a[0].v, a[1].v, a[2].v, a[3].p))                    \
    X(eavv, (E, A, V, V), (a[0].e, a[1].a, a[2].v, a[3].v)) X(vdvII, (V, D, V, P, P), (a[0].v, a[1].d, a[2].v, a[3].p, a[4].p)) \
    X(vWvvII, (V, P, V, V, P, P), (a[0].v, a[1].p, a[2].v, a[3].v, a[4].p, a[5].p))                                         \
    X(ivvWvvII, (I, V, V, P, V, V, P, P), (a[0].i, a[1].v, a[2].v, a[3].p, a[4].v, a[5].v, a[6].p, a[7].p))                 \
    X(vevvvI, (V, E, V, V, V, P), (a[0].v, a[1].e, a[2].v, a[3].v, a[4].v, a[5].p))                                         \
    X(vvvvvI, (V, V, V, V, V, P), (a[0].v, a[1].v, a[2].v, a[3].v, a[4].v, a[5].p))                                         \
    X(vevvvII, (V, E, V, V, V, P, P), (a[0].v, a[1].e, a[2].v, a[3].v, a[4].v, a[5].p, a[6].p))

typedef tsl_view V;
typedef tsl_scalar A;
typedef double D;
typedef int E;
typedef int64_t I;
typedef void *P;
typedef void (*function)(void);
#define OPENED(...) __VA_ARGS__
#define CALL(letters, takes, gives)                                                           \
    static tsl_status call_##letters(function f, tsl_context *x, const argument *a)          \
    {                                                                                         \
        return ((tsl_status(*)(tsl_context *, OPENED takes))f)(x, OPENED gives);              \
    }
SIGNATURES(CALL)

static const struct {
    const char *letters;
    tsl_status (*call)(function f, tsl_context *x, const argument *a);
} signatures[] = {
#define ROW(letters, takes, gives) {#letters, call_##letters},
    SIGNATURES(ROW)};

enum { KINDS = sizeof signatures / sizeof *signatures };

/* The number of these letters, after x; None: there is none */
static PyObject *signature(PyObject *module, PyObject *letters)
{
    (void)module;
    for (int i = 0; i < KINDS; ++i)
        if (PyUnicode_CompareWithASCIIString(letters, signatures[i].letters) == 0) return PyLong_FromLong(i);
    Py_RETURN_NONE;
}

/* call(function, signature, arguments): the outcome if it is asked for, else 0; of a status that is not TSL_OK -1 - it */
static PyObject *call(PyObject *self, PyObject *args)
{
    calls *c = (calls *)self;
    long long address;
    int kind;
    PyObject *given;
    argument a[ARGUMENTS];
    int64_t outcome = 0;
    tsl_status st = TSL_OK;
    if (!PyArg_ParseTuple(args, "LiO!", &address, &kind, &PyTuple_Type, &given)) return NULL;
    if (kind < 0 || kind >= KINDS) return PyErr_SetString(PyExc_ValueError, "no such signature"), NULL;
    const char *letters = signatures[kind].letters;
    if (PyTuple_Size(given) != (Py_ssize_t)strlen(letters)) return PyErr_Format(PyExc_TypeError, "arguments must be %s", letters), NULL;
    if (c->count > MOST) forget(c); /* before this call's are found */
    for (int i = 0; letters[i] && !st; ++i)
        if (!argument_of(c, letters[i], PyTuple_GetItem(given, i), &a[i], &outcome, &st)) return NULL;
    if (!st) {
        Py_BEGIN_ALLOW_THREADS
        st = signatures[kind].call((function)(intptr_t)address, c->context, a);
        Py_END_ALLOW_THREADS
    }
    return PyLong_FromLongLong(st ? -1 - (long long)st : outcome);
}

static PyObject *end(PyObject *self, PyObject *none)
{
    (void)none;
    forget((calls *)self);
    Py_RETURN_NONE;
}

static PyObject *begin(PyTypeObject *type, PyObject *args, PyObject *how)
{
    unsigned long long context;
    (void)how;
    if (!PyArg_ParseTuple(args, "K", &context)) return NULL;
    calls *c = (calls *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!c) return NULL;
    c->context = (tsl_context *)(intptr_t)context;
    c->row = calloc(ROWS, sizeof *c->row);
    if (c->row) return (PyObject *)c;
    Py_DECREF(c);
    return PyErr_NoMemory();
}

static void gone(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free(((calls *)self)->row);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* bind(matrix_wrap, batch_wrap, matrix_free): their addresses */
static PyObject *bind(PyObject *module, PyObject *args)
{
    unsigned long long one, batch, free_;
    (void)module;
    if (!PyArg_ParseTuple(args, "KKK", &one, &batch, &free_)) return NULL;
    library.one = (tsl_status(*)(tsl_context *, tsl_type, int64_t, int64_t, void *, int64_t, tsl_matrix **))(intptr_t)one;
    library.batch = (tsl_status(*)(tsl_context *, tsl_type, int64_t, int64_t, void *, int64_t, int64_t, int64_t, tsl_matrix **))(intptr_t)batch;
    library.end = (void (*)(tsl_matrix *))(intptr_t)free_;
    Py_RETURN_NONE;
}

static PyMethodDef of_calls[] = {{"call", call, METH_VARARGS, NULL}, {"end", end, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, (void *)begin}, {Py_tp_dealloc, (void *)gone}, {Py_tp_methods, of_calls}, {0, NULL}};
static PyType_Spec spec = {"tesela_fast.Calls", sizeof(calls), 0, Py_TPFLAGS_DEFAULT, slots};
static PyMethodDef functions[] = {{"bind", bind, METH_VARARGS, NULL}, {"signature", signature, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "tesela_fast", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_tesela_fast(void)
{
    PyObject *m = PyModule_Create(&module), *type = m ? PyType_FromSpec(&spec) : NULL;
    if (type && PyModule_AddObject(m, "Calls", type) == 0) return m;
    Py_XDECREF(type);
    Py_XDECREF(m);
    return NULL;
}
