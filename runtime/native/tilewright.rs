//! The C runtime for Rust: modules, tensors, sessions and functions that release themselves, and errors
//! as `Result`. A safe layer over tilewright.h, without crates.
//!
//! Compile tilewright.c as C to an object, and this file to a library, then a program:
//!
//! ```text
//! cc -c -O2 tilewright.c
//! rustc --edition 2021 --crate-type rlib tilewright.rs
//! rustc --edition 2021 -L. --extern tilewright=libtilewright.rlib -C link-arg=tilewright.o app.rs
//! ```

use std::ffi::{c_char, c_void, CStr, CString};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::rc::Rc;

/// The declarations of packed.h and tilewright.h that this file uses.
#[allow(non_camel_case_types)]
mod c {
    use std::ffi::{c_char, c_void};

    pub const NONE: i32 = 0;
    pub const INT: i32 = 1;
    pub const FLOAT: i32 = 3;
    pub const FIRST_OBJECT: i32 = 64;
    pub const TENSOR_PTR: i32 = 7;
    pub const TENSOR: i32 = 70;
    pub const CPU: i32 = 1;

    #[repr(C)]
    pub struct tw_tensor {
        pub data: *mut c_void,
        pub device_type: i32,
        pub device_id: i32,
        pub rank: i32,
        pub dtype: u32,
        pub shape: *const i64,
        pub strides: *const i64,
        pub byte_offset: u64,
    }

