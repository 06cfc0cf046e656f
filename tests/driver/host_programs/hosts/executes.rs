//! Is linked with the bundle of a model `m`: runs it on the tensors in the first argument, whose names
//! are the words from the third, and writes the outputs to the second. Reads and writes the files of
//! arrays.h.

use std::ffi::{c_char, c_void, CStr, CString};
use std::fs;
use std::ptr::null;

const CPU: i32 = 1;

/// `struct tw_tensor` of the model's header.
#[repr(C)]
struct Tensor {
    data: *const u8,
    device_type: i32,
    device_id: i32,
    rank: i32,
    dtype: u32,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

extern "C" {
    static m_last_error: [c_char; 1024];
    fn m_create() -> *mut c_void;
    fn m_set_input(executor: *mut c_void, name: *const c_char, tensor: *const Tensor) -> i32;
    fn m_run(executor: *mut c_void) -> i32;
    fn m_get_output(executor: *const c_void, index: i32) -> *const Tensor;
    fn m_destroy(executor: *mut c_void);
}

fn check(succeeded: bool) {
    let message = unsafe { CStr::from_ptr(m_last_error.as_ptr()) };
    assert!(succeeded, "{}", message.to_string_lossy());
}

fn number(data: &[u8], at: &mut usize) -> i64 {
    *at += 8;
    i64::from_le_bytes(data[*at - 8..*at].try_into().unwrap())
}

fn bytes_of(dtype: u32, shape: &[i64]) -> usize {
    (dtype >> 8 & 255) as usize / 8 * shape.iter().product::<i64>() as usize
}

fn set_input(executor: *mut c_void, name: &str, data: &[u8], at: &mut usize) {
    let (dtype, rank) = (number(data, at) as u32, number(data, at) as i32);
    let shape: Vec<i64> = (0..rank).map(|_| number(data, at)).collect();
    let bytes = data[*at..*at + bytes_of(dtype, &shape)].to_vec();
    *at += bytes.len();
    let (data, shape, strides) = (bytes.as_ptr(), shape.as_ptr(), null());
    let tensor =
        Tensor { data, device_type: CPU, device_id: 0, rank, dtype, shape, strides, byte_offset: 0 };
    let name = CString::new(name).unwrap();
    check(unsafe { m_set_input(executor, name.as_ptr(), &tensor) } == 0);
}

/// Append a tensor as arrays.h writes it.
unsafe fn append(written: &mut Vec<u8>, tensor: &Tensor) {
    let shape = std::slice::from_raw_parts(tensor.shape, tensor.rank as usize);
    let facts = [tensor.dtype as i64, tensor.rank as i64];
    written.extend(facts.iter().chain(shape).flat_map(|fact| fact.to_le_bytes()));
    let first = tensor.data.add(tensor.byte_offset as usize);
    written.extend(std::slice::from_raw_parts(first, bytes_of(tensor.dtype, shape)));
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let executor = unsafe { m_create() };
    check(!executor.is_null());
    let (data, mut at) = (fs::read(&words[1]).unwrap(), 8);
    for name in &words[3..] {
        set_input(executor, name, &data, &mut at);
    }
    check(unsafe { m_run(executor) } == 0);
    let (mut written, mut count) = (Vec::new(), 0i64);
    while let Some(output) = unsafe { m_get_output(executor, count as i32).as_ref() } {
        unsafe { append(&mut written, output) };
        count += 1;
    }
    unsafe { m_destroy(executor) };
    fs::write(&words[2], [&count.to_le_bytes()[..], &written].concat()).unwrap();
}
