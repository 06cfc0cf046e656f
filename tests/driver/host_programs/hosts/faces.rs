//! Provokes each error of tilewright.rs with a model of one 4x8 input and one 4x8 output.

use tilewright::{Module, Result, Returned, Tensor};

fn refused<T>(result: Result<T>, kind: &str, part: &str) {
    let error = result.err().expect("an error");
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.contains(part), "{error}");
}

fn main() -> Result<()> {
    let module = Module::load(std::env::args().nth(1).expect("a path"))?;
    let main = module.function("main")?;
    let x = Tensor::of(&[4, 8], &[1.0f32; 32])?;
    let mut y = Tensor::zeros::<f32>(&[4, 8])?;
    assert_eq!(main.call(&[(&x).into(), (&y).into()])?, Returned::None);
    assert!(y.elements_mut::<f32>()?.iter().any(|each| *each != 0.0));
    assert_eq!(module.run(&[&x])?[0].to_vec::<f32>()?, y.to_vec::<f32>()?);
    assert!(matches!(module.function("arena_bytes")?.call(&[(&x).into()])?, Returned::Int(_)));
    assert!(module.manifest().contains("\"inputs\""));
    module.set_threads(2)?;

    let twin = y.clone();
    refused(y.elements_mut::<f32>(), "ValueError", "a clone shares");
    drop(twin);
    y.elements_mut::<f32>()?[0] = 0.0;
    refused(y.elements_mut::<i64>(), "TypeError", "another type");
    refused(y.to_vec::<u8>(), "TypeError", "another type");
    refused(Tensor::of(&[2], &[1i32]), "ValueError", "expected: 2\n  got: 1");
    refused(Tensor::zeros::<f64>(&[-1]), "ValueError", "shape has a wrong size");
    refused(main.call(&[1.into(), 0.5.into()]), "TypeError", "is not a tensor");
    refused(main.call(&[(&x).into(), (&x).into()]), "ValueError", "shares memory");
    refused(module.run(&[]), "TypeError", "wrong number of inputs");
    refused(module.function("absent"), "KeyError", "no function of this name");
    refused(module.function("a\0b"), "ValueError", "has a NUL");
    refused(module.session(), "ValueError", "has no sessions");
    module.set_threads(1)?;
    refused(module.set_threads(0), "ValueError", "expected: 1 to 64");
    println!("all refused");
    Ok(())
}
