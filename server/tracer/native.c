/* The recorders of operations in C: what `generated` says in Python, for arrays without a detour.

   Optional. Where this module wasn't built, or doesn't fit the user's interpreter or NumPy, the
   recorders of `generated` do the same work, at some seven times the cost. So nothing is decided here:
   what is logged, and when, is what their source says, and whatever isn't the common case is handed
   to them, or to the methods of `Recorder` that they call.

   Compiled for the stable interface of CPython 3.11, so that one file serves every later version,
   and without NumPy's headers, so that it serves every NumPy: where an array has its fields is
   tried on a probe (`learn`) before it is relied on. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <fenv.h>
#include <stdint.h>
#include <string.h>

/* What types of 3.11 may be, but what the stable interface has no names for yet. */
typedef PyObject *(*Call)(PyObject *self, PyObject *const *args, size_t flags, PyObject *names);
#define HAS_VECTORCALL (1UL << 11)
#define IS_SEQUENCE (1UL << 5) /* for patterns of match statements */
#define COUNT(flags) ((Py_ssize_t)((flags) & ~((size_t)1 << (8 * sizeof(size_t) - 1))))

enum { ENTER = -1 }; /* as `recorder` has it */
#define MOST_OPERANDS 64
#define MOST_ITEMS 64 /* MAX_PACK of `recorder` */

/* As NumPy has laid out its arrays since 1.7. */
typedef struct {
  PyObject_HEAD
  char *data;
  int dimensions;
  Py_ssize_t *shape, *strides;
  PyObject *base, *dtype;
  int flags;
} Array;
enum { C_CONTIGUOUS = 1, F_CONTIGUOUS = 2 };

/* What counts references here is Python 3.11's: it counts those of immortal objects too, which from
   3.12 on makes them mortal for as long as we hold them, and shows. So what is immortal there, and
   known here, is not held: the type of arrays, and None among what is logged. */

/* ------------------------------------------------------------------ what recorders share */

enum { TOKEN, PASSIVE, DESCRIBED, ITEMS, FOREIGN, NOT_FINITE, RETURNED, CHANGED, NOTHING,
       INTERESTING, SMALL, SHARED };
static const char *const SHARED_NAMES[SHARED] = {
    "token", "passive", "described", "items", "foreign", "not_finite", "returned", "changed",
    "NOTHING", "INTERESTING", "SMALL"};

/* An array that the log has: its token, and its shape, strides and so on as one number. */
typedef struct {
  PyObject *token;
  uint64_t layout;
} Known;
#define MOST_KNOWN 512

/* A type of elements of which the library has one object to its end, and its name. */
typedef struct {
  const void *dtype;
  PyObject *name;
} Named;
#define MOST_NAMED 128 /* many times as many as there are */

typedef struct {
  PyObject_HEAD
  PyObject *recorder_type, *event_type;
  PyObject *space, *log, *tokens;
  PyObject *shared[SHARED];
  PyObject *array;               /* the type, which the library keeps; NULL until `learn` */
  PyObject *float64, *float32, *boolean;
  Named named[MOST_NAMED];       /* by address, or from there on */
  PyObject *dtype_name;          /* what names all others */
  Py_ssize_t large;              /* elements above which the floating-point status is asked */
  PyObject *scalars, *packs, *library; /* names of these sets in the space */
  PyObject *frames, *count;      /* the records of all frames by id, and what numbers frames */
  PyObject *record, *held;       /* the frame met last, and its tokens */
  unsigned long thread;          /* the program's own */
  Known known[MOST_KNOWN];       /* by address of the token; a later one replaces it */
} State;

static int state_traverse(State *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE((PyObject *)self));
  Py_VISIT(self->recorder_type);
  Py_VISIT(self->event_type);
  Py_VISIT(self->space);
  Py_VISIT(self->log);
  Py_VISIT(self->tokens);
  for (int i = 0; i < SHARED; i++) Py_VISIT(self->shared[i]);
  Py_VISIT(self->dtype_name);
  Py_VISIT(self->frames);
  Py_VISIT(self->held);
  return 0;
}

static int state_clear(State *self) {
  Py_CLEAR(self->recorder_type);
  Py_CLEAR(self->event_type);
  Py_CLEAR(self->space);
  Py_CLEAR(self->log);
  Py_CLEAR(self->tokens);
  for (int i = 0; i < SHARED; i++) Py_CLEAR(self->shared[i]);
  Py_CLEAR(self->float64);
  Py_CLEAR(self->float32);
  Py_CLEAR(self->boolean);
  for (int i = 0; i < MOST_NAMED; i++) Py_CLEAR(self->named[i].name);
  Py_CLEAR(self->dtype_name);
  Py_CLEAR(self->scalars);
  Py_CLEAR(self->packs);
  Py_CLEAR(self->library);
  Py_CLEAR(self->frames);
  Py_CLEAR(self->count);
  Py_CLEAR(self->record);
  Py_CLEAR(self->held);
  for (int i = 0; i < MOST_KNOWN; i++) Py_CLEAR(self->known[i].token);
  return 0;
}

