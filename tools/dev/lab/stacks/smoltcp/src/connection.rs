// SPDX-License-Identifier: MIT

//! A socket and the program that uses it: steps that are taken as far as the socket lets them.

use smoltcp::iface::SocketHandle;
use smoltcp::socket::tcp::{CongestionControl, Socket, SocketBuffer, State};
use smoltcp::time::Duration;
use std::collections::{HashMap, VecDeque};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::plan::Step;
use crate::samples::Samples;

/// As long as peer.py waits for the other side.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(12);
const BUFFER: i64 = 65536;

pub fn now_ns() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos())
}

/// Where the program is in its present step.
struct Work {
    left: i64,
    from_ns: u128,
    since: Instant,
    last_progress: Instant,
}

pub struct Connection {
    pub handle: SocketHandle,
    pub name: Option<String>,
    pub notes: Vec<String>,
    pub error: Option<String>,
    pub samples: Samples,
    pub opened: bool,
    pub done: bool,
    steps: VecDeque<Step>,
    work: Option<Work>,
    begun: Instant,
}

/// A socket with a flow's options; what they do not say stays as smoltcp has it.
pub fn new_socket(options: &HashMap<String, i64>, settings: &HashMap<String, String>) -> Socket<'static> {
    let room = |name: &str| SocketBuffer::new(vec![0; *options.get(name).unwrap_or(&BUFFER) as usize]);
    let mut socket = Socket::new(room("rcvbuf"), room("sndbuf"));
    for (name, value) in options {
        match name.as_str() {
            "rcvbuf" | "sndbuf" => {}
            "nodelay" => socket.set_nagle_enabled(*value == 0),
            "ack_delay_ms" => socket.set_ack_delay((*value > 0).then(|| Duration::from_millis(*value as u64))),
            _ => panic!("{name} is no option of this stack"),
        }
    }
    // smoltcp builds without congestion control unless its user asks for one.
    socket.set_congestion_control(CongestionControl::None);
    for (name, value) in settings {
        match (name.as_str(), value.as_str()) {
            ("congestion", "reno") => socket.set_congestion_control(CongestionControl::Reno),
            ("congestion", "cubic") => socket.set_congestion_control(CongestionControl::Cubic),
            _ => panic!("{name} {value} is no setting of this stack"),
        }
    }
    socket
}

impl Connection {
    pub fn new(handle: SocketHandle, steps: &[Step], opened: bool) -> Connection {
        Connection {
            handle,
            name: None,
            notes: vec![],
            error: None,
            samples: Samples::default(),
            opened,
            done: false,
            steps: steps.to_vec().into(),
            work: None,
            begun: Instant::now(),
        }
    }

    fn finish(&mut self, what: &str, n: i64) {
        if let Some(work) = self.work.take() {
            self.notes.push(format!("D {{}} {what} {} {} {n}", work.from_ns, now_ns()));
        }
        self.steps.pop_front();
    }

    fn write(&mut self, socket: &mut Socket, n: i64) -> bool {
        let work = self.work.as_mut().unwrap();
        while work.left > 0 {
            let part = [b'x'; 4096];
            match socket.send_slice(&part[..part.len().min(work.left as usize)]) {
                Ok(0) => return false,
                Ok(sent) => {
                    work.left -= sent as i64;
                    work.last_progress = Instant::now();
                }
                Err(e) => {
                    self.error = Some(format!("{e:?}"));
                    return false;
                }
            }
        }
        self.finish("write", n);
        true
    }

    /// Takes `n` bytes, or all there are when n is 0.
    fn read(&mut self, socket: &mut Socket, n: i64) -> bool {
        let work = self.work.as_mut().unwrap();
        let mut room = [0; 65536];
        while n == 0 || work.left > 0 {
            let most = if n == 0 { room.len() } else { room.len().min(work.left as usize) };
            match socket.recv_slice(&mut room[..most]) {
                Ok(0) if socket.may_recv() => return false,
                Ok(got) if got > 0 => {
                    work.left -= got as i64;
                    work.last_progress = Instant::now();
                }
                _ if n == 0 => break,
                _ => {
                    self.error = Some(format!("{} bytes short", work.left));
                    return false;
                }
            }
        }
        self.finish("read", n);
        true
    }

    /// Goes on with the present step. Returns whether that is done and the next may begin.
    fn step(&mut self, socket: &mut Socket, step: &Step) -> bool {
        let now = Instant::now();
        let fresh = || Work {
            left: step.n,
            from_ns: now_ns(),
            since: now,
            last_progress: now,
        };
        let work = self.work.get_or_insert_with(fresh);
        if step.verb != "sleep_us" && work.last_progress.elapsed() > PATIENCE {
            self.error = Some("timed out".to_string());
            return false;
        }
        match step.verb.as_str() {
            "write" => return self.write(socket, step.n),
            "read" => return self.read(socket, step.n),
            "drain" => return self.read(socket, 0),
            "sleep_us" => {
                if (work.since.elapsed().as_micros() as i64) < step.n {
                    return false;
                }
                self.finish("sleep", 0);
                return true;
            }
            "begin" => self.begun = now,
            "end" => self.notes.push(format!("D {{}} request {}", self.begun.elapsed().as_nanos())),
            "nodelay" => socket.set_nagle_enabled(step.n == 0),
            "shutdown" => socket.close(),
            verb => self.error = Some(format!("{verb} is no verb of this stack")),
        }
        self.work = None;
        self.steps.pop_front();
        self.error.is_none()
    }

    /// Takes the steps that can be taken now, up to the end of a write: what was written shall leave before the next is.
    /// Returns whether there may be more to do at once.
    pub fn advance(&mut self, socket: &mut Socket) -> bool {
        if self.done || !self.opened || matches!(socket.state(), State::Listen | State::SynSent | State::SynReceived) {
            return false;
        }
        if self.name.is_none() {
            let (Some(local), Some(peer)) = (socket.local_endpoint(), socket.remote_endpoint()) else {
                self.error = Some("refused".to_string());
                self.done = true;
                return false;
            };
            self.name = Some(format!("{} {} {} {}", local.addr, local.port, peer.addr, peer.port));
        }
        while let Some(step) = self.steps.front().cloned() {
            if !self.step(socket, &step) {
                break;
            }
            if step.verb == "write" {
                return true;
            }
        }
        if self.steps.is_empty() || self.error.is_some() {
            self.done = true;
            socket.close();
        }
        false
    }

    /// How long the program sleeps yet, if it does.
    pub fn sleeps(&self) -> Option<std::time::Duration> {
        let (step, work) = (self.steps.front()?, self.work.as_ref()?);
        let total = std::time::Duration::from_micros(step.n as u64);
        (step.verb == "sleep_us" && !self.done).then(|| total.saturating_sub(work.since.elapsed()))
    }
}