    #[repr(C)]
    pub struct tw_tensor_object {
        pub counts: u64,
        pub type_index: i32,
        pub padding: u32,
        pub deleter: u64,
        pub tensor: tw_tensor,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub union payload {
        pub integer: i64,
        pub number: f64,
        pub pointer: *mut c_void,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct tw_value {
        pub type_index: i32,
        pub padding: u32,
        pub payload: payload,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct tw_function {
        pub name: *const c_char,
        pub call: *const c_void,
        pub handle: *mut c_void,
    }

    #[repr(C)]
    pub struct tw_module {
        opaque: [u8; 0],
    }

    #[repr(C)]
    pub struct tw_linked {
        pub name: *const c_char,
        pub address: *mut c_void,
    }

    #[repr(C)]
    pub struct tw_param {
        pub name: *const c_char,
        pub reason: *const c_char,
        pub shape: *const i64,
        pub dtype: u32,
        pub rank: i32,
    }

    #[repr(C)]
    pub struct tw_session {
        pub module: *const tw_module,
        pub object: *mut c_void,
    }

    #[repr(C)]
    pub struct tw_device {
        pub name: *const c_char,
        pub handle: *mut c_void,
        pub allocate: unsafe extern "C" fn(*mut c_void, i32, usize) -> *mut c_void,
        pub release: unsafe extern "C" fn(*mut c_void, i32, *mut c_void),
        pub copy: unsafe extern "C" fn(*mut c_void, *const tw_tensor, *const tw_tensor, usize) -> i32,
        pub sync: unsafe extern "C" fn(*mut c_void, i32) -> i32,
    }

    pub type tensors = *const *mut tw_tensor_object;
    pub type packed = unsafe extern "C" fn(*mut c_void, *const tw_value, i32, *mut tw_value) -> i32;

    extern "C" {
        pub fn tw_error_kind() -> *const c_char;
        pub fn tw_error_message() -> *const c_char;
        pub fn tw_set_error(kind: *const c_char, message: *const c_char);
        pub fn tw_register(f: *const tw_function, is_override: i32) -> i32;
        pub fn tw_remove(name: *const c_char) -> i32;
        pub fn tw_find(name: *const c_char, found: *mut tw_function) -> i32;
        pub fn tw_list(names: *mut *const c_char, room: i32) -> i32;
        pub fn tw_register_device(kind: i32, device: *const tw_device) -> i32;
        pub fn tw_sync(kind: i32, number: i32) -> i32;
        pub fn tw_tensor_copy(from: *const tw_tensor, to: *const tw_tensor) -> i32;
        pub fn tw_call(f: *const tw_function, args: *const tw_value, n: i32, r: *mut tw_value) -> i32;
        pub fn tw_tensor_new(dtype: u32, rank: i32, shape: *const i64, kind: i32, id: i32)
            -> *mut tw_tensor_object;
        pub fn tw_retain(object: *mut c_void);
        pub fn tw_release(object: *mut c_void);
        pub fn tw_load(path: *const c_char, loaded: *mut *mut tw_module) -> i32;
        pub fn tw_load_linked(symbols: *const tw_linked, loaded: *mut *mut tw_module) -> i32;
        pub fn tw_unload(module: *mut tw_module);
        pub fn tw_verify(module: *const tw_module) -> i32;
        pub fn tw_manifest(module: *const tw_module) -> *const c_char;
        pub fn tw_set_threads(module: *mut tw_module, threads: i32) -> i32;
        pub fn tw_module_find(m: *const tw_module, name: *const c_char, f: *mut tw_function) -> i32;
        pub fn tw_module_counts(m: *const tw_module, inputs: *mut i32, outputs: *mut i32) -> i32;
        pub fn tw_module_run(m: *const tw_module, inputs: tensors, n: i32,
            outputs: *mut *mut tw_tensor_object, k: i32) -> i32;
        pub fn tw_param_count(m: *mut tw_module, count: *mut i32) -> i32;
        pub fn tw_describe_param(m: *mut tw_module, index: i32, described: *mut tw_param) -> i32;
        pub fn tw_get_param(m: *mut tw_module, name: *const c_char) -> *mut tw_tensor_object;
        pub fn tw_load_params(m: *mut tw_module, names: *const *const c_char, values: tensors, n: i32)
            -> i32;
        pub fn tw_load_params_file(m: *mut tw_module, path: *const c_char) -> i32;
        pub fn tw_session_begin(m: *const tw_module, initial: tensors, n: i32, s: *mut tw_session) -> i32;
        pub fn tw_session_counts(s: *const tw_session, inputs: *mut i32, outputs: *mut i32) -> i32;
        pub fn tw_session_run(s: *mut tw_session, inputs: tensors, n: i32,
            outputs: *mut *mut tw_tensor_object, k: i32) -> i32;
        pub fn tw_session_reset(s: *mut tw_session) -> i32;
        pub fn tw_session_rewind(s: *mut tw_session, count: i64) -> i32;
        pub fn tw_session_fork(s: *const tw_session, made: *mut tw_session) -> i32;
        pub fn tw_session_size(s: *const tw_session, state: i32, size: *mut i64) -> i32;
        pub fn tw_session_state(s: *const tw_session, state: i32, value: *mut tw_tensor_object) -> i32;
        pub fn tw_session_end(s: *mut tw_session);
    }
}

/// An error of the runtime; `kind` is its name in Python, such as "ValueError".
#[derive(Debug, Clone)]
pub struct Error {
    pub kind: String,
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}: {}", self.kind, self.message)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Return the last error of this thread.
    fn last() -> Error {
        // SAFETY: both texts belong to this thread, and end with NUL.
        let (kind, message) = unsafe { (text(c::tw_error_kind()), text(c::tw_error_message())) };
        Error { kind, message }
    }

    fn new(kind: &str, message: String) -> Error {
        Error { kind: kind.into(), message }
    }
}

/// SAFETY: `at` ends with NUL.
unsafe fn text(at: *const c_char) -> String {
    CStr::from_ptr(at).to_string_lossy().into_owned()
}

fn check(status: i32) -> Result<()> {
    if status == 0 { Ok(()) } else { Err(Error::last()) }
}

fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new("ValueError", format!("a name has a NUL: {text:?}")))
}

mod sealed {
    /// A number with a DLPack type; all bits are valid values.
    pub trait Number {
        const CODE: u32;
    }
}

/// The types of elements.
pub trait Element: sealed::Number + Copy + 'static {}

macro_rules! elements {
    ($($code:literal: $($name:ty)*;)*) => { $($(
        impl sealed::Number for $name { const CODE: u32 = $code; }
        impl Element for $name {}
    )*)* };
}
elements! {
    0: i8 i16 i32 i64;
    1: u8 u16 u32 u64;
    2: f32 f64;
}

/// Return a Rust type as `struct tw_tensor` has it.
fn dtype_of<T: Element>() -> u32 {
    T::CODE | (8 * std::mem::size_of::<T>() as u32) << 8 | 1 << 16
}