static void destroy(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  ((inquiry)PyType_GetSlot(type, Py_tp_clear))(self);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

/* The tokens of a frame by site, borrowed: tokens[id(record)]. */
static PyObject *held_of(State *state, PyObject *record) {
  if (state->record == record) return state->held;
  PyObject *key = PyLong_FromVoidPtr(record);
  if (!key) return NULL;
  PyObject *held = PyDict_GetItemWithError(state->tokens, key);
  if (!held) {
    if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
    Py_DECREF(key);
    return NULL;
  }
  Py_DECREF(key);
  Py_INCREF(record);
  Py_INCREF(held);
  PyObject *old_record = state->record, *old_held = state->held;
  state->record = record;
  state->held = held;
  Py_XDECREF(old_record);
  Py_XDECREF(old_held);
  return held;
}

static PyObject *allocated(PyObject *type, Py_ssize_t items) {
  allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
  return allocate((PyTypeObject *)type, items);
}

static int forgets(PyObject *held, PyObject *site) {
  int has = PyDict_Contains(held, site);
  return has > 0 ? PyDict_DelItem(held, site) : has;
}

static int is_number(PyTypeObject *kind) {
  return kind == &PyFloat_Type || kind == &PyLong_Type || kind == &PyBool_Type ||
         kind == &PyComplex_Type;
}

/* Types that no library's set has, so that most values of a program are done with at once. */
static int is_plain(PyTypeObject *kind) {
  return kind == &PyUnicode_Type || kind == &PyDict_Type || kind == &PyBytes_Type ||
         kind == &PySet_Type || kind == &PyRange_Type;
}

/* Whether a type is in the set that the space has under a name: -1 for an error. One of a metaclass
   that refuses to be hashed or compared is in none. */
static int among(State *state, PyObject *name, PyTypeObject *kind) {
  PyObject *set = PyDict_GetItemWithError(state->space, name);
  if (!set) return PyErr_Occurred() ? -1 : 0;
  int found = PySet_Contains(set, (PyObject *)kind);
  if (found < 0) PyErr_Clear();
  return found > 0;
}

/* ------------------------------------------------------------------ one recorder */

enum { PLAIN, SITE, LOOSE, PATH, STARRED };
enum { LEAF = 1, CHILD = 2, CALL = 4, OPERATOR = 8, WATCHED = 16 };

typedef struct {
  PyObject_HEAD
  Call call;
  State *state;
  PyObject *slow;  /* the same recorder in Python */
  PyObject *check; /* looks at an array of another type than is looked at here; or None */
  PyObject *paths; /* a path for each operand, or None */
  int kind, operands, takes_sites;
  unsigned char form[MOST_OPERANDS];
} Recorder;

static int recorder_traverse(Recorder *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE((PyObject *)self));
  Py_VISIT(self->state);
  Py_VISIT(self->slow);
  Py_VISIT(self->check);
  Py_VISIT(self->paths);
  return 0;
}

static int recorder_clear(Recorder *self) {
  Py_CLEAR(self->state);
  Py_CLEAR(self->slow);
  Py_CLEAR(self->check);
  Py_CLEAR(self->paths);
  return 0;
}

/* ------------------------------------------------------------------ what is logged */

/* (site, record, token, shape, dtype, strides, base, operands), to be read as that tuple.

   One object instead of four, and none that the collector of cycles counts: recording is to set it
   off no sooner, and a program that looks at what it knows is not to find these. They are in no
   cycle: tokens refer to nothing, or to other tokens. */
typedef union {
  PyObject *token;
  Py_ssize_t size;
} Word;
typedef struct {
  PyObject_VAR_HEAD
  PyObject *site, *record, *token, *dtype, *base;
  int dimensions, operands;
  Word words[]; /* tokens of the operands, then sizes, then strides */
} Event;

static void event_dealloc(PyObject *me) {
  PyTypeObject *type = Py_TYPE(me);
  Event *self = (Event *)me;
  Py_XDECREF(self->site);
  Py_XDECREF(self->record);
  Py_XDECREF(self->token);
  Py_XDECREF(self->dtype);
  Py_XDECREF(self->base);
  for (int i = 0; i < self->operands; i++) Py_XDECREF(self->words[i].token);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(me);
  Py_DECREF(type);
}

static PyObject *event_tuple(const Word *words, int count, int are_tokens) {
  PyObject *made = PyTuple_New(count);
  for (int i = 0; made && i < count; i++) {
    PyObject *item = are_tokens ? Py_NewRef(words[i].token) : PyLong_FromSsize_t(words[i].size);
    if (!item || PyTuple_SetItem(made, i, item) < 0) Py_CLEAR(made);
  }
  return made;
}

static Py_ssize_t event_length(PyObject *self) {
  (void)self;
  return 8;
}

