// SPDX-License-Identifier: MIT

// go run . CAPTURE: print the findings, costliest first.
package main

/*
#cgo pkg-config: tcpwhy
#include <stdlib.h>
#include <tcpwhy/tcpwhy.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"unsafe"
)

func analyze(path string) (*C.tcpwhy_report, error) {
	var options C.struct_tcpwhy_options
	var report *C.tcpwhy_report
	var text [C.TCPWHY_ERROR_TEXT]C.char

	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	// cgo does not see TCPWHY_OPTIONS_INIT.
	C.tcpwhy_options_init(&options, C.sizeof_struct_tcpwhy_options)
	if C.tcpwhy_analyze_file(name, &options, &report, &text[0], C.size_t(len(text))) < 0 {
		return nil, errors.New(C.GoString(&text[0]))
	}
	return report, nil
}

func causeName(cause C.enum_tcpwhy_cause) string {
	return C.GoString(C.tcpwhy_cause_info(cause).name)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: diagnose CAPTURE")
		os.Exit(2)
	}
	report, err := analyze(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer C.tcpwhy_report_free(report)

	for i := C.size_t(0); i < C.tcpwhy_report_finding_count(report); i++ {
		finding := C.tcpwhy_report_finding(report, i)
		fmt.Printf("%.1f ms %s (%s): %s %s\n", float64(finding.cost_ns)/1e6, causeName(finding.cause),
			C.GoString(C.tcpwhy_confidence_name(finding.confidence)), C.GoString(finding.summary),
			C.GoString(finding.remedy))
	}
	fmt.Printf("verdict: %s\n", causeName(C.tcpwhy_report_verdict(report).cause))
}
