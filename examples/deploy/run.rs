//! Run a model of one 4x8 input and one 4x8 output; link with tilewright.c, compiled as C.
use tilewright::{Module, Tensor};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("m.so".into());
    let x: Vec<f32> = (0..32).map(|n| n as f32 / 32.0).collect();
    let outputs = Module::load(path)?.run(&[&Tensor::of(&[4, 8], &x)?])?;
    for y in outputs[0].to_vec::<f32>()? {
        println!("{y}");
    }
    Ok(())
}