/// A tensor, row by row without gaps. Clones share the elements, which only a tensor in CPU memory
/// shows.
pub struct Tensor {
    object: *mut c::tw_tensor_object,
}

impl Clone for Tensor {
    fn clone(&self) -> Tensor {
        // SAFETY: the object is alive.
        unsafe { c::tw_retain(self.object.cast()) };
        Tensor { object: self.object }
    }
}

impl Drop for Tensor {
    fn drop(&mut self) {
        // SAFETY: this reference is counted.
        unsafe { c::tw_release(self.object.cast()) }
    }
}

impl Tensor {
    /// Return the tensor of a reference that a function of the runtime made, or its error.
    fn owned(object: *mut c::tw_tensor_object) -> Result<Tensor> {
        if object.is_null() { Err(Error::last()) } else { Ok(Tensor { object }) }
    }

    /// Make a tensor of zeros.
    pub fn zeros<T: Element>(shape: &[i64]) -> Result<Tensor> {
        let made = Tensor::on::<T>(c::CPU, 0, shape)?;
        // SAFETY: the memory holds this many bytes, and nothing else refers to it.
        unsafe { std::ptr::write_bytes(made.address::<u8>(), 0, made.len() * std::mem::size_of::<T>()) };
        Ok(made)
    }

    /// Make a tensor on a registered kind of device, with any elements; see `copy_to`.
    pub fn empty_on<T: Element>(kind: i32, number: i32, shape: &[i64]) -> Result<Tensor> {
        if kind == c::CPU { Tensor::zeros::<T>(shape) } else { Tensor::on::<T>(kind, number, shape) }
    }

    fn on<T: Element>(kind: i32, number: i32, shape: &[i64]) -> Result<Tensor> {
        // SAFETY: the runtime copies the shape and checks it.
        Tensor::owned(unsafe {
            c::tw_tensor_new(dtype_of::<T>(), shape.len() as i32, shape.as_ptr(), kind, number)
        })
    }

    /// Copy all elements to a tensor of the same type and shape, maybe on another device.
    pub fn copy_to(&self, to: &Tensor) -> Result<()> {
        // SAFETY: both tensors are alive; the runtime compares types and shapes.
        check(unsafe { c::tw_tensor_copy(self.own(), to.own()) })
    }

    /// Make a tensor with a copy of elements.
    pub fn of<T: Element>(shape: &[i64], elements: &[T]) -> Result<Tensor> {
        let mut made = Tensor::zeros::<T>(shape)?;
        if made.len() != elements.len() {
            return Err(Error::new(
                "ValueError",
                format!("shape and elements differ\n  expected: {}\n  got: {}", made.len(), elements.len()),
            ));
        }
        made.elements_mut::<T>()?.copy_from_slice(elements);
        Ok(made)
    }

    fn own(&self) -> &c::tw_tensor {
        // SAFETY: the object is alive as long as this tensor.
        unsafe { &(*self.object).tensor }
    }

    fn address<T>(&self) -> *mut T {
        // SAFETY: the offset is inside the memory.
        unsafe { self.own().data.cast::<u8>().add(self.own().byte_offset as usize).cast() }
    }

    pub fn shape(&self) -> &[i64] {
        let rank = self.own().rank as usize;
        // SAFETY: the shape has `rank` sizes; a slice may be empty, but not null.
        if rank == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.own().shape, rank) } }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape().iter().product::<i64>() as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element type, as `struct tw_tensor` has it.
    pub fn dtype(&self) -> u32 {
        self.own().dtype
    }

    /// Check that the elements are of a type, and in CPU memory.
    fn check_dtype<T: Element>(&self) -> Result<()> {
        check_elements::<T>(self.own())
    }

    /// Copy the elements.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.check_dtype::<T>()?;
        let mut copy = Vec::with_capacity(self.len());
        // SAFETY: both have room for `len` elements; a raw copy, because clones may share them.
        unsafe {
            std::ptr::copy_nonoverlapping(self.address::<T>(), copy.as_mut_ptr(), self.len());
            copy.set_len(self.len());
        }
        Ok(copy)
    }

    /// Borrow the elements of a tensor that no clone shares.
    pub fn elements_mut<T: Element>(&mut self) -> Result<&mut [T]> {
        self.check_dtype::<T>()?;
        // SAFETY: the object is alive; another reference could only come from `self`.
        if unsafe { (*self.object).counts } as u32 != 1 {
            return Err(Error::new("ValueError", "a clone shares the elements".into()));
        }
        // SAFETY: this is the only reference, and the memory has `len` elements.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.address::<T>(), self.len()) })
    }
}

