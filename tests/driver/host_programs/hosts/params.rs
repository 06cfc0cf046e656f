//! Doubles the parameters of the library of the first argument that can be, by values and by the file of
//! the second, and prints the sums of the outputs for an input of ones.

use tilewright::{Module, Result, Tensor};

fn total(tensor: &Tensor) -> Result<f64> {
    Ok(tensor.to_vec::<f32>()?.iter().map(|each| *each as f64).sum())
}

#[cfg(linked)]
extern "C" {
    static m_symbols: std::ffi::c_void;
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().collect();
    #[cfg(not(linked))]
    let module = Module::load(&words[1])?;
    #[cfg(linked)] // the model is linked with the program, and the first argument is not used
    let module = unsafe { Module::linked(&m_symbols) }?;
    let x = Tensor::of(&[4, 8], &[1.0f32; 32])?;
    println!("{:.6}", total(&module.run(&[&x])?[0])?);
    let mut values = Vec::new();
    for param in module.params()?.into_iter().filter(|each| each.reason.is_empty()) {
        let mut value = module.param(&param.name)?;
        assert_eq!(value.shape(), param.shape);
        value.elements_mut::<f32>()?.iter_mut().for_each(|each| *each *= 2.0);
        values.push((param.name, value));
    }
    let given: Vec<_> = values.iter().map(|(name, value)| (name.as_str(), value)).collect();
    module.load_params(&given)?;
    println!("{:.6}", total(&module.run(&[&x])?[0])?);
    module.load_params_file(&words[2])?;
    println!("{:.6}", total(&module.run(&[&x])?[0])?);
    let error = module.load_params(&[("absent", &x)]).unwrap_err();
    println!("{}", error.message);
    Ok(())
}
