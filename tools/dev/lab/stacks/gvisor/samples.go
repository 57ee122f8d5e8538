// SPDX-License-Identifier: MIT

package main

import (
	"bufio"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Names of what connection.info returns, as the kernel's sampler calls them where both know them.
const columns = "state ca_state rto_us rtt_us rttvar_us snd_ssthresh snd_cwnd unread_bytes total_retrans fast_retrans total_rto"

// Rows of one connection at most.
const mostRows = 20000

type row struct {
	from, until int64
	values      []int64
}

// What was seen of a connection: a row for each time in which nothing changed.
type sampled struct {
	mu   sync.Mutex
	rows []row
}

func (s *sampled) take(now int64, values []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.rows) - 1
	if values == nil || len(s.rows) >= mostRows {
		return
	}
	if last >= 0 && slices.Equal(s.rows[last].values, values) {
		s.rows[last].until = now
		return
	}
	s.rows = append(s.rows, row{now, now, values})
}

func (s *sampled) print(out *bufio.Writer, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rows {
		fmt.Fprintf(out, "R %d %d %d", n, r.from, r.until)
		for _, v := range r.values {
			fmt.Fprintf(out, " %d", v)
		}
		fmt.Fprintln(out)
	}
}

// sample looks at every connection again and again.
func (h *host) sample(period time.Duration) {
	for range time.Tick(period) {
		h.mu.Lock()
		all := slices.Clone(h.connections)
		h.mu.Unlock()
		for _, c := range all {
			now := time.Now().UnixNano()
			c.seen.take(now, c.info())
		}
	}
}
