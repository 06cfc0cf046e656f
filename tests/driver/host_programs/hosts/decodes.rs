//! Decodes with the library of the first argument: the steps of decodes.c.

mod tensors;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let module = tilewright::Module::load(&words[1])?;
    let mut steps = tensors::read_tensors(&words[2])?;
    let mut sessions = vec![if steps[0].shape().len() == 1 && steps[0].to_vec::<i64>()? == [-5] {
        let initial: Vec<_> = steps.drain(..3).skip(1).collect();
        module.session_from(&[Some(&initial[0]), Some(&initial[1])])?
    } else {
        module.session()?
    }];
    let mut results = Vec::new();
    for step in steps {
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
            -4 => {
                let value = tilewright::Tensor::zeros::<f32>(&[1, 4, session.size(0)?, 8])?;
                session.copy_state(0, &value)?;
                results.push(value);
            }
            count => session.rewind(count)?,
        }
    }
    Ok(tensors::write_tensors(&words[3], &results)?)
}
