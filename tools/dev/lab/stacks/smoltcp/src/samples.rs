// SPDX-License-Identifier: MIT

//! What the stack itself says of a socket, a row for each time in which nothing changed.

use smoltcp::socket::tcp::{Socket, State};
use std::fmt::{self, Write};

/// As the kernel's sampler calls them where both know them. smoltcp measures its timeouts in milliseconds.
pub const COLUMNS: &str = "state rto_us rtt_us rttvar_us queued_bytes unread_bytes timer";
/// Rows of one connection at most.
const MOST_ROWS: usize = 20000;

struct Row {
    from_ns: u128,
    until_ns: u128,
    values: [i64; 7],
}

#[derive(Default)]
pub struct Samples {
    rows: Vec<Row>,
}

/// The beginning of a text; what follows is not even formatted.
struct Beginning(String);

impl Write for Beginning {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.push_str(part);
        if self.0.len() > 1000 {
            Err(fmt::Error)
        } else {
            Ok(())
        }
    }
}

fn after<'a>(text: &'a str, name: &str) -> &'a str {
    text.find(name).map_or("", |at| &text[at + name.len()..])
}

fn number(text: &str, name: &str) -> i64 {
    let digits: String = after(text, name).chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(-1)
}

/// Timers by the order of smoltcp's own list; its estimator has no door but the text for debugging, where both stand first.
fn estimator(socket: &Socket) -> (i64, i64, i64, i64) {
    let mut text = Beginning(String::new());
    // An error is how the formatting ends.
    let _ = write!(text, "{socket:?}");
    let kinds = ["Idle", "Retransmit", "FastRetransmit", "ZeroWindowProbe", "Close"];
    let timer = after(&text.0, "timer: ");
    let kind = kinds.iter().position(|k| timer.starts_with(k)).map_or(-1, |i| i as i64);
    let rtte = after(&text.0, "rtte: ");
    (number(rtte, " rto: "), number(rtte, "srtt: "), number(rtte, "rttvar: "), kind)
}

/// As Linux numbers them.
fn state(socket: &Socket) -> i64 {
    match socket.state() {
        State::Established => 1,
        State::SynSent => 2,
        State::SynReceived => 3,
        State::FinWait1 => 4,
        State::FinWait2 => 5,
        State::TimeWait => 6,
        State::Closed => 7,
        State::CloseWait => 8,
        State::LastAck => 9,
        State::Listen => 10,
        State::Closing => 11,
    }
}

impl Samples {
    pub fn take(&mut self, now_ns: u128, socket: &Socket) {
        let (rto_ms, rtt_ms, rttvar_ms, timer) = estimator(socket);
        let (queued, unread) = (socket.send_queue() as i64, socket.recv_queue() as i64);
        let values = [state(socket), rto_ms * 1000, rtt_ms * 1000, rttvar_ms * 1000, queued, unread, timer];
        let full = self.rows.len() >= MOST_ROWS;
        match self.rows.last_mut() {
            Some(last) if last.values == values => last.until_ns = now_ns,
            _ if !full => self.rows.push(Row {
                from_ns: now_ns,
                until_ns: now_ns,
                values,
            }),
            _ => {}
        }
    }

    pub fn lines(&self, n: usize) -> impl Iterator<Item = String> + '_ {
        self.rows.iter().map(move |row| {
            let values: Vec<String> = row.values.iter().map(i64::to_string).collect();
            format!("R {n} {} {} {}", row.from_ns, row.until_ns, values.join(" "))
        })
    }
}