static PyObject *event_item(PyObject *me, Py_ssize_t i) {
  Event *self = (Event *)me;
  const Word *sizes = self->words + self->operands;
  switch (i) {
  case 0: return Py_NewRef(self->site);
  case 1: return Py_NewRef(self->record);
  case 2: return Py_NewRef(self->token);
  case 3: return event_tuple(sizes, self->dimensions, 0);
  case 4: return Py_NewRef(self->dtype);
  case 5: return event_tuple(sizes + self->dimensions, self->dimensions, 0);
  case 6: return Py_NewRef(self->base ? self->base : Py_None);
  case 7: return event_tuple(self->words, self->operands, 1);
  }
  PyErr_SetString(PyExc_IndexError, "an event has eight parts");
  return NULL;
}

static PyType_Slot event_slots[] = {{Py_tp_dealloc, event_dealloc},
                                    {Py_sq_length, event_length},
                                    {Py_sq_item, event_item},
                                    {0, NULL}};
static PyType_Spec event_spec = {
    "jit_lsp.Event", sizeof(Event), sizeof(Word),
    Py_TPFLAGS_DEFAULT | IS_SEQUENCE | Py_TPFLAGS_DISALLOW_INSTANTIATION, event_slots};

static uint64_t layout_of(const Array *array) {
  uint64_t mixed = (uintptr_t)array->dtype ^ ((uint64_t)(uintptr_t)array->base << 1);
  for (int i = 0; i < array->dimensions; i++) {
    mixed = (mixed ^ (uint64_t)array->shape[i]) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 29) ^ (uint64_t)array->strides[i]) * 0xBF58476D1CE4E5B9u;
  }
  return mixed ^ (uint64_t)array->dimensions;
}

/* Whether the log has an array as it is now. It has from now on. */
static int is_known(State *state, const Array *array, PyObject *token) {
  Known *known = state->known + ((uintptr_t)token >> 4) % MOST_KNOWN;
  uint64_t layout = layout_of(array);
  if (known->token == token && known->layout == layout) return 1;
  PyObject *old = known->token;
  known->token = Py_NewRef(token);
  known->layout = layout;
  Py_XDECREF(old);
  return 0;
}

/* The token of a value that no event may have given, with what an event would have said of it. */
static PyObject *described(State *state, PyObject *value) {
  if ((PyObject *)Py_TYPE(value) == state->array) {
    PyObject *token = PyWeakref_NewRef(value, NULL);
    if (!token || is_known(state, (const Array *)value, token)) return token;
    Py_DECREF(token);
  }
  return PyObject_CallFunctionObjArgs(state->shared[DESCRIBED], value, NULL);
}

static PyObject *token_of(Recorder *self, int i, PyObject *operand, PyObject *held) {
  State *state = self->state;
  PyObject *found = NULL;
  switch (self->form[i]) {
  case SITE:
    found = PyDict_GetItemWithError(held, operand);
    if (!found && PyErr_Occurred()) return NULL;
    return Py_NewRef(found ? found : Py_None);
  case LOOSE:
    return described(state, operand);
  case PATH:
    found = PyTuple_GetItem(self->paths, i);
    return found ? PyObject_CallFunctionObjArgs(state->shared[PASSIVE], operand, found, NULL) : NULL;
  case STARRED:
    return PyObject_CallFunctionObjArgs(state->shared[ITEMS], operand, NULL);
  }
  PyTypeObject *kind = Py_TYPE(operand);
  if ((PyObject *)kind == state->array) return PyWeakref_NewRef(operand, NULL);
  if (kind == &PyLong_Type) {
    found = PyDict_GetItemWithError(state->shared[SMALL], operand);
    return !found && PyErr_Occurred() ? NULL : Py_NewRef(found ? found : operand);
  }
  if (is_number(kind)) return Py_NewRef(operand);
  if (operand == Py_None) return Py_NewRef(state->shared[NOTHING]);
  return PyObject_CallFunctionObjArgs(state->shared[TOKEN], operand, NULL);
}

static PyObject *tokens_of(Recorder *self, PyObject *const *operands, PyObject *held) {
  PyObject *tokens = PyTuple_New(self->operands);
  for (int i = 0; tokens && i < self->operands; i++) {
    PyObject *token = token_of(self, i, operands[i], held);
    if (!token || PyTuple_SetItem(tokens, i, token) < 0) Py_CLEAR(tokens);
  }
  return tokens;
}

/* Where the compiler can, a copy for processors with wider registers: it takes a quarter. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && __GNUC__ >= 11
#define FOR_WIDER __attribute__((target_clones("avx2", "default")))
#else
#define FOR_WIDER
#endif

/* By bits, so that the floating-point status stays what it is: of the numbers without their sign,
   NaNs alone are above infinity, so that what is added carries into the sign. */