fn check_elements<T: Element>(tensor: &c::tw_tensor) -> Result<()> {
    let (expected, got) = (dtype_of::<T>(), tensor.dtype);
    if tensor.device_type != c::CPU {
        return Err(Error::new(
            "ValueError",
            format!("the elements are on a device\n  expected: CPU memory\n  got: {}", tensor.device_type),
        ));
    }
    if expected == got {
        return Ok(());
    }
    Err(Error::new(
        "TypeError",
        format!("the elements have another type\n  expected: {expected:#x}\n  got: {got:#x}"),
    ))
}

/// Call a function that makes `count` outputs.
fn making(
    inputs: &[&Tensor],
    count: i32,
    run: impl FnOnce(c::tensors, i32, *mut *mut c::tw_tensor_object) -> i32,
) -> Result<Vec<Tensor>> {
    let given: Vec<_> = inputs.iter().map(|each| each.object).collect();
    let mut made = vec![null_mut(); count as usize];
    check(run(given.as_ptr(), given.len() as i32, made.as_mut_ptr()))?;
    Ok(made.into_iter().map(|object| Tensor { object }).collect())
}

struct Library {
    module: *mut c::tw_module,
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: no function or session refers to the library any more.
        unsafe { c::tw_unload(self.module) }
    }
}

/// A parameter: an initializer of the model. `reason` says why its values cannot be replaced.
#[derive(Debug, Clone)]
pub struct Param {
    pub name: String,
    pub reason: String,
    pub dtype: u32,
    pub shape: Vec<i64>,
}

/// A loaded module; clones share it. Each thread loads its own: a second load is only a reference.
#[derive(Clone)]
pub struct Module {
    library: Rc<Library>,
}

impl Param {
    fn of(module: *mut c::tw_module, index: i32) -> Result<Param> {
        let mut found = c::tw_param {
            name: null_mut(), reason: null_mut(), shape: null_mut(), dtype: 0, rank: 0,
        };
        // SAFETY: the module is loaded, and its texts and shapes are alive.
        unsafe {
            check(c::tw_describe_param(module, index, &mut found))?;
            let shape = (0..found.rank as usize).map(|axis| *found.shape.add(axis)).collect();
            Ok(Param { name: text(found.name), reason: text(found.reason), dtype: found.dtype, shape })
        }
    }
}

impl Module {
    /// Load a library of `Module.export_library`.
    ///
    /// The checks of `tw_load` find damage, not malice: load only libraries that you trust.
    pub fn load(path: impl AsRef<Path>) -> Result<Module> {
        let path = c_text(&path.as_ref().to_string_lossy())?;
        let mut module = null_mut();
        // SAFETY: the path ends with NUL.
        check(unsafe { c::tw_load(path.as_ptr(), &mut module) })?;
        Ok(Module { library: Rc::new(Library { module }) })
    }

    /// Use a model that is linked with the program: the list `<name>_symbols` of its header, declared
    /// as `extern "C" { static m_symbols: c_void; }`.
    ///
    /// # Safety
    ///
    /// `symbols` is the address of such a list.
    pub unsafe fn linked(symbols: *const c_void) -> Result<Module> {
        let mut module = null_mut();
        check(c::tw_load_linked(symbols.cast(), &mut module))?;
        Ok(Module { library: Rc::new(Library { module }) })
    }

    /// Read all bytes of the library and its weights, and compare their digests.
    pub fn verify(&self) -> Result<()> {
        // SAFETY: here and below, the module is loaded.
        check(unsafe { c::tw_verify(self.library.module) })
    }

    /// The module's description of itself, as JSON text.
    pub fn manifest(&self) -> String {
        unsafe { text(c::tw_manifest(self.library.module)) }
    }

    pub fn set_threads(&self, threads: i32) -> Result<()> {
        check(unsafe { c::tw_set_threads(self.library.module, threads) })
    }

