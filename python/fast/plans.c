/* The plans of a function: which plan a call has, by the types, shapes, strides and devices of its tensors and by its other
 * arguments. A call that is met for the second time is recorded, later ones run by its plan. Calls that somebody follows (a
 * compiler, a transformation, a gradient), under options, or with arguments of other kinds go to the function itself. */
#include <stdlib.h>
#include <string.h>

#include "dlpack.h"
#include "fast.h"

enum { WORDS = 128, INPUTS = 8, ROWS = 512, MOST = ROWS / 2 };

static struct {
    PyObject *tensor, *parameter;         /* the only classes whose tensors are taken */
    PyObject *options, *chosen;           /* the default ones; chosen(): those of the calls now */
    PyObject *modes, *transforms, *graded; /* functions: does one of PyTorch's modes follow, torch.func, autograd? */
    PyObject *levels;                     /* the module of forward mode, whose _current_level says the same */
    PyObject *negative, *conjugate;       /* functions of a tensor */
    const dl_exchange *exchange;
} torch;

/* What a call is told apart by. */
typedef struct key {
    int count, inputs, texts;
    int64_t word[WORDS];
    PyObject *input[INPUTS], *text[INPUTS]; /* tensors; strings, which are interned */
} key;

typedef struct known {
    int count;
    int64_t *word; /* NULL: the place is free */
    uint64_t hash;
    PyObject *plan, *texts; /* NULL: met once; None: it has no plan */
} known;

typedef struct plans {
    PyObject_HEAD
    PyObject *f, *record;
    int count;
    known *row;
} plans;

static _Thread_local bool recording; /* what a recorded call calls goes to the functions themselves */

PyObject *default_options(void) { return torch.options; }

bool address_of(PyObject *tensor, int64_t *address)
{
    dl_tensor t;
    if (torch.exchange->tensor_of(tensor, &t)) return false;
    *address = (int64_t)(intptr_t)t.data + (int64_t)t.byte_offset;
    return true;
}

/* ---- keys */

static bool is_true(PyObject *f, PyObject *of)
{
    PyObject *o = of ? PyObject_CallFunctionObjArgs(f, of, NULL) : PyObject_CallObject(f, NULL);
    bool is = !o || PyObject_IsTrue(o);
    if (!o) PyErr_Clear();
    Py_XDECREF(o);
    return is;
}

/* Does somebody follow, or do options hold? */
static bool special(void)
{
    PyObject *now = PyObject_CallObject(torch.chosen, NULL), *level = NULL;
    bool is = now != torch.options || is_true(torch.modes, NULL) || is_true(torch.transforms, NULL);
    Py_XDECREF(now);
    if (!is) level = PyObject_GetAttrString(torch.levels, "_current_level");
    if (level) is = PyLong_AsLong(level) >= 0;
    Py_XDECREF(level);
    if (PyErr_Occurred()) return PyErr_Clear(), true;
    return is;
}

static bool add(key *k, int64_t word)
{
    if (k->count == WORDS) return false;
    k->word[k->count++] = word;
    return true;
}

enum { A_TENSOR, AN_OBJECT, AN_INTEGER, A_NUMBER, A_NAME };

static bool add_tensor(key *k, PyObject *o)
{
    dl_tensor t;
    for (int i = 0; i < k->inputs; ++i)
        if (k->input[i] == o) return false; /* steps that are recorded could not tell which of them is meant */
    if (k->inputs == INPUTS) return false;
    if (torch.exchange->tensor_of(o, &t)) return PyErr_Clear(), false;
    int64_t size = 1;
    bool complex = t.dtype.code == 5, good = add(k, A_TENSOR) && add(k, t.dtype.code << 8 | t.dtype.bits);
    good = good && add(k, (int64_t)t.device.type << 32 | t.device.id) && add(k, t.ndim);
    for (int i = 0; i < t.ndim && good; ++i) good = add(k, t.shape[i]) && add(k, t.strides[i]), size *= t.shape[i];
    if (!good || (size && !t.data) || is_true(torch.negative, o) || (complex && is_true(torch.conjugate, o))) return false;
    k->input[k->inputs++] = o;
    return true;
}

/* Interned: one object for all equal ones */
static bool add_text(key *k, PyObject *o)
{
    if (k->texts == INPUTS) return false;
    Py_INCREF(o);
    PyUnicode_InternInPlace(&o);
    k->text[k->texts++] = o;
    return add(k, (int64_t)(intptr_t)o);
}

