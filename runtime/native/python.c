/* Calls of models from Python without Python code on the path.
 *
 * A callable object of runtime/abi/fast_call.py has the vectorcall below. It reads numpy arrays, NDArrays
 * and tensors with DLPack's exchange API in place, calls the model by the packed-function ABI, and
 * allocates outputs that are not given. Any other argument, and any broken rule, is left to the same
 * call in Python (`slow` of the binding), which converts more, or raises the precise error.
 *
 * Nothing here refers to a symbol of Python: the table below has pointers to all that is needed.
 */

#include "python.h"

#include <stdbool.h>

#include "entry.h"

struct tw_python __tw_python;

/* The most arguments of a call, and the most sizes that it computes; longer ones are slow. */
enum { MOST = 512, MOST_SIZES = 2048 };

/* The values before the inputs of __tw_main_allocating. */
enum { LEADING = 3 };

/* numpy's flags of arrays. */
enum { ROW_MAJOR = 0x1, ALIGNED = 0x100, WRITEABLE = 0x400 };

/* The bit of the argument count that says whether a callee may use the word before the arguments. */
#define OFFSET_BIT ((size_t)1 << (8 * sizeof(size_t) - 1))

enum { OUTPUT_ALIGNMENT_BYTES = 64 };

/* Arrays of at least this size reuse memory: the system would map fresh pages on every call. */
enum { REUSED_BYTES = 128 << 10 };

/* Memory that may be added for later calls with larger sizes. */
enum { MOST_SPARE = 1 << 20 };

/* More bytes than a process has addresses. */
static const int64_t MOST_BYTES = INT64_C(1) << 47;

/* The DLPack form of the data type of sizes. */
enum { INT64 = 64 << 8 | 1 << 16 };

/* The arguments of a call in progress. */
struct call {
    struct tw_value all[LEADING + MOST];
    struct tw_tensor tensors[MOST];
    tw_any *made[MOST]; /* arrays for outputs */
    int64_t sizes[MOST_SIZES]; /* of outputs, if they depend on the inputs */
};

static struct tw_value *values_of(struct call *call) { return call->all + LEADING; }

static struct tw_binding *binding_of(const tw_any *callable)
{
    const char *vectorcall = (const char *)callable + callable->type->vectorcall_offset;
    return *(struct tw_binding *const *)(const void *)(vectorcall + sizeof(void *));
}

/* Return the DLPack form of a numpy data type, or 0 for one that only Python can convert. */
static uint32_t code_of(const tw_any *dtype)
{
    for (const struct tw_dtype *each = __tw_python.dtypes; each->dtype != NULL; each++)
        if (each->dtype == dtype)
            return each->code;
    return 0;
}

/* Fill a tensor on the memory of a numpy array; return whether compiled code can use it so. */
static bool take_array(const struct tw_array *array, int32_t flags, struct tw_tensor *tensor)
{
    uint32_t code = code_of(array->dtype);
    if (code == 0 || (array->flags & flags) != flags)
        return false;
    *tensor = (struct tw_tensor){
        array->data, TW_CPU, 0, array->rank, code, array->sizes, NULL, 0};
    return true;
}

/* Return whether another library's tensor has its elements in its memory; an output also requires no
 * gradients. The words are those of the library, see struct tw_exchange. */
static bool is_plain(const struct tw_exchange *exchange, tw_any *argument, int32_t flags)
{
    if (exchange->lazy == 0)
        return true;
    const uint64_t *words = ((const uint64_t *const *)(const void *)argument)[exchange->tensor_at];
    if ((words[exchange->keys_at] & exchange->lazy) != 0)
        return false;
    if ((flags & WRITEABLE) == 0 || words[exchange->gradient_at] == 0)
        return true;
    tw_any *found = __tw_python.PyObject_GetAttrString(argument, "requires_grad");
    if (found == NULL) {
        __tw_python.PyErr_Clear();
        return false;
    }
    bool is_false = found == __tw_python.false_object;
    __tw_python.Py_DecRef(found);
    return is_false;
}

/* Fill a tensor on the memory of another library's tensor; return whether it could be. */
static bool borrow(tw_any *argument, int32_t flags, struct tw_tensor *tensor)
{
    for (int32_t index = 0; index < TW_EXCHANGES; index++) {
        const struct tw_exchange *exchange = &__tw_python.exchanges[index];
        if (exchange->type == NULL)
            return false;
        if (exchange->type != argument->type)
            continue;
        if (!is_plain(exchange, argument, flags))
            return false;
        if (exchange->borrow(argument, tensor) == 0)
            return tensor->device_type == TW_CPU;
        __tw_python.PyErr_Clear(); /* the slow call raises the error again */
        return false;
    }
    return false;
}