    /// Run main; the outputs have their actual sizes, also where data decides them.
    pub fn run(&self, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        let (module, mut taken, mut count) = (self.library.module, 0, 0);
        check(unsafe { c::tw_module_counts(module, &mut taken, &mut count) })?;
        making(inputs, count, |given, number, made| unsafe {
            c::tw_module_run(module, given, number, made, count)
        })
    }

    /// The parameters of the model, by its names and in its layouts.
    pub fn params(&self) -> Result<Vec<Param>> {
        let (module, mut count) = (self.library.module, 0);
        check(unsafe { c::tw_param_count(module, &mut count) })?;
        (0..count).map(|index| Param::of(module, index)).collect()
    }

    /// Copy the values of a parameter.
    pub fn param(&self, name: &str) -> Result<Tensor> {
        let name = c_text(name)?;
        Tensor::owned(unsafe { c::tw_get_param(self.library.module, name.as_ptr()) })
    }

    /// Replace values of parameters, by name.
    pub fn load_params(&self, values: &[(&str, &Tensor)]) -> Result<()> {
        let texts: Vec<_> = values.iter().map(|(name, _)| c_text(name)).collect::<Result<_>>()?;
        let names: Vec<_> = texts.iter().map(|each| each.as_ptr()).collect();
        let given: Vec<_> = values.iter().map(|(_, value)| value.object).collect();
        let count = values.len() as i32;
        let module = self.library.module;
        check(unsafe { c::tw_load_params(module, names.as_ptr(), given.as_ptr(), count) })
    }

    /// Replace values of parameters by those in a file that `save_params` wrote.
    pub fn load_params_file(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = c_text(&path.as_ref().to_string_lossy())?;
        check(unsafe { c::tw_load_params_file(self.library.module, path.as_ptr()) })
    }

    pub fn function(&self, name: &str) -> Result<Function> {
        let name = c_text(name)?;
        let mut found = no_function();
        check(unsafe { c::tw_module_find(self.library.module, name.as_ptr(), &mut found) })?;
        Ok(Function { found, _library: Some(self.library.clone()) })
    }

    /// Begin a session of a model with states, which are zeros.
    pub fn session(&self) -> Result<Session> {
        self.session_from(&[])
    }

    /// Begin a session with initial values of the states, in the order of the inputs; None is zeros,
    /// and so is an empty list.
    pub fn session_from(&self, initial: &[Option<&Tensor>]) -> Result<Session> {
        let mut made = Session::none(self.library.clone());
        let values: Vec<_> =
            initial.iter().map(|each| each.map_or(null_mut(), |tensor| tensor.object)).collect();
        let list = if values.is_empty() { null() } else { values.as_ptr() };
        let count = values.len() as i32;
        check(unsafe { c::tw_session_begin(self.library.module, list, count, &mut made.session) })?;
        Ok(made)
    }
}

/// An argument of a call.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    value: c::tw_value,
    borrowed: PhantomData<&'a Tensor>,
}

impl<'a> From<&'a Tensor> for Value<'a> {
    fn from(tensor: &'a Tensor) -> Value<'a> {
        Value::of(c::TENSOR, c::payload { pointer: tensor.object.cast() })
    }
}

impl From<i64> for Value<'_> {
    fn from(integer: i64) -> Self {
        Value::of(c::INT, c::payload { integer })
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value::of(c::FLOAT, c::payload { number })
    }
}

impl Value<'_> {
    fn of(type_index: i32, payload: c::payload) -> Self {
        Value { value: c::tw_value { type_index, padding: 0, payload }, borrowed: PhantomData }
    }
}

/// A result of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Returned {
    None,
    Int(i64),
    Float(f64),
    /// A value of another kind, which is not kept.
    Other(i32),
}

/// A packed function: of a module, which it keeps loaded, or a registered one.
pub struct Function {
    found: c::tw_function,
    _library: Option<Rc<Library>>,
}

fn no_function() -> c::tw_function {
    c::tw_function { name: null(), call: null(), handle: null_mut() }
}

