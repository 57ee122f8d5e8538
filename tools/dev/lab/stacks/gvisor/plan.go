// SPDX-License-Identifier: MIT

package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A step is a verb and its numbers: "write 100".
type step struct {
	verb string
	n    int64
}

type flow struct {
	port, connections  int
	startMs, staggerMs float64
	options            map[string]string
	steps              []step
}

// A plan is what one host does, as foreign.py writes it down.
type plan struct {
	local, peer string
	seconds     int
	untilMs     int64
	settings    map[string]string
	flows       []*flow
}

func number(text string) int64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		fail("%q is no number", text)
	}
	return int64(n)
}

func readPlan(path string) *plan {
	file, err := os.Open(path)
	if err != nil {
		fail("%v", err)
	}
	defer file.Close()
	p := &plan{settings: map[string]string{}}
	var last *flow
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch {
		case words[0] == "local":
			p.local = words[1]
		case words[0] == "peer":
			p.peer = words[1]
		case words[0] == "seconds":
			p.seconds = int(number(words[1]))
		case words[0] == "until_ms":
			p.untilMs = number(words[1])
		case words[0] == "set":
			p.settings[words[1]] = words[2]
		case words[0] == "flow":
			last = &flow{port: int(number(words[1])), connections: int(number(words[2])), options: map[string]string{}}
			last.startMs, last.staggerMs = float64(number(words[3])), float64(number(words[4]))
			p.flows = append(p.flows, last)
		case words[0] == "option" && last != nil:
			last.options[words[1]] = words[2]
		case words[0] == "step" && last != nil:
			s := step{verb: words[1]}
			if len(words) > 2 {
				s.n = number(words[2])
			}
			last.steps = append(last.steps, s)
		default:
			fail("%s: %q is not understood", path, lines.Text())
		}
	}
	return p
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "gvisor: "+format+"\n", arguments...)
	os.Exit(1)
}
