//! Tensors in files, as arrays.h reads and writes them.

use std::fs;
use tilewright::{Element, Result, Tensor};

const FLOAT32: i64 = 2 | 32 << 8 | 1 << 16;
const INT64: i64 = 64 << 8 | 1 << 16;

fn number(data: &[u8], at: &mut usize) -> i64 {
    *at += 8;
    i64::from_le_bytes(data[*at - 8..*at].try_into().unwrap())
}

fn tensor<T: Element, const N: usize>(
    data: &[u8], at: &mut usize, shape: &[i64], read: fn([u8; N]) -> T,
) -> Result<Tensor> {
    let count = shape.iter().product::<i64>() as usize;
    let bytes = &data[*at..*at + count * N];
    let elements: Vec<T> = bytes.chunks(N).map(|each| read(each.try_into().unwrap())).collect();
    *at += bytes.len();
    Tensor::of(shape, &elements)
}

pub fn read_tensors(path: &str) -> Result<Vec<Tensor>> {
    let data = fs::read(path).unwrap();
    let mut at = 0;
    (0..number(&data, &mut at))
        .map(|_| {
            let (dtype, rank) = (number(&data, &mut at), number(&data, &mut at));
            let shape: Vec<i64> = (0..rank).map(|_| number(&data, &mut at)).collect();
            match dtype {
                FLOAT32 => tensor(&data, &mut at, &shape, f32::from_le_bytes),
                INT64 => tensor(&data, &mut at, &shape, i64::from_le_bytes),
                other => panic!("no dtype of these tests: {other}"),
            }
        })
        .collect()
}

pub fn write_tensors(path: &str, tensors: &[Tensor]) -> Result<()> {
    let mut data = (tensors.len() as i64).to_le_bytes().to_vec();
    for each in tensors {
        data.extend((each.dtype() as i64).to_le_bytes());
        data.extend((each.shape().len() as i64).to_le_bytes());
        data.extend(each.shape().iter().flat_map(|size| size.to_le_bytes()));
        match each.dtype() as i64 {
            FLOAT32 => data.extend(each.to_vec::<f32>()?.iter().flat_map(|x| x.to_le_bytes())),
            _ => data.extend(each.to_vec::<i64>()?.iter().flat_map(|x| x.to_le_bytes())),
        }
    }
    fs::write(path, data).unwrap();
    Ok(())
}
