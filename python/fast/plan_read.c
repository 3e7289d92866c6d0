/* Plans from their descriptions. */
#include <stdlib.h>

#include "plan.h"

int plan_inputs(PyObject *self) { return ((plan *)self)->inputs; }

/* Slots of a plan: there are so many. NULL: an exception is set */
static int *slots_of(const plan *p, PyObject *tuple, int *count, bool constants)
{
    Py_ssize_t n = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
    int *slot = n < 0 ? NULL : malloc((size_t)(n + 1) * sizeof *slot);
    for (Py_ssize_t i = 0; slot && i < n; ++i) {
        slot[i] = (int)PyLong_AsLong(PyTuple_GetItem(tuple, i));
        if (!PyErr_Occurred() && slot[i] < p->slots && slot[i] >= (constants ? -1 : 0)) continue;
        free(slot);
        slot = NULL;
    }
    if (!slot && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "not slots of a plan");
    *count = slot ? (int)n : 0;
    return slot;
}

/* (function, slots, values, keywords or None, slots of what it makes) */
static bool read_torch(const plan *p, PyObject *from, torch_step *s)
{
    PyObject *function, *slots, *values, *named, *outs;
    if (!PyArg_ParseTuple(from, "OOO!OO", &function, &slots, &PyTuple_Type, &values, &named, &outs)) return false;
    s->from = slots_of(p, slots, &s->count, true);
    s->to = s->from ? slots_of(p, outs, &s->outs, false) : NULL;
    s->function = held(function), s->values = held(values), s->named = named == Py_None ? NULL : held(named);
    if (s->to && PyTuple_Size(values) != s->count) PyErr_SetString(PyExc_ValueError, "as many values as slots");
    return s->to && !PyErr_Occurred();
}

/* What is of the context of a step */
static bool read_context(PyObject *context, step *s)
{
    PyObject *lock = PyObject_GetAttrString(context, "lock");
    s->context = held(context);
    s->fast = PyObject_GetAttrString(context, "fast");
    s->acquire = lock ? PyObject_GetAttrString(lock, "acquire") : NULL;
    s->release = lock ? PyObject_GetAttrString(lock, "release") : NULL;
    Py_XDECREF(lock);
    if (!s->fast || !s->acquire || !s->release) return false;
    if ((PyObject *)Py_TYPE(s->fast) == calls_type()) return true;
    return PyErr_SetString(PyExc_TypeError, "a context without compiled calls"), false;
}

/* (context, stream, gpu, whether the library's work is on the default stream) */
static bool read_order(PyObject *from, step *s)
{
    PyObject *context, *stream, *gpu;
    int on_default;
    if (!PyArg_ParseTuple(from, "OOOp", &context, &stream, &gpu, &on_default)) return false;
    s->order = (order_step){.stream = held(stream), .gpu = held(gpu), .on_default = on_default};
    return read_context(context, s);
}

/* A view has its slot where an address would be; the place of an outcome is a slot, True where it is told, None. */
static bool read_argument(const plan *p, char letter, PyObject *o, call_step *c, int i)
{
    c->view[i].slot = c->place[i] = -1;
    if (letter == 'v') {
        if (o == Py_None) return c->a[i].v = (tsl_view){0}, true;
        if (!numbers(o, c->view[i].n, VIEW)) return false;
        c->view[i].slot = (int)c->view[i].n[3];
    } else if (letter == 'I') {
        c->a[i].i = o == Py_True;
        if (o != Py_True && o != Py_None) c->place[i] = (int)PyLong_AsLong(o);
    } else {
        return plain_argument(letter, o, &c->a[i]);
    }
    if (!PyErr_Occurred() && (c->view[i].slot >= p->slots || c->place[i] >= p->slots))
        PyErr_SetString(PyExc_ValueError, "no slot of a plan");
    return !PyErr_Occurred();
}

/* (context, name, address, signature, arguments, how many outcomes are told) */
static bool read_call(const plan *p, PyObject *from, step *s)
{
    PyObject *context, *name, *args;
    unsigned long long address;
    long long outcomes;
    call_step *c = &s->call;
    if (!PyArg_ParseTuple(from, "OOKiO!L", &context, &name, &address, &c->signature, &PyTuple_Type, &args, &outcomes))
        return false;
    const char *letters = letters_of(c->signature);
    s->name = held(name);
    c->f = (function)(intptr_t)address, c->outcomes = outcomes;
    if (!letters || outcomes < 0 || PyTuple_Size(args) != (Py_ssize_t)strlen(letters))
        return PyErr_SetString(PyExc_ValueError, "no such call"), false;
    for (int i = 0; letters[i]; ++i)
        if (!read_argument(p, letters[i], PyTuple_GetItem(args, i), c, i)) return false;
    return read_context(context, s);
}

