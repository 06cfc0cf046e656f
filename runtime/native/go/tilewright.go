// Package tilewright runs compiled models that export_library wrote, over the C runtime.
//
// In the go.mod of a program:
//
//	require tilewright v0.0.0
//	replace tilewright => /path/of/include-dir/go
//
// where `tw include-dir` prints the folder. cgo compiles the runtime with the C compiler.
package tilewright

/*
#cgo CFLAGS: -std=c99 -O2 -I${SRCDIR}/..
#cgo LDFLAGS: -ldl -lpthread
#include <stdlib.h>
#include "tilewright.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Error is an error of the runtime; Kind is its name in Python, such as "ValueError".
type Error struct {
	Kind, Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Kind, e.Message) }

// checked runs a function of the C runtime; the error of a failure belongs to the thread.
func checked(run func() C.int32_t) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if run() == 0 {
		return nil
	}
	return &Error{C.GoString(C.tw_error_kind()), C.GoString(C.tw_error_message())}
}

// Element is a type of elements.
type Element interface {
	~float32 | ~float64 | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8
}

// dtypeOf returns the DLPack type code and the number of bits of a type, as the C runtime has them.
func dtypeOf[T Element]() C.uint32_t {
	var zero T
	code := 0
	switch any(zero).(type) {
	case float32, float64:
		code = 2
	case uint8:
		code = 1
	}
	return C.uint32_t(code | int(unsafe.Sizeof(zero))*8<<8 | 1<<16)
}

// Tensor is a row-major tensor in memory of the C runtime.
type Tensor struct {
	object *C.struct_tw_tensor_object
}

func owned(object *C.struct_tw_tensor_object) *Tensor {
	made := &Tensor{object}
	runtime.SetFinalizer(made, (*Tensor).Close)
	return made
}

// Close frees the tensor; it also happens when nothing refers to it.
func (t *Tensor) Close() {
	runtime.SetFinalizer(t, nil)
	C.tw_release(unsafe.Pointer(t.object))
	t.object = nil
}

// NewTensor makes a tensor with a copy of the elements.
func NewTensor[T Element](elements []T, shape ...int64) (*Tensor, error) {
	sizes := append(append([]int64{}, shape...), 0)
	var object *C.struct_tw_tensor_object
	err := checked(func() C.int32_t {
		first := (*C.int64_t)(unsafe.Pointer(&sizes[0]))
		object = C.tw_tensor_new(dtypeOf[T](), C.int32_t(len(shape)), first, C.TW_CPU, 0)
		if object == nil {
			return -1
		}
		return 0
	})
	if err != nil {
		return nil, err
	}
	made := owned(object)
	own, _ := Elements[T](made)
	if len(own) != len(elements) {
		return nil, &Error{"ValueError", fmt.Sprintf(
			"the shape has another number of elements\n  expected: %d\n  got: %d",
			len(own), len(elements))}
	}
	copy(own, elements)
	return made, nil
}

// Shape returns the sizes of all axes.
func (t *Tensor) Shape() []int64 {
	own := &t.object.tensor
	sizes := unsafe.Slice((*int64)(unsafe.Pointer(own.shape)), int(own.rank))
	return append([]int64{}, sizes...)
}

// Elements returns the elements themselves, not a copy; they are valid as long as the tensor is.
func Elements[T Element](t *Tensor) ([]T, error) {
	if t.object.tensor.dtype != dtypeOf[T]() {
		return nil, &Error{"TypeError", "the elements of the tensor have another type"}
	}
	count := int64(1)
	for _, size := range t.Shape() {
		count *= size
	}
	if count == 0 {
		return nil, nil
	}
	return unsafe.Slice((*T)(C.tw_data(t.object)), int(count)), nil
}

// Argument is an input or output: its name, and dtype and shape as text: float32[rows, 8].
type Argument struct {
	Name, Type string
}

// Model is a loaded library. Several goroutines may call it.
type Model struct {
	module *C.struct_tw_module
}

// Load loads a library; the error says why it does not fit this machine or is damaged.
func Load(path string) (*Model, error) {
	text := C.CString(path)
	defer C.free(unsafe.Pointer(text))
	var module *C.struct_tw_module
	if err := checked(func() C.int32_t { return C.tw_load(text, &module) }); err != nil {
		return nil, err
	}
	made := &Model{module}
	runtime.SetFinalizer(made, (*Model).Close)
	return made, nil
}

// Close unloads the library; it also happens when nothing refers to the model.
func (m *Model) Close() {
	runtime.SetFinalizer(m, nil)
	C.tw_unload(m.module)
	m.module = nil
}

// live runs a function of the C runtime on a model that is not closed.
func (m *Model) live(run func() C.int32_t) error {
	if m.module == nil {
		return &Error{"ValueError", "the model is closed"}
	}
	defer runtime.KeepAlive(m)
	return checked(run)
}

// Manifest returns the description of the model that the library contains, as JSON.
func (m *Model) Manifest() string { return C.GoString(C.tw_manifest(m.module)) }

// SetThreads sets the number of threads of a call; it is 1 at first.
func (m *Model) SetThreads(count int) error {
	return m.live(func() C.int32_t { return C.tw_set_threads(m.module, C.int32_t(count)) })
}

// Arguments returns the inputs and the outputs.
func (m *Model) Arguments() (inputs, outputs []Argument, err error) {
	var taken, made C.int32_t
	err = m.live(func() C.int32_t { return C.tw_module_counts(m.module, &taken, &made) })
	for index := C.int32_t(0); err == nil && index < taken+made; index++ {
		var found C.struct_tw_argument
		err = m.live(func() C.int32_t { return C.tw_module_argument(m.module, index, &found) })
		if err != nil {
			break
		}
		argument := Argument{C.GoString(found.name), C.GoString(found.text)}
		if index < taken {
			inputs = append(inputs, argument)
		} else {
			outputs = append(outputs, argument)
		}
	}
	return inputs, outputs, err
}

// Run runs the model; the outputs have their actual sizes.
func (m *Model) Run(inputs ...*Tensor) ([]*Tensor, error) {
	var taken, count C.int32_t
	err := m.live(func() C.int32_t { return C.tw_module_counts(m.module, &taken, &count) })
	if err != nil {
		return nil, err
	}
	// In C memory: cgo passes no pointers to lists of Go that hold pointers of C functions' results.
	bytes := C.size_t(uintptr(len(inputs)+int(count)+1) * unsafe.Sizeof(uintptr(0)))
	list := (**C.struct_tw_tensor_object)(C.malloc(bytes))
	defer C.free(unsafe.Pointer(list))
	handles := unsafe.Slice(list, len(inputs)+int(count)+1)
	for index, input := range inputs {
		if input.object == nil {
			return nil, &Error{"ValueError", "an input is closed"}
		}
		handles[index] = input.object
	}
	err = m.live(func() C.int32_t {
		made := &handles[len(inputs)]
		return C.tw_module_run(m.module, list, C.int32_t(len(inputs)), made, count)
	})
	runtime.KeepAlive(inputs)
	if err != nil {
		return nil, err
	}
	outputs := make([]*Tensor, count)
	for index := range outputs {
		outputs[index] = owned(handles[len(inputs)+index])
	}
	return outputs, nil
}