#define HAS_NAN(NAME, BITS, INFINITY_BITS)                                          \
  FOR_WIDER static int NAME(const char *data, Py_ssize_t count) {                   \
    const BITS sign = (BITS)1 << (8 * sizeof(BITS) - 1);                            \
    while (count > 0) {                                                             \
      int n = count < 1024 ? (int)count : 1024;                                     \
      BITS found = 0;                                                               \
      for (int i = 0; i < n; i++) {                                                 \
        BITS bits;                                                                  \
        memcpy(&bits, data + i * sizeof bits, sizeof bits);                         \
        found |= (bits & ~sign) + (sign - 1 - INFINITY_BITS);                       \
      }                                                                             \
      if (found & sign) return 1;                                                   \
      data += n * sizeof(BITS);                                                     \
      count -= n;                                                                   \
    }                                                                               \
    return 0;                                                                       \
  }
HAS_NAN(has_nan64, uint64_t, 0x7FF0000000000000u)
HAS_NAN(has_nan32, uint32_t, 0x7F800000u)

/* Looks for NaNs, and for integers that wrapped, as far as the kind of recorder does. */
static int checks(Recorder *self, PyObject *value, Event *event) {
  State *state = self->state;
  Array *array = (Array *)value;
  PyObject *dtype = array->dtype, *looks = self->check;
  if (looks == Py_None || dtype == state->boolean) return 0;
  if (dtype == state->float64 || dtype == state->float32) {
    Py_ssize_t count = 1;
    for (int i = 0; i < array->dimensions; i++) count *= array->shape[i];
    int found;
    if ((self->kind & OPERATOR) && count > state->large)
      found = fetestexcept(FE_INVALID) != 0;
    else if (!(array->flags & (C_CONTIGUOUS | F_CONTIGUOUS)))
      found = 0; /* a view; what made its elements was looked at */
    else if (dtype == state->float64)
      found = has_nan64(array->data, count);
    else
      found = has_nan32(array->data, count);
    if (!found) return 0;
    looks = state->shared[NOT_FINITE];
  }
  PyObject *tokens = event_tuple(event->words, event->operands, 1);
  if (!tokens) return -1;
  PyObject *given =
      PyObject_CallFunctionObjArgs(looks, event->record, event->site, value, tokens, NULL);
  Py_DECREF(tokens);
  Py_XDECREF(given);
  return given ? 0 : -1;
}

static Named *named(State *state, const void *dtype) {
  uintptr_t place = (uintptr_t)dtype >> 4;
  while (state->named[place % MOST_NAMED].dtype && state->named[place % MOST_NAMED].dtype != dtype)
    place++;
  return state->named + place % MOST_NAMED;
}

/* What is logged of a type of elements. Never the type itself, which may be the program's own. */
static PyObject *name_of(State *state, PyObject *dtype) {
  PyObject *name = named(state, dtype)->name;
  return name ? Py_NewRef(name) : PyObject_CallFunctionObjArgs(state->dtype_name, dtype, NULL);
}

/* What owns the memory of an array that has a base. */
static PyObject *base_of(State *state, PyObject *base) {
  if ((PyObject *)Py_TYPE(base) == state->array) return PyWeakref_NewRef(base, NULL);
  return PyObject_CallFunctionObjArgs(state->shared[FOREIGN], base, NULL);
}

static int takes_array(Recorder *self, PyObject *record, PyObject *site, PyObject *value,
                       PyObject *const *operands, PyObject *held) {
  State *state = self->state;
  const Array *array = (const Array *)value;
  PyObject *token = PyWeakref_NewRef(value, NULL);
  if (!token) return -1;
  if ((self->kind & (CHILD | LEAF)) && PyDict_SetItem(held, site, token) < 0) {
    Py_DECREF(token);
    return -1;
  }
  if (self->kind & LEAF) {
    Py_DECREF(token);
    return 0;
  }
  int dimensions = array->dimensions;
  Event *event = (Event *)allocated(state->event_type, self->operands + 2 * dimensions);
  if (!event) {
    Py_DECREF(token);
    return -1;
  }
  event->token = token;
  event->site = Py_NewRef(site);
  event->record = Py_NewRef(record);
  event->dimensions = dimensions;
  Word *sizes = event->words + self->operands;
  for (int i = 0; i < dimensions; i++) {
    sizes[i].size = array->shape[i];
    sizes[dimensions + i].size = array->strides[i];
  }
  int failed = (event->dtype = name_of(state, array->dtype)) ? 0 : -1;
  for (; !failed && event->operands < self->operands; event->operands += !failed) {
    PyObject *found = token_of(self, event->operands, operands[event->operands], held);
    event->words[event->operands].token = found;
    failed = found ? 0 : -1;
  }
  if (!failed && array->base)
    failed = (event->base = base_of(state, array->base)) ? 0 : -1;
  if (!failed) failed = PyList_Append(state->log, (PyObject *)event);
  if (!failed) is_known(state, array, token);
  if (!failed) failed = checks(self, value, event);
  Py_DECREF((PyObject *)event);
  return failed;
}

