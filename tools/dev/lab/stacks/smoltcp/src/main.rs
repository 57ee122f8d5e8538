// SPDX-License-Identifier: MIT

//! One host of a scenario with smoltcp: smoltcp client|server PLAN OUT, started inside its network namespace.
//! foreign.py writes the plan and reads what is left in OUT.

mod connection;
mod plan;
mod samples;

use connection::{new_socket, now_ns, Connection};
use plan::Plan;
use smoltcp::iface::{Config, Interface, SocketSet};
use smoltcp::phy::{wait, Medium, RawSocket};
use smoltcp::socket::tcp::{Socket, State};
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{EthernetAddress, IpAddress, IpCidr};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering};

const SAMPLE: Duration = Duration::from_millis(2);
/// Room for what comes while this program does not run.
const ROOM: libc::c_int = 16 << 20;

static ENDED: AtomicBool = AtomicBool::new(false);

extern "C" fn end(_signal: libc::c_int) {
    ENDED.store(true, Ordering::Relaxed);
}

struct Host<'a> {
    device: RawSocket,
    iface: Interface,
    sockets: SocketSet<'a>,
    connections: Vec<Connection>,
    /// (when, port, connection) of those that this host still has to open.
    to_open: Vec<(f64, u16, usize)>,
    peer: IpAddress,
    next_sample: Instant,
}

fn hardware_address() -> EthernetAddress {
    let text = fs::read_to_string("/sys/class/net/eth0/address").expect("eth0");
    let bytes: Vec<u8> = text.trim().split(':').map(|b| u8::from_str_radix(b, 16).expect("eth0")).collect();
    EthernetAddress::from_bytes(&bytes)
}

fn open_device() -> RawSocket {
    let device = RawSocket::new("eth0", Medium::Ethernet).expect("eth0");
    let room = ROOM;
    let size = std::mem::size_of_val(&room) as libc::socklen_t;
    // SAFETY: the kernel reads `size` bytes of a number.
    let done = unsafe {
        libc::setsockopt(
            device.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_RCVBUFFORCE,
            (&raw const room).cast(),
            size,
        )
    };
    assert_eq!(done, 0, "SO_RCVBUFFORCE");
    device
}

impl Host<'_> {
    fn new(plan: &Plan, client: bool) -> Self {
        let mut device = open_device();
        let config = Config::new(hardware_address().into());
        let mut iface = Interface::new(config, &mut device, Instant::now());
        let local: IpAddress = plan.local.parse().expect("local address");
        iface.update_ip_addrs(|all| all.push(IpCidr::new(local, 24)).expect("room for an address"));
        let mut host = Host {
            device,
            iface,
            sockets: SocketSet::new(vec![]),
            connections: vec![],
            to_open: vec![],
            peer: plan.peer.parse().expect("peer address"),
            next_sample: Instant::now(),
        };
        for flow in &plan.flows {
            for i in 0..flow.connections {
                let mut socket = new_socket(&flow.options, &plan.settings);
                if client {
                    host.to_open
                        .push((flow.start_ms + i as f64 * flow.stagger_ms, flow.port, host.connections.len()));
                } else {
                    socket.listen(flow.port).expect("listen");
                }
                let handle = host.sockets.add(socket);
                host.connections.push(Connection::new(handle, &flow.steps, !client));
            }
        }
        host
    }

    fn open_those_due(&mut self, since_start: Duration) {
        let now_ms = since_start.total_micros() as f64 / 1e3;
        let (due, later) = self.to_open.drain(..).partition(|(at, ..)| *at <= now_ms);
        self.to_open = later;
        for (_, port, i) in due {
            let socket = self.sockets.get_mut::<Socket>(self.connections[i].handle);
            let local = 49152 + (now_ns() / 1000 % 8192) as u16 + i as u16;
            self.connections[i].opened = true;
            socket.connect(self.iface.context(), (self.peer, port), local).expect("connect");
        }
    }

    fn sample(&mut self, now: Instant) {
        if now >= self.next_sample {
            self.next_sample = now + SAMPLE;
            for c in &mut self.connections {
                let socket = self.sockets.get::<Socket>(c.handle);
                if !matches!(socket.state(), State::Listen | State::Closed) {
                    c.samples.take(now_ns(), socket);
                }
            }
        }
    }

    /// Ends all connections, whatever they still have to say.
    fn shut_down(&mut self) {
        for c in self.connections.iter_mut().filter(|c| !c.done) {
            c.error = Some("shut down".to_string());
            c.done = true;
            self.sockets.get_mut::<Socket>(c.handle).abort();
        }
        self.to_open.clear();
    }

    fn run(&mut self, most: Duration, until_done: bool, until: Option<Duration>) {
        let start = Instant::now();
        while !ENDED.load(Ordering::Relaxed) && Instant::now() < start + most {
            self.open_those_due(Instant::now() - start);
            if until.is_some_and(|until| Instant::now() > start + until) {
                self.shut_down();
            }
            self.iface.poll(Instant::now(), &mut self.device, &mut self.sockets);
            let mut more = false;
            for c in &mut self.connections {
                more |= c.advance(self.sockets.get_mut::<Socket>(c.handle));
            }
            self.iface.poll(Instant::now(), &mut self.device, &mut self.sockets);
            self.sample(Instant::now());
            let closed = |c: &Connection| matches!(self.sockets.get::<Socket>(c.handle).state(), State::Closed | State::TimeWait);
            if until_done && self.to_open.is_empty() && self.connections.iter().all(|c| c.done && closed(c)) {
                break;
            }
            if more {
                continue;
            }
            let mut pause = SAMPLE;
            if let Some(delay) = self.iface.poll_delay(Instant::now(), &self.sockets) {
                pause = pause.min(delay);
            }
            for sleeps in self.connections.iter().filter_map(Connection::sleeps) {
                pause = pause.min(Duration::from_micros(sleeps.as_micros() as u64));
            }
            // A signal is what interrupts it, and the loop looks for that.
            let _ = wait(self.device.as_raw_fd(), Some(pause));
        }
    }

    /// Lines as the kernel's sampler writes them, and "D number what from until bytes", "D number request nanoseconds", "X number problem".
    fn tell(&self, path: &str) -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        writeln!(out, "C time_ns until_ns {}", samples::COLUMNS)?;
        for (n, c) in self.connections.iter().enumerate() {
            let Some(name) = &c.name else { continue };
            writeln!(out, "S {n} {name}")?;
            for note in &c.notes {
                writeln!(out, "{}", note.replace("{}", &n.to_string()))?;
            }
            if let Some(problem) = &c.error {
                writeln!(out, "X {n} {problem}")?;
            }
            for line in c.samples.lines(n) {
                writeln!(out, "{line}")?;
            }
        }
        out.flush()
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, role, plan, out] = arguments.as_slice() else {
        panic!("usage: smoltcp client|server PLAN OUT");
    };
    let (client, plan) = (role == "client", Plan::read(plan));
    // SAFETY: the handler does nothing but store to an atomic.
    unsafe { libc::signal(libc::SIGTERM, end as *const () as libc::sighandler_t) };
    let mut host = Host::new(&plan, client);
    if !client {
        println!("ready");
    }
    let until = (client && plan.until_ms > 0).then(|| Duration::from_millis(plan.until_ms));
    host.run(Duration::from_secs(plan.seconds), client, until);
    host.tell(out).expect(out);
}
