// SPDX-License-Identifier: MIT
//! Find libtcpwhy by pkg-config, and make its bindings by bindgen (needs libclang).
use std::{env, path::PathBuf};

fn main() {
    let library = pkg_config::probe_library("tcpwhy").expect("libtcpwhy");
    let include = library.include_paths.iter().map(|path| format!("-I{}", path.display()));

    bindgen::Builder::default()
        .header_contents("tcpwhy.h", "#include <tcpwhy/tcpwhy.h>")
        .clang_args(include)
        .allowlist_item("tcpwhy_.*|TCPWHY_.*")
        .generate()
        .expect("bindings")
        .write_to_file(PathBuf::from(env::var("OUT_DIR").unwrap()).join("tcpwhy.rs"))
        .expect("tcpwhy.rs");
}