/* A call of something that isn't recorded may have written into what it was given. */
static int tells_changes(Recorder *self, PyObject *record, PyObject *site,
                         PyObject *const *operands, PyObject *held) {
  PyObject *mark = PyNumber_Invert(site);
  if (!mark) return -1;
  int watched = PyDict_Contains(held, mark);
  Py_DECREF(mark);
  if (watched <= 0) return watched;
  PyObject *tokens = tokens_of(self, operands, held);
  if (!tokens) return -1;
  PyObject *given = PyObject_CallFunctionObjArgs(self->state->shared[CHANGED], record, site, tokens,
                                                 NULL);
  Py_DECREF(tokens);
  Py_XDECREF(given);
  return given ? 0 : -1;
}

/* After a call that gave no array: whether its callee recorded events. */
static int tells_return(State *state, PyObject *record, PyObject *site) {
  Py_ssize_t length = PyList_Size(state->log);
  if (length == 0) return 0;
  PyObject *last = PyList_GetItem(state->log, length - 1); /* borrowed, as `other` is */
  PyObject *other = !last                                             ? NULL
                    : (PyObject *)Py_TYPE(last) == state->event_type ? ((Event *)last)->record
                                                                      : PyTuple_GetItem(last, 1);
  if (!other) return -1;
  if (other == record) return 0;
  PyObject *given = PyObject_CallFunctionObjArgs(state->shared[RETURNED], record, site, NULL);
  Py_XDECREF(given);
  return given ? 0 : -1;
}

/* Whether a call that gave None may have worked on arrays: 1, 0, or -1 for an error. */
static int of_interest(Recorder *self, PyObject *const *operands, PyObject *held) {
  State *state = self->state;
  for (int i = 0; i < self->operands; i++) {
    int found;
    if (self->form[i] == PATH)
      found = 1; /* to be looked up: that is left to Python */
    else if (self->form[i] == SITE) {
      PyObject *token = PyDict_GetItemWithError(held, operands[i]);
      if (!token && PyErr_Occurred()) return -1;
      found = token ? PySet_Contains(state->shared[INTERESTING], (PyObject *)Py_TYPE(token)) : 0;
    } else {
      PyTypeObject *kind = Py_TYPE(operands[i]);
      found = is_number(kind) || is_plain(kind) ? 0 : among(state, state->library, kind);
    }
    if (found) return found;
  }
  return 0;
}

/* Whether a value that is neither array nor number is left to the recorder in Python. */
static int is_left(Recorder *self, PyObject *value, PyObject *const *operands, PyObject *held) {
  State *state = self->state;
  PyTypeObject *kind = Py_TYPE(value);
  if (is_plain(kind)) return 0;
  if (value == Py_None)
    return (self->kind & CALL) ? of_interest(self, operands, held) : 0;
  if (kind == &PyTuple_Type || kind == &PyList_Type)
    return (self->kind & LEAF) ||
           ((self->kind & CALL) && PyObject_Size(value) > 0 && PyObject_Size(value) <= MOST_ITEMS);
  int found = among(state, state->scalars, kind);
  if (!found && (self->kind & (LEAF | CALL))) found = among(state, state->packs, kind);
  if (!found && (self->kind & LEAF)) found = among(state, state->library, kind);
  return found;
}

static PyObject *record_call(PyObject *me, PyObject *const *args, size_t flags, PyObject *names) {
  Recorder *self = (Recorder *)me;
  State *state = self->state;
  Py_ssize_t count = COUNT(flags);
  if (count != 3 + self->operands || names) {
    PyErr_SetString(PyExc_TypeError, "a recorder takes a record, a site, a value and its operands");
    return NULL;
  }
  PyObject *record = args[0], *site = args[1], *value = args[2];
  PyObject *const *operands = args + 3;
  PyTypeObject *kind = Py_TYPE(value);
  int is_array = (PyObject *)kind == state->array, what = self->kind;
  if (!is_array && !(what & (LEAF | CHILD | CALL | WATCHED)) && is_number(kind))
    return Py_NewRef(value);
  PyObject *held = NULL;
  if ((what & (LEAF | CHILD | WATCHED)) || self->takes_sites) {
    held = held_of(state, record);
    if (!held) return NULL;
    Py_INCREF(held); /* another thread may come to a frame of its own meanwhile */
  }
  int failed = 0;
  if (is_array)
    failed = takes_array(self, record, site, value, operands, held);
  else if (is_number(kind) && (what & (LEAF | CHILD))) {
    if (what & CALL) failed = tells_return(state, record, site);
    if (!failed) failed = PyDict_SetItem(held, site, value);
  } else {
    int left = is_number(kind) ? 0 : is_left(self, value, operands, held);
    if (left) {
      Py_XDECREF(held);
      if (left < 0) return NULL;
      PyObject *all = PyTuple_New(count);
      for (Py_ssize_t i = 0; all && i < count; i++) PyTuple_SetItem(all, i, Py_NewRef(args[i]));
      PyObject *given = all ? PyObject_CallObject(self->slow, all) : NULL;
      Py_XDECREF(all);
      return given;
    }
    if (what & CALL) failed = tells_return(state, record, site);
    if (!failed && (what & (LEAF | CHILD))) failed = forgets(held, site);
  }
  if (!failed && (what & WATCHED)) failed = tells_changes(self, record, site, operands, held);
  Py_XDECREF(held);
  return failed ? NULL : Py_NewRef(value);
}