/* Return the slots of an NDArray. */
static tw_any **slots_of(tw_any *tensor) { return (tw_any **)(void *)(tensor + 1); }

static bool take_tensor(
    tw_any *argument, int32_t flags, struct tw_tensor *tensor, struct tw_value *value)
{
    if (argument->type == __tw_python.tensor->type)
        argument = slots_of(argument)[__tw_python.array_slot];
    bool is_taken = argument->type == __tw_python.array_type
        ? take_array((const struct tw_array *)(const void *)argument, flags, tensor)
        : borrow(argument, flags, tensor);
    value->type_index = TW_TENSOR_PTR;
    value->padding = 0;
    value->payload.pointer = tensor;
    return is_taken;
}

/* Fill the values of the given arguments of a model. */
static bool take_given(
    tw_any *const *args, size_t count, const struct tw_binding *binding, struct call *call)
{
    for (size_t index = 0; index < count; index++) {
        int32_t flags = ROW_MAJOR | ALIGNED;
        if (index >= (size_t)binding->inputs)
            flags |= WRITEABLE;
        if (!take_tensor(args[index], flags, &call->tensors[index], &values_of(call)[index]))
            return false;
    }
    return true;
}

/* Return the bytes of an output, or -1 for an invalid size or more bytes than MOST_BYTES. */
static int64_t bytes_of(const struct tw_made *made, const int64_t *sizes)
{
    int64_t bytes = made->element_bytes;
    for (int32_t axis = 0; axis < made->rank; axis++) {
        if (sizes[axis] < 0 || (bytes != 0 && sizes[axis] > MOST_BYTES / bytes))
            return -1;
        bytes *= sizes[axis];
    }
    return bytes;
}

static struct tw_array *array_of(tw_any *object) { return (struct tw_array *)(void *)object; }

/* Return memory for a large output: that of an earlier one whose array is gone, or new memory, which
 * is then kept. An array refers to its memory, so the memory is free if there is one reference. */
static tw_any *large_memory(tw_any **kept, int64_t size)
{
    const struct tw_python *py = &__tw_python;
    tw_any **replaced = &kept[0];
    for (tw_any **each = &kept[0]; each < &kept[TW_KEPT_MEMORIES]; each++) {
        bool is_free = *each != py->none && (*each)->references == 1;
        if (is_free && array_of(*each)->sizes[0] >= size) {
            py->Py_IncRef(*each);
            return *each;
        }
        if (is_free || *each == py->none)
            replaced = each;
    }
    int64_t room = size + (size / 4 < MOST_SPARE ? size / 4 : MOST_SPARE);
    py->Py_IncRef(py->byte_dtype);
    tw_any *memory = py->PyArray_NewFromDescr(
        py->array_type, py->byte_dtype, 1, &room, NULL, NULL, 0, NULL);
    if (memory == NULL)
        return NULL;
    tw_any *old = *replaced;
    py->Py_IncRef(memory);
    *replaced = memory;
    py->Py_DecRef(old);
    return memory;
}

/* Return a new array of undefined contents on aligned memory, or null with an exception. */
static tw_any *empty(
    const struct tw_made *made, tw_any **kept, const int64_t *sizes, int64_t bytes)
{
    const struct tw_python *py = &__tw_python;
    int64_t size = bytes + OUTPUT_ALIGNMENT_BYTES;
    bool is_large = size >= REUSED_BYTES;
    tw_any *memory = is_large ? large_memory(kept, size)
                              : py->PyBytes_FromStringAndSize(NULL, (intptr_t)size);
    if (memory == NULL)
        return NULL;
    uintptr_t start
        = (uintptr_t)(is_large ? array_of(memory)->data : py->PyBytes_AsString(memory));
    char *data = (char *)(start + (-start & (OUTPUT_ALIGNMENT_BYTES - 1)));
    py->Py_IncRef(made->dtype);
    tw_any *array = py->PyArray_NewFromDescr(py->array_type, made->dtype, made->rank, sizes,
        NULL, data, ROW_MAJOR | ALIGNED | WRITEABLE, NULL);
    if (array == NULL) {
        py->Py_DecRef(memory);
        return NULL;
    }
    if (py->PyArray_SetBaseObject(array, memory) != 0) {
        py->Py_DecRef(array);
        return NULL;
    }
    return array;
}

/* Release objects, of which some may be null. */
static void drop(tw_any *const *objects, int32_t count)
{
    for (int32_t index = 0; index < count; index++)
        if (objects[index] != NULL)
            __tw_python.Py_DecRef(objects[index]);
}

