//! Decodes with the library of the first argument: the steps of decodes.cpp.

mod tensors;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let mut sessions = vec![tilewright::Module::load(&words[1])?.session()?];
    let mut results = Vec::new();
    for step in tensors::read_tensors(&words[2])? {
        let session = sessions.last_mut().expect("a session");
        if step.shape().len() > 1 {
            results.extend(session.run(&[&step])?);
            continue;
        }
        match step.to_vec::<i64>()?[0] {
            -1 => session.reset()?,
            -2 => {
                let twin = session.fork()?;
                sessions.push(twin);
            }
            -3 => drop(sessions.pop()),
            count => session.rewind(count)?,
        }
    }
    Ok(tensors::write_tensors(&words[3], &results)?)
}