impl Function {
    /// Call the function: inputs, then outputs.
    pub fn call(&self, args: &[Value]) -> Result<Returned> {
        let values: Vec<_> = args.iter().map(|each| each.value).collect();
        let mut result = c::tw_value { type_index: 0, padding: 0, payload: c::payload { integer: 0 } };
        // SAFETY: the function checks its arguments; tensors are borrowed during the call.
        check(unsafe { c::tw_call(&self.found, values.as_ptr(), values.len() as i32, &mut result) })?;
        // SAFETY: the type index says which field is set.
        Ok(unsafe {
            match result.type_index {
                c::NONE => Returned::None,
                c::INT => Returned::Int(result.payload.integer),
                c::FLOAT => Returned::Float(result.payload.number),
                other => {
                    if other >= c::FIRST_OBJECT {
                        c::tw_release(result.payload.pointer);
                    }
                    Returned::Other(other)
                }
            }
        })
    }
}

/// A run of a model that remembers its states, as `mod.session()` in Python.
pub struct Session {
    session: c::tw_session,
    library: Rc<Library>,
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the session is ended before its module is unloaded.
        unsafe { c::tw_session_end(&mut self.session) }
    }
}

impl Session {
    fn none(library: Rc<Library>) -> Session {
        Session { session: c::tw_session { module: null_mut(), object: null_mut() }, library }
    }

    /// Run the model on the inputs that are no states; return the outputs that are no states.
    pub fn run(&mut self, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        let (mut taken, mut count) = (0, 0);
        // SAFETY: here and below, the session is alive.
        check(unsafe { c::tw_session_counts(&self.session, &mut taken, &mut count) })?;
        let session = &mut self.session;
        making(inputs, count, |given, number, made| unsafe {
            c::tw_session_run(session, given, number, made, count)
        })
    }

    /// Forget all calls.
    pub fn reset(&mut self) -> Result<()> {
        check(unsafe { c::tw_session_reset(&mut self.session) })
    }

    /// Forget the last positions of all growing states.
    pub fn rewind(&mut self, count: i64) -> Result<()> {
        check(unsafe { c::tw_session_rewind(&mut self.session, count) })
    }

    /// Return the size of the growing axis of a state.
    pub fn size(&self, state: i32) -> Result<i64> {
        let mut size = 0;
        check(unsafe { c::tw_session_size(&self.session, state, &mut size) })?;
        Ok(size)
    }

    /// Copy the value of a state to a tensor of its shape.
    pub fn copy_state(&self, state: i32, value: &Tensor) -> Result<()> {
        check(unsafe { c::tw_session_state(&self.session, state, value.object) })
    }

    /// Return a session with a copy of the states.
    pub fn fork(&self) -> Result<Session> {
        let mut made = Session::none(self.library.clone());
        check(unsafe { c::tw_session_fork(&self.session, &mut made.session) })?;
        Ok(made)
    }
}

/// A tensor that a registered function is called with, during the call.
#[derive(Clone, Copy)]
pub struct View<'a> {
    tensor: &'a c::tw_tensor,
}

impl View<'_> {
    pub fn shape(&self) -> &[i64] {
        let rank = self.tensor.rank as usize;
        // SAFETY: the caller's tensor is alive during the call.
        if rank == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.tensor.shape, rank) } }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape().iter().product::<i64>() as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element type, as `struct tw_tensor` has it.
    pub fn dtype(&self) -> u32 {
        self.tensor.dtype
    }

    /// Return the address of the elements, which are of a type, in CPU memory and row by row.
    fn elements<T: Element>(&self) -> Result<*mut T> {
        check_elements::<T>(self.tensor)?;
        let mut step = 1;
        for axis in (0..self.shape().len()).rev().filter(|_| !self.tensor.strides.is_null()) {
            // SAFETY: a tensor with strides has one per axis.
            if self.shape()[axis] > 1 && unsafe { *self.tensor.strides.add(axis) } != step {
                return Err(Error::new("ValueError", "the elements have gaps".into()));
            }
            step *= self.shape()[axis];
        }
        // SAFETY: the offset is inside the memory.
        Ok(unsafe { self.tensor.data.cast::<u8>().add(self.tensor.byte_offset as usize).cast() })
    }

    /// Copy the elements.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        let (from, mut copy) = (self.elements::<T>()?, Vec::<T>::with_capacity(self.len()));
        // SAFETY: a raw copy, because other arguments may share the memory, which may be unaligned.
        unsafe {
            std::ptr::copy_nonoverlapping(
                from.cast::<u8>(), copy.as_mut_ptr().cast::<u8>(), self.len() * std::mem::size_of::<T>(),
            );
            copy.set_len(self.len());
        }
        Ok(copy)
    }

    /// Overwrite all elements.
    pub fn write<T: Element>(&self, elements: &[T]) -> Result<()> {
        let to = self.elements::<T>()?;
        if elements.len() != self.len() {
            let (expected, got) = (self.len(), elements.len());
            return Err(Error::new(
                "ValueError", format!("the number of elements differs\n  expected: {expected}\n  got: {got}"),
            ));
        }
        // SAFETY: the memory has this many elements; `elements` is memory of Rust.
        unsafe {
            std::ptr::copy(elements.as_ptr().cast::<u8>(), to.cast::<u8>(), std::mem::size_of_val(elements));
        }
        Ok(())
    }
}