static PyObject *recorder_call(PyObject *self, PyObject *args, PyObject *names) {
  PyObject *each[3 + MOST_OPERANDS];
  Py_ssize_t count = PyTuple_Size(args);
  if (count > 3 + MOST_OPERANDS) count = 0; /* which is refused as any wrong number */
  for (Py_ssize_t i = 0; i < count; i++) each[i] = PyTuple_GetItem(args, i);
  return ((Recorder *)self)->call(self, each, (size_t)count, names && PyDict_Size(names) ? names : NULL);
}

static PyMemberDef recorder_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Recorder, call), READONLY, NULL}, {NULL}};
static PyType_Slot recorder_slots[] = {{Py_tp_dealloc, destroy},
                                       {Py_tp_traverse, recorder_traverse},
                                       {Py_tp_clear, recorder_clear},
                                       {Py_tp_call, recorder_call},
                                       {Py_tp_members, recorder_members},
                                       {0, NULL}};
static PyType_Spec recorder_spec = {
    "jit_lsp.Recorder", sizeof(Recorder), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | HAS_VECTORCALL,
    recorder_slots};

/* ------------------------------------------------------------------ frames */

static int begins(State *state, PyObject *cell, PyObject *record) {
  PyObject *key = PyLong_FromVoidPtr(record), *held = PyDict_New();
  PyObject *number = PyIter_Next(state->count), *scope = PyObject_GetAttrString(cell, "number");
  PyObject *line = key && held && number && scope ? Py_BuildValue("(iOO)", ENTER, record, scope) : NULL;
  int failed = !line || PyDict_SetItem(held, Py_None, number) < 0 ||
               PyDict_SetItem(state->frames, key, record) < 0 ||
               PyDict_SetItem(state->tokens, key, held) < 0;
  if (line) PyObject_GC_UnTrack(line);
  failed = failed || PyList_Append(state->log, line) < 0;
  Py_XDECREF(key);
  Py_XDECREF(held);
  Py_XDECREF(number);
  Py_XDECREF(scope);
  Py_XDECREF(line);
  return failed ? -1 : 0;
}

/* A recorded function body begins: `Recorder.enter`. Where the program is as deep as it may be, it is
   to come to that by itself, at its own next call. */
static PyObject *enter_call(PyObject *me, PyObject *const *args, size_t flags, PyObject *names) {
  Recorder *self = (Recorder *)me;
  if (COUNT(flags) != 3 || names) {
    PyErr_SetString(PyExc_TypeError, "enter takes a cell, a record, and something");
    return NULL;
  }
  PyObject *given;
  if (PyThread_get_thread_ident() != self->state->thread) {
    given = PyObject_CallFunctionObjArgs(self->check, args[0], args[1], args[2], NULL);
  } else {
    if (begins(self->state, args[0], args[1]) < 0) return NULL;
    given = PyObject_CallFunctionObjArgs(self->slow, args[0], NULL);
  }
  if (!given && !PyErr_ExceptionMatches(PyExc_RecursionError)) return NULL;
  PyErr_Clear();
  Py_XDECREF(given);
  return Py_NewRef(Py_None);
}

/* ------------------------------------------------------------------ making them */

PyDoc_STRVAR(recorder_doc,
             "recorder($self, slow, check, kind, forms, paths, /)\n--\n\n"
             "The recorder for operands of these forms, a byte and a path or None each.\n\n"
             "``slow`` is the same recorder in Python, ``check`` what looks at arrays of other types\n"
             "than are looked at here, or None.");

static PyObject *state_recorder(State *self, PyObject *args) {
  PyObject *slow, *check, *paths;
  const char *forms;
  Py_ssize_t count;
  int kind;
  if (!PyArg_ParseTuple(args, "OOiy#O!", &slow, &check, &kind, &forms, &count, &PyTuple_Type, &paths))
    return NULL;
  if (count > MOST_OPERANDS || count != PyTuple_Size(paths)) {
    PyErr_SetString(PyExc_ValueError, "too many operands, or not as many paths");
    return NULL;
  }
  Recorder *made = (Recorder *)allocated(self->recorder_type, 0);
  if (!made) return NULL;
  made->call = record_call;
  made->state = (State *)Py_NewRef((PyObject *)self);
  made->slow = Py_NewRef(slow);
  made->check = Py_NewRef(check);
  made->paths = Py_NewRef(paths);
  made->kind = kind;
  made->operands = (int)count;
  for (Py_ssize_t i = 0; i < count; i++) {
    made->form[i] = (unsigned char)forms[i];
    made->takes_sites |= forms[i] == SITE;
  }
  return (PyObject *)made;
}

PyDoc_STRVAR(enter_doc,
             "enter($self, frames, count, sample, elsewhere, /)\n--\n\n"
             "What is called where a function begins, and itself calls ``sample`` with its cell. In\n"
             "another thread than this one, it calls ``elsewhere`` with all that it got, and no more.");