static void clear(struct tw_value *result)
{
    result->type_index = TW_NONE;
    result->padding = 0;
    result->payload.integer = 0;
}

/* Compute the sizes of all outputs of a call; return whether the inputs are right. */
static bool find_sizes(const struct tw_binding *binding, struct call *call)
{
    struct tw_tensor *tensor = &call->tensors[binding->inputs];
    struct tw_value *value = &values_of(call)[binding->inputs];
    struct tw_value result;
    clear(&result);
    *tensor = (struct tw_tensor){call->sizes, TW_CPU, 0, 1, INT64, &binding->size_count, NULL, 0};
    value->type_index = TW_TENSOR_PTR;
    value->padding = 0;
    value->payload.pointer = tensor;
    return binding->shapes(binding->self, values_of(call), binding->inputs + 1, &result) == 0;
}

/* Return the memory of earlier values of an output. */
static tw_any **kept_of(const struct tw_binding *binding, int32_t output)
{
    return &binding->memory[TW_KEPT_MEMORIES * output];
}

/* What came of an attempt to allocate outputs. */
enum outcome { MADE, SLOW, FAILED };

/* Allocate all outputs, behind the inputs; if that FAILED, there is an exception. */
static enum outcome make_outputs(const struct tw_binding *binding, struct call *call)
{
    int64_t bytes[MOST];
    const int64_t *sizes[MOST], *next = call->sizes;
    if (binding->shapes != NULL && !find_sizes(binding, call))
        return SLOW;
    for (int32_t index = 0; index < binding->outputs; index++) {
        const struct tw_made *made = &binding->made[index];
        sizes[index] = binding->shapes != NULL ? next : made->sizes;
        next += made->rank;
        bytes[index] = bytes_of(made, sizes[index]);
        if (bytes[index] < 0)
            return SLOW;
    }
    for (int32_t index = 0; index < binding->outputs; index++) {
        int32_t position = binding->inputs + index;
        call->made[index] = empty(&binding->made[index], kept_of(binding, index), sizes[index],
            bytes[index]);
        if (call->made[index] == NULL) {
            drop(call->made, index);
            return FAILED;
        }
        take_tensor(call->made[index], 0, &call->tensors[position], &values_of(call)[position]);
    }
    return MADE;
}

/* Return an NDArray that holds an array; takes over the reference. */
static tw_any *tensor_around(tw_any *array)
{
    const struct tw_python *py = &__tw_python;
    tw_any *tensor = py->PyType_GenericAlloc(py->tensor->type, 0);
    if (tensor == NULL) {
        py->Py_DecRef(array);
        return NULL;
    }
    tw_any **slots = slots_of(tensor), **shared = slots_of(py->tensor);
    for (int32_t slot = 0; slot < py->tensor_slots; slot++) {
        slots[slot] = slot == py->array_slot ? array : shared[slot];
        if (slot != py->array_slot && shared[slot] != NULL)
            py->Py_IncRef(shared[slot]);
    }
    return tensor;
}

/* Return the outputs that a call has made: one NDArray, or a tuple of several. */
static tw_any *results(const struct tw_binding *binding, tw_any *const *made)
{
    if (binding->results == 1)
        return tensor_around(made[0]);
    tw_any *tuple = __tw_python.PyTuple_New(binding->results);
    for (int32_t index = 0; index < binding->results; index++) {
        tw_any *tensor = tuple == NULL ? NULL : tensor_around(made[index]);
        if (tensor == NULL) {
            drop(&made[index + (tuple != NULL)], binding->results - index - (tuple != NULL));
            if (tuple != NULL)
                __tw_python.Py_DecRef(tuple);
            return NULL;
        }
        __tw_python.PyTuple_SetItem(tuple, index, tensor);
    }
    return tuple;
}

/* Call a Python function with the callable object as its first argument. */
static tw_any *call_with(tw_any *function, tw_any *callable, tw_any *const *args, size_t count,
    tw_any *names)
{
    size_t named = names == NULL ? 0 : (size_t)((const struct tw_tuple *)(const void *)names)->size;
    tw_any *all[1 + count + named];
    all[0] = callable;
    for (size_t index = 0; index < count + named; index++)
        all[1 + index] = args[index];
    return __tw_python.PyObject_Vectorcall(function, all, 1 + count, names);
}

/* The context of `allocate`: a call in progress.
 * thread: the state of Python's thread while the call does not hold the global lock. */
struct allocation {
    const struct tw_binding *binding;
    const struct tw_made *outputs;
    tw_any **made;
    void *thread;
};