static bool read_step(const plan *p, PyObject *from, step *s)
{
    static const char *const names[] = {"torch", "enter", "exit", "call", "drop"};
    PyObject *name, *of;
    int k = 0;
    if (!PyArg_ParseTuple(from, "UO", &name, &of)) return false;
    while (k <= DROP && PyUnicode_CompareWithASCIIString(name, names[k])) ++k;
    if (k > DROP) return PyErr_SetString(PyExc_ValueError, "no such step"), false;
    s->kind = (kind)k;
    if (k == TORCH) return read_torch(p, of, &s->torch);
    if (k == ENTER) return read_order(of, s);
    if (k == CALL) return read_call(p, of, s);
    return k == EXIT || (s->torch.to = slots_of(p, of, &s->torch.outs, false)) != NULL;
}

/* Plan(inputs, slots, slots of constants, the constants, steps, tuple.__new__, class, slots of results) */
static PyObject *begin(PyTypeObject *type, PyObject *args, PyObject *how)
{
    PyObject *constants, *kept, *steps, *make, *class, *results;
    int inputs, slots;
    (void)how;
    if (!PyArg_ParseTuple(args, "iiOO!O!OOO", &inputs, &slots, &constants, &PyTuple_Type, &kept, &PyTuple_Type, &steps, &make,
                          &class, &results))
        return NULL;
    Py_ssize_t count = PyTuple_Size(steps);
    if (inputs < 0 || inputs > slots || slots > SLOTS) return PyErr_SetString(PyExc_ValueError, "too many slots"), NULL;
    plan *p = (plan *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!p) return NULL;
    p->inputs = inputs, p->slots = slots;
    p->kept = held(kept), p->make = held(make), p->class = held(class);
    p->step = calloc((size_t)count + 1, sizeof *p->step);
    p->constant = slots_of(p, constants, &p->constants, false);
    p->results = p->constant ? slots_of(p, results, &p->count, false) : NULL;
    if (!p->step) PyErr_NoMemory();
    else if (p->results && (PyTuple_Size(kept) != p->constants || (class == Py_None && p->count != 1)))
        PyErr_SetString(PyExc_ValueError, "slots without objects");
    while (!PyErr_Occurred() && p->steps < count) {
        ++p->steps; /* also one that is half read ends with the plan */
        (void)read_step(p, PyTuple_GetItem(steps, p->steps - 1), &p->step[p->steps - 1]);
    }
    if (!PyErr_Occurred()) return (PyObject *)p;
    Py_DECREF(p);
    return NULL;
}

static void gone(PyObject *self)
{
    plan *p = (plan *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int i = 0; i < p->steps; ++i) {
        step *s = &p->step[i];
        PyObject *const all[] = {s->context, s->fast, s->acquire, s->release, s->name};
        for (int k = 0; k < (int)(sizeof all / sizeof *all); ++k) Py_XDECREF(all[k]);
        if (s->kind == TORCH) {
            Py_XDECREF(s->torch.function), Py_XDECREF(s->torch.values), Py_XDECREF(s->torch.named);
            free(s->torch.from);
        }
        if (s->kind == TORCH || s->kind == DROP) free(s->torch.to);
        if (s->kind == ENTER) Py_XDECREF(s->order.stream), Py_XDECREF(s->order.gpu);
    }
    free(p->step);
    free(p->results);
    free(p->constant);
    Py_XDECREF(p->kept), Py_XDECREF(p->make), Py_XDECREF(p->class);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyType_Slot type_slots[] = {{Py_tp_new, (void *)begin}, {Py_tp_dealloc, (void *)gone}, {0, NULL}};
static PyType_Spec spec = {"tesela_fast.Plan", sizeof(plan), 0, Py_TPFLAGS_DEFAULT, type_slots};

PyObject *plan_type(void)
{
    static PyObject *type;
    if (!type) type = PyType_FromSpec(&spec);
    return type;
}
