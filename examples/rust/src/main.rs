// SPDX-License-Identifier: MIT
//! cargo run -- CAPTURE: print the findings, costliest first.
use std::ffi::{c_char, CStr, CString};
use std::{env, mem, process, ptr};

#[allow(non_upper_case_globals, non_camel_case_types, non_snake_case, dead_code)]
mod tcpwhy {
    include!(concat!(env!("OUT_DIR"), "/tcpwhy.rs"));
}

/// A report, released when it goes out of scope.
struct Report(*mut tcpwhy::tcpwhy_report);

impl Report {
    fn of_file(path: &str) -> Result<Report, String> {
        let path = CString::new(path).map_err(|e| e.to_string())?;
        let mut error = [0 as c_char; tcpwhy::TCPWHY_ERROR_TEXT as usize];
        let mut report = ptr::null_mut();

        let status = unsafe {
            // bindgen does not translate TCPWHY_OPTIONS_INIT.
            let mut options: tcpwhy::tcpwhy_options = mem::zeroed();
            tcpwhy::tcpwhy_options_init(&mut options, mem::size_of_val(&options) as _);
            tcpwhy::tcpwhy_analyze_file(path.as_ptr(), &options, &mut report, error.as_mut_ptr(), error.len() as _)
        };
        if status < 0 {
            return Err(unsafe { text(error.as_ptr()) });
        }
        Ok(Report(report))
    }

    fn findings(&self) -> impl Iterator<Item = &tcpwhy::tcpwhy_finding> {
        (0..).map_while(|i| unsafe { tcpwhy::tcpwhy_report_finding(self.0, i).as_ref() })
    }

    fn verdict(&self) -> &tcpwhy::tcpwhy_verdict {
        unsafe { &*tcpwhy::tcpwhy_report_verdict(self.0) }
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        unsafe { tcpwhy::tcpwhy_report_free(self.0) }
    }
}

unsafe fn text(pointer: *const c_char) -> String {
    CStr::from_ptr(pointer).to_string_lossy().into_owned()
}

fn cause_name(cause: tcpwhy::tcpwhy_cause) -> String {
    unsafe { text((*tcpwhy::tcpwhy_cause_info(cause)).name) }
}

fn main() {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: diagnose CAPTURE");
        process::exit(2);
    };
    let report = Report::of_file(&path).unwrap_or_else(|error| {
        eprintln!("{error}");
        process::exit(1);
    });

    for finding in report.findings() {
        let (confidence, summary, remedy) =
            unsafe { (text(tcpwhy::tcpwhy_confidence_name(finding.confidence)), text(finding.summary), text(finding.remedy)) };
        println!("{:.1} ms {} ({confidence}): {summary} {remedy}", finding.cost_ns as f64 / 1e6, cause_name(finding.cause));
    }
    println!("verdict: {}", cause_name(report.verdict().cause));
}