static bool add_argument(key *k, PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    if ((PyObject *)type == torch.tensor || (PyObject *)type == torch.parameter) return add_tensor(k, o);
    if (o == Py_None || o == Py_True || o == Py_False) return add(k, AN_OBJECT) && add(k, (int64_t)(intptr_t)o);
    if (type == &PyUnicode_Type) return add(k, AN_OBJECT) && add_text(k, o);
    if (type == &PyFloat_Type) {
        double number = PyFloat_AsDouble(o);
        int64_t bits;
        memcpy(&bits, &number, sizeof bits);
        return add(k, A_NUMBER) && add(k, bits);
    }
    if (type != &PyLong_Type) return false;
    int over;
    long long number = PyLong_AsLongLongAndOverflow(o, &over);
    return !over && add(k, AN_INTEGER) && add(k, number);
}

/* false: such a call has no plan */
static bool key_of(key *k, PyObject *args, PyObject *how)
{
    PyObject *name, *o;
    Py_ssize_t at = 0, count = PyTuple_Size(args);
    k->count = k->inputs = k->texts = 0;
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!add_argument(k, PyTuple_GetItem(args, i))) return false;
    while (how && PyDict_Next(how, &at, &name, &o)) {
        if (o != Py_None && PyUnicode_CompareWithASCIIString(name, "out") == 0) return false;
        if (!add(k, A_NAME) || !add_text(k, name) || !add_argument(k, o)) return false;
    }
    return k->inputs > 0;
}

static void end_key(key *k)
{
    for (int i = 0; i < k->texts; ++i) Py_DECREF(k->text[i]);
}

/* Will gradients be wanted? */
static bool has_gradients(const key *k)
{
    static PyObject *name;
    if (!name) name = PyUnicode_InternFromString("requires_grad");
    if (!is_true(torch.graded, NULL)) return false;
    for (int i = 0; i < k->inputs; ++i) {
        PyObject *o = PyObject_GetAttr(k->input[i], name);
        bool has = o != Py_False;
        Py_XDECREF(o);
        if (!o) PyErr_Clear();
        if (has) return true;
    }
    return false;
}

/* ---- the table */

