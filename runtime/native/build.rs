//! Compiles tilewright.c, with the compiler of the environment variable CC, into the crate.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn run(program: &str, words: &[&str]) {
    let status = Command::new(program).args(words).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{program} {}: {status}", words.join(" ")),
        Err(error) => panic!("{program} cannot be started: {error}; set CC to a C compiler"),
    }
}

fn main() {
    let folder = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    let (object, archive) = (folder.join("tilewright.o"), folder.join("libtilewright_c.a"));
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let (object, archive) = (object.to_string_lossy(), archive.to_string_lossy());
    run(&compiler, &["-c", "-O2", "-fPIC", "-o", &object, "tilewright.c"]);
    run("ar", &["crs", &archive, &object]);
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=tilewright_c");
    println!("cargo:rustc-link-lib=dl");
    println!("cargo:rustc-link-lib=pthread");
    println!("cargo:rerun-if-changed=.");
    println!("cargo:rerun-if-env-changed=CC");
}
