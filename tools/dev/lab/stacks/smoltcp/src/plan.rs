// SPDX-License-Identifier: MIT

//! What one host does, as foreign.py writes it down.

use std::collections::HashMap;
use std::fs;

#[derive(Clone)]
pub struct Step {
    pub verb: String,
    pub n: i64,
}

pub struct Flow {
    pub port: u16,
    pub connections: usize,
    pub start_ms: f64,
    pub stagger_ms: f64,
    pub options: HashMap<String, i64>,
    pub steps: Vec<Step>,
}

#[derive(Default)]
pub struct Plan {
    pub local: String,
    pub peer: String,
    pub seconds: u64,
    pub until_ms: u64,
    pub settings: HashMap<String, String>,
    pub flows: Vec<Flow>,
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

impl Plan {
    pub fn read(path: &str) -> Plan {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let mut plan = Plan::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match (words.as_slice(), plan.flows.last_mut()) {
                (["local", address], _) => plan.local = address.to_string(),
                (["peer", address], _) => plan.peer = address.to_string(),
                (["seconds", n], _) => plan.seconds = number(n) as u64,
                (["until_ms", n], _) => plan.until_ms = number(n) as u64,
                (["set", name, value], _) => {
                    plan.settings.insert(name.to_string(), value.to_string());
                }
                (["flow", port, connections, start, stagger], _) => plan.flows.push(Flow {
                    port: number(port) as u16,
                    connections: number(connections) as usize,
                    start_ms: number(start),
                    stagger_ms: number(stagger),
                    options: HashMap::new(),
                    steps: vec![],
                }),
                (["option", name, value], Some(flow)) => {
                    flow.options.insert(name.to_string(), number(value) as i64);
                }
                (["step", verb, rest @ ..], Some(flow)) => flow.steps.push(Step {
                    verb: verb.to_string(),
                    n: rest.first().map_or(0, |n| number(n) as i64),
                }),
                _ => panic!("{path}: {line:?} is not understood"),
            }
        }
        plan
    }
}
