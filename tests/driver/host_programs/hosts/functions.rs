//! Functions and devices in Rust. The library of the first argument calls rust.scale(x, y, factor).

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use tilewright::{Argument, Device, Error, Module, Place, Result, Returned, Tensor};

const KIND: i32 = 12;

fn refused<T>(result: Result<T>, part: &str) {
    let error = result.err().expect("an error");
    assert!(error.to_string().contains(part), "{error}");
}

/// Return a function that multiplies by a factor of its own and that of its call.
fn scaling(own: f32) -> impl Fn(&[Argument]) -> Result<Returned> + Send + Sync {
    move |args| {
        let [x, y, Argument::Float(factor)] = args else {
            return Err(Error { kind: "TypeError".into(), message: "expected two tensors and a float".into() });
        };
        let scale = own * *factor as f32;
        let values: Vec<_> = x.tensor()?.to_vec::<f32>()?.iter().map(|each| each * scale).collect();
        y.tensor()?.write(&values)?;
        Ok(Returned::None)
    }
}

fn functions(path: &str) -> Result<()> {
    refused(Module::load(path), "rust.scale");
    tilewright::register("rust.scale", scaling(1.0), false)?;
    refused(tilewright::register("rust.scale", scaling(9.0), false), "is registered");
    let module = Module::load(path)?;
    let x = Tensor::of(&[8], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])?;
    let first = module.run(&[&x])?[0].to_vec::<f32>()?;
    tilewright::register("rust.scale", scaling(10.0), true)?;
    assert_eq!(module.run(&[&x])?[0].to_vec::<f32>()?, first);
    drop(module);
    let tens: Vec<_> = Module::load(path)?.run(&[&x])?[0].to_vec::<f32>()?;
    println!("{first:?}\n{tens:?}");

    let calls = Arc::new(AtomicUsize::new(0));
    let counter = calls.clone();
    tilewright::register(
        "rust.add",
        move |args| match args {
            [Argument::Int(a), Argument::Int(b)] => {
                counter.fetch_add(1, Ordering::SeqCst);
                Ok(Returned::Int(a + b))
            }
            _ => panic!("no integers"),
        },
        false,
    )?;
    let add = tilewright::find("rust.add")?;
    assert_eq!(add.call(&[2.into(), 3.into()])?, Returned::Int(5));
    std::panic::set_hook(Box::new(|_| ()));
    refused(add.call(&[2.5.into()]), "RuntimeError: the function panicked");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    let scale = tilewright::find("rust.scale")?;
    refused(scale.call(&[1.into()]), "TypeError: expected two tensors and a float");
    refused(scale.call(&[1.into(), 1.into(), 2.0.into()]), "is not a tensor");
    let integers = Tensor::zeros::<i64>(&[8])?;
    refused(scale.call(&[(&integers).into(), (&x).into(), 2.0.into()]), "another type");
    let short = Tensor::zeros::<f32>(&[2])?;
    refused(scale.call(&[(&x).into(), (&short).into(), 2.0.into()]), "number of elements differs");
    assert_eq!(tilewright::list(), ["rust.scale", "rust.add"]);
    tilewright::remove("rust.add")?;
    assert_eq!(tilewright::list(), ["rust.scale"]);
    refused(tilewright::find("rust.add"), "no function is registered");
    refused(tilewright::remove("rust.add"), "such as rust.scale");
    assert_eq!(add.call(&[2.into(), 3.into()])?, Returned::Int(5));
    Ok(())
}

/// A device whose memory is host memory that only `copy` reaches.
struct Remote {
    live: Arc<AtomicUsize>,
    syncs: Arc<AtomicUsize>,
}

fn layout(bytes: usize) -> std::alloc::Layout {
    std::alloc::Layout::from_size_align(bytes + 64, 64).expect("a layout")
}

// SAFETY: the first 64 bytes of each block hold its length; the rest is the memory.
unsafe impl Device for Remote {
    fn allocate(&self, number: i32, bytes: usize) -> *mut c_void {
        if number != 0 {
            return std::ptr::null_mut();
        }
        self.live.fetch_add(1, Ordering::SeqCst);
        unsafe {
            let block = std::alloc::alloc(layout(bytes));
            block.cast::<usize>().write(bytes);
            block.add(64).cast()
        }
    }
    fn release(&self, _number: i32, memory: *mut c_void) {
        self.live.fetch_sub(1, Ordering::SeqCst);
        unsafe {
            let block = memory.cast::<u8>().sub(64);
            std::alloc::dealloc(block, layout(block.cast::<usize>().read()));
        }
    }
    fn copy(&self, from: Place, to: Place, bytes: usize) -> Result<()> {
        if bytes == 4 {
            return Err(Error { kind: "RuntimeError".into(), message: "too little to copy".into() });
        }
        unsafe { std::ptr::copy(from.address.cast::<u8>(), to.address.cast::<u8>(), bytes) };
        Ok(())
    }
    fn sync(&self, _number: i32) -> Result<()> {
        self.syncs.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

fn devices() -> Result<()> {
    let (live, syncs) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let remote = || Remote { live: live.clone(), syncs: syncs.clone() };
    refused(Tensor::empty_on::<f32>(KIND, 0, &[3]), "no device of this type");
    refused(tilewright::register_device(1, "cpu", remote()), "the type cannot be registered");
    tilewright::register_device(KIND, "remote", remote())?;
    let x = Tensor::of(&[3], &[1.0f32, 2.0, 3.0])?;
    let (there, back) = (Tensor::empty_on::<f32>(KIND, 0, &[3])?, Tensor::zeros::<f32>(&[3])?);
    x.copy_to(&there)?;
    tilewright::sync(KIND, 0)?;
    there.copy_to(&back)?;
    assert_eq!(back.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    refused(there.to_vec::<f32>(), "the elements are on a device");
    refused(Tensor::empty_on::<f32>(KIND, 1, &[3]), "remote has no memory left");
    refused(Tensor::empty_on::<f32>(KIND, 0, &[1])?.copy_to(&Tensor::zeros::<f32>(&[1])?), "too little");
    assert_eq!((live.load(Ordering::SeqCst), syncs.load(Ordering::SeqCst)), (1, 1));
    drop(there);
    assert_eq!(live.load(Ordering::SeqCst), 0);
    Ok(())
}

fn main() -> Result<()> {
    functions(&std::env::args().nth(1).expect("a path"))?;
    devices()
}