/* Allocate an output; a tw_allocate. */
static void *allocate(void *context, int32_t output, const int64_t *sizes)
{
    struct allocation *call = context;
    const struct tw_binding *binding = call->binding;
    const struct tw_made *made = &call->outputs[output];
    int64_t bytes = bytes_of(made, sizes);
    if (bytes < 0)
        return NULL;
    if (!binding->keeps_lock)
        __tw_python.PyEval_RestoreThread(call->thread);
    tw_any *array = call->made[output] = empty(made, kept_of(binding, output), sizes, bytes);
    if (array == NULL)
        __tw_python.PyErr_Clear(); /* the slow call raises the error again */
    if (!binding->keeps_lock)
        call->thread = __tw_python.PyEval_SaveThread();
    return array == NULL ? NULL : ((const struct tw_array *)(const void *)array)->data;
}

static void lead(struct tw_value *values, int32_t threads, struct allocation *context)
{
    for (int32_t index = 0; index < LEADING; index++)
        clear(&values[index]);
    values[0].type_index = TW_INT;
    values[0].payload.integer = threads;
    values[1].type_index = values[2].type_index = TW_OPAQUE;
    /* C99 converts no function pointer to a data pointer, so copy the bits as POSIX suggests. */
    *(tw_allocate **)(void *)&values[1].payload.pointer = allocate;
    values[2].payload.pointer = context;
}

/* Call a model that asks for the memory of each output; return whether that worked. */
static bool fill_allocating(struct tw_binding *binding, struct call *call)
{
    struct allocation own = {binding, binding->made, call->made, NULL};
    struct tw_value result;
    clear(&result);
    lead(call->all, binding->threads, &own);
    for (int32_t index = 0; index < binding->outputs; index++)
        call->made[index] = NULL;
    if (!binding->keeps_lock)
        own.thread = __tw_python.PyEval_SaveThread();
    int32_t status = binding->allocating(binding->self, call->all, LEADING + binding->inputs, &result);
    if (!binding->keeps_lock)
        __tw_python.PyEval_RestoreThread(own.thread);
    int32_t kept = status == 0 ? binding->results : 0;
    drop(&call->made[kept], binding->outputs - kept);
    return status == 0;
}

static int32_t invoke(const struct tw_binding *binding, struct call *call, int32_t count,
    struct tw_value *result)
{
    if (binding->keeps_lock)
        return binding->function(binding->self, values_of(call), count, result);
    void *thread = __tw_python.PyEval_SaveThread();
    int32_t status = binding->function(binding->self, values_of(call), count, result);
    __tw_python.PyEval_RestoreThread(thread);
    return status;
}

/* Call a model, with its inputs or with its inputs and outputs. A failed call is made again in
 * Python, which raises the precise error: a model has no effect but that on its outputs. */
static tw_any *call_model(struct tw_binding *binding, tw_any *callable, tw_any *const *args,
    size_t count)
{
    struct call call;
    struct tw_value result;
    int32_t total = binding->inputs + binding->outputs;
    bool is_filling = count == (size_t)total;
    bool is_allocating = count == (size_t)binding->inputs && binding->allocating != NULL;
    bool is_making = !is_filling && !is_allocating && count == (size_t)binding->inputs
        && binding->made != NULL && binding->size_count <= MOST_SIZES;
    if (total > MOST || !(is_filling || is_making || is_allocating)
        || !take_given(args, count, binding, &call))
        return call_with(binding->slow, callable, args, count, NULL);
    if (is_allocating && fill_allocating(binding, &call))
        return results(binding, call.made);
    if (is_allocating)
        return call_with(binding->slow, callable, args, count, NULL);
    enum outcome outcome = is_making ? make_outputs(binding, &call) : MADE;
    if (outcome == FAILED)
        return NULL;
    if (outcome == SLOW)
        return call_with(binding->slow, callable, args, count, NULL);
    clear(&result);
    if (invoke(binding, &call, total, &result) != 0) {
        if (is_making)
            drop(call.made, binding->outputs);
        return call_with(binding->slow, callable, args, count, NULL);
    }
    if (is_making)
        return results(binding, call.made);
    __tw_python.Py_IncRef(__tw_python.none);
    return __tw_python.none;
}

tw_any *__tw_python_call(tw_any *callable, tw_any *const *args, size_t flags, tw_any *names)
{
    struct tw_binding *binding = binding_of(callable);
    size_t count = flags & ~OFFSET_BIT;
    if (names != NULL)
        return call_with(binding->slow, callable, args, count, names);
    return call_model(binding, callable, args, count);
}
