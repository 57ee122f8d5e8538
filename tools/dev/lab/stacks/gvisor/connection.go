// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"
)

// As long as peer.py waits for the other side.
const patience = 12 * time.Second

// A connection is an endpoint, and the diary of the program that uses it.
type connection struct {
	end   tcpip.Endpoint
	queue *waiter.Queue
	in    chan struct{}
	out   chan struct{}
	seen  sampled

	mu    sync.Mutex
	diary []string
	begun time.Time
	error string
}

func newConnection(end tcpip.Endpoint, queue *waiter.Queue) *connection {
	c := &connection{end: end, queue: queue}
	in, notifyIn := waiter.NewChannelEntry(waiter.ReadableEvents | waiter.EventHUp | waiter.EventErr)
	out, notifyOut := waiter.NewChannelEntry(waiter.WritableEvents | waiter.EventHUp | waiter.EventErr)
	queue.EventRegister(&in)
	queue.EventRegister(&out)
	c.in, c.out = notifyIn, notifyOut
	return c
}

func wait(ready chan struct{}) error {
	select {
	case <-ready:
		return nil
	case <-time.After(patience):
		return errors.New("timed out")
	}
}

func (c *connection) note(format string, arguments ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.diary = append(c.diary, fmt.Sprintf(format, arguments...))
}

// noted keeps a diary of what the program is at, in nanoseconds since 1970.
func (c *connection) noted(what string, n int64, work func() error) error {
	from := time.Now().UnixNano()
	err := work()
	c.note("%s %d %d %d", what, from, time.Now().UnixNano(), n)
	return err
}

func (c *connection) write(n int64) error {
	left := bytes.NewReader(bytes.Repeat([]byte{'x'}, int(n)))
	for left.Len() > 0 {
		_, err := c.end.Write(left, tcpip.WriteOptions{})
		switch err.(type) {
		case nil:
		case *tcpip.ErrWouldBlock:
			if err := wait(c.out); err != nil {
				return err
			}
		default:
			return errors.New(err.String())
		}
	}
	return nil
}

// read takes `n` bytes, or all there are when n is negative.
func (c *connection) read(n int64) error {
	for n != 0 {
		size := int64(1 << 16)
		if n > 0 && n < size {
			size = n
		}
		buffer := tcpip.SliceWriter(make([]byte, size))
		got, err := c.end.Read(&buffer, tcpip.ReadOptions{})
		switch err.(type) {
		case nil:
			if n > 0 {
				n -= int64(got.Count)
			}
		case *tcpip.ErrWouldBlock:
			if err := wait(c.in); err != nil {
				return err
			}
		case *tcpip.ErrClosedForReceive:
			if n < 0 {
				return nil
			}
			return fmt.Errorf("%d bytes short", n)
		default:
			return errors.New(err.String())
		}
	}
	return nil
}

func (c *connection) do(s step) error {
	switch s.verb {
	case "write":
		return c.noted("write", s.n, func() error { return c.write(s.n) })
	case "read":
		return c.noted("read", s.n, func() error { return c.read(s.n) })
	case "drain":
		return c.noted("read", 0, func() error { return c.read(-1) })
	case "sleep_us":
		return c.noted("sleep", 0, func() error { time.Sleep(time.Duration(s.n) * time.Microsecond); return nil })
	case "begin":
		c.begun = time.Now()
	case "end":
		c.note("request %d", time.Since(c.begun).Nanoseconds())
	case "nodelay":
		c.end.SocketOptions().SetDelayOption(s.n == 0)
	case "cork":
		c.end.SocketOptions().SetCorkOption(s.n != 0)
	case "shutdown":
		c.end.Shutdown(tcpip.ShutdownWrite)
	default:
		return fmt.Errorf("%s is no verb of this stack", s.verb)
	}
	return nil
}

// live goes through the steps and closes.
func (c *connection) live(steps []step) {
	for _, s := range steps {
		if err := c.do(s); err != nil {
			c.mu.Lock()
			c.error = err.Error()
			c.mu.Unlock()
			break
		}
	}
	c.end.Close()
}

func setOptions(end tcpip.Endpoint, options map[string]string) {
	for name, value := range options {
		n := number(value)
		switch name {
		case "sndbuf":
			end.SocketOptions().SetSendBufferSize(n, true)
		case "rcvbuf":
			end.SocketOptions().SetReceiveBufferSize(n, true)
		case "nodelay":
			end.SocketOptions().SetDelayOption(n == 0)
		case "quickack":
			end.SocketOptions().SetQuickAck(n != 0)
		default:
			fail("%s is no option of this stack", name)
		}
	}
}

// info is what the stack itself says of a connection; nil after its end.
func (c *connection) info() []int64 {
	var i tcpip.TCPInfoOption
	if err := c.end.GetSockOpt(&i); err != nil {
		return nil
	}
	waiting, _ := c.end.GetSockOptInt(tcpip.ReceiveQueueSizeOption)
	stats := c.end.Stats().(*tcp.Stats)
	return []int64{
		int64(i.State), int64(i.CcState), i.RTO.Microseconds(), i.RTT.Microseconds(), i.RTTVar.Microseconds(),
		int64(min(i.SndSsthresh, math.MaxInt32)), int64(i.SndCwnd), int64(waiting),
		int64(stats.SendErrors.Retransmits.Value()), int64(stats.SendErrors.FastRetransmit.Value()), int64(stats.SendErrors.Timeouts.Value()),
	}
}