static PyObject *state_enter(State *self, PyObject *args) {
  PyObject *frames, *count, *sample, *elsewhere;
  if (!PyArg_ParseTuple(args, "O!OOO", &PyDict_Type, &frames, &count, &sample, &elsewhere)) return NULL;
  if (!PyIter_Check(count) || self->frames) {
    PyErr_SetString(PyExc_ValueError, "count has no next, or there is an enter already");
    return NULL;
  }
  Recorder *made = (Recorder *)allocated(self->recorder_type, 0);
  if (!made) return NULL;
  made->call = enter_call;
  made->state = (State *)Py_NewRef((PyObject *)self);
  made->slow = Py_NewRef(sample);
  made->check = Py_NewRef(elsewhere);
  self->thread = PyThread_get_thread_ident();
  self->frames = Py_NewRef(frames);
  self->count = Py_NewRef(count);
  return (PyObject *)made;
}

PyDoc_STRVAR(learn_doc,
             "learn($self, probe, address, float64, float32, boolean, large, named, name, /)\n--\n\n"
             "Record arrays of the type of ``probe`` from now on, if they are laid out as is known.\n\n"
             "``probe`` is a view of shape (3, 2) and strides (32, 8), with a base, of type\n"
             "``float64``, its elements at ``address``; the next three are its library's own types of\n"
             "elements. From ``large`` elements on the floating-point status tells of a NaN. ``named``\n"
             "has the names of those types of elements that the library keeps, by id, and ``name``\n"
             "gives that of another. False, and nothing changed, where something is elsewhere.");

static PyObject *state_learn(State *self, PyObject *args) {
  PyObject *probe, *address, *float64, *float32, *boolean, *names, *name;
  PyObject *id, *its_name;
  Py_ssize_t large, position = 0;
  if (!PyArg_ParseTuple(args, "OOOOOnO!O", &probe, &address, &float64, &float32, &boolean, &large,
                        &PyDict_Type, &names, &name))
    return NULL;
  if (PyDict_Size(names) >= MOST_NAMED) {
    PyErr_SetString(PyExc_ValueError, "too many types of elements");
    return NULL;
  }
  PyObject *type = (PyObject *)Py_TYPE(probe);
  PyObject *size = PyObject_GetAttrString(type, "__basicsize__");
  PyObject *base = PyObject_GetAttrString(probe, "base");
  const Array *array = (const Array *)probe;
  int known = size && base && PyLong_AsSsize_t(size) >= (Py_ssize_t)sizeof(Array) &&
              array->data == PyLong_AsVoidPtr(address) && array->dimensions == 2 &&
              array->base == base && array->dtype == float64 && array->shape && array->strides &&
              array->shape[0] == 3 && array->shape[1] == 2 && array->strides[0] == 32 &&
              array->strides[1] == 8 && !(array->flags & (C_CONTIGUOUS | F_CONTIGUOUS));
  Py_XDECREF(size);
  Py_XDECREF(base);
  PyErr_Clear();
  if (!known || self->array) return PyBool_FromLong(known);
  self->float64 = Py_NewRef(float64);
  self->float32 = Py_NewRef(float32);
  self->boolean = Py_NewRef(boolean);
  self->large = large;
  self->dtype_name = Py_NewRef(name);
  while (PyDict_Next(names, &position, &id, &its_name)) {
    void *dtype = PyLong_AsVoidPtr(id);
    Named *place = named(self, dtype);
    place->dtype = dtype;
    place->name = Py_NewRef(its_name);
  }
  self->array = type;
  return PyBool_FromLong(1);
}

PyDoc_STRVAR(forget_doc, "forget($self, /)\n--\n\nLet go of all tokens.");

static PyObject *state_forget(State *self, PyObject *none) {
  (void)none;
  for (int i = 0; i < MOST_KNOWN; i++) Py_CLEAR(self->known[i].token);
  return Py_NewRef(Py_None);
}

static PyMethodDef state_methods[] = {
    {"forget", (PyCFunction)state_forget, METH_NOARGS, forget_doc},
    {"recorder", (PyCFunction)state_recorder, METH_VARARGS, recorder_doc},
    {"enter", (PyCFunction)state_enter, METH_VARARGS, enter_doc},
    {"learn", (PyCFunction)state_learn, METH_VARARGS, learn_doc},
    {NULL}};
static PyType_Slot state_slots[] = {{Py_tp_dealloc, destroy},
                                    {Py_tp_traverse, state_traverse},
                                    {Py_tp_clear, state_clear},
                                    {Py_tp_methods, state_methods},
                                    {0, NULL}};
static PyType_Spec state_spec = {
    "jit_lsp.State", sizeof(State), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, state_slots};

PyDoc_STRVAR(state_doc, "state($module, space, log, tokens, /)\n--\n\n"
                        "What the recorders of one run share: the namespace of those in Python, the\n"
                        "log, and the tokens of all frames.");

