// SPDX-License-Identifier: MIT
// What src/render/pack.c packed: curves, bands of causes, rows of a flow graph.
'use strict';

/** Reads numbers off base64: 7 bits a byte, lowest first. */
class Packed {
  constructor(base64) {
    const text = atob(base64);
    this.bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    this.at = 0;
  }

  uint() {
    let value = 0;
    let weight = 1;
    let byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * weight;
      weight *= 128;
    } while (byte & 128);
    return value;
  }

  int() {
    const twice = this.uint();
    return twice % 2 ? -(twice + 1) / 2 : twice / 2;
  }
}

/** A curve with its points in arrays: time in seconds into the capture, low, high, frame. */
function decodeCurve([role, mark, hasFrames, n, unitNs, unit, base64], fromMs) {
  const packed = new Packed(base64);
  const curve = { role, mark, x: [], low: [], y: [], frame: hasFrames ? [] : null };
  let time = 0;
  let low = 0;
  let frame = 0;
  let last = -Infinity;
  for (let i = 0; i < n; i++) {
    time += packed.int();
    low += packed.int();
    // uPlot wants each point right of the one before.
    let x = fromMs / 1e3 + (time * unitNs) / 1e9;
    if (x <= last) x = last + 1e-9;
    last = x;
    curve.x.push(x);
    curve.low.push(low * unit);
    curve.y.push((low + (mark === 'bar' ? packed.uint() : 0)) * unit);
    if (hasFrames) curve.frame.push((frame += packed.int()));
  }
  return curve;
}

/** Intervals with the index of their cause, in milliseconds into the capture. */
function decodeBands(detail) {
  const packed = new Packed(detail.bands);
  const bands = [];
  let at = detail.from;
  for (let i = 0; i < detail.n_bands; i++) {
    const from = at + packed.uint() / 1e3;
    at = from + packed.uint() / 1e3;
    bands.push({ from, to: at, cause: packed.uint() });
  }
  return bands;
}

const ROW_KINDS = ['frame', 'run', 'gap', 'cut'];

/** Rows of the flow graph, times in milliseconds into the capture. */
function decodeRows(detail, notes) {
  const packed = new Packed(detail.rows);
  const state = { frame: 0, at: 0, seq: [0, 0], ack: [0, 0] };
  const rows = [];
  const step = () => {
    state.frame += packed.int();
    state.at += packed.int();
    return { frame: state.frame, at: detail.from + state.at / 1e3 };
  };
  const kinds = {
    frame(row, side) {
      Object.assign(row, step(), { class: packed.uint(), note: notes[packed.uint()], flags: packed.uint() });
      row.seq = state.seq[side] += packed.int();
      row.ack = state.ack[side] += packed.int();
      row.len = packed.uint();
      row.window = packed.uint() - 1;
      row.to = row.at;
      row.last = row.frame;
    },
    run(row) {
      Object.assign(row, step(), { class: packed.uint(), note: notes[packed.uint()] });
      const end = step();
      Object.assign(row, { last: end.frame, to: end.at, n: packed.uint(), bytes: packed.uint(), acks: packed.uint() });
    },
    gap(row) {
      state.at += packed.int();
      row.at = detail.from + state.at / 1e3;
      state.at += packed.int();
      row.to = detail.from + state.at / 1e3;
      Object.assign(row, { cause: packed.uint(), note: notes[packed.uint()] });
    },
    cut(row) {
      Object.assign(row, step());
      const end = step();
      Object.assign(row, { last: end.frame, to: end.at, n: packed.uint() });
    },
  };
  for (let i = 0; i < detail.n_rows; i++) {
    const head = packed.uint();
    const side = head >> 2;
    const row = { kind: ROW_KINDS[head & 3], side: side ? 'server' : 'client' };
    kinds[row.kind](row, side);
    rows.push(row);
  }
  return rows;
}
