/* Calls of one context: a view is a tuple of numbers; the tsl_matrix behind it is made at its first use, and found again by
 * what it wraps. Whoever calls has the context's lock. */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

enum { ROWS = 4096, MOST = ROWS / 2 };

struct library library;

typedef struct known {
    wrapping of;
    tsl_matrix *matrix; /* NULL: the place is free */
} known;

struct calls {
    PyObject_HEAD
    tsl_context *context;
    int count;
    known *row; /* a table of addresses, each where its bits say or behind */
};

tsl_context *context_of(const calls *c) { return c->context; }

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

void make_room(calls *c)
{
    if (c->count > MOST) forget(c);
}

static known *place_of(calls *c, const wrapping *w)
{
    uint64_t bits = (uint64_t)w->address ^ (uint64_t)(w->m * 31 + w->n * 17 + w->type + w->count * 7) << 20;
    unsigned at = (unsigned)(bits * 0x9e3779b97f4a7c15u >> 52) % ROWS;
    while (c->row[at].matrix && memcmp(&c->row[at].of, w, sizeof *w)) at = (at + 1) % ROWS;
    return &c->row[at];
}

tsl_status matrix_of(calls *c, const wrapping *w, tsl_matrix **m)
{
    known *k = place_of(c, w);
    if (!k->matrix) {
        int64_t ld = w->m > 0 ? w->m : 1;
        void *p = (void *)(intptr_t)w->address;
        tsl_type type = (tsl_type)w->type;
        tsl_status st = w->count < 0 ? library.one(c->context, type, w->m, w->n, p, ld, &k->matrix)
                                     : library.batch(c->context, type, w->m, w->n, p, ld, w->stride, w->count, &k->matrix);
        if (st) return k->matrix = NULL, st;
        k->of = *w;
        ++c->count;
    }
    *m = k->matrix;
    return TSL_OK;
}

/* false: an exception is set */
bool numbers(PyObject *tuple, int64_t *to, int count)
{
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != count)
        return PyErr_Format(PyExc_TypeError, "not a tuple of %d numbers", count), false;
    for (int i = 0; i < count; ++i) to[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    return !PyErr_Occurred();
}

tsl_view view_of(const int64_t n[VIEW], tsl_matrix *m)
{
    return (tsl_view){.mat = m, .m = n[6], .n = n[7], .op = (tsl_op)n[8], .uplo = (tsl_uplo)n[9], .diag = (tsl_diag)n[10]};
}

/* A tuple of Many.view's; None is no matrix. false: an exception is set */
static bool view_argument(calls *c, PyObject *o, tsl_view *v, tsl_status *st)
{
    int64_t n[VIEW];
    *v = (tsl_view){0};
    if (o == Py_None) return true;
    if (!numbers(o, n, VIEW)) return false;
    const wrapping w = {n[0], n[1], n[2], n[3], n[4], n[5]};
    tsl_matrix *m;
    *st = matrix_of(c, &w, &m);
    if (!*st) *v = view_of(n, m);
    return true;
}

/* Of a letter that is neither a view's nor an outcome's. false: an exception is set */
bool plain_argument(char letter, PyObject *o, argument *to)
{
    switch (letter) {
    case 'a': to->a = __builtin_complex(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)); break;
    case 'd': to->d = PyFloat_AsDouble(o); break;
    case 'e': to->e = (int)PyLong_AsLong(o); break;
    case 'i': to->i = PyLong_AsLongLong(o); break;
    case 'W': to->p = NULL; break;
    default: PyErr_SetString(PyExc_ValueError, "a letter that is none"); break;
    }
    return !PyErr_Occurred();
}

/* An outcome goes to an address; True: to `outcome`; None: it is not told. */
static bool argument_of(calls *c, char letter, PyObject *o, argument *to, int64_t *outcome, tsl_status *st)
{
    if (letter == 'v') return view_argument(c, o, &to->v, st);
    if (letter != 'I') return plain_argument(letter, o, to);
    to->p = o == Py_None ? NULL : o == Py_True ? (void *)outcome : (void *)(intptr_t)PyLong_AsLongLong(o);
    return !PyErr_Occurred();
}

/* call(function, signature, arguments): the outcome if it is asked for, else 0; of a status that is not TSL_OK -1 - it. The
 * context is the function's first argument, and not among these. */
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
    const char *letters = letters_of(kind);
    if (!letters) return PyErr_SetString(PyExc_ValueError, "no such signature"), NULL;
    if (PyTuple_Size(given) != (Py_ssize_t)strlen(letters))
        return PyErr_Format(PyExc_TypeError, "arguments must be %s", letters), NULL;
    make_room(c);
    for (int i = 0; letters[i] && !st; ++i)
        if (!argument_of(c, letters[i], PyTuple_GetItem(given, i), &a[i], &outcome, &st)) return NULL;
    if (!st) {
        Py_BEGIN_ALLOW_THREADS
        st = call_by(kind, (function)(intptr_t)address, c->context, a);
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

static PyMethodDef methods[] = {{"call", call, METH_VARARGS, NULL}, {"end", end, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, (void *)begin}, {Py_tp_dealloc, (void *)gone}, {Py_tp_methods, methods}, {0, NULL}};
static PyType_Spec spec = {"tesela_fast.Calls", sizeof(calls), 0, Py_TPFLAGS_DEFAULT, slots};

PyObject *calls_type(void)
{
    static PyObject *type;
    if (!type) type = PyType_FromSpec(&spec);
    return type;
}
