// SPDX-License-Identifier: MIT

// One host of a scenario with gVisor's TCP: gvisor client|server PLAN OUT, started inside its network
// namespace. foreign.py writes the plan and reads what is left in OUT.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"
)

const samplePeriod = 2 * time.Millisecond

type host struct {
	*stack.Stack
	plan *plan

	mu          sync.Mutex
	connections []*connection
	names       []string
}

// add puts a connection on the list of those that are sampled and told of.
func (h *host) add(c *connection, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.connections = append(h.connections, c)
	h.names = append(h.names, name)
}

func (h *host) newEndpoint(f *flow) (tcpip.Endpoint, *waiter.Queue) {
	queue := &waiter.Queue{}
	end, err := h.NewEndpoint(tcp.ProtocolNumber, ipv4.ProtocolNumber, queue)
	must("endpoint", err)
	setOptions(end, f.options)
	return end, queue
}

func (h *host) name(local, peer tcpip.FullAddress) string {
	return fmt.Sprintf("%s %d %s %d", local.Addr, local.Port, peer.Addr, peer.Port)
}

func (h *host) connect(f *flow) {
	end, queue := h.newEndpoint(f)
	c := newConnection(end, queue)
	peer := tcpip.FullAddress{NIC: nic, Addr: address(h.plan.peer), Port: uint16(f.port)}
	err := end.Connect(peer)
	local, _ := end.GetLocalAddress()
	local.Addr = address(h.plan.local)
	h.add(c, h.name(local, peer))
	if _, started := err.(*tcpip.ErrConnectStarted); started {
		if wait(c.out) == nil {
			err = end.LastError()
		}
	}
	if err != nil {
		c.error = err.String()
		return
	}
	c.live(f.steps)
}

// shutDown ends all connections, whatever they still have to say.
func (h *host) shutDown() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.connections {
		c.end.Shutdown(tcpip.ShutdownRead | tcpip.ShutdownWrite)
	}
}

func (h *host) runClient() {
	start := time.Now()
	if h.plan.untilMs > 0 {
		time.AfterFunc(time.Duration(h.plan.untilMs)*time.Millisecond, h.shutDown)
	}
	var all sync.WaitGroup
	for _, f := range h.plan.flows {
		for i := 0; i < f.connections; i++ {
			all.Add(1)
			at := time.Duration((f.startMs + float64(i)*f.staggerMs) * float64(time.Millisecond))
			time.AfterFunc(at-time.Since(start), func() { defer all.Done(); h.connect(f) })
		}
	}
	all.Wait()
}

func (h *host) listen(f *flow) {
	end, queue := h.newEndpoint(f)
	must("bind", end.Bind(tcpip.FullAddress{NIC: nic, Port: uint16(f.port)}))
	must("listen", end.Listen(1024))
	entry, ready := waiter.NewChannelEntry(waiter.ReadableEvents)
	queue.EventRegister(&entry)
	go func() {
		for {
			var peer tcpip.FullAddress
			accepted, its, err := end.Accept(&peer)
			if err != nil {
				<-ready
				continue
			}
			setOptions(accepted, f.options)
			c := newConnection(accepted, its)
			local, _ := accepted.GetLocalAddress()
			h.add(c, h.name(local, peer))
			go c.live(f.steps)
		}
	}()
}

func (h *host) runServer() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	for _, f := range h.plan.flows {
		h.listen(f)
	}
	fmt.Println("ready")
	select {
	case <-signals:
	case <-time.After(time.Duration(h.plan.seconds) * time.Second):
	}
}

// tell leaves what was noted and sampled in a file, in lines as the kernel's sampler writes them, and
// "D number what from until bytes", "Q number nanoseconds", "X number problem".
func (h *host) tell(path string) {
	file, err := os.Create(path)
	if err != nil {
		fail("%v", err)
	}
	out := bufio.NewWriter(file)
	fmt.Fprintf(out, "C time_ns until_ns %s\n", columns)
	h.mu.Lock()
	defer h.mu.Unlock()
	for n, c := range h.connections {
		fmt.Fprintf(out, "S %d %s\n", n, h.names[n])
		c.mu.Lock()
		for _, line := range c.diary {
			fmt.Fprintf(out, "D %d %s\n", n, line)
		}
		if c.error != "" {
			fmt.Fprintf(out, "X %d %s\n", n, c.error)
		}
		c.mu.Unlock()
		c.seen.print(out, n)
	}
	if err := out.Flush(); err != nil {
		fail("%v", err)
	}
}

func main() {
	if len(os.Args) != 4 {
		fail("usage: gvisor client|server PLAN OUT")
	}
	p := readPlan(os.Args[2])
	h := &host{Stack: newHost(p), plan: p}
	go h.sample(samplePeriod)
	if os.Args[1] == "client" {
		h.runClient()
		// The last ACKs and FINs still have to leave.
		time.Sleep(200 * time.Millisecond)
	} else {
		h.runServer()
	}
	h.tell(os.Args[3])
}
