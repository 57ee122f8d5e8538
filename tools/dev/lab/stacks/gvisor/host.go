// SPDX-License-Identifier: MIT

package main

import (
	"net"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/fdbased"
	"gvisor.dev/gvisor/pkg/tcpip/network/arp"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
)

const nic = tcpip.NICID(1)

func htons(n uint16) uint16 { return n<<8 | n>>8 }

// openLink returns a packet socket on eth0, which the kernel leaves alone as it has no address there.
func openLink() (int, *net.Interface) {
	card, err := net.InterfaceByName("eth0")
	if err != nil {
		fail("%v", err)
	}
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, int(htons(unix.ETH_P_ALL)))
	if err != nil {
		fail("packet socket: %v", err)
	}
	if err := unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: htons(unix.ETH_P_ALL), Ifindex: card.Index}); err != nil {
		fail("eth0: %v", err)
	}
	// Room for what comes while this program does not run.
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, 16<<20); err != nil {
		fail("SO_RCVBUFFORCE: %v", err)
	}
	return fd, card
}

func address(text string) tcpip.Address {
	ip := net.ParseIP(text).To4()
	if ip == nil {
		fail("%q is no IPv4 address", text)
	}
	return tcpip.AddrFromSlice(ip)
}

func must(what string, err tcpip.Error) {
	if err != nil {
		fail("%s: %v", what, err)
	}
}

// apply sets what a scenario says of the whole stack; what it does not say stays as gVisor has it.
func apply(s *stack.Stack, settings map[string]string) {
	for name, value := range settings {
		var option tcpip.SettableTransportProtocolOption
		switch name {
		case "sack":
			sack := tcpip.TCPSACKEnabled(value != "0")
			option = &sack
		case "rack":
			recovery := tcpip.TCPRecovery(number(value))
			option = &recovery
		case "congestion":
			congestion := tcpip.CongestionControlOption(value)
			option = &congestion
		case "rto_min_ms":
			floor := tcpip.TCPMinRTOOption(number(value) * 1e6)
			option = &floor
		case "moderate":
			moderate := tcpip.TCPModerateReceiveBufferOption(value != "0")
			option = &moderate
		default:
			fail("%s is no setting of this stack", name)
		}
		must(name, s.SetTransportProtocolOption(tcp.ProtocolNumber, option))
	}
}

func newHost(p *plan) *stack.Stack {
	fd, card := openLink()
	link, err := fdbased.New(&fdbased.Options{
		FDs: []int{fd}, MTU: uint32(card.MTU), EthernetHeader: true,
		Address: tcpip.LinkAddress(card.HardwareAddr), PacketDispatchMode: fdbased.RecvMMsg,
	})
	if err != nil {
		fail("eth0: %v", err)
	}
	s := stack.New(stack.Options{
		NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol, arp.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol},
	})
	must("eth0", s.CreateNIC(nic, link))
	must(p.local, s.AddProtocolAddress(nic, tcpip.ProtocolAddress{
		Protocol:          ipv4.ProtocolNumber,
		AddressWithPrefix: tcpip.AddressWithPrefix{Address: address(p.local), PrefixLen: 24},
	}, stack.AddressProperties{}))
	s.SetRouteTable([]tcpip.Route{{Destination: header.IPv4EmptySubnet, NIC: nic}})
	apply(s, p.settings)
	return s
}
