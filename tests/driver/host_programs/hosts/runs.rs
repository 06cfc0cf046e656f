//! Runs the library of the first argument on the tensors in the second; writes the outputs to the third.

mod tensors;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let module = tilewright::Module::load(&words[1])?;
    module.verify()?;
    let inputs = tensors::read_tensors(&words[2])?;
    let outputs = module.run(&inputs.iter().collect::<Vec<_>>())?;
    Ok(tensors::write_tensors(&words[3], &outputs)?)
}