static uint64_t hash_of(const key *k)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < k->count; ++i) hash = (hash ^ (uint64_t)k->word[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    return hash;
}

/* Where it is, or where it is to be */
static known *place_of(const plans *p, const key *k, uint64_t hash)
{
    unsigned at = (unsigned)(hash % ROWS);
    for (known *n = &p->row[at]; n->word; n = &p->row[at = (at + 1) % ROWS])
        if (n->hash == hash && n->count == k->count && !memcmp(n->word, k->word, (size_t)k->count * sizeof *k->word)) return n;
    return &p->row[at];
}

/* What objects do at their end may come back here: the table is empty before any of them ends. */
static void clear(plans *p)
{
    known *old = p->row, *fresh = calloc(ROWS, sizeof *fresh);
    if (!fresh) return;
    p->row = fresh;
    p->count = 0;
    for (int i = 0; i < ROWS; ++i) {
        free(old[i].word);
        Py_XDECREF(old[i].plan);
        Py_XDECREF(old[i].texts);
    }
    free(old);
}

/* A call that has not been met; where there is no memory nothing is kept. */
static void meet(plans *p, const key *k, uint64_t hash)
{
    if (p->count >= MOST) clear(p);
    if (p->count >= MOST) return;
    PyObject *texts = PyTuple_New(k->texts);
    int64_t *word = texts ? malloc((size_t)k->count * sizeof *word) : NULL;
    if (!word) {
        PyErr_Clear();
        Py_XDECREF(texts);
        return;
    }
    for (int i = 0; i < k->texts; ++i) {
        Py_INCREF(k->text[i]);
        PyTuple_SetItem(texts, i, k->text[i]);
    }
    memcpy(word, k->word, (size_t)k->count * sizeof *word);
    known *n = place_of(p, k, hash);
    if (n->word) { /* by another thread meanwhile: to make a tuple may let it in */
        free(word);
        Py_DECREF(texts);
        return;
    }
    *n = (known){.count = k->count, .word = word, .hash = hash, .texts = texts};
    ++p->count;
}

/* record(f, args, keywords): what f returns, and its plan or None */
static PyObject *recorded(plans *p, const key *k, uint64_t hash, PyObject *args, PyObject *how)
{
    PyObject *both, *result, *plan;
    recording = true;
    both = PyObject_CallFunctionObjArgs(p->record, p->f, args, how ? how : Py_None, NULL);
    recording = false;
    if (!both) return NULL;
    result = PyTuple_GetItem(both, 0), plan = PyTuple_GetItem(both, 1);
    known *n = place_of(p, k, hash); /* the table may be another by now */
    if (n->word && !n->plan) {
        Py_INCREF(plan);
        n->plan = plan;
    }
    Py_INCREF(result);
    Py_DECREF(both);
    return result;
}

static PyObject *by_plan(PyObject *plan, const key *k, PyObject *f, PyObject *args, PyObject *how)
{
    PyObject *result = NULL;
    ending e;
    Py_INCREF(plan); /* another thread may clear the table meanwhile */
    e = plan_inputs(plan) == k->inputs ? plan_run(plan, k->input, &result) : BY_PYTHON;
    Py_DECREF(plan);
    return e == BY_PYTHON ? PyObject_Call(f, args, how) : result;
}

/* ---- the object */

static PyObject *call(PyObject *self, PyObject *args, PyObject *how)
{
    plans *p = (plans *)self;
    PyObject *result = NULL, *plan = NULL;
    key k = {0};
    bool met = false, mine = torch.exchange && !recording && !special() && key_of(&k, args, how) && !has_gradients(&k);
    uint64_t hash = mine ? hash_of(&k) : 0;
    if (mine) {
        known *n = place_of(p, &k, hash);
        met = n->word != NULL, plan = n->plan;
        if (!met) meet(p, &k, hash);
    }
    if (plan && plan != Py_None) result = by_plan(plan, &k, p->f, args, how);
    else if (met && !plan) result = recorded(p, &k, hash, args, how);
    else result = PyObject_Call(p->f, args, how);
    end_key(&k);
    return result;
}

static PyObject *forget(PyObject *self, PyObject *none)
{
    (void)none;
    clear((plans *)self);
    Py_RETURN_NONE;
}

/* Plans(f, record) */
static PyObject *begin(PyTypeObject *type, PyObject *args, PyObject *how)
{
    PyObject *f, *record;
    (void)how;
    if (!PyArg_ParseTuple(args, "OO", &f, &record)) return NULL;
    plans *p = (plans *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!p) return NULL;
    Py_INCREF(f);
    Py_INCREF(record);
    p->f = f, p->record = record;
    p->row = calloc(ROWS, sizeof *p->row);
    if (p->row) return (PyObject *)p;
    Py_DECREF(p);
    return PyErr_NoMemory();
}

static void gone(PyObject *self)
{
    plans *p = (plans *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (p->row) clear(p);
    free(p->row);
    Py_XDECREF(p->f), Py_XDECREF(p->record);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {{"forget", forget, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_new, (void *)begin}, {Py_tp_dealloc, (void *)gone}, {Py_tp_call, (void *)call}, {Py_tp_methods, methods}, {0, NULL}};
static PyType_Spec spec = {"tesela_fast.Plans", sizeof(plans), 0, Py_TPFLAGS_DEFAULT, slots};

PyObject *plans_type(void)
{
    static PyObject *type;
    if (!type) type = PyType_FromSpec(&spec);
    return type;
}

/* watch(exchange, Tensor, Parameter, options, chosen, modes, transforms, graded, levels, is_neg, is_conj) */
PyObject *watch(PyObject *module, PyObject *args)
{
    PyObject *exchange, **const to[] = {&torch.tensor, &torch.parameter, &torch.options, &torch.chosen, &torch.modes,
                                        &torch.transforms, &torch.graded, &torch.levels, &torch.negative, &torch.conjugate};
    const int count = sizeof to / sizeof *to;
    (void)module;
    if (PyTuple_Size(args) != 1 + count) return PyErr_SetString(PyExc_TypeError, "not what is to be watched"), NULL;
    exchange = PyTuple_GetItem(args, 0);
    const dl_exchange *e = PyCapsule_GetPointer(exchange, "dlpack_exchange_api");
    if (!e) return NULL;
    if (e->version.major != DLPACK_MAJOR || !e->tensor_of)
        return PyErr_SetString(PyExc_ValueError, "functions of another DLPack"), NULL;
    for (int i = 0; i < count; ++i) {
        Py_XDECREF(*to[i]);
        *to[i] = PyTuple_GetItem(args, 1 + i);
        Py_INCREF(*to[i]);
    }
    Py_INCREF(exchange);
    torch.exchange = e;
    Py_RETURN_NONE;
}