static PyObject *make_state(PyObject *module, PyObject *args) {
  PyObject **types = PyModule_GetState(module), *space, *log, *tokens;
  if (!PyArg_ParseTuple(args, "O!O!O!", &PyDict_Type, &space, &PyList_Type, &log, &PyDict_Type,
                        &tokens))
    return NULL;
  State *made = (State *)allocated(types[0], 0);
  if (!made) return NULL;
  made->recorder_type = Py_NewRef(types[1]);
  made->event_type = Py_NewRef(types[2]);
  made->space = Py_NewRef(space);
  made->log = Py_NewRef(log);
  made->tokens = Py_NewRef(tokens);
  made->scalars = PyUnicode_InternFromString("SCALARS");
  made->packs = PyUnicode_InternFromString("PACKS");
  made->library = PyUnicode_InternFromString("LIBRARY");
  int failed = !made->scalars || !made->packs || !made->library;
  for (int i = 0; !failed && i < SHARED; i++) {
    made->shared[i] = Py_XNewRef(PyDict_GetItemString(space, SHARED_NAMES[i]));
    if (!made->shared[i]) {
      PyErr_Format(PyExc_KeyError, "%s", SHARED_NAMES[i]);
      failed = 1;
    }
  }
  if (failed) Py_CLEAR(made);
  return (PyObject *)made;
}

/* ------------------------------------------------------------------ NaNs in memory */

/* The bits of a NaN, less its sign, are a larger number than those of an infinity: so the difference
   is below zero. Numbers alone are compared: a comparison of floats would raise a flag that the
   program may ask for. */
#define DEFINE_ANY_NAN(BITS, VALUE, TYPE)                                                            \
  static int any_nan_##TYPE(const void *memory, Py_ssize_t count, VALUE infinity) {                  \
    const VALUE *values = memory, number = (VALUE)~((VALUE)1 << (BITS - 1));                         \
    VALUE below = 0;                                                                                 \
    for (Py_ssize_t i = 0; i < count; i++) below |= (VALUE)(infinity - (values[i] & number));        \
    return below >> (BITS - 1);                                                                      \
  }
DEFINE_ANY_NAN(16, uint16_t, u16)
DEFINE_ANY_NAN(32, uint32_t, u32)
DEFINE_ANY_NAN(64, uint64_t, u64)

PyDoc_STRVAR(any_nan_doc, "any_nan($module, address, count, kind, /)\n--\n\n"
                          "Whether one of so many numbers from an address on is NaN. All of them must\n"
                          "be there. The kind is f16, bf16, f32 or f64.");

static PyObject *any_nan(PyObject *module, PyObject *const *args, Py_ssize_t count) {
  if (count != 3) {
    PyErr_SetString(PyExc_TypeError, "any_nan takes 3 arguments");
    return NULL;
  }
  const void *memory = PyLong_AsVoidPtr(args[0]);
  if (!memory && PyErr_Occurred()) return NULL;
  Py_ssize_t numbers = PyLong_AsSsize_t(args[1]);
  if (numbers == -1 && PyErr_Occurred()) return NULL;
  Py_ssize_t length;
  const char *kind = PyUnicode_AsUTF8AndSize(args[2], &length);
  if (!kind) return NULL;
  int found;
  if (!strcmp(kind, "f32")) found = any_nan_u32(memory, numbers, 0x7F800000);
  else if (!strcmp(kind, "f64")) found = any_nan_u64(memory, numbers, 0x7FF0000000000000);
  else if (!strcmp(kind, "bf16")) found = any_nan_u16(memory, numbers, 0x7F80);
  else if (!strcmp(kind, "f16")) found = any_nan_u16(memory, numbers, 0x7C00);
  else {
    PyErr_Format(PyExc_ValueError, "no kind of floats: %R", args[2]);
    return NULL;
  }
  return PyBool_FromLong(found);
}

static int fill(PyObject *module) {
  PyObject **types = PyModule_GetState(module);
  types[0] = PyType_FromSpec(&state_spec);
  types[1] = PyType_FromSpec(&recorder_spec);
  types[2] = PyType_FromSpec(&event_spec);
  return types[0] && types[1] && types[2] ? 0 : -1;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg) {
  PyObject **types = PyModule_GetState(module);
  Py_VISIT(types[0]);
  Py_VISIT(types[1]);
  Py_VISIT(types[2]);
  return 0;
}

static int module_clear(PyObject *module) {
  PyObject **types = PyModule_GetState(module);
  Py_CLEAR(types[0]);
  Py_CLEAR(types[1]);
  Py_CLEAR(types[2]);
  return 0;
}

static PyMethodDef module_methods[] = {
    {"state", make_state, METH_VARARGS, state_doc},
    {"any_nan", (PyCFunction)(void (*)(void))any_nan, METH_FASTCALL, any_nan_doc},
    {NULL}};
static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, fill}, {0, NULL}};
static PyModuleDef module_definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "_native",
                                        .m_size = 3 * sizeof(PyObject *),
                                        .m_methods = module_methods,
                                        .m_slots = module_slots,
                                        .m_traverse = module_traverse,
                                        .m_clear = module_clear};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&module_definition); }