/// An argument that a registered function is called with.
#[derive(Clone, Copy)]
pub enum Argument<'a> {
    None,
    Int(i64),
    Float(f64),
    Tensor(View<'a>),
    /// A value of another kind.
    Other(i32),
}

impl<'a> Argument<'a> {
    /// SAFETY: the value and what it refers to are alive for 'a.
    unsafe fn of(value: &'a c::tw_value) -> Argument<'a> {
        let pointer = value.payload.pointer;
        match value.type_index {
            c::NONE => Argument::None,
            c::INT => Argument::Int(value.payload.integer),
            c::FLOAT => Argument::Float(value.payload.number),
            c::TENSOR_PTR => Argument::Tensor(View { tensor: &*pointer.cast::<c::tw_tensor>() }),
            c::TENSOR => {
                Argument::Tensor(View { tensor: &(*pointer.cast::<c::tw_tensor_object>()).tensor })
            }
            other => Argument::Other(other),
        }
    }

    /// Return the tensor.
    pub fn tensor(&self) -> Result<View<'a>> {
        match self {
            Argument::Tensor(view) => Ok(*view),
            _ => Err(Error::new("TypeError", "the argument is not a tensor".into())),
        }
    }
}

/// A function of the program that modules call by name.
type Closure = Box<dyn Fn(&[Argument]) -> Result<Returned> + Send + Sync>;

/// The packed function of all closures; `handle` is one.
unsafe extern "C" fn call_closure(
    handle: *mut c_void, args: *const c::tw_value, count: i32, result: *mut c::tw_value,
) -> i32 {
    let closure = &*handle.cast::<Closure>();
    let values = if count == 0 { &[] } else { std::slice::from_raw_parts(args, count as usize) };
    let given: Vec<_> = values.iter().map(|each| Argument::of(each)).collect();
    let made = catch_unwind(AssertUnwindSafe(|| closure(&given)))
        .unwrap_or_else(|_| Err(Error::new("RuntimeError", "the function panicked".into())));
    let (type_index, payload) = match made {
        Ok(Returned::None) => (c::NONE, c::payload { integer: 0 }),
        Ok(Returned::Int(integer)) => (c::INT, c::payload { integer }),
        Ok(Returned::Float(number)) => (c::FLOAT, c::payload { number }),
        Ok(Returned::Other(kind)) => {
            return report("TypeError", &format!("a function cannot return a value of kind {kind}"))
        }
        Err(error) => return report(&error.kind, &error.message),
    };
    *result = c::tw_value { type_index, padding: 0, payload };
    0
}

/// Set the error of this thread; return -1.
fn report(kind: &str, message: &str) -> i32 {
    let texts = [kind, message].map(|text| CString::new(text.replace('\0', " ")).unwrap_or_default());
    // SAFETY: the runtime copies the texts.
    unsafe { c::tw_set_error(texts[0].as_ptr(), texts[1].as_ptr()) };
    -1
}

/// Register a function under a name, for modules that are loaded later and for `find`.
///
/// A registered name is an error, unless `is_override`. The function stays in memory to the end of the
/// program: modules that were loaded before it was overridden or removed go on calling it.
pub fn register(
    name: &str,
    function: impl Fn(&[Argument]) -> Result<Returned> + Send + Sync + 'static,
    is_override: bool,
) -> Result<()> {
    let name = c_text(name)?.into_raw();
    let closure: *mut Closure = Box::into_raw(Box::new(Box::new(function)));
    let own = c::tw_function {
        name, call: call_closure as c::packed as *const c_void, handle: closure.cast(),
    };
    // SAFETY: name and closure stay in memory, also after an error: a host may have refused a function
    // that the registry has.
    check(unsafe { c::tw_register(&own, is_override.into()) })
}

/// Find a registered function.
pub fn find(name: &str) -> Result<Function> {
    let (name, mut found) = (c_text(name)?, no_function());
    // SAFETY: the name ends with NUL.
    check(unsafe { c::tw_find(name.as_ptr(), &mut found) })?;
    Ok(Function { found, _library: None })
}

/// Forget a registered name.
pub fn remove(name: &str) -> Result<()> {
    let name = c_text(name)?;
    // SAFETY: the name ends with NUL.
    check(unsafe { c::tw_remove(name.as_ptr()) })
}

/// Return the registered names, in the order of registration.
pub fn list() -> Vec<String> {
    const ROOM: usize = 256;
    let mut names = [null(); ROOM];
    // SAFETY: the array has this room; names end with NUL and stay in memory.
    unsafe {
        let count = c::tw_list(names.as_mut_ptr(), ROOM as i32) as usize;
        names.iter().take(count).map(|name| text(*name)).collect()
    }
}

/// Elements in the memory of a device, or of the CPU (kind 1).
#[derive(Clone, Copy)]
pub struct Place {
    pub kind: i32,
    pub number: i32,
    pub address: *mut c_void,
}

impl Place {
    /// SAFETY: the tensor is alive.
    unsafe fn of(tensor: *const c::tw_tensor) -> Place {
        let own = &*tensor;
        let address = own.data.cast::<u8>().add(own.byte_offset as usize).cast();
        Place { kind: own.device_type, number: own.device_id, address }
    }
}

/// A kind of device, for tensors of the program.
///
/// # Safety
/// `allocate` returns null or memory of its own that `copy` can reach, aligned to 64 bytes.
pub unsafe trait Device: Send + Sync + 'static {
    fn allocate(&self, number: i32, bytes: usize) -> *mut c_void;
    fn release(&self, number: i32, memory: *mut c_void);
    /// Copy between two places of which one or both are on this device.
    fn copy(&self, from: Place, to: Place, bytes: usize) -> Result<()>;
    fn sync(&self, _number: i32) -> Result<()> {
        Ok(())
    }
}

fn reported(result: Result<()>) -> i32 {
    result.map_or_else(|error| report(&error.kind, &error.message), |()| 0)
}

/// Register a kind of device by its DLPack type, 0..31, to the end of the program.
pub fn register_device<D: Device>(kind: i32, name: &str, device: D) -> Result<()> {
    unsafe extern "C" fn allocate<D: Device>(own: *mut c_void, number: i32, bytes: usize) -> *mut c_void {
        (*own.cast::<D>()).allocate(number, bytes)
    }
    unsafe extern "C" fn release<D: Device>(own: *mut c_void, number: i32, memory: *mut c_void) {
        (*own.cast::<D>()).release(number, memory)
    }
    unsafe extern "C" fn copy<D: Device>(
        own: *mut c_void, from: *const c::tw_tensor, to: *const c::tw_tensor, bytes: usize,
    ) -> i32 {
        reported((*own.cast::<D>()).copy(Place::of(from), Place::of(to), bytes))
    }
    unsafe extern "C" fn sync<D: Device>(own: *mut c_void, number: i32) -> i32 {
        reported((*own.cast::<D>()).sync(number))
    }
    let name = c_text(name)?.into_raw();
    let handle = Box::into_raw(Box::new(device)).cast();
    let functions = c::tw_device {
        name, handle, allocate: allocate::<D>, release: release::<D>, copy: copy::<D>, sync: sync::<D>,
    };
    // SAFETY: the runtime copies the table; name and device stay in memory.
    check(unsafe { c::tw_register_device(kind, &functions) })
}

/// Wait until a device has finished its work.
pub fn sync(kind: i32, number: i32) -> Result<()> {
    // SAFETY: the runtime checks the kind.
    check(unsafe { c::tw_sync(kind, number) })
}

// The layouts of packed.h.
const _: () = assert!(std::mem::size_of::<c::tw_value>() == 16);
const _: () = assert!(std::mem::size_of::<c::tw_tensor>() == 48);
const _: () = assert!(std::mem::size_of::<*mut c_void>() == 8);
